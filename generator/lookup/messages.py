"""Records that say the same as one message, and the keys by which the index has it."""

import hashlib
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

import msgspec

from generator import urls
from generator.dataset import Dataset, Entry
from generator.lookup import entries, frames, keys, tokens
from generator.lookup.entries import Packed, Site
from generator.lookup.folded import folded
from generator.lookup.keys import Cut
from generator.patterns import Program, compile

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(tuple[Cut, ...]).decode


class Raised(NamedTuple):
    """What the index needs of a record."""

    pattern: str
    error_class: str
    site: Site


def raised(dataset: Dataset) -> Iterator[Raised]:
    """The live records of a dataset."""
    for entry in dataset.live:
        yield Raised(entry.pattern, entry.error_class, site(entry))


def site(entry: Entry) -> Site:
    """Where a record is raised."""
    page = urls.page(entry.repo, entry.slug).removeprefix("errors/").removesuffix("/")
    return Site(entry.id, page, entry.file_path, entry.line)


class Group(msgspec.Struct, frozen=True, gc=False):
    """Records of one pattern and class; their sites are made when they are asked for."""

    pattern: str
    error_class: str
    records: tuple[Entry | Site, ...]

    @property
    def sites(self) -> tuple[Site, ...]:
        """Where they are raised, sorted by the records' ids."""
        return tuple(sorted(record if isinstance(record, Site) else site(record) for record in self.records))

    @property
    def pattern_id(self) -> int:
        """64 bits by which the pattern is known."""
        return _id(self.pattern)


class Message(msgspec.Struct, frozen=True, gc=False):
    """A pattern of one class: its entry as JSON without the sites, and what its keys come from.

    All messages of an index are held at once, so the latter is packed.
    """

    packed: Packed
    cut: bytes

    @property
    def branches(self) -> tuple[Cut, ...]:
        """What its keys come from."""
        return _decode(self.cut)


def candidates(branches: Iterable[Cut]) -> set[int]:
    """The keys of all that may find a pattern."""
    return {key for branch in branches for key in branch.keys}


def beginnings(branches: Iterable[Cut]) -> list[int]:
    """The keys of what a message's branches begin with: two tokens, and three."""
    begins = (branch.begins for branch in branches)
    return [tokens.key(begin[:size]) for begin in begins for size in (2, 3) if len(begin) >= size]


def of_dataset(dataset: Dataset) -> dict[int, Group]:
    """The live records of a dataset, grouped."""
    return _grouped((entry.pattern, entry.error_class, entry) for entry in dataset.live)


def grouped(records: Iterable[Raised]) -> dict[int, Group]:
    """Records, grouped."""
    return _grouped(records)


def _grouped(records: Iterable[tuple[str, str, Entry | Site]]) -> dict[int, Group]:
    """Records of one pattern and class together, by 64 bits over all that the index says of them.

    Those of one pattern follow one another.
    """
    found: dict[str, dict[str, list[Entry | Site]]] = {}
    for pattern, name, record in records:
        found.setdefault(pattern, {}).setdefault(name, []).append(record)
    groups = {}
    for pattern, classes in found.items():
        for name, listed in classes.items():
            told = sorted(map(_told, listed)) if len(listed) > 1 else _told(listed[0])
            groups[_id((pattern, name, told))] = Group(pattern, name, tuple(listed))
    return groups


def _told(record: Entry | Site) -> Site:
    """What the index says of a record, whichever it is made from: what a worker made is known here as well."""
    return record if isinstance(record, Site) else site(record)


def _id(value: object) -> int:
    return int.from_bytes(hashlib.blake2b(_encode(value), digest_size=8).digest(), "big")


def message(group: Group) -> Message | None:
    """What the index has of a group; nothing, if its pattern has no piece to look for."""
    program, cut = _cut(group.pattern)
    return Message(_packed(program, group.error_class, group.sites), cut) if program.branches else None


def packed(group: Group) -> Packed:
    """A message's entry as JSON without the sites."""
    return _packed(folded(compile(group.pattern)), group.error_class, group.sites)


def _packed(program: Program, error_class: str, sites: Iterable[Site]) -> Packed:
    return entries.pack(entries.entry(program, error_class, sites))


@lru_cache(maxsize=16)
def _cut(pattern: str) -> tuple[Program, bytes]:
    program = folded(compile(pattern))
    return program, _encode(tuple(map(keys.cut, program.branches)))


def first_keys(
    branches: Iterable[Cut], counts: Mapping[int, int], error_class: str, *, needs_frame: bool
) -> tuple[set[int], bool]:
    """The keys of a message in the first set, one a branch; and whether it needs those of its files too."""
    found, by_file = set[int](), False
    for branch in branches:
        chosen = [] if needs_frame else keys.choose(branch, counts, 1)
        if not chosen:
            by_file = True
            more = None if needs_frame else keys.with_class(branch, error_class)
            chosen = [] if more is None else [more]
        found.update(chosen)
    return found, by_file


def wider_keys(branches: Iterable[Cut], counts: Mapping[int, int], *, needs_frame: bool) -> set[int]:
    """The keys of a message in the wider set: those that share no token with that of the first set."""
    skipped = 0 if needs_frame else 1
    return {key for branch in branches for key in keys.choose(branch, counts, keys.WIDER + 1)[skipped:]}


def beginning_keys(branches: Iterable[Cut], counts: Mapping[int, int], error_class: str) -> set[int]:
    """The keys of what a message begins with."""
    found = set[int]()
    for branch in branches:
        found.update(keys.beginning(branch, counts), keys.few_with_class(branch, error_class))
    return found


def file_keys(group: Group) -> set[int]:
    """The keys of the files that raise a message."""
    return {
        keys.file_key(frames.segments(record.file if isinstance(record, Site) else record.file_path))
        for record in group.records
    }


def in_files(sites: Iterable[Site], found: Collection[int]) -> Iterator[Site]:
    """Those of the sites whose file has one of the keys."""
    return (site for site in sites if keys.file_key(site.segments) in found)
