"""The Markdown of a record's page and of a hub: what they show, as values that a template prints.

`view` gives a page's values; `markdown` prints them. A stencil prints the same template with tokens
instead of values, so the template is the one place that says what a page looks like.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from urllib.parse import quote

import jinja2

from generator import escape, languages, reports, times, urls, words
from generator.lexer import ALIAS as MESSAGE
from generator.parts import is_loose, split_fix
from generator.records import Record
from generator.values import Block, Link, Meta, Paragraphs, Plain, Prose, Text, Value, external
from generator.words import Sentence, Words, say

TITLE_CHARACTERS = 300
META_TITLE_CHARACTERS = 120
DESCRIPTION_CHARACTERS = 160
ALSO_SHOWN = 10
COMMIT_CHARACTERS = 10

LINKS = 1_000
"""How many links are kept as they were last: a list's rows name the same classes and repositories."""

RECORD = "record.md.jinja"
SECTIONS = ("message", "meaning", "solutions", "source", "prevention", "when", "family", "also", "related")
"""The parts of a record's page between its title and its provenance, as they stand where settings say nothing."""

Row = Mapping[str, Value]
View = Mapping[str, Value | Sequence[Row] | bool]
"""A page's values by the names that its template prints; what is absent is not a key."""


@dataclass(frozen=True, slots=True)
class Place:
    """Another record as a page shows it: its page's address from the site's root, and words for the link."""

    uri: str
    text: str


@dataclass(frozen=True, slots=True)
class Neighbours:
    """What a record's page shows of the rest of the dataset.

    `also` has at most ten places, `also_count` all of them, `also_uri` their list (where there are more
    than are shown); `family_repositories` counts the repositories that share the family; `feed` is the
    repository's feeds within the folder of feeds.
    """

    class_uri: str
    code_uri: str = ""
    status_uri: str = ""
    family: Place | None = None
    family_repositories: int = 0
    also: tuple[Place, ...] = ()
    also_count: int = 0
    also_uri: str = ""
    related: tuple[Place, ...] = ()
    replacement_uri: str = ""
    feed: str = ""


@dataclass(frozen=True, slots=True)
class Site:
    """What every page of a site shares.

    Its own address, that of the project that holds the records, and its branch; where readers report what is wrong
    (empty: that project's issues); the sections of a record's page, in order.
    """

    url: str = ""
    repo_url: str = ""
    branch: str = "main"
    report: str = ""
    sections: tuple[str, ...] = SECTIONS

    @property
    def record_template(self) -> str:
        """What `markdown` is asked for to print a record's page: other sections stand after a `?`."""
        return RECORD if self.sections == SECTIONS else f"{RECORD}?{','.join(self.sections)}"


@lru_cache(LINKS)
def page_link(uri: str, base: str) -> Link:
    """A link from the page at `base` to another of the site: to its Markdown in the source, to it as published."""
    target = urls.relative(uri, base)
    return Link(urls.markdown(target.removeprefix("./")), target)


@dataclass(slots=True)
class _Page:
    """A view in the making, for the page at `uri`."""

    uri: str
    values: dict[str, Value | Sequence[Row] | bool] = field(default_factory=dict)

    def put(self, name: str, value: Value | Sequence[Row]) -> None:
        self.values[name] = value

    def link(self, name: str, uri: str) -> None:
        if uri:
            self.values[name] = page_link(uri, self.uri)


def view(record: Record, neighbours: Neighbours, site: Site, source_path: str = "") -> View:
    """The values of a record's page; `source_path` is the record's file within the project, if it has one."""
    page = _Page(urls.page(record.repo, record.slug))
    _head(page, record, neighbours.feed)
    _crumbs(page, record, neighbours)
    _message(page, record)
    _solutions(page, record)
    _source(page, record)
    _patterns(page, record)
    _occasions(page, record)
    _neighbours(page, neighbours)
    _provenance(page, record, site, source_path)
    return page.values


