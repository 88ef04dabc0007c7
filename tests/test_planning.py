"""Where records were edited and no more, most of the site is taken to be as it was, and it is; else all is planned."""

import gzip
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from generator import assemble, hubs, ledger, making
from tests import samples, sites

FAMILY = "lost-file"
RECORDS = (
    samples.record(1, errorClass="OpenError", backgroundTag=FAMILY, analyzedAt="2026-08-01T00:00:00Z"),
    samples.record(2, errorClass="openerror", backgroundTag=FAMILY, repo="acme/other", tags=["files", "disk"]),
    samples.record(3, severity="warning", errorCode="E3", httpStatus=404, documentation="Three."),
    samples.record(4, severity="warning", errorMessage="no such key", messagePattern="no such key"),
    samples.record(5, severity="critical", errorMessage="no such key", messagePattern="no such key"),
    *(samples.record(number, lineNumber=41, exampleFix="x = 1\n") for number in range(6, 19)),
)
DOCS = {f"families/{FAMILY}.md": "# Lost files\n\nText.\n"}


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project whose site is built."""
    folder = tmp_path_factory.mktemp("model")
    samples.tree(folder / "records", *RECORDS)
    sites.built(sites.small(folder, docs=DOCS))
    return folder


@pytest.fixture
def project(model: Path, tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    shutil.copytree(model, folder)
    sites.small(folder, docs=DOCS)
    # a copied file is another file: this build reads all again, and the next one knows them
    sites.built(folder / "mkdocs.yml")
    return folder


@pytest.fixture
def planned(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A word for each plan of everything."""
    found: list[str] = []
    plan = assemble.plan

    def noted(*args: Any, **options: Any) -> assemble.Plan:
        found.append("all")
        return plan(*args, **options)

    monkeypatch.setattr(assemble, "plan", noted)
    return found


def path(project: Path, number: int) -> Path:
    return project / "records" / f"{number:02}.json"


def write(project: Path, number: int, /, **changes: Any) -> None:
    path(project, number).write_bytes(samples.raw(RECORDS[number - 1] | changes))


def built(project: Path, tmp_path: Path, planned: list[str]) -> bool:
    """Build again; whether everything was planned. The site is that of a clean build."""
    planned.clear()
    sites.built(project / "mkdocs.yml", allow_delete=True)
    everything = bool(planned)
    assert sites.contents(project / "site") == sites.clean(project / "mkdocs.yml", tmp_path)
    return everything


@pytest.mark.parametrize(
    ("number", "changes"),
    [
        (6, {"documentation": "Another text."}),
        (1, {"solutions": ["Another way", "Or this"], "handlingStrategy": "retry"}),  # stands for its repository
        (3, {"severity": "error"}),
        (18, {"severity": "critical"}),
        (7, {"exampleFix": None, "documentation": "", "preventionTips": ["Look"]}),
        (8, {"analyzedAt": "2026-09-28T05:10:05Z", "analyzedSha": "1" * 40}),
        (9, {"updatedAt": "2026-10-01T00:00:00Z", "changeNote": "Better."}),
        (10, {"reviewedBy": "ann"}),
        (2, {"analyzedAt": "2026-08-02T00:00:00Z"}),  # still the later of two spellings of a class
    ],
    ids=lambda value: "-".join(value) if isinstance(value, dict) else str(value),
)
def test_an_edited_record_needs_no_other_plan(
    project: Path, tmp_path: Path, planned: list[str], number: int, changes: dict[str, Any]
) -> None:
    fields = RECORDS[number - 1] | changes
    write(project, number, **changes, githubUrl=samples.github_url(fields))
    assert not built(project, tmp_path, planned)
    write(project, number)
    assert not built(project, tmp_path, planned)


def test_nothing_new_needs_no_other_plan(project: Path, tmp_path: Path, planned: list[str]) -> None:
    path(project, 3).touch()
    (project / "docs" / "index.md").write_text("# Another home\n", "utf-8")
    assert not built(project, tmp_path, planned)


