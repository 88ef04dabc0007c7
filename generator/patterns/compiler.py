"""Reads a `messagePattern` and makes its program.

Read are literals; escapes (`\\.` and other punctuation, `\\n \\t \\r \\f \\v \\a`, `\\xNN`, `\\uNNNN`,
`\\UNNNNNNNN`); `.` and classes (`[^x]`, `[0-9a-f]`, `\\d \\w \\s \\D \\W \\S`); the quantifiers
`* + ? {n} {n,} {,n} {n,m}` after a character or class, with or without a lazy `?`; groups, capturing,
named or not, as they are or optional, and in them groups that hold no others; up to eight
alternatives, in a group and of the whole; `^ $ \\A \\Z \\z \\b`. As in Python's `re`, `]`, `}` and a `{`
that begins no count are literal.

`.` is any character, line feeds too, since messages span lines; a leading `(?s)`, which says so, is
read. `(?i)` is refused: lookup compares characters. `\\d`, `\\w`, `\\s` and `\\b` know ASCII alone.

Holes are the capturing groups and, outside of those, each gap that may take more than one character,
unless it takes white space alone or one character over and over.
"""

import re
import string
from collections.abc import Iterable, Sequence
from typing import NoReturn

from generator.patterns import classes
from generator.patterns.pieces import At, Chars, Edge, Gap, Piece, count, grouped, joined
from generator.patterns.programs import Program
from generator.patterns.refusals import ESCAPES, NO_FLAGS, OPENINGS, REPEATED, TOO_DEEP, PatternError

MAX_LENGTH = 20_000
"""Characters of a pattern."""

MAX_ALTERNATIVES = 8

MAX_DEPTH = 2
"""Groups open at once."""

MAX_PIECES = 100
"""Pieces of a program: with the text's length, the bound of the time it takes; raise sites have up to 15."""

MAX_COUNT = 10_000
"""The largest number in a quantifier."""

_PLAIN = re.compile(r"[^\\.\[()*+?{|^$]+")
_COUNT = re.compile(r"\{([0-9]*)(,?)([0-9]*)\}")
_NAMED = re.compile(r"\(\?P?<([A-Za-z_][A-Za-z0-9_]*)>")
_FLAGS = re.compile(r"\(\?[A-Za-z-]+[:)]")
_POSIX = re.compile(r"\[:\^?[a-z]+:\]")
_SURROGATE = re.compile("[\ud800-\udfff]")

_CONTROLS = {"n": "\n", "t": "\t", "r": "\r", "f": "\f", "v": "\v", "a": "\a"}
_SIGNS: dict[str, Chars | At] = {".": classes.ANY, "^": At("^"), "$": At("$")}
_PLACES: dict[str, At | Edge] = {"A": At("^"), "Z": At("z"), "z": At("z"), "b": Edge(0)}
_QUANTIFIERS: dict[str, tuple[int, int | None]] = {"*": (0, None), "+": (1, None), "?": (0, 1)}
_HEX_DIGITS = {"x": 2, "u": 4, "U": 8}


def compile(pattern: str) -> Program:
    """The program of `pattern`; raises `PatternError` if it has none."""
    if not pattern:
        raise PatternError("nothing to find", 0, "write the message, its special characters escaped")
    if len(pattern) > MAX_LENGTH:
        raise PatternError(
            f"the pattern goes on ({len(pattern):,} characters)",
            MAX_LENGTH,
            f"give at most {MAX_LENGTH:,} characters; the message's beginning will do",
        )
    if found := _SURROGATE.search(pattern):
        raise PatternError("a lone surrogate", found.start(), "write the character itself, or . for it")
    return _Reader(pattern).program()


def matches_template(pattern: str | Program, message: str) -> bool:
    """Whether a record's pattern is found in its message, whose `{placeholders}` are plain text here."""
    program = compile(pattern) if isinstance(pattern, str) else pattern
    return program.search(message) is not None


