"""Files to a dataset: the same however they lie, every clash found once, and what is kept is sound."""

import gzip
import json
import random
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator import dataset
from generator.dataset import Dataset, Entry
from generator.decode import decode
from generator.problems import InvalidRecords, MachineError, Problem
from tests import samples
from tests.samples import record


def load(root: Path, **options: Any) -> tuple[Dataset, tuple[Problem, ...]]:
    found, problems = dataset.load(root, **options)
    assert list(problems) == sorted(set(problems))
    return found, problems


def bare(entry: Entry) -> tuple[object, ...]:
    """An entry but for the place where it lies."""
    placed = {"digests", "folder", "name", "stored", "offset", "length", "where_line"}
    return entry.digest, *(getattr(entry, name) for name in Entry.__struct_fields__ if name not in placed)


RECORDS = [
    *(record(number, slug=slug) for number, slug in enumerate(("b", "A", "a-b", "Z", "é"), 1)),
    record(6, repo="Other/tool", errorClass="B", tags=["x", "y", "x"]),
    record(7, repo="acme/a", errorMessage="é\x00\r\n\u2028😀", messagePattern=".+"),
]


def test_slugs_that_are_alike_once_folded_are_in_the_order_of_ids(tmp_path: Path) -> None:
    """Whatever their files are called."""
    both = [record(1, slug="ß"), record(2, slug="ss")]
    for number, given_order in enumerate((both, both[::-1])):
        found, problems = load(samples.tree(tmp_path / str(number), *given_order))
        assert not problems
        assert [entry.slug for entry in found.entries] == ["ß", "ss"]


def test_entries_are_sorted_by_repository_and_slug(tmp_path: Path) -> None:
    found, problems = load(samples.tree(tmp_path, *RECORDS))
    assert not problems
    assert [(entry.repo, entry.slug) for entry in found.entries] == [
        *(("acme/a", "error-7"), ("acme/tool", "A"), ("acme/tool", "a-b"), ("acme/tool", "b")),
        *(("acme/tool", "Z"), ("acme/tool", "é"), ("Other/tool", "error-6")),
    ]


