"""How far a text says what a message says, word by word: for wording that drifted, and for cut ends.

The words of a message's literals are aligned with those of the text, in order; what the text has more may
be values. All figures are whole numbers, so that every language gets the same.
"""

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from generator.lookup import tokens
from generator.lookup.stopwords import STOPWORDS
from generator.patterns import Program
from generator.patterns.pieces import Branch

MOST_WORDS = 240
"""Words of a text that are compared, and of a message."""

LEAST_SHARE = 60
"""Percent of a message's words, by weight, that a text must hold in any order to be compared further."""

LEAST_CUT = 35
"""Percent of a message that a cut text must hold."""

LEAST_WORDS, LEAST_TELLING = 4, 2
"""Words that must be found, and how many of them are no stopwords."""

WORDS_A_HOLE = 12
"""Words of the text that a hole may hold."""


class Likeness(NamedTuple):
    """Percent of a message's weight that a text holds, and whether only of a beginning of it."""

    percent: int
    cut: bool


def likeness(program: Program, words: Sequence[str]) -> Likeness | None:
    """How alike a text's words are to a message, of its branches the best; None if not enough."""
    found = [like for branch in program.branches if (like := _branch(branch, words[:MOST_WORDS]))]
    return max(found, default=None)


@lru_cache(maxsize=4096)
def _words(branch: Branch) -> tuple[tuple[str, ...], int]:
    """The words of a branch's literals, and how many holes there are."""
    literal = [word for piece in branch if isinstance(piece, str) for word in tokens.words(piece)]
    return tuple(literal[:MOST_WORDS]), sum(not isinstance(piece, str) for piece in branch)


def weight(word: str) -> int:
    """1 for a stopword or a number, 3 for a long word, else 2."""
    if word in STOPWORDS or tokens.is_number(word):
        return 1
    return 3 if len(word) > 7 else 2


def _branch(branch: Branch, words: Sequence[str]) -> Likeness | None:
    wanted, holes = _words(branch)
    if len(wanted) < LEAST_WORDS:
        return None
    total = sum(map(weight, wanted))
    held = sum(weight(word) * count for word, count in (Counter(wanted) & Counter(words)).items())
    if held * 100 < total * LEAST_CUT:
        return None
    aligned = _aligned(wanted, words)
    whole = _whole(wanted, words, aligned, total, holes) if held * 100 >= total * LEAST_SHARE else None
    cut = _cut(wanted, aligned, total)
    return max((like for like in (whole, cut) if like), default=None)


def _aligned(wanted: Sequence[str], words: Sequence[str]) -> list[list[int]]:
    """`aligned[i][j]`: the weight of the best alignment of the first i wanted and the first j words."""
    rows = [[0] * (len(words) + 1)]
    for word in wanted:
        above, gain = rows[-1], weight(word)
        row = [0] * len(above)
        for column, other in enumerate(words, 1):
            best = row[column - 1] if row[column - 1] > above[column] else above[column]
            if other == word and above[column - 1] + gain > best:
                best = above[column - 1] + gain
            row[column] = best
        rows.append(row)
    return rows


def _whole(
    wanted: Sequence[str], words: Sequence[str], aligned: list[list[int]], total: int, holes: int
) -> Likeness | None:
    matched = _matched(wanted, words, aligned)
    if not _enough(wanted, [row for row, _ in matched]):
        return None
    span = matched[0][1] - matched[-1][1] + 1
    excess = max(0, span - len(matched) - WORDS_A_HOLE * holes - len(wanted) // 4)
    percent = aligned[-1][-1] * 100 // total - excess * 100 // (4 * len(wanted))
    return Likeness(percent, False)


def _matched(wanted: Sequence[str], words: Sequence[str], aligned: list[list[int]]) -> list[tuple[int, int]]:
    """The pairs of the best alignment, the last first."""
    pairs: list[tuple[int, int]] = []
    row, column = len(wanted), len(words)
    while row and column:
        if aligned[row][column] == aligned[row][column - 1]:
            column -= 1
        elif aligned[row][column] == aligned[row - 1][column]:
            row -= 1
        else:
            row, column = row - 1, column - 1
            pairs.append((row, column))
    return pairs


def _cut(wanted: Sequence[str], aligned: list[list[int]], total: int) -> Likeness | None:
    """The likeness to a beginning of the message that reaches the text's last words."""
    best: Likeness | None = None
    so_far = 0
    width = len(aligned[0])
    for row, word in enumerate(wanted, 1):
        so_far += weight(word)
        last = aligned[row]
        reaches = last[-1] > aligned[row - 1][-1] and last[-1] > last[max(0, width - 3)]
        if reaches and row < len(wanted) and so_far * 100 >= total * LEAST_CUT and _enough(wanted[:row], range(row)):
            like = Likeness(last[-1] * 95 // so_far, True)
            best = max(best, like) if best else like
    return best


def _enough(wanted: Sequence[str], rows: Sequence[int]) -> bool:
    telling = sum(weight(wanted[row]) > 1 for row in rows)
    return len(rows) >= LEAST_WORDS and telling >= LEAST_TELLING
