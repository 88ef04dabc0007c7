"""Errordex' side of the benchmark: its project, its builds and rebuilds, and what its pages weigh."""

import compileall
import json
import re
import shutil
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks import corpus, measure
from benchmarks.measure import Measured
from benchmarks.peers import spot
from generator import dataset, hubs, related
from tests import sites

_MADE = re.compile(r"([\d,]+) pages made")
_ALL = re.compile(r"^Made everything: .*", re.MULTILINE)
MIRROR = "api/errors/{id}.json"
HIGHLIGHTED = r'<span class="\w{1,3}">'
Change = Callable[[dict[str, Any]], None]


class BenchError(Exception):
    """What ends the benchmark, said in one line; exit status 1."""


@dataclass(frozen=True, slots=True)
class Build:
    """One build: how it went, and the pages that it made (lists included)."""

    measured: Measured
    made: int


@dataclass(frozen=True, slots=True)
class Project:
    """A site of Errordex to be built again and again: its mkdocs.yml, its records, its output."""

    config: Path
    records: Path
    site: Path

    def build(self, timeout: float, *options: str) -> Build:
        """Build in a process of its own; `BenchError` with what it printed if that fails."""
        command = [sys.executable, "-m", "generator", "build", "--config-file", str(self.config), *options]
        measured = measure.run(command, sites.ROOT, timeout=timeout)
        made = _MADE.search(measured.output)
        if measured.status != 0 or made is None:
            why = f"took over {timeout:,.0f} s" if measured.timed_out else measured.output
            raise BenchError(f"Errordex' own build failed: {why}")
        return Build(measured, int(made[1].replace(",", "")))


def records_of(count: int, work: Path, cache: Path) -> Path:
    """The folder of `count` benchmark records: that of an earlier run, or made now and put in place when whole."""
    folder = work / "corpus" / str(count)
    if not folder.exists():
        draft = folder.with_suffix(".part")
        shutil.rmtree(draft, ignore_errors=True)
        draft.parent.mkdir(parents=True, exist_ok=True)
        with redirect_stdout(sys.stderr):
            status = corpus.main(["--count", str(count), "--output", str(draft), "--cache", str(cache)])
        if status != 0:
            raise BenchError(f"no corpus of {count:,} records; see above")
        draft.rename(folder)
    return folder.resolve()


def project(folder: Path, records: Path) -> Project:
    """Set a new project up in `folder`, with this repository's theme and hand-written pages and a copy of `records`."""
    measure.put_away(folder)
    compileall.compile_dir(sites.ROOT / "generator", quiet=1)  # as pip compiles what it installs, the peers among it
    copied = folder / "records"
    shutil.copytree(records, copied)
    return Project(sites.project(folder, copied.resolve()), copied, folder / "site")


def shown(records: Path) -> dict[str, dict[str, Any]]:
    """What Errordex finds out itself and other builders are given, by id: `related` records, `tags` with a list."""
    found = dataset.load_or_raise(records)
    uses = Counter(tag for entry in found.live for tag in entry.tags)
    ranked = related.rank(found)
    linked = {key: [found.by_id[other.id] for other in others] for key, others in ranked.items()}
    return {
        entry.id: {
            "related": [{"repo": one.repo, "slug": one.slug, "title": one.message} for one in linked[entry.id]],
            "tags": [tag for tag in entry.tags if uses[tag] >= hubs.MIN_TAGGED],
        }
        for entry in found.live
    }


# Rebuilds


def _prose(record: dict[str, Any]) -> None:
    record["documentation"] += " A sentence more."


def _severity(record: dict[str, Any]) -> None:
    record["severity"] = "warning" if record["severity"] != "warning" else "error"


def _message(record: dict[str, Any]) -> None:
    record["errorMessage"] += " again"
    record["messagePattern"] += " again"


REPLANNED = "the message of one record changed"
"""What others show of a record: all is planned anew, related errors and the lookup too."""

CHANGES: tuple[tuple[str, Change | None], ...] = (
    ("the prose of one record changed", _prose),
    ("the severity of one record changed", _severity),
    (REPLANNED, _message),
    ("nothing changed", None),
)


def rebuilds(built: Project, timeout: float) -> Iterator[tuple[str, Build]]:
    """Build again after each of `CHANGES`, to the record in the middle by id; each one starts from the same site.

    `BenchError` if one of them could not build upon what was there: its figures would be those of a full build.
    """
    for what, change in CHANGES:
        with _changed(built.records, change):
            again = built.build(timeout)
        everything = _ALL.search(again.measured.output)
        if everything:
            raise BenchError(f"a rebuild started anew ({everything[0]}); let nobody edit the code while it is measured")
        if change is not None:
            built.build(timeout)
        yield what, again


@contextmanager
def _changed(records: Path, change: Change | None) -> Iterator[None]:
    paths = sorted(records.rglob("*.json"), key=lambda path: path.name)
    path = paths[len(paths) // 2]
    before = path.read_bytes()
    if change is not None:
        envelope = json.loads(before)
        change(envelope["record"])
        path.write_text(json.dumps(envelope, ensure_ascii=False, indent=2) + "\n", "utf-8")
    try:
        yield
    finally:
        if change is not None:
            path.write_bytes(before)


# Growth


@dataclass(frozen=True, slots=True)
class Grown:
    """Errordex at one size: the full build, and the rebuilds by the name of what changed."""

    count: int
    full: Measured
    again: dict[str, Measured]


def grow(counts: Sequence[int], work: Path, cache: Path, timeout: float) -> Iterator[Grown]:
    """Build each of `counts` in turn, and remove it when it is measured."""
    for count in counts:
        folder = work / "growth"
        built = project(folder, records_of(count, work, cache))
        try:
            full = built.build(timeout, "--full")
            check(built, count)
            again = {what: build.measured for what, build in rebuilds(built, timeout)}
        finally:
            measure.put_away(folder)
        yield Grown(count, full.measured, again)


def check(built: Project, count: int) -> None:
    """Hold Errordex to the spot checks of the peers; `BenchError` with the first that fails."""
    found = spot.problems(built.site, count, spot.records(built.records), HIGHLIGHTED, MIRROR)
    for problem in found:
        raise BenchError(f"Errordex' site fails a spot check: {problem}")
