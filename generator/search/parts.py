"""Groups records into parts that are indexed, kept and asked one by one."""

import hashlib
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache

from generator.dataset import Dataset, Entry

PART_RECORDS = 12_800
"""The most records that a part has on average: some 900 MB to build.

A question asks each part for a file a word, so twice the parts are twice the requests.
"""

FORMAT = 2
"""Raised when what is fed changes, so that parts built before are built anew."""


@dataclass(frozen=True, slots=True)
class Part:
    """A group of records that are indexed together: its number, and its entries in the dataset's order."""

    number: int
    entries: tuple[Entry, ...]

    @property
    def path(self) -> str:
        """The folder of its index, below the site's root."""
        return f"search/records/{self.number:02x}/"

    def key(self, version: str) -> str:
        """Changes when the part must be built anew; `version` is Pagefind's."""
        digest = hashlib.sha256(f"{FORMAT} {version}".encode())
        for entry in self.entries:
            digest.update(f"\n{entry.uri} ".encode() + entry.raw_digest)
        return digest.hexdigest()[:16]


def parts(dataset: Dataset) -> list[Part]:
    """The records that are not withdrawn, by repository, in a power of two of parts.

    There are more parts of a larger dataset; for one number of parts no record ever changes its part. A
    repository of more than half a part is spread over all of them.
    """
    entries = dataset.live
    count = 1
    while len(entries) > count * PART_RECORDS:
        count *= 2
    sizes = Counter(entry.repo for entry in entries)
    grouped: list[list[Entry]] = [[] for _ in range(count)]
    for entry in entries:
        large = sizes[entry.repo] > PART_RECORDS // 2
        grouped[_place(entry.id if large else entry.repo.casefold(), count)].append(entry)
    return [Part(number, tuple(group)) for number, group in enumerate(grouped)]


@lru_cache(maxsize=1 << 16)
def _place(name: str, count: int) -> int:
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:4]) % count
