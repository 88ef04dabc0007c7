"""What an earlier build found in record files, kept in parts, so that one that changed rewrites little."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from zlib import crc32

import msgspec

from generator import cache, edits
from generator.dataset import Entry
from generator.edits import Edit
from generator.sources import Found

FILES_A_PART = 2_000
"""Record files of a part, at most twice as many; so many are written in a hundredth of a second."""


class Known(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A record file as it was indexed: its state (size, times, inode) and its entries; faulty files are not kept."""

    state: tuple[int, ...]
    entries: tuple[Entry, ...]


class Part(msgspec.Struct, array_like=True):
    """One of `count` parts of the index: record files by path. Equal marks are of equal files."""

    fingerprint: str
    count: int = 1
    mark: bytes = b""
    files: dict[str, Known] = msgspec.field(default_factory=dict)


def name(number: int) -> str:
    """The file of a part, counted from 0."""
    return f"{number:04}.msgpack"


def read(folder: Path, fingerprint: str) -> list[Part]:
    """The parts in `folder`; one is empty that is damaged, gone or of another version of Errordex."""
    first = _read(folder / name(0), fingerprint, None)
    return [first, *(_read(folder / name(number), fingerprint, first.count) for number in range(1, first.count))]


def _read(path: Path, fingerprint: str, count: int | None) -> Part:
    found: Part | None = cache.read(path, Part)
    sound = found is not None and found.fingerprint == fingerprint and count in (None, found.count)
    return found if found is not None and sound else Part(fingerprint, count or 1)


class Recollection:
    """The index as a dataset's memory.

    `mark` stands for the files that were known before, `now` for those of this build, once it is finished.
    """

    def __init__(self, fingerprint: str, parts: Sequence[Part] = ()) -> None:
        self._fingerprint = fingerprint
        self._marks = [part.mark for part in parts]
        self._before = {path: known for part in parts for path, known in part.files.items()}
        self._after: dict[str, Known] = {}
        self._edited: dict[str, tuple[Sequence[Entry], Sequence[Entry]]] = {}
        self._other: list[str] = []
        self.mark = self.now = cache.key(self._marks)

    def recall(self, file: Found) -> Sequence[Entry] | None:
        """The entries of a file whose state is as it was; what a packed one holds is unpacked anew in each build."""
        known = self._before.pop(file.path, None)
        packed = file.path.endswith(".gz")
        if known is not None and known.state == file.state and not packed:
            return known.entries
        if known is not None and not packed:
            self._edited[file.path] = (known.entries, ())
        self._other.append(file.path)
        return None

    def keep(self, file: Found, entries: Sequence[Entry]) -> None:
        """Remember the entries of a file that was asked for; of a packed one, that it was there."""
        self._after[file.path] = Known(file.state, () if file.path.endswith(".gz") else tuple(entries))
        if file.path in self._edited:
            self._edited[file.path] = (self._edited[file.path][0], entries)

    @property
    def edits(self) -> list[Edit] | None:
        """What changed, where that is no more than what records say of themselves; once all files were asked for."""
        if self._before or len(self._other) != len(self._edited):
            return None
        return edits.of_files(self._edited.values())

    def finish(self) -> Iterator[tuple[int, Part]]:
        """The parts that are to be written, by number, once all files were asked for."""
        count = _count(len(self._after), len(self._marks))
        if count != len(self._marks):
            changed, self._marks = set(range(count)), [b""] * count
        else:
            changed = {crc32(path.encode()) % count for path in (*self._other, *self._before)}
        parts = {number: Part(self._fingerprint, count) for number in sorted(changed)}
        for path, known in self._after.items() if parts else ():
            if part := parts.get(crc32(path.encode()) % count):
                part.files[path] = known
        for number, part in parts.items():
            part.mark = self._marks[number] = cache.key([(path, known.state) for path, known in part.files.items()])
            yield number, part
        self.now = cache.key(self._marks)

    @property
    def count(self) -> int:
        """How many parts there are, once it is finished."""
        return len(self._marks)


def _count(files: int, before: int) -> int:
    """How many parts as many files make: a power of two; as before, if that is near."""
    wanted = 1 << (max(0, files - 1) // FILES_A_PART).bit_length()
    return before if wanted <= 2 * before and before <= 2 * wanted else wanted
