"""What a `messagePattern` is compiled to: a small program, which is found in a text without running anything.

A program is plain values, and means the same in Python and in JavaScript. As JSON:

    {"branches": [[piece, …], …], "holes": [name or null, …]}

A text matches if one of the branches does. The pieces of a branch follow one another:

    "Expected "                           the literal text
    ["gap", min, max, chars, hole]        min to max characters of a class; max null: no limit
    ["or", [[piece, …], …], skip, hole]   one of the alternatives, or nothing where skip is true
    ["at", "^"]                           at the start of the text
    ["at", "$"]                           at its end, or before a line feed that ends it
    ["at", "z"]                           at its end
    ["edge", n]                           n characters back, just one neighbour is a word character

`chars` is `[negated, [[low, high], …]]`, sorted ranges of code points that do not touch; `.` is
`[true, []]`: any character, line feeds too. `hole` is an index into `holes`,
or null. A word character is one of `A-Za-z0-9_`. Characters are Unicode code points, and positions
count them: a port to UTF-16 converts.

The text of `matching` says which match is taken where there are several.
"""

from collections.abc import Iterator, Sequence

import msgspec

from generator.patterns import matching
from generator.patterns.pieces import SPACE, Branch, Gap, Or, Piece
from generator.patterns.scan import Scan

_WEAK_WITH_GAPS = 10
"""Below this specificity a program that has a gap without limit is weak."""

_WEAK_WITHOUT = 3
"""Below this specificity any program is."""


class Hole(msgspec.Struct, frozen=True):
    """What a match found for a hole: `value` is the text from `start` up to `end`."""

    index: int
    name: str | None
    start: int
    end: int
    value: str


class Match(msgspec.Struct, frozen=True):
    """Where a program matched, and its holes by index; those of parts not taken are left out."""

    start: int
    end: int
    holes: tuple[Hole, ...]

    @property
    def span(self) -> tuple[int, int]:
        """Start and end."""
        return self.start, self.end


class Program(msgspec.Struct, frozen=True):
    """A compiled pattern; the module's text describes format and meaning."""

    branches: tuple[Branch, ...]
    holes: tuple[str | None, ...] = ()

    def search(self, text: str, start: int = 0) -> Match | None:
        """The first match that begins at `start` or later; `^` is the text's start all the same."""
        return self._match(text, matching.search(Scan(text), self.branches, min(max(0, start), len(text))))

    def fullmatch(self, text: str) -> Match | None:
        """The match from the text's start to its end, of the first branch that has one."""
        scan = Scan(text)
        for branch in self.branches:
            if found := matching.filled(scan, branch, 0, len(text)):
                return self._match(text, found)
        return None

    def _match(self, text: str, found: matching.Found | None) -> Match | None:
        if found is None:
            return None
        (start, end), spans = found
        holes = (Hole(index, self.holes[index], *span, text[slice(*span)]) for index, span in sorted(spans.items()))
        return Match(start, end, tuple(holes))

    def cost(self, text: str) -> int:
        """The steps of a `search`: characters looked at and intervals made, whatever the machine."""
        scan = Scan(text)
        matching.search(scan, self.branches, 0)
        return scan.steps

    @property
    def literals(self) -> tuple[str, ...]:
        """Every literal piece, in the order written, those of alternatives included."""
        return tuple(literal for branch in self.branches for literal in _literals(branch))

    @property
    def required(self) -> tuple[tuple[str, ...], ...]:
        """For each branch the literals that every match of it holds, in order."""
        return tuple(tuple(piece for piece in branch if isinstance(piece, str)) for branch in self.branches)

    @property
    def specificity(self) -> int:
        """How many characters other than white space every match must hold at given places."""
        return min(_fixed(branch) for branch in self.branches)

    @property
    def is_weak(self) -> bool:
        """Whether it is nearly all hole, so that a match says little by itself."""
        open_ended = any(gap.max is None for branch in self.branches for gap in _gaps(branch))
        return self.specificity < (_WEAK_WITH_GAPS if open_ended else _WEAK_WITHOUT)

    def to_json(self) -> bytes:
        """The program as compact JSON, UTF-8; equal programs give equal bytes."""
        return msgspec.json.encode(self)

    @classmethod
    def from_json(cls, content: bytes) -> "Program":
        """The program that `to_json` wrote; raises `msgspec.DecodeError` on another form."""
        return msgspec.json.decode(content, type=cls)


def _literals(pieces: Sequence[Piece]) -> Iterator[str]:
    for piece in pieces:
        if isinstance(piece, str):
            yield piece
        elif isinstance(piece, Or):
            for alternative in piece.alternatives:
                yield from _literals(alternative)


def _gaps(pieces: Sequence[Piece]) -> Iterator[Gap]:
    for piece in pieces:
        if isinstance(piece, Gap):
            yield piece
        elif isinstance(piece, Or):
            for alternative in piece.alternatives:
                yield from _gaps(alternative)


def _fixed(pieces: Sequence[Piece]) -> int:
    """Characters other than white space that every match of `pieces` holds."""
    count = 0
    for piece in pieces:
        if isinstance(piece, str):
            count += sum(char not in SPACE for char in piece)
        elif isinstance(piece, Gap) and piece.chars.only not in (None, *SPACE):
            count += piece.min
        elif isinstance(piece, Or) and not piece.skip:
            count += min(_fixed(alternative) for alternative in piece.alternatives)
    return count
