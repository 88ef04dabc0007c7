"""After edits, lists are what they are when all are made anew, and only the pages that are told can be other ones."""

from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec
import pytest

from generator import hubs, relisting
from generator.dataset import Dataset, Entry
from generator.edits import Edit
from generator.hubs import Hub, HubPage
from tests.test_related import dataset, entry

SEVERITIES = ("critical", "error", "warning", "info")


@pytest.fixture(autouse=True)
def _small_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, rows in (("LEAST_ROWS", 3), ("MOST_ROWS", 6), ("LAST_ROWS", 1)):
        monkeypatch.setattr(hubs, name, rows)


def some(chance: Random, number: int) -> Entry:
    return entry(
        number,
        repo=chance.choice(("acme/tool", "acme/other", "Beta/b")),
        message=chance.choice(("no such key", "No such key", f"message {number}")),
        error_class=chance.choice(("OpenError", "openerror", "KeyError")),
        error_code=chance.choice((None, "E1", "e1")),
        http_status=chance.choice((None, 404)),
        severity=chance.choice(SEVERITIES[: 1 + number % 4]),
        file_path=f"src/{chance.randrange(4)}.py",
        line=chance.randrange(1, 9),
        tags=tuple(chance.sample(("files", "Files", "keys"), chance.randrange(3))),
        family=chance.choice((None, "lost-file", "Lost-File")),
        analyzed=day(chance),
        withdrawn=chance.random() < 0.1,
    )


def day(chance: Random) -> str:
    return f"2026-08-{chance.randrange(1, 29):02}T00:00:00Z"


def edited(chance: Random, before: Entry) -> Entry:
    changes: dict[str, Any] = {"digests": chance.randbytes(40)}
    changes |= {"severity": chance.choice(SEVERITIES)} if chance.random() < 0.6 else {}
    changes |= {"analyzed": day(chance)} if chance.random() < 0.2 else {}
    return msgspec.structs.replace(before, **changes)


def histories() -> Iterator[tuple[Dataset, Dataset, list[Edit]]]:
    """A dataset before and after edits of some of its records, and these."""
    for seed in range(120):
        chance = Random(seed)
        before = dataset(*(some(chance, number) for number in range(1, chance.choice((4, 20, 60, 120)))))
        chosen = {one.id for one in chance.sample(before.entries, min(len(before.entries), chance.choice((1, 1, 3))))}
        now = Dataset(tuple(edited(chance, one) if one.id in chosen else one for one in before.entries))
        pairs = zip(before.entries, now.entries, strict=True)
        yield before, now, [Edit(*pair) for pair in pairs if pair[0] is not pair[1]]


def shown(page: HubPage) -> tuple[int, list[tuple[str, str]]]:
    """What tells one page of a list from another: of how many it is, and its rows."""
    return page.pages, [(one.id, one.severity) for one in page.entries]


def spelt(listed: tuple[Hub, ...]) -> list[tuple[str, str, str]]:
    return [(hub.kind, hub.key, hub.uri) for hub in listed]


def test_lists_are_those_that_are_made_anew() -> None:
    kept, planned_anew, spared = 0, 0, 0
    for before, now, edits in histories():
        earlier, whole = hubs.hubs(before), hubs.hubs(now)
        found = relisting.relist(
            now, edits, hubs.indexes(before, earlier), relisting.members(before, earlier), ["lost-file"]
        )
        if found is None:
            assert spelt(earlier) != spelt(whole)
            planned_anew += 1
            continue
        kept += 1
        assert spelt(earlier) == spelt(whole)
        assert found.indexes == hubs.indexes(now, whole)
        by_uri = {hub.uri: hub for hub in whole}
        assert all(hub == by_uri[hub.uri] for hub in found.hubs)
        assert relisting.members(now, whole) == {
            **relisting.members(before, earlier),
            **relisting.members(now, found.hubs),
        }
        then = {page.uri: page for hub in earlier for page in hubs.pages(hub)}
        for hub in whole:
            for page in hubs.pages(hub):
                if hub.uri not in {one.uri for one in found.hubs} or page.number not in found.pages[hub.uri]:
                    assert shown(page) == shown(then[page.uri])
                    spared += page.number > 1
    assert kept > 20
    assert planned_anew > 5
    assert spared > 100
