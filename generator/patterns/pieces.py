"""The pieces that a program is made of.

The text of `programs` describes what they mean and how they look as JSON.
"""

from collections.abc import Iterable, Sequence
from typing import Literal

import msgspec

WORD = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_")
SPACE = frozenset(" \t\n\r\f\v")


class Chars(msgspec.Struct, frozen=True, array_like=True):
    """A class of characters: those in `ranges`, or if `negated` all others."""

    negated: bool
    ranges: tuple[tuple[int, int], ...]

    @property
    def is_any(self) -> bool:
        """Whether every character is in the class."""
        return self.negated and not self.ranges

    @property
    def only(self) -> str | None:
        """The character of a class of one."""
        if not self.negated and len(self.ranges) == 1 and self.ranges[0][0] == self.ranges[0][1]:
            return chr(self.ranges[0][0])
        return None


class Gap(msgspec.Struct, frozen=True, array_like=True, tag="gap"):
    """`min` to `max` characters of a class; without `max` any number."""

    min: int
    max: int | None
    chars: Chars
    hole: int | None = None

    @property
    def is_loose(self) -> bool:
        """Whether from here on every position can be reached."""
        return self.max is None and self.chars.is_any


class At(msgspec.Struct, frozen=True, array_like=True, tag="at"):
    """A place in the text: `^` its start, `$` its end or before a line feed there, `z` its end."""

    place: Literal["^", "$", "z"]


class Edge(msgspec.Struct, frozen=True, array_like=True, tag="edge"):
    """The edge of a word, `back` characters before here."""

    back: int


class Or(msgspec.Struct, frozen=True, array_like=True, tag="or"):
    """One of the alternatives, the first that fits; nothing, if `skip` and none fits."""

    alternatives: "tuple[Branch, ...]"
    skip: bool = False
    hole: int | None = None


Piece = str | Gap | At | Edge | Or
Branch = tuple[Piece, ...]


def joined(pieces: Iterable[Piece]) -> list[Piece]:
    """`pieces` with neighbouring literals made one, the edges of words between them put after.

    An edge before a literal is found by looking back from its end: finding the literal first is faster.
    """
    joined: list[Piece] = []
    for piece in pieces:
        if not isinstance(piece, str):
            joined.append(piece)
        elif piece:
            edges: list[Edge] = []
            while joined and isinstance(edge := joined[-1], Edge):
                edges.insert(0, Edge(edge.back + len(piece)))
                joined.pop()
            before = joined.pop() if joined and isinstance(joined[-1], str) else ""
            joined += [f"{before}{piece}", *edges]
    return joined


def grouped(alternatives: list[tuple[Piece, ...]], *, skip: bool, hole: int | None) -> Sequence[Piece]:
    """A group's pieces: as they are if it only holds together, one gap if it only names it."""
    if len(alternatives) == 1 and not skip:
        pieces = alternatives[0]
        if hole is None:
            return pieces
        if len(pieces) == 1 and isinstance(gap := pieces[0], Gap):
            return [Gap(gap.min, gap.max, gap.chars, hole)]
    return [Or(tuple(alternatives), skip, hole)]


def count(pieces: Sequence[Piece]) -> int:
    """How many pieces there are, those of alternatives included."""
    groups = [piece for piece in pieces if isinstance(piece, Or)]
    return len(pieces) + sum(count(alternative) for group in groups for alternative in group.alternatives)
