"""Eleventy: paginations over the records make pages, mirror and lists; its own plugin highlights with Prism."""

import shutil
from collections.abc import Sequence
from pathlib import Path

from benchmarks.peers.peer import Ground, Peer, node_packages, printed

PACKAGES = {"@11ty/eleventy": "3.1.8", "@11ty/eleventy-plugin-syntaxhighlight": "5.0.2"}
FILES = Path(__file__).with_name("eleventy_site")


def _install(folder: Path) -> None:
    node_packages(folder, PACKAGES)


def _prepare(ground: Ground) -> None:
    shutil.copytree(FILES, ground.project, dirs_exist_ok=True)
    shutil.copyfile(ground.shown, ground.project / "shown.json")
    (ground.project / "records").symlink_to(ground.records, target_is_directory=True)
    (ground.project / "node_modules").symlink_to(ground.tools / "node_modules", target_is_directory=True)


def _command(ground: Ground) -> Sequence[str]:
    return [str(ground.tools / "node_modules" / ".bin" / "eleventy"), "--quiet"]


def _version(folder: Path) -> str:
    return f"Eleventy {PACKAGES['@11ty/eleventy']}, Node.js {printed(['node', '--version'])[1:]}"


PEER = Peer(
    name="eleventy",
    title="Eleventy",
    install=_install,
    prepare=_prepare,
    command=_command,
    version=_version,
    highlighted=r'<span class="token ',
    site="public",
    mirror="api/errors/{id}.json",
)
