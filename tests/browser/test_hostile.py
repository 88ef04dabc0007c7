"""Every page, search result and lookup answer of hostile records in Chromium, with the policy on, on a small screen.

Every tenth record in the fast suite; all of them by `make test-hostile`.
"""

import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Browser, Dialog, Page, expect

from tests import awkward, sites
from tests.browser.conftest import Visit, serving, visiting

pytestmark = pytest.mark.browser

EVERY = {"sample": 10, "all": 1}
WIDTH = 360
SAMPLED_PAGES = 40
SHOWN = re.compile("[\u202a-\u202e\u2066-\u2069\u200b\u00ad\0-\x08\x0e-\x1f]")


ASK = "(box, text) => { box.value = text; box.form.requestSubmit(); }"
"""As a paste and its button; typing thousands of lines takes Chromium seconds."""


class Hostile(NamedTuple):
    """The site, its records, and the address where it is served."""

    site: Path
    records: list[dict[str, Any]]
    address: str

    def pages(self) -> list[str]:
        """The addresses of all pages, but those that lead on at once."""
        found = sorted(path.parent.relative_to(self.site).as_posix() for path in self.site.rglob("index.html"))
        return [f"{uri}/" for uri in found if uri != "." and not uri.startswith("e/") and "old" not in uri]


@pytest.fixture(
    scope="module",
    params=[pytest.param("sample"), pytest.param("all", marks=pytest.mark.slow)],
)
def hostile(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hostile]:
    folder = tmp_path_factory.mktemp("hostile")
    chosen = awkward.tree(folder / "records", EVERY[request.param])
    shutil.copytree(sites.ROOT / "records" / "sgl-project", folder / "records" / "sgl-project")
    site = sites.build(folder, folder / "records", plugin={"search": True})[1]
    with serving(site) as address:
        yield Hostile(site, chosen, address)


def assert_harmless(page: Page, where: str) -> None:
    """No script of a record has run, nothing of it is an element that acts, and the page fits the screen."""
    found = page.evaluate(
        """() => ({
            owned: document.title === "owned" || "owned" in window,
            width: document.documentElement.scrollWidth,
            acting: document.querySelectorAll(`main :is(script:not([type="application/json"]), iframe, object, embed),
                main :is(base, style, img),
                main :is([onclick], [onmouseover], [onerror], [onload], [onfocus], [style], [srcdoc]),
                a:is([href^="javascript:" i], [href^="data:" i], [href^="vbscript:" i])`).length,
            text: document.body.innerText })"""
    )
    assert (found["owned"], found["acting"]) == (False, 0), where
    assert found["width"] <= WIDTH, f"{where} is {found['width']} wide"
    assert not SHOWN.search(found["text"]), where


def visited(chromium: Browser, hostile: Hostile, walk: Callable[[Visit], None]) -> None:
    """Walk through the site; no dialog opens, nothing is asked elsewhere, and no error is said."""
    dialogs: list[str] = []

    def seen(dialog: Dialog) -> None:
        dialogs.append(dialog.message)
        dialog.dismiss()

    with visiting(chromium, hostile.address, viewport={"width": WIDTH, "height": 800}) as visit:
        visit.page.on("dialog", seen)
        walk(visit)
    assert dialogs == []


def test_every_page(chromium: Browser, hostile: Hostile) -> None:
    pages = hostile.pages()
    pages = pages if len(hostile.records) > 200 else pages[:: max(1, len(pages) // SAMPLED_PAGES)]
    assert len(pages) >= min(len(hostile.records), SAMPLED_PAGES)

    def walk(visit: Visit) -> None:
        for uri in pages:
            visit.page.goto(hostile.address + uri, wait_until="load")
            assert_harmless(visit.page, uri)

    visited(chromium, hostile, walk)


def test_every_search_result(chromium: Browser, hostile: Hostile) -> None:
    def walk(visit: Visit) -> None:
        visit.page.goto(f"{hostile.address}search/")
        box = visit.page.get_by_role("searchbox").first
        for fields in hostile.records if len(hostile.records) > 200 else hostile.records[::2]:
            if fields["withdrawn"]:
                continue
            box.fill(f"word{int(fields['id'], 16)}x")
            link = visit.page.locator(f'.edx-results a[href$="/{fields["slug"]}/"]')
            expect(link.first).to_be_visible()
            assert_harmless(visit.page, f"search for {fields['slug']}")
        for facet in visit.page.locator("details.edx-facet > summary").all():
            facet.press("Enter")
            assert_harmless(visit.page, "the filters")

    visited(chromium, hostile, walk)


def test_every_lookup_answer(chromium: Browser, hostile: Hostile) -> None:
    def walk(visit: Visit) -> None:
        visit.page.goto(f"{hostile.address}lookup/")
        box = visit.page.get_by_label("Error message, traceback or log")
        answered = 0
        for fields in hostile.records:
            box.evaluate(ASK, f"{fields['errorClass']}: {fields['errorMessage']}")
            expect(visit.page.locator(".edx-paste:not([aria-busy])")).to_be_attached()
            answered += visit.page.locator(".edx-answer-match").count() > 0
            assert_harmless(visit.page, f"lookup of {fields['slug']}")
        assert answered >= len(hostile.records) // 2

    visited(chromium, hostile, walk)