def notice(uri: str, title: str, text: str, onward: Place) -> View:
    """The values of a page that says what became of an error's page."""
    return {
        "meta_title": Meta(title),
        "meta_description": Meta(escape.shortened(text, DESCRIPTION_CHARACTERS)),
        "uri": Plain(uri),
        "title": Text(title),
        "text": Paragraphs(text),
        "link_text": Text(onward.text),
        "link": page_link(onward.uri, uri),
        "all": page_link(urls.hub("errors"), uri),
    }


def _head(page: _Page, record: Record, feed: str) -> None:
    about = " ".join(escape.paragraphs(record.documentation)) or record.error_message
    page.put("meta_title", Meta(escape.shortened(record.error_message, META_TITLE_CHARACTERS)))
    summary = say("record_about", error_class=record.error_class, repo=record.repo, about=about)
    page.put("meta_description", Meta(escape.shortened(summary, DESCRIPTION_CHARACTERS)))
    page.put("meta_repo", Meta(record.repo))
    page.put("meta_class", Meta(record.error_class))
    page.put("meta_source", Meta(_blob(record, f"#L{record.line_number}").target))
    page.put("meta_modified", Meta(record.updated_at or record.analyzed_at))
    page.put("id", Plain(record.id))
    page.put("uri", Plain(page.uri))
    page.put("hub", Plain(urls.repository(record.repo)))
    if feed:
        page.put("feed", Plain(feed))


def _crumbs(page: _Page, record: Record, neighbours: Neighbours) -> None:
    page.put("repo", Text(record.repo))
    page.link("repo_link", urls.repository(record.repo))
    page.put("severity", Plain(record.severity))
    page.put("error_class", Text(record.error_class))
    page.link("class_link", neighbours.class_uri)
    if record.error_code is not None and neighbours.code_uri:
        page.put("error_code", Text(record.error_code))
        page.link("code_link", neighbours.code_uri)
    if record.http_status is not None and neighbours.status_uri:
        page.put("http_status", Plain(str(record.http_status)))
        page.link("status_link", neighbours.status_uri)


def _message(page: _Page, record: Record) -> None:
    page.put("title", Text(escape.shortened(record.error_message, TITLE_CHARACTERS)))
    if record.withdrawn is not None:
        page.put("withdrawn", Prose(record.withdrawn.reason))
        page.put("withdrawn_day", Text(times.day(record.withdrawn.time)))
    page.put("message", Block(record.error_message, MESSAGE, classes=("edx-message",)))
    if escape.is_shown(record.documentation):
        page.put("meaning", Paragraphs(record.documentation))


def _solutions(page: _Page, record: Record) -> None:
    _list(page, "solutions", record.solutions)
    language = languages.language(record.file_path)
    if before_after := split_fix(record.example_fix or ""):
        before, after = before_after
        page.put("before", Block(before, language, classes=("edx-before",), title=say("record_before")))
        page.put("after", Block(after, language, classes=("edx-after",), title=say("record_after")))
    else:
        _code(page, "example", record.example_fix, language)


def _list(page: _Page, name: str, texts: Sequence[str]) -> None:
    """A list whose items are one paragraph each, or (`loose_…`) several."""
    kept = [text for text in texts if escape.is_shown(text)]
    if kept:
        loose = page.values[f"loose_{name}"] = is_loose(texts)
        page.put(name, [{"text": Paragraphs(text, indent=4) if loose else Prose(text)} for text in kept])


def _code(page: _Page, name: str, code: str | None, language: str) -> None:
    if code is not None and code.strip():
        page.put(name, Block(code, language))


def _source(page: _Page, record: Record) -> None:
    page.put("place", Text(f"{record.file_path}:{record.line_number}"))
    page.put("line_link", _blob(record, f"#L{record.line_number}"))
    if record.source_code.strip():
        language = languages.language(record.file_path)
        block = Block(record.source_code, language, start=record.source_code_start, marked=record.line_number)
        page.put("source", block)
    page.put("source_commit", Plain(_source_sha(record)[:COMMIT_CHARACTERS]))
    page.put("source_link", _blob(record, f"#L{record.source_code_start}-L{record.source_code_end}"))


