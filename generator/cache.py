"""What an earlier build knew, so that the next makes only what changed.

The manifest of pages with the stencils they were stamped from carries a fingerprint of everything but the records; one
that is damaged, of another version or of another configuration counts as none, and the build makes everything.
"""

import hashlib
from array import array
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any
from zlib import crc32

import msgspec

from generator import __version__, files, hubs, permalinks, stencil
from generator.api import Part
from generator.dataset import Entry
from generator.lookup.pairs import State
from generator.related import Own
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
    """Related errors as they were chosen: of each live record how many, and then their places among these.

    `own` are those within repositories, as this `version` of the code chooses them.
    """

    key: bytes = b""
    counts: bytes = b""
    places: bytes = b""
    version: str = ""
    own: dict[str, Own] = msgspec.field(default_factory=dict)


class Outline(msgspec.Struct, frozen=True, array_like=True):
    """What a published site's lists are and hold, of records that `key` stands for, and what keeps addresses alive.

    `links` is the key of the related errors, `version` the dataset's.
    """

    key: bytes
    links: bytes
    version: str
    indexes: tuple[hubs.Index, ...]
    kept: permalinks.Kept
    held: dict[str, bytes]


class Manifest(msgspec.Struct, array_like=True):
    """The published site: our pages and exports by address, other files with their size in bytes, and the stencils.

    `outline` is the key of its outline, or empty.
    """

    fingerprint: str = ""
    pages: dict[str, Made] = msgspec.field(default_factory=dict)
    exports: dict[str, Exported] = msgspec.field(default_factory=dict)
    others: dict[str, int] = msgspec.field(default_factory=dict)
    stencils: tuple[tuple[Shape, Stencil], ...] = ()
    outline: bytes = b""


def read_manifest(path: Path, fingerprint: str) -> tuple[Manifest, str]:
    """The manifest at `path`, or one without pages and why it is not used (empty where there was none).

    What other files there were is known even if settings changed.
    """
    if not path.exists():
        return Manifest(fingerprint), ""
    found = read(path, Manifest)
    if found is None:
        return Manifest(fingerprint), "the cache is damaged or of another version"
    if found.fingerprint != fingerprint:
        return Manifest(fingerprint, others=found.others), "settings, theme or versions changed"
    return found, ""


def links(key: bytes, live: Sequence[Entry], related: Mapping[str, tuple[str, ...]], own: Mapping[str, Own]) -> bytes:
    """The related errors of the `live` records, as `read_links` reads them for the same `key`, and `read_own`."""
    place = {entry.id: number for number, entry in enumerate(live)}
    found = [related.get(entry.id, ()) for entry in live]
    places = array("I", (place[other] for others in found for other in others))
    return encoded(Links(key, bytes(map(len, found)), places.tobytes(), code_fingerprint(), dict(own)))


def read_links(
    path: Path, key: bytes, live: Sequence[Entry], of: Collection[Entry] | None = None
) -> dict[str, tuple[str, ...]] | None:
    """The related errors that were kept for `key`, those of `of` or all, or None."""
    kept = read(path, Links)
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


def read_own(path: Path) -> Mapping[str, Own]:
    """The related errors within repositories that this version of the code chose, by repository."""
    kept = read(path, Links)
    return kept.own if kept is not None and kept.version == code_fingerprint() else {}


def read_outline(path: Path, key: bytes) -> Outline | None:
    """The outline at `path`, if it is of what `key` stands for."""
    found: Outline | None = read(path, Outline)
    return found if found is not None and found.key == key else None


def read_stencils(path: Path) -> dict[Shape, Stencil]:
    """The stencils in a file that `encoded` pairs of them were written to; `OSError` where it is gone.

    They have most of their parts in common: each is held once, or a worker had 14 MB of them.
    """
    pairs = decoded(path.read_bytes(), tuple[tuple[msgspec.Raw, msgspec.Raw], ...])
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
    found: State | None = read(path, State)
    return found if found is not None and found.key == key else State()


def read(path: Path, kind: type[Any]) -> Any:
    """A cache's value, or None where it is gone, damaged or of another kind."""
    try:
        return decoded(path.read_bytes(), kind)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        return None


_CHECK = 4
"""Bytes of the check before a cache's value."""


def decoded(content: bytes, kind: type[Any]) -> Any:
    """The value of a cache's bytes; `msgspec.DecodeError` where they are not what was written."""
    value = memoryview(content)[_CHECK:]
    if crc32(value).to_bytes(_CHECK, "big") != content[:_CHECK]:
        raise msgspec.DecodeError("damaged")
    return msgspec.msgpack.decode(value, type=kind)


def encoded(value: object) -> bytes:
    """A cache's bytes: a check, and the value."""
    content = msgspec.msgpack.encode(value)
    return crc32(content).to_bytes(_CHECK, "big") + content


def key(*parts: object) -> bytes:
    """The key of a page's inputs: 16 bytes of BLAKE2b over plain values."""
    return hashlib.blake2b(msgspec.msgpack.encode(parts), digest_size=16).digest()


def key_of_all(parts: Iterable[object]) -> bytes:
    """The key of inputs that are too many to hold at once."""
    digest = hashlib.blake2b(digest_size=16)
    for part in parts:
        digest.update(msgspec.msgpack.encode(part))
    return digest.digest()


def state_of(looks: Sequence[int]) -> tuple[bytes, int]:
    """Files' state (8 bytes over their sizes and times) and their size in bytes."""
    return hashlib.blake2b(repr(looks).encode(), digest_size=8).digest(), sum(map(files.size, looks))


@lru_cache(maxsize=1)
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
