"""The search page in Chromium, below a sub-path, with this repository's records."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

from generator import dataset
from generator.search import indexing
from tests import sites
from tests.browser.conftest import serving, visiting

pytestmark = pytest.mark.browser

FIXTURES = sites.ROOT / "tests" / "fixtures" / "search"
OPENING = 'import "./search/open.js";'


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a site's search page."""
    folder = tmp_path_factory.mktemp("search")
    records = folder / "records"
    shutil.copytree(sites.ROOT / "records", records)
    shutil.copytree(FIXTURES, records / "example")
    _, site = sites.build(folder, records)
    with_search(site, records)
    with serving(site) as root:
        yield f"{root}search/"


def with_search(site: Path, records: Path) -> None:
    """Add the search, and the keys that open it, where the build has not."""
    if not (site / "search" / "parts.json").exists():
        pages = {"guide/": (site / "guide" / "index.html").read_text("utf-8")}
        indexing.build(dataset.load_or_raise(records), pages, stage=site, site=site)
    script = site / "assets" / "js" / "page.js"
    if OPENING not in script.read_text("utf-8"):
        script.write_text(f"{script.read_text('utf-8')}{OPENING}\n", "utf-8")


@pytest.fixture
def page(chromium: Browser, address: str) -> Iterator[Page]:
    """A page whose scripts must not fail, and must ask this site alone."""
    with visiting(chromium, address, viewport={"width": 1440, "height": 900}) as visit:
        yield visit.page


@pytest.fixture
def loose(chromium: Browser) -> Iterator[Page]:
    """A page that may meet faults."""
    context = chromium.new_context()
    yield context.new_page()
    context.close()


def said(page: Page) -> Any:
    return expect(page.get_by_role("status").filter(has_text=re.compile(r"result|offline|loaded", re.IGNORECASE)))


def titles(page: Page) -> list[str]:
    return page.locator(".edx-results h2").all_inner_texts()


def query(page: Page) -> dict[str, list[str]]:
    return parse_qs(urlsplit(page.url).query)


def test_results_as_one_types(page: Page, address: str) -> None:
    page.goto(address)
    page.keyboard.type("hidden_sta")
    said(page).to_have_text("1 result")
    assert titles(page) == ["draft sampler set but the draft forward has no hidden_states to capture into the graph."]
    first = page.locator(".edx-results li")
    expect(first.locator("h2 mark")).to_have_text(["hidden_states"])
    expect(first.locator(".edx-about")).to_contain_text("RuntimeError")
    expect(first.locator(".edx-severity")).to_have_text("critical")
    assert query(page) == {"q": ["hidden_sta"]}
    page.keyboard.press("Control+A")
    page.keyboard.type("surrogate pair")
    expect(page.locator(".edx-results h2").first).to_contain_text("half a surrogate pair")


def test_two_letters_ask_nothing_and_a_code_does(page: Page, address: str) -> None:
    page.goto(address)
    page.keyboard.type("hi")
    page.wait_for_timeout(400)
    expect(page.locator(".edx-intro")).to_be_visible()
    page.keyboard.press("Control+A")
    page.keyboard.type("EDX014")
    expect(page.locator(".edx-results h2").first).to_contain_text("lineNumber is")


@pytest.mark.parametrize("key", ["/", "s", "Control+k", "Meta+k"])
def test_keys_open_the_search_from_any_page(page: Page, address: str, key: str) -> None:
    page.goto(address.replace("search/", "guide/"))
    page.keyboard.press(key)
    page.wait_for_url(address)
    expect(page.locator("#edx-q")).to_be_focused()
    page.locator("h1").click()
    page.keyboard.press(key)
    expect(page.locator("#edx-q")).to_be_focused()
    expect(page.locator("#edx-q")).to_have_value("")


