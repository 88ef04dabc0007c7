"""Bytes to records: sound ones keep their form, of faulty ones every fault is named, and nothing is raised."""

import json
import random
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from generator.decode import Decoded, decode, form, reread
from generator.problems import Problem
from generator.records import FIELDS, MAX_RECORD_BYTES
from tests import samples, strategies

SEEDS = sorted((Path(__file__).parent.parent / "records" / "sgl-project" / "sglang").glob("*.json"))


def sound(raw: bytes) -> Decoded:
    decoded = decode(raw, "x.json")
    assert not isinstance(decoded, list), "\n".join(map(str, decoded))
    return decoded


def problems(raw: bytes, line: int = 0) -> list[Problem]:
    decoded = decode(raw, "x.json", line)
    assert isinstance(decoded, list)
    assert decoded == sorted(set(decoded))
    assert decoded
    return decoded


def compact(document: Any) -> bytes:
    return json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode()


@pytest.mark.parametrize("seed", SEEDS, ids=lambda path: path.stem)
def test_the_form_of_a_seed_is_its_compact_form(seed: Path) -> None:
    raw = seed.read_bytes()
    assert sound(raw).form == compact(json.loads(raw))


def test_there_are_seeds() -> None:
    assert len(SEEDS) == 5


@settings(max_examples=50)
@given(strategies.records(), st.booleans(), st.booleans(), st.randoms(use_true_random=False))
def test_any_sound_record_keeps_its_text_and_its_order(
    fields: dict[str, Any], bare: bool, ascii_only: bool, order: random.Random
) -> None:
    names = list(fields)
    order.shuffle(names)
    fields = {name: fields[name] for name in names}
    document = fields if bare else samples.envelope(fields)
    decoded = sound(json.dumps(document, ensure_ascii=ascii_only).encode())
    version = fields["analyzedAt"] if bare else samples.VERSION
    assert decoded.version == version
    assert decoded.form == compact({"record": fields, "datasetVersion": version})
    for name, value in fields.items():
        assert getattr(decoded.record, FIELDS[name].name) == value


@settings(max_examples=50)
@given(strategies.records())
def test_the_form_is_read_as_the_same_record(fields: dict[str, Any]) -> None:
    decoded = sound(compact(samples.envelope(fields)))
    assert sound(decoded.form) == decoded


@settings(max_examples=50)
@given(strategies.records(), st.sampled_from((1, 2)), st.booleans(), st.booleans(), st.booleans())
def test_a_sound_document_reads_again_as_the_same(
    fields: dict[str, Any], version: int, enveloped: bool, marked: bool, indented: bool
) -> None:
    fields = {**fields, "schemaVersion": version}
    document = {"record": fields, "datasetVersion": "1 é"} if enveloped else {**fields, "$schema": "x"}
    text = json.dumps(document, ensure_ascii=indented, indent=2 if indented else None)
    raw = text.encode("utf-8-sig" if marked else "utf-8")
    assert reread(raw) == sound(raw)
    assert form(raw) == sound(raw).form


@given(st.one_of(st.binary(max_size=60), strategies.json_values.map(lambda value: json.dumps(value).encode())))
@example(b"")
@example(b"\xef\xbb\xbf")
@example(b"null")
@example(b"[" * 100_000)
@example(b'{"a":' * 100_000)
@example(b"9" * 10_000)
@example(b"1e999999")
@example(b'{"record": {}, "datasetVersion": "\\ud800"}')
@example(b'{"\\ud800": {"\\udfff": "\\udc00"}}')
@example(b'{"record": {"schemaVersion": 1e400}, "datasetVersion": ""}')
def test_what_is_no_record_is_a_list_of_problems(raw: bytes) -> None:
    for problem in problems(raw):
        assert str(problem).isprintable()
        str(problem).encode()


@settings(max_examples=75)
@given(strategies.spoilt())
def test_a_spoilt_record_is_sound_or_a_list_of_problems(raw: bytes) -> None:
    decoded = decode(raw, "x.json")
    if isinstance(decoded, list):
        assert decoded == sorted(set(decoded)) != []
        for problem in decoded:
            assert f"{problem} {problem.field}".isprintable()
            f"{problem} {problem.field}".encode()
    else:
        assert json.loads(decoded.form)


