"""Whether what an earlier build published stands as it was left."""

from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

from generator import assemble, cache
from generator.assemble import Outputs
from generator.cache import Made, Manifest


def paths(uri: str, made: Made, outputs: Outputs) -> Iterator[str]:
    """The files of a page."""
    return assemble.paths(uri, made.record_id, made.mirrored, outputs)


def state(site: Path, paths: Iterable[str]) -> tuple[bytes, int]:
    """The state of files of a site as they are now, and their size in bytes; (empty, 0) if one is missing."""
    return cache.state(f"{site}/{path}" for path in paths)


def damaged(manifest: Manifest, site: Path, outputs: Outputs) -> Iterator[str]:
    """The addresses of pages and exports of which a file is not as it was published: five looks a record."""
    root = "" if site == Path() else f"{site}/"
    for uri, made in manifest.pages.items():
        now, _ = cache.state([root + path for path in paths(uri, made, outputs)])
        if made.state != now or not now:
            yield uri
    for uri, exported in manifest.exports.items():
        now, _ = cache.state([root + path for path in exported.paths])
        if exported.state != now or not now:
            yield uri


def overlaid(manifest: Manifest, given: Collection[str], outputs: Outputs) -> Iterator[str]:
    """The addresses of pages and exports in whose place the owner's docs have a file: they are made in each build."""
    pages = {uri for path in given if (uri := path.removesuffix("index.html")) in manifest.pages}
    yield from pages
    others = {path for path in given if path.startswith(("api/", "e/", "llms"))}
    for uri, made in manifest.pages.items() if others else ():
        if uri not in pages and not others.isdisjoint(paths(uri, made, outputs)):
            yield uri
    for uri, exported in manifest.exports.items() if others else ():
        if not others.isdisjoint(exported.paths):
            yield uri
