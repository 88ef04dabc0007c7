"""Zensical, by the authors of Material, on the Markdown and the settings that MkDocs gets."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from benchmarks.peers.markdown import lay_out
from benchmarks.peers.peer import Ground, Peer, distribution, python_packages

VERSION = "0.0.73"
"""The last that needs no `zensical-ui`, a distribution that not every index has."""


def _install(folder: Path) -> None:
    python_packages(folder, f"zensical=={VERSION}")


def _command(ground: Ground) -> Sequence[str]:
    return [str(ground.tools / "bin" / "zensical"), "build", "--clean"]


def _version(folder: Path) -> str:
    return distribution(folder, "zensical")


PEER = Peer(
    name="zensical",
    title="Zensical",
    install=_install,
    prepare=partial(lay_out, lists_searched=False),  # its search refuses lists of 200 errors
    command=_command,
    version=_version,
    highlighted=r'<span class="\w{1,3}">',
    site="site",
)
