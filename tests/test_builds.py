"""Builds as a whole: incremental equals full, workers change nothing, faults publish nothing."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from distributed import LocalCluster

from generator import builds, export
from generator.about import About
from generator.builds import Built
from generator.files import File
from generator.problems import ErrordexError, InvalidRecords, MachineError, UsageError
from tests import sites

SEEDS = sites.ROOT / "records" / "sgl-project"


@pytest.fixture
def records(tmp_path: Path) -> Path:
    folder = tmp_path / "records"
    shutil.copytree(SEEDS, folder / "sgl-project")
    return folder


def built_small(folder: Path, records: Path, **options: Any) -> tuple[Built, Path]:
    """`sites.build` with one hand-written page: that and the families' articles are all that these tests need.

    The settings name no place outside, so that a copy of the project is the same project.
    """
    docs = records.with_name("docs")
    if not docs.exists():
        shutil.copytree(sites.ROOT / "docs" / "families", docs / "families")
        (docs / "index.md").write_text("# Home\n", "utf-8")
    near = {"records": Path(os.path.relpath(records, folder)), "docs": Path(os.path.relpath(docs, folder))}
    return sites.build(folder, **near, nav=None, not_in_nav=None, **options)


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project whose site is built."""
    folder = tmp_path_factory.mktemp("model")
    shutil.copytree(SEEDS, folder / "records" / "sgl-project")
    built_small(folder, folder / "records")
    return folder


@pytest.fixture
def site(model: Path, records: Path, tmp_path: Path) -> Path:
    """The site of `records`, built in `tmp_path`: a copy of the model's, which the next build takes for its own."""
    shutil.copytree(model, tmp_path, dirs_exist_ok=True)
    return tmp_path / "site"


def edit(path: Path, **fields: object) -> None:
    document = json.loads(path.read_text("utf-8"))
    document["record"].update(fields)
    path.write_text(json.dumps(document, ensure_ascii=False), "utf-8")


def one(records: Path, record_id: str = "b318b4f842689251") -> Path:
    return next(records.rglob(f"{record_id}.json"))


def copy(records: Path, source: str, record_id: str, **fields: object) -> Path:
    path = one(records, source)
    target = path.with_name(f"{record_id}.json")
    shutil.copyfile(path, target)
    edit(target, id=record_id, slug=f"copy-{record_id}", **fields)
    return target


def test_an_unchanged_dataset_makes_nothing(records: Path, tmp_path: Path) -> None:
    _, site = built_small(tmp_path, records)
    before = {path: path.stat().st_mtime_ns for path in site.rglob("*") if path.is_file()}
    built, _ = built_small(tmp_path, records)
    assert (built.outcome.made, built.outcome.changed, built.outcome.deleted) == (0, 0, 0)
    assert {path: path.stat().st_mtime_ns for path in site.rglob("*") if path.is_file()} == before


STEPS = {
    "a changed word": lambda records: edit(one(records), documentation="Something else."),
    "a changed message": lambda records: edit(
        one(records), errorMessage="DSPARK wants `layer_ids`.", messagePattern="DSPARK wants .+"
    ),
    "a new slug": lambda records: edit(one(records), slug="another-slug"),
    "another class": lambda records: edit(one(records), errorClass="KeyError"),
    "another family": lambda records: edit(one(records), backgroundTag="a-new-family"),
    "a new record": lambda records: copy(records, "b318b4f842689251", "0123456789abcdef"),
    "a removed record": lambda records: one(records).unlink(),
    "a withdrawn record": lambda records: edit(
        one(records),
        withdrawn={"time": "2026-09-01T00:00:00Z", "reason": "Wrong.", "replacement": "3083cb312003fdcc"},
    ),
}


@pytest.mark.parametrize("step", STEPS.values(), ids=STEPS)
def test_incremental_equals_full(step: object, records: Path, site: Path, tmp_path: Path) -> None:
    step(records)  # type: ignore[operator]
    built, _ = built_small(tmp_path, records, allow_delete=True)
    assert sites.contents(site) == sites.clean(tmp_path / "mkdocs.yml", tmp_path)
    assert built.outcome.made > 0 and built.reason == ""


