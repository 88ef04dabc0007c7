"""Records from source and beside it: what is drafted, that drafts stay unpublished, and what drift tells apart."""

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from generator import checkout, dataset, pages, patterns
from generator.cli import main
from generator.pages import Neighbours, Site
from generator.raise_sites import Passed, python
from tests import samples, sites

OLD, NEW = "1" * 40, "2" * 40
TIME = "2026-10-01T00:00:00Z"

READER = '''"""Reads."""

LIMIT_TEXT = "the file is larger than the limit"


def read(path, limit):
    if path is None:
        raise ValueError("a path is needed")
    size = path.stat().st_size
    if size > limit:
        raise OverflowError(LIMIT_TEXT)
    if not path.suffix:
        raise ValueError(
            f"cannot tell the format of {path.name!r} "
            "without a suffix"
        )
    assert size, "the file %s is empty" % path
    raise KeyError("no reader for {}".format(path.suffix) + " files")


def weak(one, two):
    if one:
        raise ValueError(f"{one}: {two}")
    raise RuntimeError(f"bad {one} {two}")
'''

MESSAGES = {
    8: "a path is needed",
    11: "the file is larger than the limit",
    13: "cannot tell the format of {path.name} without a suffix",
    17: "the file {path} is empty",
    18: "no reader for {path.suffix} files",
}


def source(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        path = folder / f"{name}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8", newline="\n")
    return folder


def run(*arguments: object, status: int = 0) -> Result:
    done = CliRunner().invoke(main, list(map(str, arguments)), catch_exceptions=False)
    assert done.exit_code == status, done.output
    return done


def draft(folder: Path, records: Path, **options: Any) -> Result:
    more = [f"--{name}={value}" for name, value in options.items()]
    return run("draft", folder, "--repo=acme/tool", f"--commit={OLD}", f"--time={TIME}", "-o", records, *more)


def compare(folder: Path, records: Path, *options: str, status: int = 0) -> dict[str, Any]:
    found = run("drift", folder, "--records", records, "--format=json", *options, status=status)
    answer: dict[str, Any] = json.loads(found.stdout)
    return answer


def states(answer: dict[str, Any]) -> dict[str, str]:
    return {row["message"]: row["state"] for row in answer["records"]}


def fields(records: Path) -> dict[int, dict[str, Any]]:
    """The records of a folder by the line of their raise."""
    found = (json.loads(path.read_text("utf-8")) for path in records.rglob("*.json"))
    return {record["lineNumber"]: record for record in found}


@pytest.fixture
def drafted(tmp_path: Path) -> tuple[Path, Path]:
    """A checkout, and the drafts of it."""
    folder, records = source(tmp_path / "old", reader=READER), tmp_path / "records"
    draft(folder, records)
    return folder, records


# Draft


def test_each_site_becomes_a_sound_record_without_prose(drafted: tuple[Path, Path]) -> None:
    found = fields(drafted[1])
    assert {line: record["errorMessage"] for line, record in found.items()} == MESSAGES
    lines = READER.split("\n")
    for line, record in found.items():
        start, end = record["sourceCodeStart"], record["sourceCodeEnd"]
        assert record["sourceCode"] == "\n".join(lines[start - 1 : end]).removesuffix("\n")
        assert record["githubUrl"] == f"https://github.com/acme/tool/blob/{OLD}/reader.py#L{start}-L{end}"
        assert start <= line <= end
        assert record["draft"] is True
        assert (record["documentation"], record["solutions"]) == ("", [])
    assert found[18]["errorClass"] == "KeyError"
    assert found[8]["slug"] == "a-path-is-needed"
    pattern = patterns.compile(found[13]["messagePattern"])
    assert pattern.search("ValueError: cannot tell the format of 'a' without a suffix")
    assert run("check", drafted[1]).stdout == "0 records, 5 drafts, no problems\n"


def test_a_message_nearly_all_hole_is_passed_over_and_named(tmp_path: Path) -> None:
    done = draft(source(tmp_path / "old", reader=READER), tmp_path / "records")
    assert "reader.py:23: passed over: its message has no literal word" in done.stderr
    assert "reader.py:24: passed over: its message is nearly all placeholders" in done.stderr
    assert "5 drafts written" in done.stdout
    assert "2 raises passed over" in done.stdout


