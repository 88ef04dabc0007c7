"""The values of a hub's pages, for the templates `hub.md.jinja` and `index.md.jinja`."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple
from urllib.parse import quote

from generator import bars, escape, urls
from generator.bars import Count
from generator.escape import shortened
from generator.pages import TITLE_CHARACTERS, Place, Row, View, page_link
from generator.records import Severity
from generator.treemap import HEADER, Box, Cell, Folder, Raising, fitting, roomy, treemap
from generator.values import Label, Meta, Plain, Text, Value
from generator.words import say

MAPPED = 3
"""Files that a repository needs to be drawn as a map."""

FOLDER_INDENT, CELL_INDENT = 4, 20
"""Pixels before a name in the map; in a cell its shape stands there."""

SAYING = 160
"""Characters of a message or a remedy in a comparison."""


class Listed(NamedTuple):
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

    `title` and `summary` are those of the whole list, the latter empty after page 1; `parent` is the list above it.
    `json` is the same list below `/api/`, and `feed` the feeds of its repository `repo` below `/api/feeds/`, without
    a suffix.
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

    def page(self, number: int, pages: int) -> "Listing":
        """A page of this list; the first alone says what the whole holds, so that the others stay as it grows."""
        return replace(self, number=number, pages=pages, summary=self.summary if number == 1 else "")


class Figures(NamedTuple):
    """What a repository's hub draws: its files, and the counts of severities, of classes and of families.

    Of the latter two the largest; `all_classes` and `all_families` say of how many.
    """

    files: tuple[Raising, ...]
    severities: tuple[Count, ...]
    classes: tuple[Count, ...]
    families: tuple[Count, ...]
    all_classes: int
    all_families: int


class Compared(NamedTuple):
    """How a repository words and handles a family's failure: one of its records, and how many it has.

    `remedy` is the first solution, `strategy` how to guard against it; both may be empty.
    """

    listed: Listed
    errors: int
    remedy: str
    strategy: str


def hub(
    listing: Listing,
    rows: Sequence[Listed],
    *,
    with_repository: bool,
    figures: Figures | None = None,
    compared: Sequence[Compared] = (),
) -> View:
    """The values of a page that lists records."""
    listed = [_row(listing.address, row, with_repository) for row in rows]
    values: dict[str, Value | Sequence[Row] | bool] = {
        **_frame(listing),
        "rows": listed,
        "with_repository": with_repository,
        "charted": figures is not None,
        "headed": figures is not None or (listing.kind == "family" and listing.number == 1),
    }
    if figures is not None:
        values |= _figures(listing.address, figures)
    if compared:
        values["compared"] = [_compared(listing.address, one) for one in compared]
    return values


def _figures(address: str, figures: Figures) -> dict[str, Value | Sequence[Row] | bool]:
    values: dict[str, Value | Sequence[Row] | bool] = {
        "severities": bars.rows(figures.severities, address, max(one.errors for one in figures.severities)),
        "classes": bars.rows(figures.classes, address, figures.classes[0].errors),
        "classes_head": Plain(_head(say("column_class"), len(figures.classes), figures.all_classes)),
    }
    if figures.families:
        values["families"] = bars.rows(figures.families, address, figures.families[0].errors)
        values["families_head"] = Plain(_head(say("column_family"), len(figures.families), figures.all_families))
    if len(figures.files) >= MAPPED:
        values |= _map(figures.files)
    return values


def _head(name: str, shown: int, count: int) -> str:
    return say("column_largest", column=name, shown=shown, count=f"{count:,}") if shown < count else name


def _map(files: Sequence[Raising]) -> dict[str, Value | Sequence[Row]]:
    drawn = treemap(files)
    errors = sum(file.errors for file in files)
    folders = [_folder(folder) for folder in drawn.folders]
    values: dict[str, Value | Sequence[Row]] = {
        "map_about": Plain(say("map_title", files=f"{len(files):,}", errors=f"{errors:,}")),
        "map_height": Plain(str(drawn.height)),
        "cells": [_cell(cell) for cell in drawn.cells],
        "places": [_place(cell) for cell in drawn.cells],
    }
    return {**values, "folders": folders} if folders else values


def _folder(folder: Folder) -> Row:
    """A folder's name, and its count where there is room for both."""
    count = f"· {folder.errors:,}"
    both = f"{folder.name} {count}"
    return {
        **_box(folder.box),
        **_named(fitting(folder.name, folder.box, FOLDER_INDENT), folder.box, FOLDER_INDENT),
        "about": Label(f"{folder.path or '/'}: {folder.errors:,}"),
        "count": Label(count if fitting(both, folder.box, FOLDER_INDENT) == both else ""),
    }


def _box(box: Box) -> dict[str, Value]:
    return {
        "x": Plain(f"{box.x:g}"),
        "y": Plain(f"{box.y:g}"),
        "width": Plain(f"{box.width:g}"),
        "height": Plain(f"{box.height:g}"),
    }


def _cell(cell: Cell) -> Row:
    """A cell; its words and its shape only where there is room for them."""
    name = fitting(cell.name, cell.box, CELL_INDENT)
    flat = " edx-flat" if min(cell.box.height, cell.box.pixels) < HEADER else ""
    return {
        **_box(cell.box),
        **_named(name, cell.box, CELL_INDENT),
        "kind": Plain(f"{cell.worst}{flat}"),
        "worst": Plain(cell.worst),
        "about": Label(say("map_place", place=_said(cell), count=f"{cell.errors:,}", worst=cell.worst)),
        "count": Plain(f"{cell.errors:,}" if name and cell.box.height >= 2 * HEADER else ""),
    }


def _named(name: str, box: Box, indent: int) -> dict[str, Value]:
    """A name, and the class of those that a phone has no room for."""
    return {"name": Label(name), "slim": Plain("" if roomy(name, box, indent) else " edx-slim")}


def _said(cell: Cell) -> str:
    if not cell.others:
        return cell.path
    return say("map_others_in", count=f"{cell.others:,}", folder=cell.path or "/")


def _place(cell: Cell) -> Row:
    return {
        "name": Label(_said(cell)),
        "find": Plain(quote(cell.path, safe="/-_.")),
        "count": Plain(f"{cell.errors:,}"),
        "severity": Plain(cell.worst),
    }


def _compared(address: str, one: Compared) -> Row:
    listed = one.listed
    remedy = "".join(part for _, part in escape.spans(escape.line(one.remedy)))
    return {
        "repo": Text(listed.repo),
        "repo_link": page_link(urls.repository(listed.repo), address),
        "count": Plain(f"{one.errors:,}"),
        "title": Text(shortened(listed.message, SAYING)),
        "link": page_link(listed.uri, address),
        "error_class": Text(listed.error_class),
        "class_link": page_link(listed.class_uri, address),
        "severity": Plain(listed.severity),
        "remedy": Text(shortened(remedy, SAYING) or "–"),
        "strategy": Text(shortened(one.strategy, 60) or "–"),
    }


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
    title, description, summary = listing.title, listing.summary, listing.summary
    if listing.number > 1:
        title = description = say("list_title", title=title, number=listing.number, pages=listing.pages)
        summary = say("list_number", number=listing.number, pages=listing.pages)
    values: dict[str, Value | Sequence[Row] | bool] = {
        "meta_title": Meta(shortened(title, 120)),
        "meta_description": Meta(shortened(description, 160)),
        "kind": Plain(listing.kind),
        "uri": Plain(address),
        "title": Text(listing.title),
        "summary": Text(summary),
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
