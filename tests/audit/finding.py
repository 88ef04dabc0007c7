"""A line of the audit's table, and the faults behind it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Line:
    """What was looked at, the bar and what was found there; `faults` are those that miss it, none if it is met.

    A line that is only `reported` fails nothing.
    """

    what: str
    bar: str
    found: str
    faults: tuple[str, ...] = ()
    reported: bool = False

    @property
    def failed(self) -> bool:
        """Whether this line fails the audit."""
        return bool(self.faults) and not self.reported


def counted(what: str, faults: list[str], of: str) -> Line:
    """A line whose bar is that nothing is found in `of`."""
    return Line(what, "none", f"{len(faults) or 'none'} in {of}", tuple(faults))
