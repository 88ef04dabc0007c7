"""The mirror's lists, bulk files and their sizes; and that nothing changes but what must."""

import csv
import gzip
import hashlib
import io
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from openapi_spec_validator import OpenAPIV31SpecValidator

from generator import api, bulk, dataset, export, mirror, schema
from generator.about import About
from generator.api import Licence
from generator.files import File
from tests import mirrors


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    return mirrors.files(mirrors.seeds())


def test_every_list_reads_back_as_its_type_with_the_licence_and_the_totals(small: dict[str, bytes]) -> None:
    kinds: dict[str, type[msgspec.Struct]] = {
        "api/index.json": api.Index,
        "api/repos/sgl-project/sglang.json": api.RepositoryList,
        "api/families/missing-required-argument.json": api.FamilyList,
        "api/bulk.json": api.Bulk,
    }
    for path, kind in kinds.items():
        read: Any = msgspec.json.decode(small[path], type=kind)
        assert (read.license.name, read.site) == ("MIT", mirrors.SITE)
        assert msgspec.json.decode(msgspec.json.encode(read)) == json.loads(small[path])
        assert read.total == (5 if "families" not in path else len(read.records))


def test_version_counts_what_there_is(small: dict[str, bytes]) -> None:
    version = msgspec.json.decode(small["api/version.json"], type=api.Version)
    assert version.api_version == api.API_VERSION
    assert version.schema_version == 2
    assert (version.counts.records, version.counts.repositories) == (5, 1)
    assert len(small["api/version.json"]) < 1_000


def test_rows_name_the_hash_of_the_record_s_file_and_its_page(small: dict[str, bytes]) -> None:
    for row in json.loads(small["api/index.json"])["records"]:
        content = small[f"api/errors/{row['id']}.json"]
        assert hashlib.sha256(content).hexdigest() == row["sha256"]
        record = json.loads(content)["record"]
        assert row["errorMessage"] == record["errorMessage"]
        assert row["url"] == f"errors/{record['repo']}/{record['slug']}/"
        assert "withdrawn" not in row


def test_a_large_index_leaves_the_records_to_the_repositories(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mirror, "INDEX_BYTES", 600)
    found = mirrors.files(mirrors.seeds())
    index = json.loads(found["api/index.json"])
    assert "records" not in index
    lists = [json.loads(found[repository["url"]]) for repository in index["repositories"]]
    assert sum(len(page["records"]) for page in lists) == index["total"] == 5


def test_a_large_list_goes_on_in_another_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mirror, "PAGE_BYTES", 1_500)
    found = mirrors.files(mirrors.seeds())
    uri: str | None = "api/repos/sgl-project/sglang.json"
    ids: list[str] = []
    while uri:
        assert len(found[uri]) < 2_500
        page = json.loads(found[uri])
        ids += [row["id"] for row in page["records"]]
        uri = page["next"]
    assert ids == [entry.id for entry in mirrors.seeds().entries]


def test_modified_is_csv_newest_first_with_ties_by_id(tmp_path: Path) -> None:
    times = ["2026-01-01T00:00:00Z", "2026-01-01T00:00:00Z", "2026-01-01T01:30:00+02:00", "2026-03-01T00:00:00.5Z"]
    mirrors.write(tmp_path, *(mirrors.variant(n, updatedAt=time) for n, time in enumerate(times)))
    content = mirror.modified(mirrors.load(tmp_path)).content
    rows = list(csv.DictReader(io.StringIO(content.decode(), newline=""), strict=True))
    assert [row["time"] for row in rows] == [
        "2026-03-01T00:00:00.500000000Z",
        "2026-01-01T00:00:00.000000000Z",
        "2026-01-01T00:00:00.000000000Z",
        "2025-12-31T23:30:00.000000000Z",
    ]
    assert rows[1]["id"] < rows[2]["id"]
    forms = {entry.id: dataset.read(entry).form for entry in mirrors.load(tmp_path).entries}
    assert all(hashlib.sha256(forms[row["id"]]).hexdigest() == row["sha256"] for row in rows)


def test_withdrawn_records_stay_and_are_marked(tmp_path: Path) -> None:
    gone = {"time": "2026-02-01T00:00:00Z", "reason": "It was wrong.", "replacement": None}
    mirrors.write(tmp_path, mirrors.variant(1), mirrors.variant(2, withdrawn=gone))
    found = mirrors.files(mirrors.load(tmp_path))
    rows = {row["slug"]: row for row in json.loads(found["api/index.json"])["records"]}
    assert "withdrawn" not in rows["error-1"]
    assert rows["error-2"]["withdrawn"] is True
    assert json.loads(found["api/version.json"])["counts"]["withdrawn"] == 1


