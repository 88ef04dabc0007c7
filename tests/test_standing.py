"""What was published and no longer stands as it was left is noticed, whichever of a page's files it is."""

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from generator import cache, publish, standing
from generator.assemble import Outputs
from generator.cache import Manifest
from tests import samples, sites


def _replaced(path: Path) -> None:
    content = path.read_bytes()
    path.unlink()
    path.write_bytes(content + b"!")


def _appended(path: Path) -> None:
    with path.open("ab") as stream:
        stream.write(b"!")


def _gone_beside_a_copy(path: Path) -> None:
    """A copy was made of hard links, as backups are, and then the file went."""
    shutil.copytree(path.parent, path.parent.with_name(f"{path.parent.name}~"), copy_function=os.link)
    path.unlink()


def _gone_beside_a_link(path: Path) -> None:
    """One of two names of a content went, and another file has as many names as both had."""
    for one in (path, path.with_suffix(""), path.with_suffix(".json")):
        if one.exists():
            os.link(one, path.with_name(f"{one.name}~"))
            break
    path.unlink()


HARMS: dict[str, Callable[[Path], object]] = {
    "gone": Path.unlink,
    "replaced": _replaced,
    "appended to": _appended,
    "gone beside a copy": _gone_beside_a_copy,
    "gone beside a link": _gone_beside_a_link,
    "moved away": lambda path: path.rename(path.with_name(f"{path.name}~")),
}
FILES = ("page", "Markdown", "JSON", "JSON without a suffix", "permalink")


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Manifest]:
    """A site, and the manifest of what was published there."""
    folder = tmp_path_factory.mktemp("standing")
    samples.tree(folder / "records", samples.record(1), samples.record(2))
    site = sites.built(sites.small(folder))
    return site, cache.read(publish.workspace(folder, site).manifest, Manifest)


@pytest.mark.parametrize("harm", HARMS)
@pytest.mark.parametrize("file", FILES)
def test_any_harm_to_any_file_of_a_page_is_noticed(
    published: tuple[Path, Manifest], tmp_path: Path, file: str, harm: str
) -> None:
    kept, manifest = published
    site = tmp_path / "site"
    subprocess.run(["cp", "-a", str(kept), str(site)], check=True)  # with times and hard links
    assert list(standing.damaged(manifest, str(site), Outputs())) == []
    uri = min(uri for uri, made in manifest.pages.items() if made.mirrored)
    paths = dict(zip(FILES, standing.paths(uri, manifest.pages[uri], Outputs()), strict=True))
    HARMS[harm](site / paths[file])
    assert uri in set(standing.damaged(manifest, str(site), Outputs()))
