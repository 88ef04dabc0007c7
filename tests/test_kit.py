"""The kit: GitHub's own schemas accept it, node runs its regular expressions, bash its workflow's script."""

import json
import os
import re
import shutil
import subprocess
from collections.abc import Mapping
from importlib import resources
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from generator import cli, dataset, kit, own, patterns, portable, skeleton, triage
from generator.kit import Project
from tests import samples, sites

SITE = "https://errors.example.org/some/path/"
PROJECT = Project("acme/tool", SITE)
FORMS = sorted((sites.ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml"))
needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="needs node")


def records(root: Path, *fields: dict[str, Any]) -> Path:
    return samples.tree(root / "records", *fields)


def some(root: Path) -> Path:
    """Records of three kinds: with a value in it, in a family, and one that says too little to be asked for."""
    return records(
        root,
        samples.record(1, backgroundTag="missing-file", errorMessage=OPEN, messagePattern=skeleton.pattern(OPEN)),
        samples.record(2, errorMessage='quota "{a}" is gone: $1 (50%)\nand more', messagePattern=QUOTA),
        samples.record(3, errorMessage="bad {x}", messagePattern="bad .+"),
        samples.record(4, repo="acme/other"),
    )


OPEN = "cannot open the archive {path}: try 1"
QUOTA = 'quota ".+" is gone: \\$1 \\(50%\\)\nand more'


def made(root: Path, repo: str = "acme/tool") -> dict[str, str]:
    found = dataset.load_or_raise(root)
    chosen = [found.record(entry) for entry in found.entries if entry.repo == repo]
    return {file.path: file.content.decode() for file in kit.files(Project(repo, SITE), chosen)}


def schema(name: str) -> Any:
    folder = resources.files("check_jsonschema") / "builtin_schemas" / "vendor"
    return json.loads((folder / f"{name}.json").read_text("utf-8"))


SCHEMAS = {
    ".github/ISSUE_TEMPLATE/bug_report.yml": "github-issue-forms",
    ".github/ISSUE_TEMPLATE/config.yml": "github-issue-config",
    ".github/workflows/errordex-triage.yml": "github-workflows",
    ".github/workflows/errordex-labels.yml": "github-workflows",
}


@pytest.mark.parametrize(("path", "name"), SCHEMAS.items())
def test_github_accepts(tmp_path: Path, path: str, name: str) -> None:
    document = yaml.load(made(some(tmp_path))[path], yaml.BaseLoader)
    jsonschema.validate(as_github_reads(document), schema(name))


@pytest.mark.parametrize("path", FORMS, ids=lambda path: path.stem)
def test_github_accepts_our_own_forms(path: Path) -> None:
    name = "github-issue-config" if path.stem == "config" else "github-issue-forms"
    jsonschema.validate(as_github_reads(yaml.load(path.read_text("utf-8"), yaml.BaseLoader)), schema(name))


def test_the_schema_can_refuse(tmp_path: Path) -> None:
    form = as_github_reads(yaml.safe_load(made(some(tmp_path))[".github/ISSUE_TEMPLATE/bug_report.yml"]))
    form["body"][1]["type"] = "text"
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(form, schema("github-issue-forms"))


def as_github_reads(value: Any) -> Any:
    """A document of strings with its numbers and truth values, keys left alone."""
    if isinstance(value, dict):
        return {key: as_github_reads(item) for key, item in value.items()}
    if isinstance(value, list):
        return [as_github_reads(item) for item in value]
    if value in ("true", "false"):
        return value == "true"
    return int(value) if isinstance(value, str) and value.isdecimal() else value


def test_no_place_is_left_empty_and_none_is_written_twice(tmp_path: Path) -> None:
    files = made(some(tmp_path))
    assert set(files) == set(kit.PLACES.values())
    for path, text in files.items():
        assert not re.search(r"@[A-Z_]+@", text), path
        assert text.endswith("\n")
        assert "\n\n\n" not in text
    form = yaml.safe_load(files[".github/ISSUE_TEMPLATE/bug_report.yml"])
    ids = [part["id"] for part in form["body"] if "id" in part]
    assert len(ids) == len(set(ids)) == len(form["body"]) - 1
    assert f"{SITE}lookup/" in form["body"][0]["attributes"]["value"]
    etree.fromstring(files[".github/errordex-badge.svg"].encode())


def test_workflows_pin_what_they_run_and_ask_for_little(tmp_path: Path) -> None:
    files = made(some(tmp_path))
    allowed = {"errordex-triage": {"issues": "write"}, "errordex-labels": {"issues": "write", "contents": "read"}}
    for name, permissions in allowed.items():
        workflow = yaml.safe_load(files[f".github/workflows/{name}.yml"])
        assert workflow["permissions"] == {}
        (job,) = workflow["jobs"].values()
        assert job["permissions"] == permissions
        for step in job["steps"]:
            assert re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", step.get("uses", f"a/b@{'0' * 40}"))
            assert "${{" not in step.get("run", ""), "an expression in a script would be pasted into it"


def test_withdrawn_records_are_not_asked_for(tmp_path: Path) -> None:
    gone = {"time": "2026-08-28T05:10:05Z", "reason": "The check is gone."}
    files = made(records(tmp_path, samples.record(1, withdrawn=gone)))
    assert not any("labels" in path or "matcher" in path for path in files)


# Regular expressions


def node(program: str, given: Any) -> Any:
    """What a JavaScript expression of `given` is."""
    ran = subprocess.run(
        [
            "node",
            "-e",
            f"const given = JSON.parse(require('fs').readFileSync(0)); console.log(JSON.stringify({program}))",
        ],
        input=json.dumps(given),
        capture_output=True,
        text=True,
        check=True,
        timeout=60,  # what backtracks without end is killed
    )
    return json.loads(ran.stdout)


LABELS = """given.texts.map((text) =>
    Object.keys(given.labels).filter((name) => given.labels[name].every((one) => text.match(one))))"""


@needs_node
def test_labels_as_the_action_applies_them(tmp_path: Path) -> None:
    """github/issue-labeler: a label whose every expression `match`es the issue's body."""
    labels = yaml.safe_load(made(some(tmp_path))[".github/errordex-labels.yml"])
    texts = {
        "### The error\n```\nOpenError: cannot open the archive a.txt: try 1\n```": ["known error", "missing-file"],
        'QuotaError: quota "x" is\n  gone: $1 (50%)\nand more': ["known error"],
        "cannot open the archive a.txt: try 12": [],
        "we cannot reopen the archive: try 1": [],
        "bad thing": [],
        "": [],
    }
    assert node(LABELS, {"labels": labels, "texts": list(texts)}) == list(texts.values())


@needs_node
def test_eight_of_ten_own_records_have_an_expression_and_no_other_record_s_finds_them() -> None:
    found = dataset.load_or_raise(own.folder())
    all_ = [found.record(entry) for entry in found.entries]
    spelt = {record.error_code: portable.regex(patterns.compile(record.message_pattern)) for record in all_}
    regexes = {code: regex for code, regex in spelt.items() if regex}
    assert len(regexes) > len(all_) * 0.8
    messages = {record.error_code: f"x.json: {record.error_message}" for record in all_}
    program = "given.texts.map((text) => Object.keys(given.regexes).filter((code) => text.match(given.regexes[code])))"
    answers = node(program, {"regexes": regexes, "texts": [messages[code] for code in regexes]})
    assert answers == [[code] for code in regexes]


@needs_node
def test_no_text_makes_them_search_for_long(tmp_path: Path) -> None:
    """Texts of an issue's full length that begin over and over; node is killed after a minute."""
    files = made(some(tmp_path))
    labels = yaml.safe_load(files[".github/errordex-labels.yml"])
    hostile = [
        "cannot open ",
        'quota " is ',
        "cannot ",
        " ",
        "a",
        "\n",
        "cannot open the archive : try",
        "OpenError: ",
        "OpenError:",
    ]
    texts = [(text * 65_536)[:65_536] for text in hostile]
    assert node(LABELS, {"labels": labels, "texts": texts}) == [[] for _ in texts]
    (matcher,) = json.loads(files[".github/errordex-matcher.json"])["problemMatcher"]
    assert node(
        "given.texts.map((text) => text.match(given.regex) !== null)",
        {"regex": matcher["pattern"][0]["regexp"], "texts": texts},
    ) == [False] * len(texts)


UNBOUNDED = re.compile(r"(?<!\\)(?:\\\\)*(?:[*+]|\{\d+,\})")


@given(
    st.lists(st.text(st.sampled_from("ab .+*?()[]{}|\\/^$-\n\té😀"), min_size=1, max_size=30), min_size=1, max_size=4)
)
def test_for_every_message_the_expression_is_bounded_and_finds_it(parts: list[str]) -> None:
    program = patterns.compile(".+".join(samples.pattern_of(part) for part in parts))
    regex = portable.regex(program)
    if regex is None:
        return
    assert regex.count(f"{{0,{portable.MOST_GAP}}}?") <= 1
    outside = re.sub(r"\\s\+|\[\\s\\S\]|\(\?:\^\|\\W\)|\(\?:\\W\|\$\)", "", regex)
    assert not UNBOUNDED.search(outside)
    assert re.search(regex, " value ".join(parts))


def test_the_problem_matcher(tmp_path: Path) -> None:
    """As the runner reads it: groups by number, one line at a time."""
    document = json.loads(made(some(tmp_path))[".github/errordex-matcher.json"])
    (matcher,) = document["problemMatcher"]
    (pattern,) = matcher["pattern"]
    assert matcher["owner"] == "errordex-acme-tool"
    found = re.search(pattern["regexp"], "[rank 3] tool.OpenError: cannot open the archive a.txt: try 1")
    assert found
    assert (found[pattern["code"]], found[pattern["message"]]) == ("OpenError", "cannot open the archive a.txt: try 1")
    assert not re.search(pattern["regexp"], "OpenError: cannot close the archive a.txt: try 1")
    assert not re.search(pattern["regexp"], "cannot open the archive a.txt: try 1")


# The command


def run(*arguments: object) -> Result:
    return CliRunner().invoke(cli.main, ["kit", *map(str, arguments)])


def test_the_command_writes_and_says_so(tmp_path: Path) -> None:
    root = some(tmp_path)
    done = run("acme/tool", "--output", tmp_path / "out", "--records", root, "--site", SITE.rstrip("/"))
    assert done.exit_code == 0, done.output
    written = {path: (tmp_path / "out" / path).read_text("utf-8") for path in kit.PLACES.values()}
    assert written == made(root)
    again = run("acme/tool", "--output", tmp_path / "out", "--records", root, "--site", SITE)
    assert (again.exit_code, again.output.count("as it is")) == (0, len(written))


def test_what_is_there_is_shown_and_left_alone(tmp_path: Path) -> None:
    root, out = some(tmp_path), tmp_path / "out"
    theirs = out / ".github" / "ISSUE_TEMPLATE" / "bug_report.yml"
    theirs.parent.mkdir(parents=True)
    theirs.write_text("name: Ours\x1b[2J\n", "utf-8")
    arguments = ("acme/tool", "--output", out, "--records", root, "--site", SITE)
    done = run(*arguments)
    assert done.exit_code == 2
    assert theirs.read_text("utf-8") == "name: Ours\x1b[2J\n"
    assert "-name: Ours␛[2J\n+name: Bug report\n" in done.output
    assert "[EDX072]" in done.output
    assert (out / ".github" / "ISSUE_TEMPLATE" / "config.yml").exists()
    assert run(*arguments, "--force").exit_code == 0
    assert theirs.read_text("utf-8").startswith("name: Bug report")


def test_the_address_is_that_of_the_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    some(tmp_path)
    monkeypatch.chdir(tmp_path)
    sites.small(tmp_path, site_url="https://acme.example/errors/")
    done = run("acme/tool", "--output", "out")
    assert done.exit_code == 0, done.output
    assert "https://acme.example/errors/lookup/" in (tmp_path / "out" / ".github" / "errordex-readme.md").read_text()


BAD = {
    "EDX011": ("tool", SITE),
    "EDX070": ("acme/unheard-of", SITE),
    "EDX071": ("acme/tool", 'https://x.org/" onload'),
}


@pytest.mark.parametrize(("code", "given"), BAD.items())
def test_wrong_usage(tmp_path: Path, code: str, given: tuple[str, str]) -> None:
    done = run(given[0], "--output", tmp_path / "out", "--records", some(tmp_path), "--site", given[1])
    assert done.exit_code == 2
    assert f"[{code}]" in done.output
    assert not (tmp_path / "out").exists()


# The workflow's script, with a `gh` that answers from a file and notes what it is asked


def comment_once(tmp_path: Path, *, said: str, posted: str) -> str:
    """What the last step asks gh to do, given the comment and what bots have said before."""
    workflow = yaml.safe_load(made(some(tmp_path / "a"))[".github/workflows/errordex-triage.yml"])
    script = workflow["jobs"]["triage"]["steps"][-1]["run"]
    (tmp_path / "comment.md").write_text(said, "utf-8")
    (tmp_path / "posted").write_text(posted, "utf-8")
    gh = tmp_path / "gh"
    gh.write_text('#!/bin/sh\nif [ "$1" = api ]; then cat posted; else echo "$@" >> asked; fi\n')
    gh.chmod(0o755)
    env: Mapping[str, str] = {
        "PATH": f"{tmp_path}:{os.environ['PATH']}",
        "GITHUB_REPOSITORY": "acme/tool",
        "ISSUE": "7",
    }
    subprocess.run(["bash", "-e", "-o", "pipefail", "-c", script], cwd=tmp_path, env=env, check=True)
    asked = tmp_path / "asked"
    return asked.read_text() if asked.exists() else ""


def test_the_workflow_comments_once(tmp_path: Path) -> None:
    folders = [tmp_path / name for name in "abc"]
    for folder in folders:
        folder.mkdir()
    said = f"{triage.MARK}\n\nThis error has a page.\n"
    expected = "issue comment 7 --repo acme/tool --body-file comment.md\n"
    assert comment_once(folders[0], said=said, posted="Thank you!\n") == expected
    assert comment_once(folders[1], said=said, posted=f"Thank you!\n{said}") == ""
    assert comment_once(folders[2], said="", posted="") == ""
