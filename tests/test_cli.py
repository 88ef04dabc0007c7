"""The command: what it prints and where, its exit status, and that the docs know all of it."""

import json
import re
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from generator import dataset, own
from generator.cli import main
from generator.problems import address
from generator.settings import Settings
from tests import mirrors, sites

SEEDS = sites.ROOT / "records" / "sgl-project"
SETTINGS_PAGE = (sites.ROOT / "docs" / "guide" / "settings.md").read_text("utf-8")


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


@pytest.fixture
def faulty(tmp_path: Path) -> Path:
    """The seeds, two of them with a fault."""
    records = tmp_path / "records"
    shutil.copytree(SEEDS, records)
    for number, path in enumerate(sorted(records.rglob("*.json"))[:2]):
        text = path.read_text("utf-8")
        path.write_text(re.sub(r'"lineNumber": \d+', f'"lineNumber": {number + 1}', text), "utf-8")
    return records


def test_sound_records_are_counted() -> None:
    result = run("check", SEEDS)
    assert (result.exit_code, result.stdout) == (0, "5 records, no problems\n")


def test_every_problem_is_one_line_on_stderr(faulty: Path) -> None:
    result = run("check", faulty)
    lines = result.stderr.splitlines()
    assert result.exit_code == 1
    assert result.stdout == ""
    assert len(lines) == 3
    assert all(line.endswith("[EDX014]") for line in lines[:2])
    assert lines[2] == f"EDX014: {address('EDX014')}"


def test_problems_as_json(faulty: Path) -> None:
    result = run("check", faulty, "--format", "json")
    found = json.loads(result.stdout)
    assert result.exit_code == 1
    assert [problem["code"] for problem in found] == ["EDX014", "EDX014"]
    assert {"file", "line", "id", "field", "code", "message", "url"} == set(found[0])
    line = Path(found[0]["file"]).read_text("utf-8").splitlines()[found[0]["line"] - 1]
    assert '"lineNumber"' in line


def test_problems_as_annotations(faulty: Path) -> None:
    result = run("check", faulty, "--format", "github")
    pattern = r"::error file=[^,\n]+,line=\d+,title=EDX014::[^\n]+"
    assert [line for line in result.stdout.splitlines() if not re.fullmatch(pattern, line)] == []


def test_an_annotation_keeps_to_its_line() -> None:
    from generator.cli import _annotation
    from generator.problems import Problem

    problem = Problem("a,b:c\n.json", 3, "", "", "100 % wrong\n::error::forged; mend it", "EDX014")
    line = _annotation(problem)
    assert "\n" not in line
    assert line.startswith("::error file=a%2Cb%3Ac%0A.json,line=3,title=EDX014::100 %25 wrong%0A::error")


def test_a_new_record_passes_the_check(tmp_path: Path) -> None:
    message = "cannot open {path}: [Errno 2] (see $HOME) | really? C:\\x"
    first, second = (
        run("new", "acme/tool", message, "--root", tmp_path),
        run("new", "acme/tool", message, "--root", tmp_path),
    )
    assert (first.exit_code, second.exit_code) == (0, 0), first.output + second.output
    found = dataset.load_or_raise(tmp_path)
    assert len({entry.id for entry in found.entries}) == len({entry.slug for entry in found.entries}) == 2
    assert {entry.message for entry in found.entries} == {message}


@pytest.mark.parametrize("arguments", [("acme", "x"), ("acme/tool", "  ")])
def test_what_can_be_no_record_is_refused(arguments: tuple[str, str], tmp_path: Path) -> None:
    result = run("new", *arguments, "--root", tmp_path)
    assert result.exit_code == 1
    assert "EDX0" in result.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "key", ["EDX014", "edx014", "b318b4f842689251", "dspark-requires-explicit-layer-ids-for-aux-hidden"]
)
def test_explain_takes_codes_ids_and_slugs(key: str) -> None:
    result = run("explain", key, "--records", SEEDS)
    assert result.exit_code == 0
    assert "What it means" in result.stdout


@pytest.mark.parametrize("key", ["b318b4f842689251", "SLUG", "REPO/SLUG"])
def test_explain_reads_a_site(key: str, tmp_path: Path) -> None:
    root = mirrors.export_to(tmp_path / "site", mirrors.seeds())
    entry = mirrors.seeds().by_id["b318b4f842689251"]
    key = key.replace("SLUG", entry.slug).replace("REPO", entry.repo)
    result = run("explain", key, "--site", root)
    assert result.exit_code == 0, result.stderr
    assert "What it means" in result.stdout
    assert entry.message.split("\n")[0][:20] in result.stdout


