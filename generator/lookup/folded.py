"""A pattern's program as lookup runs it: over folded text whose lines were joined by single spaces.

Literals are folded like the text; white space in them is one space. A class with any white space in it
takes the space. The places `^` and `$` fall away, since where a message begins in a paste is uncertain;
ranking says whether it began and ended there.
"""

from collections.abc import Iterator, Sequence

from generator.lookup.characters import fold
from generator.patterns import Program
from generator.patterns.pieces import SPACE, Chars, Edge, Gap, Or, Piece, joined

SPACE_CODES = frozenset(map(ord, SPACE))
ONE_SPACE = Chars(False, ((ord(" "), ord(" ")),))


def folded(program: Program) -> Program:
    """The program in lookup's form, of the same holes."""
    branches = tuple(tuple(_trimmed(_pieces(branch))) for branch in program.branches)
    return Program(tuple(branch for branch in branches if branch), program.holes)


def loosened(program: Program) -> Program:
    """A folded program whose values may be empty: such a gap takes nothing too, and the space after it falls away
    where there is one before it.
    """
    return Program(tuple(tuple(_loosened(branch)) for branch in program.branches), program.holes)


def _loosened(branch: Sequence[Piece]) -> Iterator[Piece]:
    for index, piece in enumerate(branch):
        if isinstance(piece, Gap) and piece.is_loose:
            yield Gap(0, None, piece.chars, piece.hole)
        elif isinstance(piece, str) and _follows_value(branch, index) and len(piece) > 1:
            yield piece.removeprefix(" ")
        else:
            yield piece


def _follows_value(branch: Sequence[Piece], index: int) -> bool:
    if index < 2:
        return False
    before, gap = branch[index - 2], branch[index - 1]
    return isinstance(gap, Gap) and gap.is_loose and isinstance(before, str) and before.endswith(" ")


def _pieces(pieces: Sequence[Piece]) -> list[Piece]:
    changed: list[Piece] = []
    before, after = 0, 0
    for piece in pieces:
        if isinstance(piece, str):
            literal = _spaced(fold(piece))
            changed.append(literal)
            before, after = len(piece), len(literal)
        elif isinstance(piece, Gap):
            changed += _gap(piece)
        elif isinstance(piece, Or):
            changed.append(Or(tuple(tuple(_pieces(way)) for way in piece.alternatives), piece.skip, piece.hole))
        elif isinstance(piece, Edge):
            changed.append(Edge(after) if piece.back == before else piece)
    return [_spaced(piece) if isinstance(piece, str) else piece for piece in joined(changed)]


def _spaced(literal: str) -> str:
    """A literal whose runs of white space are one space each, also at its ends."""
    parts = [part for part in literal.replace("\n", " ").split(" ") if part]
    if not parts:
        return " " if literal else ""
    lead = " " if literal[0] in SPACE else ""
    tail = " " if literal[-1] in SPACE else ""
    return f"{lead}{' '.join(parts)}{tail}"


def _gap(gap: Gap) -> list[Piece]:
    ranges = gap.chars.ranges
    if gap.chars.negated or not any(low <= code <= high for low, high in ranges for code in SPACE_CODES):
        return [gap]
    only_space = all(code in SPACE_CODES for low, high in ranges for code in (low, high)) and len(ranges) <= 2
    if only_space and gap.hole is None:
        return [" "] if gap.min else [Gap(0, 1, ONE_SPACE)]
    if any(low <= ord(" ") <= high for low, high in ranges):
        return [gap]
    return [Gap(gap.min, gap.max, Chars(False, tuple(sorted((*ranges, (32, 32))))), gap.hole)]


def _trimmed(pieces: list[Piece]) -> list[Piece]:
    """Without white space at the ends: messages are found within lines."""
    if pieces and isinstance(first := pieces[0], str):
        pieces[0] = first.lstrip(" ")
    if pieces and isinstance(last := pieces[-1], str):
        pieces[-1] = last.rstrip(" ")
    return [piece for piece in pieces if piece != ""]
