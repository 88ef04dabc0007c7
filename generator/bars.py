"""Counts as bars: the rows of a table in which each number is drawn as well."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from generator import pages
from generator.pages import Row
from generator.values import Plain, Text, Value

SHOWN = 8
"""Bars of a table, at most, where they are those of the largest counts."""


class Count(NamedTuple):
    """How many records have something in common: words for it, the address of their list (or empty), and the number."""

    text: str
    uri: str
    errors: int


def largest(counts: Iterable[Count]) -> tuple[Count, ...]:
    """The largest counts, at most `SHOWN`; ties by their words."""
    return tuple(sorted(counts, key=lambda one: (-one.errors, one.text.casefold(), one.text))[:SHOWN])


def rows(counts: Sequence[Count], base: str, whole: int) -> list[Row]:
    """A row for each count, for the page at `base`; `whole` is the number that a full bar stands for."""
    return [_row(one, base, whole) for one in counts]


def _row(one: Count, base: str, whole: int) -> Row:
    values: dict[str, Value] = {
        "text": Text(one.text),
        "count": Plain(f"{one.errors:,}"),
        "share": Plain(share(one.errors, whole)),
    }
    if one.uri:
        values["link"] = pages.page_link(one.uri, base)
    return values


def share(count: int, whole: int) -> str:
    """A percentage, to one decimal; what is there at all is seen."""
    return f"{max(100 * count / whole, 0.4 if count else 0):.1f}" if whole else "0"


def percent(count: int, whole: int) -> str:
    """A share in words: whole percent, and neither nothing nor all unless it is."""
    exact = 100 * count / whole if whole else 0
    if 0 < exact < 1:
        return "< 1 %"
    return "> 99 %" if 99 < exact < 100 else f"{exact:.0f} %"
