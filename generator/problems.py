"""What can be wrong with an input, and how it is said: where, what, what to do, code."""

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass

REFERENCE = "https://errordex.github.io/errordex/"
"""Where Errordex's own errors are explained; never taken from a user's `site_url`."""

OWN_REPO = "errordex/errordex"

_CODE = re.compile(r"\[(EDX\d{3})\]\Z")


def own_id(code: str) -> str:
    """The id of the record that explains `code`: 16 hex digits, computable without the records."""
    return hashlib.sha256(f"{OWN_REPO}#{code}".encode()).hexdigest()[:16]


def address(code: str) -> str:
    """The page that explains `code`; a permalink, so that it outlives a change of slug."""
    return f"{REFERENCE}e/{own_id(code)}/"


class ErrordexError(Exception):
    """The base of every error that Errordex raises on purpose; its text is one report, ready to print."""

    exit_status = 1

    def __str__(self) -> str:
        text = super().__str__()
        code = _CODE.search(text)
        return f"{text}\n{code[1]}: {address(code[1])}" if code else text


class UsageError(ErrordexError):
    """The command or the settings are used wrongly."""

    exit_status = 2


class MachineError(ErrordexError):
    """The machine refuses: a full disk, a missing permission, another build at work."""

    exit_status = 3


class Interrupted(ErrordexError):
    """The person at the terminal pressed Ctrl-C; shells call that 130."""

    exit_status = 130


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """One fault of one input.

    `where` is a path as the user gave it; `line` is 1-based, 0 where unknown; `record` is an id or
    empty; `field` is the record's field as it is spelled in JSON, or empty; `text` says what is wrong
    and, after a semicolon, what to do.
    """

    where: str
    line: int
    record: str
    field: str
    text: str
    code: str

    def __str__(self) -> str:
        place = f"{self.where}:{self.line}" if self.line else self.where
        of_record = f" (record {self.record})" if self.record and self.record not in self.where else ""
        return f"{place}{of_record}: {self.text} [{self.code}]"


class InvalidRecords(ErrordexError):
    """The records have problems: all of them, sorted."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(sorted(set(problems)))
        super().__init__(report(self.problems))


def report(problems: Iterable[Problem]) -> str:
    """One line a problem, then one a code with the page that explains it."""
    listed = list(problems)
    codes = sorted({problem.code for problem in listed})
    return "\n".join([*map(str, listed), *(f"{code}: {address(code)}" for code in codes)])
