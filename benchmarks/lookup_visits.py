"""Pastes into the lookup's page in Chromium, through nginx and a slow line, and counts bytes and milliseconds."""

import shutil
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks.slow_line import Line, through
from tests import mirrors, sites

BITS, DELAY = 10_000_000, 0.03
WAIT = 30_000

PASTE = """text => new Promise(resolve => {
  const box = document.querySelector("textarea"), answers = document.querySelector(".edx-answers");
  answers.replaceChildren();
  const started = performance.now();
  new MutationObserver((_, observer) => {
    if (answers.querySelector("h2")) { observer.disconnect(); resolve(performance.now() - started); }
  }).observe(answers, { childList: true, subtree: true });
  box.value = text;
  box.dispatchEvent(new InputEvent("input", { bubbles: true, inputType: "insertFromPaste" }));
})"""


class Pasted(NamedTuple):
    """One visit: milliseconds and bytes from the paste to its answer, the first time, and those of the next paste."""

    first: float
    first_bytes: int
    later: float
    later_bytes: int


def visits(files: Mapping[str, bytes], texts: Sequence[tuple[str, str]]) -> list[Pasted]:
    """Open the page with nothing cached, paste one text and then the other, which both have an answer."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        site = sites.build(Path(folder) / "own", sites.ROOT / "records")[1]
        shutil.rmtree(site / "api" / "lookup")
        for path, content in files.items():
            (site / path).parent.mkdir(parents=True, exist_ok=True)
            (site / path).write_bytes(content)
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        with mirrors.served(site, Path(folder) / "nginx") as address:
            line = Line(BITS, DELAY)
            with through(line, urlsplit(address).port or 80) as port:
                found = [_visit(browser, line, f"http://127.0.0.1:{port}/lookup/", *pair) for pair in texts]
        browser.close()
    return found


def _visit(browser: Browser, line: Line, address: str, first: str, later: str) -> Pasted:
    context = browser.new_context()
    page = context.new_page()
    page.set_default_timeout(WAIT)
    page.goto(address, wait_until="networkidle")
    times = [_paste(page, line, text) for text in (first, later)]
    context.close()
    return Pasted(*times[0], *times[1])


def _paste(page: Page, line: Line, text: str) -> tuple[float, int]:
    before = line.received
    milliseconds = float(page.evaluate(PASTE, text))
    page.wait_for_load_state("networkidle")
    return milliseconds, line.received - before