def test_another_dataset_version_is_in_all_lists(project: Path, tmp_path: Path, planned: list[str]) -> None:
    document = json.loads(path(project, 3).read_bytes()) | {"datasetVersion": "2027-01-01T00:00:00Z"}
    path(project, 3).write_text(json.dumps(document), "utf-8")
    assert not built(project, tmp_path, planned)


def test_edits_of_what_is_not_published_change_nothing(project: Path, tmp_path: Path, planned: list[str]) -> None:
    write(project, 6, draft=True)
    sites.small(project, docs=DOCS, plugin={"repositories": ["acme/tool"]})
    sites.built(project / "mkdocs.yml", allow_delete=True)
    before = sites.contents(project / "site")
    write(project, 6, draft=True, severity="critical", documentation="Another text.")
    write(project, 2, severity="critical", documentation="Another text.")
    assert not built(project, tmp_path, planned)
    assert sites.contents(project / "site") == before


def _rename(project: Path) -> None:
    write(project, 4, slug="another-slug")


def _reword(project: Path) -> None:
    write(project, 5, errorMessage="no such lock", messagePattern="no such lock")


def _first_of_its_severity(project: Path) -> None:
    write(project, 6, severity="info")


def _last_of_its_severity(project: Path) -> None:
    write(project, 5, severity="error")


def _spelling(project: Path) -> None:
    write(project, 2, analyzedAt="2026-07-01T00:00:00Z")


def _tag(project: Path) -> None:
    write(project, 3, tags=["files", "disk"])


def _withdraw(project: Path) -> None:
    write(project, 3, withdrawn={"time": "2026-09-01T00:00:00Z", "reason": "Wrong.", "replacement": None})


def _draft(project: Path) -> None:
    write(project, 3, draft=True)


def _remove(project: Path) -> None:
    path(project, 3).unlink()


def _add(project: Path) -> None:
    (project / "records" / "more.json").write_bytes(samples.raw(samples.record(99)))


def _article(project: Path) -> None:
    (project / "docs" / "families" / f"{FAMILY}.md").write_text("# Files that are lost\n\nText.\n", "utf-8")


def _ledger(project: Path) -> None:
    (project / ledger.NAME).write_text(f"errors/acme/tool/former/\t{3:016x}\n", "utf-8")


def _published_page(project: Path) -> None:
    (project / "site" / "errors" / "acme" / "tool" / "error-9" / "index.html").unlink()


def _outline(project: Path) -> None:
    (found,) = (project / ".errordex").rglob("outline.msgpack")
    found.write_bytes(b"damaged")


def _related(project: Path) -> None:
    (found,) = (project / ".errordex").rglob("related.msgpack")
    found.unlink()


@pytest.mark.parametrize(
    "change",
    [
        _rename,
        _reword,
        _first_of_its_severity,
        _last_of_its_severity,
        _spelling,
        _tag,
        _withdraw,
        _draft,
        _remove,
        _add,
        _article,
        _ledger,
        _published_page,
        _outline,
        _related,
    ],
)
def test_what_others_show_needs_a_plan_of_everything(
    project: Path, tmp_path: Path, planned: list[str], change: Callable[[Path], None]
) -> None:
    write(project, 6, documentation="Another text.")
    change(project)
    assert built(project, tmp_path, planned)


def test_a_faulty_record_that_is_left_out_and_mended(project: Path, tmp_path: Path, planned: list[str]) -> None:
    write(project, 6, severity="none")
    with pytest.raises(Exception, match="EDX"):
        sites.built(project / "mkdocs.yml")
    sites.built(project / "mkdocs.yml", keep_going=True)
    write(project, 6)
    assert built(project, tmp_path, planned)


