"""Which raise site of a newer source each record is about: there, moved, reworded or gone.

A record is led to its site by its message, or by the statement as its excerpt has it; where several sites would do,
by the lines around them. No site is two records'.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from typing import Literal, NamedTuple

from generator.checkout import Source
from generator.raise_sites import HOLE, Site
from generator.records import Record

State = Literal["there", "moved", "reworded", "gone", "unsure"]
STATES: tuple[State, ...] = ("there", "moved", "reworded", "gone", "unsure")

AROUND = 8
"""Lines before and after a raise that are compared."""

ALIKE = 0.5
"""From this likeness on, lines are taken for the same place."""

_LITTLE = 0.35
_PLACEHOLDER = re.compile(r"\{[^{}]*\}")
_LINES_OF_A_STATEMENT = 4
_FEW_WORDS, _WORDS_LOOKED_FOR = 12, 40
"""Characters: fewer lead nowhere, and more would run over a line's end."""


class Fate(NamedTuple):
    """What became of a record's raise: the file and 1-based line where it is now, and the site that a reader found.

    A record that is `gone` has no path. One that is `unsure` may be there: in a language that has no reader, or, where
    there is a line, as words that another raise has amid other lines, or that something else than a raise holds.
    """

    state: State
    path: str = ""
    line: int = 0
    site: Site | None = None


class _Candidate(NamedTuple):
    likeness: float
    distance: int
    record: Record
    site: Site


@dataclass
class _Pairing:
    """Records and sites while they find each other, round by round."""

    open: dict[str, Record]
    sources: Mapping[str, Source]
    fates: dict[str, Fate] = field(default_factory=dict)
    claimed: set[tuple[str, int]] = field(default_factory=set)

    def source(self, record: Record) -> Source:
        """The record's file as it is now; one without lines where it is gone."""
        return self.sources.get(record.file_path) or Source(record.file_path, ())

    def free(self, sites: Iterable[Site]) -> Iterator[Site]:
        """The sites that no record has yet."""
        return (site for site in sites if (site.path, site.line) not in self.claimed)

    def settle(self, candidates: Iterable[_Candidate], *, reworded: bool = False) -> None:
        """Give each record the best of its candidates that no better pair has; ties go to the nearer, earlier line."""
        for one in sorted(candidates, key=_order):
            place = (one.site.path, one.site.line)
            if one.record.id in self.open and place not in self.claimed:
                self.claimed.add(place)
                self.fates[one.record.id] = _fate(one.record, one.site, reworded=reworded)
                del self.open[one.record.id]


def pair(records: Sequence[Record], sources: Mapping[str, Source]) -> dict[str, Fate]:
    """The fate of each record, by id."""
    pairing = _Pairing({record.id: record for record in records}, sources)
    pairing.settle(_same_in_file(pairing))
    pairing.settle(_same_elsewhere(pairing))
    pairing.settle(_reworded(pairing), reworded=True)
    saying = _by_wording(pairing)
    for record in pairing.open.values():
        fate = _by_text(record, sources.get(record.file_path))
        others = saying.get(wording(record.error_message), ())
        pairing.fates[record.id] = Fate("unsure", *others[0]) if others and fate.state == "gone" else fate
    return pairing.fates


def wording(message: str) -> str:
    """A record's message as a site's `wording` has it."""
    return " ".join(_PLACEHOLDER.sub(HOLE, message).split())


def _order(one: _Candidate) -> tuple[float, int, str, int, str]:
    return -one.likeness, one.distance, one.site.path, one.site.line, one.record.id


def _fate(record: Record, site: Site, *, reworded: bool) -> Fate:
    if reworded or record.error_class.rpartition(".")[2] != site.error_class:
        return Fate("reworded", site.path, site.line, site)
    here = (site.path, site.line) == (record.file_path, record.line_number)
    return Fate("there" if here else "moved", site.path, site.line, site)


def _candidate(record: Record, site: Site, likeness: float) -> _Candidate:
    same_class = record.error_class.rpartition(".")[2] == site.error_class
    return _Candidate(likeness + 0.1 * same_class, abs(record.line_number - site.line), record, site)


# The rounds


def _same_in_file(pairing: _Pairing) -> Iterator[_Candidate]:
    """Sites of a record's file that say the same, or whose statement stands so in its excerpt."""
    for record in pairing.open.values():
        source = pairing.source(record)
        for site in source.sites:
            if _says(record, site) or _is_statement(record, site, source):
                yield _candidate(record, site, _likeness(record, site, source))


