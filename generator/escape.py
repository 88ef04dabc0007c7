"""Record text made harmless: for Markdown, for HTML, and for the eye.

Whatever a record holds is shown, and nothing in it acts. `visible` gives characters that would act or
hide (controls, direction marks, invisible ones) a visible stand-in; `markdown` and `html` then spell
the same text for the two roads to a page, so that plain Markdown of the first gives the second.
"""

import re
import unicodedata
from functools import lru_cache

from markupsafe import escape as _attribute

KEPT = 2_000
"""How many texts are kept as they were spelt last: a page spells each twice, and lists name the same records."""

_JOINERS = frozenset("\u200c\u200d")
_SELECTORS = frozenset(map(chr, range(0xFE00, 0xFE10)))
_KEYCAPS = frozenset("0123456789#*")
_ACTING = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e"
    "\u2060-\u206f\u3164\ufdd0-\ufdef\ufeff\uffa0\ufe00-\ufe0f\ufff0-\ufffb\ufffe\uffff\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
    "|[\ud800-\udfff]"
)
_MOST_MARKS = 8
_STACK = re.compile(rf"[^\w\s\x00-\u02ff]{{{_MOST_MARKS + 1},}}")
"""Where combining marks may be heaped on one character; no script needs as many."""

_SPACE = re.compile(r"[\t\n\r\f\v][ \t\n\r\f\v]*| [ \t\n\r\f\v]+")  # but a single space, which stays
_PARAGRAPHS = re.compile(r"\n[ \t]*\n[ \t\n\r\f\v]*")
_TICKS = re.compile("`+")
_INLINE = str.maketrans({"&": "&amp;", "<": "&lt;", **{char: f"\\{char}" for char in "\\`*_{}[]|"}})
_LEAD = re.compile(r"[#+\-!>]|\d+(?=[.)])|~(?=~~)|:(?= )|=(?=[=\s]*\Z)|[/?](?=[/?]{2})")
_UNOPENED = re.compile(r"\A([^\[\]]*)\\\]:")
"""A bracket that would close the link around the text, and with its colon make that a reference's definition."""


def visible(text: str) -> str:
    """`text` with a stand-in for each character that would act or hide; lines end in `\\n` alone.

    Control characters become their pictures (U+2400 and on), others `⟨U+202E⟩`. Joiners between
    characters beyond ASCII stay, and one variation selector after such a character or a keycap's: emoji
    and many scripts need them. Of combining marks in a row the first eight stay: more would cover other lines,
    and no line can be broken between them. Doing it twice changes nothing more.
    """
    if text.isascii() and text.isprintable():
        return text
    text = text.replace("\r\n", "\n")
    text = _ACTING.sub(_stand_in, text) if _ACTING.search(text) else text
    return text if text.isascii() else _STACK.sub(_unstacked, text)


def _unstacked(match: re.Match[str]) -> str:
    shown, marks = [], 0
    for char in match.group():
        marks = marks + 1 if unicodedata.category(char).startswith("M") else 0
        shown.append(char if marks <= _MOST_MARKS else f"⟨U+{ord(char):04X}⟩")
    return "".join(shown)


def _stand_in(match: re.Match[str]) -> str:
    char, around, start = match.group(), match.string, match.start()
    if char in _JOINERS and _seen(around[start - 1 : start]) and _seen(around[start + 1 : start + 2]):
        return char
    if char in _SELECTORS and _selectable(around[start - 1 : start]):
        return char
    if char < " ":
        return chr(0x2400 + ord(char))
    return "\u2421" if char == "\x7f" else f"⟨U+{ord(char):04X}⟩"


def _seen(char: str) -> bool:
    """Whether it is a character beyond ASCII that is seen, or selects how one is."""
    return char > "\x7f" and (char in _SELECTORS or not _ACTING.match(char))


def _selectable(char: str) -> bool:
    return char not in _SELECTORS and (_seen(char) or char in _KEYCAPS)


