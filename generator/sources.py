"""Where records lie: files found under a folder, and the raw JSON documents in them.

Read are `.json` (one document), `.jsonl` (one a line) and `.jsonl.gz`. A document is addressed by
file, byte offset and length, so that it can be read again alone; a compressed file is first unpacked
into the spool, where there is one.
"""

import errno
import gzip
import hashlib
import os
import re
import stat
import zlib
from collections.abc import Iterator
from operator import attrgetter
from pathlib import Path
from typing import IO, NamedTuple, cast

from generator.problems import Problem
from generator.records import MAX_RECORD_BYTES

MAX_FILES = 1_000_000
MAX_UNPACKED_BYTES = 4 << 30
"""Of one compressed file; a thousandth of that can unpack to it."""

SUFFIXES = (".json", ".jsonl", ".jsonl.gz")

_NAMELESS = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""What a path can't hold if it is to be printed and kept; bytes that are not UTF-8 are surrogates to Python."""


class Found(NamedTuple):
    """A record file: its path as text, and its state (size, times, inode): with another one it is to be read again."""

    path: str
    state: tuple[int, ...]


class Source(NamedTuple):
    """A document's place: the file that holds it, and `offset` and `length` in bytes."""

    path: str
    offset: int
    length: int


class _TooLargeError(Exception):
    """A compressed file has more in it than is read."""


class Document(NamedTuple):
    """A raw document: `where` is its file as people know it; `line` is 1-based in `.jsonl`, else 0."""

    where: str
    line: int
    source: Source
    raw: bytes


def find(root: Path) -> tuple[list[Found], list[Problem]]:
    """Every record file under `root` (or `root` itself, a file), sorted; what can't be read there is a problem.

    Links that leave `root` are not followed, nor is any link to a folder: what lies in `root` is found anyway.
    """
    if root.is_file():
        return [Found(str(root), _state(root))], []
    if not root.is_dir():
        return [], [_unreadable(str(root), "there is no such file or folder; give the folder of records")]
    found: list[Found] = []
    problems: list[Problem] = []
    inside = root.resolve()
    left = _reversed(root, problems)
    while left:
        here = left.pop()
        if here.is_file(follow_symlinks=False) and here.name.endswith(SUFFIXES) and here.path.isprintable():
            found.append(Found(here.path, _state(here)))  # as nearly all are
        elif here.is_dir(follow_symlinks=False):
            left += _reversed(here, problems)
        elif (folder := _leads_to_folder(here)) or here.name.endswith(SUFFIXES):
            if wrong := _refused(here, inside):
                problems.append(_unreadable(here.path, wrong))
            elif not folder:
                found.append(Found(here.path, _state(here)))
        if len(found) > MAX_FILES:
            text = f"holds over {MAX_FILES:,} record files; put many records into one .jsonl file"
            return [], [Problem(str(root), 0, "", "", text, "EDX081")]
    return found, problems


def _reversed(folder: os.PathLike[str], problems: list[Problem]) -> list[os.DirEntry[str]]:
    """What is in a folder and not hidden, last name first; nothing, and a problem, where that can't be read."""
    try:
        with os.scandir(folder) as entries:
            return sorted([entry for entry in entries if entry.name[0] != "."], key=attrgetter("name"), reverse=True)
    except OSError as error:
        wrong = f"cannot be read: {error.strerror}; mend its permissions"
        problems.append(_unreadable(os.fspath(folder), wrong))
        return []


def _leads_to_folder(link: os.DirEntry[str]) -> bool:
    try:
        return link.is_dir()
    except OSError:  # a link to itself
        return False


def _refused(entry: os.DirEntry[str], inside: Path) -> str:
    """Why a record file or a link is not read, or nothing."""
    if entry.is_symlink() and not Path(os.path.realpath(entry)).is_relative_to(inside):
        return "a link out of the folder of records; put what it leads to there"
    if _NAMELESS.search(entry.path):
        return "its name is not UTF-8, or holds control characters or direction marks; rename it"
    return ""


