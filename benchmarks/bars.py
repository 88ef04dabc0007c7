"""The budgets of the design that a run of the benchmark can hold against what it measured."""

from collections.abc import Iterator, Sequence

from benchmarks.errordex_build import REPLANNED, Grown
from benchmarks.measure import PageSize
from benchmarks.report import Bar, Row, megabytes, seconds

MANY, MOST = 10_000, 100_000
"""The numbers of records for which budgets are set."""

TIMES_FASTER = 10
MS_A_RECORD = 2.0
PEAK = 450_000_000
CHANGED = {MANY: 2.0, MOST: 5.0}
PAGE, ZIPPED, FRAME = 18_000, 4_700, 5_000


def held(count: int, rows: Sequence[Row], page: PageSize | None, grown: Sequence[Grown]) -> Iterator[Bar]:
    """Yield each budget that was measured: the comparison at `count` and `MANY`, growth at `MANY` and `MOST`."""
    if count == MANY:
        yield from _against_peers(rows)
    for one in grown:
        if one.count == MOST:
            yield from _most(one)
        if one.count in CHANGED:
            yield _changed(one)
    if page is not None:
        yield from _page(page)


def _against_peers(rows: Sequence[Row]) -> Iterator[Bar]:
    measured = [(row.title, row.measured.wall) for row in rows if row.measured]
    if not measured:
        return
    own, *others = measured
    ratios = {title: wall / own[1] for title, wall in others}
    alone = "MkDocs + Material"
    if alone in ratios:
        yield Bar(
            f"{MANY:,} records, {alone} ÷ Errordex",
            f"≥ {TIMES_FASTER}",
            f"{ratios[alone]:.1f}",
            ratios[alone] >= TIMES_FASTER,
        )
    if ratios:
        title, ratio = min(ratios.items(), key=lambda item: item[1])
        yield Bar(f"{MANY:,} records, fastest peer ({title}) ÷ Errordex", "> 1", f"{ratio:.2f}", ratio > 1)


def _most(one: Grown) -> Iterator[Bar]:
    each = 1000 * one.full.wall / one.count
    yield Bar(f"{MOST:,} records, a record", f"≤ {MS_A_RECORD:g} ms", f"{each:.2f} ms", each <= MS_A_RECORD)
    if one.full.peak is not None:
        yield Bar(
            f"{MOST:,} records, peak of all processes",
            f"≤ {megabytes(PEAK)} MB",
            f"{megabytes(one.full.peak)} MB",
            one.full.peak <= PEAK,
        )


def _changed(one: Grown) -> Bar:
    """What records say themselves, which most changes are of; when others show it too, the table of growth tells."""
    slowest = max(measured.wall for what, measured in one.again.items() if what != REPLANNED)
    bar = CHANGED[one.count]
    return Bar(
        f"{one.count:,} records, text or severity of one changed",
        f"≤ {bar:g} s",
        f"{seconds(slowest)} s",
        slowest <= bar,
    )


def _page(page: PageSize) -> Iterator[Bar]:
    measured = {
        "median record page": (page.raw, PAGE),
        "the same, gzip -6": (page.zipped, ZIPPED),
        "its frame": (page.frame, FRAME),
    }
    for what, (size, bar) in measured.items():
        yield Bar(what, f"≤ {bar:,} bytes", f"{size:,} bytes", size <= bar)
