"""Measures what the mirror adds to a build, and how large its largest file is.

    python -m benchmarks.mirror (--records DIR ... | --count N ...) [--runs 1] [--keep] [--write]

The same records are built from nothing without the mirror and with it, in turn; before search. The mirror is all below
/api/ but the lookup's index. With `--write` the table goes into docs/benchmarks.md.
"""

import argparse
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks import measure
from benchmarks.bench import CACHE, TIMEOUT, WORK, told
from benchmarks.errordex_build import BenchError, records_of
from benchmarks.measure import Measured
from benchmarks.report import MEGA, PAGE, megabytes, seconds, table, write
from tests import sites

PLACE = WORK / "mirror"
MODULES = {False: "benchmarks.without_mirror", True: "generator"}
RECORDS = "api/errors/*.json"


@dataclass(frozen=True, slots=True)
class Cost:
    """Of a number of records the best builds without and with the mirror, and its files, bytes and largest file."""

    records: int
    without: Measured
    complete: Measured
    files: int
    size: int
    largest: Path
    largest_size: int


def main() -> int:
    """Measure what the command line asks for; 0, or 1 if a build failed."""
    arguments = _arguments()
    try:
        sets = arguments.records or [records_of(count, WORK, CACHE) for count in arguments.count]
        text = described([cost(records.resolve(), PLACE / records.name, arguments.runs) for records in sets])
    except BenchError as error:
        print(f"mirror: {error}", file=sys.stderr)
        return 1
    finally:
        if not arguments.keep:
            measure.put_away(PLACE)
            measure.clear(WORK, *PLACE.glob("*"))
    print(text)
    if arguments.write:
        write("mirror", "benchmarks.mirror", text)
    return 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("--records", type=Path, nargs="+", help="folders of records")
    source.add_argument("--count", type=int, nargs="+", help="sizes of the benchmarks' own corpus, made or used again")
    parser.add_argument("--runs", type=int, default=1, help="builds of each kind, of which the best counts")
    parser.add_argument("--keep", action="store_true", help=f"leave the sites in {PLACE}")
    parser.add_argument("--write", action="store_true", help=f"put the table into {PAGE}")
    return parser.parse_args()


def cost(records: Path, folder: Path, runs: int) -> Cost:
    """Build `records` below `folder`, `runs` times each way; `BenchError` with what was printed if a build fails."""
    done: dict[bool, list[Measured]] = {False: [], True: []}
    for _ in range(runs):
        for complete, builds in done.items():
            told(f"{records.name}, {'with' if complete else 'without'} the mirror")
            builds.append(_built(records, folder / ("complete" if complete else "without"), complete))
    site = folder / "complete" / "site"
    found = {path: path.stat().st_size for path in mirrored(site)}
    if any(mirrored(folder / "without" / "site")):
        raise BenchError("the build that leaves the mirror out has made some of it")
    best = {kind: min(builds, key=lambda measured: measured.cpu) for kind, builds in done.items()}
    largest = max(found, key=lambda path: found[path])
    count = sum(1 for _ in site.glob(RECORDS))
    return Cost(
        count, best[False], best[True], len(found), sum(found.values()), largest.relative_to(site), found[largest]
    )


def _built(records: Path, folder: Path, complete: bool) -> Measured:
    measure.put_away(folder)
    config = sites.project(folder, records)
    command = [sys.executable, "-m", MODULES[complete], "build", "--full", "--config-file", str(config)]
    measured = measure.run(command, sites.ROOT, timeout=TIMEOUT)
    if measured.status != 0:
        raise BenchError(f"a build failed: {measured.output}")
    return measured


def mirrored(site: Path) -> Iterator[Path]:
    """The mirror's files in a site."""
    lookup = site / "api" / "lookup"
    return (path for path in (site / "api").rglob("*") if path.is_file() and not path.is_relative_to(lookup))


def described(costs: list[Cost]) -> str:
    """The table, a row for each number of records."""
    timed = ("without, s", "with, s", "without, CPU s", "with, CPU s", "CPU added")
    header = ("records", *timed, "its files", "its MB", "largest, MB")
    return table(header, [_row(one) for one in costs])


def _row(one: Cost) -> tuple[str, ...]:
    return (
        f"{one.records:,}",
        seconds(one.without.wall),
        seconds(one.complete.wall),
        seconds(one.without.cpu),
        seconds(one.complete.cpu),
        f"{one.complete.cpu / one.without.cpu - 1:+.0%}",
        f"{one.files:,}",
        megabytes(one.size),
        f"{one.largest_size / MEGA:.1f} ({one.largest.as_posix()})",
    )


if __name__ == "__main__":
    sys.exit(main())
