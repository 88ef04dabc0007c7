"""A text, and how single pieces move sets of positions forward in it."""

from collections.abc import Container, Iterator
from functools import lru_cache

from generator.patterns import intervals
from generator.patterns.intervals import Position, Positions
from generator.patterns.pieces import WORD, At, Chars, Edge

_LISTABLE = 512
"""Characters of a class that are listed in a set; of larger ones the ranges are searched."""


class _Ranges:
    """The characters of sorted ranges, too many to list."""

    def __init__(self, ranges: tuple[tuple[int, int], ...]) -> None:
        self._ranges = list(ranges)

    def __contains__(self, char: object) -> bool:
        return isinstance(char, str) and intervals.holds(self._ranges, ord(char))


@lru_cache(maxsize=1024)
def _listed(ranges: tuple[tuple[int, int], ...]) -> Container[str]:
    if sum(high - low + 1 for low, high in ranges) > _LISTABLE:
        return _Ranges(ranges)
    return frozenset(chr(code) for low, high in ranges for code in range(low, high + 1))


Run = tuple[Position, Positions]
"""A stretch of characters of a class: its end, and the positions given that lie in it."""


def _places(text: str, literal: str, low: Position, high: Position) -> Iterator[Position]:
    """Where `literal` stands in `text`, from `low` to `high`, in linear time.

    If two places are apart by no more than half of `literal`, it repeats after as many characters, and
    the places go on at that distance for as long as the text repeats too; none lie between them, nor
    soon after. Without that, `aaa…` would be compared in full at each place of a long `aaa…`.
    """
    size, stop = len(literal), high + len(literal)
    at = text.find(literal, low, stop)
    while at >= 0:
        yield at
        after = text.find(literal, at + 1, stop)
        period = after - at
        if after >= 0 and 2 * period <= size:
            tail = literal[-period:]
            while at + period <= high and text.startswith(tail, at + size):
                at += period
                yield at
            after = text.find(literal, at + size - period + 1, stop)
        at = after


class Scan:
    """A text, and the steps taken over it so far."""

    __slots__ = ("steps", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.steps = 0

    def holds(self, literal: str, start: Position) -> bool:
        """Whether `literal` is anywhere from `start` on."""
        at = self.text.find(literal, start)
        self.steps += (len(self.text) if at < 0 else at) - start + 1
        return at >= 0

    def after_literal(self, literal: str, positions: Positions, *, first: bool) -> Positions:
        """The ends of `literal` where it stands at one of `positions`; if `first` only the first end."""
        size, low, high = len(literal), positions[0][0], positions[-1][1]
        # Looking at each interval costs the literal's length, all between them at once only theirs.
        spans = positions if size * len(positions) <= high - low else [(low, high)]
        starts: Positions = []
        for span in spans:
            self.steps += span[1] - span[0] + 1
            for at in _places(self.text, literal, *span):
                intervals.add(starts, at, at)
                if first:
                    return [(at + size, at + size)]
        if spans is not positions:
            starts = intervals.intersection(starts, positions)
        return [(low + size, high + size) for low, high in starts]

    def at(self, place: At, positions: Positions) -> Positions:
        """Those of `positions` that are `place`."""
        end = len(self.text)
        low = 0 if place.place == "^" else end
        high = low
        if place.place == "$" and self.text.endswith("\n"):
            low -= 1
        return intervals.intersection(positions, [(low, high)])

    def at_edge(self, edge: Edge, positions: Positions) -> Positions:
        """Those of `positions` that have the edge of a word where `edge` looks."""
        found: Positions = []
        for low, high in positions:
            self.steps += high - low + 1
            for at in range(low, high + 1):
                if self._is_word(at - edge.back) != self._is_word(at - edge.back - 1):
                    intervals.add(found, at, at)
        return found

    def _is_word(self, at: Position) -> bool:
        return 0 <= at < len(self.text) and self.text[at] in WORD

    def runs(self, chars: Chars, positions: Positions) -> list[Run]:
        """The stretches of `chars` that `positions` lie in; a position stands before its character."""
        if chars.is_any:
            return [(len(self.text), positions)]
        runs: list[Run] = []
        end = -1
        for low, high in positions:
            at = low
            while at <= high:
                if at >= end:
                    at = self.skip(chars, at, high + 1, inside=False)
                    if at > high or at >= len(self.text):
                        break
                    end = self.skip(chars, at, len(self.text), inside=True)
                    runs.append((end, []))
                runs[-1][1].append((at, min(high, end - 1)))
                at = end
        return runs

    def skip(self, chars: Chars, at: Position, stop: Position, *, inside: bool) -> Position:
        """The first position from `at` whose character is not `inside` the class; `stop` if none is."""
        text, stop = self.text, max(at, min(stop, len(self.text)))
        begin, wanted = at, inside == chars.negated
        if wanted and len(chars.ranges) == 1 and chars.ranges[0][0] == chars.ranges[0][1]:
            at = text.find(chr(chars.ranges[0][0]), at, stop)
            at = stop if at < 0 else at
        else:
            listed = _listed(chars.ranges)
            while at < stop and (text[at] in listed) is not wanted:
                at += 1
        self.steps += at - begin + 1
        return at
