"""Keeps a folder in step with a mirror: the same records, byte for byte, and only what differs is fetched."""

import hashlib
import os
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from generator import publish, urls
from generator.api import Change, Part
from generator.client import Mirror, decoded, stale
from generator.files import File
from generator.problems import UsageError
from generator.transport import MirrorError

REQUEST_COST = 20_000
"""A request costs as much as so many bytes: what decides between a bulk file and its records one by one."""

MARKER = ".errordex-copy"
"""The file that tells a copy from a folder of one's own records, which `sync` leaves alone."""

_ID = re.compile(r"[0-9a-f]{16}\Z")


@dataclass(frozen=True, slots=True)
class Synced:
    """What a sync did: ids that are new, changed or gone, sorted, and how many records there are now."""

    added: tuple[str, ...]
    changed: tuple[str, ...]
    removed: tuple[str, ...]
    total: int


def sync(mirror: Mirror, folder: Path) -> Synced:
    """Make `folder` a copy of the mirror: `<owner>/<name>/<id>.json`, each the bytes that were published.

    Fetched is only what differs by its hash, in bulk where that is less; a sync that was cut short is
    finished by the next. Refuses a folder that holds something else than a copy.
    """
    _claim(folder)
    changes = {change.id: change for change in mirror.changes()}
    if (total := mirror.version().counts.records) != len(changes):
        differ = f"the mirror counts {total:,} records and lists {len(changes):,}"
        raise MirrorError(f"{differ}; it may be just being published, try again [EDX061]")
    present = _present(folder)
    wanted = [change for change in changes.values() if not _same(present.get(change.id), change.sha256)]
    for form in _fetched(mirror, wanted):
        _put(folder, form, present)
    gone = sorted(present.keys() - changes.keys())
    for record_id in gone:
        present[record_id].unlink()
    return Synced(
        added=tuple(sorted(change.id for change in wanted if change.id not in present)),
        changed=tuple(sorted(change.id for change in wanted if change.id in present)),
        removed=tuple(gone),
        total=total,
    )


def _claim(folder: Path) -> None:
    """Mark an empty folder as a copy; `UsageError` for one that holds something else."""
    if not (folder / MARKER).is_file():
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise UsageError(f"{folder}: is no copy of a mirror, and not empty; give another folder [EDX063]")
        publish.write(folder, File(MARKER, b"A copy of an Errordex mirror; files here are replaced and deleted.\n"))


def _present(folder: Path) -> dict[str, Path]:
    """The copy's records by id; links are none of ours."""
    found: dict[str, Path] = {}
    for parent, _, names in os.walk(folder):
        if len(Path(parent).relative_to(folder).parts) == 2:
            paths = (Path(parent, name) for name in sorted(names) if name.endswith(".json") and _ID.match(name[:-5]))
            found |= {path.stem: path for path in paths if not path.is_symlink()}
    return found


def _same(path: Path | None, sha256: str) -> bool:
    return path is not None and hashlib.sha256(path.read_bytes()).hexdigest() == sha256


def _fetched(mirror: Mirror, wanted: Iterable[Change]) -> Iterator[bytes]:
    """The files of the wanted records, each checked by its hash."""
    left = {change.sha256: change.id for change in wanted}
    ids = sorted(left.values())
    for part in mirror.parts() if ids else []:
        if _worthwhile(part, ids):
            for form in mirror.forms(part):
                if left.pop(hashlib.sha256(form).hexdigest(), None):
                    yield form
    for sha256, record_id in left.items():
        form = mirror.form(record_id)
        if hashlib.sha256(form).hexdigest() != sha256:
            raise stale(f"record {record_id}", "api/modified.csv")
        yield form


def _worthwhile(part: Part, wanted: Sequence[str]) -> bool:
    """Whether fetching a part costs less than the wanted records in it one by one; `wanted` is sorted."""
    count = bisect_right(wanted, f"{part.last}~") - bisect_left(wanted, part.first)
    average = part.uncompressed_bytes // max(1, part.records)
    return count * (REQUEST_COST + average) > part.bytes + REQUEST_COST


def _put(folder: Path, form: bytes, present: Mapping[str, Path]) -> None:
    record = decoded(form, "the mirror").record
    uri = f"{urls.repository(record.repo).removeprefix('errors/')}{record.id}.json"
    former = present.get(record.id)
    target = folder / uri
    if target.parent.exists() and not target.parent.resolve().is_relative_to(folder.resolve()):
        raise UsageError(f"{target.parent}: a link out of the copy; remove it and sync again [EDX063]")
    target.unlink(missing_ok=True)
    publish.write(folder, File(uri, form))
    if former is not None and former != target:
        former.unlink()
