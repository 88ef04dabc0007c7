"""The ledger: every page that was ever published, and the record whose page it is, so that no link is lost.

A line of `ledger.tsv` is a page's address from the site's root, a tab, and the record's id, or `-` for the
first page of a list. Git merges it by keeping the lines of both sides, so order and repetitions mean nothing.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from generator import urls
from generator.checks import shown
from generator.dataset import Dataset, Entry
from generator.hubs import FOLDERS, Hub, Index
from generator.problems import Problem

NAME = "ledger.tsv"
LIST = "-"
"""What stands in the place of an id where the page is a list."""

_SEGMENT = r"(?!page/)[A-Za-z0-9_~-][A-Za-z0-9_.~-]{0,99}(?<!\.)/"
_OTHERS = "|".join(sorted(FOLDERS - {"errors"}))
_RECORD = rf"errors/(?:{_SEGMENT}){{2}}(?!page/)[A-Za-z0-9_~-]{{1,100}}/"
_LIST = rf"errors/(?:(?:{_SEGMENT}){{2}})?|(?:{_OTHERS})/(?:{_SEGMENT})?"
_LINE = re.compile(rf"({_RECORD})\t([0-9a-f]{{16}})|({_LIST})\t-")
_IS_LIST = re.compile(_LIST)


@dataclass(frozen=True)
class Ledger:
    """Published pages: by the address of a record's page the ids that it had, smallest first; and lists' addresses."""

    records: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    lists: frozenset[str] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.records or self.lists)

    @cached_property
    def by_id(self) -> dict[str, list[str]]:
        """The addresses that each record's page had, sorted."""
        found: defaultdict[str, list[str]] = defaultdict(list)
        for uri in sorted(self.records):
            for record_id in self.records[uri]:
                found[record_id].append(uri)
        return dict(found)

    @cached_property
    def spellings(self) -> dict[str, str]:
        """Lists' addresses by their case-folded form; of several the one that sorts last."""
        return {uri.casefold(): uri for uri in sorted(self.lists)}

    def lines(self) -> Iterator[str]:
        """Its lines, sorted, without line ends."""
        pairs = [(uri, record_id) for uri, ids in self.records.items() for record_id in ids]
        yield from sorted(f"{uri}\t{record_id}" for uri, record_id in (*pairs, *((uri, LIST) for uri in self.lists)))

    def __or__(self, other: "Ledger") -> "Ledger":
        return made(
            [(uri, one) for ledger in (self, other) for uri, ids in ledger.records.items() for one in ids],
            self.lists | other.lists,
        )


def made(records: Iterable[tuple[str, str]], lists: Iterable[str]) -> Ledger:
    """The ledger of records' pages, (address, id) in any order and repeated or not, and of lists."""
    found: dict[str, tuple[str, ...]] = {}
    for uri, record_id in records:
        known = found.get(uri)
        if known is None:
            found[uri] = (record_id,)
        elif record_id not in known:
            found[uri] = tuple(sorted((*known, record_id)))
    return Ledger(found, frozenset(lists))


def is_list(uri: str) -> bool:
    """Whether a list of this site's kinds may stand at `uri`."""
    return _IS_LIST.fullmatch(uri) is not None


def read(path: Path) -> tuple[Ledger, list[Problem]]:
    """The ledger at `path`, empty where there is none, and a problem for each line that is none."""
    return parse(path.read_bytes(), str(path)) if path.is_file() else (Ledger(), [])


def parse(content: bytes, where: str) -> tuple[Ledger, list[Problem]]:
    """A ledger from its bytes; `where` is said of its faults. Lines may end as on Windows."""
    records: list[tuple[str, str]] = []
    lists: set[str] = set()
    problems: list[Problem] = []
    text = content.decode("utf-8", "replace").replace("\r\n", "\n").removesuffix("\n")
    for number, line in enumerate(text.split("\n") if text else (), 1):
        match = _LINE.fullmatch(line)
        if match is None:
            wrong = f"{shown(line)} is no line of a ledger"
            remedy = f"write a page's address, a tab and the record's id ({LIST} for a list), or restore the line"
            problems.append(Problem(where, number, "", "", f"{wrong}; {remedy}", "EDX064"))
        elif match[3] is None:
            records.append((match[1], match[2]))
        else:
            lists.add(match[3])
    return made(records, lists), problems


