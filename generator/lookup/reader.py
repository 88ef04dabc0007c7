"""Reads a lookup index, wherever its files are: in memory, in a folder, at an address."""

import json
from collections.abc import Callable, Iterable
from pathlib import Path

import msgspec

from generator.dataset import Dataset
from generator.lookup import entries, index, messages
from generator.lookup.entries import Entry
from generator.lookup.filters import Filter
from generator.lookup.messages import Raised
from generator.problems import MachineError, UsageError
from generator.transport import Folder, MirrorError, MissingError, Transport, Web

Fetch = Callable[[str], bytes | None]
"""The bytes of a file of a site by its path; None if there is no such file."""

FILE_BYTES = 8_000_000
"""The largest file of an index that is read; at 100,000 records a filter has 70 KB."""

MOST_BITS = 32

TRIES = 2
"""How often a host is asked: somebody waits."""


class KeySet:
    """One of an index's sets of keys, read as it is asked."""

    def __init__(self, fetch: Fetch, name: str, bits: int) -> None:
        self._fetch, self._name, self.bits = fetch, name, bits
        self._filter: Filter | None = None
        self._shards: dict[int, list[Entry]] = {}

    def __contains__(self, key: int) -> bool:
        if self._filter is None:
            self._filter = Filter(self._fetch(f"{index.FOLDER}{self._name}.bin") or b"")
        return key in self._filter

    def shard(self, key: int) -> int:
        """The number of the shard that has the entries of `key`, and others."""
        return index.shard(key, self.bits)

    def entries(self, shard: int) -> list[Entry]:
        """The entries of a shard."""
        if shard not in self._shards:
            content = self._fetch(index.shard_path(self._name, shard))
            try:
                self._shards[shard] = entries.decode(content) if content else []
            except (msgspec.MsgspecError, ValueError, RecursionError) as error:
                raise MachineError(
                    f"{index.shard_path(self._name, shard)}: not as the index's format says ({error}); "
                    "build the site again [EDX089]"
                ) from None
        return self._shards[shard]


class Index:
    """A lookup index; what it is asked for twice is read once."""

    def __init__(self, fetch: Fetch, where: str = "lookup index") -> None:
        content = fetch(index.MANIFEST)
        if content is None:
            raise UsageError(f"{where}: has no {index.MANIFEST}; give the root of a site that Errordex built [EDX088]")
        try:
            manifest = json.loads(content)
            form, bits = int(manifest["format"]), {name: _bits(manifest[name]) for name in ("first", "wider")}
        except (ValueError, KeyError, TypeError, RecursionError):
            raise MachineError(f"{where}: {index.MANIFEST} is no index; build the site again [EDX089]") from None
        if form > index.FORMAT:
            raise MachineError(
                f"{where}: the index has format {form}, known is {index.FORMAT}; update Errordex [EDX089]"
            )
        self.version = str(manifest.get("datasetVersion", ""))
        self.first = KeySet(fetch, "first", bits["first"])
        self.wider = KeySet(fetch, "wider", bits["wider"])

    @classmethod
    def of_records(cls, records: Iterable[Raised]) -> "Index":
        """An index in memory."""
        made = {file.path: file.content for file in index.files(records)}
        return cls(made.get)

    @classmethod
    def of_dataset(cls, dataset: Dataset) -> "Index":
        """An index in memory of a dataset's live records."""
        return cls.of_records(messages.raised(dataset))

    @classmethod
    def of_site(cls, site: str) -> "Index":
        """The index of a built site: a folder, or an address that begins with http:// or https://."""
        return cls(fetching(Web(site, tries=TRIES) if "://" in site else Folder(Path(site))), site)


def fetching(files: Transport) -> Fetch:
    """Fetches an index's files from a site; raises `MachineError` where they cannot be had."""

    def fetch(path: str) -> bytes | None:
        try:
            return files.fetch(path, FILE_BYTES)
        except MissingError:
            return None
        except MirrorError as error:
            raise MachineError(str(error.args[0])) from None

    return fetch


def _bits(described: dict[str, int]) -> int:
    """How many bits a shard's number has; `ValueError` for a number that cannot be."""
    bits = described["shardBits"]
    if not isinstance(bits, int) or not 0 <= bits <= MOST_BITS:
        raise ValueError(bits)
    return bits
