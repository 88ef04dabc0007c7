"""Where records lie: what is found, what is refused, and that each document can be read again alone."""

import errno
import gzip
import os
import shutil
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator import sources
from generator.problems import Problem
from generator.records import MAX_RECORD_BYTES
from generator.sources import Document


def documents(path: Path, spool: Path | None = None) -> list[Document]:
    found = list(sources.documents(path, spool))
    assert all(isinstance(item, Document) for item in found), found
    return [item for item in found if isinstance(item, Document)]


def find(root: Path) -> tuple[list[Path], list[Problem]]:
    found, problems = sources.find(root)
    return [Path(file.path) for file in found], problems


def problem(items: Any) -> Problem:
    (item,) = items
    assert isinstance(item, Problem)
    assert item.code == "EDX040"
    assert "; " in item.text
    return item


def test_finds_record_files_sorted_and_passes_over_others(tmp_path: Path) -> None:
    for name in (
        "b/2.json",
        "b/1.jsonl",
        "a.json",
        "a/x/3.jsonl.gz",
        "README.md",
        ".hidden.json",
        ".git/4.json",
        "x.json.bak",
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    found, problems = find(tmp_path)
    assert [path.relative_to(tmp_path).as_posix() for path in found] == [
        "a/x/3.jsonl.gz",
        "a.json",
        "b/1.jsonl",
        "b/2.json",
    ]
    assert not problems


def test_a_file_is_its_own_root(tmp_path: Path) -> None:
    path = tmp_path / "any.name"
    path.touch()
    assert find(path) == ([path], [])


def test_a_missing_root_is_a_problem(tmp_path: Path) -> None:
    assert "no such file" in problem(sources.find(tmp_path / "none")[1]).text


def test_links_that_leave_the_root_are_problems(tmp_path: Path) -> None:
    root, outside = tmp_path / "root", tmp_path / "outside"
    (root / "in").mkdir(parents=True)
    outside.mkdir()
    (outside / "secret.json").write_text("{}")
    (root / "in" / "own.json").write_text("{}")
    (root / "inner.json").symlink_to("in/own.json")
    (root / "folder-within").symlink_to("in")
    assert find(root) == ([root / "in" / "own.json", root / "inner.json"], [])
    (root / "file.json").symlink_to(outside / "secret.json")
    assert problem(sources.find(root)[1]).where == str(root / "file.json")
    (root / "file.json").unlink()
    (root / "folder").symlink_to(outside)
    assert problem(sources.find(root)[1]).where == str(root / "folder")


def test_a_link_to_itself_is_a_problem_when_it_is_read(tmp_path: Path) -> None:
    (tmp_path / "a.json").symlink_to("a.json")
    found, problems = find(tmp_path)
    assert problem([*problems, *(item for path in found for item in sources.documents(path))])


@pytest.mark.parametrize("name", [b"\xff.json", b"a\nb.json", b"\x1b[31m.json"])
def test_a_name_that_cannot_be_printed_is_a_problem(tmp_path: Path, name: bytes) -> None:
    try:
        Path(os.fsdecode(os.fsencode(tmp_path) + b"/" + name)).touch()
    except OSError:
        return  # this file system has no such names
    found = problem(sources.find(tmp_path)[1])
    assert str(found).isprintable()


def test_a_folder_that_cannot_be_read_is_a_problem(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By a stand-in for the system's refusal: a test that runs as root is refused nothing."""

    def refuse(folder: str) -> Any:
        raise PermissionError(errno.EACCES, "Permission denied", folder)

    monkeypatch.setattr(os, "scandir", refuse)
    assert "Permission denied" in problem(sources.find(tmp_path)[1]).text


def test_each_line_of_jsonl_is_a_document(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(b'\xef\xbb\xbf{"a":1}\n\n  \r\n{"b":2}\r\n{"c":3}')
    assert [(document.line, document.raw) for document in documents(path)] == [
        (1, b'\xef\xbb\xbf{"a":1}\n'),
        (4, b'{"b":2}\r\n'),
        (5, b'{"c":3}'),
    ]


lines = st.lists(st.binary(max_size=12).map(lambda raw: raw.replace(b"\n", b"")), max_size=6)


@pytest.mark.parametrize("kind", ["json", "jsonl", "jsonl.gz"])
@given(parts=lines)
def test_a_document_is_read_again_alone(
    tmp_path_factory: pytest.TempPathFactory, kind: str, parts: list[bytes]
) -> None:
    folder = tmp_path_factory.mktemp("again")
    path, raw = folder / f"x.{kind}", b"\n".join(parts)
    path.write_bytes(gzip.compress(raw) if kind == "jsonl.gz" else raw)
    found = documents(path, folder)
    assert [sources.read(document.source) for document in found] == [document.raw for document in found]
    if kind == "json":
        assert [document.raw for document in found] == [raw]
    else:
        assert [document.raw.strip() for document in found] == [part.strip() for part in parts if part.strip()]
    shutil.rmtree(folder)


def test_of_what_is_too_long_only_the_beginning_is_kept(tmp_path: Path) -> None:
    long, path = b"x" * (3 * MAX_RECORD_BYTES), tmp_path / "x.jsonl"
    path.write_bytes(long + b"\nshort\n" + long)
    found = documents(path)
    assert [document.line for document in found] == [1, 2, 3]
    assert [len(document.raw) > MAX_RECORD_BYTES for document in found] == [True, False, True]
    assert all(len(document.raw) <= MAX_RECORD_BYTES + 2 for document in found)
    assert sources.read(found[1].source) == b"short\n"
    (whole,) = documents(path.rename(tmp_path / "x.json"))
    assert len(whole.raw) == MAX_RECORD_BYTES + 1


PACKED = gzip.compress(b'{"a":1}\n' * 1000)
BROKEN = {
    "cut short": PACKED[:-12],
    "not gzip": b"{}",
    "changed in the middle": PACKED[:20] + b"\xff\xff\xff\xff" + PACKED[24:],
    "wrong checksum": PACKED[:-8] + b"\0\0\0\0" + PACKED[-4:],
    "something behind it": PACKED + b"x",
}


@pytest.mark.parametrize("spooled", [True, False])
@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_archive_is_one_problem(tmp_path: Path, name: str, spooled: bool) -> None:
    path = tmp_path / "x.jsonl.gz"
    path.write_bytes(BROKEN[name])
    found = list(sources.documents(path, tmp_path if spooled else None))
    assert problem([item for item in found if isinstance(item, Problem)]).where == str(path)
    if spooled:
        assert len(found) == 1


def test_an_archive_is_unpacked_once(tmp_path: Path) -> None:
    path, spool = tmp_path / "x.jsonl.gz", tmp_path / "spool"
    spool.mkdir()
    path.write_bytes(PACKED)
    first = documents(path, spool)
    (stored,) = spool.iterdir()
    state = stored.stat()
    assert documents(path, spool) == first
    assert (stored.stat().st_ino, stored.stat().st_mtime_ns) == (state.st_ino, state.st_mtime_ns)
    assert {document.where for document in first} == {str(path)}


def test_a_file_that_is_gone_is_a_problem(tmp_path: Path) -> None:
    assert "No such file" in problem(sources.documents(tmp_path / "gone.json")).text
    assert "is no file" in problem(sources.documents(tmp_path)).text


def test_a_pipe_is_a_problem(tmp_path: Path) -> None:
    """Reading it would wait for ever."""
    os.mkfifo(tmp_path / "x.json")
    assert "is no file" in problem(sources.documents(tmp_path / "x.json")).text


@pytest.mark.parametrize("content", [b"\n" * 3000, b"x" * 3000, b"x" * 3_000_000, b'{"id": 1}\n' * 300])
@pytest.mark.parametrize("spooled", [True, False])
def test_a_compressed_file_that_grows_beyond_the_limit(
    spooled: bool, content: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sources, "MAX_UNPACKED_BYTES", 2999)
    path = tmp_path / "x.jsonl.gz"
    path.write_bytes(gzip.compress(content))
    found = list(sources.documents(path, tmp_path if spooled else None))
    assert [one.code for one in found if isinstance(one, Problem)] == ["EDX080"]
    assert [one for one in tmp_path.iterdir() if one != path] == []


@pytest.mark.parametrize("mark", ["\u202e", "\u2066", "\u200f", "\u2028"])
def test_a_name_that_would_turn_the_line_it_stands_in(mark: str, tmp_path: Path) -> None:
    (tmp_path / f"a{mark}b.json").write_text("{}")
    (only,) = sources.find(tmp_path)[1]
    assert "rename it" in only.text and only.where.isprintable() and mark not in only.where


def test_a_full_disk_is_no_fault_of_the_records(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    (tmp_path / "x.jsonl.gz").write_bytes(PACKED)
    monkeypatch.setattr(gzip.GzipFile, "read", full)
    with pytest.raises(OSError, match="No space left"):
        list(sources.documents(tmp_path / "x.jsonl.gz", tmp_path))
