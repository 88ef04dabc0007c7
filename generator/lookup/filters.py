"""A Bloom filter of keys: says that a key is surely not in a set, or that it may be.

Bit number n is bit n mod 8 of byte n // 8. A key sets the bits `(a + i * b) mod size` for i from 0 to
`HASHES - 1`, where a is the scrambled key and b the scrambled complement of it, made odd.
"""

from collections.abc import Collection
from dataclasses import dataclass

from generator.lookup.tokens import MASK, scrambled

HASHES = 4
BITS_A_KEY = 12
"""Where there is room: one key in 200 is then taken for another's."""

LEAST_BITS_A_KEY = 7.5
ROOM = 36_000
"""Bytes that a filter may always have; beyond, a key gets the least number of bits."""


@dataclass(frozen=True, slots=True)
class Filter:
    """A set of keys, as bits."""

    bits: bytes

    def __contains__(self, key: int) -> bool:
        size = len(self.bits) * 8
        if not size:
            return False
        at, step = _start(key)
        for _ in range(HASHES):
            bit = at % size
            if not self.bits[bit >> 3] >> (bit & 7) & 1:
                return False
            at += step
        return True


def build(keys: Collection[int]) -> Filter:
    """The filter of `keys`; its size follows from their number."""
    bits = bytearray(size(len(keys)))
    count = len(bits) * 8
    for key in keys:
        at, step = _start(key)
        for _ in range(HASHES):
            bit = at % count
            bits[bit >> 3] |= 1 << (bit & 7)
            at += step
    return Filter(bytes(bits))


def size(count: int) -> int:
    """The bytes of a filter of that many keys."""
    if not count:
        return 0
    ample, least = count * BITS_A_KEY // 8 + 1, int(count * LEAST_BITS_A_KEY) // 8 + 1
    return min(ample, max(ROOM, least))


def _start(key: int) -> tuple[int, int]:
    return scrambled(key), scrambled(key ^ MASK) | 1
