"""All files of the site that come from records, in order.

A `Plan` holds what the dataset says; `page_jobs` and `hub_jobs` cut the work into plain values, and
`files` turns a job into its files, given the stencils. Nothing here writes.
"""

import json
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from heapq import nlargest, nsmallest
from itertools import chain
from operator import attrgetter
from pathlib import Path
from typing import Any, NamedTuple

from generator import (
    bars,
    discovery,
    escape,
    feeds,
    hubs,
    listings,
    mirror,
    pages,
    permalinks,
    related,
    relisting,
    statistics,
    stencil,
    urls,
)
from generator import dataset as data
from generator.bars import Count
from generator.dataset import Dataset, Entry
from generator.discovery import SitemapJob
from generator.edits import Edit
from generator.files import File
from generator.hubs import Hub, HubPage, Index, Row
from generator.ledger import Ledger
from generator.listings import Compared, Figures, Listed, Listing
from generator.pages import Neighbours, Place, Site, View
from generator.permalinks import GONE, MENDED, Kept, Redirect
from generator.problems import Problem
from generator.records import SEVERITIES
from generator.relisting import Members
from generator.statistics import Statistics
from generator.stencil import Shape, Stencil
from generator.treemap import Raising
from generator.words import say

HUB_TEMPLATE, INDEX_TEMPLATE = "hub.md.jinja", "index.md.jinja"
NOTICE_TEMPLATE = "notice.md.jinja"
ROWS_TEMPLATE = "rows.md.jinja"
STATISTICS_TEMPLATE = "statistics.md.jinja"

ROWS_KEPT = 20_000
"""Of how many records what lists show of them is kept while lists are made: 300 bytes each."""

SAMPLED = 12
"""Records among which those are sought whose pages are made on both roads, of the smallest digests."""

ROWS_A_PAGE = 8
"""Rows of a list that take the room of a record's page."""

COMPARED = 12
"""Repositories that a family's hub compares, those with most of its errors; each costs the reading of a record."""


@dataclass(frozen=True, slots=True)
class Outputs:
    """Which copies are made besides the pages; some hosts count files."""

    extensionless: bool = True
    markdown: bool = True
    permalinks: bool = True


class PageJob(NamedTuple):
    """A record's page to make: `source_path` is the record's file as the project's repository has it."""

    entry: Entry
    neighbours: Neighbours
    source_path: str


NEIGHBOURS = ("code_uri", "status_uri", "family", "also", "also_uri", "related", "replacement_uri", "feed")
"""What a record's page shows of others where it is given."""


class Example(NamedTuple):
    """A record that stands for its repository's of a family, which are `errors`; its file is read for the rest."""

    entry: Entry
    listed: Listed
    errors: int


class HubJob(NamedTuple):
    """A page of a list to make; `rows` are records (`Listed`) or, of an index, (title, address, count).

    The first page of a repository has `figures`, that of a family several repositories share `examples`.
    """

    listing: Listing
    template: str
    rows: tuple[Any, ...]
    heading: str
    with_repository: bool
    figures: Figures | None = None
    examples: tuple[Example, ...] = ()

    @property
    def uri(self) -> str:
        """The page's address."""
        return self.listing.address


class NoticeJob(NamedTuple):
    """A page that says what became of an error's page: its address, its words, and the list to go on with."""

    uri: str
    record_id: str
    title: str
    text: str
    list: Place


class StatisticsJob(NamedTuple):
    """The page of statistics to make."""

    statistics: Statistics

    @property
    def uri(self) -> str:
        """The page's address."""
        return statistics.URI


Job = PageJob | HubJob | NoticeJob | StatisticsJob


