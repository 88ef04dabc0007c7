"""Maps of a repository: they show every error once, nothing overlaps, and their size is bounded."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.records import SEVERITIES
from generator.treemap import HEADER, HEIGHT, MAX_CELLS, MAX_FOLDERS, Box, Cell, Raising, fitting, treemap

parts = st.sampled_from(("a", "b", "src", "lib", "x.py", "y.py", "deep", "ü & <i>"))
paths = st.lists(parts, min_size=1, max_size=6).map("/".join)
files = st.dictionaries(
    paths, st.tuples(st.integers(1, 500), st.sampled_from(SEVERITIES)), min_size=1, max_size=40
).map(lambda found: [Raising(path, errors, worst) for path, (errors, worst) in found.items()])


@given(files)
def test_every_error_is_drawn_once(found: list[Raising]) -> None:
    drawn = treemap(found)
    assert sum(cell.errors for cell in drawn.cells) == sum(file.errors for file in found)
    worst = min((cell.worst for cell in drawn.cells), key=SEVERITIES.index)
    assert worst == min((file.worst for file in found), key=SEVERITIES.index)


@given(files)
def test_a_map_is_bounded(found: list[Raising]) -> None:
    drawn = treemap(found)
    assert len(drawn.folders) <= MAX_FOLDERS + 1
    assert len(drawn.cells) <= (MAX_FOLDERS + 1) * (MAX_CELLS + 1)


@given(files)
def test_cells_lie_within_the_drawing_and_beside_one_another(found: list[Raising]) -> None:
    boxes = [cell.box for cell in treemap(found).cells]
    for number, box in enumerate(boxes):
        assert box.x >= -0.1 and box.x + box.width <= 100.1
        assert box.y >= -0.2 and box.y + box.height <= HEIGHT + 0.5
        for other in boxes[:number]:
            assert overlap(box.x, box.width, other.x, other.width) < 0.1 or (
                overlap(box.y, box.height, other.y, other.height) < 0.5
            )


def overlap(start: float, length: float, other: float, far: float) -> float:
    return min(start + length, other + far) - max(start, other)


@given(files, st.randoms(use_true_random=False))
def test_the_order_of_files_does_not_matter(found: list[Raising], chance: random.Random) -> None:
    shuffled = list(found)
    chance.shuffle(shuffled)
    assert treemap(shuffled) == treemap(found)


def test_folders_are_cut_up_as_long_as_they_are_large() -> None:
    found = [Raising(f"src/core/{name}.py", 10, "error") for name in "abc"]
    found += [Raising("src/web/a.py", 20, "critical"), Raising("setup.py", 1, "info")]
    drawn = treemap(found)
    assert {("src/core/", 30), ("src/web/", 20)} <= {(folder.path, folder.errors) for folder in drawn.folders}
    assert [(cell.path, cell.errors, cell.worst) for cell in drawn.cells] == [
        ("src/core/a.py", 10, "error"),
        ("src/core/b.py", 10, "error"),
        ("src/core/c.py", 10, "error"),
        ("src/web/a.py", 20, "critical"),
        ("setup.py", 1, "info"),
    ]


def test_what_is_beyond_the_largest_is_one_cell() -> None:
    found = [Raising(f"{number:02}.py", 100 - number, "info") for number in range(30)]
    (folder,), cells, _ = treemap(found)
    assert folder.path == "" and folder.name == "/" and folder.box.height == HEADER
    (others,) = [cell for cell in cells if cell.others]
    assert (others.name, others.others, len(cells)) == (f"{30 - MAX_CELLS} others", 30 - MAX_CELLS, MAX_CELLS + 1)


@pytest.mark.parametrize(("path", "name"), [("a/b.py", "b.py"), ("a/b/", "b/"), ("x", "x"), ("", "/")])
def test_names(path: str, name: str) -> None:
    assert Cell(path, 1, "info", Box(0, 0, 1, 1)).name == name


@pytest.mark.parametrize(
    ("name", "width", "shown"),
    [("lora/", 10, "lora/"), ("pipelines_core/", 12, "pipeline…"), ("attention/", 7, ""), ("a", 2, "")],
)
def test_a_name_is_whole_or_says_that_it_is_cut(name: str, width: float, shown: str) -> None:
    assert fitting(name, Box(0, 0, width, 100), 20) == shown
