"""Which optional parts a record's page has, told from the record alone, without making the page."""

import re
from collections.abc import Iterator, Sequence

from generator import escape
from generator.records import Record

_BEFORE_AFTER = re.compile(
    r"\A\s*(?P<before>(?P<mark>#|//|--|;+|%|/\*|<!--)[ \t]*before\b.*?)^(?P<after>[ \t]*(?P=mark)[ \t]*after\b.*)\Z",
    re.DOTALL | re.MULTILINE | re.IGNORECASE,
)


def parts(record: Record) -> int:
    """A bit for each fact about a record that decides which parts its page has.

    Records that differ here may still have pages of one shape; records alike here have, among the same neighbours.
    """
    return sum(1 << place for place, fact in enumerate(_facts(record)) if fact)


def _facts(record: Record) -> Iterator[bool]:
    yield record.error_code is not None
    yield record.http_status is not None
    yield record.withdrawn is not None
    yield record.reviewed_by is not None and bool(record.reviewed_by.strip())
    yield record.checked_sha is not None
    yield bool(record.source_code.strip())
    yield bool(record.handling_strategy.strip())
    for code in (record.example_fix, record.validation_code, record.type_guard, record.try_catch_pattern):
        yield code is not None and bool(code.strip())
    yield split_fix(record.example_fix or "") is not None
    for text in (record.documentation, record.trigger_scenarios, record.common_situations):
        yield escape.is_shown(text)
    for texts in (record.solutions, record.prevention_tips):
        yield any(map(escape.is_shown, texts))
        yield is_loose(texts)


def is_loose(texts: Sequence[str]) -> bool:
    """Whether an item of a list has several paragraphs."""
    return any("\n" in text and len(escape.paragraphs(text)) > 1 for text in texts)


def split_fix(code: str) -> tuple[str, str] | None:
    """The code before and after, where comments part them; each keeps its comment."""
    found = _BEFORE_AFTER.match(code)
    return (found["before"].rstrip(), found["after"].rstrip()) if found else None
