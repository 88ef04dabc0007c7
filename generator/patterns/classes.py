"""Classes of characters: their ranges, and how they are written between brackets."""

from collections.abc import Iterable

from generator.patterns.pieces import Chars

MAX_CODE_POINT = 0x10FFFF

Ranges = tuple[tuple[int, int], ...]
"""Sorted ranges of code points, both ends included, that do not touch."""


def chars(ranges: Iterable[tuple[int, int]], *, negated: bool = False) -> Chars:
    """The class of `ranges`, or if `negated` of all else.

    Equal classes are spelt equally: ranges never reach the last code point, for then the rest is spelt.
    """
    merged = _merged(ranges)
    if merged and merged[-1][1] == MAX_CODE_POINT:
        merged, negated = complement(merged), not negated
    return Chars(negated, merged)


def _merged(ranges: Iterable[tuple[int, int]]) -> Ranges:
    merged: list[tuple[int, int]] = []
    for low, high in sorted(ranges):
        if merged and low <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(high, merged[-1][1]))
        else:
            merged.append((low, high))
    return tuple(merged)


def complement(ranges: Ranges) -> Ranges:
    """All code points but `ranges`."""
    lows = [0, *(high + 1 for _, high in ranges)]
    highs = [*(low - 1 for low, _ in ranges), MAX_CODE_POINT]
    return tuple((low, high) for low, high in zip(lows, highs, strict=True) if low <= high)


def ranges_of(those: Chars) -> Ranges:
    """The ranges of a class, whether or not it is spelt by what is not in it."""
    return complement(those.ranges) if those.negated else those.ranges


def _named(*ranges: tuple[str, str]) -> Chars:
    return chars((ord(low), ord(high)) for low, high in ranges)


ANY = Chars(True, ())
DIGIT = _named(("0", "9"))
WORD = _named(("A", "Z"), ("a", "z"), ("0", "9"), ("_", "_"))
SPACE = _named((" ", " "), ("\t", "\r"))

SHORTHANDS = {
    "d": DIGIT,
    "w": WORD,
    "s": SPACE,
    "D": Chars(True, DIGIT.ranges),
    "W": Chars(True, WORD.ranges),
    "S": Chars(True, SPACE.ranges),
}
"""What `\\d` and its like mean: ASCII alone, in every language that runs a program."""


def is_space(those: Chars) -> bool:
    """Whether only white space is in the class."""
    return not those.negated and all(_is_within(span, SPACE.ranges) for span in those.ranges)


def _is_within(span: tuple[int, int], ranges: Ranges) -> bool:
    return any(low <= span[0] and span[1] <= high for low, high in ranges)
