"""The kinds of value that a page's template may print, each spelt for both roads.

`markdown` is what stands in the record's Markdown page; `html` is what MkDocs makes of that, and what
a stencil is stamped with. A template prints nothing but these, so no text meets a page unescaped.
"""

import json
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol
from urllib.parse import quote

from generator import escape, highlight

BLOCKS = 64
"""How many blocks are kept as they were shown last."""

_URL_SAFE = "/:#?&=%~+,;@-_."


class Value(Protocol):
    """Something a template prints."""

    @property
    def markdown(self) -> str:
        """The value within the Markdown page."""

    @property
    def html(self) -> str:
        """The value within the page's HTML."""


@dataclass(frozen=True, slots=True)
class Text:
    """A line of text: white space collapsed, every other character kept."""

    text: str

    @property
    def markdown(self) -> str:
        return escape.markdown(escape.line(self.text))

    @property
    def html(self) -> str:
        return escape.html(escape.line(self.text))


@dataclass(frozen=True, slots=True)
class Label:
    """A line of text within HTML that the Markdown page holds as it is: a drawing, a table of its own."""

    text: str

    @property
    def markdown(self) -> str:
        return escape.html(escape.line(self.text))

    html = markdown


@dataclass(frozen=True, slots=True)
class Prose:
    """A paragraph in which balanced backticks are code."""

    text: str

    @property
    def markdown(self) -> str:
        return escape.prose_markdown(escape.line(self.text))

    @property
    def html(self) -> str:
        return escape.prose_html(escape.line(self.text))


@dataclass(frozen=True, slots=True)
class Paragraphs:
    """Prose of one or more paragraphs; `indent` is that of a list's item, in spaces."""

    text: str
    indent: int = 0

    @property
    def markdown(self) -> str:
        return f"\n\n{' ' * self.indent}".join(map(escape.prose_markdown, escape.paragraphs(self.text)))

    @property
    def html(self) -> str:
        return "</p>\n<p>".join(map(escape.prose_html, escape.paragraphs(self.text)))


@dataclass(frozen=True, slots=True)
class Plain:
    """A word of the generator's own choice, never of a record's: a class, a number, an id."""

    text: str

    @property
    def markdown(self) -> str:
        return self.text

    @property
    def html(self) -> str:
        return self.text

    @property
    def json(self) -> str:
        """The text within a string of a script's JSON."""
        return self.text


@dataclass(frozen=True, slots=True)
class Meta:
    """Text in the page's front matter, for the theme's templates: one line."""

    text: str

    @property
    def markdown(self) -> str:
        return json.dumps(escape.line(self.text), ensure_ascii=False)

    @property
    def html(self) -> str:
        return escape.attribute(escape.line(self.text))

    @property
    def json(self) -> str:
        """The text within a string of a script's JSON, as Jinja's `tojson` spells it, without the quotes."""
        spelt = json.dumps(escape.line(self.text))[1:-1]
        return spelt.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026").replace("'", "\\u0027")


@dataclass(frozen=True, slots=True)
class Link:
    """A link's target: `source` as the Markdown page names it, `target` as the published page does."""

    source: str
    target: str

    @property
    def markdown(self) -> str:
        return self.source.replace("&", "&amp;")

    @property
    def html(self) -> str:
        return escape.html(self.target).replace('"', "&quot;")


def external(address: str) -> Link:
    """A link to another host; what may not stand in a URL is quoted, a slash or scheme never added."""
    quoted = quote(address, safe=_URL_SAFE)
    return Link(quoted, quoted)


@dataclass(frozen=True, slots=True)
class Block:
    """A block of code.

    `start` is the 1-based number of its first line (0: lines are not numbered), `marked` that of the
    line to mark, `classes` and `title` what its box carries.
    """

    text: str
    language: str
    start: int = 0
    marked: int = 0
    classes: tuple[str, ...] = ()
    title: str = ""

    @property
    def lines(self) -> str:
        """The code as it is shown: visible, without a final newline."""
        return _shown(self.text, self.language)[0]

    @property
    def markdown(self) -> str:
        lines, language = _shown(self.text, self.language)
        fence = "`" * max(3, 1 + max(map(len, escape.runs_of_ticks(lines)), default=0))
        header = " ".join(
            [
                *(f".{name}" for name in (language, *self.classes)),
                *([f'title="{self.title}"'] if self.title else []),
                *([f'linenums="{self.start}"'] if self.start else []),
                *([f'hl_lines="{self.marked - self.start + 1}"'] if self.marked else []),
            ]
        )
        return f"{fence} {{ {header} }}\n{lines}\n{fence}"

    @property
    def html(self) -> str:
        lines, language = _shown(self.text, self.language)
        marked = self.marked - self.start + 1 if self.marked else 0
        return highlight.block(lines, language, start=self.start, marked=marked, classes=self.classes, title=self.title)


@lru_cache(BLOCKS)
def _shown(text: str, language: str) -> tuple[str, str]:
    """Code as it is shown, and its language: a page spells each block twice."""
    lines = escape.visible(text).removesuffix("\n")
    return lines, highlight.shown_language(lines, language)
