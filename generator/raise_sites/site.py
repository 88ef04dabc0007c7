"""What a reader of a language finds in a source: raise sites, and raises that no record can show."""

from dataclasses import dataclass

HOLE = "\0"
"""Stands for a placeholder in a message's wording; no message has it."""


@dataclass(frozen=True, slots=True)
class Site:
    """One raise site: where it is, what it says, and what surrounds it.

    Lines are 1-based and counted by `\\n` alone; `last` is that of the statement's end. `message` is the template with
    `{expression}` placeholders, whose expressions are `holes` in order; `pattern` matches it. `function` is the dotted
    name, empty at module level. `condition` is the test of the nearest `if` in the function (or the denied condition of
    an `assert`), `handling` the exception of the nearest `except`.
    """

    path: str
    line: int
    last: int
    error_class: str
    message: str
    pattern: str
    holes: tuple[str, ...]
    function: str
    parameters: tuple[str, ...]
    condition: str | None
    handling: str | None
    status: int | None
    code: str | None
    excerpt: str
    start: int
    end: int

    @property
    def wording(self) -> str:
        """The message's words, `HOLE` for each placeholder: the same however its expressions are renamed."""
        pieces, rest = [], self.message
        for hole in self.holes:
            before, _, rest = rest.partition(f"{{{hole}}}")
            pieces.append(before)
        return " ".join(HOLE.join([*pieces, rest]).split())


@dataclass(frozen=True, slots=True)
class Passed:
    """A raise with a message that no record can show: its line, 1-based, and why."""

    path: str
    line: int
    reason: str


class Unreadable(Exception):
    """A source that its language's reader cannot read; the text says why, and after a semicolon what to do."""
