"""What machines look for: sitemaps."""

import gzip
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from generator import escape
from generator.files import File

URI = "sitemap.xml"
SITEMAP_LIMIT = 40_000
"""Addresses a sitemap; the protocol allows 50,000 (sitemaps.org/protocol.html)."""


class SitemapJob(NamedTuple):
    """A sitemap to make: its path and its rows, or of the index the `parts` that it names."""

    uri: str
    rows: tuple[tuple[str, str], ...]
    parts: tuple[str, ...] = ()


def jobs(pages: Iterable[tuple[str, str]]) -> Iterator[SitemapJob]:
    """Sitemaps of (address, date of change or empty) pairs, the last of an address; an index where one is too small."""
    days = dict(pages)
    rows = [(uri, days[uri]) for uri in sorted(days)]
    if len(rows) <= SITEMAP_LIMIT:
        yield SitemapJob(URI, tuple(rows))
        return
    names = list[str]()
    for start in range(0, len(rows), SITEMAP_LIMIT):
        names.append(f"sitemap-{len(names) + 1}.xml")
        yield SitemapJob(names[-1], tuple(rows[start : start + SITEMAP_LIMIT]))
    yield SitemapJob(URI, (), tuple(names))


def files(job: SitemapJob, site_url: str) -> Iterator[File]:
    """A sitemap, plain and gzipped, without a clock in it; `site_url` is not empty: they name whole addresses."""
    content = (_index(job.parts, site_url) if job.parts else _urlset(job.rows, site_url)).encode()
    yield File(job.uri, content)
    yield File(f"{job.uri}.gz", gzip.compress(content, mtime=0))


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
