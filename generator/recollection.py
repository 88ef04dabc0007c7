"""What an earlier build found in record files, kept in parts, so that one that changed rewrites little."""

import os
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, pairwise, zip_longest
from pathlib import Path

import msgspec

from generator import cache, columns, edits
from generator.columns import Column
from generator.dataset import Entry
from generator.edits import Edit
from generator.sources import Found

FILES_A_PART = 2_000
"""Record files of a part, at most twice as many; so many are written in a hundredth of a second."""

State = tuple[int, ...]


class Part(msgspec.Struct, array_like=True):
    """One of `count` parts of the index: record files in order, how many entries each has, and these.

    A file is its path and its state (size, times, inode). Faulty files are not kept. Equal marks are of equal files.
    """

    fingerprint: str
    count: int = 1
    mark: bytes = b""
    files: list[tuple[str, State]] = msgspec.field(default_factory=list)
    counts: list[int] = msgspec.field(default_factory=list)
    columns: list[Column] = msgspec.field(default_factory=list)

    def entries(self) -> Iterator[tuple[Entry, ...]]:
        """The entries of each file."""
        return columns.slices(tuple(columns.unpack(self.columns)), self.counts)


def name(number: int) -> str:
    """The file of a part, counted from 0."""
    return f"{number:04}.msgpack"


def read(folder: Path, fingerprint: str) -> Iterator[Part]:
    """The parts in `folder`; one is empty that is damaged, gone or of another version of Errordex."""
    first = _read(folder / name(0), fingerprint, None)
    yield first
    for number in range(1, first.count):
        yield _read(folder / name(number), fingerprint, first.count)


def _read(path: Path, fingerprint: str, count: int | None) -> Part:
    found: Part | None = cache.read(path, Part)
    sound = found is not None and found.fingerprint == fingerprint and count in (None, found.count)
    return found if found is not None and sound else Part(fingerprint, count or 1)


class Recollection:
    """The index as a dataset's memory.

    `mark` stands for the files that were known before, `now` for those of this build, once it is finished.
    """

    def __init__(self, fingerprint: str, parts: Iterable[Part] = ()) -> None:
        found = list(parts)
        self._fingerprint = fingerprint
        self._parts = list(_apart(found)) or found[:1] or [Part(fingerprint)]
        self._files: list[Found] = []
        self._recalled: list[Sequence[Entry] | None] = []
        self._kept: dict[str, Sequence[Entry]] = {}
        self._edited: dict[str, Sequence[Entry]] = {}
        self._only_edited = True
        self.count = len(found)
        self.mark = self.now = cache.key([part.mark for part in found])

    def recall(self, files: list[Found]) -> Sequence[Sequence[Entry] | None]:
        """Of each file the entries, or None where its state is not as it was.

        `files` are all that there are, in order. What a packed one holds is unpacked anew in each build.
        """
        self._files, self._recalled = files, []
        for part, share in self._shares():
            self._recalled += part.entries() if part.files == share else self._compared(part, share)
        for place, file in enumerate(files):
            if file.path.endswith(".gz"):
                self._recalled[place] = None
                self._only_edited = False
        return self._recalled

    def _shares(self) -> Iterator[tuple[Part, list[Found]]]:
        """Each part with the files that now belong to it: from its first one on, as far as the next part's."""
        firsts = [order(part.files[0]) for part in self._parts[1:]]
        bounds = [0, *(bisect_left(self._files, first, key=order) for first in firsts), len(self._files)]
        for part, (start, end) in zip(self._parts, pairwise(bounds), strict=True):
            yield part, self._files[start:end]

    def _compared(self, part: Part, share: Iterable[Found]) -> Iterator[Sequence[Entry] | None]:
        """The entries of files that are as they were; what became of the others is noted."""
        before = {path: (state, entries) for (path, state), entries in zip(part.files, part.entries(), strict=True)}
        for path, state in share:
            earlier, entries = before.pop(path, (None, ()))
            if earlier == state:
                self._kept[path] = entries
                yield entries
                continue
            if earlier is None:
                self._only_edited = False
            else:
                self._edited[path] = entries
            yield None
        if before:
            self._only_edited = False

    def keep(self, file: Found, entries: Sequence[Entry]) -> None:
        """Remember the entries of a file that was not as it was; of a packed one, that it was there."""
        self._kept[file.path] = () if file.path.endswith(".gz") else entries

    @property
    def edits(self) -> list[Edit] | None:
        """What changed, where that is no more than what records say of themselves; once all is kept."""
        if not self._only_edited:
            return None
        return edits.of_files((before, self._kept.get(path, ())) for path, before in self._edited.items())

    def finish(self) -> Iterator[tuple[int, Part]]:
        """The parts that are to be written, by number, once all is kept."""
        shares = [
            share if part.files == share else [file for file in share if file.path in self._kept]
            for part, share in self._shares()
        ]
        shares, before = [share for share in shares if share] or [[]], self._parts
        if len(shares) != self.count or not _even(list(map(len, shares))):
            pairs = zip(self._files, self._recalled, strict=True)
            self._kept |= {file.path: entries for file, entries in pairs if entries is not None}
            shares, before = _cut([file for file in chain.from_iterable(shares) if file.path in self._kept]), []
        marks = []
        for number, (share, part) in enumerate(zip_longest(shares, before)):
            if part is not None and part.files == share:
                marks.append(part.mark)
                continue
            made = _part(self._fingerprint, len(shares), share, [self._kept[file.path] for file in share])
            marks.append(made.mark)
            yield number, made
        self.count, self.now = len(marks), cache.key(marks)


def _apart(parts: Iterable[Part]) -> Iterator[Part]:
    """The parts whose files come after those before them; others are left of an earlier cut, by a build that died."""
    last = ""
    for part in parts:
        if part.files and order(part.files[0]) > last:
            yield part
            last = order(part.files[-1])


def order(file: tuple[str, State]) -> str:
    """Sorts files as they are found: folder by folder."""
    return file[0].replace(os.sep, "\0")


def _part(fingerprint: str, count: int, files: list[Found], entries: Sequence[Sequence[Entry]]) -> Part:
    packed = columns.pack(chain.from_iterable(entries))
    states = [(path, state) for path, state in files]
    return Part(fingerprint, count, cache.key(states), states, list(map(len, entries)), packed)


def _even(sizes: Sequence[int]) -> bool:
    """Whether parts of so many files are neither too large nor too many."""
    return max(sizes) <= 2 * FILES_A_PART and len(sizes) <= 2 * _count(sum(sizes))


def _count(files: int) -> int:
    return max(1, -(-files // FILES_A_PART))


def _cut(files: list[Found]) -> list[list[Found]]:
    """Files in parts of one size; one part of none."""
    count = _count(len(files))
    size = -(-len(files) // count)
    return [files[number * size : (number + 1) * size] for number in range(count)]
