"""What the search page reads first, and a later build too: `search/parts.json`."""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence

from generator.dataset import Dataset
from generator.files import File
from generator.search.parts import FORMAT, Part

ROOT = "search/"
PATH = "search/parts.json"
PAGES = "search/pages/"
"""The index of hand-written pages."""


def pages_key(pages: Mapping[str, str], version: str) -> str:
    """Changes when the index of hand-written pages (HTML by address) must be built anew."""
    digest = hashlib.sha256(f"{FORMAT} {version}".encode())
    for url, html in sorted(pages.items()):
        digest.update(f"\n{url} {hashlib.sha256(html.encode()).hexdigest()}".encode())
    return digest.hexdigest()[:16]


def catalogue(dataset: Dataset, keys: Mapping[str, str], parts: Sequence[Part], shards: Iterable[str]) -> File:
    """The indexes' folders and keys, how many records each has, and families' titles by tag.

    `shards` name the lists of words. The hand-written pages stand last among the indexes.
    """
    listed = [(part.path, len(part.entries)) for part in parts] + [(PAGES, 0)]
    tags = sorted({entry.family for entry in dataset.live if entry.family})
    content = {
        "format": FORMAT,
        "parts": [{"path": path.removeprefix(ROOT), "key": keys[path], "records": count} for path, count in listed],
        "words": {"key": hashlib.sha256("".join(keys.values()).encode()).hexdigest()[:16], "files": " ".join(shards)},
        "families": {tag: dataset.family(tag).name for tag in tags},
    }
    return File(PATH, json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode())


def keys(content: bytes) -> dict[str, str]:
    """The keys of a published search by folder, none of another format; `ValueError` where it is damaged."""
    found = json.loads(content)
    try:
        listed = found["parts"] if found["format"] == FORMAT else []
        return {f"{ROOT}{one['path']}": str(one["key"]) for one in listed}
    except (KeyError, TypeError) as error:
        raise ValueError(error) from None