def test_one_changed_word_makes_one_page(records: Path, site: Path, tmp_path: Path) -> None:
    edit(one(records), documentation="Something else.")
    built, _ = built_small(tmp_path, records)
    assert built.outcome.made == 1


@pytest.mark.parametrize("damage", ["edited", "removed"])
def test_a_page_that_was_touched_by_hand_is_made_again(damage: str, records: Path, site: Path, tmp_path: Path) -> None:
    whole = sites.contents(site)
    page = next(path for path in (site / "errors" / "sgl-project").rglob("*-0b779e/index.html"))
    page.unlink() if damage == "removed" else page.write_text("edited", "utf-8")
    built, _ = built_small(tmp_path, records)
    assert built.outcome.made == 1
    assert sites.contents(site) == whole


@pytest.mark.parametrize("content", [b"", b"\x81\xa1", b"not a cache"])
def test_a_damaged_cache_means_a_full_build(content: bytes, records: Path, site: Path, tmp_path: Path) -> None:
    whole = sites.contents(site)
    for cache in (tmp_path / ".errordex").rglob("*.msgpack"):
        cache.write_bytes(content)
    built, _ = built_small(tmp_path, records)
    assert built.reason and built.outcome.made == built.outcome.pages
    assert sites.contents(site) == whole


def test_other_settings_mean_a_full_build(records: Path, site: Path, tmp_path: Path) -> None:
    built, _ = built_small(tmp_path, records, site_name="Another name")
    assert built.reason == "settings, theme or versions changed"
    assert b"Another name" in (site / "index.html").read_bytes()


def test_pages_that_are_files_are_refused(records: Path, tmp_path: Path) -> None:
    config = sites.project(tmp_path, records)
    config.write_text(f"{config.read_text('utf-8')}\nuse_directory_urls: false\n", "utf-8")
    with pytest.raises(UsageError, match="use_directory_urls is false"):
        builds.build(config)
    assert not (tmp_path / "site").exists()


