"""The JSON export: each record byte for byte as the first API answered it, and lists that say what there is."""

import hashlib
import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator import dataset, mirror
from generator.about import About
from generator.dataset import Dataset
from generator.files import File
from generator.mirror import FamilyJob, RepositoryJob
from tests import samples, strategies

SEEDS = Path(__file__).parent.parent / "records" / "sgl-project"


@pytest.fixture(scope="module")
def seeds() -> Dataset:
    return dataset.load_or_raise(SEEDS)


def answer(dataset: Dataset, path: str) -> Any:
    """The JSON document of the file of the mirror at `path`."""
    (content,) = [file.content for file in listed(dataset) if file.path == path]
    return json.loads(content)


def listed(dataset: Dataset) -> list[File]:
    """All files of the mirror but those of single records."""
    jobs: list[RepositoryJob | FamilyJob] = [*mirror.repositories(dataset), *mirror.families(dataset)]
    return [*mirror.files(dataset, About()), *(file for job in jobs for file in mirror.lists(job, About()))]


def test_a_record_is_the_seed_apis_answer_byte_for_byte(seeds: Dataset) -> None:
    for entry in seeds.entries:
        seed = json.loads((SEEDS / "sglang" / f"{entry.id}.json").read_text("utf-8"))
        compact = json.dumps(seed, ensure_ascii=False, separators=(",", ":")).encode()
        files = {file.path: file.content for file in mirror.record(entry.id, dataset.read(entry).form)}
        assert files == {f"api/errors/{entry.id}.json": compact, f"api/errors/{entry.id}": compact}


def test_a_host_that_counts_files_gets_one_a_record() -> None:
    assert [file.path for file in mirror.record("0" * 16, b"{}", extensionless=False)] == [
        f"api/errors/{'0' * 16}.json"
    ]


def test_the_index_lists_each_record_with_its_page_and_its_digest(seeds: Dataset) -> None:
    index = answer(seeds, "api/index.json")
    assert index["total"] == len(index["records"]) == len(seeds.entries) == 5
    assert index["datasetVersion"] == max(entry.version for entry in seeds.entries)
    for row, entry in zip(index["records"], seeds.entries, strict=True):
        decoded = dataset.read(entry)
        assert (row["id"], row["url"], row["errorMessage"]) == (entry.id, entry.uri, decoded.record.error_message)
        assert row["sha256"] == hashlib.sha256(decoded.form).hexdigest()


@settings(max_examples=40)
@given(
    st.lists(
        strategies.records(), min_size=1, max_size=4, unique_by=lambda fields: (fields["id"], fields["repo"].lower())
    )
)
def test_every_file_of_any_records_is_strict_json_at_an_address_of_its_own(
    tmp_path_factory: pytest.TempPathFactory, records: list[dict[str, Any]]
) -> None:
    root = samples.tree(tmp_path_factory.mktemp("records"), *records)
    found, _ = dataset.load(root)
    files = listed(found)
    paths = [file.path.casefold() for file in files]
    assert len(paths) == len(set(paths))
    for file in files:
        assert file.path.isascii()
        if file.path.endswith(".json"):
            json.loads(file.content.decode("utf-8", "strict"), parse_constant=pytest.fail)
    rows = {row["id"]: row for row in answer(found, "api/index.json")["records"]}
    for fields in records:
        if fields["id"] in rows:
            assert rows[fields["id"]]["errorMessage"] == fields["errorMessage"]
            assert rows[fields["id"]]["messagePattern"] == fields["messagePattern"]
    shutil.rmtree(root)
