"""Visits a search's address in Chromium as one who was never there, and counts bytes and milliseconds."""

import gzip
import http.server
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from statistics import median
from typing import Any, ClassVar
from urllib.parse import quote_plus, urlsplit

from playwright.sync_api import Browser, CDPSession, Page

COMPRESSED = (".html", ".js", ".css", ".json", ".txt", ".svg", ".xml")
"""What hosts compress on the way; Pagefind's own files are compressed as they lie."""

SECOND = "shape mismatch"
"""What is asked next, in the same visit."""

WAIT = 60_000

WATCH = """
const seen = ".edx-results li, .edx-state:not([hidden])";
new MutationObserver(() => {
  const { dataset } = document.documentElement;
  if (!dataset.shown && document.querySelector(seen)) dataset.shown = performance.now();
}).observe(document, { subtree: true, childList: true, attributeFilter: ["hidden"] });
"""


@dataclass(frozen=True, slots=True)
class Line:
    """A line to the reader: its name, bits a second both ways (0: as fast as it goes) and milliseconds of delay."""

    name: str
    bits: int
    delay: int


LINES = (Line("unthrottled", 0, 0), Line("10 Mbit/s, 30 ms", 10_000_000, 30))


@dataclass(frozen=True, slots=True)
class Visit:
    """One visit: what the search received (the page around it left out), headers included, and milliseconds.

    `size` bytes and `files` up to the first result, then the same for a second question.
    """

    size: int
    files: int
    time: float
    next_size: int
    next_time: float


@dataclass(frozen=True, slots=True)
class Served:
    """A site at an address, and the bytes that it sent so far, headers left out, by path."""

    address: str
    sent: Counter[str]


class _Handler(http.server.SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    sent: ClassVar[Counter[str]] = Counter()

    def send_head(self) -> None:
        uri = self.path.partition("?")[0]
        path = Path(self.translate_path(uri))
        path = path / "index.html" if path.is_dir() else path
        body = _body(path)
        self.send_response(404 if body is None else 200)
        self.send_header("Content-Type", self.guess_type(path))
        if path.suffix in COMPRESSED and body:
            self.send_header("Content-Encoding", "gzip")
        body = body or b""
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
        self.sent[uri] += len(body)

    def log_message(self, format: str, *args: object) -> None:
        pass


@lru_cache(maxsize=4096)
def _body(path: Path) -> bytes | None:
    """What is sent of a file, None where there is none."""
    if not path.is_file():
        return None
    content = path.read_bytes()
    return gzip.compress(content, 6) if path.suffix in COMPRESSED else content


@contextmanager
def served(site: Path) -> Iterator[Served]:
    """A site, served as long as this lasts."""
    sent: Counter[str] = Counter()
    handler = partial(type("Handler", (_Handler,), {"sent": sent}), directory=str(site))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield Served(f"http://127.0.0.1:{server.server_address[1]}/", sent)
        server.shutdown()


class _Received:
    """What a page has received for the search: its scripts and its index, as they came over the line."""

    def __init__(self, session: CDPSession) -> None:
        self.size, self.files = 0, 0
        self._wanted: set[str] = set()
        session.on("Network.requestWillBeSent", self._sent)
        session.on("Network.loadingFinished", self._finished)
        session.send("Network.enable")

    def _sent(self, event: dict[str, Any]) -> None:
        path = urlsplit(event["request"]["url"]).path
        if "/search/" in path and path != "/search/":
            self._wanted.add(event["requestId"])

    def _finished(self, event: dict[str, Any]) -> None:
        if event["requestId"] in self._wanted:
            self.size += int(event["encodedDataLength"])
            self.files += 1


def visit(browser: Browser, address: str, text: str, line: Line) -> Visit:
    """Open the search of the site at `address` and wait for its first result; then ask something else."""
    context = browser.new_context()
    page = context.new_page()
    session = context.new_cdp_session(page)
    received = _Received(session)
    if line.bits:
        limits = {"latency": line.delay, "downloadThroughput": line.bits / 8, "uploadThroughput": line.bits / 8}
        session.send("Network.emulateNetworkConditions", {"offline": False, **limits})
    page.add_init_script(WATCH)
    page.goto(f"{address}search/?q={quote_plus(text)}", wait_until="commit")
    time = _shown(page)
    size, files = received.size, received.files
    page.evaluate(
        "document.querySelector('.edx-results').replaceChildren(); delete document.documentElement.dataset.shown"
    )
    started = float(page.evaluate("performance.now()"))
    page.fill("#edx-q", SECOND)
    next_time = _shown(page) - started
    context.close()
    return Visit(size, files, time, received.size - size, next_time)


def _shown(page: Page) -> float:
    """Wait for a result, or for the word that there is none; its time since the visit began, in milliseconds."""
    page.wait_for_selector("html[data-shown]", state="attached", timeout=WAIT)
    page.wait_for_load_state("networkidle")
    return float(page.evaluate("document.documentElement.dataset.shown"))


FIGURES = (
    "KB median",
    "KB 95 %",
    "KB most",
    "ms median",
    "ms 95 %",
    "ms most",
    "files",
    "next, KB",
    "next, ms",
)
"""The columns of `summary`."""


def summary(visits: Sequence[Visit]) -> list[str]:
    """The cells of a row: medians, 95th percentiles and the most."""
    sizes, times = sorted(one.size / 1000 for one in visits), sorted(one.time for one in visits)
    return [
        *(f"{value:,.0f}" for figures in (sizes, times) for value in (median(figures), _late(figures), figures[-1])),
        f"{median(one.files for one in visits):,.0f}",
        f"{median(one.next_size / 1000 for one in visits):,.0f}",
        f"{median(one.next_time for one in visits):,.0f}",
    ]


def _late(figures: Sequence[float]) -> float:
    return figures[min(len(figures) - 1, int(len(figures) * 0.95))]
