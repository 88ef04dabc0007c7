"""The raise sites of sources, by language.

A reader takes a source's text and its path in the repository; it yields what it finds, by line, and raises
`Unreadable`. A language more is a reader more, here.
"""

from collections.abc import Callable, Iterator
from pathlib import PurePosixPath

from generator.raise_sites import python
from generator.raise_sites.site import HOLE, Passed, Site, Unreadable

__all__ = ["HOLE", "READERS", "Passed", "Reader", "Site", "Unreadable", "reader_of"]

Reader = Callable[[str, str], Iterator[Site | Passed]]

READERS: dict[str, Reader] = {".py": python.scan}
"""By the file name's suffix."""


def reader_of(path: str) -> Reader | None:
    """The reader of the file's language, if there is one."""
    return READERS.get(PurePosixPath(path).suffix)