@dataclass(frozen=True)
class Plan:
    """What the dataset says a site has.

    `root` is how the paths of record files begin, and `folder` the same place within the project's
    repository (empty where it lies elsewhere). `kept` are the published addresses that no page has now, `held` what
    each list holds, and `faulty` the ids that faulty records may have. Where only the pages of `edited` records and
    `other_pages` of lists (numbers by the list's address) can differ from an earlier plan, `hubs`, `related` and
    `also` have no more than these need; `counted` tells whether the statistics can.
    """

    dataset: Dataset
    root: str = ""
    folder: str = ""
    site: Site = field(default_factory=Site)
    related: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    also: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    hubs: tuple[Hub, ...] = ()
    indexes: tuple[Index, ...] = ()
    kept: Kept = field(default_factory=Kept)
    faulty: frozenset[str] = frozenset()
    held: Members = field(default_factory=dict)
    edited: tuple[Entry, ...] | None = None
    other_pages: Mapping[str, frozenset[int]] = field(default_factory=dict)
    counted: bool = True

    @cached_property
    def family_repositories(self) -> dict[str, int]:
        """How many repositories share each family."""
        return {hub.key: len({entry.repo for entry in hub.entries}) for hub in self.hubs if hub.kind == "family"}

    @cached_property
    def listed(self) -> dict[tuple[str, str], Row]:
        """All lists by kind and case-folded key."""
        return {(index.kind, row.key.casefold()): row for index in self.indexes for row in index.rows}

    @cached_property
    def by_key(self) -> dict[tuple[str, str], Hub]:
        """The lists that the plan has with their records, by kind and case-folded key."""
        return {(hub.kind, hub.key.casefold()): hub for hub in self.hubs}

    @cached_property
    def statistics(self) -> Statistics:
        """The counts of the whole."""
        return statistics.count(self.dataset, self.uri)

    @cached_property
    def figures(self) -> dict[str, Figures]:
        """What each repository's hub draws, by its address."""
        return {hub.uri: _figures(self, hub) for hub in self.hubs if hub.kind == "repository"}

    @cached_property
    def rows(self) -> dict[str, Listed]:
        """What lists say of records, by id, as far as they were asked for and are kept."""
        return {}

    @cached_property
    def class_uris(self) -> dict[str, str]:
        """The lists of classes, as far as they were asked for, by class as records spell it."""
        return {}

    @cached_property
    def summary(self) -> dict[str, Any]:
        """What the theme's templates may show of the dataset."""
        return _summary(self)

    def hub(self, kind: str, key: str) -> Hub | None:
        """The list of that kind and key, if there is one."""
        return self.by_key.get((kind, key.casefold()))

    def uri(self, kind: str, key: str) -> str:
        """The address of a list, or empty where there is none."""
        row = self.listed.get((kind, key.casefold()))
        return row.uri if row else ""


def plan(
    dataset: Dataset,
    site: Site,
    project: Path | None = None,
    records: Path | None = None,
    published: Ledger | None = None,
    problems: Iterable[Problem] = (),
    linked: Mapping[str, tuple[str, ...]] | None = None,
) -> Plan:
    """Choose related errors and lists for a dataset, and what becomes of published pages that it lacks.

    `records` is its folder, `project` that of mkdocs.yml; `problems` are those of what was left out; `linked` are
    the related errors where an earlier build chose them, by id.
    """
    published = published or Ledger()
    listed, indexes = permalinks.lists(dataset, published)
    return Plan(
        dataset,
        f"{records}/",
        folder(project, records),
        site,
        related=related.links(dataset)[0] if linked is None else linked,
        also=related.also_raised(dataset, limit=pages.ALSO_SHOWN + 1),
        hubs=listed,
        indexes=indexes,
        kept=permalinks.kept(dataset, listed, indexes, published),
        held=relisting.members(dataset, listed),
        faulty=frozenset(name for one in problems for name in (one.record, Path(one.where).stem)),
    )


def outlined(site: Site, project: Path, records: Path, indexes: tuple[Index, ...], kept: Kept, held: Members) -> Plan:
    """What is known of an earlier plan without its records, faults or edits."""
    return Plan(Dataset(()), f"{records}/", folder(project, records), site, indexes=indexes, kept=kept, held=held)


