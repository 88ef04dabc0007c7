"""axe-core on pages: no violation, nothing amiss in the console, nothing asked of another host.

One page of each template in the fast suite; every kind of page, in both schemes and widths, by `make audit`.
"""

import pytest
from playwright.sync_api import Browser

from tests import kinds
from tests.audit import axe, visits

pytestmark = pytest.mark.browser


SAMPLE: dict[visits.View, tuple[str, ...]] = {
    ("light", 360): ("home", "repository", "lookup answered", "docs"),
    ("dark", 1440): ("record", "repositories", "search answered", "records", "not found"),
}


@pytest.mark.parametrize("view", SAMPLE, ids=str)
def test_axe_finds_nothing_on_a_page_of_each_template(view: visits.View, chromium: Browser, own_site: str) -> None:
    found = visits.faults(chromium, own_site, {name: kinds.PAGES[name] for name in SAMPLE[view]}, [view])
    assert (found.broken, found.wrong) == ([], [])


@pytest.mark.slow
def test_axe_finds_nothing_on_any_kind_of_page(chromium: Browser, own_site: str) -> None:
    found = visits.faults(chromium, own_site, kinds.PAGES)
    assert (found.broken, found.wrong) == ([], [])


def test_axe_would_find_something(chromium: Browser) -> None:
    page = chromium.new_page()
    page.set_content('<html lang="en"><title>x</title><main><h1>x</h1><img src="data:,"></main>')
    assert any(fault.startswith("image-alt") for fault in axe.violations(page))
    page.close()
