"""Lists of records: which there are, what they hold, in which order, and how they are cut."""

import hashlib
import random
from statistics import mean
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator import hubs as lists
from generator.dataset import Dataset, Entry
from generator.hubs import (
    LAST_ROWS,
    LEAST_ROWS,
    MIN_TAGGED,
    MOST_ROWS,
    Hub,
    hubs,
    index_pages,
    indexes,
    numbered,
    pages,
)
from tests.strategies import one_line
from tests.test_related import dataset, entry

ARTICLES = {"jammed-part": "Jammed parts: what they mean"}


def named(found: Dataset) -> Dataset:
    return Dataset(found.entries, ARTICLES)


def numbers(hub: Hub) -> list[int]:
    return [int(one.id, 16) for one in hub.entries]


SMALL = named(
    dataset(
        entry(
            1, severity="warning", error_class="JamError", tags=("gears", "cuda"), family="jammed-part", http_status=404
        ),
        entry(2, severity="critical", error_class="jamError", tags=("gears",), error_code="E12", line=7),
        entry(3, severity="critical", tags=("Gears", "gears"), family="lost-part", error_code="e12", file_path="a.py"),
        entry(4, repo="Beta/b", family="jammed-part", http_status=99, analyzed="2026-01-01T00:00:00.000000000Z"),
        entry(5, withdrawn=True, error_class="GoneError", tags=("gone",) * 3, family="gone"),
    )
)


def test_the_lists_of_a_small_dataset() -> None:
    assert [(hub.uri, hub.title, hub.summary, numbers(hub)) for hub in hubs(SMALL)] == [
        ("classes/JamError/", "JamError", "2 errors of class JamError in 1 repository.", [2, 1]),
        ("classes/ValueError/", "ValueError", "2 errors of class ValueError in 2 repositories.", [3, 4]),
        ("codes/E12/", "Error code E12", "2 errors with the code E12 in 1 repository.", [3, 2]),
        ("errors/Beta/b/", "Errors of Beta/b", "1 error that Beta/b raises.", [4]),
        ("errors/acme/tool/", "Errors of acme/tool", "3 errors that acme/tool raises.", [3, 2, 1]),
        (
            "families/jammed-part/",
            "Jammed parts: what they mean",
            "2 errors of the family jammed-part in 2 repositories.",
            [1, 4],
        ),
        ("families/lost-part/", "Lost part", "1 error of the family lost-part in 1 repository.", [3]),
        ("severities/critical/", "Severity critical", "2 errors of severity critical in 1 repository.", [3, 2]),
        ("severities/error/", "Severity error", "1 error of severity error in 1 repository.", [4]),
        ("severities/warning/", "Severity warning", "1 error of severity warning in 1 repository.", [1]),
        ("statuses/404/", "HTTP status 404", "1 error with the HTTP status 404 in 1 repository.", [1]),
        ("statuses/99/", "HTTP status 99", "1 error with the HTTP status 99 in 1 repository.", [4]),
        ("tags/gears/", "Errors tagged gears", "3 errors tagged gears in 1 repository.", [3, 2, 1]),
    ]


def test_the_lists_of_lists() -> None:
    assert [(index.uri, index.title, index.heading, index.summary) for index in indexes(SMALL)] == [
        ("classes/", "Error classes", "Class", "4 errors of 2 classes."),
        ("codes/", "Error codes", "Code", "2 errors with 1 code that programs print."),
        ("errors/", "Repositories", "Repository", "4 errors in 2 repositories."),
        ("families/", "Families", "Family", "3 errors of 2 families: failures that repositories share."),
        ("severities/", "Severities", "Severity", "4 errors of 3 severities."),
        ("statuses/", "HTTP statuses", "HTTP status", "2 errors with 2 HTTP statuses."),
        ("tags/", "Tags", "Tag", "3 errors with 1 tag."),
    ]
    rows = {index.kind: [tuple(row) for row in index.rows] for index in indexes(SMALL)}
    assert rows["family"] == [
        ("Jammed parts: what they mean", "families/jammed-part/", 2, "jammed-part"),
        ("Lost part", "families/lost-part/", 1, "lost-part"),
    ]
    assert [title for title, *_ in rows["severity"]] == ["critical", "error", "warning"]
    assert [title for title, *_ in rows["status"]] == ["99", "404"]
    assert [title for title, *_ in rows["repository"]] == ["acme/tool", "Beta/b"]


