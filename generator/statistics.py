"""The page that says how much there is, how old, how full and how far reviewed; its times come from the records."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from datetime import date
from typing import NamedTuple

from generator import bars
from generator.bars import Count
from generator.dataset import COVERED, Dataset, Entry
from generator.pages import Row, View
from generator.records import SEVERITIES
from generator.values import Meta, Plain, Text
from generator.words import counted, say

URI = "statistics/"

MONTHS = 36
"""Months that are listed, the newest; those before are one row."""

AGES = (
    (31, "age_month"),
    (92, "age_quarter"),
    (183, "age_half"),
    (366, "age_year"),
    (731, "age_years"),
)
OLDER = "age_older"
"""The key of the words for what is older than the last of `AGES`, days and keys of words."""


class Statistics(NamedTuple):
    """What there is: records that are not withdrawn, by month (`months`: month, new, all until then) and otherwise.

    `oldest` and `newest` are days; `ages` count days before `newest`.
    """

    records: int
    repositories: int
    reviewed: int
    oldest: str
    newest: str
    months: tuple[tuple[str, int, int], ...]
    ages: tuple[Count, ...]
    coverage: tuple[Count, ...]
    severities: tuple[Count, ...]
    classes: tuple[Count, ...]
    largest: tuple[Count, ...]


def count(dataset: Dataset, address: Callable[[str, str], str]) -> Statistics:
    """Count a dataset; `address` gives that of the list of a kind and a key, or nothing where there is none."""
    live = dataset.live
    days = sorted(Counter(entry.analyzed[:10] for entry in live).items())
    repositories = Counter(entry.repo for entry in live)
    severities = Counter(entry.severity for entry in live)
    classes = Counter(dataset.class_names[entry.error_class.casefold()] for entry in live)
    return Statistics(
        records=len(live),
        repositories=len(repositories),
        reviewed=sum(entry.reviewed for entry in live),
        oldest=days[0][0] if days else "",
        newest=days[-1][0] if days else "",
        months=_months(days),
        ages=_ages(days),
        coverage=_coverage(live),
        severities=tuple(
            Count(one, address("severity", one), severities[one]) for one in SEVERITIES if severities[one]
        ),
        classes=bars.largest(Count(name, address("class", name), number) for name, number in classes.items()),
        largest=bars.largest(Count(name, address("repository", name), number) for name, number in repositories.items()),
    )


def _months(days: Sequence[tuple[str, int]]) -> tuple[tuple[str, int, int], ...]:
    """Each month of the records and between them, with the records that are new and all until then."""
    new: Counter[str] = Counter()
    for day, number in days:
        new[day[:7]] += number
    listed, total = [], 0
    month = days[0][0][:7] if days else ""
    while new and month <= max(new):
        total += new[month]
        listed.append((month, new[month], total))
        year, number = int(month[:4]), int(month[5:])
        month = f"{year + number // 12:04}-{number % 12 + 1:02}"
    if len(listed) <= MONTHS:
        return tuple(listed)
    before = listed[-MONTHS - 1][2]
    return (say("statistics_before", month=listed[-MONTHS][0]), before, before), *listed[-MONTHS:]


def _ages(days: Sequence[tuple[str, int]]) -> tuple[Count, ...]:
    """How many records were analysed how long before the newest."""
    found: Counter[str] = Counter()
    newest = date.fromisoformat(days[-1][0]) if days else date.min
    for day, number in days:
        age = (newest - date.fromisoformat(day)).days
        found[next((key for limit, key in AGES if age <= limit), OLDER)] += number
    return tuple(Count(say(key), "", found[key]) for key in (*(key for _, key in AGES), OLDER)) if days else ()


def _coverage(live: Iterable[Entry]) -> tuple[Count, ...]:
    """How many records have what a page can show: its parts in their order, then what records are listed by."""
    sets = Counter(
        (entry.filled, bool(entry.family), bool(entry.error_code), bool(entry.http_status)) for entry in live
    )
    parts = [
        Count(say(f"part_{name}"), "", sum(number for found, number in sets.items() if found[0] >> bit & 1))
        for bit, name in enumerate(COVERED)
    ]
    lists = [
        Count(say(key), "", sum(number for found, number in sets.items() if found[place]))
        for place, key in ((1, "part_family"), (2, "part_code"), (3, "part_status"))
    ]
    return (*parts, *lists)


def view(of: Statistics) -> View:
    """The values of the page."""
    summary = _summary(of)
    values: dict[str, Plain | Meta | Text | Sequence[Row] | bool] = {
        "meta_title": Meta(say("statistics")),
        "meta_description": Meta(say("statistics_about", summary=summary)),
        "uri": Plain(URI),
        "summary": Text(f"{summary}."),
    }
    if not of.records:
        return values
    months = [Count(month, "", total) for month, _, total in of.months]
    new = [Plain(f"{number:,}") for _, number, _ in of.months]
    return {
        **values,
        "newest": Plain(of.newest),
        "months": [{**row, "new": number} for row, number in zip(bars.rows(months, URI, of.records), new, strict=True)],
        "ages": _rows(of.ages, of.records),
        "coverage": _rows(of.coverage, of.records),
        "review": _rows((Count(say("statistics_reviewed"), "", of.reviewed), _unreviewed(of)), of.records),
        "severities": bars.rows(of.severities, URI, of.records),
        "classes": bars.rows(of.classes, URI, of.classes[0].errors),
        "repositories": bars.rows(of.largest, URI, of.largest[0].errors),
    }


def _summary(of: Statistics) -> str:
    said = {"errors": counted("errors", of.records), "repositories": counted("repositories", of.repositories)}
    if not of.records:
        return say("statistics_none", **said)
    if of.oldest == of.newest:
        return say("statistics_day", day=of.newest, **said)
    return say("statistics_days", first=of.oldest, last=of.newest, **said)


def _unreviewed(of: Statistics) -> Count:
    return Count(say("statistics_unreviewed"), "", of.records - of.reviewed)


def _rows(counts: Sequence[Count], whole: int) -> list[Row]:
    """Rows of which each says its share in words as well."""
    percents = [Text(bars.percent(one.errors, whole)) for one in counts]
    return [{**row, "percent": said} for row, said in zip(bars.rows(counts, URI, whole), percents, strict=True)]
