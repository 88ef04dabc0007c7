"""A maintainer's files: what a project adds so that its users look an error up before they report it.

The texts lie in `kit_files/`, one a file, with `@NAME@` where the project's values go.
"""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from generator import __version__, escape, patterns, portable, urls
from generator.files import File
from generator.records import Record
from generator.triage import MARK

KNOWN = "known error"
"""The label of an issue whose text has the message of any record."""

MOST_ALTERNATIVES = 300
"""Messages that one label or matcher asks for; a longer list would slow down the programs that read it."""

_VALUE = re.compile(r"@([A-Z_]+)@")
_CLASS = re.compile(r"[A-Za-z_]\w*\Z")

PLACES = {
    "bug_report.yml": ".github/ISSUE_TEMPLATE/bug_report.yml",
    "config.yml": ".github/ISSUE_TEMPLATE/config.yml",
    "labeler.yml": ".github/errordex-labels.yml",
    "labels-workflow.yml": ".github/workflows/errordex-labels.yml",
    "triage-workflow.yml": ".github/workflows/errordex-triage.yml",
    "matcher.json": ".github/errordex-matcher.json",
    "badge.svg": ".github/errordex-badge.svg",
    "readme.md": ".github/errordex-readme.md",
    "gitlab.md": ".gitlab/issue_templates/Bug.md",
}
"""Where each file of `kit_files/` goes in the project."""


@dataclass(frozen=True, slots=True)
class Project:
    """Who gets the kit: the repository, owner/name, and the address of the site that explains its errors, with `/`."""

    repo: str
    site: str

    @property
    def name(self) -> str:
        """The repository without its owner."""
        return self.repo.partition("/")[2]


def files(project: Project, records: Iterable[Record]) -> Iterator[File]:
    """The kit of a project from its records, by path; the labels' files only where a record can be asked for."""
    kept = [record for record in records if record.withdrawn is None]
    labels, matcher = _labels(kept), _matcher(project, kept)
    values = {
        "REPO": project.repo,
        "NAME": project.name,
        "SITE": project.site,
        "LOOKUP": f"{project.site}lookup/",
        "HUB": f"{project.site}{urls.repository(project.repo)}",
        "COUNT": f"{len(kept):,}",
        "VERSION": __version__,
        "MARK": MARK,
        "LABELS": labels,
        "MATCHER": matcher,
    }
    without = {*([] if labels else ["labeler.yml", "labels-workflow.yml"]), *([] if matcher else ["matcher.json"])}
    for name, path in sorted(PLACES.items(), key=lambda place: place[1]):
        if name not in without:
            yield File(path, _filled(_text(name), values).encode())


@cache
def _text(name: str) -> str:
    return (Path(__file__).parent / "kit_files" / name).read_text("utf-8")


def _filled(text: str, values: dict[str, str]) -> str:
    return _VALUE.sub(lambda place: values[place[1]], text)


def _labels(records: Iterable[Record]) -> str:
    """YAML: a label and its one regular expression a line; several would have to match all at once.

    One label for any message, and one for each family.
    """
    found: dict[str, dict[str, None]] = {}
    for record in records:
        if spelt := portable.regex(patterns.compile(record.message_pattern)):
            for label in (KNOWN, *([record.background_tag] if record.background_tag else [])):
                found.setdefault(label, {})[spelt] = None
    return "".join(
        f"{_quoted(label)}:\n  - {_quoted('(?:' + '|'.join(sorted(regexes)[:MOST_ALTERNATIVES]) + ')')}\n"
        for label, regexes in sorted(found.items())
    )


def _matcher(project: Project, records: Iterable[Record]) -> str:
    """JSON: the problem matcher, or nothing. Its groups are the class and the message."""
    classes, messages = set[str](), set[str]()
    for record in records:
        name = record.error_class.rpartition(".")[2]
        spelt = portable.regex(patterns.compile(record.message_pattern), one_line=True)
        if spelt and _CLASS.match(name):
            classes.add(name)
            messages.add(spelt)
    if not messages:
        return ""
    among, said = "|".join(sorted(classes)), "|".join(sorted(messages)[:MOST_ALTERNATIVES])
    pattern = {
        "regexp": rf"(?:^|[\s.])({among}):(?=.{{0,{portable.MOST_GAP}}}?(?:{said}))\s*(.{{1,2000}})",
        "code": 1,
        "message": 2,
    }
    owner = f"errordex-{project.repo.replace('/', '-').lower()}"
    matcher = {"owner": owner, "severity": "error", "pattern": [pattern]}
    return json.dumps({"problemMatcher": [matcher]}, ensure_ascii=False, indent=2)


def _quoted(text: str) -> str:
    """A text as YAML's double-quoted scalar, which JSON's string is once nothing in it hides or acts."""
    return json.dumps(escape.visible(text), ensure_ascii=False)
