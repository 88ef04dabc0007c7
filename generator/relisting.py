"""Lists after records were edited, from what they held before: nothing is grouped or sorted anew."""

from array import array
from bisect import insort
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from generator import hubs
from generator.dataset import Dataset, Entry
from generator.edits import Edit
from generator.hubs import Hub, Index, Row

Members = Mapping[str, bytes]
"""Of lists by address, the places of their records among all entries, as an array of 32 bits holds them."""


class Relisted(NamedTuple):
    """The lists that edits touch, all indexes with their counts, and of each list the pages that may be other ones."""

    hubs: tuple[Hub, ...]
    indexes: tuple[Index, ...]
    pages: dict[str, frozenset[int]]


def members(dataset: Dataset, listed: Iterable[Hub]) -> dict[str, bytes]:
    """What `relist` needs to know of lists; it holds as long as no record comes, goes or gets another address."""
    places = {entry.id: place for place, entry in enumerate(dataset.entries)}
    return {hub.uri: array("I", [places[entry.id] for entry in hub.entries]).tobytes() for hub in listed}


def relist(
    dataset: Dataset, edited: Iterable[Edit], indexes: Sequence[Index], held: Members, families: Iterable[str]
) -> Relisted | None:
    """The lists of the edited records, and those of `families`; None where one comes, goes or is spelt otherwise."""
    moved = {edit.after.id: edit for edit in edited if edit.relisted and not edit.after.withdrawn}
    rows = {(index.kind, row.key.casefold()): row for index in indexes for row in index.rows}
    wanted = dict(hubs.keys(entry for edit in moved.values() for entry in edit))
    wanted["family"] |= {family.casefold() for family in families}
    listed: defaultdict[tuple[str, str], list[Entry]] = defaultdict(list)
    for edit in moved.values():
        for kind, several in hubs.keys([edit.after]).items():
            for key in several:
                listed[kind, key].append(edit.after)
    found: dict[tuple[str, str], Hub] = {}
    pages: dict[str, frozenset[int]] = {}
    for kind, key in sorted((kind, key) for kind, several in wanted.items() for key in several):
        place = (kind, hubs.index_key(kind, key).casefold())
        row = rows.get(place)
        if row is None:
            if kind == "severity":
                return None
            continue  # as few records as before
        before = [dataset.entries[number] for number in array("I", held[row.uri])]
        now = [entry for entry in before if entry.id not in moved]
        for entry in listed[kind, key]:
            insort(now, entry, key=hubs.order)
        hub = _hub(dataset, kind, key, row, tuple(now))
        if hub is None:
            return None
        found[place] = hub
        pages[hub.uri] = _other_pages([moved[one.id].before if one.id in moved else one for one in before], hub)
    return Relisted(tuple(sorted(found.values(), key=lambda hub: hub.uri)), _recounted(dataset, indexes, found), pages)


def _hub(dataset: Dataset, kind: str, key: str, row: Row, entries: tuple[Entry, ...]) -> Hub | None:
    """The list as it is now, if it is still there and spelt as it was."""
    if not entries:
        return None
    hub = replace(hubs.hub(dataset, kind, hubs.spelling(kind, key, entries), entries), uri=row.uri)
    return hub if hubs.row(dataset, hub) == row._replace(records=len(entries)) else None


def _other_pages(before: Sequence[Entry], hub: Hub) -> frozenset[int]:
    """The pages of a list that show other rows than before, or of how many they are; the first counts, and is one."""
    earlier = [page.entries for page in hubs.pages(replace(hub, entries=tuple(before)))]
    now = [page.entries for page in hubs.pages(hub)]
    return frozenset(
        number
        for number, rows in enumerate(now, 1)
        if number == 1 or len(now) != len(earlier) or rows != earlier[number - 1]
    )


def _recounted(dataset: Dataset, indexes: Iterable[Index], found: Mapping[tuple[str, str], Hub]) -> tuple[Index, ...]:
    rows = {place: hubs.row(dataset, hub) for place, hub in found.items()}
    return tuple(
        replace(index, rows=tuple([rows.get((index.kind, row.key.casefold()), row) for row in index.rows]))
        for index in indexes
    )
