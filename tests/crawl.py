"""Reads a built site as a browser would, and reports every link, anchor and asset that leads nowhere."""

from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit

LINKS = {"a": "href", "link": "href", "script": "src", "img": "src", "form": "action", "iframe": "src", "source": "src"}


class _Page(HTMLParser):
    def __init__(self, html: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.ids: set[str] = set()
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        if values.get("id"):
            self.ids.add(str(values["id"]))
        if link := values.get(LINKS.get(tag, "")):
            self.links.append(link)
        if tag == "meta" and values.get("http-equiv") == "refresh":
            self.links.append(str(values["content"]).partition("url=")[2])


def faults(site: Path, site_url: str) -> list[str]:
    """`page: link` for every link within `site_url` that has no target, sorted."""
    pages = {_uri(path, site): _Page(path.read_text("utf-8")) for path in site.rglob("*.html")}
    return sorted(fault for uri, page in pages.items() for fault in _page_faults(uri, page, pages, site, site_url))


def _uri(path: Path, site: Path) -> str:
    uri = path.relative_to(site).as_posix()
    return uri.removesuffix("index.html") if uri.endswith("/index.html") or uri == "index.html" else uri


def _page_faults(uri: str, page: _Page, pages: dict[str, _Page], site: Path, site_url: str) -> Iterator[str]:
    for link in page.links:
        whole = urljoin(site_url + uri, link)
        if not whole.startswith(site_url):
            if urlsplit(whole).netloc == urlsplit(site_url).netloc:
                yield f"{uri}: {link} leaves the site's path"
            continue
        parts = urlsplit(whole.removeprefix(site_url))
        path, fragment = unquote(parts.path), parts.fragment
        if path in pages:
            if fragment and fragment not in pages[path].ids and not path.startswith("lookup/"):
                yield f"{uri}: {link} names no element"
        elif not (site / path).is_file():
            yield f"{uri}: {link} has no target"
