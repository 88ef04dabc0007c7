"""Puts the JSON export together: what is made at once from the index, and jobs for what needs the records' text."""

import hashlib
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from generator import agents, bulk, feeds, hosting, mirror, openapi, permalinks, schema
from generator import dataset as data
from generator.about import About
from generator.api import Part
from generator.bulk import PartJob
from generator.dataset import Dataset
from generator.feeds import FeedJob
from generator.files import File
from generator.hosting import Security
from generator.permalinks import Redirect, RedirectJob

Job = PartJob | FeedJob | RedirectJob


@dataclass(frozen=True, slots=True)
class Made:
    """A job's files, and of a bulk file its repository (empty for all records) and its line in `bulk.json`."""

    files: tuple[File, ...]
    part: tuple[str, Part] | None = None


def jobs(dataset: Dataset, about: About, moved: Iterable[Redirect] = ()) -> Iterator[Job]:
    """What needs the records' text or is many files; each job is up to a second's work: hand them out one at a time.

    `moved` are the redirects from former addresses.
    """
    yield from bulk.jobs(dataset)
    yield from feeds.jobs(dataset, about)
    yield from permalinks.jobs(moved)


def make(job: Job, about: About) -> Made:
    """A job's files; its records are read again, one at a time."""
    if isinstance(job, FeedJob):
        return Made(tuple(feeds.files(job, about)))
    if isinstance(job, RedirectJob):
        return Made(tuple(permalinks.files(job, about.url)))
    file, part = bulk.part(job)
    return Made((file,), (job.repo, part))


def weight(job: Job) -> int:
    """How many records a job reads, or files it makes."""
    return len(job.redirects) if isinstance(job, RedirectJob) else len(job.entries)


def key(job: Job) -> bytes:
    """Changes when a job's files do, as long as settings and version stay: 32 bytes."""
    if isinstance(job, RedirectJob):
        return hashlib.sha256(repr(job).encode()).digest()
    head = f"{job.uri}\n{job.title}\n{job.page}\n" if isinstance(job, FeedJob) else f"{job.uri}\n"
    return hashlib.sha256(head.encode() + b"".join(entry.digest for entry in job.entries)).digest()


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
    """All that is made from the index, one file at a time; `parts` are what the jobs made, in any order.

    A path in `given`, which the owner wrote by hand, is left out.
    """
    yield from mirror.files(dataset, about)
    yield bulk.listing(dataset, parts, about)
    yield schema.record(about)
    left_out = {"getRecordWithoutSuffix": extensionless, "getMarkdown": markdown}
    yield openapi.description(
        dataset, about, examples(dataset, about), left_out=[name for name, kept in left_out.items() if not kept]
    )
    for file in agents.files(dataset, about, markdown=markdown):
        if file.path not in given:
            yield file
    yield from hosting.files(about, security=security, moved=moved, extensionless=extensionless, given=given)


def examples(dataset: Dataset, about: About) -> dict[str, bytes]:
    """The answers, by type, that a mirror of the one record would give that the examples are about."""
    entry = openapi.example(dataset)
    if entry is None:
        return {}
    alone = Dataset((entry,), dataset.articles)
    form = data.form(entry)
    parts = [(job.repo, bulk.part(job, lambda _: form)[1]) for job in bulk.jobs(alone)]
    lists = [("RepositoryList", mirror.repositories), ("FamilyList", mirror.families), ("Index", mirror.index)]
    return {
        "Envelope": form,
        "Version": mirror.version(alone, about).content,
        "Bulk": bulk.listing(alone, parts, about).content,
        **{name: file.content for name, produce in lists for file in produce(alone, about)},
    }