def test_again_writes_nothing_and_keeps_a_persons_prose(drafted: tuple[Path, Path]) -> None:
    folder, records = drafted
    path = next(path for path in records.rglob("*.json") if "a path is needed" in path.read_text("utf-8"))
    mine = json.loads(path.read_text("utf-8")) | {"documentation": "Mine.", "slug": "mine"}
    del mine["draft"]
    path.write_text(json.dumps(mine), "utf-8")
    before = {path: path.read_bytes() for path in records.rglob("*") if path.is_file()}
    assert "0 drafts written" in (done := draft(folder, records)).stdout
    assert "5 sites have records" in done.stdout
    source(folder, reader="# one line more\n" + READER)
    assert "0 drafts written" in draft(folder, records).stdout, "a moved site is no new one"
    assert {path: path.read_bytes() for path in records.rglob("*") if path.is_file()} == before


def test_ids_depend_on_no_line_and_equal_messages_get_one_each(tmp_path: Path) -> None:
    text = 'def a():\n    raise ValueError("not yet done")\n\n\ndef b():\n    raise ValueError("not yet done")\n'
    draft(source(tmp_path / "a", x=text), tmp_path / "one")
    draft(source(tmp_path / "b", x="\n\n" + text), tmp_path / "two")
    one, two = ({path.stem for path in (tmp_path / name).rglob("*.json")} for name in ("one", "two"))
    assert one == two
    assert len(one) == 2
    slugs = sorted(record["slug"] for record in fields(tmp_path / "one").values())
    assert slugs[0] == "not-yet-done"
    assert slugs[1].startswith("not-yet-done-")


def test_prefix_and_exclude(tmp_path: Path) -> None:
    folder = source(
        tmp_path / "old", **{"tool/a": 'raise ValueError("kept here")', "tests/b": 'raise ValueError("no no")'}
    )
    draft(folder, tmp_path / "records", prefix="python/", exclude="python/tests/*")
    (record,) = fields(tmp_path / "records").values()
    assert record["filePath"] == "python/tool/a.py"


def test_a_constant_assigned_twice_is_a_placeholder() -> None:
    (found,) = python.scan('A = "first one"\nA = "second one"\ndef f():\n    raise ValueError(A)', "a.py")
    assert isinstance(found, Passed)


# Drafts are never published


def test_a_draft_is_checked_and_in_no_list(tmp_path: Path) -> None:
    root = samples.tree(tmp_path, samples.record(1), samples.record(2, draft=True))
    found = dataset.load_or_raise(root)
    assert [entry.id for entry in found.entries] == [f"{1:016x}"]
    assert [entry.id for entry in found.drafts] == [f"{2:016x}"]
    (root / "02.json").write_bytes(samples.raw(samples.record(2, draft=True, slug="error-1")))
    kept, problems = dataset.load(root)
    assert [problem.code for problem in problems] == ["EDX031"]
    assert [entry.id for entry in kept.entries] == [f"{1:016x}"], "the published one stays, whatever the files' order"
    (root / "02.json").write_bytes(samples.raw(samples.record(2, draft=True, lineNumber=7)))
    kept, problems = dataset.load(root)
    assert [problem.code for problem in problems] == ["EDX014"]
    assert kept.left_out == (), "a faulty draft has no address to keep alive"


def test_a_replacement_is_no_draft(tmp_path: Path) -> None:
    withdrawn = {"time": TIME, "reason": "Gone.", "replacement": f"{2:016x}"}
    root = samples.tree(tmp_path, samples.record(1, withdrawn=withdrawn), samples.record(2, draft=True))
    assert [problem.code for problem in dataset.load(root)[1]] == ["EDX034"]


def test_nothing_of_a_draft_is_in_the_site(tmp_path: Path) -> None:
    hidden = samples.record(2, draft=True, errorMessage="a secret one", messagePattern="a secret one", slug="secret")
    root = samples.tree(tmp_path / "records", samples.record(1), hidden)
    _, site = sites.build(tmp_path, root)
    named = [path for path in site.rglob("*") if "secret" in path.name or f"{2:016x}" in path.name]
    said = [path for path in site.rglob("*") if path.is_file() and b"a secret one" in path.read_bytes()]
    assert (named, said) == ([], [])


