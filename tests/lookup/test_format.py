"""The page that describes the index's format: its example is what the code makes, and its numbers are the code's."""

import json
import re
from typing import Any

import pytest

from generator.lookup import Index, Site, filters, find, index, tokens
from generator.lookup.messages import Raised
from tests import sites

PAGE = (sites.ROOT / "docs" / "reference" / "lookup-format.md").read_text("utf-8")
RECORDS, FILES, KEYS, ANSWERS = [json.loads(block) for block in re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)]
VERSION = json.loads(FILES["index.json"])["datasetVersion"]


def raised(record: dict[str, Any]) -> Raised:
    site = Site(record["id"], record["page"], record["filePath"], record["lineNumber"])
    return Raised(record["messagePattern"], record["errorClass"], site)


def test_the_files_are_those_that_are_made() -> None:
    made = {file.path.removeprefix(index.FOLDER): file.content for file in index.files(map(raised, RECORDS), VERSION)}
    assert {path: raw.hex() if path.endswith(".bin") else raw.decode() for path, raw in made.items()} == FILES


@pytest.mark.parametrize("vector", KEYS, ids=lambda vector: " ".join(vector["tokens"]))
def test_the_keys_are_those_that_are_computed(vector: dict[str, Any]) -> None:
    key = tokens.key_of(vector["tokens"])
    assert vector["hashes"] == [tokens.hashed(token) for token in vector["tokens"]]
    assert (vector["key"], vector["scrambled"]) == (key, tokens.scrambled(key))
    assert vector["first"] == (key in filters.Filter(bytes.fromhex(FILES["first.bin"])))


@pytest.mark.parametrize("vector", ANSWERS, ids=lambda vector: vector["text"][:40])
def test_the_answers_are_those_that_are_found(vector: dict[str, Any]) -> None:
    assert vector["found"] == [
        {
            "kind": found.kind,
            "score": found.score,
            "sites": [site.id for site in found.sites],
            "decided": found.decided,
            "message": found.text,
            "values": [list(value) for value in found.values],
        }
        for found in find(vector["text"], Index.of_records(map(raised, RECORDS)))
    ]


def test_the_pages_numbers_are_the_codes() -> None:
    for number in (*tokens.MULTIPLIERS, *tokens.SEEDS[1:]):
        assert f"0x{number:08X}" in PAGE
    assert f"describes version {index.FORMAT} of the format" in " ".join(PAGE.split())
    assert f"i from 0 to {filters.HASHES - 1}" in " ".join(PAGE.split())
    assert f"{tokens.MAX_TOKEN} characters count" in PAGE
