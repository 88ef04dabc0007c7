"""Statistics: what is counted, and that no clock is asked."""

from generator import statistics
from generator.bars import Count, largest, percent, share
from generator.dataset import Dataset, Entry
from generator.statistics import MONTHS, OLDER
from generator.words import say
from tests.test_related import dataset, entry


def on(number: int, day: str, **fields: object) -> Entry:
    return entry(number, analyzed=f"{day}T00:00:00.000000000Z", **fields)


def address(kind: str, key: str) -> str:
    return f"{kind}/{key}/"


def test_a_small_dataset() -> None:
    found = statistics.count(
        dataset(
            on(1, "2025-12-31", error_class="jamError", filled=0b11, reviewed=True),
            on(2, "2026-02-10", error_class="JamError", filled=0b10, repo="acme/b", severity="info", http_status=404),
            on(3, "2026-02-20", family="jammed-part"),
            on(4, "2026-03-01", withdrawn=True),
        ),
        address,
    )
    assert (found.records, found.repositories, found.reviewed) == (3, 2, 1)
    assert (found.oldest, found.newest) == ("2025-12-31", "2026-02-20")
    assert found.months == (("2025-12", 1, 1), ("2026-01", 0, 1), ("2026-02", 2, 3))
    assert [one.errors for one in found.ages] == [2, 1, 0, 0, 0, 0]
    assert [(one.text, one.errors) for one in found.coverage if one.errors] == [
        ("What it means", 1),
        ("Solutions", 2),
        ("Family", 1),
        ("HTTP status", 1),
    ]
    assert found.severities == (Count("error", "severity/error/", 2), Count("info", "severity/info/", 1))
    assert found.classes == (Count("jamError", "class/jamError/", 2), Count("ValueError", "class/ValueError/", 1))
    assert found.largest == (Count("acme/tool", "repository/acme/tool/", 2), Count("acme/b", "repository/acme/b/", 1))


def test_months_are_bounded_and_none_is_lost() -> None:
    found = statistics.count(dataset(on(1, "1999-05-01"), on(2, "2025-11-30"), on(3, "2026-08-01")), address)
    assert len(found.months) == MONTHS + 1
    assert found.months[0] == ("before 2023-09", 1, 1)
    assert found.months[-1] == ("2026-08", 1, 3)
    assert sum(new for _, new, _ in found.months) == 3
    assert found.ages[-1] == Count(say(OLDER), "", 1)


def test_without_records_there_is_a_sentence() -> None:
    view = statistics.view(statistics.count(Dataset(()), address))
    assert "months" not in view and view["summary"].text == "0 errors of 0 repositories."  # type: ignore[union-attr]


def test_one_of_each_is_said_in_the_singular() -> None:
    view = statistics.view(statistics.count(dataset(on(1, "2026-02-10")), address))
    assert view["summary"].text == "1 error of 1 repository, analysed on 2026-02-10."  # type: ignore[union-attr]


def test_shares() -> None:
    assert [share(count, 1000) for count in (0, 1, 500, 1000)] == ["0.0", "0.4", "50.0", "100.0"]
    assert [percent(count, 1000) for count in (0, 1, 500, 999, 1000)] == ["0 %", "< 1 %", "50 %", "> 99 %", "100 %"]
    assert [one.text for one in largest(Count(name, "", size) for name, size in (("b", 2), ("a", 2), ("c", 9)))] == [
        "c",
        "a",
        "b",
    ]
