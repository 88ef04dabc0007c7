"""What Pagefind is fed: one document a record, in parts that can be built and kept one by one.

A part holds the records of a group of repositories, so that an index of any size is built within bounds,
and a changed record costs one part. Beside Pagefind's own files stand `search/parts.json`, which names the
parts, and `search/words/`, which says what words there are and in which parts: the browser takes from it
how a word is spelt, and which parts it need not ask.
"""

import hashlib
import json
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from xml.sax.saxutils import escape

from generator.dataset import Dataset, Entry
from generator.files import File
from generator.records import Record

ROOT = "search/"
PAGES = "search/pages/"
"""The index of hand-written pages; Pagefind's own scripts stand there too."""

CATALOGUE = "search/parts.json"

PART_RECORDS = 10_240
"""The most records that a part has on average: some 800 MB to build, and milliseconds to ask."""

SENTENCES = 2
MAX_TEXT = 1_500
"""Characters of a record's text that are searched, besides its message."""

FORMAT = 1
"""Raised when what is fed changes, so that parts built before it are built anew."""

_SPACE = re.compile(r"\s+")
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[^a-z])")
_CJK = "\u2e80-\ua4cf\uac00-\ud7ff\uf900-\ufaff"
_SEGMENT = re.compile(rf"[{_CJK}]|[^\W_{_CJK}](?:(?:[^\W{_CJK}]|-(?=[^\W{_CJK}]))*[^\W_{_CJK}])?")
_CASES = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_BREAKS = re.compile(r"[\W_]+")
_OUTER = re.compile(r"(?<![^\W_])_|_(?![^\W_])")
_MIXED = re.compile(r"(?=.*\d)(?=.*[^\W\d_])")
_RESERVED = re.compile(r"_{3}(?=(?:END_)?PAGEFIND_)")


@dataclass(frozen=True, slots=True)
class Document:
    """What Pagefind knows of a page: its address, the text that excerpts show, and what stands beside that.

    `meta` is searched as well; `filters` have one value or none each.
    """

    url: str
    content: str
    meta: Mapping[str, str]
    filters: Mapping[str, list[str]]


@dataclass(frozen=True, slots=True)
class Part:
    """A group of records that are indexed together: its number, and its entries in the dataset's order."""

    number: int
    entries: tuple[Entry, ...]

    @property
    def path(self) -> str:
        """The folder of its index."""
        return f"{ROOT}records/{self.number:02x}/"

    def key(self, version: str) -> str:
        """Changes when the part must be built anew; `version` is Pagefind's."""
        digest = hashlib.sha256(f"{FORMAT} {version}".encode())
        for entry in self.entries:
            digest.update(f"\n{entry.uri} ".encode() + entry.raw_digest)
        return digest.hexdigest()[:16]


def parts(dataset: Dataset) -> list[Part]:
    """The records that are not withdrawn, in a power of two of parts, by repository.

    The number of parts grows with the dataset; within one number no record changes its part. A
    repository of more than half a part is spread over all of them.
    """
    entries = dataset.live
    count = 1
    while len(entries) > count * PART_RECORDS:
        count *= 2
    sizes = Counter(entry.repo for entry in entries)
    grouped: list[list[Entry]] = [[] for _ in range(count)]
    for entry in entries:
        large = sizes[entry.repo] > PART_RECORDS // 2
        grouped[_place(entry.id if large else entry.repo.casefold(), count)].append(entry)
    return [Part(number, tuple(group)) for number, group in enumerate(grouped)]


@lru_cache(maxsize=1 << 16)
def _place(name: str, count: int) -> int:
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:4]) % count


