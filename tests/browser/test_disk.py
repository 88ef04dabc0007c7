"""A page opened from disk: its styles apply, its links lead to files, and lookup and search say what they need."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests import kinds, sites

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return sites.build(tmp_path_factory.mktemp("disk"), sites.ROOT / "records" / "sgl-project")[1]


def test_a_page_reads_well_from_disk(chromium: Browser, folder: Path) -> None:
    page = chromium.new_page(viewport={"width": 1440, "height": 900})
    page.goto((folder / kinds.RECORD / "index.html").as_uri())
    expect(page.get_by_role("heading", name="Solutions")).to_be_visible()
    assert page.evaluate("getComputedStyle(document.querySelector('.edx-toc')).position") == "sticky"
    page.get_by_role("link", name="sgl-project/sglang", exact=True).first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Errors of sgl-project/sglang")
    page.get_by_role("link", name="Errordex").click()
    assert page.url == (folder / "index.html").as_uri()
    page.close()


@pytest.mark.parametrize("uri", ["", "lookup/", "search/"])
def test_what_needs_a_server_says_so(uri: str, chromium: Browser, folder: Path) -> None:
    page = chromium.new_page()
    page.goto((folder / uri / "index.html").as_uri())
    expect(page.get_by_text("errordex serve", exact=False)).to_be_visible()
    expect(page.get_by_role("textbox")).to_have_count(0)
    page.close()
