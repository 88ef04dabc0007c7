"""Builds whole sites for tests, with the real parts: MkDocs, Material, this repository's theme."""

import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from generator import builds, publish
from generator.builds import Built

ROOT = Path(__file__).parent.parent


def project(
    folder: Path, records: Path, *, docs: Path | None = None, plugin: Mapping[str, Any] | None = None, **settings: Any
) -> Path:
    """Write a mkdocs.yml into `folder` that publishes `records` with this repository's theme; its path.

    The full-text search, which most tests do not ask, is off.
    """
    config = yaml.safe_load((ROOT / "mkdocs.yml").read_text("utf-8"))
    config["theme"]["custom_dir"] = str(ROOT / "overrides")
    config["docs_dir"] = str(docs or ROOT / "docs")
    config["plugins"] = [{"errordex": {"records": str(records), "search": False, **(plugin or {})}}]
    config.update(settings)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "mkdocs.yml"
    path.write_text(yaml.safe_dump({key: value for key, value in config.items() if value is not None}), "utf-8")
    return path


def build(folder: Path, records: Path, **options: Any) -> tuple[Built, Path]:
    """Build `records` in `folder`; options of `builds.build` by name, others are settings. What, and where."""
    names = ("jobs", "full", "keep_going", "allow_delete", "strict", "executor", "scheduler")
    chosen = {name: options.pop(name) for name in names if name in options}
    config = project(folder, records, **options)
    return builds.build(config, **chosen), folder / "site"


KEPT = {
    "index",
    "lock",
    "lookup.msgpack",
    "manifest.msgpack",
    "outline.msgpack",
    "related.msgpack",
    "templates",
}
"""What a finished build leaves in its workspace."""


def contents(site: Path) -> dict[str, bytes]:
    """Every file of a site by its path."""
    return {path.relative_to(site).as_posix(): path.read_bytes() for path in sorted(site.rglob("*")) if path.is_file()}


def small(folder: Path, *, docs: Mapping[str, str] | None = None, **settings: Any) -> Path:
    """Like `project`, with `records/` and a few hand-written pages of its own in `folder`; its mkdocs.yml."""
    for name, text in {"index.md": "# Home\n", **(docs or {})}.items():
        (folder / "docs" / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / "docs" / name).write_text(text, "utf-8")
    settings = {"nav": None, "not_in_nav": None, **settings}
    return project(folder, folder / "records", docs=folder / "docs", **settings)


def built(config: Path, **options: Any) -> Path:
    """Build the site of a mkdocs.yml; where it is."""
    return Path(builds.build(config, **options).site)


def clean(config: Path, folder: Path) -> dict[str, bytes]:
    """The files of the site that a full build into an empty folder gives, with nothing known from earlier builds."""
    output = Path(tempfile.mkdtemp(dir=folder))
    builds.build(config, output, allow_delete=True)
    made = contents(output)
    shutil.rmtree(output)
    shutil.rmtree(publish.workspace(config.parent, output).folder)
    return made