def document(record: Record, entry: Entry) -> Document:
    """A record as Pagefind is to know it."""
    place = f"{record.error_class} {record.repo} {record.file_path}"
    code = [record.error_code] if record.error_code else []
    content = _content(record)
    filters = {
        "repository": record.repo,
        "class": record.error_class,
        "severity": record.severity,
        "type": record.error_type,
        "family": record.background_tag or "",
        "day": entry.modified[:10],
    }
    meta = {
        "title": _plain(record.error_message),
        "place": _plain(place),
        "more": _more(f"{record.error_message} {place} {content}", [*code, *record.tags]),
    }
    return Document(entry.uri, content, meta, {name: [value] for name, value in filters.items() if value})


def _content(record: Record) -> str:
    """The meaning's first sentences and the solutions; what no such text has is found by its class."""
    sentences = _SENTENCE.split(_plain(record.documentation))[:SENTENCES]
    text = " ".join([*sentences, *map(_plain, record.solutions)])[:MAX_TEXT]
    return text if _SEGMENT.search(text) else _plain(f"{text} {record.error_class} {record.error_message}")


def _plain(text: str) -> str:
    """`text` on one line, without the words that mean something to Pagefind."""
    return _RESERVED.sub("", _SPACE.sub(" ", text)).strip()


def _more(text: str, others: Iterable[str]) -> str:
    """The words that Pagefind would not find by itself, each once: names within longer names, pieces with digits.

    `others` are words beside `text`, such as tags. Chinese, Japanese and Korean characters follow one
    another as they do in the text.
    """
    found = dict.fromkeys(word for word in others if word not in text)
    for token in _SPACE.split(text):
        segments = _SEGMENT.findall(token)
        if len(segments) > 1 or _OUTER.search(token):
            found |= dict.fromkeys(segment for segment in segments if _is_name(segment))
        found |= dict.fromkeys(piece for segment in segments for piece in _pieces(segment) if _MIXED.match(piece))
    return " ".join([*found, *re.findall(rf"[{_CJK}]", text)])


def _is_name(segment: str) -> bool:
    """Whether a segment is a name of several words, or one with digits."""
    return len(segment) > 2 and (len(_pieces(segment)) > 1 or _MIXED.match(segment) is not None)


def words(text: str) -> list[str]:
    """The words by which a text is found, as the browser cuts them, each once, in order.

    A text falls at white space and marks into names, of letters, digits, and `_` and `-` between them;
    each name is a word, and so are the pieces of it that `_`, `-` and a change of case part, from two
    characters on.
    """
    found: dict[str, None] = {}
    for segment in _SEGMENT.findall(text if text.isascii() else unicodedata.normalize("NFC", text)):
        found[_folded(segment)] = None
        pieces = _pieces(segment)
        if len(pieces) > 1:
            found |= dict.fromkeys(piece for piece in map(_folded, pieces) if len(piece) > 1)
    found.pop("", None)
    return list(found)


@lru_cache(maxsize=1 << 16)
def _pieces(segment: str) -> tuple[str, ...]:
    return tuple(piece for run in _BREAKS.split(segment) for piece in _CASES.split(run) if piece)


@lru_cache(maxsize=1 << 16)
def _folded(segment: str) -> str:
    """A name as Pagefind indexes it: lower case, without accents and hyphens."""
    lower = segment.replace("-", "").lower()
    if lower.isascii():
        return lower
    return "".join(char for char in unicodedata.normalize("NFD", lower) if not unicodedata.combining(char))


class Vocabulary:
    """Counts in how many documents each word is."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()

    def add(self, document: Document) -> None:
        """Count a document's words."""
        self.counts.update(words(" ".join([document.content, *document.meta.values()])))


def vocabulary_path(part: Part) -> str:
    """Where a part's words are kept for the builds in which it does not change."""
    return f"{part.path}words.txt"


def vocabulary_file(part: Part, counts: Mapping[str, int]) -> File:
    """A part's words: a line each, with how many of its records have it."""
    lines = (f"{word}\t{count}\n" for word, count in sorted(counts.items()))
    return File(vocabulary_path(part), "".join(lines).encode())