def test_a_build_that_ended_before_it_published_is_made_up_for(
    project: Path, tmp_path: Path, planned: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    write(project, 6, documentation="Another text.")
    with monkeypatch.context() as patch:
        patch.setattr(making.Making, "publish", lambda _self: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(Exception, match="interrupted"):
            sites.built(project / "mkdocs.yml")
    assert built(project, tmp_path, planned)


def test_a_worker_sees_what_was_damaged(
    project: Path, tmp_path: Path, planned: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(making, "LOOKED_OVER", 0)
    assert not built(project, tmp_path, planned)
    _published_page(project)
    assert built(project, tmp_path, planned)


def test_a_list_that_becomes_shorter_leaves_no_page_behind(
    project: Path, tmp_path: Path, planned: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, rows in (("LEAST_ROWS", 3), ("MOST_ROWS", 6), ("LAST_ROWS", 1)):
        monkeypatch.setattr(hubs, name, rows)
    sites.built(project / "mkdocs.yml", full=True)
    numbers = [number for number, record in enumerate(RECORDS, 1) if record["severity"] == "error"]
    pages = project / "site" / "severities" / "error" / "page"
    before = {path.name for path in pages.iterdir() if (path / "index.html").exists()}
    for number in numbers[4:]:
        write(project, number, severity="warning")
    assert not built(project, tmp_path, planned)
    assert len(before) > 1
    assert not [path for path in pages.rglob("*") if path.is_file()]
    for number in numbers[4:]:
        write(project, number)
    assert not built(project, tmp_path, planned)
    assert {path.name for path in pages.iterdir() if (path / "index.html").exists()} == before


def test_other_repositories_are_other_lists(project: Path, tmp_path: Path, planned: list[str]) -> None:
    for chosen in (["acme/other"], ["acme/tool"], []):
        sites.small(project, docs=DOCS, plugin={"repositories": chosen})
        assert built(project, tmp_path, planned)


@pytest.mark.parametrize("withdrawn", [None, {"time": "2026-09-01T00:00:00Z", "reason": "Wrong.", "replacement": None}])
def test_a_packed_file_that_goes_is_missed(
    project: Path, tmp_path: Path, planned: list[str], withdrawn: dict[str, Any] | None
) -> None:
    more = [
        samples.record(number, slug=f"a{number}", repo="aa/first", backgroundTag=FAMILY) for number in range(90, 96)
    ]
    lines = [json.dumps(record | ({"withdrawn": withdrawn} if withdrawn else {})).encode() for record in more]
    packed = project / "records" / "more.jsonl.gz"
    packed.write_bytes(gzip.compress(b"\n".join(lines)))
    assert built(project, tmp_path, planned)
    assert built(project, tmp_path, planned)  # what is packed is read in each build
    packed.unlink()
    write(project, 3, severity="error")
    assert built(project, tmp_path, planned)
    assert not built(project, tmp_path, planned)


def test_records_that_lie_elsewhere_now_have_another_source(project: Path, tmp_path: Path, planned: list[str]) -> None:
    (project / "records").rename(project / "moved")
    (project / "records").symlink_to("moved")
    assert built(project, tmp_path, planned)


CACHES = ("outline.msgpack", "manifest.msgpack", "related.msgpack", "index/0000.msgpack", "lookup.msgpack")


@pytest.mark.parametrize("name", CACHES)
def test_a_cache_with_a_flipped_bit_is_none(project: Path, tmp_path: Path, planned: list[str], name: str) -> None:
    (workspace,) = (project / ".errordex").iterdir()
    write(project, 6, documentation="Another text.")
    for place in (0, 5, -40, -1):
        content = bytearray((workspace / name).read_bytes())
        content[place] ^= 4
        (workspace / name).write_bytes(content)
        built(project, tmp_path, planned)


def test_caches_of_different_builds_are_not_taken_together(project: Path, tmp_path: Path, planned: list[str]) -> None:
    (workspace,) = (project / ".errordex").iterdir()
    before = {name: (workspace / name).read_bytes() for name in CACHES if name != "manifest.msgpack"}
    record, kept = path(project, 3), tmp_path / "kept.json"
    record.rename(kept)
    write(project, 3, severity="error", tags=["aa"])
    assert built(project, tmp_path, planned)
    record.unlink()
    kept.rename(record)
    for name, content in before.items():
        (workspace / name).write_bytes(content)
    built(project, tmp_path, planned)


def test_what_another_file_says_of_the_site_counts_as_settings(
    project: Path, tmp_path: Path, planned: list[str]
) -> None:
    config = project / "mkdocs.yml"
    config.rename(project / "base.yml")
    config.write_text("INHERIT: base.yml\n", "utf-8")
    assert built(project, tmp_path, planned)
    base = (project / "base.yml").read_text("utf-8")
    for changed in (
        base.replace("search: false", "search: false\n    outputs: []"),
        base.replace("theme:", "theme:\n  language: de"),
    ):
        assert changed != base
        (project / "base.yml").write_text(changed, "utf-8")
        assert built(project, tmp_path, planned)


def test_a_folder_in_the_place_of_a_file_goes_with_its_record(
    project: Path, tmp_path: Path, planned: list[str]
) -> None:
    page = project / "site" / "errors" / "acme" / "tool" / "error-9" / "index.html"
    page.unlink()
    (page / "below").mkdir(parents=True)
    (page / "below" / "file").touch()
    path(project, 9).unlink()
    assert built(project, tmp_path, planned)


def test_damaged_leftovers_of_a_build_are_made_up_for(project: Path, tmp_path: Path, planned: list[str]) -> None:
    (workspace,) = (project / ".errordex").iterdir()
    for compiled in (workspace / "templates").iterdir():
        compiled.write_bytes(compiled.read_bytes()[:20])
    (workspace / "journal.json").write_text("junk", "utf-8")
    assert built(project, tmp_path, planned)


@pytest.mark.parametrize("text", ["Lost files\n==========\n\nText.\n", "---\ntitle: Lost\n---\n\nText.\n"])
def test_an_article_without_a_heading_is_one(project: Path, tmp_path: Path, planned: list[str], text: str) -> None:
    (project / "docs" / "families" / f"{FAMILY}.md").write_text(text, "utf-8")
    (project / "docs" / "families" / f"{FAMILY.upper()}.md").write_text("# Another page\n", "utf-8")
    built(project, tmp_path, planned)
    assert not built(project, tmp_path, planned)


@pytest.mark.parametrize(
    "path", ["severities/error.md", "statistics.md", "errors/acme/tool/error-6.md", f"api/errors/{6:016x}.json"]
)
def test_a_file_of_the_docs_at_an_address_of_a_page_is_always_the_same(
    project: Path, tmp_path: Path, planned: list[str], path: str
) -> None:
    (project / "docs" / path).parent.mkdir(parents=True, exist_ok=True)
    (project / "docs" / path).write_text("# Another\n", "utf-8")
    for text in ("Another text.", "A third."):
        built(project, tmp_path, planned)
        write(project, 7, documentation=text)


def test_an_edit_elsewhere_of_a_record_with_a_published_id(project: Path, tmp_path: Path, planned: list[str]) -> None:
    """Records of other repositories are as if they were not there, also where they have the id of one that is."""
    more = project / "records" / "more.json"
    more.write_bytes(samples.raw(samples.record(4, repo="b/x")))
    sites.small(project, docs=DOCS, plugin={"repositories": ["acme/tool", "acme/other"]})
    assert built(project, tmp_path, planned)
    more.write_bytes(samples.raw(samples.record(4, repo="b/x", documentation="Another.")))
    assert not built(project, tmp_path, planned)


@pytest.mark.parametrize("page", ["families/index.md", "tags/README.md", "errors/index.md", "statistics/index.md"])
def test_a_page_by_hand_at_the_address_of_a_list_of_lists(
    project: Path, tmp_path: Path, planned: list[str], page: str
) -> None:
    """It is in the way of ours in every build, or in none."""
    path = project / "docs" / page
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("# Mine\n", "utf-8")
    built(project, tmp_path, planned)
    path.unlink()
    built(project, tmp_path, planned)


def test_lookup_shards_of_records_that_went_go(project: Path, tmp_path: Path, planned: list[str]) -> None:
    """Where so many go that the lookup's index is made anew, nothing of the one before stays."""
    for number in range(1, 19):
        text = f"{('lock held', 'no such key', 'disk is full')[number % 3]} zone{number}x"
        write(project, number, errorMessage=text, messagePattern=text)
    assert built(project, tmp_path, planned)
    for number in range(4, 19):
        path(project, number).unlink()
    assert built(project, tmp_path, planned)