def _same_elsewhere(pairing: _Pairing) -> Iterator[_Candidate]:
    """Sites of other files that say the same amid the same lines: the file was moved, or its code."""
    saying = _by_wording(pairing)
    for record in pairing.open.values():
        for path, line in saying.get(wording(record.error_message), ()):
            source = pairing.sources[path]
            site = next(site for site in source.sites if site.line == line)
            likeness = _likeness(record, site, source)
            if likeness >= ALIKE:
                yield _candidate(record, site, likeness)


def _by_wording(pairing: _Pairing) -> dict[str, list[tuple[str, int]]]:
    """Where the sites are that no record has yet, by what they say."""
    saying: defaultdict[str, list[tuple[str, int]]] = defaultdict(list)
    for source in pairing.sources.values() if pairing.open else ():
        for site in pairing.free(source.sites):
            saying[site.wording].append((site.path, site.line))
    return saying


def _reworded(pairing: _Pairing) -> Iterator[_Candidate]:
    """Sites of a record's file that were not there before, amid the same lines or in nearly the same words."""
    for record in pairing.open.values():
        source = pairing.source(record)
        for site in pairing.free(source.sites):
            around = _likeness(record, site, source)
            if around < _LITTLE or _stood_before(record, site, source):
                continue
            likeness = (around + _ratio(wording(record.error_message).split(), site.wording.split())) / 2
            if likeness >= ALIKE:
                yield _candidate(record, site, likeness)


def _by_text(record: Record, source: Source | None) -> Fate:
    """The fate of a record that no reader's site fits, by the lines of its statement alone."""
    if source is None:
        return Fate("gone")
    wanted = _stripped(_excerpt(record)[_marked(record) :][:_LINES_OF_A_STATEMENT])
    taken = {site.line for site in source.sites}
    lines = _stripped(source.lines)
    found = [
        line
        for line in range(1, len(lines) + 1)
        if line not in taken and any(wanted) and lines[line - 1 : line - 1 + len(wanted)] == wanted
    ]
    if found:
        line = max(found, key=lambda line: (_around(record, source, line), -abs(record.line_number - line)))
        here = line == record.line_number
        return Fate("there" if here else "moved", source.path, line)
    if line := _words_line(record, source):
        return Fate("unsure", source.path, line)
    return Fate("gone" if source.read else "unsure")


def _words_line(record: Record, source: Source) -> int:
    """The first line outside of raise sites that has the longest run of the message's words; 0 without one."""
    words = max(wording(record.error_message).split(HOLE), key=len).strip()[:_WORDS_LOOKED_FOR]
    inside = {line for site in source.sites for line in range(site.line, site.last + 1)}
    lines = enumerate(source.lines, 1)
    return next((at for at, line in lines if len(words) >= _FEW_WORDS and words in line and at not in inside), 0)


# What is compared


def _says(record: Record, site: Site) -> bool:
    return record.error_message == site.message or wording(record.error_message) == site.wording


def _is_statement(record: Record, site: Site, source: Source) -> bool:
    """Whether the site's statement stands in the record's excerpt, at the raise, with the message in it."""
    statement = _statement(site, source)
    start = _marked(record)
    literal = any(mark in line for line in statement for mark in "'\"")
    return literal and _stripped(_excerpt(record)[start : start + len(statement)]) == statement


def _stood_before(record: Record, site: Site, source: Source) -> bool:
    """Whether the record's excerpt has the site's statement at another place: then it is another raise."""
    statement, lines, marked = _statement(site, source), _stripped(_excerpt(record)), _marked(record)
    size = len(statement)
    return any(lines[at : at + size] == statement for at in range(len(lines) - size + 1) if at != marked)


def _statement(site: Site, source: Source) -> list[str]:
    return _stripped(source.lines[site.line - 1 : site.last])


def _likeness(record: Record, site: Site, source: Source) -> float:
    return _around(record, source, site.line)


def _around(record: Record, source: Source, line: int) -> float:
    """How alike the lines before and after two raises are, from 0 to 1."""
    old, marked = _excerpt(record), _marked(record)
    before = _ratio(
        _solid(old[max(0, marked - AROUND) : marked]), _solid(source.lines[max(0, line - 1 - AROUND) : line - 1])
    )
    after = _ratio(_solid(old[marked + 1 : marked + 1 + AROUND]), _solid(source.lines[line : line + AROUND]))
    return (before + after) / 2


def _excerpt(record: Record) -> list[str]:
    return record.source_code.split("\n")


def _marked(record: Record) -> int:
    """The index of the raise among the excerpt's lines."""
    return record.line_number - record.source_code_start


def _stripped(lines: Iterable[str]) -> list[str]:
    return [line.strip() for line in lines]


def _solid(lines: Iterable[str]) -> list[str]:
    return [line for line in _stripped(lines) if line]


def _ratio(old: Sequence[str], new: Sequence[str]) -> float:
    return SequenceMatcher(None, old, new, autojunk=False).ratio()