def revised(
    before: Plan,
    dataset: Dataset,
    edits: Iterable[Edit],
    linked: Callable[[Sequence[Entry]], Mapping[str, tuple[str, ...]] | None],
) -> Plan | None:
    """The plan after edits, of which `before` has all but records; None where a list comes, goes or is spelt otherwise.

    Pages that are not of edited records and not of the plan's `hubs` are as they were. `linked` gives the related
    errors of some records as an earlier build chose them, if they are known.
    """
    published = dataset.by_id  # drafts and others' records, whose ids these may have too, are on no page
    edited = [edit for edit in edits if published.get(edit.after.id) is edit.after]
    pages_of = tuple(edit.after for edit in edited)
    shown = [*pages_of, *nsmallest(SAMPLED, dataset.entries, key=attrgetter("raw_digest"))]
    families = {*(entry.family for entry in shown if entry.family), *dataset.articles}
    relisted = relisting.relist(dataset, edited, before.indexes, before.held, families)
    links = linked(shown)
    if relisted is None or links is None:
        return None
    return replace(
        before,
        dataset=dataset,
        related=links,
        also=related.also_raised(dataset, limit=pages.ALSO_SHOWN + 1, of=shown),
        hubs=relisted.hubs,
        indexes=relisted.indexes,
        held={**before.held, **relisting.members(dataset, relisted.hubs)},
        edited=pages_of,
        other_pages=relisted.pages,
        counted=any(edit.counted for edit in edited),
    )


def folder(project: Path | None, records: Path | None) -> str:
    """Where the records lie within the project's repository, or nothing."""
    if project is None or records is None or not records.resolve().is_relative_to(project.resolve()):
        return ""
    return f"{records.resolve().relative_to(project.resolve()).as_posix()}/".removeprefix("./")


def page_jobs(plan: Plan, entries: Iterable[Entry] | None = None) -> Iterator[PageJob]:
    """A job for each record's page that may differ, or for those of `entries`, in their order."""
    listed = plan.dataset.entries if plan.edited is None else plan.edited
    for entry in listed if entries is None else entries:
        yield PageJob(entry, neighbours(plan, entry), _source_path(plan, entry))


def neighbours(plan: Plan, entry: Entry) -> Neighbours:
    """What a record's page shows of the others."""
    by_id = plan.dataset.by_id
    also = plan.also.get(entry.id, ())
    key = ("message", hubs.message_key(entry.message))
    everywhere = plan.listed.get(key) if len(also) > pages.ALSO_SHOWN else None
    shown = [by_id[other] for other in also[: pages.ALSO_SHOWN]]
    replacement = by_id.get(entry.replacement or "")
    return Neighbours(
        class_uri=plan.uri("class", entry.error_class) or urls.hub("errors"),
        code_uri=plan.uri("code", entry.error_code or ""),
        status_uri=plan.uri("status", str(entry.http_status or "")),
        family=_family(plan, entry),
        family_repositories=plan.family_repositories.get(entry.family or "", 0),
        also=tuple(Place(other.uri, _site_of(other, entry)) for other in shown),
        also_count=everywhere.records if everywhere else len(also),
        also_uri=everywhere.uri if everywhere else "",
        related=tuple(Place(by_id[other].uri, by_id[other].message) for other in plan.related.get(entry.id, ())),
        replacement_uri=replacement.uri if replacement else "",
        feed=_feed(plan, entry.repo),
    )


def _feed(plan: Plan, repo: str) -> str:
    """A repository's feeds within the folder of feeds; none without a site's address."""
    return feeds.repository_uri(repo).removeprefix("api/feeds/") if plan.site.url else ""


def _family(plan: Plan, entry: Entry) -> Place | None:
    uri = plan.uri("family", entry.family or "")
    return Place(uri, plan.dataset.family(entry.family).name) if entry.family and uri else None


def _site_of(other: Entry, entry: Entry) -> str:
    place = f"{other.file_path}:{other.line}"
    return place if other.repo == entry.repo else f"{other.repo}: {place}"


