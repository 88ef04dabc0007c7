"""Records that say the same as one message, and the keys by which the index has it."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from generator import urls
from generator.dataset import Dataset
from generator.lookup import entries, keys, tokens
from generator.lookup.entries import Packed, Site
from generator.lookup.folded import folded
from generator.lookup.keys import Cut
from generator.patterns import compile


class Raised(NamedTuple):
    """What the index needs of a record."""

    pattern: str
    error_class: str
    site: Site


def raised(dataset: Dataset) -> Iterator[Raised]:
    """The live records of a dataset."""
    for entry in dataset.live:
        page = urls.page(entry.repo, entry.slug).removeprefix("errors/").removesuffix("/")
        yield Raised(entry.pattern, entry.error_class, Site(entry.id, page, entry.file_path, entry.line))


class Message(NamedTuple):
    """A pattern of one class: its entry as JSON without the sites, its sites, and what its keys come from."""

    packed: Packed
    sites: tuple[Site, ...]
    error_class: str
    branches: tuple[Cut, ...]

    @property
    def identity(self) -> str:
        """The smallest id of its sites: no other message has it."""
        return self.sites[0].id


def messages(records: Iterable[Raised]) -> list[Message]:
    """Records of one pattern and class as one message, sorted by the smallest id."""
    grouped: defaultdict[str, defaultdict[str, list[Site]]] = defaultdict(lambda: defaultdict(list))
    for record in records:
        grouped[record.pattern][record.error_class].append(record.site)
    found = [message for pattern, classes in grouped.items() for message in _messages(pattern, classes)]
    return sorted(found, key=lambda message: message.identity)


def _messages(pattern: str, classes: Mapping[str, list[Site]]) -> Iterator[Message]:
    program = folded(compile(pattern))
    if not program.branches:
        return
    branches = tuple(map(keys.cut, program.branches))
    for name, sites in classes.items():
        entry = entries.entry(program, name, sites)
        yield Message(entries.pack(entry), entry.sites, name, branches)


def frequencies(found: Iterable[Message]) -> Counter[int]:
    """How many patterns have each candidate."""
    counts: Counter[int] = Counter()
    for branches in {id(message.branches): message.branches for message in found}.values():
        counts.update({key for branch in branches for key in branch.keys})
    return counts


def first_keys(message: Message, counts: Mapping[int, int]) -> tuple[set[int], bool]:
    """The keys of a message in the first set, one a branch; and whether it needs those of its files too."""
    found, by_file = set[int](), False
    for branch in message.branches:
        chosen = [] if message.packed.needs_frame else keys.choose(branch, counts, 1)
        if not chosen:
            by_file = True
            more = None if message.packed.needs_frame else keys.with_class(branch, message.error_class)
            chosen = [] if more is None else [more]
        found.update(chosen)
    return found, by_file


def wider_keys(message: Message, counts: Mapping[int, int]) -> set[int]:
    """The keys of a message in the wider set: those that share no token with that of the first set."""
    skipped = 0 if message.packed.needs_frame else 1
    return {key for branch in message.branches for key in keys.choose(branch, counts, keys.WIDER + 1)[skipped:]}


def beginnings(found: Iterable[Message]) -> Counter[int]:
    """How many messages begin with two tokens, and with three."""
    begins = (branch.begins for message in found for branch in message.branches)
    return Counter(tokens.key(begin[:size]) for begin in begins for size in (2, 3) if len(begin) >= size)


def beginning_keys(message: Message, counts: Mapping[int, int]) -> set[int]:
    """The keys of what a message begins with."""
    found = set[int]()
    for branch in message.branches:
        found.update(keys.beginning(branch, counts), keys.few_with_class(branch, message.error_class))
    return found
