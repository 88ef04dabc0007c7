"""A whole site: every link leads somewhere, and both roads lead to the same page."""

import shutil
from pathlib import Path

import pytest

from tests import crawl, roads, sites

SITE_URL = "https://host.example/some/path/"


@pytest.fixture(scope="module")
def own_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """This repository's own records and docs, published below a sub-path."""
    folder = tmp_path_factory.mktemp("own")
    return sites.build(folder, sites.ROOT / "records", site_url=SITE_URL, strict=True)[1]


def test_every_link_leads_somewhere_under_a_sub_path(own_site: Path) -> None:
    assert crawl.faults(own_site, SITE_URL) == []


def test_every_link_leads_somewhere_under_the_root(tmp_path: Path) -> None:
    site = sites.build(tmp_path, sites.ROOT / "records", site_url="https://host.example/")[1]
    assert crawl.faults(site, "https://host.example/") == []


def test_the_crawl_notices_a_lost_page(own_site: Path, tmp_path: Path) -> None:
    broken = tmp_path / "site"
    shutil.copytree(own_site, broken)
    page = next(path for path in (broken / "errors" / "sgl-project").rglob("index.html"))
    page.unlink()
    assert crawl.faults(broken, SITE_URL) != []


def test_plain_mkdocs_makes_the_same_pages(own_site: Path, tmp_path: Path) -> None:
    """Each published Markdown page, built by MkDocs without the plugin, is the published page, byte for byte."""
    other = roads.plain(tmp_path, own_site, site_url=SITE_URL)
    pages = [path.relative_to(own_site) for path in own_site.rglob("index.md") if (path.parent / "index.html").exists()]
    differing = [
        str(page)
        for page in pages
        if (own_site / page).with_suffix(".html").read_bytes() != (other / page).with_suffix(".html").read_bytes()
    ]
    assert len(pages) > 10
    assert differing == []