def test_drafts_alone_are_no_site(tmp_path: Path) -> None:
    root = samples.tree(tmp_path / "records", samples.record(1, draft=True))
    with pytest.raises(Exception, match="its 1 drafts are not published"):
        sites.build(tmp_path, root)


# Drift

NEWER = (
    READER.replace("def read", "# one\n# two\ndef read")
    .replace("a path is needed", "a path or a stream is needed")
    .replace('    raise KeyError("no reader for {}".format(path.suffix) + " files")\n', "    return path\n")
)


def test_drift_tells_moved_reworded_and_gone_apart(drafted: tuple[Path, Path], tmp_path: Path) -> None:
    folder, records = drafted
    same = compare(folder, records)
    assert set(states(same).values()) == {"there"}
    answer = compare(source(tmp_path / "new", reader=NEWER), records, status=1)
    by_line = {row["line"]: row for row in answer["records"]}
    assert {line: row["state"] for line, row in by_line.items()} == {
        8: "reworded",
        11: "moved",
        13: "moved",
        17: "moved",
        18: "gone",
    }
    assert (by_line[8]["newMessage"], by_line[8]["newLine"]) == ("a path or a stream is needed", 10)
    assert by_line[13]["newLine"] == 15
    assert answer["counts"] == {"there": 0, "moved": 3, "reworded": 1, "gone": 1, "unsure": 0}
    text = run("drift", tmp_path / "new", "--records", records, status=1).stdout
    assert 'reworded at reader.py:10: "ValueError: a path is needed" is now "ValueError: a path or a str' in text
    assert text.endswith("5 records: 0 still there, 3 moved, 1 reworded, 1 gone, 0 to look at\n")


def test_drift_follows_a_file_and_a_class_is_for_a_person(drafted: tuple[Path, Path], tmp_path: Path) -> None:
    changed = READER.replace('ValueError("a path', 'TypeError("a path')
    found = compare(source(tmp_path / "new", **{"io/reading": changed}), drafted[1], status=1)
    assert {row["newPath"] for row in found["records"]} == {"io/reading.py"}
    assert states(found) == {**dict.fromkeys(MESSAGES.values(), "moved"), "a path is needed": "reworded"}


def test_words_outside_of_a_raise_are_pointed_at(drafted: tuple[Path, Path], tmp_path: Path) -> None:
    changed = READER.replace('raise ValueError("a path is needed")', 'fail("a path is needed")')
    found = compare(source(tmp_path / "new", reader=changed), drafted[1], status=1)
    assert {row["line"]: (row["state"], row["newLine"]) for row in found["records"]}[8] == ("unsure", 8)


def test_the_same_words_amid_other_lines_are_pointed_at(drafted: tuple[Path, Path], tmp_path: Path) -> None:
    other = "def other():\n    do()\n    raise ValueError('a path is needed')\n"
    folder = source(tmp_path / "new", reader="", elsewhere=other)
    rows = {row["line"]: row for row in compare(folder, drafted[1], status=1)["records"]}
    assert (rows[8]["state"], rows[8]["newPath"], rows[8]["newLine"]) == ("unsure", "elsewhere.py", 3)
    assert rows[11]["state"] == "gone"


def test_two_equal_raises_are_told_apart_by_their_lines(tmp_path: Path) -> None:
    one = "def a(x):\n    if x > 1:\n        raise ValueError('not yet done')\n    return x * 2\n\n\n"
    two = "def b(y):\n    for _ in y:\n        raise ValueError('not yet done')\n    return len(y)\n\n\n"
    draft(source(tmp_path / "old", x=one + two), tmp_path / "records")
    found = compare(source(tmp_path / "new", x=two + one), tmp_path / "records", status=1)
    assert {row["line"]: row["newLine"] for row in found["records"]} == {3: 9, 9: 3}
    found = compare(source(tmp_path / "new", x=two), tmp_path / "records", status=1)
    assert {row["line"]: (row["state"], row["newLine"]) for row in found["records"]} == {
        3: ("gone", None),
        9: ("moved", 3),
    }


