"""A few pages walk both roads in every build: what plain MkDocs makes of a record must be what the stencil gives.

Where the settings add nothing to the shipped ones, the records walk as they are. Beside other extensions and
plugins, some of which run what a text says (a macro, a snippet), no syntax of a record is let near MkDocs: a
sample then has the record's words, and as syntax only marks of ours, harmless whatever reads them.
"""

import posixpath
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from heapq import nsmallest
from html.parser import HTMLParser
from operator import attrgetter
from typing import Any
from urllib.parse import unquote

import markdown
from markdown.extensions import Extension

from generator import assemble, pages, stencil, urls
from generator.assemble import Plan
from generator.dataset import Entry
from generator.pages import Row, View
from generator.stencil import Shape, Stencil
from generator.values import Block, Link, Meta, Paragraphs, Prose, Text, Value

COUNT = 2
"""Pages a build, each of another shape."""

LONGEST = 40_000
"""Characters of a sample's Markdown, at most: Python-Markdown's time does not grow in proportion."""

WORDS = 60
"""Words of a text that a sample shows beside other extensions."""

SHIPPED = ("attr_list", "fenced_code", "pymdownx.highlight", "pymdownx.superfences", "tables", "toc")
"""The extensions of the shipped mkdocs.yml, and those that MkDocs always has."""

MARKS = (
    "\"quoted\" 'it' it's -- --- ... (c) (tm) +/- --> <-- =/= 1/2 c/o 1st :smile: https://example.org/a_b "
    "me@example.org @me #12 ==mark== ^^in^^ ~~out~~ H~2~O x^2^ ++ctrl+a++ {++in++} {--out--} $x$ \\(x\\) [^1] "
    "[=50%] [[wiki]] **bold** ##hash `{{ 7*7 }} :smile: $x$ (c)`"
)
"""A text in which most extensions that act on words or source find something to do."""

CODE = ';--8<-- "a"\n{{ 7*7 }}\n"quoted" -- --> (c) 1/2 :smile: https://example.org ==mark== $x$ ++ctrl++ [^1]\n'
"""The same as code; the semicolon is how snippets spell that none is meant, and they take it away."""


@dataclass(frozen=True, slots=True)
class Sample:
    """A page to be made on both roads: its address, shape and values."""

    uri: str
    shape: Shape
    values: View

    @property
    def markdown(self) -> str:
        """Its Markdown, with front matter, as it would be published."""
        return pages.markdown(self.shape.template, self.values)

    @property
    def targets(self) -> set[str]:
        """The Markdown pages to which it links, from the site's root."""
        folder = posixpath.dirname(urls.markdown(self.uri))
        inside = [link.source for link in _links(self.values) if link.source != link.target]
        return {posixpath.normpath(posixpath.join(folder, unquote(source))) for source in inside}


def choose(plan: Plan, fresh: Iterable[Entry], *, as_it_is: bool) -> Iterator[Sample]:
    """Choose pages of different shapes, of the smallest digests: among `fresh` entries first, then among all.

    `as_it_is` leaves the records their syntax.
    """
    entries = nsmallest(assemble.SAMPLED, fresh, key=attrgetter("raw_digest"))
    entries += nsmallest(assemble.SAMPLED - len(entries), plan.dataset.entries, key=attrgetter("raw_digest"))
    seen: set[Shape] = set()
    for job in assemble.page_jobs(plan, entries):
        made = assemble.made(job, plan.site)
        sample = Sample(made.uri, made.shape, made.values if as_it_is else subdued(made.values))
        if made.shape not in seen and len(sample.markdown) <= LONGEST:
            seen.add(made.shape)
            yield sample
        if len(seen) == COUNT:
            return


def only_shipped(extensions: Iterable[str | Extension], configs: Mapping[str, Any], plugins: Iterable[str]) -> bool:
    """Whether nothing but the shipped settings reads a page's Markdown."""
    fences = (configs.get("pymdownx.superfences") or {}).get("custom_fences")
    return not fences and all(_name(one) in SHIPPED for one in extensions) and set(plugins) == {"errordex"}


def subdued(values: View) -> View:
    """The values of a page with their words and our marks in place of their texts, and our code in place of theirs."""
    return _mapped(values, _subdued)


