"""Builds benchmark records with Errordex and with what one would use instead, side by side, and tabulates both.

    python -m benchmarks.bench [--count 10000] [--peers NAME,NAME | --only errordex] [--growth N,N,N] [--write]

All is kept below .errordex: the corpus and the peers' pinned installations, to be used again, and the sites while
they are measured.
Figures depend on the machine and on what else it does; the ratios of one run less so.
"""

import argparse
import json
import os
import shlex
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from benchmarks import bars, errordex_build, machine, measure, report
from benchmarks.errordex_build import BenchError, Build, Grown, Project
from benchmarks.measure import Measured, PageSize
from benchmarks.peers import eleventy, hugo, mkdocs_material, spot, zensical
from benchmarks.peers.peer import Ground, Peer, PeerError
from benchmarks.report import Row

WORK, CACHE = Path(".errordex/bench"), Path(".errordex/corpus")
PAGE = Path("docs/benchmarks.md")
COUNT, TIMEOUT = 10_000, 1_800.0
PEERS = (mkdocs_material.PEER, hugo.PEER, hugo.RELATED, zensical.PEER, eleventy.PEER)


@dataclass
class Run:
    """What was asked for, and what has been measured so far.

    `compared` is whether more than growth is asked for, `written` whether the page is to have it; `load` is the
    machine's before; `work` holds sites and tools, `cache` the scanned wheels.
    """

    count: int
    peers: Sequence[Peer]
    growth: Sequence[int]
    timeout: float = TIMEOUT
    load: float = 0.0
    compared: bool = True
    written: bool = False
    work: Path = WORK
    cache: Path = CACHE
    rows: list[Row] = field(default_factory=list)
    versions: list[str] = field(default_factory=list)
    full: Build | None = None
    page: PageSize | None = None
    again: list[tuple[str, Build]] = field(default_factory=list)
    grown: list[Grown] = field(default_factory=list)


def compare(run: Run) -> None:
    """Build with Errordex and with each peer, then with Errordex again after changes."""
    records = errordex_build.records_of(run.count, run.work, run.cache)
    own = errordex_build.project(run.work / "errordex", records)
    try:
        told(f"Errordex, {run.count:,} records")
        run.full = own.build(run.timeout, "--full")
        errordex_build.check(own, run.count)
        run.page = measure.median_page(own.site.glob(spot.PAGES))
        run.rows.append(Row("Errordex", run.full.measured, run.page, measure.contents(own.site)[0]))
        _compare_peers(run, own)
        told("Errordex again, after a change")
        run.again = list(errordex_build.rebuilds(own, run.timeout))
    finally:
        measure.put_away(run.work / "errordex")


def _compare_peers(run: Run, own: Project) -> None:
    if run.peers:
        shown = run.work / "shown.json"
        shown.write_text(json.dumps(errordex_build.shown(own.records)), "utf-8")
        for peer in run.peers:
            told(peer.title)
            run.rows.append(peer_row(run, peer, own, shown))


def peer_row(run: Run, peer: Peer, own: Project, shown: Path) -> Row:
    """Install, prepare, measure and check one peer; what fails is named, on stderr with details, and left out."""
    tools = (run.work / "tools" / (peer.shares or peer.name)).resolve()
    folder = (run.work / "peers" / peer.name).resolve()
    ground = Ground(tools, folder, own.records.resolve(), shown.resolve(), own.site.resolve())
    try:
        return _measured_peer(run, peer, ground)
    except PeerError as error:
        told(f"{peer.title} {error}\n{error.detail}")
        return Row(peer.title, left_out=str(error))
    finally:
        measure.put_away(folder)


def _measured_peer(run: Run, peer: Peer, ground: Ground) -> Row:
    peer.install(ground.tools)
    measure.put_away(ground.project)
    ground.project.mkdir(parents=True)
    peer.prepare(ground)
    measured = _measured(peer, ground, run.timeout)
    run.versions.append(peer.version(ground.tools))
    if measured.timed_out:
        return Row(peer.title, measured)
    if measured.status != 0:
        raise PeerError(f"ended with status {measured.status}", measured.output)
    site = ground.project / peer.site
    sample = spot.records(ground.records)
    lacking = list(spot.problems(site, run.count, sample, peer.highlighted, peer.mirror))
    if lacking:
        raise PeerError(f"fails {len(lacking)} spot checks", "\n".join(lacking))
    return Row(peer.title, measured, measure.median_page(site.glob(spot.PAGES)), measure.contents(site)[0])


def _measured(peer: Peer, ground: Ground, timeout: float) -> Measured:
    try:
        return measure.run(peer.command(ground), ground.project, timeout=timeout, environment=peer.environment)
    except OSError as error:
        raise PeerError("cannot be run", str(error)) from None