def test_keys_are_text_where_one_types(page: Page, address: str) -> None:
    page.goto(address.replace("search/", "lookup/"))
    page.locator("textarea").fill("")
    page.locator("textarea").press_sequentially("s/")
    expect(page.locator("textarea")).to_have_value("s/")
    assert page.url.split("#")[0] == address.replace("search/", "lookup/")


def test_other_pages_load_nothing_of_the_search(page: Page, address: str) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(address.replace("search/", "guide/"), wait_until="networkidle")
    assert {url.rpartition("/search/")[2] for url in asked if "/search" in url} == {"open.js"}


def test_without_a_question_nothing_of_the_index_is_loaded(page: Page, address: str) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(address, wait_until="networkidle")
    assert [url for url in asked if re.search(r"/search/(?:records|words)/", url)] == []


def test_the_index_is_on_its_way_before_the_page_runs_and_nothing_is_fetched_twice(page: Page, address: str) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url.rpartition("/some/path/")[2].partition("?")[0]))
    page.route("**/search/main.js", lambda _route: None)
    with page.expect_request("**/*.pf_meta"):
        page.goto(f"{address}?q=surrogate", wait_until="commit")
    page.unroute("**/search/main.js")
    page.goto("about:blank")  # or the page before asks for one more file while this one begins
    asked.clear()
    page.goto(f"{address}?q=surrogate", wait_until="networkidle")
    said(page).to_have_text(re.compile("result"))
    index = [uri for uri in asked if uri.startswith("search/")]
    assert len(index) == len(set(index)) > 5


def test_arrow_keys_go_through_the_results(page: Page, address: str) -> None:
    page.goto(f"{address}?q=layer+ids")
    said(page).to_have_text(re.compile(r"[2-9] results"))
    links = page.locator(".edx-results h2 a")
    page.locator("#edx-q").focus()
    page.keyboard.press("ArrowDown")
    expect(links.nth(0)).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(links.nth(1)).to_be_focused()
    page.keyboard.press("End")
    expect(links.last).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(links.last).to_be_focused()
    page.keyboard.press("Home")
    page.keyboard.press("ArrowUp")
    expect(page.locator("#edx-q")).to_be_focused()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Escape")
    expect(page.locator("#edx-q")).to_be_focused()
    page.keyboard.press("ArrowDown")
    target = links.first.get_attribute("href")
    page.keyboard.press("Enter")
    page.wait_for_url(str(target))
    expect(page.locator("h1")).to_be_visible()


def test_filters_counts_and_chips(page: Page, address: str) -> None:
    page.goto(f"{address}?q=give")
    page.locator("summary", has_text="Repository").click()
    page.keyboard.press("Escape")
    expect(page.locator(".edx-facet[open]")).to_have_count(0)
    page.locator("summary").get_by_text("Class", exact=True).click()
    rows = page.locator(".edx-facet[open] li")
    expect(rows.first).to_contain_text("InvalidRecords")
    counts = [int(text) for text in rows.locator("b").all_inner_texts()]
    assert counts == sorted(counts, reverse=True)
    label = page.locator(".edx-facet[open] label", has_text="UsageError")
    count = label.locator("b").inner_text()
    label.click()
    said(page).to_have_text(f"{count} result{'' if count == '1' else 's'}")
    assert query(page) == {"q": ["give"], "class": ["UsageError"]}
    expect(page.locator(".edx-about code")).to_have_text(["UsageError"] * int(count))
    chip = page.get_by_role("button", name="Remove the filter Class: UsageError")
    page.keyboard.press("Escape")
    chip.click()
    assert query(page) == {"q": ["give"]}
    page.go_back()
    said(page).to_have_text(f"{count} result{'' if count == '1' else 's'}")
    page.go_back()
    expect(page.locator(".edx-chips")).to_be_hidden()


