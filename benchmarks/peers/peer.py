"""What the benchmark asks of every peer: to be installed at pinned versions, given the records, and run."""

import hashlib
import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

SITE = "https://errors.example/"
"""The address that every peer's site has: unlike its length, its host does not matter."""


class PeerError(Exception):
    """A peer that cannot be installed, run or trusted: it is named and left out of the ratios.

    The text says why, after "which"; `detail` is for the terminal alone, since it may name this machine's folders.
    """

    def __init__(self, why: str, detail: str = "") -> None:
        super().__init__(why)
        self.detail = detail


@dataclass(frozen=True, slots=True)
class Ground:
    """What a peer builds on.

    `tools` holds the installed peer; `project`, empty at first, is where its site is set up; `records` are the JSON
    records, `shown` the file of what no record holds itself: by id, the related records to link (`repo`, `slug`,
    `title`) and the tags that have a list; `published` is the site that Errordex made of the same records.
    """

    tools: Path
    project: Path
    records: Path
    shown: Path
    published: Path


@dataclass(frozen=True, slots=True)
class Peer:
    """One peer.

    `prepare` sets the project up and is not measured; `command` is, and writes into `site`, relative to the project.
    `highlighted` is a regular expression of the markup of highlighted code; `mirror` the path of a record's JSON, with
    `{id}`, `{repo}` and `{slug}`, empty where the peer makes none; `version` is that of what `install` installed,
    and `shares` the name of another peer whose installation serves this one too.
    """

    name: str
    title: str
    install: Callable[[Path], None]
    prepare: Callable[[Ground], None]
    command: Callable[[Ground], Sequence[str]]
    version: Callable[[Path], str]
    highlighted: str
    site: str
    mirror: str = ""
    shares: str = ""
    environment: Mapping[str, str] = field(default_factory=dict)


def python_packages(folder: Path, *arguments: str) -> None:
    """Install with pip into an environment of its own in `folder`, unless that was done with the same arguments."""

    def install() -> None:
        _tool([sys.executable, "-m", "venv", str(folder)], folder)
        pip = [str(folder / "bin" / "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        _tool([*pip, *arguments], folder)

    _once(folder, arguments, install)


def node_packages(folder: Path, packages: Mapping[str, str]) -> None:
    """Install the exact versions of `packages` with npm into `folder`, unless that was done."""

    def install() -> None:
        if shutil.which("npm") is None:
            raise PeerError("cannot be installed", "there is no npm; install Node.js 20 or newer")
        (folder / "package.json").write_text(json.dumps({"private": True, "dependencies": dict(packages)}), "utf-8")
        _tool(["npm", "install", "--no-audit", "--no-fund", "--loglevel=error"], folder)

    _once(folder, sorted(packages.items()), install)


def _once(folder: Path, wanted: object, install: Callable[[], None]) -> None:
    """Install into an emptied `folder` and note what, or leave a folder as it is that notes the same."""
    note, digest = folder / "installed", hashlib.sha256(repr(wanted).encode()).hexdigest()
    if note.is_file() and note.read_text("utf-8") == digest:
        return
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    install()
    note.write_text(digest, "utf-8")


def _tool(command: Sequence[str], folder: Path) -> None:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise PeerError("cannot be installed", done.stderr or done.stdout)


def printed(command: Sequence[str]) -> str:
    """What a command prints, on one line; empty if it fails."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return " ".join(done.stdout.split()) if done.returncode == 0 else ""


def distribution(folder: Path, *names: str) -> str:
    """`name version` of distributions installed in the environment in `folder`, joined by commas."""
    script = (
        "import sys; from importlib.metadata import version as v; print(', '.join(f'{n} {v(n)}' for n in sys.argv[1:]))"
    )
    return printed([str(folder / "bin" / "python"), "-c", script, *names])
