"""The JSON export under `/api/`: every response a file.

Lists are cut so that no file grows with the dataset: `index.json` leaves the records to the repositories'
lists beyond `INDEX_BYTES`, and those continue on further pages beyond `PAGE_BYTES`.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import msgspec

from generator import __version__, urls
from generator.about import About
from generator.api import (
    API_VERSION,
    Counts,
    FamilyLink,
    FamilyList,
    Index,
    RepositoryLink,
    RepositoryList,
    Row,
    Version,
)
from generator.dataset import Dataset, Entry
from generator.files import File
from generator.records import SCHEMA_VERSION

INDEX_BYTES = 4_000_000
"""Up to this many bytes of rows stand in `index.json` itself: some 6,000 records."""

PAGE_BYTES = 8_000_000
"""Bytes of rows on a page of a repository's or a family's list: some 12,000 records."""


class RepositoryJob(NamedTuple):
    """The list of a repository to make: its first page's address, the dataset's version, and its records, in order."""

    uri: str
    version: str
    repo: str
    entries: tuple[Entry, ...]


class FamilyJob(NamedTuple):
    """The list of a family to make, as that of a repository; `name` is what people call it."""

    uri: str
    version: str
    tag: str
    name: str
    entries: tuple[Entry, ...]


def record(record_id: str, form: bytes, *, extensionless: bool = True) -> Iterator[File]:
    """One record's files, both of the same bytes: with its type in its name, and as the seed API spells it."""
    path = urls.mirror(record_id)
    yield File(path, form)
    if extensionless:
        yield File(path.removesuffix(".json"), form)


def files(dataset: Dataset, about: About) -> Iterator[File]:
    """What is about all records, one file at a time; none of them needs a record's text."""
    yield index(dataset, about)
    yield modified(dataset)
    yield version(dataset, about)


def index(dataset: Dataset, about: About) -> File:
    """`/api/index.json`: what there is; a row a record, sorted by repository and slug, where that is not too large."""
    rows = _bounded(dataset.entries, INDEX_BYTES)
    head = Index(
        dataset_version=dataset.version,
        total=len(dataset.entries),
        site=about.url or None,
        license=about.licence,
        repositories=[
            RepositoryLink(repo=repo, records=len(entries), url=repository_uri(repo))
            for repo, entries in dataset.by_repository.items()
        ],
        families=[
            FamilyLink(tag=tag, name=dataset.family(tag).name, records=len(entries), url=family_uri(tag))
            for tag, entries in dataset.by_family.items()
        ],
        records=msgspec.UNSET if rows is None else [],
    )
    return File("api/index.json", _list(head, rows or []))


def repositories(dataset: Dataset) -> Iterator[RepositoryJob]:
    """A job for each repository's list."""
    for repo, entries in dataset.by_repository.items():
        yield RepositoryJob(repository_uri(repo), dataset.version, repo, tuple(entries))


def families(dataset: Dataset) -> Iterator[FamilyJob]:
    """A job for each family's list."""
    for tag, entries in dataset.by_family.items():
        yield FamilyJob(family_uri(tag), dataset.version, tag, dataset.family(tag).name, tuple(entries))


def lists(job: RepositoryJob | FamilyJob, about: About) -> Iterator[File]:
    """The pages of a list, one at a time.

    `/api/repos/<owner>/<name>.json` is sorted by slug, `/api/families/<tag>.json` by repository and slug.
    """
    for uri, following, rows in _pages(job.uri, job.entries):
        yield File(uri, _list(_head(job, about, following), rows))


def _head(job: RepositoryJob | FamilyJob, about: About, following: str | None) -> RepositoryList | FamilyList:
    if isinstance(job, FamilyJob):
        return FamilyList(
            dataset_version=job.version,
            total=len(job.entries),
            site=about.url or None,
            license=about.licence,
            tag=job.tag,
            name=job.name,
            page=urls.hub("families", job.tag),
            next=following,
            records=[],
        )
    return RepositoryList(
        dataset_version=job.version,
        total=len(job.entries),
        site=about.url or None,
        license=about.licence,
        repo=job.repo,
        page=urls.repository(job.repo),
        next=following,
        records=[],
    )


def modified(dataset: Dataset) -> File:
    """`/api/modified.csv`: id, time of the last change and SHA-256 of each record, newest first, then by id."""
    lines = [f"{entry.id},{entry.modified},{entry.digest.hex()}\r\n" for entry in dataset.newest]
    return File("api/modified.csv", "".join(["id,time,sha256\r\n", *lines]).encode())


def version(dataset: Dataset, about: About) -> File:
    """`/api/version.json`: what this mirror is, in a few hundred bytes."""
    answer = Version(
        api_version=API_VERSION,
        schema_version=SCHEMA_VERSION,
        generator=f"errordex {__version__}",
        dataset_version=dataset.version,
        site=about.url or None,
        license=about.licence,
        counts=Counts(
            records=len(dataset.entries),
            withdrawn=len(dataset.entries) - len(dataset.live),
            repositories=len(dataset.by_repository),
            families=len(dataset.by_family),
        ),
    )
    return File("api/version.json", msgspec.json.encode(answer) + b"\n")


def repository_uri(repo: str) -> str:
    """The list of a repository's records: `api/repos/<owner>/<name>.json`."""
    return f"api/repos/{urls.repository(repo).removeprefix('errors/').rstrip('/')}.json"


def family_uri(tag: str) -> str:
    """The list of a family's records: `api/families/<tag>.json`."""
    return f"api/{urls.hub('families', tag).rstrip('/')}.json"


def row(entry: Entry) -> Row:
    """A record as lists show it."""
    return Row(
        id=entry.id,
        repo=entry.repo,
        slug=entry.slug,
        error_class=entry.error_class,
        severity=entry.severity,
        error_message=entry.message,
        message_pattern=entry.pattern,
        url=entry.uri,
        modified=entry.modified,
        sha256=entry.digest.hex(),
        withdrawn=entry.withdrawn,
    )


def _bounded(entries: Iterable[Entry], limit: int) -> list[bytes] | None:
    """The entries' rows as JSON, or None where they have more than `limit` bytes."""
    rows: list[bytes] = []
    size = 0
    for entry in entries:
        rows.append(msgspec.json.encode(row(entry)))
        size += len(rows[-1])
        if size > limit:
            return None
    return rows


def _pages(uri: str, entries: Sequence[Entry]) -> Iterator[tuple[str, str | None, list[bytes]]]:
    """A list's pages as (address, the next one's, rows); no repository's name is spelt with `~` and a digit."""
    number, current, size = 1, list[bytes](), 0
    for entry in entries:
        encoded = msgspec.json.encode(row(entry))
        if current and size + len(encoded) > PAGE_BYTES:
            yield _numbered(uri, number), _numbered(uri, number + 1), current
            number, current, size = number + 1, [], 0
        current.append(encoded)
        size += len(encoded)
    yield _numbered(uri, number), None, current


def _numbered(uri: str, number: int) -> str:
    return uri if number == 1 else f"{uri.removesuffix('.json')}~{number}.json"


def _list(head: msgspec.Struct, rows: Sequence[bytes]) -> bytes:
    """A list as JSON, each row on a line of its own; `records` is the head's last member."""
    encoded = msgspec.json.encode(head)
    if not encoded.endswith(b'"records":[]}'):
        return encoded + b"\n"
    return b"%b\n%b\n]}\n" % (encoded[:-2], b",\n".join(rows))