def test_without_records_there_is_the_list_of_repositories() -> None:
    assert hubs(Dataset(())) == ()
    (index,) = indexes(Dataset(()))
    assert (index.uri, index.rows, index.summary) == ("errors/", (), "0 errors in 0 repositories.")
    assert [page.rows for page in index_pages(index)] == [()]


def test_a_repository_starts_with_the_most_severe_then_by_place() -> None:
    found = dataset(
        entry(1, severity="info", file_path="a.py"),
        entry(2, severity="error", file_path="b.py", line=2),
        entry(3, severity="error", file_path="b.py", line=10),
        entry(4, severity="error", file_path="a.py", line=99),
        entry(6, severity="critical", file_path="z.py"),
        entry(5, severity="critical", file_path="z.py"),
    )
    (hub,) = (hub for hub in hubs(found) if hub.kind == "repository")
    assert numbers(hub) == [5, 6, 4, 2, 3, 1]


def digest(number: int) -> str:
    return hashlib.sha256(str(number).encode()).hexdigest()


def digested(number: int) -> Entry:
    """An entry whose id is a digest, as those of real records are; its place in lists is by `number`."""
    return entry(int(digest(number)[:16], 16), file_path=f"{number:05}.py")


@pytest.mark.parametrize(
    ("count", "expected"), [(1, [1]), (MOST_ROWS, [MOST_ROWS]), (201, [179, 22]), (999, [179, 196, 187, 158, 167, 112])]
)
def test_pages(count: int, expected: list[int]) -> None:
    (hub,) = (hub for hub in hubs(dataset(*map(digested, range(count)))) if hub.kind == "repository")
    cut = list(pages(hub))
    assert [len(page.entries) for page in cut] == expected
    assert [page.number for page in cut] == list(range(1, len(expected) + 1))
    assert {page.pages for page in cut} == {len(expected)}
    assert [page.uri for page in cut][:2] == ["errors/acme/tool/", "errors/acme/tool/page/2/"][: len(expected)]
    assert sum((page.entries for page in cut), ()) == hub.entries


@given(st.lists(st.sampled_from("0123456789abcdef"), max_size=9), st.integers(0, 1500))
def test_every_row_is_on_one_page_whatever_the_digests(digests: list[str], count: int) -> None:
    """Also where all digests are the same, or rise, or come round again."""
    rows = [(place, (digests or ["0"])[place % max(1, len(digests))]) for place in range(count)]
    cut = list(numbered(rows, lambda row: row[1]))
    assert [row for page in cut for row in page.rows] == rows
    assert [(page.number, page.pages) for page in cut] == [(number, len(cut)) for number in range(1, len(cut) + 1)]
    assert all(LEAST_ROWS <= len(page.rows) <= MOST_ROWS for page in cut[:-1])
    assert len(cut) == 1 or LAST_ROWS <= len(cut[-1].rows) <= MOST_ROWS
    assert (len(cut) == 1) == (count <= MOST_ROWS)


def moved(rows: list[int], other: list[int], changed: int) -> int:
    """How many pages have other rows, besides the one row that came or went."""
    before, after = (
        [tuple(row for row in page.rows if row != changed) for page in numbered(numbers, digest)]
        for numbers in (rows, other)
    )
    count = max(len(before), len(after))
    return sum(before[place : place + 1] != after[place : place + 1] for place in range(count))


def test_a_row_less_moves_hardly_a_page() -> None:
    """One of each twenty rows of 25 pages is taken away; put back, it moves as many."""
    rows = list(range(4000))
    found = [moved(rows, rows[:place] + rows[place + 1 :], place) for place in range(0, 4000, 20)]
    assert found.count(0) > 0.9 * len(found) and mean(found) < 0.5


def last_rows(rows: list[int]) -> list[int]:
    """The row that ends each page."""
    return [page.rows[-1] for page in numbered(rows, digest)]


