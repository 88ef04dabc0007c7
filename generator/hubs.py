"""Which lists of records there are, what each holds and in which order, and how it is cut into pages.

A hub lists the records of one repository, class, family, tag, severity, code or HTTP status; an index lists the hubs of
one kind with their counts. Withdrawn records are in no list. A family has its hub with or without an article.
"""

import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Generic, NamedTuple, TypeVar

from generator import urls
from generator.dataset import Dataset, Entry, spelt
from generator.records import SEVERITIES
from generator.words import counted, say

LEAST_ROWS, MOST_ROWS = 120, 200
"""Between how many rows a page of a longer list ends; a list of up to `MOST_ROWS` is one page."""

LAST_ROWS = 20
"""Rows of the last page of several, at least."""

MIN_TAGGED = 3
"""Records that a tag needs for a list of its own."""

MIN_REPEATED = 12
"""Records that a message needs for a list of its own; a page names ten others itself."""

_WORST_FIRST = {str(severity): place for place, severity in enumerate(SEVERITIES)}

Item = TypeVar("Item")


def message_key(message: str) -> str:
    """The key of the list of a message, white space collapsed: 16 hexadecimal digits."""
    return _digest(" ".join(message.split()))


class Row(NamedTuple):
    """A hub as an index lists it: its key or its family's name, its address, how many records it has; and its key."""

    title: str
    uri: str
    records: int
    key: str


@dataclass(frozen=True, slots=True)
class Index:
    """A list of all hubs of one kind.

    `title` and `summary`, a sentence, are those of the page, `heading` that of the rows' titles. Rows are sorted by
    title, case folded; severities from the worst, statuses by number.
    """

    kind: str
    title: str
    summary: str
    heading: str
    uri: str
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Hub:
    """A list of records.

    `key` is what they have in common, in the spelling of the record analysed first where case differs; `title` and
    `summary`, a sentence with the counts, are those of the page; `parent` is the index's address and title. Entries
    are sorted by repository (case folded), then severity from the worst, file path, line and id.
    """

    kind: str
    key: str
    title: str
    summary: str
    uri: str
    parent: tuple[str, str]
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class RowPage(Generic[Item]):
    """Page `number` (1-based) of `pages` of a list, and its rows."""

    number: int
    pages: int
    rows: tuple[Item, ...]


@dataclass(frozen=True, slots=True)
class HubPage:
    """Page `number` (1-based) of a hub's `pages`: its address and its entries."""

    number: int
    pages: int
    uri: str
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class _Kind:
    """A kind of hub.

    `folder` holds its addresses, `keys` are what a record is listed under, in any case unless `exact`, and `least` the
    records that a hub needs. Its words have keys that begin with `kind`.
    """

    kind: str
    folder: str
    keys: Callable[[Entry], Iterable[str]]
    least: int = 1
    exact: bool = False


_KINDS = (
    _Kind(
        kind="repository",
        folder="errors",
        keys=lambda entry: [entry.repo],
    ),
    _Kind(
        kind="class",
        folder="classes",
        keys=lambda entry: [entry.error_class],
    ),
    _Kind(
        kind="family",
        folder="families",
        keys=lambda entry: [entry.family] if entry.family else [],
    ),
    _Kind(
        kind="tag",
        folder="tags",
        keys=lambda entry: entry.tags,
        least=MIN_TAGGED,
    ),
    _Kind(
        kind="severity",
        folder="severities",
        keys=lambda entry: [entry.severity],
    ),
    _Kind(
        kind="code",
        folder="codes",
        keys=lambda entry: [entry.error_code] if entry.error_code else [],
    ),
    _Kind(
        kind="status",
        folder="statuses",
        keys=lambda entry: [str(entry.http_status)] if entry.http_status else [],
    ),
    _Kind(
        kind="message",
        folder="messages",
        keys=lambda entry: [" ".join(entry.message.split())],
        least=MIN_REPEATED,
        exact=True,
    ),
)

_BY_NAME = {kind.kind: kind for kind in _KINDS}

FOLDERS = frozenset(kind.folder for kind in _KINDS)
"""The folders that hold lists; none is ever taken away, since published addresses begin with them."""


Keys = Mapping[str, frozenset[str]]
"""Hubs that are asked for: by kind, what records are listed under; case folded, but of a message its text."""


def hubs(dataset: Dataset) -> tuple[Hub, ...]:
    """All hubs, sorted by address; no two addresses are the same, also when case is folded."""
    entries = _in_order(dataset.live)
    made = (
        hub(dataset, kind.kind, key, tuple(listed))
        for kind in _KINDS
        for key, listed in _members(kind, entries)
        if key and len(listed) >= kind.least
    )
    return tuple(sorted(made, key=lambda hub: hub.uri))


def keys(entries: Iterable[Entry]) -> Keys:
    """The hubs that list any of these entries, if there are enough of them."""
    listed = list(entries)
    return {kind.kind: frozenset(_folded(kind, key) for entry in listed for key in kind.keys(entry)) for kind in _KINDS}


def spelling(kind: str, key: str, entries: Iterable[Entry]) -> str:
    """How a hub of these entries spells `key`, one of `Keys`."""
    of = _BY_NAME[kind]
    listed: defaultdict[str, list[Entry]] = defaultdict(list)
    for entry in entries:
        for name in of.keys(entry):
            if name in listed or _folded(of, name) == key:
                listed[name].append(entry)
    return spelt(listed, list(listed))


def index_key(kind: str, key: str) -> str:
    """What `Keys` has of a hub, as the rows of its index have it, case folded."""
    return message_key(key) if kind == "message" else key


