"""Finds the pieces of a program in a text, in time proportional to length of text times pieces.

Sets of positions, kept as sorted intervals that do not touch, are passed from piece to piece: the
positions after a piece are exactly those that some way of matching reaches. So whether there is a match
is just what a backtracking engine would say.

Which match, where there are several:

- It begins at the first position that any match begins at (of branches that begin there, the first
  counts). But a branch whose first piece is `.` without limit begins on the line where the rest of it
  first can.
- A part at the branch's end that may be left out is taken if it fits. Of the ends then reachable only
  the last of neighbouring ones count; the match ends at the first that has white space or the text's
  end after it, or else at the first. If the branch can end in `.` without limit, of neighbouring ends
  the first at a line's end counts instead, and it is a line's end that is looked for.
- From left to right between that begin and that end, `.` takes as little as the rest allows, and other
  classes as much; the first alternative that fits is taken, and nothing only if none fits.
"""

from collections.abc import Sequence

from generator.patterns import intervals
from generator.patterns.intervals import Position, Positions
from generator.patterns.pieces import SPACE, At, Branch, Edge, Gap, Or, Piece
from generator.patterns.scan import Run, Scan

Span = tuple[Position, Position]
"""From the first position to the one after the last."""

Found = tuple[Span, dict[int, Span]]
"""The span of a match, and the spans of the holes that took part, by their index."""


class _Path:
    """A sequence of pieces on its way through a text.

    `reached[i]` are the positions before piece i. `forward` fills it, `backward` narrows it to those
    from which the given ends are reached, `walk` takes one way through. For each gap `runs` are the
    stretches it may run through, for each group `inner` the paths of its alternatives, and `stays` the
    positions at which it may be left out.
    """

    __slots__ = ("inner", "pieces", "reached", "runs", "scan", "stays")

    def __init__(self, scan: Scan, pieces: Sequence[Piece]) -> None:
        self.scan = scan
        self.pieces = pieces
        self.reached: list[Positions] = []
        self.runs: dict[int, list[Run]] = {}
        self.inner: dict[int, list[_Path]] = {}
        self.stays: dict[int, Positions] = {}

    def forward(self, positions: Positions, *, outer: bool, eager: bool = False) -> Positions:
        """The ends reached from `positions`; if `eager`, optional parts at the end are taken where they fit.

        While an `outer` sequence is nothing but literals with loose gaps between, only the first
        place of each literal matters, and no other is looked for.
        """
        self.reached = [positions]
        simple = outer
        for index, piece in enumerate(self.pieces):
            if isinstance(piece, str):
                simple = simple and _is_loose(self.pieces, index + 1)
                positions = self.scan.after_literal(piece, positions, first=simple)
            else:
                simple = simple and _is_loose(self.pieces, index)
                before, positions = positions, self._after(index, piece, positions)
                if eager and isinstance(piece, Or) and piece.skip and all(map(_may_be_empty, self.pieces[index:])):
                    positions = self._taken(index, before)
            self.reached.append(positions)
            self.scan.steps += len(positions)
            if not positions:
                self.reached += [[]] * (len(self.pieces) - index - 1)
                break
        return positions

    def _after(self, index: int, piece: Gap | At | Edge | Or, positions: Positions) -> Positions:
        if isinstance(piece, Gap):
            self.runs[index] = self.scan.runs(piece.chars, positions)
            ends = _after_gap(piece, self.runs[index])
            return intervals.union(positions, ends) if piece.min == 0 else ends
        if isinstance(piece, At):
            return self.scan.at(piece, positions)
        if isinstance(piece, Edge):
            return self.scan.at_edge(piece, positions)
        ends = self.stays[index] = positions if piece.skip else []
        self.inner[index] = [_Path(self.scan, alternative) for alternative in piece.alternatives]
        for path in self.inner[index]:
            ends = intervals.union(ends, path.forward(positions, outer=False))
        return ends

    def _taken(self, index: int, positions: Positions) -> Positions:
        """The ends of an optional part, or where it does not fit its beginnings."""
        begins: Positions = []
        ends: Positions = []
        for path in self.inner[index]:
            ends = intervals.union(ends, path.reached[-1])
            begins = intervals.union(begins, path.backward(path.reached[-1]))
        self.stays[index] = intervals.difference(positions, begins)
        return intervals.union(ends, self.stays[index])

    def backward(self, ends: Positions) -> Positions:
        """The positions of the beginning from which `ends`, some of those reached, are reached."""
        if not ends:
            self.reached = [[] for _ in self.reached]
            return []
        self.reached[-1] = ends
        for index in range(len(self.pieces) - 1, -1, -1):
            self.reached[index] = self._before(index, self.pieces[index], self.reached[index + 1])
            self.scan.steps += len(self.reached[index])
        return self.reached[0]

    def _before(self, index: int, piece: Piece, ends: Positions) -> Positions:
        if isinstance(piece, str):
            return [(low - len(piece), high - len(piece)) for low, high in ends]
        if isinstance(piece, (At, Edge)):
            return ends
        if isinstance(piece, Gap):
            begins = intervals.intersection(self.reached[index], ends) if piece.min == 0 else []
            return intervals.union(begins, _before_gap(piece, self.runs[index], ends))
        begins = intervals.intersection(self.stays[index], ends)
        for path in self.inner[index]:
            begins = intervals.union(begins, path.backward(intervals.intersection(path.reached[-1], ends)))
        return begins

    def walk(self, at: Position, spans: dict[int, Span]) -> Position:
        """Go from `at`, which is in `reached[0]`, to the end; note in `spans` what the holes took."""
        for index, piece in enumerate(self.pieces):
            if isinstance(piece, str):
                at += len(piece)
            elif isinstance(piece, Gap):
                at = _noted(spans, piece.hole, at, self._gap_end(index, piece, at))
            elif isinstance(piece, Or):
                at = self._or_end(index, piece, at, spans)
        return at

    def _gap_end(self, index: int, gap: Gap, at: Position) -> Position:
        following = self.reached[index + 1]
        if gap.chars.is_any:
            return intervals.first_from(following, at + gap.min)
        end = self.scan.skip(gap.chars, at, len(self.scan.text), inside=True)
        return intervals.last_up_to(following, end if gap.max is None else min(end, at + gap.max))

    def _or_end(self, index: int, piece: Or, at: Position, spans: dict[int, Span]) -> Position:
        for path in self.inner[index]:
            if intervals.holds(path.reached[0], at):
                return _noted(spans, piece.hole, at, path.walk(at, spans))
        return at