def test_after_many_rows_have_gone_pages_are_soon_in_step_again() -> None:
    """Which row ends a page is told by the rows around it, wherever the list began."""
    rows = list(range(6000))
    whole = set(last_rows(rows))
    for begin in range(1, 1000, 100):
        assert len(set(last_rows(rows[begin:])) - whole) <= 5


names = st.one_of(
    st.sampled_from(
        ("A", "a", "page", "con", "CON", "ß", "SS", "ss", "İ", "i̇", "a.b", "~61", "é", "É", "x" * 99, "x" * 120)
    ),
    one_line.filter(bool).map(lambda text: text[:200]),
)
some: st.SearchStrategy[dict[str, Any]] = st.builds(
    dict,
    repo=st.sampled_from(("acme/tool", "acme/lib", "Other/x.y")),
    error_class=names,
    error_code=st.one_of(st.none(), names),
    http_status=st.sampled_from((None, 404, 500)),
    severity=st.sampled_from(("critical", "error", "warning", "info")),
    tags=st.lists(names, max_size=4, unique=True).map(tuple),
    family=st.sampled_from((None, "jammed-part", "lost-part")),
    analyzed=st.sampled_from(("2025", "2026")),
    withdrawn=st.sampled_from((False, False, True)),
)
datasets = st.lists(some, max_size=12).map(
    lambda found: named(dataset(*(entry(number, **fields) for number, fields in enumerate(found))))
)


def wanted(one: Entry) -> dict[str, set[str]]:
    """By kind, the case-folded keys that an entry is listed under."""
    given: dict[str, list[Any]] = {
        "repository": [one.repo],
        "class": [one.error_class],
        "family": [one.family],
        "tag": list(one.tags),
        "severity": [one.severity],
        "code": [one.error_code],
        "status": [one.http_status],
        "message": [lists.message_key(one.message)],
    }
    return {kind: {str(key).casefold() for key in keys if key} for kind, keys in given.items()}


@given(datasets)
def test_every_entry_is_in_exactly_its_lists(found: Dataset) -> None:
    made = hubs(found)
    for kind in wanted(entry(1)):
        held = {
            (hub.key.casefold(), one.id): hub.entries.count(one)
            for hub in made
            if hub.kind == kind
            for one in hub.entries
        }
        due = {(key, one.id) for one in found.live for key in wanted(one)[kind]}
        least = {"tag": MIN_TAGGED, "message": lists.MIN_REPEATED}.get(kind, 1)
        common = [key for key, _ in due]
        due = {(key, record) for key, record in due if common.count(key) >= least}
        assert held == dict.fromkeys(due, 1)


@given(datasets)
def test_no_two_addresses_are_the_same(found: Dataset) -> None:
    made = hubs(found)
    addresses = [hub.uri.casefold() for hub in made] + [index.uri for index in indexes(found)]
    assert len(addresses) == len(set(addresses))
    assert [hub.uri for hub in made] == sorted(hub.uri for hub in made)


@given(datasets)
def test_an_index_lists_its_hubs(found: Dataset) -> None:
    made = hubs(found)
    assert indexes(found, made) == indexes(found)
    for index in indexes(found):
        assert {(row.uri, row.records) for row in index.rows} == {
            (hub.uri, len(hub.entries)) for hub in made if hub.kind == index.kind
        }
    assert {hub.parent for hub in made} <= {(index.uri, index.title) for index in indexes(found)}


@given(datasets)
def test_keys_are_spelt_as_the_dataset_spells_them(found: Dataset) -> None:
    keys = {kind: {hub.key.casefold(): hub.key for hub in hubs(found) if hub.kind == kind} for kind in ("class", "tag")}
    assert keys["class"] == found.class_names
    assert keys["tag"].items() <= found.tag_names.items()


@given(datasets, st.randoms(use_true_random=False))
def test_the_order_of_input_does_not_matter(found: Dataset, chance: random.Random) -> None:
    shuffled = list(found.entries)
    chance.shuffle(shuffled)
    assert hubs(named(Dataset(tuple(shuffled)))) == hubs(found)
    assert indexes(named(Dataset(tuple(shuffled)))) == indexes(found)


def test_every_kind_says_what_it_needs() -> None:
    kinds = {kind.kind for kind in lists._KINDS}
    assert kinds == wanted(entry(1)).keys()