@pytest.fixture(scope="module")
def one(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    return load(samples.tree(tmp_path_factory.mktemp("one"), *RECORDS))[0]


@settings(max_examples=40)
@given(st.permutations(RECORDS))
def test_the_order_of_files_changes_nothing(
    one: Dataset, tmp_path_factory: pytest.TempPathFactory, order: list[dict[str, Any]]
) -> None:
    other = load(samples.tree(tmp_path_factory.mktemp("other"), *order))[0]
    assert list(map(bare, one.entries)) == list(map(bare, other.entries))
    assert (one.version, one.class_names, one.tag_names) == (other.version, other.class_names, other.tag_names)


@pytest.mark.parametrize("name", ["x.jsonl", "x.jsonl.gz"])
def test_lines_and_archives_equal_single_files(tmp_path: Path, name: str) -> None:
    single = load(samples.tree(tmp_path / "single", *RECORDS))[0]
    lines = b"".join(json.dumps(samples.envelope(fields)).encode() + b"\n" for fields in RECORDS)
    folder, spool = tmp_path / "lines", tmp_path / "spool"
    folder.mkdir()
    spool.mkdir()
    (folder / name).write_bytes(gzip.compress(lines) if name.endswith(".gz") else lines)
    together, problems = load(folder, spool=spool)
    assert not problems
    assert list(map(bare, together.entries)) == list(map(bare, single.entries))
    assert [dataset.read(entry) for entry in together.entries] == [dataset.read(entry) for entry in single.entries]


def test_a_record_is_read_again_as_it_was(tmp_path: Path) -> None:
    root = samples.tree(tmp_path, *RECORDS)
    found = load(root)[0]
    by_id = {fields["id"]: decode(samples.raw(fields), "x") for fields in RECORDS}
    assert {entry.id: dataset.read(entry) for entry in found.entries} == by_id


@pytest.mark.parametrize("change", ["gone", "other", "longer", "cut"])
def test_a_file_that_changed_meanwhile_is_the_machines_fault(tmp_path: Path, change: str) -> None:
    (entry,) = load(samples.tree(tmp_path, record()))[0].entries
    path = tmp_path / "01.json"
    raw = path.read_bytes()
    path.unlink()
    if change != "gone":
        path.write_bytes({"other": raw.replace(b"src", b"srs"), "longer": b" " + raw, "cut": raw[:-2]}[change])
    with pytest.raises(MachineError, match="changed while the site was built"):
        dataset.read(entry)


def test_bytes_after_a_document_are_not_its_change(tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").write_bytes(json.dumps(record()).encode() + b"\n")
    (entry,) = load(tmp_path)[0].entries
    with (tmp_path / "x.jsonl").open("ab") as stream:
        stream.write(json.dumps(record(2)).encode() + b"\n")
    assert dataset.read(entry).record.id == record()["id"]


def test_an_entry_holds_what_lists_show(tmp_path: Path) -> None:
    fields = record(
        1,
        analyzedAt="2026-08-28T05:10:05+08:00",
        updatedAt="2026-09-01T00:00:00Z",
        reviewedBy="A",
        tags=["b", "a", "b"],
    )
    (entry,) = load(samples.tree(tmp_path, fields))[0].entries
    assert (entry.day, entry.analyzed, entry.modified) == (
        *("2026-08-28", "2026-08-27T21:10:05.000000000Z", "2026-09-01T00:00:00.000000000Z"),
    )
    assert (entry.tags, entry.reviewed, entry.withdrawn, entry.version) == (("b", "a"), True, False, samples.VERSION)
    assert (entry.where, entry.where_line, entry.uri) == (str(tmp_path / "01.json"), 0, "errors/acme/tool/error-1/")


CLASHES: dict[str, tuple[list[dict[str, Any]], list[tuple[str, str, str]]]] = {
    "nothing": ([record(1), record(2)], []),
    "the same id": ([record(1), record(1, slug="other")], [("02", "id", "EDX030")]),
    "the same file twice": ([record(1), record(1)], [("02", "id", "EDX030")]),
    "the same id three times": (
        [record(1), record(1, slug="b"), record(1, slug="c")],
        [("02", "id", "EDX030"), ("03", "id", "EDX030")],
    ),
    "the same slug": ([record(1, slug="x"), record(2, slug="x")], [("02", "slug", "EDX031")]),
    "the same slug but for case": ([record(1, slug="Index"), record(2, slug="iNDEX")], [("02", "slug", "EDX031")]),
    "the same slug in two repositories": ([record(1, slug="x"), record(2, slug="x", repo="acme/other")], []),
    "long slugs with one beginning": ([record(1, slug="x" * 200), record(2, slug="x" * 201)], []),
    "accents that differ in form": ([record(1, slug="é"), record(2, slug="e\u0301")], []),
    "a repository in two spellings": (
        [record(1), record(2, repo="Acme/tool"), record(3)],
        [("02", "repo", "EDX032")],
    ),
    "a page and another's alias": (
        [record(1, slug="x"), record(2, aliases=["acme/tool/X"])],
        [("02", "aliases", "EDX033")],
    ),
    "an alias before the page": (
        [record(1, aliases=["acme/tool/x"]), record(2, slug="x")],
        [("01", "aliases", "EDX033")],
    ),
    "an alias of two records": (
        [record(1, aliases=["acme/tool/x"]), record(2, aliases=["acme/tool/x"])],
        [("02", "aliases", "EDX033")],
    ),
    "an alias that is the own page": ([record(1, aliases=["acme/tool/error-1"])], [("01", "aliases", "EDX033")]),
    "an alias twice": ([record(1, aliases=["acme/tool/x", "acme/tool/x"])], []),
    "a replacement that is not there": (
        [record(1, withdrawn={"time": "2026-01-01T00:00:00Z", "reason": "x", "replacement": "0" * 16})],
        [("01", "withdrawn", "EDX034")],
    ),
    "a record that replaces itself": (
        [record(1, withdrawn={"time": "2026-01-01T00:00:00Z", "reason": "x", "replacement": f"{1:016x}"})],
        [("01", "withdrawn", "EDX034")],
    ),
    "a replacement that is faulty itself": (
        [
            record(1, withdrawn={"time": "2026-01-01T00:00:00Z", "reason": "x", "replacement": f"{2:016x}"}),
            record(2, severity="x"),
        ],
        [("02", "severity", "EDX008")],
    ),
    "a clash behind another": (
        [record(1), record(1, slug="x"), record(2, slug="x")],
        [("02", "id", "EDX030"), ("03", "slug", "EDX031")],
    ),
    "two clashes of one record": (
        [record(1, slug="x"), record(2, slug="x", repo="ACME/tool")],
        [("02", "repo", "EDX032"), ("02", "slug", "EDX031")],
    ),
}


@pytest.mark.parametrize("name", CLASHES)
def test_clashes(tmp_path: Path, name: str) -> None:
    records, expected = CLASHES[name]
    found, problems = load(samples.tree(tmp_path, *records))
    assert [(Path(problem.where).stem, problem.field, problem.code) for problem in problems] == expected
    faulty = {file for file, _, _ in expected}
    assert sorted(Path(entry.where).stem for entry in found.entries) == [
        f"{number:02}" for number in range(1, len(records) + 1) if f"{number:02}" not in faulty
    ]
    if expected:
        with pytest.raises(InvalidRecords) as invalid:
            dataset.load_or_raise(tmp_path)
        assert invalid.value.problems == problems


small = st.builds(
    lambda number, repo, slug, alias, replacement: record(
        number,
        repo=repo,
        slug=slug,
        aliases=[alias] if alias else [],
        withdrawn=replacement and {"time": "2026-01-01T00:00:00Z", "reason": "x", "replacement": replacement},
    ),
    st.integers(1, 5),
    st.sampled_from(["acme/tool", "acme/tool", "Acme/tool", "acme/b"]),
    st.sampled_from(["a", "A", "b", "c", "d", "e", "f"]),
    st.sampled_from(["", "", "", "acme/tool/a", "acme/tool/z", "acme/b/c"]),
    st.sampled_from([None, None, None, f"{1:016x}", f"{9:016x}"]),
)


@settings(max_examples=80)
@given(st.lists(small, max_size=8))
def test_what_is_kept_of_any_records_has_no_clash(
    tmp_path_factory: pytest.TempPathFactory, records: list[dict[str, Any]]
) -> None:
    kept, problems = load(samples.tree(tmp_path_factory.mktemp("all"), *records))
    sound = [
        fields
        for number, fields in enumerate(records, 1)
        if any(f"{number:02}.json" in entry.where for entry in kept.entries)
    ]
    again, left = load(samples.tree(tmp_path_factory.mktemp("kept"), *sound))
    assert [problem for problem in left if problem.code not in {"EDX034", "EDX041"}] == []
    assert len(kept.entries) + len({problem.where for problem in problems if problem.code != "EDX041"}) == len(records)
    assert {entry.id for entry in again.entries} <= {entry.id for entry in kept.entries}


def test_faulty_records_are_all_named_and_the_rest_kept(tmp_path: Path) -> None:
    samples.tree(tmp_path, record(1), record(2, slug=""), record(3, severity="x", id="Y"))
    (tmp_path / "04.json").write_bytes(b"\xff")
    (tmp_path / "05.jsonl").write_bytes(b'{"a"\n' + json.dumps(record(5)).encode() + b"\nnull\n")
    found, problems = load(tmp_path)
    assert [entry.id for entry in found.entries] == [record(1)["id"], record(5)["id"]]
    assert [(Path(problem.where).name, problem.line, problem.code) for problem in problems] == [
        *(("02.json", 5, "EDX013"), ("03.json", 3, "EDX012"), ("03.json", 12, "EDX008"), ("04.json", 0, "EDX001")),
        *(("05.jsonl", 1, "EDX002"), ("05.jsonl", 3, "EDX005")),
    ]


def test_no_record_at_all_is_a_problem(tmp_path: Path) -> None:
    assert [problem.code for problem in load(tmp_path)[1]] == ["EDX041"]


def test_hubs_are_spelt_as_the_first_analysed_record_spells_them(tmp_path: Path) -> None:
    records = [
        record(1, errorClass="valueerror", tags=["Cuda"], analyzedAt="2026-08-28T05:10:05Z"),
        record(2, errorClass="ValueError", tags=["cuda", "x"], analyzedAt="2026-08-28T05:10:05+01:00"),
        record(
            3,
            errorClass="VALUEERROR",
            withdrawn={"time": "2020-01-01T00:00:00Z", "reason": "x"},
            analyzedAt="2020-01-01T00:00:00Z",
        ),
    ]
    random.Random(1).shuffle(records)
    found = load(samples.tree(tmp_path, *records))[0]
    assert found.class_names == {"valueerror": "ValueError"}
    assert found.tag_names == {"cuda": "cuda", "x": "x"}
    assert len(found.live) == 2


def test_a_family_has_its_articles_title(tmp_path: Path) -> None:
    families = tmp_path / "docs" / "families"
    families.mkdir(parents=True)
    (families / "missing-argument.md").write_bytes(b"\xef\xbb\xbf---\nx: y\n---\n\n# An argument is missing \n\ntext\n")
    (families / "untitled.md").write_text("text")
    (families / "not-utf-8.md").write_bytes(b"# caf\xe9\n")
    found = load(samples.tree(tmp_path / "records", record(1)), docs=tmp_path / "docs")[0]
    assert found.family("missing-argument").name == "An argument is missing"
    assert found.family("untitled").name == "Untitled"
    assert found.family("not-utf-8").name == "caf\ufffd"
    assert found.family("no-article").name == "No article"


def test_a_left_out_record_keeps_its_address_where_no_sound_one_has_it(tmp_path: Path) -> None:
    samples.tree(
        tmp_path,
        record(1, slug="a"),
        record(2, slug="A"),
        record(3, slug="b", severity="x"),
        record(1, slug="c"),
        record(5, slug="a/../b"),
    )
    (tmp_path / "half.json").write_text(json.dumps(samples.envelope(record(4, slug="\ud800"))))
    found = load(tmp_path)[0]
    assert [(one.slug, one.id) for one in found.left_out] == [("b", f"{3:016x}"), ("c", ""), ("\ud800", f"{4:016x}")]
    assert all(one.uri.isascii() for one in found.left_out)


def test_one_clash_among_many_records_takes_no_square_of_time(tmp_path: Path) -> None:
    """By the work done: no entry is compared with the others one by one."""
    many = [json.dumps(record(number)).encode() for number in range(1, 3_001)]
    (tmp_path / "x.jsonl").write_bytes(b"\n".join([*many, many[-1]]))
    begin = time.process_time()
    found, problems = load(tmp_path)
    assert (len(found.entries), len(problems)) == (3_000, 1)
    assert time.process_time() - begin < 5
