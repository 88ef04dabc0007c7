"""Addresses of issue forms, filled in to the field, and of searches in a project's issues.

The forms are those of this repository's `.github/ISSUE_TEMPLATE/`; the fields have the ids of the forms. A forge
that has no such form still opens an issue with the title. `overrides/assets/js/reports.js` fills in the rest at
the click.
"""

import re
from urllib.parse import quote, quote_plus, urlsplit

from generator.words import say

MOST_PHRASE = 60
"""Characters of a message that are searched for."""

MOST_LINE = 400
"""Characters of a line that an address of the lookup carries."""

_PLACEHOLDER = re.compile(r"\{[^{}]*\}")
_NO_WORD = re.compile(r"[\s\"\\]+")
_FAILURE = re.compile(r"error|exception|fatal|panic", re.IGNORECASE)


def wrong_page(report: str, repo_url: str, record_id: str) -> str:
    """Where to say that a page is wrong or old, with the record's id.

    That is the address `report`, a form or `mailto:`, or where there is none the form of the project at `repo_url`.
    """
    if not report:
        return f"{repo_url}/issues/new?template=record.yml&record={record_id}&title={record_id}"
    field = "subject" if report.startswith("mailto:") else "title"
    return f"{report}{'&' if '?' in report else '?'}{field}={record_id}"


def name(address: str) -> str:
    """What a link to an address where one reports is called."""
    host = urlsplit(address).hostname
    return "GitHub" if host == "github.com" else host or say("record_mail")


def upstream(repo: str, message: str) -> str:
    """A search of a repository's issues for the longest part of a message that is the same each time; else its issues.

    The part is a phrase between quotation marks, in which no word of a search's language acts.
    """
    parts = [_NO_WORD.sub(" ", part).strip() for part in _PLACEHOLDER.split(message)]
    phrase = _cut(max(parts, key=len))
    return f"https://github.com/{repo}/issues" + (f"?q=%22{quote_plus(phrase)}%22" if phrase else "")


def _cut(phrase: str) -> str:
    """The whole words of a phrase that fit; a single longer word is cut."""
    if len(phrase) <= MOST_PHRASE:
        return phrase
    return phrase[: MOST_PHRASE + 1].rpartition(" ")[0] or phrase[:MOST_PHRASE]


def lookup_page(address: str, text: str) -> str:
    """The lookup page at `address` with the line of `text` that says what failed; it offers to report what is missing.

    The line stands in the fragment, which browsers do not send.
    """
    lines = [line for line in map(str.strip, text.splitlines()) if line]
    failed = [line for line in lines if _FAILURE.search(line)]
    line = failed[-1] if failed else next(iter(lines), "")
    return f"{address}#{quote(line[:MOST_LINE].encode('utf-8', 'replace'), safe='')}"