def written(ledger: Ledger) -> bytes:
    """The bytes of its file."""
    return "".join(f"{line}\n" for line in ledger.lines()).encode()


def of_site(dataset: Dataset, hubs: Iterable[Hub], indexes: Iterable[Index]) -> Ledger:
    """What a site of these records and lists would enter."""
    return made(
        ((entry.uri, entry.id) for entry in dataset.entries),
        (*(hub.uri for hub in hubs), *(index.uri for index in indexes)),
    )


def lacking(ledger: Ledger, site: Ledger) -> list[str]:
    """The lines that the ledger lacks of what the site has, sorted."""
    known = set(ledger.lines())
    return [line for line in site.lines() if line not in known]


def incomplete(lines: list[str], where: str) -> Iterator[Problem]:
    """The problem of a ledger that lacks these lines."""
    if lines:
        pages = f"{len(lines):,} pages" if len(lines) > 1 else "a page"
        first = lines[0].partition("\t")[0]
        text = f"lacks {pages} of the site, first {first}; run errordex ledger --write, and commit it"
        yield Problem(where, 0, "", "", text, "EDX065")


def conflicts(ledger: Ledger, dataset: Dataset) -> Iterator[Problem]:
    """A problem for each record that takes a page of another, or an id that another error had."""
    for entry in dataset.entries:
        yield from _taken_page(ledger, entry)
        yield from _taken_aliases(ledger, dataset, entry)
        yield from _unexplained_move(ledger, entry)


def _taken_page(ledger: Ledger, entry: Entry) -> Iterator[Problem]:
    """A page of the ledger stays that of its record, also when that is gone."""
    ids = ledger.records.get(entry.uri, ())
    if ids and entry.id not in ids:
        text = f"page {entry.uri} is that of record {ids[0]} in the ledger"
        remedy = "give this record another slug, or that id if it is the same error"
        yield _problem(entry, "slug", f"{text}; {remedy}", "EDX066")


def _taken_aliases(ledger: Ledger, dataset: Dataset, entry: Entry) -> Iterator[Problem]:
    """An alias is no former page of another record that there is."""
    for name in entry.aliases:
        uri = former(name)
        ids = ledger.records.get(uri, ())
        others = [one for one in ids if one in dataset.by_id]
        if others and entry.id not in ids:
            text = f"page {uri} is that of record {others[0]} in the ledger"
            yield _problem(entry, "aliases", f"{text}; remove the alias {shown(name)}", "EDX066")


def _unexplained_move(ledger: Ledger, entry: Entry) -> Iterator[Problem]:
    """A record whose page moved names a former page: that tells it from another error with a used id."""
    known = ledger.by_id.get(entry.id, ())
    if not known or entry.uri in known:
        return
    respelt = [uri for uri in known if uri.casefold() == entry.uri.casefold()]
    if respelt:
        text = f"page {entry.uri} is spelt {respelt[0]} in the ledger; spell repo and slug in the same case as there"
        yield _problem(entry, "slug", text, "EDX068")
    elif not {former(name) for name in entry.aliases} & set(known):
        text = f"record {entry.id} has the page {known[-1]} in the ledger"
        remedy = f"add {alias(known[-1])} to aliases, or give this record a new id if it is another error"
        yield _problem(entry, "aliases", f"{text}; {remedy}", "EDX067")


def former(name: str) -> str:
    """The address of the page that an alias, owner/name/slug, names."""
    repo, _, slug = name.rpartition("/")
    return urls.page(repo, slug)


def alias(uri: str) -> str:
    """What to write into `aliases` for the page at `uri`."""
    return uri.removeprefix("errors/").rstrip("/") if "~" not in uri else "its owner/name/slug"


def _problem(entry: Entry, name: str, text: str, code: str) -> Problem:
    return Problem(entry.where, entry.where_line, entry.id, name, text, code)
