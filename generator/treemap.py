"""Where a repository's errors are raised, as a treemap: its folders, and in each the folders and files.

The layout is squarified (Bruls, Huizing and van Wijk, 2000). Heights are pixels and widths percent, so that a drawing
fills whatever width it is given while its words keep their size; it is laid out for a page `WIDTH` pixels wide.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import squarify

from generator.records import SEVERITIES, Severity
from generator.words import say

WIDTH, HEIGHT = 860, 330
"""Pixels of a drawing; one of few files is less tall."""

NARROW, PHONE = 700, 280
"""Pixels of its width where a page is narrowest beside its contents, and on a phone."""

LETTER = 7
"""Pixels of a letter, rather more than less."""

HEADER = 21
"""Pixels of a folder's name above its cells."""

MAX_FOLDERS = 10
MAX_CELLS = 8
"""Cells of a folder; what is beyond is one cell, `others`."""

LEAST = 0.04
"""The share of all errors that gives a folder a place of its own."""

CELLS = 44
"""Cells that a drawing is cut into, about: a folder has as many as its share of the errors is of the whole."""


class Raising(NamedTuple):
    """A file, how many errors it raises, and the worst severity of them."""

    path: str
    errors: int
    worst: Severity


class Box(NamedTuple):
    """A rectangle: `x` and `width` in percent of the drawing's width, `y` and `height` in pixels."""

    x: float
    y: float
    width: float
    height: float

    @property
    def pixels(self) -> float:
        """The width on the page that the drawing is laid out for."""
        return self.width * WIDTH / 100


class Folder(NamedTuple):
    """A folder with cells of its own: its path, ending in a slash (empty for the root), and the strip for its name."""

    path: str
    errors: int
    box: Box

    @property
    def name(self) -> str:
        """The path's last part."""
        return _last(self.path)


class Cell(NamedTuple):
    """A file or a folder (its path ends in a slash), or with `others` that many more of the folder `path`."""

    path: str
    errors: int
    worst: Severity
    box: Box
    others: int = 0

    @property
    def name(self) -> str:
        """The path's last part."""
        if self.others:
            return say("map_others", count=f"{self.others:,}")
        return _last(self.path)


class Treemap(NamedTuple):
    """A drawing: folders that have room for a name, and all cells; both by size, largest first."""

    folders: tuple[Folder, ...]
    cells: tuple[Cell, ...]
    height: int


LEGIBLE = 7
"""Letters below which a name is not cut."""


def fitting(name: str, box: Box, indent: int) -> str:
    """As much of a name as a box has room for beside `indent` pixels, nothing if that would say little."""
    room = int((box.width * NARROW / 100 - indent) / LETTER)
    if box.height < HEADER or room < min(LEGIBLE, len(name)):
        return ""
    return name if len(name) <= room else f"{name[: room - 1]}…"


def roomy(name: str, box: Box, indent: int) -> bool:
    """Whether a box has room for a name on a phone as well."""
    return indent + LETTER * len(name) <= box.width * PHONE / 100


def _last(path: str) -> str:
    return path[path.rstrip("/").rfind("/") + 1 :] or "/"


def treemap(files: Iterable[Raising]) -> Treemap:
    """Lay the files of a repository out, one at least; equal files give an equal drawing, in whatever order."""
    groups = _groups(sorted(files))
    total = sum(map(_errors, groups.values()))
    listed = sorted(groups, key=lambda folder: (-_errors(groups[folder]), folder))
    height = min(HEIGHT, 120 + 26 * sum(map(len, groups.values())))
    boxes = _boxes([_errors(groups[folder]) for folder in listed], Box(0, 0, 100, height))
    folders, cells = [], []
    for folder, box in zip(listed, boxes, strict=True):
        errors, inner = _errors(groups[folder]), box
        if box.height >= 2 * HEADER and box.pixels >= 3 * HEADER:
            folders.append(Folder(folder, errors, box._replace(height=HEADER)))
            inner = box._replace(y=box.y + HEADER, height=box.height - HEADER)
        cells += _cells(folder, groups[folder], inner, round(CELLS * errors / total))
    return Treemap(tuple(folders), tuple(cells), height)


def _errors(files: Iterable[Raising]) -> int:
    return sum(file.errors for file in files)


def _worst(files: Iterable[Raising]) -> Severity:
    return min((file.worst for file in files), key=SEVERITIES.index)


def _groups(files: Sequence[Raising]) -> dict[str, list[Raising]]:
    """Files by the folder that they are drawn in: the largest are cut up as long as there are not too many."""
    groups = {"": list(files)}
    whole: set[str] = set()
    total = _errors(files)
    while len(groups) < MAX_FOLDERS and len(whole) < len(groups):
        folder = min(groups.keys() - whole, key=lambda name: (-_errors(groups[name]), name))
        children = _children(folder, groups[folder])
        large = [
            (-_errors(inside), name)
            for name, inside in children.items()
            if name.endswith("/") and _errors(inside) >= LEAST * total
        ]
        kept = {name for _, name in sorted(large)[: MAX_FOLDERS - len(groups) + 1]}
        rest = [file for name, inside in children.items() if name not in kept for file in inside]
        if not kept or (rest and len(groups) + len(kept) > MAX_FOLDERS):
            whole.add(folder)
            continue
        del groups[folder]
        groups |= {name: children[name] for name in kept}
        if rest:
            groups[folder] = rest
            whole.add(folder)
    return groups


def _children(folder: str, files: Iterable[Raising]) -> Mapping[str, list[Raising]]:
    """Files by what lies next below `folder`: their own paths, or a folder's with its slash."""
    found: defaultdict[str, list[Raising]] = defaultdict(list)
    for file in files:
        name, slash, _ = file.path[len(folder) :].partition("/")
        found[f"{folder}{name}{slash}"].append(file)
    return found


def _cells(folder: str, files: Sequence[Raising], box: Box, limit: int) -> list[Cell]:
    children = _children(folder, files)
    listed = sorted(children, key=lambda path: (-_errors(children[path]), path))
    shown = max(1, min(limit, MAX_CELLS))
    shown = shown if len(listed) > shown + 1 else len(listed)
    rest = [file for path in listed[shown:] for file in children[path]]
    found = [(path, _errors(children[path]), _worst(children[path]), 0) for path in listed[:shown]]
    if rest:
        found.append((folder, _errors(rest), _worst(rest), len(listed) - shown))
    found.sort(key=lambda cell: (-cell[1], cell[3], cell[0]))
    boxes = _boxes([cell[1] for cell in found], box)
    return [
        Cell(path, errors, worst, at, others) for (path, errors, worst, others), at in zip(found, boxes, strict=True)
    ]


def _boxes(sizes: Sequence[int], box: Box) -> list[Box]:
    """Share a box out; sizes are in falling order. Rounded, so that no machine draws another picture."""
    area, total = box.pixels * box.height, sum(sizes)
    normal = [size * area / total for size in sizes]
    left = box.x * WIDTH / 100
    return [
        Box(
            round(one["x"] * 100 / WIDTH, 2), round(one["y"], 1), round(one["dx"] * 100 / WIDTH, 2), round(one["dy"], 1)
        )
        for one in squarify.squarify(normal, left, box.y, box.pixels, box.height)
    ]
