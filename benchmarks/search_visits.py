"""Visits a search's address in Chromium as one who was never there, and counts bytes and milliseconds."""

import gzip
import http.server
import shutil
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from statistics import median
from urllib.parse import quote_plus

from playwright.sync_api import Browser, CDPSession, Page

COMPRESSED = (".html", ".js", ".css", ".json", ".txt", ".svg", ".xml")
"""What hosts compress on the way; Pagefind's own files are compressed as they lie."""

SECOND = "shape mismatch"
"""What is asked next, in the same visit."""

WAIT = 60_000


@dataclass(frozen=True, slots=True)
class Line:
    """A line to the reader: its name, bits a second both ways (0: as fast as it goes) and milliseconds of delay."""

    name: str
    bits: int
    delay: int


LINES = (Line("unthrottled", 0, 0), Line("10 Mbit/s, 30 ms", 10_000_000, 30))


@dataclass(frozen=True, slots=True)
class Visit:
    """One visit: bytes on the line for the search (its page's frame left out) and milliseconds up to the first result.

    The same for a second question in it.
    """

    size: int
    time: float
    next_size: int
    next_time: float


class _Handler(http.server.SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def send_head(self) -> None:
        path = Path(self.translate_path(self.path))
        path = path / "index.html" if path.is_dir() else path
        found = path.is_file()
        body = path.read_bytes() if found else b""
        self.send_response(200 if found else 404)
        self.send_header("Content-Type", self.guess_type(path))
        if path.suffix in COMPRESSED and found:
            body = gzip.compress(body, 6)
            self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        pass


@contextmanager
def served(site: Path) -> Iterator[str]:
    """The address of a site, served as long as this lasts."""
    handler = partial(_Handler, directory=str(site))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}/"
        server.shutdown()


@dataclass
class _Counter:
    """The bytes of what a page and its workers load, by what it is for."""

    urls: dict[str, str] = field(default_factory=dict)
    search: int = 0

    def watch(self, session: CDPSession) -> None:
        session.on(
            "Network.requestWillBeSent", lambda event: self.urls.update({event["requestId"]: event["request"]["url"]})
        )
        session.on("Network.loadingFinished", self._finished)
        session.send("Network.enable")

    def _finished(self, event: dict[str, object]) -> None:
        url = self.urls.get(str(event["requestId"]), "")
        if "/js/search/" in url or ("/search/" in url and "?q=" not in url):
            self.search += int(str(event["encodedDataLength"]).partition(".")[0])


def visit(browser: Browser, address: str, text: str, line: Line) -> Visit:
    """Open the address of a search and wait for its first result; then ask something else."""
    context = browser.new_context()
    page = context.new_page()
    counter, session = _Counter(), context.new_cdp_session(page)
    counter.watch(session)
    if line.bits:
        limits = {"latency": line.delay, "downloadThroughput": line.bits / 8, "uploadThroughput": line.bits / 8}
        session.send("Network.emulateNetworkConditions", {"offline": False, **limits})
    started = _now(page)
    page.goto(f"{address}search/?q={quote_plus(text)}", wait_until="commit")
    _shown(page)
    time = _now(page) - started
    page.wait_for_load_state("networkidle")
    size = counter.search
    started = _now(page)
    page.evaluate("document.querySelector('.edx-results').replaceChildren()")
    page.fill("#edx-q", SECOND)
    _shown(page)
    next_time = _now(page) - started
    page.wait_for_load_state("networkidle")
    context.close()
    return Visit(size, time, counter.search - size, next_time)


def _now(page: Page) -> float:
    """Milliseconds since some day, by the browser's clock."""
    return float(page.evaluate("performance.timeOrigin + performance.now()"))


def _shown(page: Page) -> None:
    page.wait_for_selector(".edx-results li, .edx-state:not([hidden])", timeout=WAIT)


def summary(visits: Sequence[Visit]) -> list[str]:
    """The cells of a row: medians, 95th percentiles and the most."""
    sizes, times = sorted(one.size / 1000 for one in visits), sorted(one.time for one in visits)
    return [
        *(f"{value:,.0f}" for figures in (sizes, times) for value in (median(figures), _late(figures), figures[-1])),
        f"{median(one.next_size / 1000 for one in visits):,.0f}",
        f"{median(one.next_time for one in visits):,.0f}",
    ]


def _late(figures: Sequence[float]) -> float:
    return figures[min(len(figures) - 1, int(len(figures) * 0.95))]


def chromium() -> str | None:
    """The system's Chromium; None for Playwright's own."""
    return shutil.which("chromium") or shutil.which("google-chrome")
