"""A record's page on paper, in forced colours, without motion, and at 200 % zoom."""

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import visiting
from tests.kinds import RECORD

pytestmark = pytest.mark.browser


def test_a_printed_page_is_complete_with_addresses(chromium: Browser, own_site: str) -> None:
    with visiting(chromium, own_site, viewport={"width": 720, "height": 1000}) as visit:
        page = visit.go(RECORD)
        page.emulate_media(media="print")
        for name in (".edx-header", ".edx-toc", ".edx-tools", ".edx-footer"):
            expect(page.locator(name).first).to_be_hidden()
        cut = "[...document.querySelectorAll('pre')].filter(pre => pre.scrollWidth > pre.clientWidth).length"
        assert page.evaluate(cut) == 0
        link = page.locator("#source ~ p > a[href^='https://github.com']").first
        spelt = link.evaluate("link => getComputedStyle(link, '::after').content")
        assert "https://github.com/sgl-project/sglang/blob/" in spelt


def test_severity_and_raise_show_in_forced_colours(chromium: Browser, own_site: str) -> None:
    with visiting(chromium, own_site, forced_colors="active") as visit:
        page = visit.go(RECORD)
        assert page.evaluate("getComputedStyle(document.querySelector('.hll')).outlineStyle") == "solid"
        assert page.evaluate("getComputedStyle(document.querySelector('.edx-severity'), '::before').clipPath") != "none"


def test_nothing_moves_where_motion_is_reduced(chromium: Browser, own_site: str) -> None:
    with visiting(chromium, own_site, reduced_motion="reduce") as visit:
        page = visit.go(RECORD)
        moving = """[...document.querySelectorAll("body *")].filter((one) => {
          const { animationName, transitionDuration } = getComputedStyle(one);
          return animationName !== "none" || Number.parseFloat(transitionDuration) > 0;
        }).map((one) => one.outerHTML.slice(0, 80))"""
        assert page.evaluate(moving) == []
        assert page.evaluate("getComputedStyle(document.documentElement).scrollBehavior") == "auto"


def test_a_page_reads_at_twice_the_size(chromium: Browser, own_site: str) -> None:
    with visiting(chromium, own_site, viewport={"width": 640, "height": 400}, device_scale_factor=2) as visit:
        page = visit.go(RECORD)
        assert page.evaluate("document.documentElement.scrollWidth") <= 640
        expect(page.get_by_role("heading", name="Solutions")).to_be_visible()
