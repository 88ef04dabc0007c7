"""Hugo: a content adapter reads the records, Chroma highlights, each page has its JSON, taxonomies make the lists."""

import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from benchmarks.peers.peer import Ground, Peer, printed, python_packages

VERSION = "0.168.0"
FILES = Path(__file__).with_name("hugo_site")


def _install(folder: Path) -> None:
    python_packages(folder, f"hugo=={VERSION}")


def _prepare(ground: Ground) -> None:
    shutil.copytree(FILES, ground.project, dirs_exist_ok=True)
    (ground.project / "records").symlink_to(ground.records, target_is_directory=True)
    (ground.project / "shown").mkdir()
    shutil.copyfile(ground.shown, ground.project / "shown" / "shown.json")


def _command(ground: Ground) -> Sequence[str]:
    return [str(ground.tools / "bin" / "hugo"), "--quiet", "--ignoreCache", "--cacheDir", str(ground.project / "cache")]


def _command_related(ground: Ground) -> Sequence[str]:
    return [*_command(ground), "--config", "hugo.yaml,related.yaml"]


def _version(folder: Path) -> str:
    words = printed([str(folder / "bin" / "hugo"), "version"]).split()
    found = [word for word in words if word.startswith("v") and word[1:2].isdigit()]
    return f"Hugo {found[0][1:].partition('-')[0]}" if found else ""


PEER = Peer(
    name="hugo",
    title="Hugo",
    install=_install,
    prepare=_prepare,
    command=_command,
    version=_version,
    highlighted=r'<span class=(?:"\w{1,3}"|\w{1,3})>',
    site="public",
    mirror="errors/{repo}/{slug}/index.json",
)

RELATED = replace(
    PEER, name="hugo-related", title="Hugo, finding related errors itself", command=_command_related, shares="hugo"
)
