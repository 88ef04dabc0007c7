"""Code to the HTML that the site's own highlight settings give.

`Highlight` of pymdownx is what MkDocs' Markdown uses, so stamped code must equal what it makes of a
block. `lexing` gives its tokens and `formatting` its HTML, sooner; whatever settings they do not cover
are left to `Highlight` itself, asked as Markdown asks it.
"""

import inspect
import re
from collections.abc import Mapping
from functools import cached_property, lru_cache
from typing import Any

from pygments.lexer import Lexer
from pymdownx.highlight import Highlight

from generator.formatting import UnknownFormError, Writer, asked
from generator.languages import PLAIN
from generator.lexing import accelerated, tokens

MAX_CHARACTERS = 20_000
MAX_LINE_CHARACTERS = 2_000
"""Beyond these a block is shown as plain text: lexers may take more than linear time."""

MAX_CHARACTERS_OF = {"perl": 10_000, "terraform": 5_000}
"""Less for lexers that look for the end of each of many quotations."""

MAX_RUN_CHARACTERS = 1_000
"""Nor is a longer run of white space highlighted, or one of words and white space for `SLOW_ON_WORDS`."""

SLOW_ON_WORDS = frozenset({"c", "cpp", "csharp", "groovy", "java", "objective-c"})
"""Languages whose lexers look, from each word on, for a declaration's end."""

_LONG_SPACE = re.compile(rf"\s{{{MAX_RUN_CHARACTERS + 1}}}")
_BETWEEN_WORDS = re.compile(r"[^\w\s.\[\]<>?$]+")

BLOCKS_KEPT = 256

SHIPPED: Mapping[str, Any] = {
    "use_pygments": True,
    "guess_lang": False,
    "anchor_linenums": False,
    "linenums_style": "pymdownx-inline",
    "stripnl": False,
}
"""`pymdownx.highlight` as the shipped mkdocs.yml has it."""


SETTINGS = tuple(inspect.signature(Highlight.__init__).parameters)[2:]
"""The names of the settings that `Highlight` takes."""

_LEFT_TO_STOCK = ("noclasses", "auto_title", "line_spans", "line_anchors", "anchor_linenums", "guess_lang")
"""Settings that, switched on, make blocks depend on more than `formatting` knows."""

_NUMBER_STYLES = ("inline", "pymdownx-inline")


class _Highlighter(Highlight):  # type: ignore[misc]
    """Keeps a fast lexer for each language, instead of making one a block."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(None, **settings)
        self.known: dict[str, tuple[Lexer, str]] = {}

    def get_lexer(self, src: str, language: str, inline: bool, stripnl: bool) -> tuple[Lexer, str]:
        """The kept lexer; one that is guessed from the source is never kept."""
        if self.guess_lang:
            return super().get_lexer(src, language, inline, stripnl)  # type: ignore[no-any-return]
        if language not in self.known:
            lexer, name = super().get_lexer(src, language, inline, stripnl)
            self.known[language] = accelerated(lexer), name
        return self.known[language]

    def block(self, text: str, language: str, start: int, marked: int, classes: tuple[str, ...], title: str) -> str:
        """The HTML of a block, as `asked` gives it."""
        numbered = start if self.linenums is not False else 0
        if self._writer is None or (numbered and self.linenums_style not in _NUMBER_STYLES):
            return asked(self, text, language, start, marked, classes, title)
        lexer, _ = self.get_lexer(text, language or self.default_lang, False, self.stripnl)
        return self._writer.block(tokens(lexer, text), language, numbered, marked, classes, title)

    @cached_property
    def _writer(self) -> Writer | None:
        """What writes blocks in place of pymdownx' formatter; `None` where that has to do it."""
        special = self.linenums or self.linenums_special >= 0 or not self.use_pygments
        if special or any(getattr(self, name) for name in _LEFT_TO_STOCK):
            return None
        try:
            return Writer(self)
        except UnknownFormError:
            return None


_settings: Mapping[str, Any] = SHIPPED
_current = _Highlighter(**SHIPPED)


def configure(settings: Mapping[str, Any]) -> None:
    """Highlight from now on as these settings of `pymdownx.highlight` say."""
    global _current, _settings
    if settings == _settings:
        return
    _settings = dict(settings)
    _current = _Highlighter(**settings)
    block.cache_clear()


def shown_language(text: str, language: str) -> str:
    """`language`, or plain text where the block is too large to highlight safely."""
    return PLAIN if _is_slow(text, language) else language


def _is_slow(text: str, language: str) -> bool:
    if len(text) <= MAX_RUN_CHARACTERS:
        return False
    if len(text) > MAX_CHARACTERS_OF.get(language, MAX_CHARACTERS):
        return True
    if _longest(text.split("\n")) > MAX_LINE_CHARACTERS or _LONG_SPACE.search(text):
        return True
    return language in SLOW_ON_WORDS and _longest(_BETWEEN_WORDS.split(text)) > MAX_RUN_CHARACTERS


def _longest(parts: list[str]) -> int:
    return max(map(len, parts))


@lru_cache(maxsize=BLOCKS_KEPT)
def block(text: str, language: str, start: int, marked: int, classes: tuple[str, ...], title: str) -> str:
    """The HTML of a block: `start` its first line's number (0: none), `marked` the line in it to mark (1-based)."""
    return _current.block(text, language, start, marked, classes, title)