def test_explain_says_what_a_site_has_not(tmp_path: Path) -> None:
    root = mirrors.export_to(tmp_path / "site", mirrors.seeds())
    assert run("explain", "0" * 16, "--site", root).exit_code == 2
    assert run("explain", "no-such-slug", "--site", root).exit_code == 2
    assert "EDX060" in run("explain", "0" * 16, "--site", tmp_path / "nowhere").stderr


def test_explain_says_what_it_takes() -> None:
    result = run("explain", "nothing-of-the-kind")
    assert result.exit_code == 2
    assert "id, code or slug" in result.stderr


def test_own_records_are_sound() -> None:
    assert dataset.load_or_raise(own.folder()).entries


def test_build_says_what_it_made(tmp_path: Path) -> None:
    config = sites.project(tmp_path, SEEDS)
    result = run("build", "--config-file", config)
    assert result.exit_code == 0, result.output
    assert re.search(r"^[\d,]+ pages, [\d,]+ files, [\d.,]+ MB in [\d.]+ s: ", result.stdout, re.MULTILINE)
    assert "Fits GitHub Pages (1 GB) and Cloudflare Pages (20,000 files)." in result.stdout
    assert run("build", "--config-file", config, "--quiet").stdout == ""


def test_build_with_faulty_records_fails_in_words(faulty: Path, tmp_path: Path) -> None:
    config = sites.project(tmp_path, faulty)
    result = run("build", "--config-file", config)
    assert result.exit_code == 1
    assert "[EDX014]" in result.stderr
    assert "Traceback" not in result.output
    kept = run("build", "--config-file", config, "--keep-going")
    assert kept.exit_code == 1
    assert "[EDX014]" in kept.stderr
    assert (tmp_path / "site" / "index.html").exists()


def test_build_without_the_plugin_is_wrong_usage(tmp_path: Path) -> None:
    config = tmp_path / "mkdocs.yml"
    (tmp_path / "docs").mkdir()
    config.write_text("site_name: x\n", "utf-8")
    result = run("build", "--config-file", config)
    assert result.exit_code == 2
    assert "[EDX053]" in result.stderr


def test_sync_keeps_a_copy(tmp_path: Path) -> None:
    site = sites.build(tmp_path / "made", SEEDS)[1]
    result = run("sync", site, tmp_path / "copy")
    assert (result.exit_code, result.stdout) == (0, "5 records: 5 added, 0 changed, 0 removed\n")
    assert run("sync", site, tmp_path / "copy").stdout == "5 records: 0 added, 0 changed, 0 removed\n"
    assert run("check", tmp_path / "copy").exit_code == 0


def test_check_against_a_site_finds_a_change_without_a_time(tmp_path: Path) -> None:
    site = sites.build(tmp_path / "made", SEEDS)[1]
    records = tmp_path / "records"
    shutil.copytree(SEEDS, records)
    assert run("check", records, "--against", site).exit_code == 0
    path = next(records.rglob("b318b4f842689251.json"))
    path.write_text(path.read_text("utf-8").replace("DSPARK's aux hidden capture", "The capture"), "utf-8")
    result = run("check", records, "--against", site)
    assert result.exit_code == 1
    assert "[EDX035]" in result.stderr


def test_every_command_is_documented() -> None:
    documented = set(re.findall(r"^\| `errordex ([a-z-]+)", SETTINGS_PAGE, re.MULTILINE))
    assert documented == set(main.commands)


def test_every_setting_is_documented_with_its_default() -> None:
    rows = dict(re.findall(r"^\| `([a-z_]+)` \| ([^|]+) \|", SETTINGS_PAGE, re.MULTILINE))
    assert set(rows) == {name for name, _ in Settings._schema}
    plain = {
        name: option.default
        for name, option in Settings._schema
        if isinstance(option.default, str | bool | int) and option.default != ""
    }
    shown = {
        name: str(default).lower() if isinstance(default, bool) else str(default) for name, default in plain.items()
    }
    assert {name: rows[name].strip("` ") for name in shown} == shown
