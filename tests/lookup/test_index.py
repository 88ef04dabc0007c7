"""The index: equal bytes for equal records, few changes for one change, and the same answers wherever it is read."""

import threading
import tracemalloc
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from random import Random

import msgspec
import pytest

from generator import dataset
from generator.lookup import Index, entries, filters, find, index, index_files, messages
from generator.lookup.folded import folded
from generator.lookup.messages import Raised
from generator.lookup.pairs import State
from generator.patterns import compile
from generator.problems import MachineError, UsageError
from tests import samples
from tests.lookup import raising
from tests.lookup.raising import raised

WORDS = [
    "archive",
    "header",
    "cable",
    "socket",
    "worker",
    "queue",
    "buffer",
    "token",
    "layer",
    "model",
    "cache",
    "record",
    "index",
    "shard",
    "parser",
    "lexer",
    "schema",
    "column",
    "table",
    "cursor",
    "branch",
    "commit",
    "remote",
    "module",
    "import",
    "export",
    "device",
    "kernel",
    "driver",
    "memory",
    "thread",
]


def some(count: int) -> list[Raised]:
    """That many records of messages that differ, some of several files, some of several classes."""
    rng = Random(7)
    return [
        raised(
            number,
            f"the {' '.join(rng.sample(WORDS, 3))} of {{name}} must not be {' '.join(rng.sample(WORDS, 2))}",
            f"{rng.choice(WORDS).title()}Error",
            file=f"src/{rng.choice(WORDS)}/{rng.choice(WORDS)}.py",
            line=number,
        )
        for number in range(1, count + 1)
    ]


def made(records: list[Raised]) -> dict[str, bytes]:
    return {file.path: file.content for file in index.files(records, "v1")}


def written(records: list[Raised], root: Path) -> Path:
    for path, content in made(records).items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(content)
    return root


def test_equal_records_give_equal_bytes_in_any_order() -> None:
    records = some(300)
    shuffled = Random(1).sample(records, len(records))
    assert made(records) == made(shuffled)


def test_one_more_record_changes_few_files() -> None:
    records = some(600)
    before, after = made(records[:-1]), made(records)
    changed = {path for path in before.keys() | after.keys() if before.get(path) != after.get(path)}
    shards = {path for path in changed if path.endswith(".json") and path != index.MANIFEST}
    assert len(before) > 100
    assert 1 <= len(shards) <= 12


def test_a_changed_line_changes_only_the_shards_of_its_message() -> None:
    records = some(600)
    moved = records[300]._replace(site=entries.Site(records[300].site.id, records[300].site.page, "src/a/b.py", 9_999))
    before, after = made(records), made([*records[:300], moved, *records[301:]])
    assert sum(before.get(path) != after.get(path) for path in before.keys() | after.keys()) <= 12


@pytest.mark.parametrize("seed", range(2))
def test_an_index_that_is_changed_equals_one_made_anew(seed: int) -> None:
    """Records come, go and change, many alike, so that words are shared by few, by many and by few again."""
    rng = Random(seed)
    pool = [*some(400), *(crowding(number) for number in range(1_000, 1_160))]
    records = {record.site.id: record for record in rng.sample(pool, 380)}
    site: dict[str, bytes] = {}
    state = State()
    for count in (0, 1, 1, 3, 40, 1, 90, 1, 0, 2):
        for record in rng.sample(pool, count):
            change = rng.choice(["come", "go", "line", "class", "words"])
            records[record.site.id] = changed(record, change, rng)
            if change == "go":
                del records[record.site.id]
        remade = index.Remade(state, messages.grouped(records.values()), "v1")
        for path, content in remade.files():
            if content is None:
                site.pop(path, None)
            else:
                site[path] = content
        state = msgspec.msgpack.decode(msgspec.msgpack.encode(remade.state(b"key")), type=State)
        assert site == made(list(records.values()))


