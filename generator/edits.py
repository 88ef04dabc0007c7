"""Which records changed in nothing but what they say of themselves: then most of a site is as it was."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import msgspec

from generator.dataset import Entry

OWN = (
    *("severity", "error_type", "sha", "analyzed", "day", "modified", "reviewed", "version", "parts", "filled"),
    *("digests", "offset", "length", "where_line"),
)
"""Of an entry, what no other record's page, no related error and no address depends on."""


class Edit(NamedTuple):
    """A record as it was indexed before, and now; they differ in `OWN` alone."""

    before: Entry
    after: Entry

    @property
    def relisted(self) -> bool:
        """Whether lists show it otherwise or in another place, or may spell what it has in common otherwise."""
        return (self.before.severity, self.before.analyzed) != (self.after.severity, self.after.analyzed)

    @property
    def counted(self) -> bool:
        """Whether the statistics may count it otherwise."""
        before, after = self
        return self.relisted or (before.reviewed, before.filled) != (after.reviewed, after.filled)


def of_files(files: Iterable[tuple[Sequence[Entry], Sequence[Entry]]]) -> list[Edit] | None:
    """The edits between two states of files, each given as its entries before and now; None where more changed."""
    edits = []
    for before, after in files:
        if len(before) != len(after):
            return None
        for pair in zip(before, after, strict=True):
            edit = Edit(*pair)
            if not _own(edit):
                return None
            if edit.before.raw_digest != edit.after.raw_digest:
                edits.append(edit)
    return edits


def _own(edit: Edit) -> bool:
    before, after = edit
    return msgspec.structs.replace(before, **{name: getattr(after, name) for name in OWN}) == after
