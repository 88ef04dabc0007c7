"""Material's own search on the same pages: built from their Markdown, and asked through its box in Chromium."""

import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import yaml
from mkdocs.commands.build import build as mkdocs_build
from mkdocs.config import load_config
from playwright.sync_api import Browser, Page

from benchmarks.peers.markdown import SETTINGS, without_template
from benchmarks.search_visits import served
from generator import assemble, pages, urls
from generator.dataset import Dataset
from generator.pages import Site

STILL = 0.5
"""Seconds in which a list of results does not change when it is whole."""

LONGEST = 120_000
"""Milliseconds for an answer."""

FIRST = 40

RESULTS = "Array.from(document.querySelectorAll('.md-search-result__item > a')).map((link) => link.href)"


def build(folder: Path, corpus: Dataset) -> Path:
    """Stock MkDocs and Material with the record pages of `corpus`; the site."""
    docs = folder / "docs"
    for uri, page in _pages(corpus):
        path = docs / urls.markdown(uri)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(without_template(page), "utf-8")
    (docs / "index.md").write_text("# Errors\n", "utf-8")
    settings = {**SETTINGS, "validation": {"links": {"not_found": "ignore"}}}  # the lists are left out
    (folder / "mkdocs.yml").write_text(yaml.safe_dump(settings), "utf-8")
    mkdocs_build(load_config(str(folder / "mkdocs.yml")))
    return folder / "site"


def _pages(corpus: Dataset) -> Iterator[tuple[str, str]]:
    plan = assemble.plan(corpus, Site())
    for job in assemble.page_jobs(plan):
        made = assemble.made(job, plan.site)
        yield made.uri, pages.markdown(made.template, made.values)


def answers(browser: Browser, site: Path, texts: Sequence[str]) -> tuple[list[list[str]], str]:
    """The first addresses for each text, and what the first question cost, in words."""
    with served(site) as host:
        page = browser.new_page()
        page.goto(host.address)
        started = time.monotonic()
        page.click(".md-search__input")
        found = [_asked(page, texts[0])]
        first = time.monotonic() - started - STILL
        found += [_asked(page, text) for text in texts[1:]]
        page.close()
    size = host.sent.total() / 1e6
    waits = f"{first:.1f} s to the first result, unthrottled; {size:,.1f} MB with its page."
    return [_pages_of(urls_found, host.address) for urls_found in found], waits


def _pages_of(found: Sequence[str], address: str) -> list[str]:
    """Results as pages, each once: several sections of one are several results here."""
    return list(dict.fromkeys(url.removeprefix(address).partition("?")[0].partition("#")[0] for url in found))


def _asked(page: Page, text: str) -> list[str]:
    """Ask through the box; the results once they stay as they are."""
    _fill(page, "")
    page.wait_for_selector(".md-search-result__meta:not(:text('matching'))", state="attached")
    _fill(page, text)
    page.wait_for_selector(".md-search-result__meta:text('matching')", state="attached", timeout=LONGEST)
    found, since = _results(page), time.monotonic()
    while time.monotonic() - since < STILL:
        page.wait_for_timeout(50)
        now = _results(page)
        if now != found:
            found, since = now, time.monotonic()
    return found[:FIRST]


def _fill(page: Page, text: str) -> None:
    """Put a text into the box; Material listens for keys that go up."""
    page.fill(".md-search__input", text)
    page.press(".md-search__input", "End")


def _results(page: Page) -> list[str]:
    addresses: list[str] = page.evaluate(RESULTS)
    return addresses
