"""Makes the lookup index: two sets of keys, each a filter and shards of entries, and a manifest.

`first` has one key a message and finds most; `wider` has more, and is asked for drifted wording alone. It also
has what messages begin with and the files that raise them, which a reader asks for without the filter, at the
beginnings of a paste's messages and for the frames that raised. The shard of a key is its first bits; how many
shards there are follows from how many entries, and doubles rarely, so that a changed record changes few files.
"""

import json
from array import array
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping

from generator.dataset import Dataset
from generator.files import File
from generator.lookup import entries as forms
from generator.lookup import filters, keys, messages, tokens
from generator.lookup.entries import Packed, Site
from generator.lookup.messages import Group, Raised
from generator.lookup.pairs import State
from generator.lookup.posting import FILTERED, OF_FILES, UNFILTERED, Posting

FOLDER = "api/lookup/"
MANIFEST = f"{FOLDER}index.json"
FORMAT = 1
"""The version of the format; a reader refuses a larger one."""

TOGETHER = 2_048
"""Shards whose messages are looked for in one pass over all keys."""

ENTRIES_A_SHARD = {"first": 8, "wider": 48}


def index_files(dataset: Dataset) -> Iterator[File]:
    """Every file of the index, below `api/lookup/`."""
    return _files(messages.of_dataset(dataset), dataset.version)


def files(records: Iterable[Raised], version: str = "") -> Iterator[File]:
    """The index of these records; equal records give equal bytes, in any order."""
    return _files(messages.grouped(records), version)


def _files(groups: Mapping[int, Group], version: str) -> Iterator[File]:
    for path, content in Remade(State(), groups, version).files():
        if content is not None:
            yield File(path, content)


class Remade:
    """The index of `groups`, as it differs from the one whose state is `before`."""

    def __init__(self, before: State, groups: Mapping[int, Group], version: str) -> None:
        self._groups, self._version = groups, version
        self._posting = Posting(before, groups)
        laid = self._posting.laid
        self._bits = {name: _shard_bits(laid[name].posted, size) for name, size in ENTRIES_A_SHARD.items()}

    @property
    def anew(self) -> bool:
        """Whether nothing of the index before is used: its files that `files` does not name are to go."""
        return self._posting.anew

    def state(self, key: bytes) -> State:
        """What to know when the index is made again; `key` is the caller's own mark."""
        return self._posting.state(key, self._bits)

    def files(self) -> Iterator[tuple[str, bytes | None]]:
        """Paths and contents of the files that changed, and perhaps others; None for one that is no more."""
        manifest: dict[str, object] = {
            "format": FORMAT,
            "datasetVersion": self._version,
            "messages": self._posting.count,
        }
        for name, bits in self._bits.items():
            laid = self._posting.laid[name]
            manifest[name] = {"keys": laid.keys, "bytes": filters.size(laid.keys), "shardBits": bits}
            if name in self._posting.refiltered or laid.bits < 0:
                yield f"{FOLDER}{name}.bin", filters.build(self._keys(FILTERED[name])).bits
            yield from self._shards(name)
        yield MANIFEST, (json.dumps(manifest, separators=(",", ":")) + "\n").encode()

    def _keys(self, tables: Collection[str]) -> set[int]:
        return {key for table in tables for key in self._posting.tables[table]}

    def _shards(self, name: str) -> Iterator[tuple[str, bytes | None]]:
        bits, before = self._bits[name], self._posting.laid[name].bits
        tables = (*FILTERED[name], *UNFILTERED[name])
        if bits == before:
            remade: Collection[int] = {shard(key, bits) for key in self._posting.touched[name]}
        else:
            remade = range(1 << max(bits, before))
        ordered = self._ordered(tables, bits, remade)
        numbers, at = sorted(remade), 0
        for first in range(0, len(numbers), TOGETHER):
            found: dict[int, array[int]] = {}
            for number in numbers[first : first + TOGETHER]:
                end = at
                while end < len(ordered) and shard(ordered[end], bits) == number:
                    end += 1
                found[number] = ordered[at:end]
                at = end
            posted = self._posted(name, {key for some in found.values() for key in some})
            for number, some in found.items():
                listed = self._entries(some, posted)
                yield shard_path(name, number), forms.encode(listed) if listed else None

    def _ordered(self, tables: Collection[str], bits: int, remade: Collection[int]) -> "array[int]":
        """The keys whose shards are made again, shard by shard."""
        return array(
            "I", sorted((key for key in self._keys(tables) if shard(key, bits) in remade), key=tokens.scrambled)
        )

    def _posted(self, name: str, wanted: set[int]) -> dict[str, dict[int, list[int]]]:
        """By table of a set, which messages the wanted keys find; too many share those that find none."""
        found = {table: self._posting.tables[table].owners(wanted) for table in (*FILTERED[name], *UNFILTERED[name])}
        filtered = set[int]().union(*(found[table] for table in FILTERED[name]))
        for key in wanted - filtered:
            if sum(len(owners.get(key, ())) for owners in found.values()) > keys.CROWDED:
                for owners in found.values():
                    owners.pop(key, None)
        return found

    def _entries(
        self, found: Collection[int], posted: Mapping[str, Mapping[int, list[int]]]
    ) -> list[tuple[Packed, Collection[Site]]]:
        """The entries that some keys find."""
        whole, in_files = set[int](), defaultdict[int, set[int]](set)
        for table, owners in posted.items():
            for key in found:
                if table not in OF_FILES:
                    whole.update(owners.get(key, ()))
                else:
                    for number in owners.get(key, ()):
                        in_files[number].add(key)
        listed: list[tuple[Packed, Collection[Site]]] = [
            (self._packed_of(number), self._groups[number].sites) for number in whole
        ]
        for number in in_files.keys() - whole:
            sites = messages.in_files(self._groups[number].sites, in_files[number])
            listed.append((self._packed_of(number), tuple(sites)))
        return listed

    def _packed_of(self, number: int) -> Packed:
        packed = self._posting.packed
        if number not in packed:
            packed[number] = messages.packed(self._groups[number])
        return packed[number]


def _shard_bits(count: int, size: int) -> int:
    bits = 0
    while count > size << bits:
        bits += 1
    return bits


def shard(key: int, bits: int) -> int:
    """The number of a key's shard."""
    return tokens.scrambled(key) >> (32 - bits) if bits else 0


def shard_path(name: str, number: int) -> str:
    """Where a shard is; a shard without entries has no file."""
    return f"{FOLDER}{name}/{number:x}.json"
