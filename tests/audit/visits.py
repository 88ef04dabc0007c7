"""Every kind of page in Chromium, in both schemes: axe, scripts, other hosts, overflow, names of buttons."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from playwright.sync_api import Browser, ConsoleMessage, Page

from tests.audit import axe
from tests.audit.finding import Line, counted

View = tuple[Literal["light", "dark"], int]
"""A scheme and a width in CSS pixels."""

VIEWS: tuple[View, ...] = (("light", 320), ("dark", 412), ("light", 1440), ("dark", 1440))

_TWINS = """() => {
  const names = [...document.querySelectorAll("button")].filter((one) => one.checkVisibility())
    .map((one) => one.getAttribute("aria-label") ?? one.textContent);
  return names.filter((name, place) => names.indexOf(name) !== place);
}"""


@dataclass
class Faults:
    """What axe found, and what went wrong otherwise."""

    broken: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)

    def visit(self, browser: Browser, address: str, pages: Mapping[str, str], view: View) -> None:
        """Open each page of `pages` (names to addresses below `address`) and note what is amiss."""
        scheme, width = view
        context = browser.new_context(color_scheme=scheme, viewport={"width": width, "height": 800})
        for name, uri in pages.items():
            page = context.new_page()
            said = _watched(page, address)
            here = f"{name}, {scheme}, {width}"
            answer = page.goto(address + uri, wait_until="networkidle")
            said += [f"status {answer.status}"] if answer and (answer.status == 404) != (name == "not found") else []
            self.broken += [f"{here}: {fault}" for fault in axe.violations(page)]
            wide = page.evaluate("document.documentElement.scrollWidth")
            said += [f"{wide} pixels wide"] if wide > width else []
            said += [f"several buttons are called “{name}”" for name in page.evaluate(_TWINS)]
            self.wrong += [f"{here}: {fault}" for fault in said]
            page.close()
        context.close()


def _watched(page: Page, address: str) -> list[str]:
    """A list that will hold what the page's scripts do amiss."""
    said: list[str] = []
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("console", lambda line: said.extend(_fault(line)))
    page.on("request", lambda one: said.extend(_elsewhere(one.url, address)))
    return said


def _fault(line: ConsoleMessage) -> list[str]:
    """What the console says that it should not; the page that is not there is meant to be."""
    return [line.text] if line.type in ("error", "warning") and "status of 404" not in line.text else []


def _elsewhere(url: str, address: str) -> list[str]:
    return [] if url.startswith((address, "data:", "blob:")) else [f"asks {url}"]


def faults(browser: Browser, address: str, pages: Mapping[str, str], views: Sequence[View] = VIEWS) -> Faults:
    """What is amiss on `pages` in each of `views`."""
    found = Faults()
    for view in views:
        found.visit(browser, address, pages, view)
    return found


def lines(browser: Browser, address: str, pages: Mapping[str, str]) -> list[Line]:
    """A line for axe and one for the rest."""
    found = faults(browser, address, pages)
    of = f"{len(pages)} kinds of pages × {len(VIEWS)} views"
    return [counted("axe: violations", found.broken, of), counted("Chromium: faults", found.wrong, of)]
