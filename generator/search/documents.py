"""A record as Pagefind is to know it."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from generator.dataset import Entry
from generator.records import Record
from generator.search.words import lone, names, pieces

SENTENCES = 2
MAX_TEXT = 1_500
"""Characters of a record's text that are searched, besides its message."""

_SPACE = re.compile(r"\s+")
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[^a-z])")
_MARKED = re.compile(r"\S*[^\sA-Za-z]\S*")
"""What stands between white space and is more than letters."""

_AROUND = ".,;:!?'\"`()[]{}"
_OUTER = re.compile(r"(?<![^\W_])_|_(?![^\W_])")
_MIXED = re.compile(r"(?=.*\d)(?=.*[^\W\d_])")
_RESERVED = re.compile(r"_{3}(?=(?:END_)?PAGEFIND_)")


@dataclass(frozen=True, slots=True)
class Document:
    """What Pagefind is fed of a page: its address, the text that excerpts show, and what stands beside that.

    `meta` is searched as well, and shown with a result; `filters` have one value each.
    """

    url: str
    content: str
    meta: Mapping[str, str]
    filters: Mapping[str, list[str]]

    @property
    def text(self) -> str:
        """All that is searched."""
        return " ".join([self.content, *self.meta.values()])


def document(record: Record, entry: Entry) -> Document:
    """A record, `entry` in the index: its message, class, repository, path, meaning and solutions."""
    place = f"{record.error_class} {record.repo} {record.file_path}"
    others = [*([record.error_code] if record.error_code else []), *record.tags]
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
        "title": plain(record.error_message),
        "place": plain(place),
        "more": _more(f"{record.error_message} {place} {content}", others),
    }
    return Document(entry.uri, content, meta, {name: [value] for name, value in filters.items() if value})


def _content(record: Record) -> str:
    """The meaning's first sentences and the solutions; never without a word, for Pagefind drops such pages."""
    sentences = _SENTENCE.split(plain(record.documentation))[:SENTENCES]
    text = " ".join([*sentences, *map(plain, record.solutions)])[:MAX_TEXT]
    return text if names(text) else plain(f"{text} {record.error_class} {record.repo}")


def plain(text: str) -> str:
    """`text` on one line, without the words that mean something to Pagefind."""
    return _RESERVED.sub("", _SPACE.sub(" ", text)).strip()


def _more(text: str, others: Iterable[str]) -> str:
    """The words that Pagefind would not find by itself: names within longer names, and pieces with digits.

    Each stands there once. `others` are words beside `text`, such as tags. Chinese, Japanese and Korean
    characters follow one another as they do in the text.
    """
    found = dict.fromkeys(word for word in others if word not in text)
    for token in _MARKED.findall(text):
        if token.strip(_AROUND).isalpha():
            continue
        inner = names(token)
        if len(inner) > 1 or _OUTER.search(token):
            found |= dict.fromkeys(name for name in inner if _is_long(name))
        found |= dict.fromkeys(piece for name in inner for piece in pieces(name) if _MIXED.match(piece))
    return " ".join([*found, *lone(text)])


def _is_long(name: str) -> bool:
    """Whether a name has several pieces, or digits."""
    return len(name) > 2 and (len(pieces(name)) > 1 or _MIXED.match(name) is not None)
