"""A real Chromium, and sites served to it below a sub-path as a plain host would."""

import functools
import http.server
import os
import shutil
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Request, expect, sync_playwright

from tests import sites

MOUNT = "/some/path/"

expect.set_options(timeout=20_000)  # milliseconds: a loaded machine is no fault of the page's

UNUSED = (
    *("WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "WebUIOmniboxFullPopup"),
    *("AimEnabled", "HttpsFirstBalancedModeAutoEnable", "HttpsUpgrades", "LensOverlay", "MediaRouter"),
    *("NetworkTimeServiceQuerying", "OptimizationHints", "PaintHolding", "PreconnectToSearch"),
    *("AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "ThirdPartyStoragePartitioning"),
)
"""Chromium's features that no test needs: the address bar's pages, which cost more than ours in each window.

The others are those that Playwright turns off, since Chromium obeys the last of several such lists.
"""


class _Handler(http.server.SimpleHTTPRequestHandler):
    """Files below `MOUNT`; the site's own page for what is not there."""

    def translate_path(self, path: str) -> str:
        return (
            super().translate_path("/" + path.removeprefix(MOUNT)) if path.startswith(MOUNT) else os.devnull + "/none"
        )

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        page = Path(str(self.directory)) / "404.html"
        if code != 404 or not page.exists():
            super().send_error(code, message, explain)
            return
        body = page.read_bytes()
        self.send_response(404)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        pass


@contextmanager
def serving(folder: Path) -> Iterator[str]:
    """The address of a folder's site, served as long as this lasts."""
    handler = functools.partial(_Handler, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}{MOUNT}"
        finally:  # or its thread would ask a closed socket without end
            server.shutdown()


@contextmanager
def launched() -> Iterator[Browser]:
    """The system's Chromium, or Playwright's own, as long as this lasts."""
    names = ("chromium", "chromium-browser", "google-chrome")
    path = next((found for name in names if (found := shutil.which(name))), None)
    quiet = ["--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync"]
    quiet.append(f"--disable-features={','.join(UNUSED)}")
    sandbox = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=[*quiet, *sandbox])
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """A real Chromium for all tests."""
    with ExitStack() as stack:
        try:
            browser = stack.enter_context(launched())
        except Exception as error:
            if "ERRORDEX_TEST_ALL" in os.environ:
                raise
            pytest.skip(f"no Chromium: {error}")
        yield browser


@pytest.fixture(scope="session")
def own_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of this repository's own site."""
    folder = tmp_path_factory.mktemp("browser")
    site = sites.build(
        folder, sites.ROOT / "records", site_url="https://host.example" + MOUNT, plugin={"search": True}
    )[1]
    with serving(site) as address:
        yield address


@dataclass
class Visit:
    """A page in the browser, and all that went wrong there: console errors, uncaught ones, requests elsewhere."""

    page: Page
    address: str
    scripts: bool = True
    faults: list[str] = field(default_factory=list)
    under_way: set[Request] = field(default_factory=set)

    def asks(self, request: Request) -> None:
        """Note a request."""
        self.under_way.add(request)

    def has(self, request: Request) -> None:
        """Note that a request is over, well or not."""
        self.under_way.discard(request)

    def go(self, uri: str = "") -> Page:
        """Open the page at `uri` of the site, and wait until its scripts rest and all they asked for has come."""
        self.page.goto(self.address + uri)
        if self.scripts:
            self.page.evaluate("() => new Promise((rest) => requestIdleCallback(() => rest()))")
            if self.under_way:
                self.page.wait_for_load_state("networkidle")
        return self.page


@contextmanager
def visiting(browser: Browser, address: str, **options: object) -> Iterator[Visit]:
    """A visit in a context of its own; it fails at its end if anything went wrong."""
    context = browser.new_context(**options)  # type: ignore[arg-type]
    visit = Visit(context.new_page(), address, options.get("java_script_enabled") is not False)
    host = address.split("/some/", maxsplit=1)[0]
    visit.page.on("pageerror", lambda error: visit.faults.append(f"uncaught: {error}"))
    visit.page.on("console", lambda line: visit.faults.append(line.text) if line.type in ("error", "warning") else None)
    visit.page.on(
        "request",
        lambda request: None if request.url.startswith((host, "data:", "blob:")) else visit.faults.append(request.url),
    )
    visit.page.on("request", visit.asks)
    visit.page.on("requestfinished", visit.has)
    visit.page.on("requestfailed", visit.has)
    yield visit
    context.close()
    assert visit.faults == []
