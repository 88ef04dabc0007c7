"""What every producer yields: a file of the site, not yet written; and how a written one is told from another."""

import os
from dataclasses import dataclass

_SIZE_BITS = 40


@dataclass(frozen=True, slots=True)
class File:
    """One file of the site. `path` is relative to the site's root, with `/`; `content` is what it holds."""

    path: str
    content: bytes


def look(stat: os.stat_result) -> int:
    """A file's time of change and its size, in one number: that has half the room of a pair."""
    return stat.st_mtime_ns << _SIZE_BITS | stat.st_size


def size(look: int) -> int:
    """The bytes of a file that was looked at."""
    return look & (1 << _SIZE_BITS) - 1
