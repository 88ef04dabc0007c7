"""Errordex's own errors as records, and the page of any record in the terminal."""

import re
import tempfile
from collections.abc import Iterable
from pathlib import Path

from generator import assemble, dataset, escape, pages
from generator.client import Mirror
from generator.dataset import Dataset, Entry
from generator.pages import Site
from generator.transport import MissingError

_ID = re.compile(r"[0-9a-f]{16}")
_PACKAGED = Path(__file__).parent / "own_records"
_CHECKOUT = Path(__file__).parent.parent / "records" / "errordex" / "errordex"


def folder() -> Path:
    """Where Errordex's own records are: in the package, or in a checkout of it."""
    return _PACKAGED if _PACKAGED.is_dir() else _CHECKOUT


def explain(key: str, folders: Iterable[Path]) -> str | None:
    """The page of the record with this id, code, or slug, as Markdown; None where no folder has it."""
    for root in folders:
        found, _ = dataset.load(root)
        entry = _find(found, key)
        if entry is not None:
            plan = assemble.plan(found, Site())
            values = pages.view(found.record(entry), assemble.neighbours(plan, entry), plan.site)
            return _without_front_matter(pages.markdown(pages.RECORD, values))
    return None


def explain_from(mirror: Mirror, key: str) -> str | None:
    """The page of a mirror's record with this id or slug, as Markdown; None where it has none.

    Raises `MirrorError` where the mirror cannot be read.
    """
    wanted = key.strip("/").casefold()
    if not _ID.fullmatch(wanted):
        rows = (row for row in mirror.rows() if wanted in (row.slug.casefold(), f"{row.repo}/{row.slug}".casefold()))
        row = next(rows, None)
        if row is None:
            return None
        wanted = row.id
    try:
        form = mirror.form(wanted)
    except MissingError:
        return None
    with tempfile.TemporaryDirectory() as copy:
        (Path(copy) / f"{wanted}.json").write_bytes(form)
        return explain(wanted, [Path(copy)])


def _find(found: Dataset, key: str) -> Entry | None:
    wanted = key.strip("/").casefold()
    for entry in found.entries:
        names = (entry.id, entry.error_code or "", entry.slug, f"{entry.repo}/{entry.slug}")
        if wanted in {name.casefold() for name in names if name}:
            return entry
    return None


def _without_front_matter(page: str) -> str:
    return escape.visible(page.split("\n---\n", 1)[1].lstrip("\n")) if page.startswith("---\n") else page
