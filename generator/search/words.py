"""Cuts texts into the words by which they are found; `overrides/assets/js/search/cut.js` cuts questions alike.

A text falls at white space and marks into names, of letters, digits, and `_` and `-` between them. Each
name is a word, and so are its pieces, parted by `_`, `-` and changes of case, from two characters on. Of
Chinese, Japanese and Korean scripts each character is a name.
"""

import re
import unicodedata
from functools import lru_cache

_CJK = "\u2e80-\ua4cf\uac00-\ud7ff\uf900-\ufaff"

_LONE = rf"(?=[^\W_])[{_CJK}]"
_NAME = re.compile(rf"{_LONE}|[^\W_{_CJK}](?:(?:[^\W{_CJK}]|-(?=[^\W{_CJK}]))*[^\W_{_CJK}])?")
_LONE_NAME = re.compile(_LONE)
_CASES = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_BREAKS = re.compile(r"[\W_]+")


def names(text: str) -> list[str]:
    """The names in a text, as they look, in order."""
    return _NAME.findall(text if text.isascii() else unicodedata.normalize("NFC", text))


def lone(text: str) -> list[str]:
    """The Chinese, Japanese and Korean characters of a text, in order."""
    return [] if text.isascii() else _LONE_NAME.findall(text)


@lru_cache(maxsize=1 << 16)
def pieces(name: str) -> tuple[str, ...]:
    """The pieces of a name, as they look; of one that has no parts the name alone."""
    return tuple(piece for run in _BREAKS.split(name) for piece in _CASES.split(run) if piece)


def words(text: str) -> list[str]:
    """The words of a text, each once, in order."""
    found: dict[str, None] = {}
    for name in names(text):
        found[folded(name)] = None
        parts = pieces(name)
        if len(parts) > 1:
            found |= dict.fromkeys(piece for piece in map(folded, parts) if len(piece) > 1)
    found.pop("", None)
    return list(found)


@lru_cache(maxsize=1 << 16)
def folded(name: str) -> str:
    """A name as Pagefind's index has it: lower case, without accents and hyphens."""
    lower = name.replace("-", "").lower()
    if lower.isascii():
        return lower
    return "".join(
        char for char in unicodedata.normalize("NFD", lower) if not unicodedata.category(char).startswith("M")
    )
