"""The page on awkward records and limits says what the code does: its tables are made here, and compared."""

import gzip
import json
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from generator import checks, dataset, escape, highlight, records, sources
from generator.decode import decode
from generator.patterns import compiler
from generator.problems import Problem
from tests import awkward, samples, sites

PAGE = sites.ROOT / "docs" / "reference" / "awkward.md"
CASES = sorted((sites.ROOT / "tests" / "fixtures" / "records").glob("*.json"))


def rows(*lines: tuple[str, ...]) -> str:
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


def spelt(case: Path) -> str:
    return case.stem.replace("-dot-", ".").replace("-", " ")


def found(case: Path) -> list[Problem]:
    decoded = decode(case.read_bytes(), case.name)
    return decoded if isinstance(decoded, list) else []


def told(problem: Problem) -> tuple[str, ...]:
    """Field, what is said and code, as cells."""
    wrong, _, remedy = problem.text.rpartition("; ")
    cells = (escape.shortened(wrong, 120), remedy)
    return f"`{problem.field}`" if problem.field else "", *map(escape.markdown, cells), problem.code


def shown() -> str:
    names = [*awkward.KINDS, *(spelt(case) for case in CASES if not found(case))]
    return "".join(f"- {name}\n" for name in dict.fromkeys(names))


def refused() -> str:
    lines = [(spelt(case), *told(problem)) for case in CASES for problem in found(case)]
    return rows(("case", "field", "what is said", "what to do", "code"), ("---",) * 5, *lines)


def of_several(folder: Path) -> Iterator[tuple[str, Problem]]:
    """What no record alone, or no document, can show."""
    record = samples.record
    withdrawn = {"time": "2026-10-01T00:00:00Z", "reason": "Gone.", "replacement": "f" * 16}
    sets: dict[str, list[dict[str, Any]]] = {
        "an id twice": [record(1), record(1, slug="b")],
        "slugs that differ in case alone": [record(1, slug="a"), record(2, slug="A")],
        "repositories that differ in case alone": [record(1), record(2, repo="Acme/Tool")],
        "an alias that is another's page": [record(1), record(2, aliases=["acme/tool/error-1"])],
        "an alias of two records": [record(1, aliases=["acme/tool/x"]), record(2, aliases=["acme/tool/X"])],
        "an alias that is the record's own page": [record(1, aliases=["acme/tool/error-1"])],
        "withdrawn for no record": [record(1, withdrawn=withdrawn)],
        "withdrawn for itself": [record(1, withdrawn=withdrawn | {"replacement": f"{1:016x}"})],
    }
    for number, (name, fields) in enumerate(sets.items()):
        root = samples.tree(folder / str(number), *fields)
        yield from ((name, problem) for problem in dataset.load(root)[1])


def of_files(folder: Path) -> Iterator[tuple[str, Problem]]:
    """What is wrong with a file itself."""
    outside = folder / "outside.json"
    outside.write_bytes(samples.raw(samples.record()))
    spoilt: dict[str, Callable[[Path], object]] = {
        "a link out of the folder": lambda place: (place / "x.json").symlink_to(outside.resolve()),
        "a link to nothing": lambda place: (place / "x.json").symlink_to(place / "nothing"),
        "a pipe": lambda place: os.mkfifo(place / "x.json"),
        "a damaged archive": lambda place: (place / "x.jsonl.gz").write_bytes(gzip.compress(b"{}")[:-9]),
        "a name of two lines": lambda place: (place / "x\n.json").write_bytes(b"{}"),
        "a name that turns the line": lambda place: (place / "x\u202e.json").write_bytes(b"{}"),
        "no record": lambda place: place,
    }
    for name, spoil in spoilt.items():
        place = folder / name
        place.mkdir()
        spoil(place)
        yield from ((name, problem) for problem in dataset.load(place)[1])


def several(folder: Path) -> str:
    lines = [(name, *told(problem)) for name, problem in (*of_several(folder), *of_files(folder))]
    table = rows(("case", "field", "what is said", "what to do", "code"), ("---",) * 5, *sorted(set(lines)))
    return re.sub(r" \d/(?:\w+/)*(\d\d\.json)", r" records/\1", table)


def limits() -> str:
    lines = [(f"`{name}`", *limit(field.type)) for name, field in records.FIELDS.items()]
    lines += [
        (f"`withdrawn.{field.encode_name}`", *limit(field.type)) for field in msgspec.structs.fields(records.Withdrawn)
    ]
    return rows(
        ("field", "characters", "items"), ("---", "--:", "--:"), *(line for line in lines if line[1] or line[2])
    )


def limit(kind: Any) -> tuple[str, str]:
    """The most characters and items of a field's type."""
    info = msgspec.inspect.type_info(kind)
    while isinstance(info, msgspec.inspect.Metadata):
        info = info.type
    parts = info.types if isinstance(info, msgspec.inspect.UnionType) else (info,)
    for part in parts:
        if isinstance(part, msgspec.inspect.ListType):
            return limit_of(part.item_type), f"{part.max_length:,}"
        if said := limit_of(part):
            return said, ""
    return "", ""


def limit_of(info: Any) -> str:
    while isinstance(info, msgspec.inspect.Metadata):
        info = info.type
    return f"{info.max_length:,}" if isinstance(info, msgspec.inspect.StrType) and info.max_length else ""


