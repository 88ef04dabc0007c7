"""Every record in few files: `/api/bulk/`, gzipped lines of the records' own bytes.

A part holds the records whose ids begin alike, so a changed record changes one part of all records and one
of its repository, and a new one moves no other. Parts are planned from the index alone, as jobs for the
workers, and read their records one at a time.
"""

import hashlib
import zlib
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate, groupby
from operator import attrgetter
from struct import pack
from typing import NamedTuple

import msgspec

from generator import dataset as data
from generator import urls
from generator.about import About
from generator.api import Bulk, Part, RepositoryParts
from generator.dataset import Dataset, Entry
from generator.files import File

PART_BYTES = 4_000_000
"""Bytes of a part's lines: compressed it is smaller still, whatever it holds."""

LEVEL = 5
"""zlib's level: two thirds of the time of 6, zlib's own, for 2 % more bytes; 4 takes half of it, for 8 %."""

_ENVELOPE_BYTES = 600
_ID_BITS = 64
_HEADER = b"\x1f\x8b\x08\0\0\0\0\0\0\xff"


class Range(NamedTuple):
    """Ids of a part: those that begin with `first`, with `last` (as many digits) or with what is between."""

    first: str
    last: str


class PartJob(NamedTuple):
    """A part to make: its address, its repository (empty for all records), its ids, and its records by id."""

    uri: str
    repo: str
    ids: Range
    entries: tuple[Entry, ...]


def jobs(dataset: Dataset) -> Iterator[PartJob]:
    """The parts of all records, then those of each repository."""
    for ids, entries in _ranges(dataset.in_order_of_id):
        yield PartJob(f"api/bulk/all/{_name(ids)}.ndjson.gz", "", ids, tuple(entries))
    for repo, group in data.of_repositories(dataset.in_order_of_id).items():
        ranges = list(_ranges(group))
        for ids, entries in ranges:
            yield PartJob(_repository_uri(repo, ids if len(ranges) > 1 else None), repo, ids, tuple(entries))


def part(job: PartJob, form: Callable[[Entry], bytes] | None = None) -> tuple[File, Part]:
    """A part as a file, and as `bulk.json` lists it; `form` gives a record's bytes, by default read again."""
    read = form or data.form
    packed, lines = _gzip(read(entry) + b"\n" for entry in job.entries)
    listed = Part(
        url=job.uri,
        first=job.ids.first,
        last=job.ids.last,
        records=len(job.entries),
        bytes=len(packed),
        uncompressed_bytes=lines,
        sha256=hashlib.sha256(packed).hexdigest(),
    )
    return File(job.uri, packed), listed


def listing(dataset: Dataset, parts: Iterable[tuple[str, Part]], about: About) -> File:
    """`/api/bulk.json` of (repository or empty, part) pairs, in any order."""
    ordered = sorted(parts, key=lambda pair: (pair[0].casefold(), pair[1].first))
    answer = Bulk(
        dataset_version=dataset.version,
        total=len(dataset.entries),
        site=about.url or None,
        license=about.licence,
        parts=[listed for repo, listed in ordered if not repo],
        repositories=[
            RepositoryParts(repo=repo, parts=[listed for _, listed in group])
            for repo, group in groupby(ordered, key=lambda pair: pair[0])
            if repo
        ],
    )
    return File("api/bulk.json", msgspec.json.encode(answer) + b"\n")


def _weight(entry: Entry) -> int:
    """At least the bytes of the record's line: the document's, and an envelope where it has none."""
    return entry.length + _ENVELOPE_BYTES


def _ranges(entries: Sequence[Entry]) -> Iterator[tuple[Range, Sequence[Entry]]]:
    """Entries, sorted by id, in ranges of `PART_BYTES` at most: what is larger is halved by the ids' next bit."""
    sums = [*accumulate(map(_weight, entries), initial=0)]
    open_ranges = [(0, 0, 0, len(entries))]
    while open_ranges:
        prefix, depth, start, end = open_ranges.pop()
        if depth == _ID_BITS or sums[end] - sums[start] <= PART_BYTES:
            yield _spelt(prefix, depth), entries[start:end]
            continue
        middle = f"{(prefix << 1 | 1) << (_ID_BITS - depth - 1):016x}"
        cut = bisect_left(entries, middle, start, end, key=attrgetter("id"))
        halves = ((1, cut, end), (0, start, cut))
        open_ranges += [(prefix << 1 | bit, depth + 1, first, last) for bit, first, last in halves if first < last]


def _spelt(prefix: int, depth: int) -> Range:
    digits = max(1, -(-depth // 4))
    free = 4 * digits - depth
    return Range(f"{prefix << free:0{digits}x}", f"{(prefix + 1 << free) - 1:0{digits}x}")


def _name(ids: Range) -> str:
    return ids.first if ids.first == ids.last else f"{ids.first}-{ids.last}"


def _repository_uri(repo: str, ids: Range | None) -> str:
    """A repository's bulk file; of several, `~id-` and the ids keep it apart from any other repository's."""
    owner_and_name = urls.repository(repo).removeprefix("errors/").rstrip("/")
    return f"api/bulk/repos/{owner_and_name}{f'~id-{_name(ids)}' if ids else ''}.ndjson.gz"


def _gzip(lines: Iterable[bytes]) -> tuple[bytes, int]:
    """One gzip member without a clock or a system in it, and the size of what it holds."""
    deflate = zlib.compressobj(LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS)
    pieces, check, size = [_HEADER], 0, 0
    for line in lines:
        pieces.append(deflate.compress(line))
        check = zlib.crc32(line, check)
        size += len(line)
    trailer = pack("<II", check, size & 0xFFFFFFFF)
    return b"".join([*pieces, deflate.flush(), trailer]), size
