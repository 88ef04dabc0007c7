"""Which tokens of a message's program find it: one key where one is enough, more for drifted wording.

Candidates are two or three neighbouring tokens of a literal that stand there whole: one at a gap may be part
of a longer word. A candidate that few messages have says much about which one a text is; one that several
have makes the filter small. So the chosen one is the most frequent of those that at most `SHARED` messages
have, or else the rarest; of two equal ones the longer, then the earlier.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from generator.lookup import tokens
from generator.lookup.stopwords import STOPWORDS
from generator.patterns.pieces import Branch

SHARED = 8
"""Messages that share a key at most, where there is a choice."""

CROWDED = 64
"""Messages that share a key at most, where there is none; beyond, only a frame finds the message."""

WIDER = 2
"""Further keys of a message, for drifted wording."""

FEW = 4
"""Tokens of a beginning of which the text may have but one."""


NOT_LETTERS = r"[^A-Za-z0-9]+"

_NOT_LETTERS = re.compile(NOT_LETTERS)


class Cut(NamedTuple):
    """A branch cut into what may be keys.

    `keys`, `starts` and `sizes` are the candidates: the key, the number of the first token, how many there are.
    `begins` are the hashes of the first three tokens of a branch that begins with a literal, `few` says that it has
    no more than `FEW`; `telling` are those of its two neighbouring tokens that are longest, or of its longest one.
    """

    keys: tuple[int, ...]
    starts: tuple[int, ...]
    sizes: bytes
    begins: tuple[int, ...]
    few: bool
    telling: tuple[int, ...]


class Word(NamedTuple):
    """A token, its hash, and its number: those of neighbours in a literal follow one another."""

    text: str
    value: int
    number: int


def cut(branch: Branch) -> Cut:
    """Cut a branch of a folded program."""
    whole = words(branch)
    keys: list[int] = []
    starts: list[int] = []
    sizes = bytearray()
    tells = [not (word.text in STOPWORDS or tokens.is_number(word.text)) for word in whole]
    for start, first in enumerate(whole):
        for size in (2, 3):
            end = start + size
            if end > len(whole) or whole[end - 1].number != first.number + size - 1:
                break
            if any(tells[start:end]):
                keys.append(tokens.key([word.value for word in whole[start:end]]))
                starts.append(first.number)
                sizes.append(size)
    begins = tuple(word.value for word in whole[:3]) if isinstance(branch[0], str) else ()
    return Cut(tuple(keys), tuple(starts), bytes(sizes), begins, len(whole) <= FEW, _telling(whole))


def words(branch: Branch) -> list[Word]:
    """The tokens of a branch's literals that stand there whole."""
    found: list[Word] = []
    number = 0
    for index, piece in enumerate(branch):
        number += 1
        if isinstance(piece, str):
            for token in tokens.tokens(piece):
                number += 1
                at_gap = (index and token.start == 0) or (index + 1 < len(branch) and token.end == len(piece))
                if not at_gap:
                    found.append(Word(token.text, tokens.hashed(token.text), number))
    return found


def _telling(whole: Sequence[Word]) -> tuple[int, ...]:
    pairs = [(one, two) for one, two in pairwise(whole) if two.number == one.number + 1]
    if pairs:
        one, two = max(pairs, key=lambda pair: (len(pair[0].text) + len(pair[1].text), -pair[0].number))
        return one.value, two.value
    longest = max(whole, key=lambda word: len(word.text), default=None)
    return (longest.value,) if longest and len(longest.text) > 3 else ()


def choose(branch: Cut, counts: Mapping[int, int], most: int) -> list[int]:
    """The keys of up to `most` candidates of a branch, best first, that share no token."""
    chosen: list[int] = []
    taken: set[int] = set()
    for _, _, start, size, key in sorted(_ranked(branch, counts)):
        if len(chosen) == most or counts[key] > CROWDED:
            break
        numbers = range(start, start - size)
        if taken.isdisjoint(numbers):
            taken.update(numbers)
            chosen.append(key)
    return chosen


def _ranked(branch: Cut, counts: Mapping[int, int]) -> Iterator[tuple[int, int, int, int, int]]:
    for key, start, size in zip(branch.keys, branch.starts, branch.sizes, strict=True):
        count = counts[key]
        yield count if count > SHARED else -count, -size, start, -size, key


def beginning(branch: Cut, counts: Mapping[int, int]) -> list[int]:
    """The key of what a branch begins with: two tokens, or three where more than `CROWDED` begin with those."""
    made = (tokens.key(branch.begins[:size]) for size in (2, 3) if len(branch.begins) >= size)
    return [key for key in made if counts[key] <= CROWDED][:1]


def few_with_class(branch: Cut, error_class: str) -> list[int]:
    """The key of the class and what a branch of few tokens begins with: a text that breaks off may have but one."""
    name = tokens.hashed(last_name(error_class))
    return [tokens.key((name, branch.begins[0]))] if branch.begins and branch.few else []


def with_class(branch: Cut, error_class: str) -> int | None:
    """The key of the class with a branch's most telling tokens.

    For branches that have no other key: their words say too little without the class.
    """
    return tokens.key((tokens.hashed(last_name(error_class)), *branch.telling)) if branch.telling else None


def last_name(error_class: str) -> str:
    """The last part of a class's name, in lower case."""
    name = error_class.replace("::", ".").replace("\\", ".").rpartition(".")[2]
    return tokens.lower(name)


def letters(name: str) -> str:
    """A name's letters and digits, in lower case: `Value error` and `ValueError` have the same."""
    return tokens.lower(_NOT_LETTERS.sub("", name))


def file_key(segments: Sequence[str]) -> int:
    """The key of a file: its name and the folder it is in; `segments` are the last first."""
    return tokens.key_of((segments[1] if len(segments) > 1 else "", segments[0] if segments else "", "@"))
