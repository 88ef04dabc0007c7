"""What an earlier build knew, so that the next makes only what changed.

Two files in the workspace: the index of record files, and the manifest of pages with the stencils they
were stamped from. Both carry a fingerprint of everything but the records; one that is damaged, of
another version or of another configuration counts as none, and the build makes everything.
"""

import hashlib
import os
from array import array
from collections.abc import Collection, Iterable, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import msgspec

from generator import __version__, edits, hubs, permalinks, stencil
from generator.api import Part
from generator.dataset import Entry
from generator.edits import Edit
from generator.lookup.pairs import State
from generator.sources import Found
from generator.stencil import Shape, Stencil

DEPENDENCIES = (
    "jinja2",
    "markdown",
    "markupsafe",
    "mkdocs",
    "mkdocs-material",
    "msgspec",
    "pygments",
    "pymdown-extensions",
    "squarify",
)


class Known(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A record file as it was indexed: its state (size, times, inode) and its entries; faulty files are not kept."""

    state: tuple[int, ...]
    entries: tuple[Entry, ...]


class Index(msgspec.Struct, array_like=True):
    """Indexed record files by path; equal `mark`s are of equal files."""

    fingerprint: str = ""
    mark: bytes = b""
    files: dict[str, Known] = msgspec.field(default_factory=dict)


class Recollection:
    """The index as a dataset's memory: `before` from an earlier build, with its `mark`, and `after` for the next."""

    def __init__(self, before: Index) -> None:
        self._before, self.mark = before.files, before.mark
        self.after = Index(before.fingerprint, before.mark)
        self.edited: dict[str, tuple[Sequence[Entry], Sequence[Entry]]] = {}
        self._other: list[tuple[str, tuple[int, ...]]] = []

    def recall(self, file: Found) -> Sequence[Entry] | None:
        """The entries of a file whose state is as it was."""
        known = self._before.pop(file.path, None)
        if known is not None and known.state == file.state:
            return known.entries
        if known is not None:
            self.edited[file.path] = (known.entries, ())
        self._other.append(file)
        return None

    def keep(self, file: Found, entries: Sequence[Entry]) -> None:
        """Remember the entries of a file that was asked for; an unpacked one's addresses are gone with the spool."""
        if not file.path.endswith(".gz"):
            self.after.files[file.path] = Known(file.state, tuple(entries))
        if file.path in self.edited:
            self.edited[file.path] = (self.edited[file.path][0], entries)

    @property
    def changed(self) -> bool:
        """Whether any file is another than before, or new, or gone; known when all were asked for."""
        return bool(self._other or self._before)

    @property
    def edits(self) -> list[Edit] | None:
        """What changed, where that is no more than what records say of themselves."""
        if self._before or len(self._other) != len(self.edited):
            return None
        return edits.of_files(self.edited.values())

    def finish(self) -> Index:
        """The index of this build, to be written if `changed`."""
        if self.changed:
            self.after.mark = key(self.mark, self._other, sorted(self._before))
        return self.after


class Made(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A page that was published.

    `key` is that of its inputs, `state` that of its files as they were published, `size` theirs in bytes
    together; `record_id` and `mirrored` tell which files those are.
    """

    key: bytes
    state: bytes
    size: int
    record_id: str
    mirrored: bool

    def has_files_of(self, other: "Made | None") -> bool:
        """Whether its files are those of `other`, made at the same address."""
        return other is not None and (self.record_id, self.mirrored) == (other.record_id, other.mirrored)


class Exported(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A job of the JSON export that was published: its key, its files with their state and size, and what it gave."""

    key: bytes
    paths: tuple[str, ...]
    part: tuple[str, Part] | None
    state: bytes = b""
    size: int = 0


class Links(msgspec.Struct, array_like=True):
    """Related errors as they were chosen: of each live record how many, and then their places among these."""

    key: bytes = b""
    counts: bytes = b""
    places: bytes = b""


class Outline(msgspec.Struct, frozen=True, array_like=True):
    """What a published site's lists are, of records that `key` stands for, and what keeps former addresses alive.

    `links` is the key of the related errors, `version` the dataset's.
    """

    key: bytes
    links: bytes
    version: str
    indexes: tuple[hubs.Index, ...]
    kept: permalinks.Kept


class Manifest(msgspec.Struct, array_like=True):
    """The published site: our pages and exports by address, other files with their size in bytes, and the stencils."""

    fingerprint: str = ""
    pages: dict[str, Made] = msgspec.field(default_factory=dict)
    exports: dict[str, Exported] = msgspec.field(default_factory=dict)
    others: dict[str, int] = msgspec.field(default_factory=dict)
    stencils: tuple[tuple[Shape, Stencil], ...] = ()


def read_index(path: Path, fingerprint: str) -> Index:
    """The index at `path`, or an empty one where it does not fit."""
    found = _read(path, Index)
    return found if found is not None and found.fingerprint == fingerprint else Index(fingerprint)


def read_manifest(path: Path, fingerprint: str) -> tuple[Manifest, str]:
    """The manifest at `path`, or one without pages and why it is not used (empty where there was none).

    What other files there were is known even if settings changed.
    """
    if not path.exists():
        return Manifest(fingerprint), ""
    found = _read(path, Manifest)
    if found is None:
        return Manifest(fingerprint), "the cache is damaged or of another version"
    if found.fingerprint != fingerprint:
        return Manifest(fingerprint, others=found.others), "settings, theme or versions changed"
    return found, ""


def links(key: bytes, live: Sequence[Entry], related: Mapping[str, tuple[str, ...]]) -> bytes:
    """The related errors of the `live` records, as `read_links` reads them for the same `key`."""
    place = {entry.id: number for number, entry in enumerate(live)}
    found = [related.get(entry.id, ()) for entry in live]
    places = array("I", (place[other] for others in found for other in others))
    return encoded(Links(key, bytes(map(len, found)), places.tobytes()))


def read_links(
    path: Path, key: bytes, live: Sequence[Entry], of: Collection[Entry] | None = None
) -> dict[str, tuple[str, ...]] | None:
    """The related errors that were kept for `key`, those of `of` or all, or None."""
    kept = _read(path, Links)
    if kept is None or kept.key != key or len(kept.counts) != len(live):
        return None
    wanted = None if of is None else {entry.id for entry in of}
    places = array("I", kept.places)
    found, start = {}, 0
    for entry, count in zip(live, kept.counts, strict=True):
        if count and (wanted is None or entry.id in wanted):
            found[entry.id] = tuple([live[place].id for place in places[start : start + count]])
        start += count
    return found


def read_outline(path: Path, key: bytes) -> Outline | None:
    """The outline at `path`, if it is of the records that `key` stands for."""
    found: Outline | None = _read(path, Outline)
    return found if found is not None and found.key == key else None


def read_stencils(path: Path) -> dict[Shape, Stencil]:
    """The stencils in a file that `encoded` pairs of them were written to; `OSError` where it is gone.

    They have most of their parts in common: each is held once, or a worker had 14 MB of them.
    """
    pairs = msgspec.msgpack.decode(path.read_bytes(), type=tuple[tuple[msgspec.Raw, msgspec.Raw], ...])
    shape, cut = msgspec.msgpack.Decoder(Shape).decode, msgspec.msgpack.Decoder(Stencil).decode
    held: dict[Any, Any] = {}
    found = {}
    for raw_shape, raw in pairs:
        of = shape(raw_shape)
        of = of._replace(parts=tuple([held.setdefault(part, part) for part in of.parts]))
        found[of] = stencil.shared(cut(raw), held)
    return found


def read_lookup(path: Path, key: bytes) -> State:
    """What is known of the lookup's index that was made for `key`, or nothing."""
    found: State | None = _read(path, State)
    return found if found is not None and found.key == key else State()


def _read(path: Path, kind: type[Any]) -> Any:
    try:
        return msgspec.msgpack.decode(path.read_bytes(), type=kind)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        return None


def encoded(value: object) -> bytes:
    """A cache's bytes."""
    return msgspec.msgpack.encode(value)


def key(*parts: object) -> bytes:
    """The key of a page's inputs: 16 bytes of BLAKE2b over plain values."""
    return hashlib.blake2b(msgspec.msgpack.encode(parts), digest_size=16).digest()


def key_of_all(parts: Iterable[object]) -> bytes:
    """The key of inputs that are too many to hold at once."""
    digest = hashlib.blake2b(digest_size=16)
    for part in parts:
        digest.update(msgspec.msgpack.encode(part))
    return digest.digest()


def state(paths: Iterable[str]) -> tuple[bytes, int]:
    """Published files' state (8 bytes over their sizes and times) and their size; (empty, 0) if one is missing."""
    digest, size = hashlib.blake2b(digest_size=8), 0
    try:
        for path in paths:
            stat = os.stat(path)
            size += stat.st_size
            digest.update(b"%d %d;" % (stat.st_size, stat.st_mtime_ns))
    except OSError:
        return b"", 0
    return digest.digest(), size


def code_fingerprint() -> str:
    """A digest of Errordex's own code and templates, and its version."""
    return _digest([__version__, *_contents(Path(__file__).parent, (".py", ".jinja"))])


def fingerprint(config_file: Path, folders: Iterable[Path], settings: Mapping[str, Any]) -> str:
    """A digest of all that shapes pages besides records: settings, theme, templates, code and versions."""
    versions = [f"{name} {_version(name)}" for name in DEPENDENCIES]
    theme = [text for folder in sorted(folders) for text in _contents(folder, ())]
    config = config_file.read_text("utf-8") if config_file.is_file() else ""
    return _digest([code_fingerprint(), *versions, config, repr(sorted(settings.items())), *theme])


def _contents(folder: Path, suffixes: tuple[str, ...]) -> Iterable[str]:
    for path in sorted(folder.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts and (not suffixes or path.suffix in suffixes):
            yield f"{path.relative_to(folder).as_posix()} {hashlib.sha256(path.read_bytes()).hexdigest()}"


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""


def _digest(parts: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(parts).encode("utf-8", "surrogateescape")).hexdigest()
