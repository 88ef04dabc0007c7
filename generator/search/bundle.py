"""Pagefind's files put in order, so that equal input gives equal bytes.

Pagefind writes the values of its filters, and the list of the filters, in an order that differs from run
to run, and names files by what they hold. Here both are sorted and the names follow. The files are CBOR
(RFC 8949) of arrays, texts and whole numbers, compressed, behind a signature.
"""

import gzip
import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from generator import publish
from generator.files import File

SIGNATURE = b"pagefind_dcd"
ENTRY = "pagefind-entry.json"
FILTERS = 3
"""Where an index's list of filters stands: pairs of a filter's name and its file's."""

SHORT = 7
LONG = 10
"""Hexadecimal digits in the names of filters' files and of the index's own."""

Value = int | str | list["Value"]


def settle(stage: Path, path: str) -> None:
    """Put the index in the folder `path` of the stage in order."""
    folder = stage / path
    entry = json.loads((folder / ENTRY).read_bytes())
    for language in entry["languages"].values():
        before = language["hash"]
        index = _read(folder / f"pagefind.{before}.pf_meta")
        index[FILTERS] = sorted(_settled_filter(stage, path, name, file) for name, file in index[FILTERS])
        content = _packed(index)
        prefix = before.partition("_")[0]
        language["hash"] = f"{prefix}_{hashlib.sha256(content).hexdigest()[:LONG]}"
        publish.forget(folder / f"pagefind.{before}.pf_meta")
        publish.write(stage, File(f"{path}pagefind.{language['hash']}.pf_meta", content))
    publish.write(stage, File(f"{path}{ENTRY}", json.dumps(entry, ensure_ascii=False, separators=(",", ":")).encode()))


def _settled_filter(stage: Path, path: str, name: str, file: str) -> list[Value]:
    """Sort a filter's values; its name and its new file's."""
    before = stage / path / "filter" / f"{file}.pf_filter"
    found = _read(before)
    found[1] = sorted(found[1])
    content = _packed(found)
    publish.forget(before)
    after = f"{file.partition('_')[0]}_{hashlib.sha256(content).hexdigest()[:SHORT]}"
    publish.write(stage, File(f"{path}filter/{after}.pf_filter", content))
    return [name, after]


def _read(path: Path) -> Any:
    content = gzip.decompress(path.read_bytes())
    if not content.startswith(SIGNATURE):
        raise ValueError(path.name)
    return _decoded(iter(content[len(SIGNATURE) :]))


def _packed(value: Value) -> bytes:
    return gzip.compress(SIGNATURE + b"".join(_encoded(value)), mtime=0)


def _decoded(stream: Iterator[int]) -> Value:
    first = next(stream)
    kind, size = first >> 5, first & 31
    if size >= 24:
        size = int.from_bytes(next(stream) for _ in range(1 << (size - 24)))
    if kind == 0:
        return size
    if kind == 3:
        return bytes(next(stream) for _ in range(size)).decode()
    if kind == 4:
        return [_decoded(stream) for _ in range(size)]
    raise ValueError(f"CBOR of kind {kind}")


def _encoded(value: Value) -> Iterator[bytes]:
    if isinstance(value, int):
        yield _head(0, value)
    elif isinstance(value, str):
        content = value.encode()
        yield _head(3, len(content)) + content
    else:
        yield _head(4, len(value))
        for item in value:
            yield from _encoded(item)


def _head(kind: int, size: int) -> bytes:
    """The kind of an item and its size, in the fewest bytes."""
    if size < 24:
        return bytes([kind << 5 | size])
    power = next(power for power in range(4) if size < 1 << (8 << power))
    return bytes([kind << 5 | 24 + power]) + size.to_bytes(1 << power)
