"""What is known of record files is kept in parts: whatever becomes of files and parts, it is known or read again."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from generator import cache, publish, recollection, sources
from generator.recollection import Recollection
from generator.sources import Found
from tests.test_related import entry

CODE = "code"


@pytest.fixture(autouse=True)
def _small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recollection, "FILES_A_PART", 4)


def build(folder: Path, files: dict[str, int], code: str = CODE) -> tuple[Recollection, set[str], list[int]]:
    """Ask for files (each with what its state is), and keep what is known; which were read, and what was written."""
    memory = Recollection(code, recollection.read(folder, code))
    found = [Found(path, (state,)) for path, state in sorted(files.items())]
    fresh = [file for file, known in zip(found, memory.recall(found), strict=True) if known is None]
    for file in fresh:
        memory.keep(file, ())
    written = []
    for number, part in memory.finish():
        publish.write_cache(folder / recollection.name(number), cache.encoded(part))
        written.append(number)
    publish.forget_all(folder, but=[recollection.name(number) for number in range(memory.count)])
    return memory, {file.path for file in fresh}, written


def histories() -> Iterator[dict[str, int]]:
    """Files that come, change and go, up to a hundred and down to none."""
    chance = random.Random(1)
    files: dict[str, int] = {}
    for step in range(60):
        size = [1, 3, 30, 100, 20, 0][step // 10]
        files = dict(list(files.items())[:size])
        files |= {f"records/é{chance.randrange(size)}.json": step for _ in range(chance.randrange(4)) if size}
        files |= {f"records/{number}.json": 0 for number in range(size // 2)}
        yield dict(files)


def test_only_what_changed_is_read_and_only_its_parts_are_written(tmp_path: Path) -> None:
    before: dict[str, int] = {}
    counts, mark = set(), Recollection(CODE, recollection.read(tmp_path, CODE)).mark
    for files in histories():
        memory, read, written = build(tmp_path, files)
        assert read == {path for path, state in files.items() if before.get(path) != state}
        assert memory.mark == mark
        assert (memory.now == mark) == (files == before) == (not written)
        assert len(written) <= len(set(files.items()) ^ set(before.items())) or len(written) == memory.count
        before, mark = files, memory.now
        counts.add(memory.count)
    assert len(counts) > 2


@pytest.mark.parametrize("damaged", [0, 3])
def test_a_part_that_is_damaged_or_gone_is_read_again(tmp_path: Path, damaged: int) -> None:
    files = {f"records/{number}.json": 1 for number in range(40)}
    build(tmp_path, files)
    parts = sorted(tmp_path.iterdir())
    assert len(parts) > 3
    mine = {path for path, _ in list(recollection.read(tmp_path, CODE))[damaged].files}
    parts[damaged].write_bytes(parts[damaged].read_bytes()[:-3])
    memory, read, _ = build(tmp_path, files)
    assert read >= mine
    assert memory.edits is None
    assert build(tmp_path, files)[1:] == (set(), [])
    parts[damaged].unlink()
    memory, read, _ = build(tmp_path, files)
    assert read >= mine
    assert memory.edits is None


def test_another_version_knows_nothing(tmp_path: Path) -> None:
    files = {f"records/{number}.json": 1 for number in range(40)}
    build(tmp_path, files)
    memory, read, _ = build(tmp_path, files, code="another")
    assert read == files.keys()
    assert memory.mark != memory.now


def test_files_of_several_records_and_of_none(tmp_path: Path) -> None:
    """Each file's own entries are recalled, in its order, also beside files that changed."""
    held = {f"records/{number}.jsonl": [entry(number * 10 + one) for one in range(number % 3)] for number in range(30)}
    for changed in ("", "records/4.jsonl", "records/3.jsonl"):
        memory = Recollection(CODE, recollection.read(tmp_path, CODE))
        found = [Found(path, (1 + (path == changed),)) for path in sorted(held)]
        recalled = memory.recall(found)
        for file, known in zip(found, recalled, strict=True):
            if known is None:
                memory.keep(file, held[file.path])
            else:
                assert list(known) == held[file.path]
        assert (None in recalled) == (changed == "" or changed in held)
        for number, part in memory.finish():
            publish.write_cache(tmp_path / recollection.name(number), cache.encoded(part))


def test_files_are_found_in_the_order_of_parts(tmp_path: Path) -> None:
    """Whatever folders and files are called: parts are told by their first file."""
    chance = random.Random(2)
    names = ["a", "a-b", "a.b", "a b", "a0", "A", "é", "~", "a.json", "b.jsonl"]
    for tree in range(20):
        root = tmp_path / str(tree)
        for _ in range(30):
            folder = root.joinpath(*(chance.choice(names[:8]) for _ in range(chance.randrange(3))))
            folder.mkdir(parents=True, exist_ok=True)
            (folder / f"{chance.choice(names)}.json").write_bytes(b"")
        found, problems = sources.find(root)
        assert not problems
        orders = [recollection.order(file) for file in found]
        assert orders == sorted(orders)


def test_parts_of_two_cuts(tmp_path: Path) -> None:
    """A build died while it cut all parts anew, in as many as there were: what is out of order counts as gone."""
    names = [f"records/{number:02}" for number in range(17)]
    build(tmp_path, dict.fromkeys(names[:12], 1))
    assert sum(1 for _ in recollection.read(tmp_path, CODE)) == 3
    later = dict.fromkeys([names[0], names[4], *names[8:]], 1)
    memory = Recollection(CODE, recollection.read(tmp_path, CODE))
    found = [Found(path, (state,)) for path, state in later.items()]
    for file, known in zip(found, memory.recall(found), strict=True):
        if known is None:
            memory.keep(file, ())
    written = list(memory.finish())
    assert len(written) == 3
    for number, part in written[:2]:
        publish.write_cache(tmp_path / recollection.name(number), cache.encoded(part))
    _, read, _ = build(tmp_path, later)
    assert read
    assert build(tmp_path, later)[1:] == (set(), [])
