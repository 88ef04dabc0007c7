"""Lists in a real browser: they filter, sort and say so; without scripts they are whole."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests import samples, sites
from tests.browser.conftest import serving, visiting

pytestmark = pytest.mark.browser

REPOSITORY = "errors/acme/tool/"
LONG = 210
"""Records of a list of two pages."""

TOP = "element => element.getBoundingClientRect().top"

SEVERITIES = ("critical", "error", "warning", "info")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("hubs")
    records = [
        samples.record(
            number,
            severity=SEVERITIES[number % 4],
            filePath=f"src/{'ab'[number % 2]}/file{number}.py",
            errorClass=f"Error{number % 3}",
            backgroundTag="lost-file",
            repo="acme/tool" if number < 12 else "acme/other",
        )
        for number in range(1, 14)
    ]
    records += [samples.record(number, repo="acme/long") for number in range(14, 14 + LONG)]
    made = sites.build(folder, samples.tree(folder / "records", *records))[1]
    with serving(made) as address:
        yield address


def test_a_list_is_filtered_and_says_how_far(chromium: Browser, site: str) -> None:
    with visiting(chromium, site) as visit:
        page = visit.go(REPOSITORY)
        rows = page.locator(".edx-sortable tbody tr")
        expect(page.get_by_role("status").first).to_have_text("11 rows")
        page.get_by_label("Filter").fill("src/a/ error")
        expect(page.get_by_role("status").first).to_have_text("5 of 11 rows")
        assert rows.filter(visible=True).count() == 5
        assert page.url.endswith("#find=src%2Fa%2F+error")
        page.get_by_label("Filter").press("Escape")
        assert rows.filter(visible=True).count() == 11
        assert page.url.endswith(REPOSITORY)


def test_headers_sort_by_keyboard_and_the_address_keeps_it(chromium: Browser, site: str) -> None:
    with visiting(chromium, site) as visit:
        page = visit.go(REPOSITORY)
        places = page.locator(".edx-sortable tbody tr td:last-child")
        before = places.all_inner_texts()
        head = page.get_by_role("columnheader", name="Raised at")
        page.get_by_role("button", name="Raised at").focus()
        page.keyboard.press("Enter")
        expect(head).to_have_attribute("aria-sort", "ascending")
        page.keyboard.press("Space")
        expect(head).to_have_attribute("aria-sort", "descending")
        assert places.first.inner_text() == "src/b/file11.py:42"
        visit.page.reload()
        expect(places.first).to_have_text("src/b/file11.py:42")
        page.get_by_role("button", name="Raised at").press("Enter")
        assert places.all_inner_texts() == before


def test_a_place_of_the_map_filters_the_list(chromium: Browser, site: str) -> None:
    with visiting(chromium, site) as visit:
        page = visit.go(REPOSITORY)
        expect(page.get_by_role("img", name="A map of 11 files that raise 11 errors")).to_be_visible()
        page.get_by_text("The map as a table").click()
        page.get_by_role("link", name="src/b/file1.py", exact=True).click()
        expect(page.get_by_label("Filter")).to_be_focused()
        expect(page.get_by_role("status").first).to_have_text("1 of 11 rows")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_list_is_whole_without_scripts_and_on_a_phone(scheme: str, chromium: Browser, site: str) -> None:
    options = {"java_script_enabled": False, "viewport": {"width": 360, "height": 800}, "color_scheme": scheme}
    with visiting(chromium, site, **options) as visit:
        for uri in (REPOSITORY, "families/lost-file/", "statistics/", "errors/", ""):
            page = visit.go(uri)
            expect(page.get_by_role("heading", level=1)).to_be_visible()
            assert page.locator("[style]").count() == 0, uri
            assert page.locator("html").evaluate("root => root.scrollWidth") <= 360, uri


@pytest.mark.parametrize("width", [360, 1440])
def test_a_later_page_says_which_it_is_and_its_script_moves_nothing(width: int, chromium: Browser, site: str) -> None:
    tops = []
    for script in ("hub.js", ""):
        with visiting(chromium, site, viewport={"width": width, "height": 800}) as visit:
            if script:
                visit.page.route(f"**/{script}", lambda route: route.fulfill(content_type="text/javascript", body=""))
            page = visit.go("errors/acme/long/page/2/")
            expect(page.locator(".edx-count")).to_have_text("Page 2 of 2")
            expect(page.get_by_label("Filter")).to_have_count(0 if script else 1)
            tops.append([page.locator(part).evaluate(TOP) for part in ("article tbody tr:first-child", ".edx-pages")])
    assert tops[0] == pytest.approx(tops[1], abs=0.1)


def test_a_list_of_two_pages_is_whole_without_scripts(chromium: Browser, site: str) -> None:
    with visiting(chromium, site, java_script_enabled=False, viewport={"width": 360, "height": 800}) as visit:
        rows = visit.go("errors/acme/long/page/2/").locator("tbody tr").count()
        assert visit.page.locator("html").evaluate("root => root.scrollWidth") <= 360
        assert rows + visit.go("errors/acme/long/").locator("#records + table tbody tr").count() == LONG


def test_the_home_page_counts_in_right_words(chromium: Browser, site: str) -> None:
    with visiting(chromium, site) as visit:
        counts = visit.go().locator(".edx-counts")
        assert "3 repositories" in counts.inner_text() and "1 family of failures\n" in counts.inner_text() + "\n"
