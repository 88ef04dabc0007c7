"""Which records to link from a record and why, and where else its message is raised.

Two records are as related as the features that they share are rare: words of their messages, tags, class, family,
file and folders. What is shared is weighed against what each has, by Ochiai's coefficient (A. Ochiai, Bulletin of the
Japanese Society of Scientific Fisheries 22, 1957, pages 526–530), of weights in place of counts; a record counts as no
less than the one that would link to it, or short messages would always come first. A weight falls with the bit length
of the number of records that have the feature: the inverse document frequency of K. Spärck Jones (Journal of
Documentation 28, 1972, pages 11–21) against a fixed number of documents and in whole steps, so that one more record
rarely moves it.
"""

import re
from array import array
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import blake2b
from itertools import chain, groupby, islice, takewhile
from math import sqrt
from typing import NamedTuple, TypeVar

import msgspec

from generator.dataset import Dataset, Entry

STEPS = 12
"""A feature of 2 or 3 records weighs 10 steps, one of 4 to 7 records 9, and one of 2,048 or more nothing."""

WORD, TAG, CLASS, FAMILY, PLACE = "wtcfp"
PER_STEP = {WORD: 4, TAG: 2, CLASS: 2, FAMILY: 2, PLACE: 2}
"""What a step weighs, by the kind of feature; a place is a file or a folder, of one repository."""

MAX_FEATURES = 40
"""Of a record's features, the heaviest that are kept."""

FOLDERS = 2
"""How many folders above a file count."""

HOT = 64
"""A feature of more records than this, in the repository, offers only its nearest."""

REACH = 6
"""How many these are on either side, in the order of path and line."""

SPARE = 11
"""Beside the number wanted, the candidates whose scores are worked out in full."""

SHOWN = 2
"""What a reason names at most, besides the place."""


SCORES = tuple(tuple((base + step) / 1000 for step in range(501)) for base in (0, 500))
"""All scores there are, beyond the repository and within it: one object each, since half a million are kept."""


Told = TypeVar("Told")


class Bar(NamedTuple):
    """The least that is related: the weight that two records share, and its part of what they have."""

    shared: int
    score: float


OWN = Bar(16, 0.12)
BEYOND = Bar(64, 0.17)
"""Two words that few records have, not one alone: beyond the repository there is no common ground to go by."""

