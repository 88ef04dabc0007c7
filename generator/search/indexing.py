"""Builds the search: has Pagefind make the parts that changed, and keeps the others as they were published."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from generator import publish
from generator.dataset import Dataset
from generator.files import File
from generator.search import bundle, catalogue, lists, pagefind
from generator.search.documents import Document, document
from generator.search.pages import text_of
from generator.search.parts import Part, parts

PAGE_OPTIONS: Mapping[str, Any] = {"root_selector": "#__main", "exclude_selectors": ["table", ".edx-pages"]}
"""Of a hand-written page its article, without lists of records: those have pages of their own."""

UNUSED = ("pagefind-*ui.*", "pagefind-highlight.js", "pagefind-worker.js", "wasm.unknown.pagefind")
SHARED = ("pagefind.js", "wasm.*.pagefind")
FIRST = "search/records/00/"
"""The part that the page opens first; Pagefind's own scripts are taken from there alone."""

NOT_SEARCHED = frozenset({"", "./", "search/", "lookup/"})
"""The home page and those that only ask."""

Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class Built:
    """What was done: the folders that must stay in the site though the stage has none, and how many were made anew.

    `kept` are relative to the site's root; each ends in a slash.
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
    progress: Progress = lambda _what, _done, _total: None,
    stall: float = pagefind.STALL,
) -> Built:
    """Put the search into `stage`, but for the parts that `site` has as they must be.

    `pages` are the hand-written pages and the families' articles: HTML by address. `full` keeps nothing.
    Raises `MachineError` when Pagefind is missing, crashes, or gives no answer for `stall` seconds.
    """
    version = pagefind.version()
    grouped = parts(dataset)
    searched = {url: html for url, html in sorted(pages.items()) if url not in NOT_SEARCHED}
    keys = {part.path: part.key(version) for part in grouped}
    keys[catalogue.PAGES] = catalogue.pages_key(searched, version)
    kept = set[str]() if full else _kept(site, keys)
    making = _Making(
        dataset, stage, stall, progress, sum(len(part.entries) for part in grouped if part.path not in kept)
    )
    if catalogue.PAGES not in kept:
        making.pages(searched)
    vocabularies = [_words(site, part) if part.path in kept else making.part(part) for part in grouped]
    shards = lists.shards([*vocabularies, lists.counted(map(text_of, searched.values()))])
    publish.write_all(stage, lists.files(shards))
    publish.write(stage, catalogue.catalogue(dataset, keys, grouped, shards))
    return Built(tuple(sorted(kept)), len(keys) - len(kept))


def _kept(site: Path, keys: Mapping[str, str]) -> set[str]:
    """The folders that an earlier build published under the same key."""
    try:
        before = catalogue.keys((site / catalogue.PATH).read_bytes())
    except (OSError, ValueError):
        return set()
    same = {path for path, key in keys.items() if before.get(path) == key}
    return {path for path in same if (site / path / bundle.ENTRY).is_file()}


def _words(site: Path, part: Part) -> dict[str, int]:
    return lists.read((site / lists.path_of(part)).read_bytes())


@dataclass
class _Making:
    """Indexes in the making, one after the other; each has a Pagefind of its own, whose memory ends with it."""

    dataset: Dataset
    stage: Path
    stall: float
    progress: Progress
    total: int
    done: int = 0

    def pages(self, pages: Mapping[str, str]) -> None:
        """Index the hand-written pages."""
        with self._written(catalogue.PAGES, PAGE_OPTIONS) as index:
            for url, html in pages.items():
                index.add_html(url, html)

    def part(self, part: Part) -> dict[str, int]:
        """Index a part; its words, and how many of its records have each."""
        with self._written(part.path) as index:
            counts = lists.counted(self._added(index, one) for one in self._documents(part))
        publish.write(self.stage, lists.kept(part, counts))
        return counts

    def _documents(self, part: Part) -> Iterator[Document]:
        for entry in part.entries:
            yield document(self.dataset.record(entry), entry)
            self.done += 1
            if self.done % 100 == 0 or self.done == self.total:
                self.progress("search", self.done, self.total)

    def _added(self, index: pagefind.Index, one: Document) -> str:
        index.add_record(one.url, one.content, one.meta, one.filters)
        return one.text

    @contextmanager
    def _written(self, path: str, options: Mapping[str, Any] | None = None) -> Iterator[pagefind.Index]:
        """An empty index, whose files are put into the folder `path` at the end, without those that serve nothing."""
        unused = UNUSED if path == FIRST else (*UNUSED, *SHARED)
        with pagefind.index(stall=self.stall, **(options or {})) as index:
            yield index
            found = index.files()
        for name, content in bundle.settled(found).items():
            if not any(fnmatchcase(name, pattern) for pattern in unused):
                publish.write(self.stage, File(f"{path}{name}", content))
