"""The tutorial of a reference of one's own, done as it says: its commands run, its five lines set."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from generator import builds
from generator.problems import UsageError
from tests import sites

TUTORIAL = (sites.ROOT / "docs" / "guide" / "own-reference.md").read_text("utf-8")
BLOCKS = re.findall(r"^```(sh|yaml)\n(.*?)^```", TUTORIAL, re.MULTILINE | re.DOTALL)


def run(script: str, folder: Path) -> None:
    """Run a script of the tutorial, with this Errordex as the command."""
    command = f'errordex() {{ "{sys.executable}" -m generator "$@"; }}\nset -e\n{script}'
    environment = os.environ | {"PYTHONPATH": str(sites.ROOT)}
    bash = ["bash", "-c", command]
    done = subprocess.run(bash, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def settle(lines: str, path: Path) -> None:
    """Put each of the lines in the place of the setting of the same name, and of what is indented below it."""
    text = path.read_text("utf-8")
    for line in lines.splitlines():
        name = line.partition(":")[0]
        deeper = r"(?:      .*\n)*" if name.startswith(" ") else ""
        text, count = re.subn(rf"^{re.escape(name)}:.*\n{deeper}", f"{line}\n", text, flags=re.MULTILINE)
        assert count == 1, f"mkdocs.yml has {count} lines of {name}"
    path.write_text(text, "utf-8")


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the repository in which the tutorial was done."""
    folder = tmp_path_factory.mktemp("own")
    for name in ("docs", "overrides", "records"):
        shutil.copytree(sites.ROOT / name, folder / name)
    shutil.copy(sites.ROOT / "mkdocs.yml", folder)
    for language, block in BLOCKS:
        if language == "sh":
            run(block, folder)
        else:
            assert len(block.splitlines()) == 5
            settle(block, folder / "mkdocs.yml")
    return folder


def test_the_site_is_the_owners(copy: Path) -> None:
    home = (copy / "site" / "index.html").read_text("utf-8")
    assert "<title>Acme errors</title>" in home
    assert "acme/rocket" in home and "sglang" not in home
    page = next((copy / "site" / "errors" / "acme" / "rocket").glob("*/index.html")).read_text("utf-8")
    assert "https://errors.acme.example/errors/acme/rocket/" in page
    assert 'href="mailto:errors@acme.example?subject=' in page
    assert "https://github.com/acme/errors/edit/main/records/acme/rocket/" in page
    assert "light-dark(#0b6b50, #7fd6b6)" in (copy / "site" / "assets" / "errordex.css").read_text("utf-8")


SEEDS = sites.ROOT / "records" / "sgl-project"


def test_sections_and_repositories_are_chosen(tmp_path: Path) -> None:
    plugin = {"sections": ["solutions", "message"], "repositories": ["sgl-project/*"], "analytics": "assets/count.js"}
    site = sites.build(tmp_path, sites.ROOT / "records", plugin=plugin)[1]
    assert [path.name for path in (site / "errors").iterdir() if path.is_dir()] == ["sgl-project"]
    page = next((site / "errors" / "sgl-project" / "sglang").glob("*/index.html")).read_text("utf-8")
    assert re.findall(r'<h2 id="(\w+)"', page) == ["solutions", "message"]
    assert '<script src="../../../../assets/count.js" defer></script>' in page


@pytest.mark.parametrize(
    "plugin",
    [
        {"colours": {"light": "#ffcc00"}},
        {"colours": {"dark": "blue"}},
        {"sections": ["message", "advertisements"]},
        {"repositories": ["sglang"]},
        {"repositories": ["acme/none"]},
        {"report": "errors@acme.example"},
        {"analytics": "https://elsewhere.example/count.js"},
    ],
    ids=str,
)
def test_a_setting_that_does_not_hold_is_refused(plugin: dict[str, object], tmp_path: Path) -> None:
    config = sites.project(tmp_path, SEEDS, plugin=plugin)
    with pytest.raises(UsageError, match="EDX053"):
        builds.build(config)
    assert not (tmp_path / "site").exists()
