"""Cuts a folded text into tokens, and hashes one to three of them to a key.

A token is a run of ASCII letters, digits and `_`, or of other characters from U+00C0 on; of Chinese,
Japanese and Korean scripts each character is one. ASCII letters are compared without case.

The key of tokens t1 … tn is the sum of `crc32(ti) * MULTIPLIERS[i]` and `SEEDS[n]`, modulo 2³²; a token
is hashed in UTF-8.
"""

import re
import zlib
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

WORD = r"[A-Za-z0-9_\u00c0-\u2dff\ua4d0-\uabff\ufb00-\ufefe]+|[\u2e80-\ua4cf\uac00-\ud7ff\uf900-\ufaff]"
MAX_TOKEN = 64
"""Characters of a token that count."""

MULTIPLIERS = (0x9E3779B1, 0x85EBCA77, 0xC2B2AE3D)
SEEDS = (0, 0x27D4EB2F, 0x165667B1, 0xD3A2646D)
MASK = 0xFFFFFFFF

_WORD = re.compile(WORD)
_LOWER = str.maketrans("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz")


class Token(NamedTuple):
    """A token in lower case, and where it stands: from `start` up to `end`."""

    text: str
    start: int
    end: int


def is_number(word: str) -> bool:
    """Whether a token is nothing but the digits 0 to 9."""
    return word.isascii() and word.isdigit()


def tokens(text: str) -> list[Token]:
    """The tokens of a folded text, in order."""
    return [Token(lower(match.group()), *match.span()) for match in _WORD.finditer(text)]


def words(text: str) -> list[str]:
    """The texts of the tokens."""
    return [lower(word) for word in _WORD.findall(text)]


def lower(word: str) -> str:
    """`word` cut to what counts, its ASCII letters in lower case."""
    return word[:MAX_TOKEN].translate(_LOWER)


@lru_cache(maxsize=1 << 12)
def hashed(word: str) -> int:
    """The hash of a token, 32 bits."""
    return zlib.crc32(word.encode())


def key(hashes: Sequence[int]) -> int:
    """The key of one to three hashed tokens, 32 bits."""
    total = SEEDS[len(hashes)]
    for multiplier, value in zip(MULTIPLIERS, hashes, strict=False):
        total += value * multiplier
    return total & MASK


def key_of(shingle: Iterable[str]) -> int:
    """The key of one to three tokens."""
    return key([hashed(word) for word in shingle])


def scrambled(value: int) -> int:
    """32 bits mixed so that each depends on all (the finaliser of MurmurHash3, public domain)."""
    value ^= value >> 16
    value = value * 0x85EBCA6B & MASK
    value ^= value >> 13
    value = value * 0xC2B2AE35 & MASK
    return value ^ value >> 16
