"""What machines look for: sitemaps."""

import gzip
from collections.abc import Iterable, Iterator, Sequence

from generator import escape
from generator.files import File

SITEMAP_LIMIT = 40_000
"""Addresses a sitemap; the protocol allows 50,000 (sitemaps.org/protocol.html)."""


def sitemaps(pages: Sequence[tuple[str, str]], site_url: str) -> Iterator[File]:
    """Sitemaps of (address, date of change or empty) pairs, sorted; an index where one is too small for them.

    Each comes plain and gzipped, without a clock in it. Nothing without a `site_url`: they name whole addresses.
    """
    if not site_url:
        return
    rows = sorted(pages)
    parts = [rows[start : start + SITEMAP_LIMIT] for start in range(0, len(rows), SITEMAP_LIMIT)] or [[]]
    if len(parts) == 1:
        yield from _both("sitemap.xml", _urlset(parts[0], site_url))
        return
    names = [f"sitemap-{number}.xml" for number in range(1, len(parts) + 1)]
    for name, part in zip(names, parts, strict=True):
        yield from _both(name, _urlset(part, site_url))
    yield from _both("sitemap.xml", _index(names, site_url))


def _urlset(rows: Iterable[tuple[str, str]], site_url: str) -> str:
    lines = "".join(f"<url><loc>{_loc(site_url, uri)}</loc>{_lastmod(day)}</url>\n" for uri, day in rows)
    return f'{_HEAD}<urlset xmlns="{_NAMESPACE}">\n{lines}</urlset>\n'


def _index(names: Iterable[str], site_url: str) -> str:
    lines = "".join(f"<sitemap><loc>{_loc(site_url, name)}</loc></sitemap>\n" for name in names)
    return f'{_HEAD}<sitemapindex xmlns="{_NAMESPACE}">\n{lines}</sitemapindex>\n'


_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'
_NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"


def _loc(site_url: str, uri: str) -> str:
    return escape.html(f"{site_url}{uri}")


def _lastmod(day: str) -> str:
    return f"<lastmod>{day}</lastmod>" if day else ""


def _both(path: str, text: str) -> Iterator[File]:
    content = text.encode()
    yield File(path, content)
    yield File(f"{path}.gz", gzip.compress(content, mtime=0))
