"""Tokens to the HTML that pymdownx' formatter makes of them, written in one pass.

How a token's type, a character, a line's number, a marked line and a block's frame are spelt is learnt by
asking Pygments and pymdownx once each, so this follows their versions and the site's settings. How lines
are made of these is known here; `Writer` compares a sample first, and refuses where the two differ.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from pygments import format as formatted
from pygments.formatters.html import HtmlFormatter
from pygments.token import Token, _TokenType
from pymdownx.highlight import Highlight

CSS_CLASS = "highlight"
FRAMES = 256
"""How many frames are kept: one for each language, title and set of classes that a site's blocks have."""
WORDS_KEPT, LONGEST_WORD_KEPT = 10_000, 40
"""How many texts of tokens are kept escaped, and up to how many characters."""

_SPECIAL = "&<>\"'"
_SAMPLE = "def f(x):\n    return \"<'&\"\n\n\n'''one\ntwo''' + x  # a < b\n"
_NUMBER = 7
_CLOSE = "</span>"
_LINE_ENDS = re.compile(r"(\n)")


class Around(NamedTuple):
    """What stands before and after something."""

    before: str
    after: str


class UnknownFormError(Exception):
    """The settings or the versions give HTML of another form than is written here."""


def asked(
    highlight: Highlight,
    text: str,
    language: str,
    start: int = 0,
    marked: int = 0,
    classes: Sequence[str] = (),
    title: str = "",
) -> str:
    """The block's HTML as pymdownx' superfences asks for it."""
    return str(
        highlight.highlight(
            text,
            language,
            CSS_CLASS,
            hl_lines=[marked] if marked else [],
            linestart=start or -1,
            linestep=-1,
            linespecial=-1,
            classes=list(classes),
            title=title or None,
        )
    )


def _around(html: str, core: str) -> Around:
    before, found, after = html.rpartition(core)
    if not found:
        raise UnknownFormError(html)
    return Around(before, after)


class _Openers(dict[_TokenType, str]):
    """The tag that opens a token of each type; empty for types that have none."""

    def __missing__(self, kind: _TokenType) -> str:
        self[kind] = _around(formatted([(kind, "0")], HtmlFormatter(nowrap=True)), "0").before
        return self[kind]


class _Spelt(dict[str, str | tuple[str, ...]]):
    """A token's text escaped; if it has more than one line or none, as parts: lines that are not empty, and `\\n`."""

    def __init__(self) -> None:
        spelt = {char: formatted([(Token, char)], HtmlFormatter(nowrap=True)).removesuffix("\n") for char in _SPECIAL}
        self._spellings = [(char, spelling) for char, spelling in spelt.items() if char != spelling]

    def __missing__(self, text: str) -> str | tuple[str, ...]:
        escaped = text
        for char, spelling in self._spellings:
            escaped = escaped.replace(char, spelling)
        spelt = escaped if text and "\n" not in text else tuple(filter(None, _LINE_ENDS.split(escaped)))
        if len(text) <= LONGEST_WORD_KEPT:
            self[text] = spelt
        return spelt

    def trim(self) -> None:
        """Forget all when they are too many."""
        if len(self) > WORDS_KEPT:
            self.clear()


class Writer:
    """Writes blocks as one `Highlight` would: without table, anchors or inline styles."""

    def __init__(self, highlight: Highlight) -> None:
        """Learn from `highlight`; raises `UnknownFormError` where its HTML can't be written here."""
        self._highlight = highlight
        self._openers = _Openers()
        self._spelt = _Spelt()
        self._frame = lru_cache(maxsize=FRAMES)(self._learn_frame)
        self._mark = _around(self._line(marked=1), "0\n")
        self._number = _around(_around(self._line(start=_NUMBER), "0\n").before, str(_NUMBER))
        self._compare_sample()

    def _learn_frame(self, language: str, classes: Sequence[str], title: str) -> Around:
        html = asked(self._highlight, "\n", language, classes=classes, title=title)
        before, code = _around(html, "<code>")
        return Around(f"{before}<code>", f"</code>{_around(code, '</code>').after}")

    def _line(self, start: int = 0, marked: int = 0) -> str:
        """How pymdownx spells the line `0`."""
        frame = self._frame("text", (), "")
        html = asked(self._highlight, "0", "text", start, marked)
        return html.removeprefix(frame.before).removesuffix(frame.after)

    def _compare_sample(self) -> None:
        lexer, _ = self._highlight.get_lexer(_SAMPLE, "python", False, self._highlight.stripnl)
        for start, marked in ((0, 0), (0, 3), (_NUMBER, 0), (99, 6)):
            block = ("python", start, marked, ("a", "b"), "<t>")
            if self.block(lexer.get_tokens(_SAMPLE), *block) != asked(self._highlight, _SAMPLE, *block):
                raise UnknownFormError(_SAMPLE)

    def block(
        self,
        tokens: Iterable[tuple[_TokenType, str]],
        language: str,
        start: int,
        marked: int,
        classes: Sequence[str],
        title: str,
    ) -> str:
        """The HTML of a block of these tokens.

        `start` is its first line's number, 0 where lines have none; `marked` the line in it to mark, 1-based, or 0.
        """
        before, after = self._frame(language, classes, title)
        code = self._code(tokens)
        if start or marked:
            code = "".join(self._lines(code.split("\n")[:-1], start, marked))
        return f"{before}{code}{after}"

    def _code(self, tokens: Iterable[tuple[_TokenType, str]]) -> str:
        """The lines: neighbours of one class share a span, no span crosses a line's end, none is empty."""
        self._spelt.trim()
        openers, spelt = self._openers, self._spelt
        pieces: list[str] = []
        add = pieces.append
        current = close = ""
        for kind, value in tokens:
            opener, text = openers[kind], spelt[value]
            if type(text) is str:  # of one line, by far the most
                if opener != current:
                    add(close + opener)
                    current, close = opener, _CLOSE if opener else ""
                add(text)
                continue
            for part in text:
                if part == "\n":
                    add(close + part)
                    current = close = ""
                elif opener == current:
                    add(part)
                else:
                    add(close + opener + part)
                    current, close = opener, _CLOSE if opener else ""
        add(close)
        code = "".join(pieces)
        return f"{code}\n" if code and not code.endswith("\n") else code

    def _lines(self, lines: Sequence[str], start: int, marked: int) -> Iterator[str]:
        """The lines with their numbers, all as wide as the widest, and with the mark around."""
        before, after = self._number
        width = len(str(start + len(lines) - 1))
        for index, line in enumerate(lines):
            numbered = f"{before}{start + index:{width}}{after}{line}\n" if start else f"{line}\n"
            yield f"{self._mark.before}{numbered}{self._mark.after}" if index + 1 == marked else numbered
