"""The lookup page in Chromium, below a sub-path: what one pastes leads to the page, and stays in the browser."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs, quote, urlsplit

import pytest
from playwright.sync_api import Browser, Page, Request, expect

from generator import dataset, lookup, skeleton
from tests import forms, sites
from tests.browser.conftest import MOUNT, serving, visiting

pytestmark = pytest.mark.browser

SAID = "Could not read dataset at /data/a b: no such folder & more"
TRACE = f"""Traceback (most recent call last):
  File "/venv/lib/python3.12/site-packages/tool/reading.py", line 12, in read
    raise DatasetError(f"Could not read dataset at {{path}}: {{reason}}")
tool.errors.DatasetError: {SAID}
"""
ID = "00000000000000a1"


def record(number: int, file: str, message: str = "Could not read dataset at {path}: {reason}") -> dict[str, object]:
    seed = json.loads(next((sites.ROOT / "records").glob("errordex/errordex/*.json")).read_text("utf-8"))
    made = dict(seed.get("record", seed))
    made.update(
        id=f"{number:016x}",
        repo="acme/tool",
        slug=f"could-not-read-{number}",
        errorCode=None,
        errorMessage=message,
        messagePattern=skeleton.pattern(message),
        errorClass="DatasetError",
        filePath=file,
        githubUrl=f"https://github.com/acme/tool/blob/{made['analyzedSha']}/{file}#L{made['sourceCodeStart']}-L{made['sourceCodeEnd']}",
        documentation="<b>The folder</b> of the dataset is not there.",
    )
    return made


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("lookup")
    records = folder / "records"
    records.mkdir()
    made = (
        record(0xA1, "src/tool/reading.py"),
        record(0xA2, "src/tool/writing.py"),
        record(0xA3, "src/tool/reading.py", "Cannot move {name} to <script>alert(1)</script> while it is open"),
    )
    for each in made:
        (records / f"{each['id']}.json").write_text(json.dumps(each), "utf-8")
    built = sites.build(folder, records, site_url="https://host.example" + MOUNT)[1]
    if not (built / "api" / "lookup" / "index.json").exists():
        for file in lookup.index_files(dataset.load_or_raise(records)):
            (built / file.path).parent.mkdir(parents=True, exist_ok=True)
            (built / file.path).write_bytes(file.content)
    return built


@pytest.fixture(scope="module")
def address(site: Path) -> Iterator[str]:
    with serving(site) as root:
        yield root


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


def paste(page: Page, text: str) -> None:
    page.get_by_label("Error message, traceback or log").fill(text)


def count(page: Page, text: str) -> None:
    expect(page.locator(".edx-answer-count")).to_have_text(text)


def first(page: Page) -> str:
    return str(page.locator(".edx-answers h2 a").first.get_attribute("href"))


def urls(page: Page) -> list[str]:
    """The addresses that the page asks for from here on."""
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    return asked


def test_a_pasted_traceback_leads_to_the_page(page: Page, address: str) -> None:
    page.goto(f"{address}lookup/")
    paste(page, TRACE)
    count(page, "1 match")
    answer = page.locator(".edx-answers > li")
    assert first(page) == f"{address}errors/acme/tool/could-not-read-161/"
    expect(answer.locator("mark")).to_have_text(["/data/a b", "no such folder & more"])
    expect(answer).to_contain_text("DatasetError")
    expect(answer.locator(".edx-answer-place")).to_have_text(re.compile(r"^acme/tool · src/tool/reading.py:\d+$"))
    expect(answer.locator(".edx-severity")).to_have_text("error")
    expect(answer.locator(".edx-answer-meaning")).to_have_text("<b>The folder</b> of the dataset is not there.")
    answer.locator("h2 a").click()
    expect(page.locator("h1")).to_contain_text("Could not read dataset")


def test_sites_of_one_message_are_listed_together(page: Page, address: str) -> None:
    page.goto(f"{address}lookup/")
    paste(page, f"DatasetError: {SAID}")
    count(page, "1 match")
    expect(page.locator(".edx-answer-sites li")).to_have_count(2)


def test_text_is_text(page: Page, address: str) -> None:
    page.goto(f"{address}lookup/")
    paste(page, "DatasetError: Cannot move <img src=x onerror=alert(1)> to <script>alert(1)</script> while it is open")
    count(page, "1 match")
    expect(page.locator(".edx-answers mark")).to_have_text("<img src=x onerror=alert(1)>")
    expect(page.locator(".edx-answers :is(img, script)")).to_have_count(0)


def test_other_wording_is_similar_and_shown_as_documented(page: Page, address: str) -> None:
    page.goto(f"{address}lookup/")
    paste(page, "DatasetError: Cannot move a to <script>alert(1)</script> as long as it is open")
    count(page, "1 similar error")
    expect(page.locator(".edx-answers h2")).to_have_text("Cannot move … to <script>alert(1)</script> while it is open")
    expect(page.locator(".edx-kind")).to_have_text("Similar")


def test_nothing_found_is_said_and_a_report_prefilled(page: Page, address: str) -> None:
    page.goto(f"{address}lookup/")
    paste(page, "starting\nFooError: the quick brown fox")
    count(page, "Nothing found")
    expect(page.get_by_role("link", name="Search the explanations in words", exact=True)).to_be_visible()
    href = str(page.get_by_role("link", name="Report a missing error").get_attribute("href"))
    query = parse_qs(urlsplit(href).query)
    assert (query["template"], query["error"]) == (["missing.yml"], ["starting\nFooError: the quick brown fox"])
    assert query["title"] == ["Missing error: FooError: the quick brown fox"]
    assert query.keys() - {"template", "title"} <= forms.ids("missing.yml")
    paste(page, "")
    count(page, "")
    expect(page.get_by_role("link", name="Report a missing error")).to_be_hidden()


def test_the_fragment_is_read_kept_and_followed(page: Page, address: str) -> None:
    page.goto(f"{address}lookup/#{quote(TRACE)}")
    count(page, "1 match")
    expect(page.get_by_label("Error message, traceback or log")).to_have_value(TRACE)
    paste(page, f"DatasetError: {SAID} 100%")
    expect(page).to_have_url(re.compile("#DatasetError.*100%25$"))
    count(page, "1 match")
    page.evaluate("location.hash = 'nothing of that sort'")
    count(page, "Nothing found")
    paste(page, "x" * 8001)
    expect(page).to_have_url(f"{address}lookup/")


def test_a_query_becomes_a_fragment_at_once(page: Page, address: str) -> None:
    page.goto(f"{address}lookup/?q=DatasetError:+{quote(SAID)}")
    expect(page).to_have_url(f"{address}lookup/#{quote(f'DatasetError: {SAID}', safe='')}")
    count(page, "1 match")
    expect(page.locator(".edx-answer-notes")).to_contain_text("sent to this site's host")
    page.reload()
    count(page, "1 match")
    expect(page.locator(".edx-answer-notes")).to_be_empty()


@pytest.mark.parametrize("uri", ["", "no/such/page/"])
def test_the_box_elsewhere_sends_no_text(loose: Page, address: str, uri: str) -> None:
    loose.goto(address + uri)
    asked = urls(loose)
    paste(loose, TRACE)
    loose.get_by_role("button", name="Look it up").click()
    count(loose, "1 match")
    assert loose.url.startswith(f"{address}lookup/#")
    assert not [url for url in asked if "dataset" in url.partition("#")[0].lower()]
    assert all(url.startswith(address) for url in asked)


def test_a_long_text_is_carried_without_a_request(page: Page, address: str) -> None:
    page.goto(address)
    paste(page, "INFO step\n" * 900 + TRACE)  # more than the 8,000 characters that an address carries
    page.get_by_role("button", name="Look it up").click()
    count(page, "1 match")
    assert page.url == f"{address}lookup/"


def test_a_large_log_does_not_freeze_the_page(page: Page, address: str, tmp_path: Path) -> None:
    lines = (f"2024-05-01 12:00:00,{number % 1000:03} INFO step {number}: loss {number}.5" for number in range(200_000))
    log = tmp_path / "run.log"
    log.write_text("\n".join([*lines, TRACE]), "utf-8")
    assert log.stat().st_size > 9_000_000
    page.goto(f"{address}lookup/")
    count(page, "")
    page.evaluate(
        """() => {
            window.longest = window.whole = 0;
            const began = performance.now();
            let last = began;
            setInterval(() => {
                const now = performance.now();
                longest = Math.max(longest, now - last);
                last = now;
                whole = document.querySelector(".edx-answers li") ? whole : now - began;
            }, 10);
        }"""
    )
    page.get_by_label("Open a file").set_input_files(log)
    expect(page.locator(".edx-answer-count")).to_have_text("1 match", timeout=60_000)
    expect(page.locator(".edx-answer-notes")).to_contain_text("run.log")
    assert page.evaluate("longest < whole / 2"), "the page stood still for most of the time"


def test_a_dropped_file_is_read_whatever_its_encoding(page: Page, address: str) -> None:
    page.goto(f"{address}lookup/")
    page.evaluate(
        """text => {
            const bytes = Uint8Array.from([255, 254, ...[...text].flatMap((char) => [char.charCodeAt(0), 0])]);
            const dataTransfer = new DataTransfer();
            dataTransfer.items.add(new File([bytes], "out.txt"));
            document.body.dispatchEvent(new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer }));
        }""",
        TRACE,
    )
    count(page, "1 match")
    expect(page.get_by_label("Error message, traceback or log")).to_have_value(TRACE)


def test_without_a_network_it_says_so_and_tries_again(loose: Page, address: str) -> None:
    loose.goto(f"{address}lookup/", wait_until="networkidle")
    loose.context.set_offline(True)
    paste(loose, TRACE)
    count(loose, "The lookup did not work")
    expect(loose.locator("[data-part=why]")).to_contain_text("could not be loaded")
    loose.context.set_offline(False)
    loose.get_by_role("button", name="Try again").click()
    count(loose, "1 match")


def test_what_was_loaded_answers_without_a_network(loose: Page, address: str) -> None:
    loose.goto(f"{address}lookup/")
    paste(loose, TRACE)
    count(loose, "1 match")
    loose.context.set_offline(True)
    paste(loose, TRACE.replace("/data/a b", "/elsewhere"))
    expect(loose.locator(".edx-answers mark").first).to_have_text("/elsewhere")
    count(loose, "1 match")


def test_a_site_without_an_index_says_so(loose: Page, address: str) -> None:
    loose.context.route("**/api/lookup/index.json", lambda route: route.fulfill(status=404))
    loose.goto(f"{address}lookup/")
    paste(loose, TRACE)
    count(loose, "The lookup did not work")
    expect(loose.locator("[data-part=why]")).to_have_text("This site has no lookup index.")


def test_a_permalink_in_capitals_leads_to_the_page(loose: Page, address: str) -> None:
    loose.goto(f"{address}e/{ID.upper()}/#solutions")
    loose.wait_for_url("**/errors/*/*/*/#solutions")
    expect(loose.locator("h1")).to_contain_text("Could not read dataset")
    loose.goto(f"{address}e/{ID.upper()}).")
    loose.wait_for_url("**/errors/*/*/*/")
    loose.goto(f"{address}e/{'F' * 16}/")
    expect(loose.locator("article")).to_contain_text(f"No error has the id {'f' * 16}.")


def test_first_answer_is_small(page: Page, address: str) -> None:
    """Texts of the index alone: the scripts are kept by the browser."""
    asked: list[Request] = []
    page.on("request", lambda request: asked.append(request) if "/api/lookup/" in request.url else None)
    page.goto(f"{address}lookup/")
    paste(page, TRACE)
    count(page, "1 match")
    for _ in range(1000):  # on a busy machine a worker's requests are told of after its answer
        if asked:
            break
        page.wait_for_timeout(20)
    sizes = [len(request.response().body()) for request in asked]  # type: ignore[union-attr]
    assert 0 < sum(sizes) < 55_000


@pytest.mark.parametrize("width", [360, 1440])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_is_wider_than_the_page(chromium: Browser, address: str, width: int, scheme: str) -> None:
    options = {"viewport": {"width": width, "height": 900}, "color_scheme": scheme}
    with visiting(chromium, address, **options) as visit:
        page = visit.page
        page.goto(f"{address}lookup/")
        paste(page, f"DatasetError: Could not read dataset at {'/long' * 40}: {'x' * 400}")
        count(page, "1 match")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
