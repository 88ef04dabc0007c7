"""Builds the search of some folders of records into a site, for a process whose time and memory are measured."""

import sys
from collections.abc import Iterable
from pathlib import Path

from generator import dataset
from generator.dataset import Dataset
from generator.search import indexing

PAGES = ("guide/", "about/")


def merged(roots: Iterable[Path]) -> Dataset:
    """The records of several folders as one dataset; of two with one id the first."""
    found = {entry.id: entry for root in reversed(list(roots)) for entry in dataset.load_or_raise(root).entries}
    return Dataset(tuple(sorted(found.values(), key=_place)))


def _place(entry: dataset.Entry) -> tuple[str, str, str]:
    return entry.repo.casefold(), entry.slug.casefold(), entry.id


def main(site: Path, roots: Iterable[Path]) -> None:
    """Put the search of the records under `roots` into `site`."""
    pages = {url: path.read_text("utf-8") for url in PAGES if (path := site / url / "index.html").is_file()}
    indexing.build(merged(roots), pages, stage=site, site=site, full=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), [Path(root) for root in sys.argv[2:]])
