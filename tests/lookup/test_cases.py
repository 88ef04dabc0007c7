"""Pastes as people file them, each with the one record that it comes from, among the records of all."""

import json
from pathlib import Path
from typing import Any

import pytest

from generator.lookup import Index, find
from tests.lookup import raising

CASES = sorted((Path(__file__).parent / "cases").glob("*.json"))


def case(path: Path) -> dict[str, Any]:
    return dict(json.loads(path.read_text("utf-8")))


@pytest.fixture(scope="module")
def asked() -> Index:
    records = [case(path)["record"] for path in CASES]
    return raising.index(
        *(
            raising.raised(
                number,
                record["errorMessage"],
                record["errorClass"],
                file=record["filePath"],
                line=record["lineNumber"],
                repo=record["repo"],
            )
            for number, record in enumerate(records, 1)
        )
    )


def test_there_are_eighteen() -> None:
    assert len(CASES) >= 18


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_the_record_is_found_and_no_other_is_claimed(path: Path, asked: Index) -> None:
    wanted = case(path)
    found = find(path.with_suffix(".txt").read_bytes().decode(), asked)
    assert [(each.kind, raising.numbers(each)) for each in found] == [(wanted["kind"], [CASES.index(path) + 1])]
    if wanted["values"] is not None:
        assert [value.text for value in found[0].values] == wanted["values"]
