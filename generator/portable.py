"""A compiled pattern as a regular expression for programs that have nothing else: labelers and problem matchers.

    (?:^|\\W)cannot open[\\s\\S]{0,400}?: its header has

It is JavaScript's flavour, which RE2, .NET and Python read alike. It tells less than the pattern: of the
literals that every match holds, only the two longest are asked for, in order. White space between words
alone repeats without limit, and at most one gap, which is bounded, lies between two literals, so no text makes
it search for long. Where the pattern begins or ends with a literal, the regular expression is anchored there,
at the edge of a word or line; so it is where white space parts a literal from a value.
"""

import re
from collections.abc import Sequence

from generator.patterns import Program
from generator.patterns.pieces import Branch

MOST_GAP = 400
"""Characters between the two literals; the values of a message are shorter."""

MOST_LITERAL = 160
"""Characters of a literal that are asked for."""

LEAST = 16
"""Characters other than white space below which a regular expression would find too much."""

_SPACE = re.compile(r"\s+")
_SPECIAL = re.compile(r"[\\^$.*+?()\[\]{}|/]")
_WORD = re.compile(r"[A-Za-z0-9_]")


def regex(program: Program, *, one_line: bool = False) -> str | None:
    """The regular expression of a program; None where one of its branches says too little to be asked for.

    With `one_line`, what it finds never spans lines.
    """
    if program.is_weak:
        return None
    branches = [_branch(branch, one_line) for branch in program.branches]
    if None in branches:
        return None
    return "|".join(dict.fromkeys(branch for branch in branches if branch))


def _branch(branch: Branch, one_line: bool) -> str | None:
    literals = _longest([(index, piece) for index, piece in enumerate(branch) if isinstance(piece, str)])
    if sum(len(_SPACE.sub("", text)) for _, text in literals) < LEAST:
        return None
    gap = ("." if one_line else r"[\s\S]") + f"{{0,{MOST_GAP}}}?"
    spelt = gap.join(_spelt(text, one_line) for _, text in literals)
    (first, start), (last, end) = literals[0], literals[-1]
    begins = (first == 0 or start[0].isspace()) and _WORD.match(start.lstrip())
    ends = (last == len(branch) - 1 or end[-1].isspace()) and _WORD.match(end.rstrip()[-1])
    before = r"(?:^|\W)" if begins else ""
    after = r"(?:\W|$)" if ends and len(end.strip()) <= MOST_LITERAL else ""
    return f"{before}{spelt}{after}"


def _longest(literals: list[tuple[int, str]]) -> Sequence[tuple[int, str]]:
    """The two longest literals with their places, in order."""
    said = [literal for literal in literals if literal[1].strip()]
    return sorted(sorted(said, key=lambda literal: (-len(literal[1].strip()), literal[0]))[:2])


def _spelt(literal: str, one_line: bool) -> str:
    """A literal whose special characters are escaped, each run of white space any run of it."""
    space = r"[ \t]+" if one_line else r"\s+"
    return space.join(_SPECIAL.sub(r"\\\g<0>", word) for word in _SPACE.split(literal[:MOST_LITERAL].strip()))
