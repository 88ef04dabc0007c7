"""The texts in which a message is looked for at a line: the line itself, and the lines around it joined."""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from generator.lookup.characters import squeezed
from generator.lookup.paste import Paste
from generator.lookup.quoted import unescaped

LONGEST = 6_000
"""Characters of a text."""

WRAPPED = 60
"""Characters of a line that a terminal may have cut: a shorter one was ended by whoever wrote it."""

FULL = 50
"""Characters of a line that an editor may have wrapped."""

LINES_BEFORE, LINES_AFTER = 3, 8
"""Lines that may belong to the message of a line outside of an error."""

ESCAPED = r"\\[nt\"']"

_ESCAPED = re.compile(ESCAPED)


class Joint(NamedTuple):
    """Where a line begins in a text: `hard` if its writer ended the one before."""

    at: int
    hard: bool


class Reading(NamedTuple):
    """A text of one or more lines from `line` on; `head` says that they are one error's message.

    The message begins at `said`, after a class, or somewhere later.
    """

    text: str
    line: int
    joints: tuple[Joint, ...] = ()
    head: bool = False
    said: int = 0


class Readings:
    """The readings of a paste's lines, each made once."""

    def __init__(self, paste: Paste) -> None:
        self.paste = paste
        self._made: dict[tuple[int, int, bool, int], tuple[Reading, ...]] = {}

    def at(self, line: int, offset: int = 0) -> Iterator[Reading]:
        """The readings at a line, those that say most clearly where the message ends first.

        Of a long line only what stands around `offset` is read.
        """
        own = self.paste.lines[line]
        head = self.paste.head_of.get(line)
        begin = max(0, offset - LONGEST // 2) if len(own.text) > LONGEST else 0
        yield Reading(own.text[begin : begin + LONGEST], line, said=max(0, own.said - begin))
        start, end = (head.line, head.end) if head else self._around(line)
        yield from self._joined(start, end, head is not None, line)
        if own.whole != own.text:
            yield Reading(own.whole[begin : begin + LONGEST], line)

    def message(self, line: int) -> Reading:
        """The whole of the message that a line is part of."""
        head = self.paste.head_of.get(line)
        start, end = (head.line, head.end) if head else self._around(line)
        return next(iter(self._joined(start, end, head is not None, line)), next(self.at(line)))

    def _around(self, line: int) -> tuple[int, int]:
        lines = self.paste.lines
        start = line
        while (
            start > max(0, line - LINES_BEFORE) and not lines[start].stamped and _goes_on(self.paste, start - 1, line)
        ):
            start -= 1
        end = line + 1
        while end < min(len(lines), line + LINES_AFTER) and not lines[end].stamped and _goes_on(self.paste, end, line):
            end += 1
        return start, end

    def _joined(self, start: int, end: int, head: bool, line: int) -> tuple[Reading, ...]:
        key = (start, end, head, line if end - start > 1 else start)
        if key not in self._made:
            self._made[key] = tuple(self._join(start, end, head))
        return self._made[key]

    def _join(self, start: int, end: int, head: bool) -> Iterator[Reading]:
        lines = [line for line in self.paste.lines[start:end] if line.text]
        if not lines:
            return
        widest = max(line.width for line in lines)
        texts: list[str] = []
        for cut in (False, True):
            parts, joints, size = [lines[0].text], [], len(lines[0].text)
            for before, line in pairwise(lines):
                whole = cut and before.width == widest >= WRAPPED
                parts += ["" if whole else " ", line.text]
                size += not whole
                joints.append(Joint(size, before.width < FULL))
                size += len(line.text)
                if size > LONGEST:
                    break
            text = "".join(parts)[:LONGEST]
            if text not in texts and (joints or head):
                texts.append(text)
                yield Reading(text, start, tuple(joints), head, lines[0].said)
        if head and _ESCAPED.search(texts[0]):
            yield Reading(squeezed(unescaped(texts[0]).replace("\n", " ")), start, (), head, lines[0].said)


def _goes_on(paste: Paste, other: int, line: int) -> bool:
    """Whether a line may be of one message with another, outside of an error."""
    one, two = paste.lines[other], paste.lines[line]
    return one.kind == "text" and one.told == two.told and other not in paste.head_of