def read_vocabulary(content: bytes) -> dict[str, int]:
    """The words of a vocabulary file."""
    rows = (line.split("\t") for line in content.decode().splitlines())
    return {word: int(count) for word, count in rows}


def word_files(vocabularies: Sequence[Mapping[str, int]]) -> Iterator[File]:
    """The words of all parts, in files by their first two characters.

    A line is a word, how many records have it, and with several parts the set of those that do: a
    hexadecimal number, bit n for part n.
    """
    counts: Counter[str] = Counter()
    where: defaultdict[str, int] = defaultdict(int)
    for number, found in enumerate(vocabularies):
        counts.update(found)
        for word in found:
            where[word] |= 1 << number
    shards: defaultdict[str, list[str]] = defaultdict(list)
    for word, count in sorted(counts.items()):
        mask = f"\t{where[word]:x}" if len(vocabularies) > 1 else ""
        shards[shard(word)].append(f"{word}\t{count}{mask}\n")
    for name, lines in sorted(shards.items()):
        yield File(f"{ROOT}words/{name}.txt", "".join(lines).encode())


def shard(word: str) -> str:
    """The file of a word: its first two characters, each beyond ASCII as `~` and its number modulo 61."""
    return "".join(char if char.isascii() else f"~{ord(char) % 61}" for char in word[:2].ljust(2, "_"))


def pages_key(pages: Mapping[str, str], version: str) -> str:
    """Changes when the index of hand-written pages (HTML by address) must be built anew."""
    digest = hashlib.sha256(f"{FORMAT} {version}".encode())
    for url, html in sorted(pages.items()):
        digest.update(f"\n{url} {hashlib.sha256(html.encode()).hexdigest()}".encode())
    return digest.hexdigest()[:16]


def catalogue(dataset: Dataset, keys: Mapping[str, str], parts: Sequence[Part]) -> File:
    """What the search page reads first: each index's folder and key, the parts' sizes, and families' titles by tag."""
    tags = sorted({entry.family for entry in dataset.live if entry.family})
    content = {
        "format": FORMAT,
        "pages": {"path": PAGES.removeprefix(ROOT), "key": keys[PAGES]},
        "parts": [
            {"path": part.path.removeprefix(ROOT), "key": keys[part.path], "records": len(part.entries)}
            for part in parts
        ],
        "words": hashlib.sha256("".join(keys[part.path] for part in parts).encode()).hexdigest()[:16],
        "families": {tag: dataset.family(tag).name for tag in tags},
    }
    return File(CATALOGUE, json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode())


def read_catalogue(content: bytes) -> dict[str, str]:
    """The keys of a published search by folder; none of another format. `ValueError` if it is damaged."""
    found = json.loads(content)
    try:
        listed = [found["pages"], *found["parts"]] if found["format"] == FORMAT else []
        return {f"{ROOT}{one['path']}": str(one["key"]) for one in listed}
    except (KeyError, TypeError) as error:
        raise ValueError(error) from None


def open_search(name: str, description: str, site_url: str) -> File:
    """The OpenSearch 1.1 description, by which a browser offers the site in its address bar.

    `site_url` is absolute and ends in a slash; names and descriptions are cut at the format's bounds.
    """
    url = escape(site_url, {'"': "&quot;"})
    content = (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">\n'
        f"<ShortName>{escape(_plain(name)[:16])}</ShortName>\n"
        f"<Description>{escape(_plain(description)[:1024])}</Description>\n"
        "<InputEncoding>UTF-8</InputEncoding>\n"
        f'<Image type="image/svg+xml">{url}assets/favicon.svg</Image>\n'
        f'<Url type="text/html" method="get" template="{url}search/?q={{searchTerms}}"/>\n'
        f'<Url type="application/opensearchdescription+xml" rel="self" template="{url}opensearch.xml"/>\n'
        "</OpenSearchDescription>\n"
    )
    return File("opensearch.xml", content.encode())
