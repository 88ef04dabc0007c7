"""The design's budgets of weight, held on the median page of benchmark records."""

from collections.abc import Iterator
from pathlib import Path

from benchmarks import errordex_build, measure
from benchmarks.bars import FRAME, PAGE, ZIPPED
from benchmarks.bench import CACHE, WORK
from benchmarks.peers import spot
from tests import sites
from tests.audit.finding import Line

COUNT = 1_000
"""Benchmark records: enough for a steady median."""


def lines(work: Path, corpus: Path | None) -> Iterator[Line]:
    """Build `corpus`, or as many benchmark records as are needed, and yield a line for each budget of its pages."""
    site = sites.build(work, corpus or errordex_build.records_of(COUNT, WORK, CACHE))[1]
    page = measure.median_page(site.glob(spot.PAGES))
    measured = {"median record page": (page.raw, PAGE), "gzip -6": (page.zipped, ZIPPED), "frame": (page.frame, FRAME)}
    for what, (size, bar) in measured.items():
        over = (f"{size - bar:,} bytes over",) if size > bar else ()
        yield Line(f"Weight: {what}", f"≤ {bar:,} bytes", f"{size:,}", over)
