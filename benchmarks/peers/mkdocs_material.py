"""MkDocs with Material alone, in the releases that Errordex itself runs on."""

from collections.abc import Sequence
from pathlib import Path

from benchmarks.peers.markdown import lay_out
from benchmarks.peers.peer import Ground, Peer, distribution, python_packages

REQUIREMENTS = Path(__file__).parents[2] / "requirements" / "site.txt"


def _install(folder: Path) -> None:
    python_packages(folder, "--requirement", str(REQUIREMENTS))


def _command(ground: Ground) -> Sequence[str]:
    return [str(ground.tools / "bin" / "mkdocs"), "build", "--quiet"]


def _version(folder: Path) -> str:
    return distribution(folder, "mkdocs", "mkdocs-material", "Pygments")


PEER = Peer(
    name="mkdocs-material",
    title="MkDocs + Material",
    install=_install,
    prepare=lay_out,
    command=_command,
    version=_version,
    highlighted=r'<span class="\w{1,3}">',
    site="site",
    environment={"NO_MKDOCS_2_WARNING": "1"},
)