def hub(dataset: Dataset, kind: str, key: str, entries: tuple[Entry, ...]) -> Hub:
    """The hub of that kind and these entries; `key` is what they have in common, of a message its text."""
    of, name = _BY_NAME[kind], index_key(kind, key)
    parts = {"key": name, "name": _name(kind, dataset, name, entries), **_counts(entries)}
    uri = urls.repository(name) if kind == "repository" else urls.hub(of.folder, name)
    parent = (urls.hub(of.folder), say(f"{kind}_index"))
    title, summary = (say(f"{kind}_{part}", **parts) for part in ("title", "summary"))
    return Hub(kind, name, title, summary, uri, parent, entries)


def row(dataset: Dataset, hub: Hub) -> Row:
    """A hub as its index lists it."""
    return Row(_name(hub.kind, dataset, hub.key, hub.entries), hub.uri, len(hub.entries), hub.key)


def indexes(dataset: Dataset, listed: Iterable[Hub] | None = None) -> tuple[Index, ...]:
    """The index of each kind that has a hub, and of the repositories always; sorted by address.

    `listed` are the dataset's hubs, where they have been made before.
    """
    members: defaultdict[str, list[Hub]] = defaultdict(list)
    for hub in hubs(dataset) if listed is None else listed:
        members[hub.kind].append(hub)
    found = [kind for kind in _KINDS if kind.kind in members or kind.kind == "repository"]
    return tuple(sorted((_index(kind, dataset, members[kind.kind]) for kind in found), key=lambda index: index.uri))


def pages(hub: Hub) -> Iterator[HubPage]:
    """The pages of a hub, in order."""
    for page in numbered(hub.entries, lambda entry: entry.id):
        yield HubPage(page.number, page.pages, urls.numbered(hub.uri, page.number), page.rows)


def index_pages(index: Index) -> Iterator[RowPage[Row]]:
    """The pages of an index, in order."""
    return numbered(index.rows, lambda row: _digest(row.uri))


def numbered(rows: Sequence[Item], digest: Callable[[Item], str]) -> Iterator[RowPage[Item]]:
    """Cut rows into pages; one empty page where there are none.

    A page ends at the row with the smallest digest of those that may be its last, the first of equal ones. So a row
    more or less moves few ends: the pages after it soon end where they did.
    """
    ends = _ends(rows, digest)
    for number, (start, end) in enumerate(pairwise([0, *ends]), 1):
        yield RowPage(number, len(ends), tuple(rows[start:end]))


def _ends(rows: Sequence[Item], digest: Callable[[Item], str]) -> list[int]:
    """Behind how many rows each page ends."""
    ends = [0]
    while len(rows) - ends[-1] > MOST_ROWS:
        most = min(ends[-1] + MOST_ROWS, len(rows) - LAST_ROWS)
        ends.append(min(range(ends[-1] + LEAST_ROWS, most + 1), key=lambda end: digest(rows[end - 1])))
    return [*ends[1:], len(rows)]


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def order(entry: Entry) -> tuple[object, ...]:
    """By what a hub's entries are sorted."""
    return (
        entry.repo.casefold(),
        entry.repo,
        _WORST_FIRST[entry.severity],
        entry.file_path,
        entry.line,
        entry.id,
    )


def _in_order(entries: Iterable[Entry]) -> list[Entry]:
    return sorted(entries, key=order)


def _members(kind: _Kind, entries: Iterable[Entry]) -> Iterator[tuple[str, Sequence[Entry]]]:
    """The hubs of one kind, by key as it is spelt there; what differs in case alone is one."""
    listed: defaultdict[str, list[Entry]] = defaultdict(list)
    for entry in entries:
        for key in kind.keys(entry):
            listed[key].append(entry)
    alike: defaultdict[str, list[str]] = defaultdict(list)
    for key in listed:
        alike[_folded(kind, key)].append(key)
    for spellings in alike.values():
        yield spelt(listed, spellings), _merged([listed[key] for key in spellings])


def _folded(kind: _Kind, key: str) -> str:
    return key if kind.exact else key.casefold()


def _merged(lists: Sequence[list[Entry]]) -> Sequence[Entry]:
    """The entries of several lists in their order, each once."""
    return lists[0] if len(lists) == 1 else _in_order({entry.id: entry for one in lists for entry in one}.values())


def _index(kind: _Kind, dataset: Dataset, members: Sequence[Hub]) -> Index:
    rows = sorted(
        (row(dataset, hub) for hub in members),
        key=lambda row: (_place(kind, row.title), row.title.casefold(), row.uri),
    )
    listed = {entry.id: entry for hub in members for entry in hub.entries}
    summary = say(
        f"{kind.kind}_index_summary", hubs=counted(f"{kind.kind}_hubs", len(rows)), **_counts(listed.values())
    )
    title, heading = say(f"{kind.kind}_index"), say(f"{kind.kind}_heading")
    return Index(kind.kind, title, summary, heading, urls.hub(kind.folder), tuple(rows))


def _name(kind: str, dataset: Dataset, key: str, entries: Sequence[Entry]) -> str:
    if kind == "message":
        return " ".join(entries[0].message.split())
    return dataset.family(key).name if kind == "family" else key


def _place(kind: _Kind, key: str) -> int:
    return int(key) if kind.kind == "status" else _WORST_FIRST.get(key, 0) if kind.kind == "severity" else 0


def _counts(entries: Iterable[Entry]) -> dict[str, str]:
    repositories = [entry.repo for entry in entries]
    return {
        "errors": counted("errors", len(repositories)),
        "repositories": counted("repositories", len(set(repositories))),
    }