def grow(run: Run) -> None:
    """Build each size of `growth` with Errordex; what `compare` measured is taken from there."""
    for count in run.growth:
        if count == run.count and run.full is not None and run.again:
            again = {what: build.measured for what, build in run.again}
            run.grown.append(Grown(count, run.full.measured, again))
        else:
            told(f"Errordex, {count:,} records")
            run.grown.extend(errordex_build.grow([count], run.work, run.cache, run.timeout))


def told(what: str) -> None:
    """Say on stderr what is being done."""
    print(f"-- {what}", file=sys.stderr, flush=True)


# What comes out


def parts(run: Run, command: str) -> Iterator[tuple[str, str, str]]:
    """Yield name, title and Markdown of each part that was measured; all but the machine's under date and command."""
    caption = f"{datetime.now(UTC):%Y-%m-%d}, `{command}`"
    yield "machine", "The machine", _facts(run)
    if run.full is not None and run.page is not None:
        yield "build", f"{run.count:,} records", f"{caption}\n\n{report.comparison(run.rows)}"
        yield "page", "The median record page", f"{caption}\n\n{report.pages(run.page)}"
    if run.full is not None and run.again:
        yield "rebuild", f"Building {run.count:,} records again", f"{caption}\n\n{report.rebuilds(run.full, run.again)}"
    if run.grown:
        yield "growth", "Growth", f"{caption}\n\n{report.growth(run.grown)}"
    held = list(bars.held(run.count, run.rows, run.page, run.grown))
    if held:
        yield "budgets", "Budgets", f"{caption}\n\n{report.bars(held)}"


def _facts(run: Run) -> str:
    return "\n".join(f"- {name}: {value}" for name, value in machine.facts(run.load, run.versions))


def whole(run: Run) -> bool:
    """Whether all that budgets are set for was measured; those of a smaller run do not replace those in the page."""
    measured = {one.count for one in run.grown}
    return run.count == bars.MANY and len(run.rows) > 1 and measured >= {bars.MANY, bars.MOST}


def write(run: Run, command: str, page: Path) -> None:
    """Put each part that was measured in its marked place of `page`."""
    text = page.read_text("utf-8")
    for name, _, part in parts(run, command):
        if name != "budgets" or whole(run):
            text = report.placed(text, name, part)
    page.write_text(text, "utf-8")


# The command


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure what the command line asks for, and show what could be; 0, or 1 if not all could; 2 for wrong usage."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    run = asked(given)
    command = shlex.join(["python", "-m", "benchmarks.bench", *(word for word in given if word != "--write")])
    fault = ""
    try:
        if run.compared:
            compare(run)
        grow(run)
    except BenchError as error:
        fault = str(error)
    finally:
        measure.clear(run.work, run.work / "peers")
    for _, title, text in parts(run, command):
        print(f"\n## {title}\n\n{text}")
    if run.written:
        write(run, command, PAGE)
    if fault:
        print(f"bench: {fault}", file=sys.stderr)
    return 1 if fault else 0


def asked(arguments: Sequence[str]) -> Run:
    """What the command line asks for; `SystemExit` with 2 for wrong usage."""
    options = _parser().parse_args(arguments)
    return Run(
        count=options.count,
        peers=_chosen(options),
        growth=_sizes(options),
        timeout=options.timeout,
        load=os.getloadavg()[0],
        compared=options.only != "growth",
        written=options.write,
    )


def _sizes(options: argparse.Namespace) -> list[int]:
    count: int = options.count
    given: list[int] | None = options.growth
    return sorted({max(1, count // 10), count, 10 * count}) if given is None else given


def _chosen(options: argparse.Namespace) -> list[Peer]:
    return [] if options.only else [peer for peer in PEERS if peer.name in options.peers]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.bench", description="Compare Errordex with its peers.")
    names = [peer.name for peer in PEERS]
    parser.add_argument("--count", type=_positive, default=COUNT, metavar="N", help="records; default: %(default)s")
    parser.add_argument("--peers", type=_names, default=names, metavar="NAMES", help=f"default: {','.join(names)}")
    parser.add_argument("--only", choices=("errordex", "growth"), help="without peers; or the growth of Errordex alone")
    parser.add_argument(
        "--growth",
        type=_counts,
        metavar="N,N",
        help="sizes to build with Errordex alone, 0 for none; default: a tenth of --count, --count, and ten times that",
    )
    parser.add_argument("--timeout", type=_positive, default=TIMEOUT, metavar="S", help="seconds a build may take")
    parser.add_argument("--write", action="store_true", help=f"put the tables into {PAGE}")
    return parser


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("must be 1 or more")
    return number


def _counts(text: str) -> list[int]:
    return sorted({_positive(word) for word in text.split(",") if word != "0"})


def _names(text: str) -> list[str]:
    names = text.split(",")
    unknown = sorted(set(names) - {peer.name for peer in PEERS})
    if unknown:
        raise argparse.ArgumentTypeError(
            f"no peer {', '.join(unknown)}; there are {', '.join(peer.name for peer in PEERS)}"
        )
    return names


if __name__ == "__main__":
    sys.exit(main())