def _subdued(value: Value) -> Value:
    if isinstance(value, Text | Prose | Paragraphs):
        return replace(value, text=f"{_words(value.text)} {MARKS}")
    if isinstance(value, Meta):
        return Meta(_words(value.text))
    if isinstance(value, Block):
        return replace(value, text=CODE, marked=value.start)
    return value


def _words(text: str) -> str:
    return " ".join(re.findall(r"[^\W_]+", text)[:WORDS])


def _mapped(values: View, change: Callable[[Value], Value]) -> View:
    """The values, each changed, those of rows too."""

    def changed(part: Value | Sequence[Row] | bool) -> Value | Sequence[Row] | bool:
        if isinstance(part, bool):
            return part
        if isinstance(part, Sequence):
            return [{name: change(value) for name, value in row.items()} for row in part]
        return change(part)

    return {name: changed(part) for name, part in values.items()}


def _links(values: View) -> list[Link]:
    found: list[Link] = []

    def note(value: Value) -> Value:
        if isinstance(value, Link):
            found.append(value)
        return value

    _mapped(values, note)
    return found


def parting(samples: Iterable[Sample], plain: Mapping[str, str], stencils: Mapping[Shape, Stencil]) -> Sample | None:
    """The first sample whose page by the plain road (by address) is another document than the stencil gives."""
    for sample in samples:
        if sample.uri in plain and differ(stencil.stamp(stencils[sample.shape], sample.values), plain[sample.uri]):
            return sample
    return None


def differ(one: str, other: str) -> bool:
    """Whether two pages are unlike as documents: other elements, attributes or text."""
    return one != other and _parsed(one) != _parsed(other)


class _Parser(HTMLParser):
    """Lists what a document consists of; a text is one item, however it is cut or spelt."""

    def __init__(self) -> None:
        super().__init__()
        self.items: list[tuple[str, ...]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.items.append(("start", tag, *(f"{name}={value}" for name, value in sorted(attrs, key=str))))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        self.items.append(("end", tag))

    def handle_data(self, data: str) -> None:
        before = self.items.pop()[1] if self.items and self.items[-1][0] == "text" else ""
        self.items.append(("text", before + data))


def _parsed(html: str) -> list[tuple[str, ...]]:
    parser = _Parser()
    parser.feed(html)
    parser.close()
    return parser.items


def suspects(sample: Sample, extensions: Sequence[str | Extension], configs: Mapping[str, Any]) -> list[str]:
    """The names of the extensions behind a sample's difference; empty where none of them is.

    Those without any one of which the roads meet; else those that part them alone; else all that are
    not shipped.
    """

    def parted(chosen: Sequence[str | Extension]) -> bool:
        return _parted(sample, chosen, configs)

    if not parted(extensions):
        return []
    beyond = [one for one in extensions if _name(one) not in SHIPPED]
    base = [one for one in extensions if one not in beyond]
    needed = [one for one in beyond if not parted([other for other in extensions if other is not one])]
    return [_name(one) for one in needed or [one for one in beyond if parted([*base, one])] or beyond]


def _parted(sample: Sample, extensions: Sequence[str | Extension], configs: Mapping[str, Any]) -> bool:
    """Whether the two roads to a sample's text part with these extensions, theme and plugins aside."""

    def html(page: str) -> str:
        text = page.split("\n---\n", 1)[1]
        return markdown.Markdown(extensions=extensions, extension_configs=dict(configs)).convert(text)

    with suppress(Exception):  # an extension that fails alone, or spoils a placeholder, is not cleared
        cut = stencil.cut(html(stencil.sample(sample.shape)), sample.shape)
        return differ(stencil.stamp(cut, _mapped(sample.values, _as_source)), html(sample.markdown))
    return True


def _as_source(value: Value) -> Value:
    """A link spelt as in the Markdown, which here nothing resolves; other values as they are."""
    return Link(value.source, value.source) if isinstance(value, Link) else value


def _name(extension: str | Extension) -> str:
    named = extension if isinstance(extension, str) else type(extension).__module__
    return named.removeprefix("markdown.extensions.")


def warning(sample: Sample, causes: Collection[str]) -> str:
    """What is said of a difference whose causes are these settings."""
    named = ", ".join(causes) or "a template of the theme"
    return (
        f"{sample.uri}: plain MkDocs makes another page of this record's Markdown than is published, and the cause is "
        f"{named}, which acts on the text of records. The published pages show that text as it is; leave the setting "
        "out, or build without --strict"
    )
