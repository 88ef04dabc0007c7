"""What a lookup found, as text for a terminal, JSON, Markdown, a workflow's annotations, or SARIF.

Texts of pastes and records are spelt so that nothing in them acts on a terminal, whatever the form: JSON is
plain ASCII, the other forms pass `escape.visible`.
"""

import json
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple
from urllib.parse import quote

import click

from generator import __version__, escape
from generator.library import Library
from generator.lookup import Found, Site
from generator.problems import REFERENCE
from generator.records import Record

SOLUTIONS = 3
"""Solutions that are shown before the reader goes to the page."""

SITES = 5
"""Raise sites of one message that are shown."""

MESSAGE, MEANING = 600, 900
"""Characters of a message and of a paragraph that are shown."""

LEVELS = {"critical": "error", "error": "error", "warning": "warning", "info": "note"}
SARIF_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


class Answer(NamedTuple):
    """Something found, with the record of its first site and that record's page."""

    found: Found
    record: Record
    url: str
    more: tuple[tuple[Site, str], ...]
    """The other sites of the message that the paste may come from, with their pages."""


def answers(found: list[Found], library: Library) -> list[Answer]:
    """What was found, best first, with what is to be shown of it."""
    return [
        Answer(
            each,
            library.record(each.sites[0]),
            library.address(each.sites[0]),
            tuple((site, library.address(site)) for site in each.sites[1:]),
        )
        for each in found
    ]


def text(given: list[Answer]) -> str:
    """For a terminal: message with its values, meaning, first solutions, page."""
    if not given:
        return "Nothing found: no record has this message."
    return "\n\n".join("\n".join(_block(answer)) for answer in given)


def _block(answer: Answer) -> Iterator[str]:
    found, record = answer.found, answer.record
    kind = "Match" if found.kind == "match" else "Similar"
    yield click.style(f"{kind}: {escape.shortened(record.error_class, 200)} ({found.score} of 99)", bold=True)
    yield f"  {_message(found)}" if found.kind == "match" else f"  {escape.shortened(record.error_message, MESSAGE)}"
    yield ""
    yield from (f"  {escape.shortened(part, MEANING)}" for part in escape.paragraphs(record.documentation)[:1])
    for number, solution in enumerate(record.solutions[:SOLUTIONS], 1):
        yield f"  {number}. {escape.shortened(solution, MEANING)}"
    yield ""
    yield f"  Raised at {_place(found.sites[0])}"
    yield f"  {escape.line(answer.url)}"
    for site, url in answer.more[:SITES]:
        yield f"  Or at {_place(site)}: {escape.line(url)}"
    if len(answer.more) > SITES:
        yield f"  Or at {len(answer.more) - SITES} more places"


def _place(site: Site) -> str:
    return f"{escape.line(site.file)}:{site.line}"


def _message(found: Found) -> str:
    """The message as it stands in the paste, its values underlined."""
    shown = "".join(click.style(part, underline=True) if value else part for value, part in _parts(found))
    return f"{shown}…" if len(found.text) > MESSAGE else shown


def _parts(found: Found) -> Iterator[tuple[bool, str]]:
    """The message cut at its values, which are in order but may be within one another: (is it a value, the part)."""
    at = 0
    for start, end in sorted(found.spans):
        if start >= at and end > start and start < MESSAGE:
            yield False, escape.visible(found.text[at:start])
            yield True, escape.visible(found.text[start : min(end, MESSAGE)])
            at = end
    yield False, escape.visible(found.text[at:MESSAGE])


def as_json(given: list[Answer]) -> str:
    """A list, best first: id, url, kind, score and values of every site."""
    return _ascii([item for answer in given for item in _items(answer)])


def _items(answer: Answer) -> Iterator[dict[str, Any]]:
    for site, url in [(answer.found.sites[0], answer.url), *answer.more]:
        yield {
            "id": site.id,
            "url": url,
            "kind": answer.found.kind,
            "score": answer.found.score,
            "values": _values(answer.found),
        }


def _values(found: Found) -> list[dict[str, str | None]]:
    return [{"name": value.name, "text": value.text} for value in found.values]


def _ascii(document: object) -> str:
    return json.dumps(document, indent=2).replace("\x7f", "\\u007f")


def markdown(given: list[Answer]) -> str:
    """For an issue or a chat: a section each, all text escaped."""
    if not given:
        return "Nothing found: no record has this message."
    return "\n\n".join("\n\n".join(_section(answer)) for answer in given)