def test_bulk_files_are_gzip_without_a_clock_whose_lines_are_the_records_files(small: dict[str, bytes]) -> None:
    listed = msgspec.json.decode(small["api/bulk.json"], type=api.Bulk)
    for parts in (listed.parts, listed.repositories[0].parts):
        forms: list[bytes] = []
        for part in parts:
            packed = small[part.url]
            assert packed[4:8] == b"\0\0\0\0"
            assert (len(packed), hashlib.sha256(packed).hexdigest()) == (part.bytes, part.sha256)
            plain = gzip.decompress(packed)
            assert len(plain) == part.uncompressed_bytes
            assert plain.endswith(b"\n")
            forms += plain.splitlines()
        assert forms == [small[f"api/errors/{entry.id}.json"] for entry in _by_id(mirrors.seeds())]


def _by_id(found: dataset.Dataset) -> list[dataset.Entry]:
    return sorted(found.entries, key=lambda entry: entry.id)


def test_parts_are_bounded_cover_all_and_change_one_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bulk, "PART_BYTES", 60_000)
    mirrors.write(tmp_path, *(mirrors.variant(n, repo=f"acme/tool-{n % 2}") for n in range(60)))
    before = mirrors.files(mirrors.load(tmp_path))
    parts = json.loads(before["api/bulk.json"])
    assert len(parts["parts"]) > 2
    assert len(parts["repositories"][0]["parts"]) > 1
    for listed in (parts["parts"], [part for repo in parts["repositories"] for part in repo["parts"]]):
        ids = [
            json.loads(line)["record"]["id"]
            for part in listed
            for line in gzip.decompress(before[part["url"]]).splitlines()
        ]
        assert len(ids) == len(set(ids)) == 60
        assert all(part["uncompressedBytes"] <= 60_000 for part in listed)
    mirrors.write(tmp_path, mirrors.variant(7, repo="acme/tool-1", documentation="Another text."))
    changed = _changed(before, mirrors.files(mirrors.load(tmp_path)))
    assert sum(path.startswith("api/bulk/all/") for path in changed) == 1
    assert sum(path.startswith("api/bulk/repos/") for path in changed) == 1


def test_one_changed_record_changes_only_what_shows_it(tmp_path: Path) -> None:
    mirrors.write(tmp_path, *(mirrors.variant(n, repo=f"acme/tool-{n % 3}") for n in range(9)))
    before = mirrors.files(mirrors.load(tmp_path))
    mirrors.write(tmp_path, mirrors.variant(4, repo="acme/tool-1", documentation="Another text."))
    assert not {
        path for path in _changed(before, mirrors.files(mirrors.load(tmp_path))) if "tool-0" in path or "tool-2" in path
    }


def _changed(before: dict[str, bytes], after: dict[str, bytes]) -> set[str]:
    return {path for path in before.keys() | after.keys() if before.get(path) != after.get(path)}


@given(st.sets(st.integers(0, 2**64 - 1), min_size=1, max_size=40), st.integers(1, 8))
def test_for_every_set_of_ids_the_ranges_cover_each_id_once(ids: set[int], fit: int) -> None:
    entries = [_entry(f"{number:016x}") for number in sorted(ids)]
    weight = bulk._weight(entries[0])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bulk, "PART_BYTES", weight * fit)
        ranges = [(ids, list(found)) for ids, found in bulk._ranges(entries)]
    assert [entry for _, found in ranges for entry in found] == entries
    for index, (spelt, found) in enumerate(ranges):
        assert 1 <= len(found) <= fit
        for other, (_, entries_of) in enumerate(ranges):
            for entry in entries_of:
                within = spelt.first <= entry.id[: len(spelt.first)] <= spelt.last
                assert within == (index == other)


_SEED = mirrors.seeds().entries[0]


def _entry(record_id: str) -> dataset.Entry:
    return msgspec.structs.replace(_SEED, id=record_id)


def test_keys_of_jobs_follow_the_records(tmp_path: Path) -> None:
    mirrors.write(tmp_path, *(mirrors.variant(n, repo=f"acme/tool-{n % 2}") for n in range(4)))
    before = _keys(mirrors.load(tmp_path))
    assert before == _keys(mirrors.load(tmp_path))
    mirrors.write(tmp_path, mirrors.variant(0, repo="acme/tool-0", documentation="Another text."))
    after = _keys(mirrors.load(tmp_path))
    assert {uri for uri in before if before[uri] != after[uri]} == {
        "api/bulk/all/0-f.ndjson.gz",
        "api/bulk/repos/acme/tool-0.ndjson.gz",
        "api/feeds/all",
        "api/feeds/repos/acme/tool-0",
    }


def _keys(found: dataset.Dataset) -> dict[str, bytes]:
    return {job.uri: export.key(job, mirrors.ABOUT) for job in export.jobs(found, mirrors.ABOUT)}


