"""Entries as columns: what many of them say stands there once, and is held once when they are read again."""

from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, chain, pairwise, starmap
from sys import intern
from typing import Any, TypeVar, get_origin

import msgspec

from generator.dataset import Entry

Value = TypeVar("Value")

SHARED = 0.9
"""Up to this share of different values a table of them takes less room than the values."""

_PLURAL = [get_origin(field.type) is tuple for field in msgspec.structs.fields(Entry)]
"""Which of an entry's fields are tuples, in their order."""


class Column(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A field of entries, in their order.

    `values` are theirs, or where there are `places`, the different ones, of which these are the numbers. Of a field
    that is a tuple they are the members, and `counts` says how many each has; both are arrays of 32 bits.
    """

    values: list[Any]
    places: bytes = b""
    counts: bytes = b""


def pack(entries: Iterable[Entry]) -> list[Column]:
    """A column for each field; none of no entries."""
    fields = zip(*map(msgspec.structs.astuple, entries), strict=True)
    return [_plural(field) if plural else _column(field) for field, plural in zip(fields, _PLURAL, strict=False)]


def unpack(columns: Sequence[Column]) -> Iterator[Entry]:
    """The entries whose columns these are."""
    fields = [_tuples(column) if column.counts else _values(column) for column in columns]
    return starmap(Entry, zip(*fields, strict=True))


def _column(field: Sequence[Any]) -> Column:
    numbers = {value: number for number, value in enumerate(dict.fromkeys(field))}
    if len(numbers) > SHARED * len(field):
        return Column(list(field))
    return Column(list(numbers), array("I", map(numbers.__getitem__, field)).tobytes())


def _plural(field: Sequence[tuple[Any, ...]]) -> Column:
    members = _column(list(chain.from_iterable(field)))
    return Column(members.values, members.places, array("I", map(len, field)).tobytes())


def _values(column: Column) -> Iterable[Any]:
    if not column.places:
        return column.values
    table = [intern(value) if isinstance(value, str) else value for value in column.values]
    return map(table.__getitem__, array("I", column.places))


def _tuples(column: Column) -> Iterator[tuple[Any, ...]]:
    return slices(tuple(_values(column)), array("I", column.counts))


def slices(values: tuple[Value, ...], counts: Iterable[int]) -> Iterator[tuple[Value, ...]]:
    """Values in tuples of as many as `counts` says."""
    return (values[start:end] for start, end in pairwise(accumulate(counts, initial=0)))
