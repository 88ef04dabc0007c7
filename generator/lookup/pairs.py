"""Keys and what has them, as two flat arrays: small on disk, quick to read, asked in one pass for many."""

from array import array
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator

import msgspec

ONE_BY_ONE = 1_000
"""Up to this many pairs are taken out one by one; beyond, the others are copied."""

FEW_OWNERS = 16

PARTS = 4
"""Parts of the keys that are counted one after another: a count takes 150 bytes."""


class Pairs:
    """Pairs of a key (32 bits) and its owner (64 bits), in no order; a pair may be there more than once."""

    def __init__(self, keys: bytes = b"", owners: bytes = b"") -> None:
        self._keys, self._owners = array("I", keys), array("Q", owners)

    def __iter__(self) -> Iterator[int]:
        """The keys, as often as they are there."""
        return iter(self._keys)

    def __len__(self) -> int:
        """How many pairs there are."""
        return len(self._keys)

    @property
    def packed(self) -> tuple[bytes, bytes]:
        """The arguments that make these pairs again, on this machine."""
        return self._keys.tobytes(), self._owners.tobytes()

    def add(self, owner: int, keys: Iterable[int]) -> None:
        """Add an owner's keys."""
        before = len(self._keys)
        self._keys.extend(keys)
        self._owners.extend([owner] * (len(self._keys) - before))

    def remove(self, owners: Collection[int]) -> None:
        """Remove all pairs of these owners."""
        places = self._places(owners)
        if len(places) <= ONE_BY_ONE:
            for place in reversed(places):
                del self._keys[place], self._owners[place]
        else:
            gone = set(places)
            kept = [place for place in range(len(self)) if place not in gone]
            self._keys = array("I", map(self._keys.__getitem__, kept))
            self._owners = array("Q", map(self._owners.__getitem__, kept))

    def counts(self, keys: Collection[int]) -> Counter[int]:
        """How many pairs each of these keys is in."""
        return Counter([key for key in self._keys if key in keys]) if keys else Counter()

    def owners(self, keys: Collection[int]) -> dict[int, list[int]]:
        """The owners of these keys, by key."""
        found: defaultdict[int, list[int]] = defaultdict(list)
        if keys:
            for key, owner in zip(self._keys, self._owners, strict=True):
                if key in keys:
                    found[key].append(owner)
        return dict(found)

    def keys(self, owners: Collection[int]) -> dict[int, list[int]]:
        """The keys of these owners, by owner."""
        found: defaultdict[int, list[int]] = defaultdict(list)
        for place in self._places(owners):
            found[self._owners[place]].append(self._keys[place])
        return dict(found)

    def _places(self, owners: Collection[int]) -> list[int]:
        """Where these owners stand, in order; a few are looked for as bytes, which is quicker."""
        if len(owners) > FEW_OWNERS:
            return [place for place, owner in enumerate(self._owners) if owner in owners]
        content, size = self._owners.tobytes() if owners else b"", self._owners.itemsize
        found = set[int]()
        for owner in owners:
            sought = array("Q", [owner]).tobytes()
            place = content.find(sought)
            while place >= 0:
                if place % size == 0:
                    found.add(place // size)
                place = content.find(sought, place + 1)
        return sorted(found)


def counted(tables: Collection[Pairs]) -> Iterator[Counter[int]]:
    """How many pairs each key of some tables is in, a part of the keys at a time."""
    for part in range(PARTS):
        yield Counter([key for pairs in tables for key in pairs if key % PARTS == part])


class Laid(msgspec.Struct, array_like=True):
    """One of the index's two sets of keys as it was made: its shard bits, -1 before; what is posted; its keys."""

    bits: int = -1
    posted: int = 0
    keys: int = 0


class State(msgspec.Struct, array_like=True):
    """What was known of an index when it was made: enough to change it in a few places.

    `messages` are the messages' ids and their patterns' ids, 0 for one that cannot be looked for; `tables` are
    pairs, packed, by name.
    """

    key: bytes = b""
    messages: tuple[bytes, bytes] = (b"", b"")
    tables: dict[str, tuple[bytes, bytes]] = msgspec.field(default_factory=dict)
    laid: dict[str, Laid] = msgspec.field(default_factory=dict)

    @property
    def known(self) -> dict[int, int]:
        """The patterns' ids by the messages'."""
        ids, patterns = (array("Q", part) for part in self.messages)
        return dict(zip(ids, patterns, strict=True))
