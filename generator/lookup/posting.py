"""Which keys find which messages, worked out from what an earlier index knew, which may be nothing.

A message's keys follow from the message and from how many patterns have each of its candidates. So one that
changed gets new keys, and so does one whose candidates became rarer or more frequent where that tells; the others
keep theirs. What follows is the same as if all were new.
"""

from array import array
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

from generator.lookup import keys, messages, pairs
from generator.lookup.keys import Cut
from generator.lookup.messages import Group
from generator.lookup.pairs import Laid, Pairs, State

FILTERED: dict[str, tuple[str, ...]] = {"first": ("words", "needed files"), "wider": ("more words",)}
"""By set of keys, the tables whose keys stand in its filter."""

UNFILTERED: dict[str, tuple[str, ...]] = {"first": (), "wider": ("beginnings", "files")}
"""Those whose keys a set has beside its filter, unless too many messages share them."""

OF_FILES = frozenset({"needed files", "files"})
"""Tables of files' keys: they have of a message the sites in that file."""

CANDIDATES, BEGUN = "candidates", "begun"
"""What keys are chosen by: the candidates of each pattern, and what each message's branches begin with."""

FEW = 0.25
"""Up to this share of messages that come or go, an index is changed; beyond, making it anew is less work."""

Keys = dict[str, Collection[int]]
"""A message's keys by table."""


