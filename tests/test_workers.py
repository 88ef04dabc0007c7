"""How jobs are handed to workers."""

from pathlib import Path

import pytest

from generator.about import About
from generator.assemble import Outputs
from generator.pages import Site
from generator.words import shipped
from generator.workers import Crew, Task


def same(_task: Task, jobs: list[int]) -> list[int]:
    return jobs


@pytest.mark.parametrize(
    ("weights", "chunks"),
    [
        ([], []),
        ([1, 1, 1, 1, 1], [[1, 1, 1, 1], [1]]),
        ([3, 2, 1, 9, 1, 1, 1, 1, 4], [[3, 2], [1, 9], [1, 1, 1, 1], [4]]),
    ],
)
def test_chunks_are_of_about_one_weight(tmp_path: Path, weights: list[int], chunks: list[list[int]]) -> None:
    task = Task(tmp_path, tmp_path / "workers", Site(), Outputs(), {}, About(), shipped())
    assert list(Crew(task, 1).spread(same, weights, chunk=4, weigh=int)) == chunks
