"""Reads a lookup index, wherever its files are: in memory, in a folder, at an address."""

import json
import urllib.error
import urllib.request
from collections.abc import Callable, Iterable
from pathlib import Path

from generator.dataset import Dataset
from generator.lookup import entries, index, messages
from generator.lookup.entries import Entry
from generator.lookup.filters import Filter
from generator.lookup.messages import Raised
from generator.problems import MachineError, UsageError

Fetch = Callable[[str], bytes | None]
"""The bytes of a file of a site by its path; None if there is no such file."""

SECONDS = 20


class KeySet:
    """One of an index's sets of keys, read as it is asked."""

    def __init__(self, fetch: Fetch, name: str, bits: int) -> None:
        self._fetch, self._name, self._bits = fetch, name, bits
        self._filter: Filter | None = None
        self._shards: dict[int, list[Entry]] = {}

    def __contains__(self, key: int) -> bool:
        if self._filter is None:
            self._filter = Filter(self._fetch(f"{index.FOLDER}{self._name}.bin") or b"")
        return key in self._filter

    def shard(self, key: int) -> int:
        """The number of the shard that has the entries of `key`, and others."""
        return index.shard(key, self._bits)

    def entries(self, shard: int) -> list[Entry]:
        """The entries of a shard."""
        if shard not in self._shards:
            content = self._fetch(index.shard_path(self._name, shard))
            self._shards[shard] = entries.decode(content) if content else []
        return self._shards[shard]


class Index:
    """A lookup index; what it is asked for twice is read once."""

    def __init__(self, fetch: Fetch, where: str = "lookup index") -> None:
        content = fetch(index.MANIFEST)
        if content is None:
            raise UsageError(f"{where}: has no {index.MANIFEST}; give the root of a site that Errordex built")
        try:
            manifest = json.loads(content)
            form, bits = manifest["format"], {name: manifest[name]["shardBits"] for name in ("first", "wider")}
        except (ValueError, KeyError, TypeError):
            raise UsageError(f"{where}: {index.MANIFEST} is no index; build the site again") from None
        if form > index.FORMAT:
            raise UsageError(f"{where}: the index has format {form}, known is {index.FORMAT}; update Errordex")
        self.version: str = manifest.get("datasetVersion", "")
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
        if site.startswith(("http://", "https://")):
            return cls(_remote(site if site.endswith("/") else f"{site}/"), site)
        return cls(_local(Path(site)), site)


def _local(root: Path) -> Fetch:
    def fetch(path: str) -> bytes | None:
        file = root / path
        return file.read_bytes() if file.is_file() else None

    return fetch


def _remote(base: str) -> Fetch:
    def fetch(path: str) -> bytes | None:
        try:
            with urllib.request.urlopen(f"{base}{path}", timeout=SECONDS) as answer:  # noqa: S310 - http(s) alone
                return bytes(answer.read())
        except urllib.error.HTTPError as error:
            if error.code == 404:
                return None
            raise MachineError(f"{base}{path}: the host answers {error.code}; try again later") from None
        except OSError as error:
            raise MachineError(f"{base}{path}: cannot be read ({error}); check the address and the network") from None

    return fetch
