"""Pagefind's files put in order, so that equal input gives equal bytes.

Pagefind writes the values of its filters, and the list of the filters, in an order that differs from run
to run, and names files by what they hold. Here both are sorted and the names follow. The files are CBOR
(RFC 8949) of arrays, texts and whole numbers, compressed, behind a signature.
"""

import gzip
import hashlib
import json
from collections.abc import Iterator, Mapping
from typing import Any

SIGNATURE = b"pagefind_dcd"
ENTRY = "pagefind-entry.json"
PAGES, FILTERS = 1, 3
"""Where an index's lists stand: of pages (their files, how many words) and of filters (their names and files)."""

SHORTEST = 5
"""Hexadecimal digits in the name of a page's file, of the seven or more that Pagefind gives it."""

SHORT, LONG = 7, 10
"""Hexadecimal digits in the names of filters' files and of the index's own."""

Value = int | str | list["Value"]


UNKNOWN = (LookupError, TypeError, ValueError, OSError, EOFError, RuntimeError, StopIteration)
"""What reading raises that meets another form."""


def settled(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """An index's files by path, in order; those of a form that is not known here as they are."""
    try:
        return _settled(files)
    except UNKNOWN:
        return dict(files)


def _settled(files: Mapping[str, bytes]) -> dict[str, bytes]:
    done = dict(files)
    entry = json.loads(done.pop(ENTRY))
    for language in entry["languages"].values():
        index = _read(done.pop(f"pagefind.{language['hash']}.pf_meta"))
        _shorten(done, index[PAGES])
        index[FILTERS] = sorted([name, _settle_filter(done, file)] for name, file in index[FILTERS])
        content = _packed(index)
        language["hash"] = _named(language["hash"], content, LONG)
        done[f"pagefind.{language['hash']}.pf_meta"] = content
    done[ENTRY] = json.dumps(entry, ensure_ascii=False, separators=(",", ":")).encode()
    return done


def _shorten(files: dict[str, bytes], pages: list[Any]) -> None:
    """Give pages' files names no longer than it takes: the index lists them all, and they weigh the most in it."""
    taken = set[str]()
    for page in pages:
        before = page[0]
        least = before.index("_") + 1 + SHORTEST
        page[0] = next(name for end in range(least, len(before) + 1) if (name := before[:end]) not in taken)
        taken.add(page[0])
        files[f"fragment/{page[0]}.pf_fragment"] = files.pop(f"fragment/{before}.pf_fragment")


def _settle_filter(files: dict[str, bytes], name: str) -> str:
    """Sort a filter's values; the new name of its file."""
    found = _read(files.pop(f"filter/{name}.pf_filter"))
    found[1] = sorted(found[1])
    content = _packed(found)
    after = _named(name, content, SHORT)
    files[f"filter/{after}.pf_filter"] = content
    return after


def _named(before: str, content: bytes, digits: int) -> str:
    """The name of a file by what it holds, after the language that it had in front."""
    return f"{before.partition('_')[0]}_{hashlib.sha256(content).hexdigest()[:digits]}"


def _read(content: bytes) -> Any:
    plain = gzip.decompress(content)
    if not plain.startswith(SIGNATURE):
        raise ValueError("no file of an index")
    return _decoded(iter(plain[len(SIGNATURE) :]))


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