@pytest.mark.parametrize("depth", range(880, 1010))
def test_deep_nesting_is_a_problem_at_any_depth(depth: int) -> None:
    nested = b"[" * depth + b'"\\ud800"' + b"]" * depth
    for name in (b"lineNumber", b"analyzedAt", b"schemaVersion", b"other"):
        assert problems(b'{"%s": %s}' % (name, nested))
        assert problems(b'{"record": {"%s": %s}, "datasetVersion": %s}' % (name, nested, nested))


def test_every_faulty_field_is_named() -> None:
    fields: dict[str, Any] = {name: {} for name in samples.record()}
    named = {problem.field for problem in problems(samples.raw(fields))}
    assert named == set(fields)


def test_every_missing_field_is_named() -> None:
    named = {problem.field for problem in problems(b"{}")}
    assert named == {name for name, field in FIELDS.items() if field.required}


@pytest.mark.parametrize("name", list(FIELDS))
def test_one_faulty_field_hides_no_other_fault(name: str) -> None:
    """The faults of a record with one more, of another type, are those that do not need that field."""
    faulty = samples.record(
        id="X", slug="", filePath="/x", analyzedAt="now", updatedAt="then", analyzedSha="0", aliases=["x"], tags=[" "],
        backgroundTag="X", errorClass="", errorType="", messagePattern="(", sourceCodeEnd=50, githubUrl="http://x",
    )  # fmt: skip
    before = {(problem.field, problem.code) for problem in problems(samples.raw(faulty))}
    after = {(problem.field, problem.code) for problem in problems(samples.raw(faulty | {name: {}}))}
    needing = {"sourceCode", "sourceCodeStart", "sourceCodeEnd"} if name.startswith("sourceCode") else set()
    needing |= {"githubUrl"} if name == "repo" else set()
    needing |= {"lineNumber"} if name.startswith("sourceCode") else set()
    assert {pair for pair in before - after if pair[0] not in {name, *needing}} == set()


def test_all_faults_of_all_stages_are_named_at_once() -> None:
    fields = samples.record(slug="", documentation="\ud800", severity="x")
    document = {"record": fields, "datasetVersion": 1, "extra": 2}
    raw = json.dumps(document).replace('"repo"', '"repo": "a/b", "repo"').encode()
    found = {(problem.field, problem.code) for problem in problems(raw)}
    assert found >= {
        ("repo", "EDX003"),
        ("documentation", "EDX004"),
        ("datasetVersion", "EDX005"),
        ("extra", "EDX007"),
        ("severity", "EDX008"),
        ("slug", "EDX013"),
    }


def test_the_line_is_that_of_the_field() -> None:
    fields = samples.record(slug="tags", tags=[" "])
    raw = samples.raw(fields)
    (problem,) = problems(raw)
    assert raw.splitlines()[problem.line - 1].strip().startswith(b'"tags":')
    assert problems(raw, line=7)[0].line == 7


def test_a_record_beyond_the_limit_is_refused_unread() -> None:
    fields = samples.record()
    spare = MAX_RECORD_BYTES - len(samples.raw(fields))
    assert sound(samples.raw(fields) + b" " * spare)
    assert [problem.code for problem in problems(samples.raw(fields) + b" " * (spare + 1))] == ["EDX010"]


@pytest.mark.parametrize(
    "raw",
    [
        b"{" + b",".join(b'"%d":1,"%d":1' % (number, number) for number in range(30_000)) + b"}",
        b'{"a":[' + b",".join([b'{"a":1,"a":1}'] * 60_000) + b"]}",
        b'{"tags":[' + b",".join([b'"\\ud800"'] * 90_000) + b"]}",
        b'\\"' * 500_000,
        b'"id"' + b" " * 1_000_000,
        b"[" * 1_000_000,
        b'{"lineNumber":' + b"1" * 1_000_000 + b"}",
    ],
    ids=["doubled keys", "one key doubled often", "half surrogates", "quotes", "spaces", "brackets", "digits"],
)
def test_the_worst_megabyte_takes_seconds_at_most(raw: bytes) -> None:
    begin = time.process_time()
    assert problems(raw)
    assert time.process_time() - begin < 10