def _noted(spans: dict[int, Span], hole: int | None, start: Position, end: Position) -> Position:
    if hole is not None:
        spans[hole] = (start, end)
    return end


def _may_be_empty(piece: Piece) -> bool:
    return (isinstance(piece, Gap) and piece.min == 0) or (isinstance(piece, Or) and piece.skip)


def _is_loose(pieces: Sequence[Piece], index: int) -> bool:
    if index >= len(pieces):
        return False
    piece = pieces[index]
    return isinstance(piece, Gap) and piece.is_loose


def _after_gap(gap: Gap, runs: list[Run]) -> Positions:
    """Where `gap` ends if it begins at a position of `runs`."""
    ends: Positions = []
    for end, begins in runs:
        for low, high in begins:
            if low + gap.min <= end:
                intervals.add(ends, low + gap.min, end if gap.max is None else min(end, high + gap.max))
    return ends


def _before_gap(gap: Gap, runs: list[Run], ends: Positions) -> Positions:
    """The positions of `runs` from which `gap` reaches one of `ends`."""
    found: Positions = []
    index = 0
    for stop, begins in runs:
        least = begins[0][0]
        while index < len(ends) and ends[index][1] < least + gap.min:
            index += 1
        reaching: Positions = []
        for low, high in intervals.until(ends, index, stop):
            intervals.add(reaching, least if gap.max is None else low - gap.max, min(high, stop) - gap.min)
        found += intervals.intersection(begins, reaching)
    return found


def search(scan: Scan, branches: Sequence[Branch], start: Position) -> Found | None:
    """The match of the first branch that begins first, from `start` on."""
    best: tuple[Position, Branch] | None = None
    for branch in branches:
        begin = _begin(scan, branch, start)
        if begin is not None and (best is None or begin < best[0]):
            best = begin, branch
    return filled(scan, best[1], best[0]) if best else None


def _begin(scan: Scan, branch: Branch, start: Position) -> Position | None:
    """Where the first match of `branch` from `start` on begins."""
    if not all(scan.holds(piece, start) for piece in branch if isinstance(piece, str)):
        return None
    path = _Path(scan, branch)
    if not (ends := path.forward([(start, len(scan.text))], outer=True)):
        return None
    begin = path.backward(ends)[0][0]
    lead = branch[0] if branch else None
    if isinstance(lead, Gap) and lead.is_loose:
        rest = path.reached[1][0][0]
        begin = max(begin, scan.text.rfind("\n", begin, rest - lead.min) + 1)
    return begin


def filled(scan: Scan, branch: Branch, begin: Position, end: Position | None = None) -> Found | None:
    """The match of `branch` from `begin` to `end`, or to the end that is chosen among those there are."""
    path = _Path(scan, branch)
    ends = path.forward([(begin, begin)], outer=True, eager=end is None)
    if not ends or (end is not None and not intervals.holds(ends, end)):
        return None
    if end is None:
        end = _end(scan.text, ends, ends_open(branch))
    path.backward([(end, end)])
    holes: dict[int, Span] = {}
    path.walk(begin, holes)
    return (begin, end), holes


def _end(text: str, ends: Positions, ends_open: bool) -> Position:
    """The end to choose among `ends`."""
    first = -1
    for low, high in ends:
        line = text.find("\n", low, high) if ends_open else -1
        end = high if line < 0 else line
        if end == len(text) or text[end] in ("\n" if ends_open else SPACE):
            return end
        first = end if first < 0 else first
    return first


def ends_open(pieces: Sequence[Piece]) -> bool:
    """Whether a match of `pieces` can end in `.` without limit."""
    for piece in reversed(pieces):
        if isinstance(piece, Gap):
            if piece.is_loose or piece.min > 0:
                return piece.is_loose
        elif isinstance(piece, Or):
            if any(ends_open(alternative) for alternative in piece.alternatives):
                return True
            if not piece.skip:
                return False
        elif isinstance(piece, str):
            return False
    return False
