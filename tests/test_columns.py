"""Entries as columns: whatever they say, they are read again as they were, and what they share is held once."""

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator import cache, columns
from generator.columns import Column
from generator.dataset import Entry
from tests.test_related import entry

TEXTS = st.sampled_from(["", "a", "A", "é", "\U0001f600", "ab c"]) | st.text(max_size=4)
FIELDS = st.fixed_dictionaries(
    {},
    optional={
        **dict.fromkeys(("message", "pattern", "error_class", "file_path", "folder", "version"), TEXTS),
        **dict.fromkeys(("error_code", "family", "replacement"), st.none() | TEXTS),
        **dict.fromkeys(("tags", "aliases"), st.lists(TEXTS, max_size=3).map(tuple)),
        **dict.fromkeys(("reviewed", "withdrawn", "draft"), st.booleans()),
        **dict.fromkeys(("line", "offset", "length", "where_line", "parts", "filled"), st.integers(0, 3)),
        "http_status": st.none() | st.integers(0, 599),
        "digests": st.binary(max_size=4),
    },
)


def again(entries: list[Entry]) -> list[Entry]:
    """The entries, packed, written and read."""
    content = cache.encoded(columns.pack(entries))
    return list(columns.unpack(cache.decoded(content, list[Column])))


@given(st.lists(FIELDS, max_size=12))
def test_entries_are_as_they_were(fields: list[dict[str, Any]]) -> None:
    """Each value is of its own kind: false is not 0, and none is not empty."""
    entries = [entry(number, **given) for number, given in enumerate(fields)]
    assert list(map(repr, again(entries))) == list(map(repr, entries))


def test_every_field_that_is_a_tuple_is_read_as_one() -> None:
    plural = {"tags": ("a", "b"), "aliases": ("acme/tool/x",)}
    (found,) = again([entry(1, **plural)])
    tuples = {name for name, value in msgspec.structs.asdict(found).items() if isinstance(value, tuple)}
    assert tuples == plural.keys()


@pytest.mark.parametrize("name", ["repo", "error_class", "file_path", "version", "tags"])
def test_what_entries_share_is_held_once(name: str) -> None:
    said = ("".join(["of", "ten"]), "seldom") if name == "tags" else "often"
    found = again([entry(number, **{name: said}) for number in range(20)])
    values = [getattr(one, name) for one in found]
    members = {id(member) for value in values for member in (value if name == "tags" else [value])}
    assert len(members) == (2 if name == "tags" else 1)


def test_many_different_values_take_no_table() -> None:
    packed = columns.pack(entry(number) for number in range(20))
    by_name = dict(zip(Entry.__struct_fields__, packed, strict=True))
    assert not by_name["message"].places
    assert by_name["repo"].values == ["acme/tool"]