def _section(answer: Answer) -> Iterator[str]:
    record, found = answer.record, answer.found
    title = escape.markdown(escape.shortened(record.error_message, 300))
    yield f"## [{title}](<{address(answer.url)}>)"
    said = "This is the message" if found.kind == "match" else "Similar, not the same message"
    place = _ticked(_place(found.sites[0]))
    yield f"{said} of {escape.prose_markdown(_code(record.error_class))}, raised at `{place}`."
    if found.values:
        yield "\n".join(
            f"- {escape.markdown(escape.line(value.name or 'value'))}: {escape.prose_markdown(_code(value.text))}"
            for value in found.values
        )
    yield from (escape.prose_markdown(part) for part in escape.paragraphs(record.documentation))
    yield from _numbered(record)
    if answer.more:
        yield "\n".join(
            f"- or [{escape.markdown(_place(site))}](<{address(url)}>)" for site, url in answer.more[:SITES]
        )


def _numbered(record: Record) -> Iterator[str]:
    if record.solutions:
        shown = enumerate(record.solutions[:SOLUTIONS], 1)
        yield "\n".join(f"{number}. {escape.prose_markdown(escape.line(solution))}" for number, solution in shown)


def _code(text: str) -> str:
    """A text as prose that is nothing but code, as far as backticks allow."""
    return f"`{_ticked(escape.shortened(text, MESSAGE))}`" if text.strip() else "(empty)"


def _ticked(text: str) -> str:
    return text.replace("`", "'")


def address(url: str) -> str:
    """An address between angle brackets in Markdown, or in JSON: what an address may not hold is escaped."""
    return quote(url, safe=":/?#[]@!$&'()*+,;=%~")


def github(given: list[Answer]) -> str:
    """Workflow commands, one a line: an error for a match, a notice for what is similar.

    They name the raising file and line where a frame of the paste decided for it.
    """
    return "\n".join(map(_annotation, given)) or "::notice title=Errordex::Nothing found: no record has this message."


def _annotation(answer: Answer) -> str:
    found = answer.found
    command, title = ("error", "Known error") if found.kind == "match" else ("notice", "Similar error")
    site = found.sites[0]
    place = f"file={_property(site.file)},line={site.line}," if found.decided else ""
    solution = f" {escape.shortened(answer.record.solutions[0], MESSAGE)}" if answer.record.solutions else ""
    said = f"{escape.shortened(answer.record.error_message, MESSAGE)}:{solution} {answer.url}"
    return f"::{command} {place}title={title}::{_data(said)}"


def _data(text: str) -> str:
    return escape.visible(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def sarif(given: list[Answer]) -> str:
    """SARIF 2.1.0 (OASIS): a rule a record, with its page as help, and a result for each."""
    driver = {
        "name": "Errordex",
        "version": __version__,
        "informationUri": REFERENCE,
        "rules": [_rule(answer) for answer in given],
    }
    results = [_result(number, answer) for number, answer in enumerate(given)]
    run = {"tool": {"driver": driver}, "results": results, "columnKind": "unicodeCodePoints"}
    return _ascii({"$schema": SARIF_SCHEMA, "version": "2.1.0", "runs": [run]})


def _rule(answer: Answer) -> dict[str, Any]:
    record = answer.record
    solutions = "\n".join(f"{number}. {text}" for number, text in enumerate(record.solutions[:SOLUTIONS], 1))
    return {
        "id": record.id,
        "name": record.error_class,
        "shortDescription": {"text": record.error_message},
        "fullDescription": {"text": record.documentation or record.error_message},
        "helpUri": address(answer.url),
        "help": {"text": solutions or record.documentation or record.error_message},
        "defaultConfiguration": {"level": LEVELS[record.severity]},
    }


def _result(number: int, answer: Answer) -> dict[str, Any]:
    found = answer.found
    return {
        "ruleId": answer.record.id,
        "ruleIndex": number,
        "kind": "fail" if found.kind == "match" else "review",
        "level": LEVELS[answer.record.severity] if found.kind == "match" else "none",
        "message": {"text": found.text or answer.record.error_message},
        "locations": [_location(site) for site in found.sites[: SITES + 1]],
        "properties": {"match": found.kind, "score": found.score, "values": _values(found)},
    }


def _location(site: Site) -> dict[str, Any]:
    return {
        "physicalLocation": {"artifactLocation": {"uri": quote(site.file)}, "region": {"startLine": max(1, site.line)}}
    }


FORMS: dict[str, Callable[[list[Answer]], str]] = {
    "text": text,
    "json": as_json,
    "markdown": markdown,
    "github": github,
    "sarif": sarif,
}
"""The forms by name."""
