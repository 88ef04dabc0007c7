"""Whether what an earlier build published stands as it was left."""

import os
from collections.abc import Collection, Iterable, Iterator
from itertools import chain

from generator import assemble, cache, files
from generator.assemble import Outputs
from generator.cache import Made, Manifest


def paths(uri: str, made: Made, outputs: Outputs) -> Iterator[str]:
    """The files of a page."""
    return assemble.paths(uri, made.record_id, made.mirrored, outputs)


def state(site: str, paths: Iterable[str]) -> tuple[bytes, int]:
    """The state of files of a site as they are now, and their size in bytes; (empty, 0) if one is missing."""
    try:
        return cache.state_of([files.look(os.stat(f"{site}/{path}")) for path in paths])
    except OSError:
        return b"", 0


def damaged(manifest: Manifest, site: str, outputs: Outputs) -> Iterator[str]:
    """The addresses of pages and exports of which a file is not as it was published: five looks a record."""
    pages = ((uri, made.state, paths(uri, made, outputs)) for uri, made in manifest.pages.items())
    exports = ((uri, exported.state, exported.paths) for uri, exported in manifest.exports.items())
    for uri, published, own in chain(pages, exports):
        now, _ = state(site, own)
        if published != now or not now:
            yield uri


def overlaid(manifest: Manifest, given: Collection[str], outputs: Outputs) -> Iterator[str]:
    """The addresses of pages and exports in whose place the owner's docs have a file: they are made in each build."""
    pages = {uri for path in given if (uri := path.removesuffix("index.html")) in manifest.pages}
    yield from pages
    beside = {path for path in given if path.startswith(("api/", "e/"))}
    for uri, made in manifest.pages.items() if beside else ():
        if uri not in pages and not beside.isdisjoint(paths(uri, made, outputs)):
            yield uri
    all_given = frozenset(given)
    for uri, exported in manifest.exports.items():
        if not all_given.isdisjoint(exported.paths):
            yield uri