@lru_cache(KEPT)
def line(text: str) -> str:
    """`text` as one visible line: white space collapsed, and at the ends stripped, wide and no-break spaces too."""
    return visible(_SPACE.sub(" ", text).strip(" ")).strip()


def paragraphs(text: str) -> list[str]:
    """The paragraphs of prose, each one visible line; blank lines part them."""
    return [part for piece in _PARAGRAPHS.split(text.replace("\r\n", "\n")) if (part := line(piece))]


def is_shown(text: str) -> bool:
    """Whether prose has any paragraph; told at once of nearly all."""
    return bool(text.strip() or paragraphs(text))


def shortened(text: str, limit: int) -> str:
    """`text` as one line of at most `limit` characters; `…` stands for the rest."""
    whole = line(text)
    return whole if len(whole) <= limit else f"{whole[: limit - 1].rstrip()}…"


def spans(text: str) -> list[tuple[bool, str]]:
    """Prose cut at its balanced backticks: pairs of (is it code, the text of the part)."""
    runs = [(match.start(), match.end()) for match in _TICKS.finditer(text)]
    parts: list[tuple[bool, str]] = []
    done = index = 0
    closers = _closers(runs)
    while index < len(runs):
        close = closers[index]
        code = text[runs[index][1] : runs[close][0]].strip() if close else ""
        if code:
            parts += [(False, text[done : runs[index][0]]), (True, code)]
            done, index = runs[close][1], close
        index += 1
    return [*parts, (False, text[done:])]


def _closers(runs: list[tuple[int, int]]) -> list[int]:
    """For each run of backticks the index of the next one as long, or 0."""
    following: dict[int, int] = {}
    closers = [0] * len(runs)
    for index in range(len(runs) - 1, -1, -1):
        start, end = runs[index]
        closers[index] = following.get(end - start, 0)
        following[end - start] = index
    return closers


def runs_of_ticks(text: str) -> list[str]:
    """Every run of backticks in `text`."""
    return _TICKS.findall(text)


def html(text: str) -> str:
    """Text for an element, as Python-Markdown spells it: `&`, `<` and `>` escaped."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def attribute(text: str) -> str:
    """Text for an attribute or an element of the theme's templates, as Jinja's `e` spells it."""
    return str(_attribute(text))


@lru_cache(KEPT)
def markdown(text: str) -> str:
    """A visible line of text, so spelt that Markdown shows it as it is."""
    text = text.translate(_INLINE)
    if "]:" in text:
        text = _UNOPENED.sub(r"\1&#93;:", text)
    if text.endswith("#"):
        text = f"{text[:-1]}\\#"  # at the end of a heading it would be taken for its closing mark
    if lead := _LEAD.match(text):
        mark = lead.group()
        text = f"{mark}\\{text[len(mark) :]}" if mark.isdigit() else _spelt_lead(text)
    return text


def _spelt_lead(text: str) -> str:
    return f"\\{text}" if text[0] in "#+->!" else f"&#{ord(text[0])};{text[1:]}"


def prose_html(text: str) -> str:
    """One paragraph of prose as HTML: balanced backticks are code, nothing else is markup."""
    return "".join(f"<code>{html(part)}</code>" if code else html(part) for code, part in spans(text))


def prose_markdown(text: str) -> str:
    """One paragraph of prose as Markdown that shows what `prose_html` shows."""
    cut = spans(text)
    return "".join(_code_markdown(part) if code else _between(part, index) for index, (code, part) in enumerate(cut))


def _between(part: str, index: int) -> str:
    return markdown(part) if index == 0 else part.translate(_INLINE)


def _code_markdown(code: str) -> str:
    ticks = "`" * (max((len(run) for run in _TICKS.findall(code)), default=0) + 1)
    pad = " " if code[0] == "`" or code[-1] == "`" else ""
    return f"{ticks}{pad}{code}{pad}{ticks}"