def _blob(record: Record, fragment: str) -> Link:
    path = quote(record.file_path, safe="/~-_.")
    return external(f"https://github.com/{record.repo}/blob/{_source_sha(record)}/{path}{fragment}")


def _source_sha(record: Record) -> str:
    """The commit that the excerpt is from."""
    return record.checked_sha or record.analyzed_sha


def _patterns(page: _Page, record: Record) -> None:
    language = languages.language(record.file_path)
    if record.handling_strategy.strip():
        page.put("strategy", Text(record.handling_strategy))
    _code(page, "validation", record.validation_code, language)
    _code(page, "guard", record.type_guard, language)
    _code(page, "catch", record.try_catch_pattern, language)
    _list(page, "tips", record.prevention_tips)


def _occasions(page: _Page, record: Record) -> None:
    for name, text in (("trigger", record.trigger_scenarios), ("situations", record.common_situations)):
        if escape.is_shown(text):
            page.put(name, Paragraphs(text))


def _neighbours(page: _Page, neighbours: Neighbours) -> None:
    if neighbours.family is not None:
        page.put("family", Text(neighbours.family.text))
        page.link("family_link", neighbours.family.uri)
        if neighbours.family_repositories > 1:
            page.put("family_repositories", Plain(f"{neighbours.family_repositories:,}"))
    if neighbours.also:
        shown = neighbours.also[:ALSO_SHOWN]
        page.put("also", [{"place": Text(other.text), "link": page_link(other.uri, page.uri)} for other in shown])
        if neighbours.also_uri:
            page.put("also_count", Plain(f"{neighbours.also_count:,}"))
            page.link("also_all", neighbours.also_uri)
    if neighbours.related:
        page.put(
            "related",
            [{"title": Text(other.text), "link": page_link(other.uri, page.uri)} for other in neighbours.related],
        )
    page.link("replacement", neighbours.replacement_uri)


def _provenance(page: _Page, record: Record, site: Site, source_path: str) -> None:
    page.put("commit", Plain(record.analyzed_sha[:COMMIT_CHARACTERS]))
    page.put("commit_link", external(f"https://github.com/{record.repo}/tree/{record.analyzed_sha}"))
    page.put("day", Plain(times.day(record.analyzed_at)))
    if record.checked_sha is not None:
        page.put("checked", Plain(record.checked_sha[:COMMIT_CHARACTERS]))
        page.put("checked_link", external(f"https://github.com/{record.repo}/tree/{record.checked_sha}"))
    if record.reviewed_by is not None and record.reviewed_by.strip():
        page.put("reviewer", Text(record.reviewed_by))
    page.put("json_link", Plain(urls.relative(urls.mirror(record.id), page.uri)))
    if site.repo_url and source_path:
        page.put("edit_link", external(f"{site.repo_url}/edit/{site.branch}/{quote(source_path, safe='/~-_.')}"))
    if site.report or site.repo_url:
        page.put("report_link", external(reports.wrong_page(site.report, site.repo_url, record.id)))
        page.put("report_name", Text(reports.name(site.report or site.repo_url)))
    page.put("upstream_link", external(reports.upstream(record.repo, record.error_message)))


def _printed(value: Value | Sentence | int) -> str:
    """What a template may print: a value, a phrase or a number, never a bare text."""
    return str(value) if isinstance(value, int) else value.markdown


class _Absent(jinja2.StrictUndefined):
    """Strict, but for `if`: a part that a record does not have."""

    def __bool__(self) -> bool:  # type: ignore[override]
        return False


@lru_cache(maxsize=2)
def _environment(_said: Words) -> jinja2.Environment:
    """The templates in the words that are said now."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).parent / "templates"),
        undefined=_Absent,
        auto_reload=False,
        finalize=_printed,
        autoescape=False,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.globals["words"] = words.sentences()
    return environment


def markdown(template: str, values: View) -> str:
    """The Markdown page that `template` (a file of `templates/`, or a site's `record_template`) makes of `values`."""
    name, _, sections = template.partition("?")
    order = sections.split(",") if sections else SECTIONS
    return _environment(words.current()).get_template(name).render(values, sections=order)
