"""axe-core on every kind of page: no violation, nothing amiss in the console, nothing asked of another host."""

import pytest
from playwright.sync_api import Browser

from tests import kinds
from tests.audit import axe, visits

pytestmark = pytest.mark.browser


def test_axe_finds_nothing_on_any_kind_of_page(chromium: Browser, own_site: str) -> None:
    found = visits.faults(chromium, own_site, kinds.PAGES, [("light", 360), ("dark", 1440)])
    assert (found.broken, found.wrong) == ([], [])


def test_axe_would_find_something(chromium: Browser) -> None:
    page = chromium.new_page()
    page.set_content('<html lang="en"><title>x</title><main><h1>x</h1><img src="data:,"></main>')
    assert any(fault.startswith("image-alt") for fault in axe.violations(page))
    page.close()
