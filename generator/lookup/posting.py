"""Which keys find which messages, worked out from what an earlier index knew, which may be nothing.

A message's keys follow from the message and from how many patterns have each of its candidates. So one that
changed gets new keys, and so does one whose candidates became rarer or more frequent where that tells; the others
keep theirs. What follows is the same as if all were new.
"""

from array import array
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping

from generator.lookup import keys, messages
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
        self._is_new = not known
        self.tables = {name: Pairs(*before.tables.get(name, ())) for name in (CANDIDATES, BEGUN, *_posted())}
        self.laid = {name: before.laid.get(name, Laid()) for name in FILTERED}
        self._made = {number: made for number in new if (made := messages.message(groups[number])) is not None}
        self._patterns = {number: pattern for number, pattern in known.items() if number not in gone}
        self._patterns |= {number: groups[number].pattern_id if number in self._made else 0 for number in new}
        affected = self._count(set(known.values()), gone)
        self._made |= {number: made for number in affected if (made := messages.message(groups[number])) is not None}
        self.touched = {name: set[int]() for name in FILTERED}
        self.refiltered = set[str]()
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

    def _count(self, patterns: set[int], gone: Collection[int]) -> set[int]:
        """Bring the counts up to date; the messages that stay and whose keys may be others now."""
        now = set(self._patterns.values())
        added: dict[int, Collection[int]] = {}
        for number, message in self._made.items():
            pattern = self._patterns[number]
            if pattern not in patterns and pattern not in added:
                added[pattern] = tuple(message.candidates)
        shifted = self._recount(CANDIDATES, patterns - now, added)
        begun = {number: message.beginnings for number, message in self._made.items()}
        crossed = self._recount(BEGUN, gone, begun)
        if not patterns:
            return set()
        moved = _all(self.tables[CANDIDATES].owners(shifted))
        affected = _all(self.tables[BEGUN].owners(crossed))
        affected |= {number for number, pattern in self._patterns.items() if pattern in moved}
        return affected - self._made.keys()

    def _recount(self, name: str, gone: Collection[int], added: Mapping[int, Collection[int]]) -> set[int]:
        """Change a table of counts; the keys whose count tells another thing now."""
        table = self.tables[name]
        if not len(table):
            for owner, found in added.items():
                table.add(owner, found)
            return set()
        lost, won = Counter(_each(table.keys(gone))), Counter(_each(added))
        table.remove(gone)
        before = table.counts(lost.keys() | won.keys())
        for owner, found in added.items():
            table.add(owner, found)
        least = {key: before[key] + min(lost[key], won[key]) for key in lost.keys() | won.keys()}
        return {key for key, count in least.items() if lost[key] != won[key] and count <= keys.CROWDED}

    def _post(self, gone: Collection[int], affected: Collection[int]) -> None:
        """Post the made messages under their keys, in place of what they and those gone had."""
        chosen = self._chosen()
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

    def _chosen(self) -> dict[str, dict[int, Collection[int]]]:
        """The keys of the made messages, by table."""
        counts = self._counts(CANDIDATES, (message.candidates for message in self._made.values()))
        begins = self._counts(BEGUN, (message.beginnings for message in self._made.values()))
        chosen: dict[str, dict[int, Collection[int]]] = {name: {} for name in _posted()}
        for number, message in self._made.items():
            words, by_file = messages.first_keys(message, counts)
            files = tuple(messages.file_keys(message))
            chosen["words"][number] = tuple(words)
            chosen["needed files"][number] = files if by_file else ()
            chosen["more words"][number] = tuple(messages.wider_keys(message, counts))
            chosen["beginnings"][number] = tuple(messages.beginning_keys(message, begins))
            chosen["files"][number] = files
        return chosen

    def _counts(self, name: str, wanted: Iterable[Iterable[int]]) -> Counter[int]:
        """How many have each of the wanted keys; of all keys, where most are wanted."""
        table = self.tables[name]
        return Counter(table) if self._is_new else table.counts({key for found in wanted for key in found})

    def _weight(self, name: str, touched: Collection[int]) -> tuple[int, set[int]]:
        """How many messages are posted under the touched keys of a set, and which of them are in its filter."""
        filtered = Counter[int]()
        for table in FILTERED[name]:
            filtered.update(self.tables[table].counts(touched))
        every = filtered.copy()
        for table in UNFILTERED[name]:
            every.update(self.tables[table].counts(touched))
        return sum(count for key, count in every.items() if key in filtered or count <= keys.CROWDED), set(filtered)


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