def test_write_updates_what_follows_from_the_source(drafted: tuple[Path, Path], tmp_path: Path) -> None:
    records = drafted[1]
    for path in records.rglob("*.json"):
        record = json.loads(path.read_text("utf-8")) | {"documentation": "Mine."}
        del record["draft"]
        path.write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n\n", "utf-8")
    before = fields(records)
    new = source(tmp_path / "new", reader=NEWER)
    options = ("--write", f"--commit={NEW}", "--time=2026-11-01T00:00:00Z")
    answer = compare(new, records, *options, status=1)
    assert {row["line"]: row["upToDate"] for row in answer["records"]} == {
        8: False,
        11: True,
        13: True,
        17: True,
        18: False,
    }
    after = {record["id"]: record for record in fields(records).values()}
    assert [after[before[line]["id"]] for line in (8, 18)] == [before[8], before[18]]
    moved = after[before[13]["id"]]
    start, end = 3, NEWER.count("\n")
    assert moved == before[13] | {
        "lineNumber": 15,
        "sourceCode": "\n".join(NEWER.split("\n")[start - 1 : end]).removesuffix("\n"),
        "sourceCodeStart": start,
        "sourceCodeEnd": end,
        "githubUrl": f"https://github.com/acme/tool/blob/{NEW}/reader.py#L{start}-L{end}",
        "checkedSha": NEW,
        "updatedAt": "2026-11-01T00:00:00Z",
        "changeNote": "Moved to line 15 at 2222222222.",
    }
    assert run("check", records).stdout == "5 records, no problems\n"
    written = {path: path.read_bytes() for path in records.rglob("*.json")}
    assert all(content.startswith(b'{\n "id"') for content in written.values()), "spelt as they were"
    again = compare(new, records, *options[:2], status=1)
    assert {row["line"]: row["state"] for row in again["records"]}[15] == "there"
    assert {path: path.read_bytes() for path in records.rglob("*.json")} == written


def test_a_record_in_another_language_is_found_by_its_lines(tmp_path: Path) -> None:
    code = 'fn open(path: &str) {\n    if path.is_empty() {\n        bail!("no path");\n    }\n}'
    facts = {"filePath": "src/open.rs", "sourceCode": code, "sourceCodeStart": 1, "sourceCodeEnd": 5, "lineNumber": 3}
    root = samples.tree(tmp_path / "records", samples.record(1, **facts))
    (tmp_path / "new" / "src").mkdir(parents=True)
    (tmp_path / "new" / "src" / "open.rs").write_text(f"// new\n{code}\n", "utf-8")
    found = compare(tmp_path / "new", root, "--repo=acme/tool", status=1)["records"]
    assert [(row["state"], row["newLine"]) for row in found] == [("moved", 4)]
    (tmp_path / "new" / "src" / "open.rs").write_text("fn open() {}\n", "utf-8")
    assert [row["state"] for row in compare(tmp_path / "new", root, status=1)["records"]] == ["unsure"]


def test_withdrawn_records_are_passed_over(tmp_path: Path) -> None:
    root = samples.tree(tmp_path / "records", samples.record(1, withdrawn={"time": TIME, "reason": "Gone."}))
    (tmp_path / "new").mkdir()
    assert compare(tmp_path / "new", root)["records"] == []


def test_the_page_says_where_it_was_seen_last(tmp_path: Path) -> None:
    url = samples.github_url(samples.record(1) | {"analyzedSha": NEW})
    root = samples.tree(tmp_path, samples.record(1, checkedSha=NEW, githubUrl=url), samples.record(2))
    found = dataset.load_or_raise(root)
    one, two = (
        pages.markdown(pages.RECORD, pages.view(found.record(entry), Neighbours(class_uri="classes/x/"), Site()))
        for entry in found.entries
    )
    seen = f"Still there at [2222222222](https://github.com/acme/tool/tree/{NEW})"
    assert seen in one
    assert f"[acme/tool@{samples.SHA[:10]}]" in one
    assert "View on GitHub (pinned to 2222222222)" in one
    assert "Still there" not in two
    (tmp_path / "03.json").write_bytes(samples.raw(samples.record(3, checkedSha=NEW)))
    assert [problem.code for problem in dataset.load(tmp_path)[1]] == ["EDX017"]


