"""From a paste to the entries that answer it: asks an index for little, most telling lines first."""

from collections.abc import Collection, Iterable, Iterator

from generator.lookup import probing
from generator.lookup.matching import Found, Matcher
from generator.lookup.paste import read
from generator.lookup.probing import Probe
from generator.lookup.reader import Index, KeySet

MOST_SHARDS = 32
"""Shards that one turn asks for."""

LINES_A_SHARD = 4
"""Lines at which the entries of a shard are looked for, where there are many shards."""

LINES = 64
"""Lines that all shards of a small index share: with one shard, as many in it."""

ALIKE = 60
"""Score from which what is similar to an error comes before a match elsewhere."""

LIMIT = 10
"""Answers that are given."""


def find(text: str, index: Index, *, limit: int = LIMIT) -> list[Found]:
    """Up to `limit` entries that a text answers to, best first.

    Matches come before what is only similar, and similar entries only without a match; causes come before what
    wraps them; ties go to the smaller id.
    """
    paste = read(text)
    matcher = Matcher(paste)
    errors, cries, others = probing.tiers(paste)
    first, wider = _Turn(matcher, index.first), _Turn(matcher, index.wider)
    found = first.answers([*probing.of_frames(paste), *probing.of_lines(paste, [*errors, *cries])])
    if not _claimed(found) and others:
        found += first.answers(probing.of_lines(paste, others))
    if not _claimed(found) or (errors and all(each.aside for each in found if each.kind == "match")):
        lines = errors if _claimed(found) else [*errors, *cries] or others
        found += wider.answers(probing.of_lines(paste, lines))
        found += wider.answers(probing.unfiltered(paste, lines), filtered=False)
        found += [each for turn in (first, wider) for each in turn.similar(lines)]
    return _best(found)[:limit]


def _claimed(found: Iterable[Found]) -> bool:
    return any(each.kind == "match" for each in found)


class _Turn:
    """Asks one set of keys for the entries of probes."""

    def __init__(self, matcher: Matcher, keys: KeySet) -> None:
        self._matcher, self._keys = matcher, keys
        self._places: dict[int, list[Probe]] = {}
        self._most = max(LINES_A_SHARD, LINES >> keys.bits)

    def answers(self, probes: Iterable[Probe], *, filtered: bool = True) -> list[Found]:
        return [found for shard in self._ask(probes, filtered) for found in self._of_shard(shard)]

    def _ask(self, probes: Iterable[Probe], filtered: bool) -> list[int]:
        """The shards that these probes lead to, in order; at most so many that were not asked before."""
        asked: dict[int, None] = {}
        new = 0
        for probe in probes:
            if filtered and probe.key not in self._keys:
                continue
            shard = self._keys.shard(probe.key)
            if shard not in self._places:
                if new == MOST_SHARDS:
                    continue
                new += 1
                self._places[shard] = []
            places = self._places[shard]
            if len(places) < self._most and all(probe.line != place.line for place in places):
                places.append(probe)
                asked[shard] = None
        return list(asked)

    def _of_shard(self, shard: int) -> Iterator[Found]:
        for entry in self._keys.entries(shard):
            for probe in self._places[shard]:
                if found := self._matcher.match(entry, probe.line, probe.offset):
                    yield found

    def similar(self, lines: Collection[int]) -> Iterator[Found]:
        """What is like one of these lines among the entries that were asked for."""
        wanted = frozenset(lines)
        for shard, places in self._places.items():
            for entry in self._keys.entries(shard):
                for probe in places:
                    if probe.line in wanted and (found := self._matcher.similar(entry, probe.line)):
                        yield found


def _best(found: list[Found]) -> list[Found]:
    """Each entry once, ranked; beside a match only what is similar to an error of the paste, and very much."""
    claimed = _claimed(found)
    kept = [each for each in found if each.kind == "match" or not claimed or (not each.aside and each.score >= ALIKE)]
    if any(each.kind == "match" and not each.aside for each in kept):
        kept = [each for each in kept if each.kind == "match"]
    once: dict[str, Found] = {}
    for each in sorted(kept, key=_rank):
        once.setdefault(each.entry.wording, each)
    return list(once.values())


def _rank(found: Found) -> tuple[bool, bool, int, int, int, int, str]:
    entry = found.entry
    similar = found.kind != "match"
    return (
        found.aside and not similar,
        similar,
        found.depth,
        -found.score,
        -entry.specificity,
        found.line,
        entry.identity,
    )
