"""Feeds of what changed: Atom (RFC 4287) and JSON Feed 1.1, for all records and for each repository.

A feed holds the `LIMIT` newest records and no clock, version or count, so that it changes only when one
of them does. Feeds name whole addresses: without a site's address there are none.
"""

import json
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from generator import dataset as data
from generator import escape, urls
from generator.about import About
from generator.dataset import Dataset, Entry, of_repositories
from generator.files import File
from generator.records import Record

LIMIT = 50
TITLE_CHARACTERS, TEXT_CHARACTERS = 300, 2_000

ALL = "api/feeds/all"
_EPOCH = "1970-01-01T00:00:00Z"


class FeedJob(NamedTuple):
    """A feed to make: its address without the suffix, title, the page it belongs to, and its records, newest first."""

    uri: str
    title: str
    page: str
    entries: tuple[Entry, ...]


class _Item(NamedTuple):
    """What both forms of a feed say of a record; `note` is what changed last, or empty."""

    id: str
    title: str
    page: str
    json: str
    note: str
    text: str
    published: str
    updated: str
    tags: tuple[str, ...]


def repository_uri(repo: str) -> str:
    """A repository's feeds, without the suffix `.atom` or `.json`."""
    return f"api/feeds/repos/{urls.repository(repo).removeprefix('errors/').rstrip('/')}"


def jobs(dataset: Dataset, about: About) -> Iterator[FeedJob]:
    """The feed of all records, then each repository's; none without a site's address."""
    if not about.url:
        return
    yield FeedJob(ALL, about.title, "", tuple(dataset.newest[:LIMIT]))
    for repo, newest in of_repositories(dataset.newest).items():
        title = f"{repo} - {about.title}"
        yield FeedJob(repository_uri(repo), title, urls.repository(repo), tuple(newest[:LIMIT]))


def files(job: FeedJob, about: About, record: Callable[[Entry], Record] | None = None) -> Iterator[File]:
    """A feed in both forms; `record` gives a whole record, by default read again from its file."""
    items = [_item(entry, (record or _record)(entry), about) for entry in job.entries]
    yield File(f"{job.uri}.atom", _atom(job, items, about).encode())
    yield File(f"{job.uri}.json", _json(job, items, about))


def _record(entry: Entry) -> Record:
    return data.read(entry).record


def _item(entry: Entry, record: Record, about: About) -> _Item:
    note = record.change_note or ""
    if record.withdrawn:
        note = f"Withdrawn: {record.withdrawn.reason}"
    return _Item(
        id=about.address(urls.permalink(entry.id)),
        title=escape.shortened(entry.message, TITLE_CHARACTERS),
        page=about.address(entry.uri),
        json=about.address(urls.mirror(entry.id)),
        note=escape.shortened(note, TEXT_CHARACTERS),
        text=escape.shortened(record.documentation, TEXT_CHARACTERS),
        published=_short(entry.analyzed),
        updated=_short(entry.modified),
        tags=tuple(dict.fromkeys(escape.line(tag) for tag in (entry.repo, entry.error_class, *entry.tags))),
    )


def _short(time: str) -> str:
    """A sortable time without the zeros at the end of its fraction."""
    return f"{time.removesuffix('Z').rstrip('0').rstrip('.')}Z" if "." in time else time


def _atom(job: FeedJob, items: list[_Item], about: About) -> str:
    updated = items[0].updated if items else _EPOCH
    home, own = about.address(job.page), about.address(f"{job.uri}.atom")
    lines = [
        '<?xml version="1.0" encoding="utf-8"?>',
        f'<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="{escape.attribute(about.language)}">',
        f"<id>{escape.html(own)}</id>",
        f"<title>{escape.html(escape.line(job.title))}</title>",
        f"<updated>{updated}</updated>",
        f'<link rel="self" type="application/atom+xml" href="{escape.attribute(own)}"/>',
        f'<link rel="alternate" type="text/html" href="{escape.attribute(home)}"/>',
        f"<author><name>{escape.html(escape.line(about.title))}</name></author>",
        f"<rights>{escape.html(escape.line(about.licence.name))}</rights>",
    ]
    return "\n".join([*lines, *map(_entry, items), "</feed>\n"])


def _entry(item: _Item) -> str:
    categories = [f'<category term="{escape.attribute(tag)}"/>' for tag in item.tags]
    content = "\n\n".join(filter(None, (item.note, item.text)))
    return "\n".join(
        [
            "<entry>",
            f"<id>{escape.html(item.id)}</id>",
            f"<title>{escape.html(item.title)}</title>",
            f"<published>{item.published}</published>",
            f"<updated>{item.updated}</updated>",
            f'<link rel="alternate" type="text/html" href="{escape.attribute(item.page)}"/>',
            f'<link rel="alternate" type="application/json" href="{escape.attribute(item.json)}"/>',
            *categories,
            *([f"<summary>{escape.html(item.note)}</summary>"] if item.note else []),
            f'<content type="text">{escape.html(content)}</content>',
            "</entry>",
        ]
    )


def _json(job: FeedJob, items: list[_Item], about: About) -> bytes:
    feed: dict[str, Any] = {
        "version": "https://jsonfeed.org/version/1.1",
        "title": escape.line(job.title),
        "home_page_url": about.address(job.page),
        "feed_url": about.address(f"{job.uri}.json"),
        "language": about.language,
        "authors": [{"name": escape.line(about.title)}],
        "items": [_json_item(item) for item in items],
    }
    return json.dumps(feed, ensure_ascii=False, indent=1).encode() + b"\n"


def _json_item(item: _Item) -> dict[str, Any]:
    return {
        "id": item.id,
        "url": item.page,
        "title": item.title,
        **({"summary": item.note} if item.note else {}),
        "content_text": "\n\n".join(filter(None, (item.note, item.text))),
        "date_published": item.published,
        "date_modified": item.updated,
        "tags": list(item.tags),
        "attachments": [{"url": item.json, "mime_type": "application/json"}],
    }
