"""Two roads, one page: whatever a record holds, plain MkDocs makes of its Markdown the document that the stencil gives.

ERRORDEX_BATCHES=50 builds that many batches of hostile records instead of a few.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings

from tests import roads, samples, sites, strategies, text

BATCHES = int(os.environ.get("ERRORDEX_BATCHES", "3"))
SIZE = 40
SITE_URL = "https://host.example/some/path/"

ORDINARY = (
    samples.record(1),
    samples.record(2, errorMessage="no such key", messagePattern="no such key", httpStatus=404, errorCode="E1"),
    samples.record(3, errorMessage="no such key", messagePattern="no such key", solutions=["One", "Two\n\nparagraphs"]),
    samples.record(4, exampleFix="# before\nx = 1\n# after\nx = 2\n", preventionTips=["Look", "Leap `x`"]),
    samples.record(5, backgroundTag="lost-file", tags=["a", "b"], validationCode="if x:\n    pass\n"),
    samples.record(6, backgroundTag="lost-file", repo="acme/other", typeGuard="assert x\n", documentation=""),
    samples.record(7, withdrawn={"time": "2026-09-01T00:00:00Z", "reason": "It's `gone`.", "replacement": None}),
    samples.record(
        8,
        reviewedBy="Ann B.",
        filePath="src/a&b/(i).py",
        tryCatchPattern="try:\n    x()\nexcept OpenError:\n    pass\n",
    ),
    samples.record(9, severity="info", errorClass="Öffnen", documentation="Über “quotes” – and dashes…"),
    samples.record(10, severity="critical", filePath="src/a&b/*all*/_x_.py"),
    samples.record(11, severity="warning", filePath="[setup](x).py"),
)


def both(folder: Path, *records: dict[str, Any]) -> Iterator[tuple[str, bytes, bytes]]:
    """Each published Markdown page: its path, and the page by the stencil's road and by the plain one."""
    config = sites.small(folder / "site", site_url=SITE_URL)
    samples.tree(folder / "site" / "records", *records)
    site = sites.built(config)
    other = roads.plain(folder / "plain", site, site_url=SITE_URL)
    for page in sorted(site.rglob("index.md")):
        path = page.relative_to(site).with_suffix(".html")
        yield path.as_posix(), (site / path).read_bytes(), (other / path).read_bytes()


def test_ordinary_records_give_equal_bytes(tmp_path: Path) -> None:
    pages = list(both(tmp_path, *ORDINARY))
    assert len(pages) > len(ORDINARY)
    assert [path for path, stencilled, plain in pages if stencilled != plain] == []


@pytest.mark.parametrize("number", range(BATCHES))
def test_any_record_gives_equal_documents(number: int, tmp_path: Path) -> None:
    records = hostile(number)
    pages = list(both(tmp_path, *records))
    assert len(records) > SIZE / 2
    differing = [
        path for path, stencilled, plain in pages if stencilled != plain and parsed(stencilled) != parsed(plain)
    ]
    assert differing == []


def hostile(number: int) -> list[dict[str, Any]]:
    """A batch of hostile records of which no two claim one address."""
    found: list[dict[str, Any]] = []

    @seed(number)
    @settings(max_examples=SIZE, database=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
    @given(strategies.records())
    def collect(record: dict[str, Any]) -> None:
        aliases = [f"{record['repo']}/old-{len(found)}"] if record["aliases"] else []
        found.append(record | {"id": f"{len(found):016x}", "aliases": aliases})

    collect()
    spelt: dict[str, str] = {}
    pages: set[str] = set()
    for record in found:
        taken = f"{record['repo']}/{record['slug']}".casefold() in pages
        record["slug"] = f"{record['slug'][:200]}-{record['id']}" if taken else record["slug"]
        pages.add(f"{record['repo']}/{record['slug']}".casefold())
    return [record for record in found if spelt.setdefault(record["repo"].casefold(), record["repo"]) == record["repo"]]


def parsed(page: bytes) -> list[object]:
    """A page as a browser sees it: its elements in order, with their attributes and texts."""
    tree: Element = text.parse(page.decode("utf-8"))
    return [(element.tag, element.attrib, element.text, element.tail) for element in tree.iter()]