_IDENTIFIER = re.compile(r"[^\W\d]\w*")
_PART = re.compile(r"[A-Z]+s?(?![a-z])\d*|[A-Z]?[^\W\dA-Z_]+\d*|\d+")
_LETTERS = re.compile(r"[^\W\d_]{2}")
_NO_LITERAL = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\(\?P<\w+>")
_STOP = frozenset(
    re.findall(
        r"\w+",
        """
        a all also an and any are as at be been before but by can cannot could did do does either error exception
        expected failed failure following for found from get given got had has have however if in instead into invalid
        is it its make may more must neither no nor not of on once one only or otherwise please provide provided
        received set should so some such support supported than that the their them then there these they this to try
        unable unexpected unknown use used using value was were when where which while will with without you your
        com http https org www
        args cls dict format int join len list name print repr self str tuple type
        """,
    )
)
"""Small words, what every message says, and what placeholders are made of."""


class Related(msgspec.Struct, frozen=True, gc=False):
    """A record to link: its id, its score, and what the two share, as in `same file: dspark, capture`.

    Scores are thousandths, above 0.5 up to 1 within the repository, above 0 up to 0.5 beyond it.
    """

    id: str
    score: float
    why: str


def rank(dataset: Dataset, *, limit: int = 5) -> dict[str, tuple[Related, ...]]:
    """Choose up to `limit` records to link from each live record, best first; ties go to the smaller id.

    Keys are the ids of all live records, in the order of repository, path and line. The repository's own come first,
    then those of others where the two really share something; a list is shorter where nothing more does. No list
    holds the record itself, one that `also_raised` gives for it, or two that say the same.

    Only the id, repo, message, pattern, error_class, tags, family, file_path and line of live records count: where none
    of these changed, the answer is the same. A list depends on the records of its repository, on the steps of how many
    records have each of their features, and, where the repository does not fill it, on the records elsewhere that share
    a rare one. Time grows with the number of records: a feature that many share offers only the nearest of them.
    """
    index = _index(_in_order(dataset.live))
    return _each(index, lambda _, span: _own(index, span, limit), partial(_linked, index), limit)


class Own(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """What was chosen within a repository: of each record how many, and their places among its records.

    Equal marks are of equal choices.
    """

    mark: bytes
    counts: bytes
    places: bytes


def links(
    dataset: Dataset, *, limit: int = 5, known: Mapping[str, Own] | None = None
) -> tuple[dict[str, tuple[str, ...]], dict[str, Own]]:
    """The ids alone of what `rank` chooses, of the records that have any; without the reasons, in half the memory.

    And what was chosen within each repository. It need not be chosen anew where `known`, of another dataset, holds.
    """
    index = _index(_in_order(dataset.live))
    marks = _marks(index)
    now: dict[str, Own] = {}

    def own(repo: str, span: range) -> Iterator[list[_Scored]]:
        kept, mark = (known or {}).get(repo), _mark(index, marks, span, limit)
        now[repo] = kept if kept and kept.mark == mark else _packed(mark, span, _own(index, span, limit))
        return _unpacked(index, span, now[repo])

    chosen = _each(index, own, lambda _, best: tuple([other_id for _, other_id, _ in best]), limit)
    return {record_id: others for record_id, others in chosen.items() if others}, now


def _each(
    index: "_Index",
    own: "Callable[[str, range], Iterable[list[_Scored]]]",
    tell: "Callable[[int, list[_Scored]], tuple[Told, ...]]",
    limit: int,
) -> "dict[str, tuple[Told, ...]]":
    """What is to be told of the best of each record, by id; `own` gives those within a repository."""
    linked: list[tuple[Told, ...]] = []
    short: dict[int, list[int]] = {}
    for repo, span in index.spans.items():
        for record, best in zip(span, own(repo, span), strict=True):
            linked.append(tell(record, best))
            if len(best) < limit:
                short[record] = [other for _, _, other in best]
    if short and len(index.spans) > 1:
        postings = _postings(index, range(len(index.entries)), many=False)
        for record, others in short.items():
            span = index.spans[index.entries[record].repo]
            best = _best(index, postings, record, span, BEYOND, limit=limit - len(others), own=others)
            linked[record] += tell(record, best)
    return {entry.id: told for entry, told in zip(index.entries, linked, strict=True)}


def _own(index: "_Index", span: range, limit: int) -> "Iterator[list[_Scored]]":
    """The best of each record within its repository."""
    postings = _postings(index, span)
    for record in span:
        yield _best(index, postings, record, range(record, record + 1), OWN, limit=limit)


def _marks(index: "_Index") -> list[bytes]:
    """By feature, what stands for its name and weight; nothing for those that weigh nothing."""
    return [
        blake2b(f"{weight} {name}".encode(), digest_size=8).digest() if weight else b""
        for weight, name in zip(index.weights, index.names, strict=True)
    ]


def _mark(index: "_Index", marks: Sequence[bytes], span: range, limit: int) -> bytes:
    """What all choices within a repository depend on: the ids in their order, their features, and who says the same."""
    rows = index.features[span.start : span.stop]
    says = _numbered(index.says[3 * span.start : 3 * span.stop])
    ids = [entry.id for entry in index.entries[span.start : span.stop]]
    digest = blake2b(f"{limit} {','.join(ids)}".encode(), digest_size=16)
    digest.update(array("I", map(len, rows)).tobytes() + says.tobytes())
    digest.update(b"".join(map(marks.__getitem__, chain.from_iterable(rows))))
    return digest.digest()


def _packed(mark: bytes, span: range, chosen: "Iterable[list[_Scored]]") -> Own:
    others = [[other - span.start for _, _, other in best] for best in chosen]
    return Own(mark, bytes(map(len, others)), array("I", chain.from_iterable(others)).tobytes())


def _unpacked(index: "_Index", span: range, kept: Own) -> "Iterator[list[_Scored]]":
    """What was chosen; scores are not known any more."""
    places = iter(array("I", kept.places))
    for count in kept.counts:
        others = [span.start + place for place in islice(places, count)]
        yield [(0.0, index.entries[other].id, other) for other in others]


def basis(dataset: Dataset) -> Iterator[tuple[object, ...]]:
    """All that `rank` knows of the records, in their order: equal bases give equal ranks."""
    for entry in dataset.live:
        place = (entry.file_path, entry.line)
        yield (entry.id, entry.repo, entry.message, entry.pattern, entry.error_class, entry.tags, entry.family, *place)


def also_raised(
    dataset: Dataset, *, limit: int | None = None, of: Iterable[Entry] | None = None
) -> dict[str, tuple[str, ...]]:
    """The other live records with a record's message (white space collapsed) or pattern, for each that has any.

    With `of`, for these alone.

    Keys and values are ids; the repository's own come first, then by repository, path, line and id. A pattern without
    a word says nothing and is passed over. All lists of a message together grow with the square of its sites, so give
    a `limit` (one more than is shown) where a message may be hot.
    """
    chosen = None if of is None else {entry.id: entry for entry in of}
    entries = _in_order(dataset.live if chosen is None else _saying(dataset.live, chosen.values()))
    spans = _spans(entries)
    said = _texts(entries)
    sites: defaultdict[int, list[int]] = defaultdict(list)
    for texts in said:
        counts = Counter(texts)
        for record, text in enumerate(texts):
            if counts[text] > 1:
                sites[text].append(record)
    listed = {}
    for record, entry in enumerate(entries):
        if chosen is not None and entry.id not in chosen:
            continue
        found = [sites[text] for texts in said if (text := texts[record]) in sites]
        if found and (others := _others(found, record, spans[entry.repo], limit)):
            listed[entry.id] = tuple(entries[other].id for other in others)
    return listed


def _saying(entries: Iterable[Entry], of: Collection[Entry]) -> list[Entry]:
    """Those of the entries that have the message or the pattern of one of `of`."""
    texts = {" ".join(entry.message.split()) for entry in of}
    patterns = {entry.pattern for entry in of}
    return [entry for entry in entries if entry.pattern in patterns or " ".join(entry.message.split()) in texts]


def _in_order(entries: Iterable[Entry]) -> list[Entry]:
    return sorted(entries, key=lambda entry: (entry.repo.casefold(), entry.repo, entry.file_path, entry.line, entry.id))


def _spans(entries: Sequence[Entry]) -> dict[str, range]:
    """By repository, which of the `entries`, sorted by repository, are its own."""
    spans: dict[str, range] = {}
    for repo, group in groupby(entries, lambda entry: entry.repo):
        first = next(reversed(spans.values())).stop if spans else 0
        spans[repo] = range(first, first + sum(1 for _ in group))
    return spans


def _texts(entries: Sequence[Entry]) -> tuple["array[int]", "array[int]"]:
    """What makes two records say the same, as numbers by record: the message, and the pattern.

    A pattern without a literal word has a number of its own.
    """
    patterns = (
        entry.pattern if _LETTERS.search(_NO_LITERAL.sub(" ", entry.pattern)) else record
        for record, entry in enumerate(entries)
    )
    return _numbered(" ".join(entry.message.split()) for entry in entries), _numbered(patterns, len(entries))


def _numbered(said: Iterable[object], first: int = 0) -> "array[int]":
    """Numbers from `first` on, the same for what is equal."""
    numbers: dict[object, int] = {}
    return array("I", (first + numbers.setdefault(one, len(numbers)) for one in said))


def _others(sites: Sequence[list[int]], record: int, span: range, limit: int | None) -> list[int]:
    own: set[int] = set()
    rest: set[int] = set()
    for found in sites:
        count = len(found) if limit is None else limit + 1
        first, end = bisect_left(found, span.start), bisect_left(found, span.stop)
        own.update(found[first : min(end, first + count)])
        rest.update(found[: min(first, count)], found[end : end + count])
    return [*sorted(own - {record}), *sorted(rest)][:limit]


# Features


@dataclass(frozen=True, slots=True)
class _Index:
    """Live records in order and, for each, its features (heaviest first), their weight in all, and what it says.

    A feature is a number into `weights` and `names`; a name's first character is its kind. What a record says are
    three numbers: of its message's words, of the message, and of the pattern.
    """

    entries: list[Entry]
    spans: dict[str, range]
    features: list[tuple[int, ...]]
    totals: list[int]
    says: "array[int]"
    weights: list[int]
    names: list[str]


def _index(entries: list[Entry]) -> _Index:
    numbers: dict[str, int] = {}
    number = numbers.setdefault
    rows = [tuple([number(name, len(numbers)) for name in names]) for names in _features(entries)]
    _merge_plurals(rows, numbers)
    counts = Counter(chain.from_iterable(rows))
    names = list(numbers)
    weights = [_weight(name, counts[number]) for number, name in enumerate(names)]
    says = _says(entries, rows, names)
    for record, row in enumerate(rows):
        heavy = sorted([(-weights[number], number) for number in row if weights[number]])
        rows[record] = tuple([number for _, number in heavy[:MAX_FEATURES]])
    totals = [sum([weights[number] for number in row]) for row in rows]
    return _Index(entries, _spans(entries), rows, totals, says, weights, names)


def _weight(name: str, count: int) -> int:
    return PER_STEP[name[0]] * max(0, STEPS - count.bit_length()) if count > 1 else 0


def _features(entries: Iterable[Entry]) -> Iterator[list[str]]:
    """The names of each entry's features; the first character is the kind."""
    known: dict[str, list[str]] = {}
    for entry in entries:
        names = [f"{CLASS}{entry.error_class}", *_places(entry)]
        names += _tags(entry)
        if entry.family:
            names.append(f"{FAMILY}{entry.family}")
        for identifier in _IDENTIFIER.findall(entry.message):
            words = known.get(identifier)
            if words is None:
                words = known[identifier] = [f"{WORD}{word}" for word in _words(identifier)]
            names += words
        yield names


def _places(entry: Entry) -> Iterator[str]:
    """The file, its folder and the one above, spelt with the repository."""
    path = entry.file_path
    yield f"{PLACE}{entry.repo}/{path}"
    for _ in range(FOLDERS):
        path = path.rpartition("/")[0]
        if path:
            yield f"{PLACE}{entry.repo}/{path}"


def _tags(entry: Entry) -> Iterator[str]:
    """The tags that say more than the class, the repository's name or a small word."""
    said = {*entry.repo.casefold().split("/"), entry.error_class.casefold()}
    for tag in entry.tags:
        folded = tag.casefold()
        if folded not in _STOP and said.isdisjoint((folded, folded.replace("-", ""))):
            yield f"{TAG}{folded}"


def _words(identifier: str) -> list[str]:
    """The identifier and its parts, split at underscores and at changes of case, in lower case; no single letters."""
    words = [identifier.strip("_")]
    for piece in identifier.split("_"):
        parts = _PART.findall(piece)
        words += parts if all(len(part) > 1 for part in parts) else [piece]
    lower = dict.fromkeys(word.lower() for word in words)
    return [word for word in lower if word not in _STOP and (len(word) > 1 or not word.isascii())]


def _merge_plurals(rows: list[tuple[int, ...]], numbers: dict[str, int]) -> None:
    """Let each feature stand once in a row, and a plural word as its singular where that occurs too."""
    singular = {
        number: numbers[name[:-1]]
        for name, number in numbers.items()
        if name[0] == WORD and name[-1] == "s" and len(name) > 4 and name[:-1] in numbers
    }
    plurals = set(singular)
    for record, row in enumerate(rows):
        merged = row if plurals.isdisjoint(row) else [singular.get(number, number) for number in row]
        rows[record] = tuple(dict.fromkeys(merged))


def _says(entries: Sequence[Entry], rows: Sequence[tuple[int, ...]], names: Sequence[str]) -> "array[int]":
    """Three numbers a record, for comparison: of its words (spelling and small words apart), and of its texts."""
    single = [name[0] == WORD and "_" not in name for name in names]
    words = (tuple(sorted([number for number in row if single[number]])) for row in rows)
    said = (found or entry.message for found, entry in zip(words, entries, strict=True))
    columns = (_numbered(said, 2 * len(entries)), *_texts(entries))
    return array("I", chain.from_iterable(zip(*columns, strict=True)))


# Candidates


_Scored = tuple[float, str, int]
"""A coefficient, negative so that the best is first, the id, and the record that has it."""


@dataclass(frozen=True, slots=True)
class _Postings:
    """By feature, the records that have it, in order: of few, of many, and the latter as sets."""

    few: dict[int, list[int]]
    many: dict[int, list[int]]
    sets: dict[int, frozenset[int]]


def _postings(index: _Index, records: range, *, many: bool = True) -> _Postings:
    """Which of `records` have what; features of many only where they are wanted."""
    sharing: defaultdict[int, list[int]] = defaultdict(list)
    for record in records:
        for number in index.features[record]:
            sharing[number].append(record)
    few = {number: found for number, found in sharing.items() if 1 < len(found) <= HOT}
    hot = {number: found for number, found in sharing.items() if len(found) > HOT} if many else {}
    return _Postings(few, hot, {number: frozenset(found) for number, found in hot.items()})


def _best(
    index: _Index, postings: _Postings, record: int, but: range, bar: Bar, *, limit: int, own: Iterable[int] = ()
) -> list[_Scored]:
    """Up to `limit` records outside `but`, best first; none says what the record, another or one of `own` does."""
    hot = [number for number in index.features[record] if number in postings.many]
    shared = _shared(index, postings, record, but)
    offered = _offered(index, postings, record, hot, shared) if hot else shared
    order = _promising(index, index.totals[record], offered, bar)
    having = [(postings.sets[number], index.weights[number]) for number in hot]
    total, totals = index.totals[record], index.totals
    scored = []
    for other_id, other in _distinct(index, record, own, order, limit + SPARE if hot else limit):
        weight = shared.get(other, 0)
        for those, more in having:
            if other in those:
                weight += more
        score = weight / sqrt(total * max(total, totals[other]))
        if weight >= bar.shared and score >= bar.score:
            scored.append((-score, other_id, other))
    return sorted(scored)[:limit]


def _shared(index: _Index, postings: _Postings, record: int, but: range) -> dict[int, int]:
    """By record outside `but`, the weight that it shares with this one, features of many apart."""
    few, weights = postings.few, index.weights
    shared: defaultdict[int, int] = defaultdict(int)
    for number in index.features[record]:
        if number in few:
            weight = weights[number]
            for other in few[number]:
                shared[other] += weight
    if len(but) > 1:
        return {other: weight for other, weight in shared.items() if other not in but}
    shared.pop(record, None)
    return shared


def _offered(
    index: _Index, postings: _Postings, record: int, hot: Iterable[int], shared: Mapping[int, int]
) -> dict[int, int]:
    """`shared`, and what the features of many add to the records that are nearest on either side."""
    offered = defaultdict(int, shared)
    for number in hot:
        having, weight = postings.many[number], index.weights[number]
        place = bisect_left(having, record)
        for other in (*having[max(0, place - REACH) : place], *having[place + 1 : place + 1 + REACH]):
            offered[other] += weight
    return offered


def _promising(index: _Index, total: int, offered: Mapping[int, int], bar: Bar) -> list[tuple[float, str, int]]:
    """What is offered and shares enough, best first; exact where no feature of many is involved."""
    totals, entries, least = index.totals, index.entries, bar.shared
    return sorted(
        [
            (-weight * weight / (have if (have := totals[other]) > total else total), entries[other].id, other)
            for other, weight in offered.items()
            if weight >= least
        ]
    )


def _distinct(
    index: _Index, record: int, own: Iterable[int], order: Iterable[tuple[float, str, int]], most: int
) -> list[tuple[str, int]]:
    """The first of `order` that repeat neither the record's text nor the words of one before, as id and record."""
    says = index.says
    taken = {
        *says[3 * record + 1 : 3 * record + 3],
        *(said for other in own for said in says[3 * other : 3 * other + 3]),
    }
    found: list[tuple[str, int]] = []
    for _, other_id, other in order:
        if len(found) == most:
            break
        said = says[3 * other : 3 * other + 3]
        if taken.isdisjoint(said):
            taken.update(said)
            found.append((other_id, other))
    return found


def _linked(index: _Index, record: int, best: Iterable[_Scored]) -> tuple[Related, ...]:
    mine = dict.fromkeys(index.features[record])
    span = index.spans[index.entries[record].repo]
    path = index.entries[record].file_path
    linked = []
    for negative, other_id, other in best:
        own = other in span
        shared = _labels(index, [number for number in index.features[other] if number in mine])
        place = _place(path, index.entries[other].file_path) if own else ""
        why = f"{place}: {shared}" if shared and place.startswith("same") else shared or place
        linked.append(Related(other_id, SCORES[own][int(-negative * 500)], why))
    return tuple(linked)


def _place(here: str, there: str) -> str:
    """What two files of a repository have in common: `same file`, `same folder`, `both in src`, or nothing."""
    if here == there:
        return "same file"
    ours, theirs = here.split("/")[:-1], there.split("/")[:-1]
    if ours == theirs:
        return "same folder"
    shared = [one for one, _ in takewhile(lambda pair: pair[0] == pair[1], zip(ours, theirs, strict=False))]
    return f"both in {'/'.join(shared)}" if shared else ""


def _labels(index: _Index, shared: Iterable[int]) -> str:
    """The heaviest of what is shared, places apart, and no part of a word that is named before."""
    text, left = "", SHOWN
    for number in shared:
        name = index.names[number]
        if name[0] != PLACE and name[1:] not in text:
            text = f"{text}, {name[1:]}" if text else name[1:]
            left -= 1
            if not left:
                break
    return text