def _source_path(plan: Plan, entry: Entry) -> str:
    """The record's file within the project, where it is one file of its own there."""
    inside = plan.folder and entry.where.endswith(".json") and entry.where.startswith(plan.root)
    return f"{plan.folder}{entry.where.removeprefix(plan.root)}" if inside else ""


def hub_jobs(plan: Plan) -> Iterator[HubJob | StatisticsJob]:
    """A job for each page of each list, and for the statistics; families with an article are MkDocs' own."""
    for index in plan.indexes:
        listing = Listing(index.kind, index.uri, index.title, index.summary)
        for part in hubs.index_pages(index):
            rows = tuple(row[:3] for row in part.rows)
            yield HubJob(listing.page(part.number, part.pages), INDEX_TEMPLATE, rows, index.heading, False)
    if plan.counted:
        yield StatisticsJob(plan.statistics)
    for hub in plan.hubs:
        first = 2 if hub.kind == "family" and hub.key in plan.dataset.articles else 1
        for page in hubs.pages(hub):
            if page.number >= first and (plan.edited is None or page.number in plan.other_pages[hub.uri]):
                yield hub_job(plan, hub, page)


def former_pages(plan: Plan, published: Collection[str]) -> Iterator[str]:
    """The published pages of the plan's lists that these, shorter now, no longer have."""
    for hub in plan.hubs:
        number = max(page.number for page in hubs.pages(hub)) + 1
        while (uri := urls.numbered(hub.uri, number)) in published:
            yield uri
            number += 1


def notice_jobs(plan: Plan) -> Iterator[NoticeJob]:
    """A job for each page that stays in the place of another: of records left out or gone, of lists without records."""
    if plan.edited is not None:  # none of these is other than it was
        return
    repositories = {row.uri: Place(row.uri, row.key) for (kind, _), row in plan.listed.items() if kind == "repository"}
    everything = Place(urls.hub("errors"), say("repository_index"))
    for one in plan.dataset.left_out:
        onward = repositories.get(urls.repository(one.repo), everything)
        yield NoticeJob(one.uri, one.id, say(MENDED), say(f"{MENDED}_about"), onward)
    for uri, record_id in plan.kept.gone:
        key = MENDED if record_id in plan.faulty else GONE
        onward = repositories.get(f"{'/'.join(uri.split('/')[:3])}/", everything)
        yield NoticeJob(uri, record_id, say(key), say(f"{key}_about"), onward)
    parents = {index.uri: Place(index.uri, index.title) for index in plan.indexes}
    for uri in plan.kept.empty:
        onward = parents.get(f"{uri.split('/')[0]}/", everything)
        yield NoticeJob(uri, "", say("notice_empty"), say("notice_empty_about"), onward)


def hub_job(plan: Plan, hub: Hub, page: HubPage) -> HubJob:
    """The job of one page of a list of records."""
    rows = tuple(_listed(plan, entry) for entry in page.entries)
    listing = Listing(
        hub.kind,
        hub.uri,
        hub.title,
        hub.summary,
        parent=Place(*hub.parent),
        json=_list_uri(hub).removeprefix("api/"),
        feed=_feed(plan, hub.key) if hub.kind == "repository" else "",
        repo=hub.key if hub.kind == "repository" else "",
    ).page(page.number, page.pages)
    figures = plan.figures[hub.uri] if hub.kind == "repository" and page.number == 1 else None
    examples = tuple(_examples(plan, hub)) if hub.kind == "family" and page.number == 1 else ()
    return HubJob(listing, HUB_TEMPLATE, rows, "", hub.kind != "repository", figures, examples)


def _listed(plan: Plan, entry: Entry) -> Listed:
    """A record stands in eight lists or more; each entry is asked for what they show once, if memory allows."""
    row = plan.rows.get(entry.id)
    if row is None:
        row = _row(plan, entry)
        if len(plan.rows) < ROWS_KEPT:
            plan.rows[entry.id] = row
    return row


