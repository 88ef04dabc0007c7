"""Time stamps: which are times, and that their one form sorts as they do."""

import time
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator import times

TIMES = {
    "2026-08-28T05:10:05Z": "2026-08-28T05:10:05.000000000Z",
    "2026-08-28t05:10:05z": "2026-08-28T05:10:05.000000000Z",
    "2026-08-28T05:10:05.995Z": "2026-08-28T05:10:05.995000000Z",
    "2026-08-28T05:10:05.995123456Z": "2026-08-28T05:10:05.995123456Z",
    "2026-08-28T05:10:05+08:00": "2026-08-27T21:10:05.000000000Z",
    "2026-08-28T05:10:05-03:30": "2026-08-28T08:40:05.000000000Z",
    "2026-08-28T05:10:05-00:00": "2026-08-28T05:10:05.000000000Z",
    "2024-02-29T00:00:00Z": "2024-02-29T00:00:00.000000000Z",
    "9999-12-31T23:59:59Z": "9999-12-31T23:59:59.000000000Z",
    "0001-01-01T00:00:00Z": "0001-01-01T00:00:00.000000000Z",
}

NO_TIMES = [
    *("", " ", "2026", "2026-8-1", "2026-08-28", "2026-08-28 05:10", "2026-08-28T05:10:05", "2026-08-28T05:10Z"),
    *("2026-02-30T24:61:00-00:00", "2026-02-30T05:10:05Z", "2025-02-29T00:00:00Z", "2026-13-01T00:00:00Z"),
    *("2026-08-28T24:00:00Z", "2026-08-28T05:60:00Z", "2026-08-28T05:10:60Z", "0000-01-01T00:00:00Z"),
    *("2026-08-28T05:10:05+24:00", "2026-08-28T05:10:05+08:60", "2026-08-28T05:10:05+0800", "2026-08-28T05:10:05+8"),
    *("2026-08-28T05:10:05.Z", "2026-08-28T05:10:05,5Z", "2026-08-28T05:10:05.1234567890Z", "2026-08-28T05:10:05Z\n"),
    *("1756357805", "28.08.2026", "２０２６-08-28T05:10:05Z", "2026-08-28T05:10:05ZZ", "0001-01-01T00:00:00+00:01"),
    "9999-12-31T23:59:59-00:01",
]

zones = st.integers(-24 * 60 + 1, 24 * 60 - 1).map(lambda minutes: timezone(timedelta(minutes=minutes)))
moments = st.datetimes(datetime(2, 1, 1), datetime(9998, 12, 31), timezones=zones)


@pytest.mark.parametrize(("stamp", "normal"), TIMES.items())
def test_normal(stamp: str, normal: str) -> None:
    assert times.normal(stamp) == normal


@pytest.mark.parametrize("stamp", NO_TIMES, ids=ascii)
def test_what_is_no_time(stamp: str) -> None:
    assert times.normal(stamp) is None


@given(moments, moments)
def test_the_forms_sort_as_the_moments_do(one: datetime, other: datetime) -> None:
    one_form, other_form = times.normal(one.isoformat()), times.normal(other.isoformat())
    assert one_form is not None and other_form is not None
    assert (one_form < other_form, one_form == other_form) == (one < other, one == other)


@given(
    st.one_of(
        moments.map(datetime.isoformat),
        st.from_regex(
            r"[0-9]{4}-[0-3]\d-[0-3]\dT[0-2]\d:[0-6]\d:[0-6]\d(\.\d{1,9})?(Z|[+-][0-2]\d:[0-6]\d)", fullmatch=True
        ),
    )
)
def test_agrees_with_the_standard_library_where_both_accept(stamp: str) -> None:
    normal = times.normal(stamp)
    try:
        theirs = datetime.fromisoformat(stamp).astimezone(UTC)
    except (ValueError, OverflowError):
        return
    if normal is not None:
        assert datetime.fromisoformat(normal) == theirs


@given(st.text("0123456789-:TZtz.+ ", max_size=32))
def test_any_text_is_a_time_or_none(stamp: str) -> None:
    normal = times.normal(stamp)
    assert normal is None or times.normal(normal) == normal


@pytest.mark.skipif(not hasattr(time, "tzset"), reason="this system's time zone can't be set by a process")
@pytest.mark.parametrize("zone", ["UTC", "Asia/Kathmandu", "America/St_Johns"])
def test_the_time_zone_of_the_machine_has_no_effect(monkeypatch: pytest.MonkeyPatch, zone: str) -> None:
    monkeypatch.setenv("TZ", zone)
    time.tzset()
    try:
        assert {stamp: times.normal(stamp) for stamp in TIMES} == TIMES
    finally:
        monkeypatch.undo()
        time.tzset()


def test_the_day_is_as_it_was_given() -> None:
    assert times.day("2026-08-28T23:59:59-12:00") == "2026-08-28"