def test_workers_change_nothing(records: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("generator.making.ALONE", 0)
    _, one_worker = built_small(tmp_path / "a", records, jobs=1)
    _, four_workers = built_small(tmp_path / "b", records, jobs=4)
    assert sites.contents(one_worker) == sites.contents(four_workers)


def test_a_dask_cluster_changes_nothing(records: Path, tmp_path: Path) -> None:
    """A real one: a scheduler and two worker processes."""
    _, here = built_small(tmp_path / "a", records, jobs=1)
    workers = {"n_workers": 2, "threads_per_worker": 1, "processes": True}
    with LocalCluster(**workers, dashboard_address=None) as cluster:  # type: ignore[no-untyped-call]
        _, there = built_small(tmp_path / "b", records, executor="dask", scheduler=cluster.scheduler_address)
    assert sites.contents(there) == sites.contents(here)


@pytest.mark.parametrize("given", [{"executor": "dask"}, {"scheduler": "tcp://127.0.0.1:1"}])
def test_an_executor_and_a_scheduler_go_together(records: Path, tmp_path: Path, given: dict[str, str]) -> None:
    with pytest.raises(UsageError, match="go together"):
        built_small(tmp_path, records, **given)


def test_a_scheduler_that_does_not_answer(
    records: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("generator.workers.PATIENCE", 0.2)
    with pytest.raises(UsageError, match="no Dask scheduler answers"):
        built_small(tmp_path, records, executor="dask", scheduler="tcp://127.0.0.1:9")
    assert not (tmp_path / "site").exists()


def test_equal_input_gives_equal_bytes_anywhere(records: Path, tmp_path: Path) -> None:
    """Another folder, time zone, hash seed and locale, in a process of its own."""
    shutil.copytree(records, tmp_path / "here" / "records")
    _, here = sites.build(tmp_path / "here", tmp_path / "here" / "records")
    elsewhere = tmp_path / "else" / "where"
    copied = elsewhere / "records"
    shutil.copytree(records, copied)
    config = sites.project(elsewhere, copied)
    environment = {**os.environ, "TZ": "Pacific/Kiritimati", "PYTHONHASHSEED": "12345", "LC_ALL": "C"}
    subprocess.run(
        [sys.executable, "-m", "generator", "build", "--config-file", config, "--quiet"],
        check=True,
        env=environment,
        cwd=sites.ROOT,
    )
    assert sites.contents(elsewhere / "site") == sites.contents(here)


@pytest.mark.parametrize("form", [".jsonl", ".jsonl.gz"])
def test_lines_and_archives_give_the_same_site(form: str, records: Path, tmp_path: Path) -> None:
    import gzip

    _, expected = built_small(tmp_path / "a", records, repo_url=None)
    lines = b"\n".join(
        json.dumps(json.loads(path.read_bytes()), ensure_ascii=False).encode()
        for path in sorted(records.rglob("*.json"))
    )
    packed = tmp_path / "packed" / f"all{form}"
    packed.parent.mkdir()
    packed.write_bytes(gzip.compress(lines) if form.endswith(".gz") else lines)
    _, site = built_small(tmp_path / "b", packed.parent, repo_url=None)
    assert sites.contents(site) == sites.contents(expected)


def test_one_faulty_record_publishes_nothing(records: Path, site: Path, tmp_path: Path) -> None:
    whole = sites.contents(site)
    edit(one(records), lineNumber=1)
    edit(one(records, "3083cb312003fdcc"), documentation="Changed.")
    with pytest.raises(InvalidRecords, match="EDX014"):
        built_small(tmp_path, records)
    assert sites.contents(site) == whole


def test_keep_going_publishes_the_rest_and_keeps_the_address(records: Path, tmp_path: Path) -> None:
    edit(one(records), lineNumber=1)
    built, site = built_small(tmp_path, records, keep_going=True)
    assert [problem.code for problem in built.problems] == ["EDX014"]
    page = site / "errors/sgl-project/sglang/dspark-requires-explicit-layer-ids-for-aux-hidden-b318b4/index.html"
    assert "being mended" in page.read_text("utf-8")
    assert "noindex" in page.read_text("utf-8")
    assert (site / "e/b318b4f842689251/index.html").is_file()
    assert not (site / "api/errors/b318b4f842689251.json").exists()
    assert "b318b4f842689251" not in (site / "api/index.json").read_text("utf-8")


def test_a_build_that_deletes_too_much_is_refused(records: Path, site: Path, tmp_path: Path) -> None:
    whole = sites.contents(site)
    for path in list(records.rglob("*.json"))[:-1]:
        path.unlink()
    with pytest.raises(ErrordexError, match="EDX050"):
        built_small(tmp_path, records)
    assert sites.contents(site) == whole
    built, _ = built_small(tmp_path, records, allow_delete=True)
    assert built.outcome.deleted > 0


def test_a_second_build_says_so_and_leaves(records: Path, site: Path, tmp_path: Path) -> None:
    from generator import publish

    with publish.opened(publish.workspace(tmp_path, site)), pytest.raises(MachineError, match="EDX051"):
        built_small(tmp_path, records)


def test_left_out_copies_are_not_made(records: Path, tmp_path: Path) -> None:
    _, site = built_small(tmp_path, records, plugin={"outputs": []})
    files = sites.contents(site)
    assert not any(path.endswith("index.md") or path.startswith("e/") for path in files)
    assert [path for path in files if path.startswith("api/errors/") and not path.endswith(".json")] == []


@pytest.mark.parametrize("program", ["mkdocs", "properdocs"])
def test_mkdocs_itself_gives_the_same_bytes(program: str, records: Path, tmp_path: Path) -> None:
    """`mkdocs build`, and its maintained fork, run as users run them."""
    _, expected = sites.build(tmp_path / "a", records)
    config = sites.project(tmp_path / "b", records)
    if program == "properdocs":
        config = config.rename(config.with_name("properdocs.yml"))
    subprocess.run(
        [sys.executable, "-m", program, "build", "--quiet", "--config-file", config],
        check=True,
        capture_output=True,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
    )
    assert sites.contents(tmp_path / "b" / "site").keys() == sites.contents(expected).keys()
    assert sites.contents(tmp_path / "b" / "site") == sites.contents(expected)


def test_security_txt_goes_with_its_setting_and_other_hidden_files_stay(records: Path, tmp_path: Path) -> None:
    security = {"contact": ["mailto:security@e.example"], "expires": "2099-12-31T00:00:00Z"}
    _, site = built_small(tmp_path / "p", records, plugin={"security": security})
    (site / ".well-known" / "acme-challenge").write_text("by hand", "utf-8")
    assert (site / ".well-known" / "security.txt").exists()
    built_small(tmp_path / "p", records)
    assert [path.name for path in (site / ".well-known").iterdir()] == ["acme-challenge"]


@pytest.mark.parametrize("outputs", [[], ["permalinks", "markdown"]])
def test_files_are_counted_as_they_are(outputs: list[str], records: Path, tmp_path: Path) -> None:
    """Also those of pages without a record or without its JSON, and where hardly anything was made."""
    edit(one(records), lineNumber=1)
    for _ in range(2):
        built, site = built_small(tmp_path, records, plugin={"outputs": outputs}, keep_going=True)
        found = sites.contents(site)
        assert (built.outcome.files, built.outcome.size) == (len(found), sum(map(len, found.values())))


# Lists and sitemaps

OTHER = "0123456789abcdef"


def in_another_repository(records: Path) -> Path:
    """One more record, the only one of its repository and of its family."""
    path = copy(records, "b318b4f842689251", OTHER, repo="acme/tool", backgroundTag="of-its-own")
    text = path.read_text("utf-8").replace("github.com/sgl-project/sglang/", "github.com/acme/tool/")
    path.write_text(text, "utf-8")
    return path


def listed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The lists and sitemaps that builds make from here on."""
    made: list[str] = []
    make = export.pages

    def noted(job: export.ListJob, about: About) -> Iterator[File]:
        made.append(job.uri)
        return make(job, about)

    monkeypatch.setattr(export, "pages", noted)
    return made


def test_lists_are_made_where_they_say_another_thing_and_go_with_their_records(
    records: Path, site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = in_another_repository(records)
    built_small(tmp_path, records)
    lists = {"api/repos/acme/tool.json", "api/families/of-its-own.json", "llms/acme/tool.txt"}
    assert lists <= sites.contents(site).keys()
    made = listed(monkeypatch)
    edit(own, documentation="Something else.")
    (site / "llms" / "sgl-project" / "sglang.txt").write_text("by hand", "utf-8")
    built_small(tmp_path, records)
    assert set(made) == {*lists, "llms/sgl-project/sglang.txt"}
    assert sites.contents(site) == sites.clean(tmp_path / "mkdocs.yml", tmp_path)
    own.unlink()
    built_small(tmp_path, records, allow_delete=True)
    assert not lists & sites.contents(site).keys()
    assert sites.contents(site) == sites.clean(tmp_path / "mkdocs.yml", tmp_path)


def test_of_many_sitemaps_only_what_changed_is_made(
    records: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("generator.discovery.SITEMAP_LIMIT", 3)
    own = in_another_repository(records)
    _, site = built_small(tmp_path, records)
    before = [path for path in sites.contents(site) if path.startswith("sitemap")]
    made = listed(monkeypatch)
    edit(one(records), updatedAt="2027-01-01T00:00:00Z")
    built_small(tmp_path, records)
    assert len([uri for uri in made if uri.startswith("sitemap")]) == 1
    assert sites.contents(site) == sites.clean(tmp_path / "mkdocs.yml", tmp_path)
    own.unlink()
    built_small(tmp_path, records, allow_delete=True)
    left = [path for path in sites.contents(site) if path.startswith("sitemap")]
    assert set(left) < set(before)
    assert sites.contents(site) == sites.clean(tmp_path / "mkdocs.yml", tmp_path)


def test_a_list_by_hand_stays_and_a_sitemap_by_hand_does_not(records: Path, site: Path, tmp_path: Path) -> None:
    """As often as one builds, and ours comes back once the other is taken away."""
    whole = sites.contents(site)
    by_hand = [tmp_path / "docs" / path for path in ("llms/sgl-project/sglang.txt", "sitemap.xml")]
    for path in by_hand:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("by hand", "utf-8")
    for _ in range(2):
        built_small(tmp_path, records)
        found = sites.contents(site)
        assert found == whole | {"llms/sgl-project/sglang.txt": b"by hand"}
    for path in by_hand:
        path.unlink()
    built_small(tmp_path, records)
    assert sites.contents(site) == whole
