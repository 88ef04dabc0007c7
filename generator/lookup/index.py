"""Makes the lookup index: two sets of keys, each a filter and shards of entries, and a manifest.

`first` has one key a message and finds most; `wider` has more, and is asked for drifted wording alone. It also
has what messages begin with and the files that raise them, which a reader asks for without the filter, at the
beginnings of a paste's messages and for the frames that raised. The shard of a key is its first bits; how many
shards there are follows from how many entries, and doubles rarely, so that a changed record changes few files.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from generator.dataset import Dataset
from generator.files import File
from generator.lookup import entries as forms
from generator.lookup import filters, keys, messages, tokens
from generator.lookup.entries import Packed, Site
from generator.lookup.messages import Message, Raised

FOLDER = "api/lookup/"
MANIFEST = f"{FOLDER}index.json"
FORMAT = 1
"""The version of the format; a reader refuses a larger one."""

ENTRIES_A_SHARD = {"first": 12, "wider": 48}


def index_files(dataset: Dataset) -> Iterator[File]:
    """Every file of the index, below `api/lookup/`."""
    return files(messages.raised(dataset), dataset.version)


def files(records: Iterable[Raised], version: str = "") -> Iterator[File]:
    """The index of these records; equal records give equal bytes, in any order."""
    found = messages.messages(records)
    counts = messages.frequencies(found)
    manifest: dict[str, object] = {"format": FORMAT, "datasetVersion": version, "messages": len(found)}
    for name, post in (("first", _first), ("wider", _wider)):
        posted, filtered = post(found, counts)
        bits = _shard_bits(posted.count, ENTRIES_A_SHARD[name])
        filter_ = filters.build(filtered)
        manifest[name] = {"keys": len(filtered), "bytes": len(filter_.bits), "shardBits": bits}
        yield File(f"{FOLDER}{name}.bin", filter_.bits)
        for number, content in posted.shards(bits):
            yield File(shard_path(name, number), content)
    yield File(MANIFEST, (json.dumps(manifest, separators=(",", ":")) + "\n").encode())


class Posted:
    """Messages by key; of a file's key only the sites in that file."""

    def __init__(self) -> None:
        self._by_key: defaultdict[int, list[tuple[Message, tuple[Site, ...]]]] = defaultdict(list)

    def add(self, keys: Iterable[int], message: Message) -> None:
        """Post a message."""
        for key in keys:
            self._by_key[key].append((message, message.sites))

    def add_files(self, message: Message) -> None:
        """Post a message under each of its files."""
        by_key: defaultdict[int, list[Site]] = defaultdict(list)
        for site in message.sites:
            by_key[keys.file_key(site.segments)].append(site)
        for key, sites in by_key.items():
            self._by_key[key].append((message, tuple(sites)))

    @property
    def keys(self) -> set[int]:
        """All keys."""
        return set(self._by_key)

    @property
    def count(self) -> int:
        """How many messages there are, as often as they are posted."""
        return sum(map(len, self._by_key.values()))

    def drop_crowded(self, kept: set[int]) -> None:
        """Forget the keys that too many messages share, `kept` apart."""
        for key in [key for key, posted in self._by_key.items() if len(posted) > keys.CROWDED and key not in kept]:
            del self._by_key[key]

    def shards(self, bits: int) -> Iterator[tuple[int, bytes]]:
        """Number and content of each shard that has any message, each once."""
        numbered: defaultdict[int, list[int]] = defaultdict(list)
        for key in self._by_key:
            numbered[shard(key, bits)].append(key)
        for number in sorted(numbered):
            held: dict[str, tuple[Packed, set[Site]]] = {}
            for key in numbered[number]:
                for message, sites in self._by_key[key]:
                    held.setdefault(message.identity, (message.packed, set()))[1].update(sites)
            yield number, forms.encode(held.values())


def _first(found: list[Message], counts: Mapping[int, int]) -> tuple[Posted, set[int]]:
    posted = Posted()
    for message in found:
        words, by_file = messages.first_keys(message, counts)
        posted.add(words, message)
        if by_file:
            posted.add_files(message)
    return posted, posted.keys


def _wider(found: list[Message], counts: Mapping[int, int]) -> tuple[Posted, set[int]]:
    posted = Posted()
    for message in found:
        posted.add(messages.wider_keys(message, counts), message)
    filtered = posted.keys
    begins = messages.beginnings(found)
    for message in found:
        posted.add(messages.beginning_keys(message, begins), message)
        posted.add_files(message)
    posted.drop_crowded(filtered)
    return posted, filtered


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
