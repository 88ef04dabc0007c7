"""The words that readers see: one file, read once for the pages made here; the theme's templates import the same file.

The file is `overrides/partials/words.html`, a template that sets a few groups of words. A site's own stand beside it,
in a file of the same form, under the same keys and with the same names in braces; `read` refuses any other.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from string import Formatter
from typing import Any

import jinja2

from generator.problems import UsageError

NAME, OWN = "partials/words.html", "partials/own-words.html"
"""The file of all words within a theme's folder, and that of a site's own."""

GROUPS = ("words", "lookup_words", "search_words", "page_words")
"""What the file sets; the last are the words of pages made here."""

_PACKAGED = Path(__file__).parent / "words.html"
SHIPPED = _PACKAGED if _PACKAGED.is_file() else Path(__file__).parent.parent / "overrides" / NAME

_ACTING = re.compile(r"[<>&\"|`*_\\\n\[\]\ue000-\uf8ff]")
"""Characters that would act in HTML, in Markdown or in a table."""

_NAME = re.compile(r"\{\w*\}")

Phrase = str | list[str]
Groups = Mapping[str, Mapping[str, Phrase]]


@dataclass(frozen=True, slots=True, eq=False)
class Words:
    """The phrases of pages made here, by key; equal to another only where that is the same object."""

    phrases: Mapping[str, Phrase]


@dataclass(frozen=True, slots=True)
class Sentence:
    """A phrase as a page's template prints it, or calls it with its parts: values, or text that is Markdown already."""

    text: str

    @property
    def markdown(self) -> str:
        """The phrase as it stands: its own characters do not act."""
        return self.text

    def __call__(self, /, **parts: object) -> "Sentence":
        """The phrase with its names filled in."""
        return Sentence(self.text.format(**{name: getattr(part, "markdown", part) for name, part in parts.items()}))


@cache
def shipped() -> Words:
    """The words in English."""
    return Words(_english()["page_words"])


@cache
def _english() -> Groups:
    files = {NAME: SHIPPED.read_text("utf-8"), OWN: "{% set own_words = {} %}"}
    module: Any = jinja2.Environment(loader=jinja2.DictLoader(files)).get_template(NAME).module
    return {name: getattr(module, name) for name in GROUPS}


def read(path: Path) -> Words:
    """The words with those of a site's file; raises `UsageError` with a line for each key that can't be used."""
    found = _own(path)
    faults = [f"{path}: {fault} [EDX053]" for fault in _faults(found, _english())]
    if faults:
        raise UsageError("\n".join(faults))
    return Words({**_english()["page_words"], **found.get("page_words", {})})


def _own(path: Path) -> Groups:
    try:
        module: Any = jinja2.Environment().from_string(path.read_text("utf-8")).module
        return {str(group): dict(phrases) for group, phrases in dict(module.own_words).items()}
    except (jinja2.TemplateError, AttributeError, ValueError, TypeError) as error:
        message = f"{path}: own_words can't be read ({error}); write it as the shipped file shows [EDX053]"
        raise UsageError(message) from None


def _faults(found: Groups, english: Groups) -> Iterator[str]:
    for group, phrases in found.items():
        if group not in english:
            yield f"there is no group {group!a} of words; write one of {', '.join(GROUPS)}"
            continue
        for key, phrase in phrases.items():
            if key not in english[group]:
                yield f"{group} has no key {key!a}; write one that words.html has"
            elif fault := _fault(phrase, english[group][key]):
                yield f"{group}.{key} {fault}"


def _fault(phrase: object, english: Phrase) -> str:
    """What is wrong with a phrase in the place of the English one, or nothing."""
    if isinstance(english, list):
        if not isinstance(phrase, list) or len(phrase) != len(english):
            return f"needs {len(english)} forms; write it like {english!a}"
        return next((fault for one, other in zip(phrase, english, strict=True) if (fault := _fault(one, other))), "")
    if not isinstance(phrase, str) or not phrase.strip():
        return f"is no text ({phrase!a}); write it like {english!a}"
    if acting := _ACTING.search(_NAME.sub("", phrase)):
        return f"has the character {acting[0]!a}, which would act on the page; write it otherwise"
    if _names(phrase) != _names(english):
        names = " ".join(f"{{{name}}}" for name in _names(english) or ())
        return f"has other names in braces ({phrase!a}); it needs {names or 'none'}, each once"
    return ""


def _names(phrase: str) -> list[str] | None:
    """The names in braces; `None` where the braces are no plain names."""
    try:
        fields = [field for field in Formatter().parse(phrase) if field[1] is not None]
    except ValueError:
        return None
    if any(form or conversion or not re.fullmatch(r"\w*", name or "") for _, name, form, conversion in fields):
        return None
    return sorted(name or "" for _, name, _, _ in fields)


_current: list[Words] = []


def configure(words: Words) -> None:
    """Say everything in these words from now on."""
    if not _current or _current[0].phrases != words.phrases:
        _current[:] = [words]


def current() -> Words:
    """The words that are said now; in English where nothing else was chosen."""
    return _current[0] if _current else shipped()


def say(key: str, /, **parts: object) -> str:
    """The phrase `key` of pages made here, its names filled in."""
    return str(current().phrases[key]).format(**parts)


def counted(key: str, count: int) -> str:
    """How many there are, in the form for one or for several."""
    return current().phrases[key][count != 1].format(count=f"{count:,}")


def sentences() -> dict[str, Sentence]:
    """What a page's template prints, by key."""
    return {key: Sentence(phrase) for key, phrase in current().phrases.items() if isinstance(phrase, str)}
