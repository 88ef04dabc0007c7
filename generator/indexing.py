"""Builds the search: has Pagefind make the parts that changed, and keeps the others as they were published."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from generator import bundle, pagefind, publish, search
from generator.dataset import Dataset
from generator.search import Part

PAGE_ROOT = "#__main"
PAGE_LEFT_OUT = ["table", ".edx-pages"]
UNUSED = ("pagefind-*ui.*", "pagefind-highlight.js", "wasm.unknown.pagefind")
SHARED = ("pagefind.js", "pagefind-worker.js", "wasm.*.pagefind")
NOT_SEARCHED = frozenset({"", search.ROOT, "lookup/"})
"""The home page and those that only ask: they would answer any word of theirs."""


@dataclass(frozen=True, slots=True)
class Built:
    """What was done: the folders that must stay in the site though the stage has none, and how many were made anew.

    `kept` are paths relative to the site's root, each ending in a slash.
    """

    kept: tuple[str, ...]
    made: int


def build(
    dataset: Dataset,
    pages: Mapping[str, str],
    *,
    stage: Path,
    site: Path,
    full: bool = False,
    progress: Callable[[str, int, int], None] = lambda _what, _done, _total: None,
    stall: float = pagefind.STALL,
) -> Built:
    """Put the search into `stage`, but for the parts that `site` has as they must be.

    `pages` are the hand-written pages and the families' articles: HTML by address. Raises `MachineError`
    when Pagefind is missing, crashes, or gives no answer for `stall` seconds. `full` keeps nothing.
    """
    version = pagefind.version()
    parts = search.parts(dataset)
    searched = {url: html for url, html in sorted(pages.items()) if url not in NOT_SEARCHED}
    keys = {search.PAGES: search.pages_key(searched, version)} | {part.path: part.key(version) for part in parts}
    kept = set[str]() if full else _kept(site, keys)
    making = _Making(dataset, stage, stall, progress, sum(len(part.entries) for part in parts if part.path not in kept))
    if search.PAGES not in kept:
        making.pages(searched)
    vocabularies = [_words(site, part) if part.path in kept else making.part(part) for part in parts]
    publish.write_all(stage, search.word_files(vocabularies))
    publish.write(stage, search.catalogue(dataset, keys, parts))
    return Built(tuple(sorted(kept)), len(keys) - len(kept))


def _kept(site: Path, keys: Mapping[str, str]) -> set[str]:
    """The folders that an earlier build published under the same key."""
    try:
        before = search.read_catalogue((site / search.CATALOGUE).read_bytes())
    except (OSError, ValueError):
        return set()
    same = {path for path, key in keys.items() if before.get(path) == key}
    return {path for path in same if (site / path / "pagefind-entry.json").is_file()}


def _words(site: Path, part: Part) -> dict[str, int]:
    return search.read_vocabulary((site / search.vocabulary_path(part)).read_bytes())


@dataclass
class _Making:
    """Parts in the making, one after the other; each has a Pagefind of its own, whose memory ends with it."""

    dataset: Dataset
    stage: Path
    stall: float
    progress: Callable[[str, int, int], None]
    total: int
    done: int = 0

    def pages(self, pages: Mapping[str, str]) -> None:
        """Index the hand-written pages."""
        options = {"root_selector": PAGE_ROOT, "exclude_selectors": PAGE_LEFT_OUT}
        with pagefind.index(stall=self.stall, **options) as index:
            for url, html in pages.items():
                index.add_html(url, html)
            index.write(self.stage / search.PAGES)
        self._tidy(search.PAGES, UNUSED)

    def part(self, part: Part) -> dict[str, int]:
        """Index a part; its words, and how many of its records have each."""
        words = search.Vocabulary()
        with pagefind.index(stall=self.stall) as index:
            for entry in part.entries:
                document = search.document(self.dataset.record(entry), entry)
                words.add(document)
                index.add_record(document.url, document.content, document.meta, document.filters)
                self._advance()
            index.write(self.stage / part.path)
        self._tidy(part.path, (*UNUSED, *SHARED))
        publish.write(self.stage, search.vocabulary_file(part, words.counts))
        return words.counts

    def _advance(self) -> None:
        self.done += 1
        if self.done % 100 == 0 or self.done == self.total:
            self.progress("search", self.done, self.total)

    def _tidy(self, path: str, patterns: Iterable[str]) -> None:
        """Put Pagefind's files in order, and remove what is not used: its own interfaces, copies of its scripts."""
        for pattern in patterns:
            for unused in sorted((self.stage / path).glob(pattern)):
                publish.forget(unused)
        bundle.settle(self.stage, path)
