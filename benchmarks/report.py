"""Figures to Markdown tables, and tables to their marked places in a page."""

import re
import shlex
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.errordex_build import BenchError, Build, Grown
from benchmarks.measure import Measured, PageSize

PAGE = Path("docs/benchmarks.md")
MISSING = "–"
MEGA = 1_000_000


@dataclass(frozen=True, slots=True)
class Row:
    """One builder in the comparison: how it went, what it left, and why it is left out (empty: it is not).

    `page` and `files` are of its site; None and 0 where there is none.
    """

    title: str
    measured: Measured | None = None
    page: PageSize | None = None
    files: int = 0
    left_out: str = ""


@dataclass(frozen=True, slots=True)
class Bar:
    """A budget of the design: what is measured, the bar in words, what was measured, and whether that holds."""

    what: str
    bar: str
    measured: str
    met: bool


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table, its columns padded; all but the first to the right."""
    lines = [list(header), *map(list, rows)]
    widths = [max(len(line[place]) for line in lines) for place in range(len(header))]
    rule = [f":{'-' * (width - 1)}" if not place else f"{'-' * (width - 1)}:" for place, width in enumerate(widths)]

    def padded(line: Sequence[str]) -> str:
        cells = [
            cell.rjust(width) if place else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(line, widths, strict=True))
        ]
        return f"| {' | '.join(cells)} |"

    return "\n".join(padded(line) for line in (lines[0], rule, *lines[1:]))


def comparison(rows: Sequence[Row]) -> str:
    """The builders side by side, the first as the measure of the others; below, those that are left out, and why."""
    header = ("", "wall, s", "CPU, s", "peak, MB", "median page, bytes", "gzip -6, bytes", "files", "wall ÷ Errordex")
    own = rows[0].measured
    shown = [_compared(row, row.measured, own) for row in rows if row.measured and own]
    left_out = [f"- Left out: {row.title}, which {row.left_out}." for row in rows if row.left_out]
    return "\n".join([table(header, shown), *([""] if left_out else []), *left_out])


def _compared(row: Row, measured: Measured, own: Measured) -> Sequence[str]:
    more = "> " if measured.timed_out else ""
    page = row.page
    return (
        row.title,
        more + seconds(measured.wall),
        MISSING if measured.timed_out else seconds(measured.cpu),
        megabytes(measured.peak),
        f"{page.raw:,}" if page else MISSING,
        f"{page.zipped:,}" if page else MISSING,
        f"{row.files:,}" if page else MISSING,
        more + seconds(measured.wall / own.wall),
    )


def pages(size: PageSize) -> str:
    """The median record page of Errordex and its frame."""
    rows = [
        ("the page", f"{size.raw:,}", f"{size.zipped:,}"),
        ("of it, the frame around the article", f"{size.frame:,}", f"{size.frame_zipped:,}"),
    ]
    return table(("", "bytes", "gzip -6, bytes"), rows)


def rebuilds(full: Build, again: Iterable[tuple[str, Build]]) -> str:
    """Errordex' full build, and what it takes to build again."""
    rows = [
        (
            what,
            seconds(build.measured.wall),
            seconds(build.measured.cpu),
            megabytes(build.measured.peak),
            f"{build.made:,}",
        )
        for what, build in (("everything", full), *again)
    ]
    return table(("", "wall, s", "CPU, s", "peak, MB", "pages made"), rows)


def growth(grown: Sequence[Grown]) -> str:
    """Errordex at each size."""
    changes = list(grown[0].again)
    header = ("records", "wall, s", "ms a record", "CPU, s", "peak, MB", *(f"{what}, s" for what in changes))
    rows = [
        (
            f"{one.count:,}",
            seconds(one.full.wall),
            f"{1000 * one.full.wall / one.count:.2f}",
            seconds(one.full.cpu),
            megabytes(one.full.peak),
            *(seconds(one.again[what].wall) for what in changes),
        )
        for one in grown
    ]
    return table(header, rows)


def bars(held: Iterable[Bar]) -> str:
    """The budgets, and whether they are met."""
    rows = [(bar.what, bar.bar, bar.measured, "met" if bar.met else "missed") for bar in held]
    return table(("", "budget", "measured", ""), rows)


def seconds(value: float) -> str:
    """Seconds, or a ratio of them, to a place that still means something."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def megabytes(size: int | None) -> str:
    """Bytes as megabytes of a million bytes."""
    return f"{size / MEGA:,.0f}" if size is not None else MISSING


def write(name: str, module: str, text: str) -> None:
    """Put a module's figures into their place in the page, with the day and the command."""
    command = shlex.join(["python", "-m", module, *(_public(word) for word in sys.argv[1:] if word != "--write")])
    stamped = f"{datetime.now(UTC).date()}, `{command}`\n\n{text}"
    PAGE.write_text(placed(PAGE.read_text("utf-8"), name, stamped), "utf-8")


def _public(word: str) -> str:
    """A word of the command, but for a folder of this machine."""
    return Path(word).name.upper() if "/" in word else word


def placed(page: str, name: str, text: str) -> str:
    """`page` with `text` between the marks of `name`, `<!-- bench: name -->` and `<!-- end -->`."""
    marked = re.compile(rf"(<!-- bench: {re.escape(name)} -->\n).*?(<!-- end -->)", re.DOTALL)
    written, count = marked.subn(lambda mark: f"{mark[1]}\n{text}\n\n{mark[2]}", page)
    if count != 1:
        raise BenchError(f"the page has {count} places marked <!-- bench: {name} -->; it needs one")
    return written