def _row(plan: Plan, entry: Entry) -> Listed:
    class_uri = plan.class_uris.get(entry.error_class)
    if class_uri is None:
        class_uri = plan.class_uris[entry.error_class] = plan.uri("class", entry.error_class)
    place = f"{entry.file_path}:{entry.line}"
    return Listed(entry.uri, entry.message, entry.error_class, class_uri, entry.severity, entry.repo, place)


def _figures(plan: Plan, hub: Hub) -> Figures:
    """Entries of a hub stand worst first, so the first of a file has its worst severity."""
    files = Counter(entry.file_path for entry in hub.entries)
    worst = {entry.file_path: entry.severity for entry in reversed(hub.entries)}
    severities = Counter(entry.severity for entry in hub.entries)
    classes = Counter(plan.dataset.class_names[entry.error_class.casefold()] for entry in hub.entries)
    families = Counter(entry.family for entry in hub.entries if entry.family)
    return Figures(
        files=tuple(sorted(Raising(path, errors, worst[path]) for path, errors in files.items())),
        severities=tuple(
            Count(severity, plan.uri("severity", severity), severities[severity])
            for severity in SEVERITIES
            if severities[severity]
        ),
        classes=bars.largest(Count(name, plan.uri("class", name), number) for name, number in classes.items()),
        families=bars.largest(
            Count(plan.dataset.family(tag).name, plan.uri("family", tag), number) for tag, number in families.items()
        ),
        all_classes=len(classes),
        all_families=len(families),
    )


def _examples(plan: Plan, hub: Hub) -> Iterator[Example]:
    """Of each repository the record whose class and severity are its most usual ones, the first of several."""
    grouped = data.of_repositories(hub.entries)
    largest = sorted(grouped, key=lambda repo: (-len(grouped[repo]), repo.casefold()))[:COMPARED]
    for repo in largest if len(grouped) > 1 else ():
        kinds = Counter((entry.error_class, entry.severity) for entry in grouped[repo])
        usual, _ = kinds.most_common(1)[0]
        entry = next(entry for entry in grouped[repo] if (entry.error_class, entry.severity) == usual)
        yield Example(entry, _listed(plan, entry), len(grouped[repo]))


def _list_uri(hub: Hub) -> str:
    """The JSON of the same list, of a kind that has one."""
    if hub.kind == "repository":
        return mirror.repository_uri(hub.key)
    return mirror.family_uri(hub.key) if hub.kind == "family" else ""


@dataclass(frozen=True, slots=True)
class Made:
    """A job's page: its address, template and values, and `form`, the record's mirror (empty for a list)."""

    uri: str
    template: str
    values: View
    form: bytes = b""

    @property
    def shape(self) -> Shape:
        """Which stencil it needs."""
        return stencil.shape(self.template, self.uri, self.values)


def made(job: Job, site: Site) -> Made:
    """The values of a job's page; a record is read again from its file."""
    if isinstance(job, PageJob):
        decoded = data.read(job.entry)
        values = pages.view(decoded.record, job.neighbours, site, job.source_path)
        return Made(job.entry.uri, site.record_template, values, decoded.form)
    if isinstance(job, NoticeJob):
        return Made(job.uri, NOTICE_TEMPLATE, pages.notice(job.uri, job.title, job.text, job.list))
    if isinstance(job, StatisticsJob):
        return Made(job.uri, STATISTICS_TEMPLATE, statistics.view(job.statistics))
    if job.template == INDEX_TEMPLATE:
        values = listings.index(job.listing, job.heading, job.rows)
    else:
        values = listings.hub(
            job.listing,
            job.rows,
            with_repository=job.with_repository,
            figures=job.figures,
            compared=[_compared(example) for example in job.examples],
        )
    return Made(job.uri, job.template, values)


def _compared(example: Example) -> Compared:
    record = data.read(example.entry).record
    remedies = [parts[0] for text in record.solutions if (parts := escape.paragraphs(text))]
    return Compared(example.listed, example.errors, remedies[0] if remedies else "", record.handling_strategy)


