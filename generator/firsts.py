"""Which characters a match of a regular expression can begin with, so that it is not tried at others.

Of a lexer's fifty rules most can't match at a given character. `guarded` sets a look ahead before neighbours
that begin alike: where it fails, none of them is tried. What an expression begins with is read from its text,
as far as that is plain; of anything else every character is possible, and a rule is then tried as before.
"""

import re
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

BEYOND = 1 << 128
"""The bit of all characters that are not ASCII; the others' are those of their numbers."""

ANY = (BEYOND << 1) - 1

_WEIGHTS = (
    (12, sum(1 << code for code in b" \n")),
    (3, sum(1 << code for code in b"etaoinsrlcdpmfu_")),
    (1, sum(1 << code for code in b"bghjkqvwxyz0123456789")),
    (4, sum(1 << code for code in b"().,=\"':[]{}")),
    (1, sum(1 << code for code in b"ABCDEFGHIJKLMNOPQRSTUVWXYZ!#$%&*+-/;<>?@\\^`|~\t")),
    (1, BEYOND),
)
"""How often characters stand where a token of a program begins, roughly, and which."""

_GUARD, _ENTERED = 90, 20
"""What a guard costs at every character, in hundredths of what it costs to try a rule; and more where it is passed."""

_LONGEST_RUN = 40

_ATOM = re.compile(
    r"(?P<class>\[\^?\]?(?:[^\]\\]|\\.)*\])|(?P<escape>\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|.))|(?P<char>[^\\])",
    re.DOTALL,
)
_QUANTIFIER = re.compile(r"(?:(?P<none>[*?]|\{0?,\d*\}|\{0\})|\+|\{[1-9]\d*(?:,\d*)?\})[?+]?")
_FLAGS = re.compile(r"\(\?([ims]+)\)")
_OPENED = re.compile(r"\((?:\?(?P<look><?[=!])|\?:|\?P<\w+>|(?!\?))")
_NOTHING = frozenset({r"\A", r"\b", r"\B", r"\Z", "^", "$"})
_PLAIN_ESCAPES = frozenset("nrtfvasSdDwWxu")


class _UnknownError(Exception):
    """A form that is not read here."""


class _Begins(NamedTuple):
    """The characters with which a part begins, and whether it may be empty."""

    chars: int
    empty: bool


@cache
def begins(regex: str, flags: int) -> int:
    """The characters (bits) with which a match can begin, and perhaps more; `ANY` where that is not known."""
    written = _FLAGS.match(regex)
    if written:
        regex = regex[written.end() :]
        flags |= re.IGNORECASE if "i" in written[1] else 0
    if flags & re.VERBOSE:
        return ANY
    try:
        found, end = _alternatives(regex, 0, flags & (re.IGNORECASE | re.ASCII), first=True)
    except (_UnknownError, re.error):
        return ANY
    return ANY if found.empty or end != len(regex) else found.chars


def _alternatives(regex: str, at: int, flags: int, *, first: bool) -> tuple[_Begins, int]:
    """What alternatives begin with, up to their end; only of those that stand `first` the characters are looked for."""
    chars, empty = 0, False
    while True:
        found, at = _sequence(regex, at, flags, first=first)
        chars, empty = chars | found.chars, empty or found.empty
        if regex[at : at + 1] != "|":
            return _Begins(chars, empty), at
        at += 1


def _sequence(regex: str, at: int, flags: int, *, first: bool) -> tuple[_Begins, int]:
    chars, open_ = 0, True
    while at < len(regex) and regex[at] not in "|)":
        found, at = _item(regex, at, flags, first=first and open_)
        if quantifier := _QUANTIFIER.match(regex, at):
            at = quantifier.end()
            found = _Begins(found.chars, found.empty or quantifier["none"] is not None)
        if open_:
            chars |= found.chars
            open_ = found.empty
    return _Begins(chars, open_), at


def _item(regex: str, at: int, flags: int, *, first: bool) -> tuple[_Begins, int]:
    if regex[at] == "(":
        opened = _OPENED.match(regex, at)
        if opened is None:
            raise _UnknownError
        found, end = _alternatives(regex, opened.end(), flags, first=first)
        if regex[end : end + 1] != ")":
            raise _UnknownError
        return (_Begins(0, True) if opened["look"] else found), end + 1
    atom = _ATOM.match(regex, at)
    if atom is None:
        raise _UnknownError
    text = atom.group()
    if text in _NOTHING:
        return _Begins(0, True), atom.end()
    if atom["escape"] and text[1].isalnum() and text[1] not in _PLAIN_ESCAPES:
        raise _UnknownError
    if text in "*+?{":
        raise _UnknownError
    return _Begins(_matched(text, flags) if first else 0, False), atom.end()


@cache
def _matched(atom: str, flags: int) -> int:
    """The characters that one of `regex` matches: of ASCII those that do, and all beyond unless none can."""
    compiled = re.compile(atom, flags | re.DOTALL)
    found = sum(1 << code for code in range(128) if compiled.match(chr(code)))
    letters = atom.isascii() and not flags & re.IGNORECASE and not atom.startswith("[^")
    alone = letters and not re.search(r"\\[sSdDwWxu]", atom) and atom != "."
    return found if alone else found | BEYOND


class Ruled(NamedTuple):
    """A rule as one alternative: its expression, and the characters with which it can begin."""

    regex: str
    chars: int


def guarded(rules: Sequence[Ruled]) -> list[str]:
    """Alternatives for these rules, in their order; neighbours stand behind one guard where that is cheaper.

    That is never so for a rule with `ANY`: what can match nothing, at a text's end too, is tried everywhere.
    """
    best: list[tuple[float, int, int]] = [(0, 0, 0)]  # of the first n rules: the cost, where the last run begins, guard
    for end in range(1, len(rules) + 1):
        bare = best[end - 1][0] + _TRIED, end - 1, 0
        chosen, chars = bare, 0
        for start in range(end - 1, max(-1, end - 1 - _LONGEST_RUN), -1):
            chars |= rules[start].chars
            cost = best[start][0] + _GUARD * _ALL + (100 * (end - start) + _ENTERED) * _weight(chars)
            if cost < chosen[0]:
                chosen = cost, start, chars
        best.append(chosen)
    alternatives: list[str] = []
    end = len(rules)
    while end:
        _, start, chars = best[end]
        inner = "|".join(rule.regex for rule in rules[start:end])
        alternatives.append(f"(?={_class(chars)})(?:{inner})" if chars else inner)
        end = start
    return alternatives[::-1]


def _weight(chars: int) -> int:
    return sum(weight * (chars & some).bit_count() for weight, some in _WEIGHTS)


_ALL = _weight(ANY)
_TRIED = 100 * _ALL


def _class(chars: int) -> str:
    inner = "".join(f"\\x{code:02x}" for code in range(128) if chars >> code & 1)
    return f"[{inner}{chr(0x80)}-{chr(0x10FFFF)}]" if chars & BEYOND else f"[{inner}]"
