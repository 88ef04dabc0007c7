"""Which keys a paste may hold, the lines of its errors first."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from generator.lookup import keys, tokens
from generator.lookup.lines import Line
from generator.lookup.paste import Paste
from generator.lookup.readings import WRAPPED

CRIES = (
    r"[Ee]rror|ERROR|[Ee]xception|[Ff]ail|FAIL|[Ff]atal|FATAL|[Pp]anic|[Cc]ritical|CRITICAL|[Ww]arn|WARN|[Ii]nvalid|"
    r"[Cc]annot|[Uu]nable|[Uu]nexpected|[Rr]efused|[Dd]enied|[Mm]issing|not found|E:"
)
FRAMES = 8
"""Frames of an error whose files are asked for."""

BEGINNINGS = 4
"""Lines whose beginnings are asked for."""

_CRIES = re.compile(CRIES)


class Probe(NamedTuple):
    """A key that the paste holds, at a line and the character in it."""

    key: int
    line: int
    offset: int


def tiers(paste: Paste) -> list[list[int]]:
    """Lines to ask for, in three turns: errors, the last first; lines that cry; the others."""
    errors: list[int] = []
    for head in sorted(paste.heads, key=lambda head: -head.line):
        errors += range(head.line, head.end)
    cries: list[int] = []
    others: list[int] = []
    seen = {paste.lines[number].text for number in errors}
    for number, line in enumerate(paste.lines):
        if line.kind != "text" or number in paste.head_of or line.text in seen:
            continue
        seen.add(line.text)
        (cries if paste.is_short or line.told or _CRIES.search(line.whole) else others).append(number)
    return [errors, cries, others]


def of_frames(paste: Paste) -> Iterator[Probe]:
    """The keys of the files that frames name, once each."""
    seen: set[int] = set()
    for head in reversed(paste.heads):
        for frame in head.frames[:FRAMES]:
            if (key := keys.file_key(frame.segments)) not in seen:
                seen.add(key)
                yield Probe(key, head.line, 0)


def unfiltered(paste: Paste, numbers: list[int]) -> Iterator[Probe]:
    """For a few lines the keys of what they begin with, errors after their class, and of the file that raised."""
    asked: set[str] = set()
    for number in numbers:
        line = paste.lines[number]
        head = paste.head_of.get(number)
        if line.text in asked or (head and number != head.line):
            continue
        if len(asked) == BEGINNINGS:
            return
        asked.add(line.text)
        if head and head.frames:
            yield Probe(keys.file_key(head.frames[0].segments), number, line.said)
        words = [token.text for token in tokens.tokens(line.text[line.said : line.said + 300])[:3]]
        if line.name and words:
            yield Probe(tokens.key_of((keys.last_name(line.name), words[0])), number, line.said)
        for size in (2, 3):
            if len(words) >= size:
                yield Probe(tokens.key_of(words[:size]), number, line.said)


def of_lines(paste: Paste, numbers: list[int]) -> Iterator[Probe]:
    """The keys of lines' words, in the lines' order; a message may go over from a line to the next."""
    seen: set[str] = set()
    for number in numbers:
        line = paste.lines[number]
        if line.text not in seen:
            seen.add(line.text)
            yield from _of_line(paste, number, line)


def _of_line(paste: Paste, number: int, line: Line) -> Iterator[Probe]:
    cut = tokens.tokens(line.text)
    hashes = [tokens.hashed(token.text) for token in cut]
    if line.kind == "head" and line.name:
        name = tokens.hashed(keys.last_name(line.name))
        begin = next((order for order, token in enumerate(cut) if token.start >= line.said), 0)
        for order in range(begin, min(len(hashes), begin + 30)):
            yield Probe(tokens.key((name, hashes[order])), number, cut[order].start)
            if order + 1 < len(hashes):
                yield Probe(tokens.key((name, hashes[order], hashes[order + 1])), number, cut[order].start)
    yield from _shingles(number, hashes, [token.start for token in cut], 0)
    before = _previous(paste, number)
    if before is None or not cut:
        return
    last = tokens.tokens(paste.lines[before].text[-200:])[-2:]
    ahead = [tokens.hashed(token.text) for token in last]
    yield from _shingles(number, [*ahead, *hashes[:2]], [0] * 4, len(ahead))
    if last and paste.lines[before].width >= WRAPPED:
        joined = [token.text for token in last[:-1]] + [tokens.lower(last[-1].text + cut[0].text)]
        values = [tokens.hashed(word) for word in joined]
        yield from _shingles(number, [*values, *hashes[1:3]], [0] * 4, 0)


def _shingles(number: int, hashes: list[int], starts: list[int], crossing: int) -> Iterator[Probe]:
    """Keys of two and three neighbours; if `crossing`, those that begin before that place and end after."""
    for start in range(len(hashes) - 1):
        for size in (2, 3):
            if start + size > len(hashes) or (crossing and not start < crossing < start + size):
                continue
            yield Probe(tokens.key(hashes[start : start + size]), number, starts[start])


def _previous(paste: Paste, number: int) -> int | None:
    """The line of words before a line, if nothing but blanks is between."""
    for before in range(number - 1, max(-1, number - 4), -1):
        kind = paste.lines[before].kind
        if kind in ("text", "head"):
            return before
        if kind != "blank":
            return None
    return None