def files(job: Job, site: Site, stencils: Mapping[Shape, Stencil], outputs: Outputs) -> Iterator[File]:
    """A job's files, those that `paths` names: the page, its Markdown, and a record's mirror and permalink."""
    page = made(job, site)
    shape = page.shape
    html = stencil.stamp(stencils[shape], page.values)
    yield File(urls.html(page.uri), html.encode("utf-8"))
    if outputs.markdown:
        yield File(urls.markdown(page.uri), stencil.markdown(shape, page.values).encode("utf-8"))
    if isinstance(job, PageJob):
        yield from mirror.record(job.entry.id, page.form, extensionless=outputs.extensionless)
        if outputs.permalinks:
            yield permalinks.record(job.entry.id, job.entry.uri, job.entry.message, site.url)
    elif isinstance(job, NoticeJob) and job.record_id and outputs.permalinks:
        yield permalinks.record(job.record_id, job.uri, job.title, site.url)


def weight(job: Job) -> int:
    """How many records' pages a job takes the room of: a page of a list has up to 200 rows."""
    return 1 + len(job.rows) // ROWS_A_PAGE if isinstance(job, HubJob) else 1


def alike(job: Job, site: Site) -> tuple[object, ...]:
    """Jobs of which this is the same have pages of one shape; of nearly all it is told without making the page."""
    if isinstance(job, PageJob):
        around = job.neighbours
        given = (bool(getattr(around, name)) for name in NEIGHBOURS)
        return (pages.RECORD, job.entry.parts, around.family_repositories > 1, bool(job.source_path), *given)
    root, depth = job.uri.partition("/")[0], job.uri.count("/")
    if isinstance(job, NoticeJob):
        return NOTICE_TEMPLATE, root, depth
    if isinstance(job, StatisticsJob) or job.figures is not None:
        return (made(job, site).shape,)
    listing = job.listing
    place = (listing.number > 1, listing.number < listing.pages)
    given = (bool(one) for one in (listing.parent, listing.json, listing.feed, job.rows, job.examples))
    return (job.template, listing.kind, root, depth, job.with_repository, *place, *given)


def identity(job: Job) -> tuple[str, tuple[Any, ...]]:
    """A job's address, and all that its files depend on besides settings."""
    if isinstance(job, PageJob):
        return job.entry.uri, (job.entry.raw_digest, job.neighbours, job.source_path)
    if isinstance(job, HubJob):
        read = [(example.entry.raw_digest, example.listed, example.errors) for example in job.examples]
        return job.uri, (*job[:-1], read)
    return job.uri, tuple(job)


def count(pages: Iterable[tuple[str, bool]], outputs: Outputs) -> int:
    """How many files pages have, each told by its record's id and whether its JSON is there, as `paths` takes them."""
    kinds = Counter((record_id != "", mirrored) for record_id, mirrored in pages)
    return sum(
        number * len([*paths("", "0" if permalink else "", mirrored, outputs)])
        for (permalink, mirrored), number in kinds.items()
    )


def paths(uri: str, record_id: str, mirrored: bool, outputs: Outputs) -> Iterator[str]:
    """The paths of a page's files.

    `record_id` is that of its permalink, or empty; `mirrored` says whether its JSON is there.
    """
    yield urls.html(uri)
    if outputs.markdown:
        yield urls.markdown(uri)
    if mirrored:
        yield urls.mirror(record_id)
        if outputs.extensionless:
            yield urls.mirror(record_id).removesuffix(".json")
    if record_id and outputs.permalinks:
        yield urls.html(urls.permalink(record_id))


def kept_as(job: Job) -> tuple[str, bool]:
    """What of a job tells its `paths`: the record's id, and whether its mirror is made."""
    if isinstance(job, PageJob):
        return job.entry.id, True
    return (job.record_id, False) if isinstance(job, NoticeJob) else ("", False)