def crowding(number: int) -> Raised:
    """One of many messages that begin alike and are raised in one file."""
    return raised(number, f"cannot load the model {number % 75} because {{name}} is {WORDS[number % 5]}", file="a/b.py")


def changed(record: Raised, change: str, rng: Random) -> Raised:
    if change == "line":
        return record._replace(site=msgspec.structs.replace(record.site, line=rng.randrange(1_000)))
    if change == "class":
        return record._replace(error_class=f"{rng.choice(WORDS).title()}Error")
    if change == "words":
        return record._replace(pattern=f"{record.pattern} {rng.choice(WORDS)} the {rng.choice(WORDS)}")
    return record


def test_a_changed_index_remakes_few_files() -> None:
    records = some(600)
    before = index.Remade(State(), messages.grouped(records), "v1").state(b"")
    records[300] = records[300]._replace(pattern="no word of this is in another message")
    remade = list(index.Remade(before, messages.grouped(records), "v1").files())
    assert 3 <= len(remade) <= 16


def test_an_index_is_made_in_little_memory() -> None:
    """A hundred thousand records' is made while their entries and all pages' keys are held."""
    groups = messages.grouped(some(3_000))
    tracemalloc.start()
    try:
        for _ in index.Remade(State(), groups, "v1").files():
            pass
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak <= 1_600 * len(groups)


def test_every_shard_is_named_by_its_keys() -> None:
    content = made(some(200))
    assert set(content) >= {index.MANIFEST, "api/lookup/first.bin", "api/lookup/wider.bin"}
    assert all(path.startswith("api/lookup/") for path in content)


def texts(records: list[Raised]) -> Iterator[str]:
    for record in records:
        said = f"{record.error_class}: {record.pattern.replace('.+', 'x17')}"
        yield said
        yield raising.traceback(said, file=f"/venv/{record.site.file}", line=record.site.line)
        yield said.replace("must not be", "may never be")
        yield said[: len(said) * 2 // 3]
    for path in sorted((Path(__file__).parent / "cases").glob("*.txt")):
        yield path.read_bytes().decode()


def test_a_folder_answers_as_memory_does(tmp_path: Path) -> None:
    records = some(50)
    memory, folder = Index.of_records(records), Index.of_site(str(written(records, tmp_path)))
    for text in texts(records):
        assert find(text, folder) == find(text, memory)


def test_every_message_finds_itself() -> None:
    records = some(300)
    asked = Index.of_records(records)
    for record in records:
        found = find(f"{record.error_class}: {record.pattern.replace('.+', 'x17')}", asked)
        assert (found[0].kind, found[0].sites[0].id) == ("match", record.site.id)


def test_a_small_index_answers_a_log_of_many_errors() -> None:
    """All shards of a small index are one: no message there crowds out another."""
    records = [raised(number, f"cannot {word} the {{name}} of the archive") for number, word in enumerate(WORDS[:9], 1)]
    log = "\n".join(f"OpenError: cannot {word} the header of the archive" for word in WORDS[:9])
    assert len(find(log, Index.of_records(records))) == 9


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(tmp_path)))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    thread.join()
    server.server_close()


def test_an_address_answers_as_memory_does(tmp_path: Path, address: str) -> None:
    records = some(60)
    written(records, tmp_path)
    memory, remote = Index.of_records(records), Index.of_site(address)
    for text in list(texts(records))[:40]:
        assert find(text, remote) == find(text, memory)


def test_an_address_without_an_index_is_refused(address: str) -> None:
    with pytest.raises(UsageError, match=r"has no api/lookup/index\.json"):
        Index.of_site(address)


def test_a_host_that_does_not_answer_is_the_machines_fault() -> None:
    with pytest.raises(MachineError, match=r"check the address and the network \[EDX060\]"):
        Index.of_site("http://127.0.0.1:9/")


