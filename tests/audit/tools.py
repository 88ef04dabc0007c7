"""The audit's tools from npm, in pinned versions below .errordex."""

from pathlib import Path

from benchmarks.peers.peer import node_packages

PACKAGES = {"lighthouse": "13.5.0", "vnu-jar": "26.9.27"}
FOLDER = Path(".errordex/audit-tools")


def installed() -> Path:
    """The folder of the installed packages; `PeerError` says what hinders."""
    node_packages(FOLDER.resolve(), PACKAGES)
    return FOLDER.resolve() / "node_modules"
