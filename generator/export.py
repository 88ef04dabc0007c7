"""Puts the JSON export together: files about all records, jobs for lists, and jobs for what needs the records' text."""

import hashlib
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from operator import attrgetter

import msgspec

from generator import agents, bulk, discovery, feeds, hosting, mirror, openapi, permalinks, schema
from generator import dataset as data
from generator.about import About
from generator.agents import TextJob
from generator.api import Part
from generator.bulk import PartJob
from generator.dataset import Dataset
from generator.discovery import SitemapJob
from generator.feeds import FeedJob
from generator.files import File
from generator.hosting import Security
from generator.mirror import FamilyJob, RepositoryJob
from generator.permalinks import RedirectJob

Job = PartJob | FeedJob | RedirectJob
"""What needs the records' text or is many files."""

ListJob = RepositoryJob | FamilyJob | TextJob | SitemapJob
"""What the index is enough for: it costs less to make than to hand out, so that no worker is asked."""


@dataclass(frozen=True, slots=True)
class Made:
    """A job's files, and of a bulk file its repository (empty for all records) and its line in `bulk.json`."""

    files: tuple[File, ...]
    part: tuple[str, Part] | None = None


def jobs(dataset: Dataset, about: About) -> Iterator[PartJob | FeedJob]:
    """Jobs for workers; each is up to a second's work: hand them out one at a time."""
    yield from bulk.jobs(dataset)
    yield from feeds.jobs(dataset, about)


def lists(dataset: Dataset, *, markdown: bool = True, given: Iterable[str] = ()) -> Iterator[ListJob]:
    """The lists of each repository and family; of those that are text, a path in `given` is left out."""
    yield from mirror.repositories(dataset)
    yield from mirror.families(dataset)
    yield from agents.jobs(dataset, markdown=markdown, given=given)


def make(job: Job, about: About) -> Made:
    """A job's files; its records are read again, one at a time."""
    if isinstance(job, FeedJob):
        return Made(tuple(feeds.files(job, about)))
    if isinstance(job, RedirectJob):
        return Made(tuple(permalinks.files(job, about.url)))
    file, part = bulk.part(job)
    return Made((file,), (job.repo, part))


def pages(job: ListJob, about: About) -> Iterator[File]:
    """A list's files, one at a time."""
    if isinstance(job, SitemapJob):
        return discovery.files(job, about.url)
    return agents.lists(job, about) if isinstance(job, TextJob) else mirror.lists(job, about)


def weight(job: Job) -> int:
    """How many records a job reads, or files it makes."""
    return len(job.redirects) if isinstance(job, RedirectJob) else len(job.entries)


def key(job: Job | ListJob, about: About) -> bytes:
    """Changes when a job's files do, as long as words and version stay: 32 bytes.

    A record's digests stand for all of its fields.
    """
    if isinstance(job, RedirectJob | SitemapJob):
        return _digest(about, job)
    return _digest(about, job._replace(entries=()), b"".join(map(_DIGESTS, job.entries)))


_DIGESTS = attrgetter("digests")


def _digest(*parts: object) -> bytes:
    return hashlib.sha256(msgspec.msgpack.encode(parts)).digest()


def files(
    dataset: Dataset,
    about: About,
    parts: Iterable[tuple[str, Part]],
    *,
    extensionless: bool = True,
    markdown: bool = True,
    security: Security | None = None,
    moved: Iterable[tuple[str, str]] = (),
    given: Collection[str] = (),
) -> Iterator[File]:
    """What is about all records and so made in each build; `parts` are what the jobs made, in any order.

    A path in `given`, which the owner wrote by hand, is left out.
    """
    yield from mirror.files(dataset, about)
    yield bulk.listing(dataset, parts, about)
    yield schema.record(about)
    left_out = {"getRecordWithoutSuffix": extensionless, "getMarkdown": markdown}
    yield openapi.description(
        dataset, about, examples(dataset, about), left_out=[name for name, kept in left_out.items() if not kept]
    )
    overview = agents.overview(dataset, about, markdown=markdown)
    if overview.path not in given:
        yield overview
    yield from hosting.files(about, security=security, moved=moved, extensionless=extensionless, given=given)


def examples(dataset: Dataset, about: About) -> dict[str, bytes]:
    """The answers, by type, that a mirror of the one record would give that the examples are about."""
    entry = openapi.example(dataset)
    if entry is None:
        return {}
    alone = Dataset((entry,), dataset.articles)
    form = data.form(entry)
    parts = [(job.repo, bulk.part(job, lambda _: form)[1]) for job in bulk.jobs(alone)]
    listed: list[tuple[str, Iterable[ListJob]]] = [
        ("RepositoryList", mirror.repositories(alone)),
        ("FamilyList", mirror.families(alone)),
    ]
    return {
        "Envelope": form,
        "Version": mirror.version(alone, about).content,
        "Bulk": bulk.listing(alone, parts, about).content,
        "Index": mirror.index(alone, about).content,
        **{name: file.content for name, jobs in listed for job in jobs for file in pages(job, about)},
    }