FAULTY = ["", "[]", "{}", '{"format": 1}', "null", '{"format":1,"first":{},"wider":{}}', "[" * 100_000]


@pytest.mark.parametrize("manifest", FAULTY, ids=range(len(FAULTY)))
def test_a_manifest_that_is_none_is_refused(manifest: str, tmp_path: Path) -> None:
    (tmp_path / "api" / "lookup").mkdir(parents=True)
    (tmp_path / index.MANIFEST).write_text(manifest, "utf-8")
    with pytest.raises(MachineError, match="is no index"):
        Index.of_site(str(tmp_path))


def test_a_file_that_is_too_large_is_refused(tmp_path: Path) -> None:
    written(some(3), tmp_path)
    with (tmp_path / index.MANIFEST).open("r+b") as stream:
        stream.truncate(9_000_000)
    with pytest.raises(MachineError, match="more than 8,000,000 bytes"):
        Index.of_site(str(tmp_path))


def test_a_later_format_is_refused(tmp_path: Path) -> None:
    written(some(3), tmp_path)
    manifest = (tmp_path / index.MANIFEST).read_text("utf-8")
    (tmp_path / index.MANIFEST).write_text(manifest.replace('"format":1', '"format":2'), "utf-8")
    with pytest.raises(MachineError, match="update Errordex"):
        Index.of_site(str(tmp_path))


def test_what_a_worker_made_of_all_records_is_known_when_one_changes(tmp_path: Path) -> None:
    """The state is the same, whether it was made of the records' entries or of what a worker is given."""
    numbers = range(1, 200)
    root = samples.tree(tmp_path, *(samples.record(number) for number in numbers))
    found = dataset.load_or_raise(root)
    made = index.Remade(State(), messages.grouped(messages.raised(found)), "v1").state(b"")
    assert made == index.Remade(State(), messages.of_dataset(found), "v1").state(b"")
    posting = index.Remade(made, messages.of_dataset(found), "v1")
    assert [path for path, _ in posting.files()] == [index.MANIFEST]


def test_a_dataset_is_indexed_without_its_withdrawn_records(tmp_path: Path) -> None:
    gone = {"time": "2026-09-01T00:00:00Z", "reason": "no longer raised", "replacement": None}
    root = samples.tree(tmp_path, samples.record(1), samples.record(2, withdrawn=gone))
    found = dataset.load_or_raise(root)
    content = b"".join(file.content for file in index_files(found))
    assert b"0000000000000001" in content
    assert b"0000000000000002" not in content
    (answer,) = find("OpenError: cannot open a.txt: try 1", Index.of_dataset(found))
    assert answer.sites == (entries.Site("0000000000000001", "acme/tool/error-1", "src/tool/open.py", 42),)


@pytest.mark.parametrize(
    "pattern",
    [
        "plain words only",
        r"a .+ b \(.*\) c",
        r"(?P<name>\w+) is not in \[(?P<rest>.*)\]",
        r"either (?:this|that|) or [0-9]{1,3} of [^,]+",
        r"one|two .+|three",
        r"\bword\b and ^start",
    ],
)
def test_an_entry_read_again_is_the_same(pattern: str) -> None:
    one = entries.entry(folded(compile(pattern)), "OpenError", [entries.Site("0" * 16, "a/b/c", "a/b.py", 3)])
    content = entries.encode([(entries.pack(one), one.sites)])
    assert entries.decode(content) == [one]
    assert content == entries.encode([(entries.pack(entries.decode(content)[0]), one.sites)])


def test_a_filter_holds_all_its_keys_and_few_others() -> None:
    rng = Random(3)
    keys = {rng.getrandbits(32) for _ in range(5_000)}
    made_of = filters.build(keys)
    assert all(key in made_of for key in keys)
    others = [key for _ in range(20_000) if (key := rng.getrandbits(32)) not in keys]
    assert sum(key in made_of for key in others) < len(others) / 100
    assert 1 not in filters.build([])