def others() -> str:
    return rows(
        ("what", "most"),
        ("---", "--:"),
        ("bytes of a record, as it lies in a file and as it is published", f"{records.MAX_RECORD_BYTES:,}"),
        ("bytes that a `.jsonl.gz` file unpacks to", f"{sources.MAX_UNPACKED_BYTES:,}"),
        ("record files of a dataset", f"{sources.MAX_FILES:,}"),
        ("records of a dataset", f"{dataset.MAX_RECORDS:,}"),
        ("characters of a name: `errorCode`, `errorType`, `errorClass`, `reviewedBy`, a tag", f"{checks.MAX_NAME:,}"),
        ("characters of `backgroundTag`", f"{checks.MAX_TAG:,}"),
        ("characters of `datasetVersion`", f"{records.MAX_VERSION_CHARACTERS:,}"),
        ("characters of a pattern", f"{compiler.MAX_LENGTH:,}"),
        ("pieces of a pattern; alternatives of a group", f"{compiler.MAX_PIECES:,}; {compiler.MAX_ALTERNATIVES:,}"),
        ("a line's number", f"{records.MAX_LINE:,}"),
        ("characters of code that is highlighted; more is shown plain", f"{highlight.MAX_CHARACTERS:,}"),
    )


def test_the_page_has_the_tables_that_the_code_makes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bless: bool
) -> None:
    monkeypatch.chdir(tmp_path)  # a message is cut at a length, and folders of tests have long names
    page = PAGE.read_text("utf-8")
    made = {
        "shown": shown(),
        "refused": refused(),
        "several": several(Path()),
        "fields": limits(),
        "others": others(),
    }
    wanted = page
    for name, table in made.items():
        before, mark, rest = wanted.partition(f"<!-- {name} -->\n\n")
        _, end, after = rest.partition(f"\n<!-- /{name} -->")
        assert mark and end, name
        wanted = f"{before}{mark}{table}{end}{after}"
    if bless:
        PAGE.write_text(wanted, "utf-8", newline="\n")
    assert PAGE.read_text("utf-8") == wanted


def test_every_text_of_a_record_has_a_limit() -> None:
    for name, field in records.FIELDS.items():
        if str in get_args(field.type) or "str" in str(field.type):
            assert limit(field.type)[0] or "Literal" in str(field.type) or name == "withdrawn", name


FULL: dict[str, Any] = {
    "documentation": "x" * records.MAX_TEXT,
    "sourceCode": "x" * records.MAX_CODE,
    "solutions": ["x"] * records.MAX_ITEMS,
    "filePath": "x" * records.MAX_PATH,
    "errorClass": "x" * checks.MAX_NAME,
    "reviewedBy": "x" * checks.MAX_NAME,
    "backgroundTag": "x" * checks.MAX_TAG,
}


@pytest.mark.parametrize("name", FULL)
def test_a_field_at_its_limit_is_read_and_beyond_it_refused(name: str) -> None:
    lines = {"sourceCodeStart": 40, "sourceCodeEnd": 40, "lineNumber": 40} if name == "sourceCode" else {}
    full, beyond = ({name: FULL[name] + more, **lines} for more in (FULL[name][:0], FULL[name][:1]))
    assert not isinstance(decode(samples.raw(samples.record(1, **full)), "x"), list)
    problems = decode(samples.raw(samples.record(1, **beyond)), "x")
    assert isinstance(problems, list)
    assert {problem.field for problem in problems} == {name}
    assert all(problem.code in ("EDX010", "EDX024", "EDX025") for problem in problems)


def test_a_bare_record_may_be_no_larger_than_its_envelope() -> None:
    """What is read is published in an envelope, and that is read again."""
    fields = samples.record(1, solutions=["x" * records.MAX_TEXT] * 15, changeNote="")
    room = records.MAX_RECORD_BYTES - len(compact(fields))
    assert len(compact(fields | {"changeNote": "x" * room})) == records.MAX_RECORD_BYTES
    largest = room - (len(compact(samples.envelope(fields))) - len(compact(fields)))
    grown = len('"datasetVersion":""') + len(samples.VERSION)
    decoded = decode(compact(fields | {"changeNote": "x" * (largest - grown)}), "x")
    assert not isinstance(decoded, list)
    assert decode(decoded.form, "x") == decoded
    problems = decode(compact(fields | {"changeNote": "x" * room}), "x")
    assert isinstance(problems, list)
    assert [problem.code for problem in problems] == ["EDX010"]


def compact(document: Any) -> bytes:
    return json.dumps(document, separators=(",", ":")).encode()


def test_version_1_is_read_where_it_fits() -> None:
    fields = samples.record(1, schemaVersion=1)
    decoded = decode(samples.raw(fields), "x")
    assert not isinstance(decoded, list)
    assert json.loads(decoded.form)["record"] == fields | {"schemaVersion": 2}
    without = {name: value for name, value in fields.items() if name not in ("typeGuard", "tags", "backgroundTag")}
    filled = decode(samples.raw(without), "x")
    assert not isinstance(filled, list)
    assert (filled.record.type_guard, filled.record.tags, filled.record.background_tag) == (None, [], None)
    for spoilt, codes in (
        (without | {"message": "x"}, {"EDX007", "EDX009"}),
        ({name: value for name, value in fields.items() if name != "slug"}, {"EDX006", "EDX009"}),
        (fields | {"lineNumber": 1}, {"EDX009", "EDX014"}),
    ):
        problems = decode(samples.raw(spoilt), "x")
        assert isinstance(problems, list)
        assert {problem.code for problem in problems} == codes