class _Reader:
    """A pattern, read from left to right; `at` is the column of what comes next."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.holes: list[str | None] = []
        self.depth = 0
        self.in_hole = False

    def program(self) -> Program:
        if self.text.startswith("(?s)"):
            self.at = 4
        branches = self._alternatives()
        if self.at < len(self.text):
            self._refuse("a ) that closes nothing", self.at, r"write \) for the character")
        self._count_pieces(branches)
        return Program(branches=tuple(branches), holes=tuple(self.holes))

    def _refuse(self, what: str, column: int, remedy: str) -> NoReturn:
        raise PatternError(what, column, remedy)

    def _count_pieces(self, branches: Sequence[Sequence[Piece]]) -> None:
        pieces = sum(count(branch) for branch in branches)
        if pieces > MAX_PIECES:
            self._refuse(f"{pieces:,} literals and gaps in all", 0, f"write at most {MAX_PIECES}, with wider gaps")

    def _alternatives(self) -> list[tuple[Piece, ...]]:
        """What stands between `|`, up to the end or a `)`."""
        found = [self._sequence()]
        while self.text.startswith("|", self.at):
            if len(found) == MAX_ALTERNATIVES:
                remedy = f"write at most {MAX_ALTERNATIVES}, or a gap such as .+ or \\w+ in their place"
                self._refuse("one alternative too many", self.at, remedy)
            self.at += 1
            found.append(self._sequence())
        return found

    def _sequence(self) -> tuple[Piece, ...]:
        pieces: list[Piece] = []
        while self.at < len(self.text) and self.text[self.at] not in "|)":
            pieces += self._item()
        return tuple(joined(pieces))

    def _item(self) -> Sequence[Piece]:
        """One character, class, place or group with its quantifier, or a run of plain characters."""
        column = self.at
        if plain := _PLAIN.match(self.text, column):
            return self._plain(plain.group())
        if self.text[column] == "(":
            return self._group()
        atom = self._atom()
        counts = self._quantifier()
        if isinstance(atom, str | Chars):
            return self._repeated(atom, counts)
        if counts:
            self._refuse("a quantifier after a place", column, "leave the quantifier out")
        return [atom]

    def _plain(self, run: str) -> Sequence[Piece]:
        """A run of plain characters, of which the last may have a quantifier."""
        self.at += len(run)
        counts = self._quantifier()
        return [run[:-1], *self._repeated(run[-1], counts)] if counts else [run]

    def _repeated(self, atom: str | Chars, counts: tuple[int, int | None] | None) -> Sequence[Piece]:
        if isinstance(atom, str) and counts is None:
            return [atom]
        low, high = counts or (1, 1)
        those = classes.chars([(ord(atom), ord(atom))]) if isinstance(atom, str) else atom
        return [Gap(low, high, those, self._hole_of(those, high))]

    def _hole_of(self, those: Chars, high: int | None) -> int | None:
        if self.in_hole or those.only or classes.is_space(those) or (high is not None and high <= 1):
            return None
        return self._hole(None)

    def _hole(self, name: str | None) -> int:
        self.holes.append(name)
        return len(self.holes) - 1

    def _atom(self) -> str | Chars | At | Edge:
        column = self.at
        char = self.text[column]
        self.at += 1
        if char == "\\":
            return self._escape(column)
        if char == "[":
            return self._class(column)
        if char in "*+?" or self._count(column):
            self._refuse("a quantifier after nothing", column, f"write \\{char} for the character")
        return _SIGNS.get(char, char)

    # Quantifiers

    def _count(self, column: int) -> re.Match[str] | None:
        """The count in braces at `column`; braces around nothing are literal."""
        return None if self.text.startswith("{}", column) else _COUNT.match(self.text, column)

    def _quantifier(self) -> tuple[int, int | None] | None:
        """Minimum and maximum of the quantifier that comes next, if one does."""
        column = self.at
        counts = self._counts()
        if counts is None:
            return None
        if self.text.startswith("+", self.at):
            self._refuse("a possessive quantifier", column, "leave the second + out, or write \\+ for the character")
        if self.text.startswith("?", self.at):
            self.at += 1
        if self.at < len(self.text) and (self.text[self.at] in "*+?" or self._count(self.at)):
            char = self.text[self.at]
            self._refuse("a second quantifier", self.at, f"keep one of the two, or write \\{char} for the character")
        return counts

    def _counts(self) -> tuple[int, int | None] | None:
        if braces := self._count(self.at):
            return self._braces(braces)
        counts = _QUANTIFIERS.get(self.text[self.at : self.at + 1])
        self.at += counts is not None
        return counts

    def _braces(self, match: re.Match[str]) -> tuple[int, int | None]:
        column, self.at = match.span()
        low, comma, high = match.groups()
        if max(len(low), len(high)) > len(str(MAX_COUNT)) or max(int(low or 0), int(high or 0)) > MAX_COUNT:
            self._refuse("a count that is too high", column, f"count up to {MAX_COUNT:,}, or write + for any number")
        least = int(low or 0)
        most = int(high) if high else None if comma else least
        if most is not None and most < least:
            self._refuse("a count whose maximum is below its minimum", column, f"write {{{most},{least}}}")
        return least, most

    # Groups

    def _group(self) -> Sequence[Piece]:
        column = self.at
        hole = self._opening()
        in_hole, self.in_hole = self.in_hole, self.in_hole or hole is not None
        self.depth += 1
        alternatives = self._alternatives()
        self.depth -= 1
        self.in_hole = in_hole
        if self.at == len(self.text):
            self._refuse("a ( that is not closed", column, r"close it, or write \( for the character")
        self.at += 1
        after = self.at
        counts = self._quantifier() or (1, 1)
        if counts not in ((0, 1), (1, 1)):
            self._refuse("a quantifier after a group", after, REPEATED)
        return grouped(alternatives, skip=counts == (0, 1), hole=hole)

    def _opening(self) -> int | None:
        """Read what opens a group; the index of its hole, if it captures."""
        column = self.at
        named = _NAMED.match(self.text, column)
        if not named:
            self._check_opening(column)
        if self.depth == MAX_DEPTH:
            self._refuse("a group within a group within a group", column, TOO_DEEP)
        if named:
            return self._named_hole(named[1], named.end())
        if self.text.startswith("(?:", column):
            self.at += 3
            return None
        self.at += 1
        return self._hole(None)

    def _named_hole(self, name: str, end: int) -> int:
        if name in self.holes:
            self._refuse(f"the name {name} again", self.at, "name each hole once")
        self.at = end
        return self._hole(name)

    def _check_opening(self, column: int) -> None:
        for opening, (what, remedy) in OPENINGS.items():
            if self.text.startswith(opening, column):
                self._refuse(f"{what}, {opening}", column, remedy)
        if flags := _FLAGS.match(self.text, column):
            self._refuse(f"the flag {flags.group()}", column, NO_FLAGS)
        if self.text.startswith("(?", column) and not self.text.startswith("(?:", column):
            self._refuse("an unknown kind of group, (?", column, r"write (?:…), or \(\? for the characters")

    # Escapes and classes

    def _escape(self, column: int) -> str | Chars | At | Edge:
        """What the escape at `column` stands for outside of brackets."""
        char = self.text[self.at : self.at + 1]
        if char in _PLACES:
            self.at += 1
            return _PLACES[char]
        return self._escaped(column)

    def _escaped(self, column: int) -> str | Chars:
        char = self.text[self.at : self.at + 1]
        self.at += 1
        if not char:
            self._refuse("a \\ that escapes nothing", column, r"write \\ for the character")
        if char in classes.SHORTHANDS:
            return classes.SHORTHANDS[char]
        if char in _CONTROLS:
            return _CONTROLS[char]
        if char in _HEX_DIGITS:
            return self._code_point(column, _HEX_DIGITS[char])
        if char.isascii() and char.isalnum():
            what, remedy = ESCAPES.get(char, ("escape that means nothing", f"write {char}, or \\\\{char} for both"))
            self._refuse(f"the {what} \\{char}", column, remedy)
        return char

    def _code_point(self, column: int, size: int) -> str:
        digits = self.text[self.at : self.at + size]
        if len(digits) < size or not set(digits) <= set(string.hexdigits):
            letter = self.text[self.at - 1]
            remedy = f"write {size} digits, or \\\\{letter} for a backslash and {letter}"
            self._refuse(f"a \\{letter} without its {size} hexadecimal digits", column, remedy)
        code = int(digits, 16)
        if 0xD800 <= code <= 0xDFFF or code > classes.MAX_CODE_POINT:
            self._refuse("an escape of no character", column, "write the character itself")
        self.at += size
        return chr(code)

    def _class(self, column: int) -> Chars:
        """The class whose bracket opens at `column`; a `]` that comes first is a member."""
        negated = self.text.startswith("^", self.at)
        self.at += negated
        first = self.at
        ranges: list[tuple[int, int]] = []
        while self.at == first or not self.text.startswith("]", self.at):
            if self.at >= len(self.text):
                remedy = r"close it, or write \[ for the character; any character is ., a ] within it is \]"
                self._refuse("a [ that is not closed", column, remedy)
            ranges += self._range()
        self.at += 1
        return classes.chars(ranges, negated=negated)

    def _range(self) -> Iterable[tuple[int, int]]:
        column = self.at
        low = self._member()
        if not self.text.startswith("-", self.at) or self.text[self.at + 1 : self.at + 2] in ("", "]"):
            return classes.ranges_of(low) if isinstance(low, Chars) else [(ord(low), ord(low))]
        self.at += 1
        high = self._member()
        if isinstance(low, Chars) or isinstance(high, Chars):
            self._refuse("a range from or to a class", column, r"write \- for the character")
        if high < low:
            self._refuse("a range that runs backwards", column, r"swap its ends, or write \- for the character")
        return [(ord(low), ord(high))]

    def _member(self) -> str | Chars:
        column = self.at
        if _POSIX.match(self.text, column):
            self._refuse("a POSIX class", column, r"write \d, \w, \s or ranges such as a-z")
        self.at += 1
        if self.text[column] != "\\":
            return self.text[column]
        if self.text.startswith("b", self.at):
            self.at += 1
            return "\b"
        return self._escaped(column)