def test_an_address_says_it_all(page: Page, address: str) -> None:
    page.goto(f"{address}?q=record&repo=errordex/errordex&severity=error&sort=date&n=20")
    expect(page.locator("#edx-q")).to_have_value("record")
    expect(page.locator("[data-part=sort]")).to_have_value("date")
    expect(page.locator(".edx-chips button")).to_have_count(2)
    expect(page.locator(".edx-results li").nth(10)).to_be_visible()
    assert query(page)["n"] == ["20"]


def test_more_results_by_ten(page: Page, address: str) -> None:
    page.goto(f"{address}?repo=errordex/errordex")
    expect(page.locator(".edx-results li")).to_have_count(10)
    page.get_by_role("button", name="More results").click()
    expect(page.locator(".edx-results li")).to_have_count(20)
    expect(page.locator(".edx-results h2 a").nth(10)).to_be_focused()
    assert query(page)["n"] == ["20"]


def test_newest_first(page: Page, address: str) -> None:
    page.goto(f"{address}?repo=example/moxing&repo=example/fichiers&repo=example/kensaku")
    said(page).to_have_text("3 results")
    page.locator("[data-part=sort]").select_option("date")
    expect(page.locator(".edx-about span:nth-of-type(2)")).to_have_text(
        ["example/kensaku", "example/fichiers", "example/moxing"]
    )
    assert query(page)["sort"] == ["date"]


def test_back_comes_back_to_the_results(page: Page, address: str) -> None:
    page.goto(address)
    page.keyboard.type("surrogate")
    said(page).to_have_text(re.compile(r"result"))
    page.locator(".edx-results h2 a").first.click()
    page.wait_for_url(re.compile(r"/errors/"))
    page.go_back()
    expect(page.locator("#edx-q")).to_have_value("surrogate")
    expect(page.locator(".edx-results h2").first).to_contain_text("surrogate")


def test_a_slip_is_forgiven_and_said(page: Page, address: str) -> None:
    page.goto(f"{address}?q=surogate+pair")
    expect(page.locator(".edx-notes")).to_have_text("No page has “surogate”; these have “surrogate”.")
    expect(page.locator(".edx-results h2").first).to_contain_text("surrogate")


def test_a_quoted_phrase(page: Page, address: str) -> None:
    page.goto(f'{address}?q="half a surrogate"')
    said(page).to_have_text("1 result")
    page.goto(f'{address}?q="surrogate half"')
    said(page).to_have_text("No results")


def test_hand_written_pages_are_found(page: Page, address: str) -> None:
    page.goto(f"{address}?q=placeholders+marked+program+puts")
    expect(page.locator(".edx-results h2 a").first).to_have_attribute("href", re.compile(r"/some/path/guide/$"))


def test_nothing_found_offers_the_lookup_and_a_report(page: Page, address: str) -> None:
    page.goto(f"{address}?q=xyzzyx&class=UsageError")
    said(page).to_have_text("No results")
    lookup = page.get_by_role("link", name="Look up this text")
    assert str(lookup.get_attribute("href")).endswith("/some/path/lookup/#xyzzyx")
    report = urlsplit(str(page.get_by_role("link", name="Report a missing error").get_attribute("href")))
    assert report.path.endswith("/issues/new")
    assert parse_qs(report.query) == {
        "template": ["missing.yml"],
        "title": ["Missing error: xyzzyx"],
        "error": ["xyzzyx"],
    }
    page.get_by_role("button", name="Search without the filters").click()
    assert query(page) == {"q": ["xyzzyx"]}


def test_record_text_is_never_markup(page: Page, address: str) -> None:
    page.goto(f"{address}?q=" + "%3Cimg+src%3Dx+onerror%3Dalert(1)%3E")
    said(page).to_have_text(re.compile(r"[Nn]o results|results?"))
    assert page.locator("main img").count() == 0


