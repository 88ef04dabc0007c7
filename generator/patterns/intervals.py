"""Sets of positions, as sorted intervals.

An interval is `(low, high)`, both included. Those of a set ascend and do not touch, so that equal sets
are equal lists.
"""

import sys
from bisect import bisect_right
from collections.abc import Iterator

Position = int
Positions = list[tuple[Position, Position]]


def add(positions: Positions, low: Position, high: Position) -> None:
    """Add an interval that begins no earlier than the last one does."""
    if positions and low <= positions[-1][1] + 1:
        if high > positions[-1][1]:
            positions[-1] = (positions[-1][0], high)
    else:
        positions.append((low, high))


def union(one: Positions, other: Positions) -> Positions:
    """The positions of either."""
    if not one or not other:
        return one or other
    merged: Positions = []
    for low, high in sorted(one + other):
        add(merged, low, high)
    return merged


def intersection(one: Positions, other: Positions) -> Positions:
    """The positions of both."""
    common: Positions = []
    i = j = 0
    while i < len(one) and j < len(other):
        low, high = max(one[i][0], other[j][0]), min(one[i][1], other[j][1])
        if low <= high:
            common.append((low, high))
        if one[i][1] < other[j][1]:
            i += 1
        else:
            j += 1
    return common


def difference(one: Positions, other: Positions) -> Positions:
    """The positions of `one` that are not in `other`."""
    rest: Positions = []
    index = 0
    for low, high in one:
        while index < len(other) and other[index][1] < low:
            index += 1
        begin = low
        for taken, last in until(other, index, high):
            if begin < taken:
                rest.append((begin, taken - 1))
            begin = last + 1
        if begin <= high:
            rest.append((begin, high))
    return rest


def _index(positions: Positions, at: Position) -> int:
    """The index of the last interval that begins at `at` or before; -1 if there is none."""
    return bisect_right(positions, (at, sys.maxsize)) - 1


def holds(positions: Positions, at: Position) -> bool:
    """Whether `at` is one of `positions`."""
    index = _index(positions, at)
    return index >= 0 and at <= positions[index][1]


def first_from(positions: Positions, at: Position) -> Position:
    """The first position from `at` on; there is one."""
    return at if holds(positions, at) else positions[_index(positions, at) + 1][0]


def last_up_to(positions: Positions, at: Position) -> Position:
    """The last position up to `at`; there is one."""
    return min(at, positions[_index(positions, at)][1])


def until(positions: Positions, index: int, stop: Position) -> Iterator[tuple[Position, Position]]:
    """The intervals from `index` on that begin at `stop` or before."""
    while index < len(positions) and positions[index][0] <= stop:
        yield positions[index]
        index += 1
