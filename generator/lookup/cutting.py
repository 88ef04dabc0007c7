"""Whether a text breaks off within a message: its beginning stands there, and then the text ends."""

from collections.abc import Sequence

from generator.patterns import Program
from generator.patterns.pieces import SPACE, Piece

LEAST_HELD = 9
"""Characters other than white space that must stand there."""

LEAST_PERCENT = 30
"""And how much of the message's they must be, unless they are `MANY`."""

MANY = 30

LEAST_HELD_HERE = 4
"""Characters that are enough where the frame that raised is the message's own."""

LEAST_ALONE = 6
"""Characters of a message's first literal, if the text breaks off in it."""


def held(program: Program, text: str, said: int) -> int:
    """How many of a message's characters, white space not counted, a text holds that breaks off; 0 if it does not.

    The message begins at `said` or later. Of several branches the one with most counts.
    """
    return max((_branch(branch, text, said) for branch in program.branches), default=0)


def enough(count: int, specificity: int) -> bool:
    """Whether so many say which message it is."""
    return count >= LEAST_HELD and (count >= MANY or count * 100 >= LEAST_PERCENT * specificity)


def _branch(branch: Sequence[Piece], text: str, said: int) -> int:
    at, count = said, 0
    for index, piece in enumerate(branch):
        if not isinstance(piece, str):
            continue
        start = text.find(piece, at)
        if start < 0:
            least = LEAST_ALONE if index == 0 else 1
            return count + _tail(piece, text, at, least)
        at = start + len(piece)
        count += solid(piece)
    return 0


def _tail(literal: str, text: str, at: int, least: int) -> int:
    """How much of a literal's beginning the text ends with, from `at` on."""
    for size in range(min(len(literal) - 1, len(text) - at), least - 1, -1):
        if text.endswith(literal[:size]):
            return solid(literal[:size])
    return 0


def solid(text: str) -> int:
    """Characters other than white space."""
    return sum(char not in SPACE for char in text)