@dataclass(frozen=True, slots=True)
class Article:
    """A family's article as page 1 of its list: what the theme is told, and the list that follows the text."""

    meta: Mapping[str, Any]
    values: View

    @property
    def shape(self) -> Shape:
        """The shape of the list alone."""
        return stencil.shape(ROWS_TEMPLATE, "", self.values)

    def markdown(self, text: str, description: str) -> File:
        """The article's Markdown as published, the list at its end; `text` is without front matter."""
        uri = self.meta["errordex"]["uri"]
        head = {**self.meta, **({"description": description} if description else {})}
        front = "".join(f"{name}: {json.dumps(value, ensure_ascii=False)}\n" for name, value in head.items())
        rows = pages.markdown(ROWS_TEMPLATE, self.values)
        return File(urls.markdown(uri), f"---\n{front}---\n\n{text.strip()}\n\n{rows}".encode())


def article(plan: Plan, src_uri: str) -> Article | None:
    """The article at a Markdown file of `docs/`, if it is a family's; its text is MkDocs' own affair."""
    folder, _, name = src_uri.rpartition("/")
    hub = plan.hub("family", name.removesuffix(".md")) if folder == "families" else None
    if hub is None or hub.key not in plan.dataset.articles or f"{hub.key}.md" != name:
        return None
    job = hub_job(plan, hub, next(hubs.pages(hub)))
    kept = {"kind": hub.kind, "uri": hub.uri, "json": _list_uri(hub).removeprefix("api/")}
    meta = {"template": "hub.html", "errordex": kept}
    return Article(meta, made(job, plan.site).values)


def moved(plan: Plan) -> Iterator[tuple[str, str]]:
    """Former addresses and where they lead, pages first: those without a permalink's id."""
    for one in sorted(plan.kept.redirects, key=lambda one: one.uri.startswith(urls.hub("e"))):
        yield one.uri, one.target


def redirects(plan: Plan, outputs: Outputs) -> Iterator[Redirect]:
    """The pages that lead from former addresses to present ones; permalinks only where those are made."""
    for one in plan.kept.redirects:
        if outputs.permalinks or not one.uri.startswith(urls.hub("e")):
            yield one


def sitemaps(plan: Plan, documents: Iterable[tuple[str, str]]) -> Iterator[SitemapJob]:
    """Sitemaps of all pages; `documents` are MkDocs' own, (address, date or empty). None without a site's address."""
    if not plan.site.url:
        return
    lists = chain.from_iterable((one.uri, *(row.uri for row in one.rows)) for one in plan.indexes)
    records = ((entry.uri, entry.modified[:10]) for entry in plan.dataset.live)
    yield from discovery.jobs(chain(documents, ((uri, "") for uri in (*lists, statistics.URI)), records))


def _summary(plan: Plan, limit: int = 10) -> dict[str, Any]:
    """Counts, the largest lists of each kind, and the newest analyses."""
    rows: dict[str, list[Row]] = {kind: [] for kind in ("repository", "family", "class")}
    rows |= {index.kind: list(index.rows) for index in plan.indexes if index.kind in rows}
    largest = {kind: sorted(found, key=lambda row: (-row.records, row.uri))[:limit] for kind, found in rows.items()}
    newest = nlargest(limit, plan.dataset.live, key=lambda entry: (entry.modified, entry.id))
    return {
        "counts": {
            "records": len(plan.dataset.live),
            "repositories": len(rows["repository"]),
            "families": len(rows["family"]),
            "classes": len(rows["class"]),
        },
        "repositories": _largest(largest["repository"]),
        "families": [{"title": row.title, "url": row.uri, "count": row.records} for row in largest["family"]],
        "classes": _largest(largest["class"]),
        "newest": [
            {
                "title": escape.shortened(entry.message, pages.TITLE_CHARACTERS),
                "url": entry.uri,
                "date": entry.day,
                "repo": escape.line(entry.repo),
                "class": escape.line(entry.error_class),
                "severity": entry.severity,
            }
            for entry in newest
        ],
    }


def _largest(found: Iterable[Row]) -> list[dict[str, Any]]:
    return [{"title": escape.line(row.title), "url": row.uri, "count": row.records} for row in found]