class Posting:
    """The keys of `groups`, of which `before` knew some.

    `packed` are the messages whose keys were chosen now, as entries. By set, `touched` are the keys that stand for
    other messages than before or for changed ones, and `laid` says what is posted; its shard bits are those of
    before. `refiltered` are the sets whose filter has other keys.
    """

    def __init__(self, before: State, groups: Mapping[int, Group]) -> None:
        known = before.known
        gone, new = known.keys() - groups.keys(), [number for number in groups if number not in known]
        if len(gone) + len(new) > FEW * len(known):
            before, known, gone, new = State(), {}, set(), list(groups)
        self.anew, self._groups = not known, groups
        self.tables = {name: Pairs(*before.tables.get(name, ())) for name in (CANDIDATES, BEGUN, *_posted())}
        self.laid = {name: before.laid.get(name, Laid()) for name in FILTERED}
        self._made = {number: made for number in new if (made := messages.message(groups[number])) is not None}
        self._patterns = {number: pattern for number, pattern in known.items() if number not in gone}
        self._patterns |= {number: groups[number].pattern_id if number in self._made else 0 for number in new}
        self.touched = {name: set[int]() for name in FILTERED}
        self.refiltered = set[str]()
        if self.anew:
            self._count_all()
            self._post_all()
        else:
            affected = self._count(set(known.values()), gone)
            self._made |= {
                number: made for number in affected if (made := messages.message(groups[number])) is not None
            }
            self._post(gone, affected)
        self.packed = {number: message.packed for number, message in self._made.items()}
        self._made.clear()

    @property
    def count(self) -> int:
        """How many messages can be looked for."""
        return sum(1 for pattern in self._patterns.values() if pattern)

    def state(self, key: bytes, bits: Mapping[str, int]) -> State:
        """What the next index has to know of this one, which has these shard bits."""
        numbers, patterns = array("Q", self._patterns), array("Q", self._patterns.values())
        laid = {name: Laid(bits[name], laid.posted, laid.keys) for name, laid in self.laid.items()}
        tables = {name: pairs.packed for name, pairs in self.tables.items()}
        return State(key, (numbers.tobytes(), patterns.tobytes()), tables, laid)

    def _count_all(self) -> None:
        """Count what the messages of a new index have, one message after another."""
        counted = set[int]()
        for number, message in self._made.items():
            pattern, branches = self._patterns[number], message.branches
            if pattern not in counted:
                counted.add(pattern)
                self.tables[CANDIDATES].add(pattern, messages.candidates(branches))
            self.tables[BEGUN].add(number, messages.beginnings(branches))

    def _count(self, patterns: set[int], gone: Collection[int]) -> set[int]:
        """Bring the counts up to date; the messages that stay and whose keys may be others now."""
        now = set(self._patterns.values())
        added: dict[int, Collection[int]] = {}
        for number, message in self._made.items():
            pattern = self._patterns[number]
            if pattern not in patterns and pattern not in added:
                added[pattern] = messages.candidates(message.branches)
        shifted = self._recount(CANDIDATES, patterns - now, added)
        begun = {number: messages.beginnings(message.branches) for number, message in self._made.items()}
        crossed = self._recount(BEGUN, gone, begun)
        moved = _all(self.tables[CANDIDATES].owners(shifted))
        affected = _all(self.tables[BEGUN].owners(crossed))
        affected |= {number for number, pattern in self._patterns.items() if pattern in moved}
        return affected - self._made.keys()

    def _recount(self, name: str, gone: Collection[int], added: Mapping[int, Collection[int]]) -> set[int]:
        """Change a table of counts; the keys whose count tells another thing now."""
        table = self.tables[name]
        lost, won = Counter(_each(table.keys(gone))), Counter(_each(added))
        table.remove(gone)
        before = table.counts(lost.keys() | won.keys())
        for owner, found in added.items():
            table.add(owner, found)
        least = {key: before[key] + min(lost[key], won[key]) for key in lost.keys() | won.keys()}
        return {key for key, count in least.items() if lost[key] != won[key] and count <= keys.CROWDED}

    def _post_all(self) -> None:
        """Post the messages of a new index, one after another."""
        for number, chosen in self._chosen():
            for table, found in chosen.items():
                self.tables[table].add(number, found)
        for name, laid in self.laid.items():
            filtered, others = (
                pairs.counted([self.tables[table] for table in tables[name]]) for tables in (FILTERED, UNFILTERED)
            )
            weights = [_weighed(*counts) for counts in zip(filtered, others, strict=True)]
            self.laid[name] = Laid(laid.bits, *map(sum, zip(*weights, strict=True)))

    def _post(self, gone: Collection[int], affected: Collection[int]) -> None:
        """Post the made messages under their keys, in place of what they and those gone had."""
        made = dict(self._chosen())
        chosen = {name: {number: found[name] for number, found in made.items()} for name in _posted()}
        replaced = {*gone, *affected}
        changes = {name: _changed(self.tables[name].keys(replaced), chosen[name], affected) for name in _posted()}
        for name, laid in self.laid.items():
            tables = (*FILTERED[name], *UNFILTERED[name])
            touched = set[int]().union(*(changes[table] for table in tables))
            posted, filtered = self._weight(name, touched)
            for table in tables:
                self.tables[table].remove(replaced)
                for owner, found in chosen[table].items():
                    self.tables[table].add(owner, found)
            now_posted, now_filtered = self._weight(name, touched)
            self.touched[name] = touched
            if filtered != now_filtered:
                self.refiltered.add(name)
            more = len(now_filtered) - len(filtered)
            self.laid[name] = Laid(laid.bits, laid.posted + now_posted - posted, laid.keys + more)

    def _chosen(self) -> Iterator[tuple[int, Keys]]:
        """The keys of each made message."""
        counts = self._counts(CANDIDATES, messages.candidates)
        begins = self._counts(BEGUN, messages.beginnings)
        for number, message in self._made.items():
            group, branches, weak = self._groups[number], message.branches, message.packed.needs_frame
            words, by_file = messages.first_keys(branches, counts, group.error_class, needs_frame=weak)
            files = messages.file_keys(group)
            yield (
                number,
                {
                    "words": words,
                    "needed files": files if by_file else (),
                    "more words": messages.wider_keys(branches, counts, needs_frame=weak),
                    "beginnings": messages.beginning_keys(branches, begins, group.error_class),
                    "files": files,
                },
            )

    def _counts(self, name: str, wanted: Callable[[Iterable[Cut]], Iterable[int]]) -> Mapping[int, int]:
        """How many have each of the wanted keys of the made messages; of all keys where all messages are made."""
        table = self.tables[name]
        if self.anew:
            counts = pairs.counted([table])
            return _Counts((key, count) for part in counts for key, count in part.items() if count > 1)
        return table.counts({key for message in self._made.values() for key in wanted(message.branches)})

    def _weight(self, name: str, touched: Collection[int]) -> tuple[int, set[int]]:
        """How many messages are posted under the touched keys of a set, and which of them are in its filter."""
        filtered, others = (
            sum((self.tables[table].counts(touched) for table in tables[name]), Counter[int]())
            for tables in (FILTERED, UNFILTERED)
        )
        return _weighed(filtered, others)[0], set(filtered)


class _Counts(dict[int, int]):
    """Counts of which those of one are left out: four of five words are in one message alone."""

    def __missing__(self, key: int) -> int:
        return 1


def _weighed(filtered: Counter[int], others: Counter[int]) -> tuple[int, int]:
    """How many messages are posted under the keys of a filter and others, and how many keys the filter has."""
    every = filtered + others
    return sum(count for key, count in every.items() if key in filtered or count <= keys.CROWDED), len(filtered)


def _posted() -> Iterator[str]:
    for tables in (FILTERED, UNFILTERED):
        for names in tables.values():
            yield from names


def _each(found: Mapping[int, Iterable[int]]) -> Iterator[int]:
    return (value for values in found.values() for value in values)


def _all(found: Mapping[int, Iterable[int]]) -> set[int]:
    return set(_each(found))


def _changed(
    before: Mapping[int, Collection[int]], after: Mapping[int, Collection[int]], affected: Collection[int]
) -> set[int]:
    """The keys whose messages changed: of those `affected` the ones they gain or lose, of the others all."""
    found = {key for owner, values in (*before.items(), *after.items()) if owner not in affected for key in values}
    for owner in affected:
        found |= set(before.get(owner, ())) ^ set(after.get(owner, ()))
    return found
