"""The command `errordex` without the mirror: nothing below /api/ but the lookup's index.

For `benchmarks.mirror`, which measures what these cost. There is no such setting: pages link to the mirror.
"""

from collections.abc import Collection, Iterable, Iterator
from typing import Any

from generator import agents, export, hosting, mirror
from generator.about import About
from generator.agents import TextJob
from generator.cli import main
from generator.dataset import Dataset
from generator.files import File


def _no_record(*_: object, **__: object) -> Iterator[File]:
    return iter(())


def _none(_dataset: Dataset, _about: About) -> Iterator[export.Job]:
    return iter(())


def _texts(dataset: Dataset, *, markdown: bool = True, given: Iterable[str] = ()) -> Iterator[TextJob]:
    return agents.jobs(dataset, markdown=markdown, given=given)


def _others(
    dataset: Dataset,
    about: About,
    _parts: object,
    *,
    markdown: bool = True,
    given: Collection[str] = (),
    **options: Any,
) -> Iterator[File]:
    overview = agents.overview(dataset, about, markdown=markdown)
    if overview.path not in given:
        yield overview
    yield from hosting.files(about, given=given, **options)


# Not under the guard below: workers are spawned, and run this module again as theirs.
mirror.record = _no_record
export.jobs = _none  # type: ignore[assignment]
export.lists = _texts
export.files = _others  # type: ignore[assignment]

if __name__ == "__main__":
    main(prog_name="errordex")