NOW = {"documentation": "Another text.", "updatedAt": "2027-01-01T00:00:00Z"}
OTHER_LISTS: dict[str, tuple[dict[str, Any], About, dict[str, Any], set[str]]] = {
    "nothing": ({}, mirrors.ABOUT, {}, set()),
    "a record": (NOW, mirrors.ABOUT, {}, {"api/repos/acme/a.json", "api/families/one.json"}),
    "another licence": ({}, replace(mirrors.ABOUT, licence=Licence()), {}, {"api/repos/acme/b.json"}),
    "no Markdown": ({}, mirrors.ABOUT, {"markdown": False}, {"llms/acme/a.txt", "llms/acme/b.txt"}),
    "a list by hand": ({}, mirrors.ABOUT, {"given": ["llms/acme/b.txt"]}, {"llms/acme/b.txt"}),
}


@pytest.mark.parametrize(("fields", "about", "options", "other"), OTHER_LISTS.values(), ids=OTHER_LISTS)
def test_lists_of_the_same_key_are_the_same(
    fields: dict[str, Any], about: About, options: dict[str, Any], other: set[str], tmp_path: Path
) -> None:
    for number, repo, family in ((0, "acme/a", "one"), (1, "acme/a", "two"), (2, "acme/b", "two")):
        mirrors.write(tmp_path, mirrors.variant(number, repo=repo, backgroundTag=family))
    before = _lists(mirrors.load(tmp_path), mirrors.ABOUT)
    mirrors.write(tmp_path, mirrors.variant(0, repo="acme/a", backgroundTag="one", **fields))
    found = mirrors.load(tmp_path)
    _held(before, _lists(found, about, **options), other)


@pytest.mark.parametrize(
    ("change", "other"),
    [
        ({"articles": {"two": "A title"}}, {"api/families/two.json"}),
        ({"version": "2999"}, {"api/repos/acme/a.json", "api/families/two.json"}),
    ],
    ids=["an article", "the dataset's version"],
)
def test_lists_of_another_article_or_version(change: dict[str, Any], other: set[str], tmp_path: Path) -> None:
    """Neither is a field of the records that are listed; of another version is one that no list here names."""
    for number, repo, family in ((0, "acme/a", "one"), (1, "acme/a", "two"), (2, "acme/b", "three")):
        mirrors.write(tmp_path, mirrors.variant(number, repo=repo, backgroundTag=family))
    found = mirrors.load(tmp_path)
    entries = [*found.entries[:2], msgspec.structs.replace(found.entries[2], version=change.get("version", ""))]
    after = dataset.Dataset(tuple(entries), change.get("articles", {}))
    _held(_lists(found, mirrors.ABOUT), _lists(after, mirrors.ABOUT), other)


Lists = dict[str, tuple[bytes, list[File]]]


def _lists(found: dataset.Dataset, about: About, **options: Any) -> Lists:
    jobs = export.lists(found, **options)
    return {job.uri: (export.key(job, about), list(export.pages(job, about))) for job in jobs}


def _held(before: Lists, after: Lists, other: set[str]) -> None:
    """What has its key is as it was; `other` are another."""
    assert before.keys() == after.keys()
    kept = {uri for uri in before if before[uri][0] == after[uri][0]}
    assert not other & kept
    assert (kept == before.keys()) == (not other)
    for uri in before:
        assert before[uri][1] == after[uri][1] or uri not in kept
        assert before[uri][1] != after[uri][1] or uri not in other


@pytest.mark.parametrize("about", [mirrors.ABOUT, About()], ids=["address", "no address"])
def test_openapi_is_valid_and_its_examples_fit_their_schemas(about: About) -> None:
    document = json.loads(mirrors.files(mirrors.seeds(), about)["api/openapi.json"])
    OpenAPIV31SpecValidator(document).validate()
    examples = 0
    for path, item in document["paths"].items():
        for media in item["get"]["responses"]["200"]["content"].values():
            if "example" in media:
                _validator(document, media["schema"]).validate(media["example"])
                examples += 1
        for parameter in item["get"].get("parameters", ()):
            assert "example" in parameter, path
    assert examples == 7
    assert document["servers"][0]["url"] == (about.url.rstrip("/") or "..")


def _validator(document: dict[str, Any], part: dict[str, Any]) -> Any:
    return Draft202012Validator({**part, "components": document["components"]})


def test_openapi_names_only_what_the_site_has_and_its_examples_addresses_exist(small: dict[str, bytes]) -> None:
    document = json.loads(small["api/openapi.json"])
    for template, item in document["paths"].items():
        values = {parameter["name"]: parameter["example"] for parameter in item["get"].get("parameters", ())}
        path = template.format(**values).lstrip("/")
        assert path in small or path.endswith("/index.md")
    less = json.loads(mirrors.files(mirrors.seeds(), extensionless=False, markdown=False)["api/openapi.json"])
    assert set(document["paths"]) - set(less["paths"]) == {"/api/errors/{id}", "/errors/{owner}/{name}/{slug}/index.md"}


def test_an_empty_dataset_has_a_mirror_too() -> None:
    found = mirrors.files(dataset.Dataset(()))
    assert json.loads(found["api/index.json"])["total"] == 0
    assert json.loads(found["api/bulk.json"])["repositories"] == []
    OpenAPIV31SpecValidator(json.loads(found["api/openapi.json"])).validate()
    assert schema.URI in found
