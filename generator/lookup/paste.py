"""A paste as lookup sees it: its lines, the messages that errors begin with, their frames and causes."""

from dataclasses import dataclass
from functools import cached_property

from generator.lookup import keys, quoted
from generator.lookup.characters import fold
from generator.lookup.frames import Frame
from generator.lookup.lines import Line, Reader

MESSAGE_LINES = 40
"""Lines of a message."""

MOST_FRAMES = 40
"""Frames of one error that are looked at."""


SHORT = 12
"""Lines of a paste that is a message by itself."""


@dataclass(frozen=True, slots=True)
class Head:
    """An error's head: its line, the first line after its message, its class or empty, the frames nearest
    first, and `depth`: 0 is the innermost cause, 1 what wraps it, and so on.
    """

    line: int
    end: int
    name: str
    frames: tuple[Frame, ...]
    depth: int


@dataclass(frozen=True)
class Paste:
    """A text, read."""

    lines: tuple[Line, ...]

    @cached_property
    def heads(self) -> tuple[Head, ...]:
        """The errors, in order."""
        at = [index for index, line in enumerate(self.lines) if line.kind == "head"]
        depths = self._depths(at)
        return tuple(
            Head(
                line,
                self._message_end(line),
                self.lines[line].name,
                self._frames(line, at[order - 1] if order else -1),
                depths[order],
            )
            for order, line in enumerate(at)
        )

    @cached_property
    def head_of(self) -> dict[int, Head]:
        """By line, the error whose message it is part of."""
        return {line: head for head in self.heads for line in range(head.line, head.end)}

    @cached_property
    def names(self) -> frozenset[str]:
        """The letters of the last parts of the errors' classes."""
        return frozenset(keys.letters(keys.last_name(name)) for name in {line.name for line in self.lines if line.name})

    @cached_property
    def frames(self) -> tuple[Frame, ...]:
        """All frames, the last first."""
        return tuple(line.frame for line in reversed(self.lines) if line.frame)

    @cached_property
    def is_short(self) -> bool:
        """Whether somebody chose these lines, rather than a log's hundreds."""
        return sum(line.kind != "blank" for line in self.lines) <= SHORT

    def _message_end(self, line: int) -> int:
        head = self.lines[line]
        end = line + 1
        while end < min(len(self.lines), line + MESSAGE_LINES):
            other = self.lines[end]
            if other.kind in ("head", "trace", "chain", "frame", "source") or other.told != head.told:
                break
            if (other.stamped and not head.stamped) or (head.pytest and not other.pytest):
                break
            end += 1
        while end > line + 1 and self.lines[end - 1].kind in ("blank", "mark"):
            end -= 1
        return end

    def _frames(self, line: int, previous: int) -> tuple[Frame, ...]:
        found: list[Frame] = []
        own = self.lines[line].frame
        if own:
            found.append(own)
        for index in range(line - 1, max(previous, line - 400), -1):
            frame = self.lines[index].frame
            if frame and frame.before and self.lines[index].kind == "frame":
                found.append(frame)
            if self.lines[index].kind == "chain" or len(found) >= MOST_FRAMES:
                break
        for index in range(line + 1, min(line + 400, len(self.lines))):
            other = self.lines[index]
            if other.kind in ("head", "trace", "chain") or len(found) >= MOST_FRAMES:
                break
            if other.frame and not other.frame.before:
                found.append(other.frame)
        return tuple(found)

    def _depths(self, at: list[int]) -> list[int]:
        """Python prints the cause first and says so between; others print it after, and say so on its line."""
        depths = [0] * len(at)
        for order in range(1, len(at)):
            between = self.lines[at[order - 1] + 1 : at[order]]
            if any(line.kind == "chain" for line in between):
                depths[order] = depths[order - 1] + 1
        for order in range(len(at) - 1, 0, -1):
            if self.lines[at[order]].cause:
                depths[order - 1] = depths[order] + 1
        return depths


def read(text: str) -> Paste:
    """Read a text as it was pasted, printed or logged."""
    reader = Reader()
    for raw in fold(text).split("\n"):
        reader.add(raw)
        for value in quoted.strings(raw):
            for line in fold(value).split("\n"):
                reader.add(line, told=True)
    return Paste(tuple(reader.lines))
