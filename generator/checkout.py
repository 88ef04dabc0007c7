"""A checkout's sources, read as text with their raise sites; nothing in it is run, imported or followed out of it."""

import fnmatch
import os
import stat
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from generator.checks import is_path, shown
from generator.problems import Problem
from generator.raise_sites import Passed, Site, Unreadable, reader_of

MAX_SOURCE_BYTES = 2_000_000
"""A source beyond this is data, or written by a program."""

_PASSED_OVER = frozenset({"__pycache__", "node_modules"})


@dataclass(frozen=True, slots=True)
class Source:
    """One file: its path in the repository, its lines, and what its language's reader found.

    `read` tells whether there is such a reader; without one there are lines alone.
    """

    path: str
    lines: tuple[str, ...]
    sites: tuple[Site, ...] = ()
    passed: tuple[Passed, ...] = ()
    read: bool = False


@dataclass(frozen=True, slots=True)
class Checkout:
    """A checkout: its sources by path in the repository, and a line for each that could not be read."""

    sources: dict[str, Source]
    skipped: tuple[Problem, ...]


def read(root: Path, *, prefix: str = "", also: Collection[str] = (), exclude: Sequence[str] = ()) -> Checkout:
    """Read the sources under `root` that have a reader, and the files `also`.

    `prefix` is where `root` lies in the repository; `exclude` are shell patterns of paths in it.
    """
    sources: dict[str, Source] = {}
    skipped: list[Problem] = []
    inside = root.resolve()
    for path in _files(root):
        name = "/".join(part for part in (prefix.strip("/"), path.relative_to(root).as_posix()) if part)
        wanted = reader_of(name) is not None or name in also
        if not wanted or any(fnmatch.fnmatchcase(name, pattern) for pattern in exclude):
            continue
        if path.is_symlink() and Path(os.path.realpath(path)).is_relative_to(inside):
            continue  # what it leads to is found itself
        try:
            sources[name] = _source(path, name)
        except Unreadable as reason:
            skipped.append(_skipped(str(path), str(reason)))
    return Checkout(sources, tuple(sorted(skipped)))


def _skipped(where: str, reason: str) -> Problem:
    printable = where if where.isprintable() else shown(where)
    return Problem(printable, 0, "", "", f"this source is not read: {reason}", "EDX077")


def _files(root: Path) -> Iterator[Path]:
    """Every file and link under `root` but those of hidden folders, in order."""
    for folder, names, files in os.walk(root):
        names[:] = sorted(name for name in names if not name.startswith(".") and name not in _PASSED_OVER)
        yield from (Path(folder, name) for name in sorted(files))


def _source(path: Path, name: str) -> Source:
    """The file at `path`; raises `Unreadable`."""
    if not is_path(name):
        raise Unreadable("no record can hold its name; rename it")
    text = _text(path)
    reader = reader_of(name)
    found = list(reader(text, name)) if reader else []
    return Source(
        name,
        tuple(text.removesuffix("\n").split("\n")),
        tuple(item for item in found if isinstance(item, Site)),
        tuple(item for item in found if isinstance(item, Passed)),
        reader is not None,
    )


def _text(path: Path) -> str:
    try:
        if path.is_symlink():
            raise Unreadable("a link out of the checkout; put the file there, or leave it")
        state = path.stat()
        if not stat.S_ISREG(state.st_mode):
            raise Unreadable("no regular file; leave it")
        if state.st_size > MAX_SOURCE_BYTES:
            raise Unreadable(f"it has over {MAX_SOURCE_BYTES:,} bytes; leave it, or part it")
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Unreadable(f"byte {error.start} is not UTF-8; save it as UTF-8, or leave it") from None
    except OSError as error:
        raise Unreadable(f"{error.strerror or error}; mend its permissions, or leave it") from None
    if "\r" in text.replace("\r\n", "\n"):
        raise Unreadable("it has carriage returns that end lines; save it with line feeds")
    return text
