"""Time stamps of records: RFC 3339 in, one sortable form out; no clock, no time zone of the machine."""

import re
from datetime import UTC, datetime, timedelta, timezone

_FORM = re.compile(
    r"(\d{4}-\d{2}-\d{2})[Tt](\d{2}:\d{2}:\d{2})(?:\.(\d{1,9}))?(?:[Zz]|([+-])(\d{2}):(\d{2}))\Z", re.ASCII
)


def normal(stamp: str) -> str | None:
    """`stamp` in UTC as `YYYY-MM-DDTHH:MM:SS.nnnnnnnnnZ`, or None if it is no RFC 3339 time.

    The forms sort as the times do. Nanoseconds are kept; `-00:00` is read as UTC.
    """
    form = _FORM.match(stamp)
    if form is None:
        return None
    day, clock, fraction, sign, hours, minutes = form.groups()
    try:
        local = datetime.fromisoformat(f"{day}T{clock}")
        offset = timedelta(hours=int(hours or 0), minutes=int(minutes or 0))
        zone = timezone(-offset if sign == "-" else offset)
        if int(minutes or 0) > 59:
            return None
        utc = local.replace(tzinfo=zone).astimezone(UTC)
    except (ValueError, OverflowError):
        return None
    return f"{utc:%Y-%m-%dT%H:%M:%S}.{(fraction or '').ljust(9, '0')}Z".rjust(30, "0")


def day(stamp: str) -> str:
    """The date of `stamp` as it was given: its first ten characters."""
    return stamp[:10]
