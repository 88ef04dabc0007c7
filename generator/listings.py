"""The values of a hub's pages, for the templates `hub.md.jinja` and `index.md.jinja`."""

from collections.abc import Sequence
from dataclasses import dataclass

from generator import urls
from generator.escape import shortened
from generator.pages import TITLE_CHARACTERS, Place, Row, View, page_link
from generator.records import Severity
from generator.values import Meta, Plain, Text, Value


@dataclass(frozen=True, slots=True)
class Listed:
    """A record as a list shows it; addresses are from the site's root."""

    uri: str
    message: str
    error_class: str
    class_uri: str
    severity: Severity
    repo: str
    place: str


@dataclass(frozen=True, slots=True)
class Listing:
    """One page of a list: where it is, which page of how many, and its words.

    `title` and `summary` are those of the whole list; `parent` is the list above it. `json` is the same list
    below `/api/`, and `feed` the feeds of its repository `repo` below `/api/feeds/`, without a suffix.
    """

    kind: str
    uri: str
    title: str
    summary: str
    number: int = 1
    pages: int = 1
    parent: Place | None = None
    json: str = ""
    feed: str = ""
    repo: str = ""

    @property
    def address(self) -> str:
        """The address of this page of the list."""
        return urls.numbered(self.uri, self.number)


def hub(listing: Listing, rows: Sequence[Listed], *, with_repository: bool) -> View:
    """The values of a page that lists records."""
    listed = [_row(listing.address, row, with_repository) for row in rows]
    return {**_frame(listing), "rows": listed, "with_repository": with_repository}


def _row(address: str, row: Listed, with_repository: bool) -> Row:
    values: dict[str, Value] = {
        "title": Text(shortened(row.message, TITLE_CHARACTERS)),
        "link": page_link(row.uri, address),
        "error_class": Text(row.error_class),
        "class_link": page_link(row.class_uri, address),
        "severity": Plain(row.severity),
        "place": Text(row.place),
    }
    if with_repository:
        values |= {"repo": Text(row.repo), "repo_link": page_link(urls.repository(row.repo), address)}
    return values


def index(listing: Listing, heading: str, rows: Sequence[tuple[str, str, int]]) -> View:
    """The values of a page that lists hubs: each row is (title, address, number of records)."""
    address = listing.address
    listed: list[Row] = [
        {"title": Text(title), "link": page_link(uri, address), "count": Plain(f"{count:,}")}
        for title, uri, count in rows
    ]
    values = {**_frame(listing), "heading": Plain(heading)}
    return {**values, "rows": listed} if listed else values


def _frame(listing: Listing) -> dict[str, Value | Sequence[Row] | bool]:
    address = listing.address
    page = f", page {listing.number} of {listing.pages}" if listing.number > 1 else ""
    values: dict[str, Value | Sequence[Row] | bool] = {
        "meta_title": Meta(shortened(f"{listing.title}{page}", 120)),
        "meta_description": Meta(shortened(listing.summary, 160)),
        "kind": Plain(listing.kind),
        "uri": Plain(address),
        "title": Text(listing.title),
        "summary": Text(listing.summary),
    }
    if listing.parent is not None:
        values |= {"parent": Text(listing.parent.text), "parent_link": page_link(listing.parent.uri, address)}
    if listing.json:
        values["json"] = Plain(listing.json)
    if listing.feed:
        values |= {"feed": Plain(listing.feed), "meta_repo": Meta(listing.repo)}
    if listing.pages > 1:
        values |= {"number": Plain(str(listing.number)), "pages": Plain(str(listing.pages))}
        for name, number in (("previous", listing.number - 1), ("next", listing.number + 1)):
            if 1 <= number <= listing.pages:
                values[name] = page_link(urls.numbered(listing.uri, number), address)
                values[f"{name}_number"] = Plain(str(number))
    return values
