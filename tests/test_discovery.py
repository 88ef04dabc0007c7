"""Sitemaps: as the protocol (sitemaps.org) has them, split, and without a clock."""

import gzip
from pathlib import Path

import pytest
from lxml import etree
from usp.tree import sitemap_from_str

from generator import assemble, discovery, ledger, statistics
from generator.pages import Site
from tests import mirrors

SITE = "https://errors.example/reference/"
GRAMMAR = etree.RelaxNG(etree.parse(Path(__file__).parent / "sitemap.rng"))
NAMES = {"s": "http://www.sitemaps.org/schemas/sitemap/0.9"}


def made(pages: list[tuple[str, str]]) -> dict[str, bytes]:
    return {file.path: file.content for job in discovery.jobs(pages) for file in discovery.files(job, SITE)}


def locations(content: bytes) -> list[str]:
    """The addresses in a sitemap or an index, which is held against the protocol's grammar and read as crawlers do."""
    tree = etree.fromstring(content)
    GRAMMAR.assertValid(tree)
    found = [str(text) for text in tree.xpath("//s:loc/text()", namespaces=NAMES)]
    if tree.tag.endswith("urlset"):
        read = sitemap_from_str(content.decode())
        assert [(page.url, page.last_modified is not None) for page in read.all_pages()] == [
            (place.findtext("s:loc", namespaces=NAMES), place.find("s:lastmod", namespaces=NAMES) is not None)
            for place in tree
        ]
    return found


def test_one_sitemap_plain_and_packed_sorted_with_dates() -> None:
    files = made([("errors/b/", "2026-02-01"), ("errors/a/", ""), ("errors/~26/x'y&z/", "")])
    assert set(files) == {"sitemap.xml", "sitemap.xml.gz"}
    assert gzip.decompress(files["sitemap.xml.gz"]) == files["sitemap.xml"]
    assert files["sitemap.xml.gz"][4:8] == b"\0\0\0\0"
    assert locations(files["sitemap.xml"]) == [f"{SITE}errors/{path}" for path in ("a/", "b/", "~26/x'y&z/")]
    assert b"<lastmod>2026-02-01</lastmod>" in files["sitemap.xml"]


def test_many_pages_are_split_below_the_protocol_s_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    assert discovery.SITEMAP_LIMIT < 50_000
    monkeypatch.setattr(discovery, "SITEMAP_LIMIT", 3)
    pages = [(f"errors/{number}/", "") for number in range(7)]
    files = made(pages)
    parts = locations(files["sitemap.xml"])
    assert parts == [f"{SITE}sitemap-{number}.xml" for number in (1, 2, 3)]
    assert [uri for part in parts for uri in locations(files[part.removeprefix(SITE)])] == [
        f"{SITE}{uri}" for uri, _ in pages
    ]


def test_an_empty_site_has_an_empty_one_and_one_without_an_address_none() -> None:
    assert b"<urlset" in made([])["sitemap.xml"]
    plan = assemble.plan(mirrors.seeds(), Site(url=""))
    assert not list(assemble.sitemaps(plan, [("", "")]))


def test_every_list_has_its_place(tmp_path: Path) -> None:
    """Spelt as the ledger has it, and also one that stands in an index's further pages."""
    mirrors.write(tmp_path, *(mirrors.variant(n, errorClass=f"E{n}Error", tags=["a", "B"]) for n in range(4)))
    published = ledger.Ledger(lists=frozenset({"tags/b/", "classes/e1error/"}))
    plan = assemble.plan(mirrors.load(tmp_path), Site(url=SITE), published=published)
    (job,) = assemble.sitemaps(plan, [("guide/", ""), ("tags/b/", "")])
    records = {entry.uri for entry in plan.dataset.live}
    indexes = {index.uri for index in plan.indexes}
    lists = {hub.uri for hub in plan.hubs}
    assert {"tags/b/", "classes/e1error/", "classes/E2Error/"} <= lists
    assert [uri for uri, _ in job.rows] == sorted({"guide/", statistics.URI} | records | indexes | lists)
