"""The published JSON Schema against a validator that is not ours, and against the decoder."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from jsonschema import Draft202012Validator, FormatChecker

from generator import decode, schema
from generator.about import About
from tests import mirrors

Change = Callable[[dict[str, Any]], object]


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(schema.record(mirrors.ABOUT).content)
    return found


@pytest.fixture(scope="module")
def validator(document: dict[str, Any]) -> Draft202012Validator:
    return Draft202012Validator(document, format_checker=FormatChecker())


def test_it_is_a_schema_of_draft_2020_12_whose_id_is_its_own_address(document: dict[str, Any]) -> None:
    Draft202012Validator.check_schema(document)
    assert document["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert document["$id"] == f"{mirrors.SITE}api/schema/record-2.json"
    assert "$id" not in json.loads(schema.record(About()).content)


def test_every_field_is_described(document: dict[str, Any]) -> None:
    for name, types in document["$defs"].items():
        for field, found in types["properties"].items():
            assert found.get("description") or "$ref" in found or name == "Envelope", (name, field)


def test_seeds_are_accepted_enveloped_or_bare_and_with_the_schema_s_name(validator: Draft202012Validator) -> None:
    for path in sorted(mirrors.SEEDS.glob("*.json")):
        envelope = json.loads(path.read_text("utf-8"))
        for form in (envelope, envelope["record"]):
            validator.validate(form)
            validator.validate({"$schema": f"{mirrors.SITE}{schema.URI}", **form})
            raw = json.dumps({"$schema": f"{mirrors.SITE}{schema.URI}", **form}).encode()
            assert isinstance(decode.decode(raw, "x"), decode.Decoded)


def test_optional_fields_are_accepted(validator: Draft202012Validator) -> None:
    gone = {"time": "2026-02-01T00:00:00Z", "reason": "It was wrong.", "replacement": None}
    more: dict[str, Any] = {
        "withdrawn": gone,
        "reviewedBy": "A",
        "updatedAt": "2026-02-01T00:00:00Z",
        "changeNote": "B",
        "aliases": ["a/b/c"],
    }
    validator.validate(mirrors.variant(1, **more))
    validator.validate(mirrors.variant(1, withdrawn=None, reviewedBy=None, updatedAt=None, changeNote=None))


FAULTS: dict[str, Change] = {
    "missing": lambda record: record.pop("documentation"),
    "unknown": lambda record: record.update(colour="red"),
    "wrong type": lambda record: record.update(lineNumber="7"),
    "null where none may be": lambda record: record.update(severity=None),
    "no severity": lambda record: record.update(severity="fatal"),
    "id": lambda record: record.update(id="B318B4F842689251"),
    "id with a line end": lambda record: record.update(id="b318b4f842689251\n"),
    "repository": lambda record: record.update(repo="sglang"),
    "repository that climbs": lambda record: record.update(repo="a/.."),
    "slug": lambda record: record.update(slug="a/b"),
    "commit": lambda record: record.update(analyzedSha="abc"),
    "time": lambda record: record.update(analyzedAt="yesterday"),
    "time of a change": lambda record: record.update(updatedAt="2026-13-01T00:00:00Z"),
    "status": lambda record: record.update(httpStatus=99),
    "version": lambda record: record.update(schemaVersion=3),
    "too long": lambda record: record.update(errorClass="x" * 501),
    "too many": lambda record: record.update(tags=["a"] * 101),
    "item": lambda record: record.update(solutions=[1]),
    "withdrawn without a reason": lambda record: record.update(withdrawn={"time": "2026-02-01T00:00:00Z"}),
}


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS.keys())
def test_what_the_schema_refuses_the_decoder_refuses(fault: Change, validator: Draft202012Validator) -> None:
    envelope = mirrors.variant(1)
    fault(envelope["record"])
    assert list(validator.iter_errors(envelope))
    assert list(validator.iter_errors(envelope["record"]))
    assert isinstance(decode.decode(json.dumps(envelope).encode(), "x"), list)


def test_an_envelope_without_its_version_or_with_more_is_refused(validator: Draft202012Validator) -> None:
    envelope = mirrors.seed()
    assert list(validator.iter_errors({"record": envelope["record"]}))
    assert list(validator.iter_errors({**envelope, "more": 1}))