def test_a_search_that_does_not_load_says_so_and_tries_again(loose: Page, address: str) -> None:
    page = loose
    page.route("**/parts.json", lambda route: route.fulfill(status=500))
    page.goto(f"{address}?q=surrogate")
    expect(page.get_by_role("heading", name="The search could not be loaded.")).to_be_visible()
    page.unroute("**/parts.json")
    page.get_by_role("button", name="Try again").click()
    said(page).to_have_text(re.compile("result"))


@pytest.mark.parametrize("file", ["parts.json", "pagefind.js", "pagefind-entry.json", "*.pagefind", "words/*"])
def test_whatever_did_not_arrive_is_asked_for_again(loose: Page, address: str, file: str) -> None:
    page = loose
    page.route(f"**/search/**/{file}?**", lambda route: route.abort())
    page.route(f"**/search/**/{file}", lambda route: route.abort())
    page.goto(f"{address}?q=surrogate")
    expect(page.get_by_role("heading", name="The search could not be loaded.")).to_be_visible()
    page.unroute(f"**/search/**/{file}?**")
    page.unroute(f"**/search/**/{file}")
    page.get_by_role("button", name="Try again").click()
    said(page).to_have_text(re.compile("result"))


def test_a_search_without_an_answer_offers_another_try(loose: Page, address: str) -> None:
    """The clock is the test's; what still comes is shown."""
    page = loose
    page.route("**/parts.json", lambda _route: None)
    page.clock.install()
    page.goto(f"{address}?q=surrogate")
    page.clock.run_for(29_000)
    assert page.get_by_role("heading", name="The search could not be loaded.").count() == 0
    page.clock.run_for(2_000)
    expect(page.get_by_role("heading", name="The search could not be loaded.")).to_be_visible()
    page.unroute("**/parts.json")  # which lets go what was held
    said(page).to_have_text(re.compile("result"))


def test_offline_is_said_and_over_when_it_is_over(loose: Page, address: str) -> None:
    page = loose
    page.goto(address, wait_until="networkidle")
    page.locator("#edx-q").blur()
    page.route("**/parts.json", lambda route: route.abort())
    page.context.set_offline(True)
    page.wait_for_function("navigator.onLine === false")
    page.locator("#edx-q").fill("surrogate")
    expect(page.get_by_role("heading", name=re.compile("offline"))).to_be_visible()
    page.unroute("**/parts.json")
    page.context.set_offline(False)
    expect(page.locator(".edx-results h2").first).to_contain_text("surrogate")


@pytest.mark.parametrize("width", [360, 1440])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_fits_and_can_be_read(chromium: Browser, address: str, width: int, scheme: Any) -> None:
    context = chromium.new_context(viewport={"width": width, "height": 800}, color_scheme=scheme)
    page = context.new_page()
    page.goto(f"{address}?q=path&repo=errordex/errordex")
    expect(page.locator(".edx-results li").first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == width
    page.locator("summary", has_text="Family").click()
    expect(page.locator(".edx-facet[open] li").first).to_be_visible()
    box = page.locator(".edx-facet[open] > div").bounding_box()
    assert box
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= width
    small = [
        element for element in page.locator("main :is(button, summary, select):visible").all() if height(element) < 24
    ]
    assert small == []
    for part in (".edx-results h2 a", ".edx-excerpt", ".edx-path", ".edx-excerpt mark", "summary"):
        assert page.locator(part).first.evaluate(CONTRAST) >= 4.5, part
    context.close()


def height(element: Any) -> float:
    box = element.bounding_box()
    return float(box["height"]) if box else 0.0


CONTRAST = """(element) => {
  const canvas = document.createElement("canvas").getContext("2d");
  const rgb = (color) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  let behind = element;
  while (behind.parentElement && rgb(getComputedStyle(behind).backgroundColor)[3] < 255) behind = behind.parentElement;
  const light = (color) => {
    const [r, g, b] = rgb(color).map((value) => {
      const part = value / 255;
      return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const one = light(getComputedStyle(element).color);
  const other = light(getComputedStyle(behind).backgroundColor);
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
}"""
