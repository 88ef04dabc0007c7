"""What changed since a mirror was published, and whether the records say so."""

from collections.abc import Callable, Iterable, Iterator

import msgspec

from generator.api import Change
from generator.dataset import Entry
from generator.problems import Problem

CODE = "EDX035"


def unstamped(
    published: Iterable[Change],
    entries: Iterable[Entry],
    *,
    before: Callable[[list[str]], Iterable[tuple[str, bytes]]],
    now: Callable[[Entry], bytes],
) -> Iterator[Problem]:
    """A problem for each record whose content changed while its time did not: feeds and readers would miss it.

    `before` gives (id, published bytes) of the ids it is asked for, `now` an entry's bytes; both are
    asked only where time is equal and hash is not. A new `datasetVersion` alone is no change.
    """
    former = {change.id: change for change in published}
    suspects = {
        entry.id: entry
        for entry in entries
        if (change := former.get(entry.id)) and change.time == entry.modified and change.sha256 != entry.digest.hex()
    }
    for record_id, form in before(list(suspects)) if suspects else ():
        entry = suspects[record_id]
        if _content(form) != _content(now(entry)):
            text = f"changed since it was published, and its time {entry.modified} did not; set updatedAt to now"
            yield Problem(entry.where, entry.where_line, entry.id, "updatedAt", text, CODE)


def _content(form: bytes) -> bytes:
    return bytes(msgspec.json.decode(form, type=_Content).record)


class _Content(msgspec.Struct):
    record: msgspec.Raw
