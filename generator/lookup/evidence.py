"""What speaks for an entry besides its words: the class before the message, the file of a frame."""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from generator.lookup import keys
from generator.lookup.entries import Site
from generator.lookup.frames import Frame, shared
from generator.lookup.paste import Paste

Agreement = Literal["agrees", "elsewhere", "unknown", "conflicts"]

SAME_FILE = 2
"""Segments that two paths share at least if they are of one file."""

RAISED_HERE, PASSED_HERE, SAME_NAME, SAME_LINE = 16, 10, 3, 4
"""Points of the raising frame's file, of another frame's, of a name alone, and of the very line."""

COMMON_NAMES = frozenset(
    [
        "__init__.py",
        "__main__.py",
        "main.py",
        "utils.py",
        "util.py",
        "base.py",
        "core.py",
        "common.py",
        "api.py",
        "cli.py",
        "config.py",
        "types.py",
        "errors.py",
        "exceptions.py",
        "helpers.py",
        "models.py",
        "app.py",
        "server.py",
        "client.py",
        "index.js",
        "index.ts",
        "main.js",
        "utils.js",
        "mod.rs",
        "lib.rs",
        "main.rs",
        "main.go",
        "utils.go",
        "main.c",
    ]
)


class Placed(NamedTuple):
    """A site and how near the paste's frames are: points, segments shared, and lines apart, negative."""

    points: int
    shared: int
    near: int
    site: Site


def agreement(error_class: str, before: str, paste: Paste, line: int) -> Agreement:
    """Whether `before`, what stands before the message, ends with the class.

    A class is compared by its last part; `Value error,` is a spelling of `ValueError`.
    """
    wanted = keys.letters(keys.last_name(error_class))
    said = before.rstrip(" \"'`(")
    if said.endswith((":", ",")) and wanted and keys.letters(said[-200:]).endswith(wanted):
        return "agrees"
    head = paste.head_of.get(line)
    named = keys.letters(keys.last_name(head.name)) if head else ""
    if named == wanted or wanted in paste.names:
        return "elsewhere"
    return "conflicts" if named and said.endswith(":") else "unknown"


def placed(sites: Sequence[Site], frames: Sequence[Frame]) -> list[Placed]:
    """The sites by how near the frames are, nearest first, then by id; the raise is the first frame."""
    return sorted(
        (_place(site, frames) for site in sites), key=lambda place: (*(-value for value in place[:3]), place.site)
    )


def _place(site: Site, frames: Sequence[Frame]) -> Placed:
    segments = site.segments
    best = Placed(0, 0, -(10**8), site)
    for order, frame in enumerate(frames):
        count = shared(segments, frame.segments)
        if count >= SAME_FILE or (count and count == len(segments)):
            points = RAISED_HERE if order == 0 else PASSED_HERE
            points += SAME_LINE if frame.line == site.line else 0
        elif count and segments[0] not in COMMON_NAMES:
            points = SAME_NAME
        else:
            continue
        best = max(best, Placed(points, count, -abs(frame.line - site.line), site), key=lambda place: place[:3])
    return best