def _state(file: Path | os.DirEntry[str]) -> tuple[int, ...]:
    try:
        found = file.stat()
    except OSError:
        return ()
    return found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino


def _unreadable(name: str, text: str) -> Problem:
    return Problem(ascii(name)[1:-1] if _NAMELESS.search(name) else name, 0, "", "", text, "EDX040")


def documents(path: Path, spool: Path | None = None) -> Iterator[Document | Problem]:
    """The raw documents of the file at `path`, in its order; a file that can't be read is a problem.

    Raises `OSError` where the disk is full.
    """
    try:
        if not stat.S_ISREG(path.stat().st_mode):  # reading a pipe would wait for ever
            yield _unreadable(str(path), "is no file; remove it")
        elif path.name.endswith(".gz"):
            yield from _unpacked(path, spool)
        elif path.name.endswith(".jsonl"):
            with path.open("rb") as stream:
                yield from _lines(stream, str(path), str(path))
        else:
            yield _whole(path)
    except _TooLargeError:
        text = f"has over {MAX_UNPACKED_BYTES:,} bytes unpacked; split it"
        yield Problem(str(path), 0, "", "", text, "EDX080")
    except (OSError, EOFError, zlib.error) as error:
        if isinstance(error, OSError) and error.errno in {errno.ENOSPC, errno.EDQUOT}:
            raise
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        yield _unreadable(str(path), f"cannot be read: {reason}; mend the file or its permissions")


def read(source: Source) -> bytes:
    """The document at `source`; `OSError` where its file is gone."""
    with open(source.path, "rb") as stream:
        stream.seek(source.offset)
        return stream.read(source.length)


def _whole(path: Path) -> Document:
    with path.open("rb") as stream:
        raw = stream.read(MAX_RECORD_BYTES + 1)
    return Document(str(path), 0, Source(str(path), 0, len(raw)), raw)


def _lines(stream: IO[bytes], where: str, stored: str, most: int | None = None) -> Iterator[Document]:
    offset = 0
    for number, (raw, length) in enumerate(_bounded(stream, most), 1):
        if raw.strip():
            yield Document(where, number, Source(stored, offset, len(raw)), raw)
        offset += length


def _bounded(stream: IO[bytes], most: int | None) -> Iterator[tuple[bytes, int]]:
    """Each line with its whole length, up to `most` bytes in all; of a line beyond the limit only the beginning."""
    room = most
    while raw := stream.readline(MAX_RECORD_BYTES + 2):
        length = len(raw)
        part = raw
        while len(part) == MAX_RECORD_BYTES + 2 and not part.endswith(b"\n"):
            part = stream.readline(MAX_RECORD_BYTES + 2)
            length += len(part)
            if most is not None and length > most:
                raise _TooLargeError
        if room is not None:
            room -= length
            if room < 0:
                raise _TooLargeError
        yield raw, length


def _unpacked(path: Path, spool: Path | None) -> Iterator[Document]:
    if spool is None:
        with gzip.open(path, "rb") as packed:
            yield from _lines(cast(IO[bytes], packed), str(path), str(path), MAX_UNPACKED_BYTES)
        return
    with path.open("rb") as packed_stream:
        digest = hashlib.file_digest(packed_stream, "sha256").hexdigest()
    stored = spool / f"{digest[:32]}.jsonl"
    if not stored.exists():
        _unpack(path, stored)
    with stored.open("rb") as stream:
        yield from _lines(stream, str(path), str(stored))


def _unpack(path: Path, stored: Path) -> None:
    partial, room = stored.with_suffix(".partial"), MAX_UNPACKED_BYTES
    try:
        with gzip.open(path, "rb") as packed, partial.open("wb") as plain:
            while part := packed.read(1 << 20):
                room -= len(part)
                if room < 0:
                    raise _TooLargeError
                plain.write(part)
        partial.replace(stored)
    finally:
        partial.unlink(missing_ok=True)