# Hostile sources


def test_what_cannot_be_read_costs_a_line_and_nothing_is_run(tmp_path: Path) -> None:
    mark = tmp_path / "ran"
    folder = source(
        tmp_path / "old",
        good='raise ValueError("good and found")',
        runs=f'open({str(mark)!r}, "w")\nraise ValueError("read and not run")',
        syntax='raise ValueError("x"',
        deep="raise ValueError(" + "(" * 5_000 + '"x"' + ")" * 5_000 + ")",
        sums="raise ValueError(" + " + ".join(['"some text"'] * 20_000) + ")",
        lists="assert " + "-" * 50_000 + '1, "text"',
        null='raise ValueError("some text")\0',
        large="# " + "x" * checkout.MAX_SOURCE_BYTES + '\nraise ValueError("large")',
        returns='x = 1\rraise ValueError("some text")',
    )
    (folder / "latin.py").write_bytes(b'raise ValueError("\xe4")')
    (folder / "dir.py").mkdir()
    os.mkfifo(folder / "pipe.py")
    (tmp_path / "outside.py").write_text('raise ValueError("outside")', "utf-8")
    (folder / "out.py").symlink_to(tmp_path / "outside.py")
    (folder / "away").symlink_to(tmp_path)
    (folder / "inside.py").symlink_to(folder / "good.py")
    (folder / "nowhere.py").symlink_to(folder / "nothing.py")
    (folder / ".hidden").mkdir()
    (folder / ".hidden" / "x.py").write_text("raise !", "utf-8")
    found = checkout.read(folder)
    names = {Path(problem.where).stem for problem in found.skipped}
    assert names == {"syntax", "deep", "sums", "lists", "null", "large", "returns", "latin", "pipe", "out"}
    assert all(str(problem).count("\n") == 0 and problem.code == "EDX077" for problem in found.skipped)
    assert sorted(path for path, read in found.sources.items() if read.sites) == ["good.py", "runs.py"]
    assert not mark.exists()


# On releases of a real project

RELEASES = ("0.5.20", "0.5.23")


@pytest.mark.slow
def test_two_releases_of_a_real_project(tmp_path: Path) -> None:
    """Drafts of one release of sglang, published by a script, and drift to another; needs the package registry."""
    for release in RELEASES:
        wanted = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", str(tmp_path), f"sglang=={release}"]
        if subprocess.run(wanted, check=False, capture_output=True).returncode:
            pytest.skip("the package registry is not reachable")
        (wheel,) = tmp_path.glob(f"sglang-{release}-*.whl")
        zipfile.ZipFile(wheel).extractall(tmp_path / release)
    old, new, records = tmp_path / RELEASES[0], tmp_path / RELEASES[1], tmp_path / "records"
    options = ("--repo=sgl-project/sglang", "--prefix=python")
    run("draft", old, *options, f"--commit={OLD}", "-o", records)
    published = {}
    for path in records.rglob("*.json"):
        record = json.loads(path.read_text("utf-8"))
        published[record["id"]] = {key: value for key, value in record.items() if key != "draft"}
        path.write_text(json.dumps(published[record["id"]], ensure_ascii=False, indent=2) + "\n", "utf-8")
    assert len(published) > 10_000
    there = compare(old, records, *options)
    assert there["counts"] == {"there": len(published), "moved": 0, "reworded": 0, "gone": 0, "unsure": 0}
    answer = compare(new, records, *options, "--write", f"--commit={NEW}", status=1)
    assert all(answer["counts"][state] > 20 for state in ("there", "moved", "reworded", "gone"))
    for row in answer["records"]:
        if row["state"] in ("there", "moved"):
            lines = (new / row["newPath"].removeprefix("python/")).read_text("utf-8").split("\n")
            statement = lines[row["newLine"] - 1]
            assert "raise" in statement or "assert" in statement
    assert run("check", records).stdout == f"{len(published):,} records, no problems\n"
