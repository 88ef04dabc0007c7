"""What the project is made of: locked, explained, pinned, and the same package from the same source."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests import sites

WORKFLOWS = sorted((sites.ROOT / ".github" / "workflows").glob("*.yml"))
PROJECT: dict[str, Any] = tomllib.loads((sites.ROOT / "pyproject.toml").read_text("utf-8"))
LEFT_BEHIND = shutil.ignore_patterns(
    ".git", "site", ".errordex", ".venv", "build", "dist", "__pycache__", ".*_cache", ".hypothesis", "node_modules"
)


def named(requirements: list[str]) -> set[str]:
    return {re.split(r"[\[<>=~! ]", requirement)[0].lower() for requirement in requirements}


def test_each_dependency_has_its_reason() -> None:
    said = (sites.ROOT / "docs" / "contributing" / "dependencies.md").read_text("utf-8")
    reasons = {row.split("|")[1].strip() for row in said.splitlines() if row.startswith("| ")}
    assert named(PROJECT["project"]["dependencies"]) <= reasons
    others = [one for extra in PROJECT["project"]["optional-dependencies"].values() for one in extra]
    assert [name for name in named(others) if not re.search(rf"\b{re.escape(name)}\b", said)] == []


def locked(name: str) -> dict[str, list[str]]:
    """Packages of a lock with their hashes."""
    text = (sites.ROOT / "requirements" / name).read_text("utf-8").replace("\\\n", " ")
    rows = [line for line in text.splitlines() if line and not line.startswith((" ", "#"))]
    return {re.split(r"[=\[]", row)[0].lower(): re.findall(r"--hash=sha256:[0-9a-f]{64}", row) for row in rows}


@pytest.mark.parametrize("name", ["site.txt", "test.txt", "fuzz.txt", "audit.txt"])
def test_locks_have_hashes(name: str) -> None:
    found = locked(name)
    assert found
    assert [package for package, hashes in found.items() if not hashes] == []


def test_what_the_site_is_built_with_is_locked() -> None:
    assert (
        named(PROJECT["project"]["dependencies"]) | named(PROJECT["build-system"]["requires"])
        <= locked("site.txt").keys()
    )


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_workflows_are_pinned_and_may_do_little(path: Path) -> None:
    text = path.read_text("utf-8")
    workflow = yaml.safe_load(text)
    used = re.findall(r"uses: (\S+)(.*)", text)
    assert used
    assert [
        action for action, note in used if not re.fullmatch(r"[\w/-]+@[0-9a-f]{40}", action) or "# v" not in note
    ] == []
    assert workflow["permissions"] == {"contents": "read"}
    for job in workflow["jobs"].values():
        assert job["timeout-minutes"] <= 60
        assert job.get("permissions", {}).keys() <= {"pages", "id-token"}
    assert not re.search(r"\$\{\{\s*github\.(?:event\.|head_ref)[^}]*\}\}", "".join(commands(workflow))), (
        "runs foreign text"
    )
    assert text.count("actions/checkout@") == text.count("persist-credentials: false")
    assert "pull_request_target" not in text


def commands(workflow: dict[str, Any]) -> list[str]:
    return [step.get("run", "") for job in workflow["jobs"].values() for step in job["steps"]]


def test_there_is_a_workflow() -> None:
    assert WORKFLOWS


def package(source: Path, target: Path) -> dict[str, bytes]:
    """The wheel and the source archive of the project at `source`."""
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-d", target],
        cwd=source,
        env={**os.environ, "SOURCE_DATE_EPOCH": "1767225600"},
        capture_output=True,
        check=True,
    )
    return {path.name: path.read_bytes() for path in target.iterdir()}


def test_the_package_is_reproducible(tmp_path: Path) -> None:
    """From two folders, with other times and permissions of the files: the same bytes."""
    first, second = tmp_path / "first", tmp_path / "a second place"
    shutil.copytree(sites.ROOT, first, ignore=LEFT_BEHIND)
    shutil.copytree(first, second)
    for path in second.rglob("*"):
        os.utime(path, (1_000_000_000, 1_000_000_000))
        path.chmod(0o755 if path.is_dir() else 0o600)
    made = package(first, tmp_path / "one")
    assert sorted(name.rpartition("-")[2].partition(".")[2] for name in made) == ["tar.gz", "whl"] or len(made) == 2
    assert package(second, tmp_path / "two") == made
