"""What the index keeps of a message: its program, its class and the records that raise it.

As JSON an entry is `[branches, holes, class, sites, mark]`. A site is `[id, page, file, line]`: the record's
id, its page below `errors/`, the raising file and the 1-based line. `mark` is 0, or 1 if a match says little
unless a frame of the file stands in the paste too. `holes` are the holes' names, or their number where none
has one. Branches are as `generator.patterns.programs` describes them, except that the most frequent gap, any
number of any characters, is the number of its hole, -1 without one.
"""

import re
from collections.abc import Collection, Iterable
from functools import cached_property
from typing import Any

import msgspec

from generator.lookup import frames, interpreter
from generator.lookup.folded import loosened
from generator.patterns import Program
from generator.patterns.pieces import Branch, Chars, Gap, Or, Piece

ANY = Chars(True, ())
COMPILED = re.compile(r"\.(?:c|cc|cpp|cxx|cu|cuh|h|hpp|rs|pyx|pxd|f90|s)$")
"""Files whose lines no traceback shows."""


class Site(msgspec.Struct, frozen=True, array_like=True, order=True):
    """A record that raises the message."""

    id: str
    page: str
    file: str
    line: int

    @property
    def segments(self) -> tuple[str, ...]:
        """The file's segments, the last first."""
        return frames.segments(self.file)


class Entry(msgspec.Struct, frozen=True, dict=True):
    """A message of one class and all its sites, sorted by id."""

    program: Program
    error_class: str
    sites: tuple[Site, ...]
    needs_frame: bool = False

    @cached_property
    def specificity(self) -> int:
        """Characters other than white space that every match holds."""
        return self.program.specificity

    @cached_property
    def identity(self) -> str:
        """The smallest id of its sites: no other entry of a whole index has it."""
        return self.sites[0].id

    @cached_property
    def wording(self) -> str:
        """What it says, as text: equal for entries of which each has some of a message's sites."""
        return msgspec.json.encode([self.program.branches, self.error_class]).decode()


class Packed(msgspec.Struct, frozen=True, gc=False):
    """An entry as JSON up to its sites, and whether it needs a frame."""

    head: bytes
    needs_frame: bool


def entry(form: Program, error_class: str, sites: Iterable[Site]) -> Entry:
    """The entry of a pattern's folded program and its records."""
    listed = tuple(sorted(sites))
    seen = any(not COMPILED.search(site.file) for site in listed)
    return Entry(loosened(form), error_class, listed, form.is_weak or (seen and interpreter.is_common(form)))


def pack(entry: Entry) -> Packed:
    """The beginning of an entry's JSON, which is the same whichever of its sites follow."""
    holes = entry.program.holes
    names: Any = holes if any(holes) else len(holes)
    branches = [[_packed(piece) for piece in branch] for branch in entry.program.branches]
    return Packed(msgspec.json.encode([branches, names, entry.error_class])[:-1], entry.needs_frame)


def encode(listed: Iterable[tuple[Packed, Collection[Site]]]) -> bytes:
    """Entries as compact JSON, sorted, one a line."""
    rows = sorted((packed.head, sorted(sites), packed.needs_frame) for packed, sites in listed)
    return b"[%s]\n" % b",\n".join(
        b"%s,%s,%d]" % (head, msgspec.json.encode(sites), mark) for head, sites, mark in rows
    )


def _packed(piece: Piece) -> Any:
    if isinstance(piece, Gap) and (piece.min, piece.max, piece.chars) == (0, None, ANY):
        return -1 if piece.hole is None else piece.hole
    if isinstance(piece, Or):
        return ["or", [[_packed(part) for part in way] for way in piece.alternatives], piece.skip, piece.hole]
    return piece


def decode(content: bytes) -> list[Entry]:
    """The entries of a shard; raises `msgspec.DecodeError` or `ValidationError` on another form."""
    return [_entry(row) for row in msgspec.json.decode(content, type=list[_Row])]


class _Row(msgspec.Struct, array_like=True):
    branches: list[list[Any]]
    holes: int | list[str | None]
    error_class: str
    sites: tuple[Site, ...]
    mark: int


def _entry(row: _Row) -> Entry:
    holes = (None,) * row.holes if isinstance(row.holes, int) else tuple(row.holes)
    branches = tuple(tuple(_unpacked(piece) for piece in branch) for branch in row.branches)
    return Entry(
        Program(msgspec.convert(branches, tuple[Branch, ...]), holes), row.error_class, row.sites, bool(row.mark)
    )


def _unpacked(piece: Any) -> Any:
    if isinstance(piece, int):
        return ["gap", 0, None, [True, []], None if piece < 0 else piece]
    if isinstance(piece, list) and piece[:1] == ["or"]:
        return ["or", [[_unpacked(part) for part in way] for way in piece[1]], *piece[2:]]
    return piece
