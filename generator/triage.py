"""The comment under an issue whose text a record explains: from the event of an issue to Markdown, or to nothing.

Nothing of the issue's text stands in the comment, so nothing of it can act: no mention, link, command or
markup. What the comment says is the record's, spelt so that a forge neither notifies nor links by it.
"""

import re
from collections.abc import Iterator
from typing import Any

import msgspec

from generator import answers, escape
from generator.library import Library
from generator.lookup import Found, Site
from generator.problems import UsageError
from generator.records import Record

MARK = "<!-- errordex:triage -->"
"""The first line of each comment, which nobody sees: the workflow looks for it before it posts."""

MOST_EVENT = 30_000_000
"""Bytes of an event that are read; GitHub sends 25 MB at most."""

MOST_TEXT = 300_000
"""Characters of an issue that are looked up; GitHub allows 65,536."""

SITES = 5
"""Other raise sites that are listed."""

MESSAGE, MEANING = 300, 900
"""Characters of a message and of a paragraph that are shown."""

ACTIONS = ("opened", "edited", "reopened")

_ACTING = re.compile(r"@(?=\w)|(?<!&)#(?=\w)|://|\b(?:www(?=\.)|GH(?=-\d))", re.IGNORECASE)
_BREAK = "&#8203;"
"""A space without width: enough that a forge sees no mention, no reference and no address."""


class _User(msgspec.Struct):
    login: str = ""
    type: str = "User"


class _Issue(msgspec.Struct):
    title: str
    body: str | None = None
    user: _User | None = None
    pull_request: Any = None


class _Event(msgspec.Struct):
    issue: _Issue
    action: str = "opened"
    sender: _User | None = None


def text_of(event: bytes, where: str) -> str:
    """The text of an issue that is to be looked up; empty where nothing is to be said to it.

    Raises `UsageError` where `event` is no event of an issue.
    """
    if len(event) > MOST_EVENT:
        raise _refusal(where, f"it has more than {MOST_EVENT // 1_000_000} MB")
    try:
        found = msgspec.json.decode(event.removeprefix(b"\xef\xbb\xbf"), type=_Event)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise _refusal(where, escape.shortened(str(error), 200)) from None
    issue = found.issue
    if found.action not in ACTIONS or issue.pull_request is not None or _is_bot(issue.user) or _is_bot(found.sender):
        return ""
    return _without_comments(f"{issue.title}\n\n{issue.body or ''}"[:MOST_TEXT])


def _refusal(where: str, reason: str) -> UsageError:
    return UsageError(
        f"{escape.line(where)}: no event of an issue ({reason}); give the file that GITHUB_EVENT_PATH names [EDX073]"
    )


def _is_bot(user: _User | None) -> bool:
    return user is not None and (user.type == "Bot" or user.login.endswith("[bot]"))


def _without_comments(text: str) -> str:
    """`text` without HTML comments: hints of an issue's template, with messages that nobody had."""
    kept: list[str] = []
    at = 0
    while (start := text.find("<!--", at)) >= 0 and (end := text.find("-->", start)) >= 0:
        kept.append(text[at:start])
        at = end + len("-->")
    return "".join([*kept, text[at:]])


def comment(text: str, library: Library) -> str:
    """The comment on an issue's text, Markdown; empty where no record explains it for certain."""
    if not text.strip():
        return ""
    found = library.find(text, limit=1)
    if not found or found[0].kind != "match" or found[0].aside:
        return ""
    record = library.record(found[0].sites[0])
    if record.withdrawn is not None:
        return ""
    return "\n\n".join(_parts(found[0], record, library)) + "\n"


def _parts(found: Found, record: Record, library: Library) -> Iterator[str]:
    first, *others = found.sites
    yield MARK
    message = _calm(escape.markdown(escape.shortened(record.error_message, MESSAGE)))
    yield f"This error has a page: [{message}]({_address(first, library)})"
    if meaning := escape.paragraphs(record.documentation)[:1]:
        yield f"**What it means:** {_prose(meaning[0])}"
    if solution := next(filter(None, map(escape.line, record.solutions)), ""):
        yield f"**First thing to try:** {_prose(solution)}"
    yield f"It is raised at {_place(first)}. {_certainty(found)}"
    if others:
        yield "\n".join(
            ["The same message is raised elsewhere:", "", *(_other(site, library) for site in others[:SITES])]
        )
    if len(others) > SITES:
        yield f"And in {len(others) - SITES} more places."
    yield "Does the page not help? Say here what you tried, and what happened."


def _other(site: Site, library: Library) -> str:
    return f"- [{_place(site)}]({_address(site, library)})"


def _certainty(found: Found) -> str:
    """How sure it is, in words that depend on the kind of evidence alone."""
    if found.decided:
        return "This issue has the whole message, and a stack frame of that file."
    if len(found.sites) > 1:
        return "This issue has the whole message, but no stack frame that tells where it was raised."
    return "This issue has the whole message, which no other record has."


def _place(site: Site) -> str:
    repo = "/".join(site.page.split("/")[:2])
    return f"`{_ticked(escape.line(f'{repo}: {site.file}:{site.line}'))}`"


def _address(site: Site, library: Library) -> str:
    return f"<{answers.address(library.permalink(site))}>"


def _prose(text: str) -> str:
    """A paragraph as Markdown in which code is code and nothing else acts."""
    parts = escape.spans(escape.shortened(text, MEANING))
    return "".join(f"`{_ticked(part)}`" if code else _calm(escape.markdown(part)) for code, part in parts)


def _ticked(text: str) -> str:
    return text.replace("`", "'")


def _calm(spelt: str) -> str:
    """Markdown in which nobody is mentioned, no issue referred to and no address linked."""
    return _ACTING.sub(lambda mark: f"{mark.group()[0]}{_BREAK}{mark.group()[1:]}", spelt)
