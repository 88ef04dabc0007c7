"""Whole pages, as golden files: refresh them with `pytest --bless`, and read the diff."""

from pathlib import Path

import msgspec
import pytest

from generator import assemble, dataset, pages
from generator.pages import Site
from generator.records import Record
from generator.values import Block
from tests import samples, sites

GOLDEN = Path(__file__).parent / "golden"
SEEDS = sorted((sites.ROOT / "records" / "sgl-project" / "sglang").glob("*.json"))


@pytest.fixture(scope="module")
def plan() -> assemble.Plan:
    found = dataset.load_or_raise(sites.ROOT / "records" / "sgl-project", docs=sites.ROOT / "docs")
    return assemble.plan(
        found,
        Site("https://host.example/", "https://github.com/errordex/errordex"),
        sites.ROOT,
        sites.ROOT / "records" / "sgl-project",
    )


def check(path: Path, text: str, bless: bool) -> None:
    if bless:
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8", newline="\n")
    assert text == path.read_text("utf-8")


@pytest.mark.parametrize("seed", SEEDS, ids=lambda seed: seed.stem)
def test_markdown_of_a_record(seed: Path, plan: assemble.Plan, bless: bool) -> None:
    job = next(job for job in assemble.page_jobs(plan) if job.entry.id == seed.stem)
    page = assemble.made(job, plan.site)
    check(GOLDEN / f"{seed.stem}.md", pages.markdown(page.template, page.values), bless)


def test_html_of_a_record(tmp_path: Path, plan: assemble.Plan, bless: bool) -> None:
    """The published page, with the whole theme around it."""
    site = sites.build(tmp_path, sites.ROOT / "records" / "sgl-project", site_url="https://host.example/")[1]
    entry = plan.dataset.by_id["b318b4f842689251"]
    html = (site / entry.uri / "index.html").read_text("utf-8")
    check(GOLDEN / "b318b4f842689251.html", html, bless)


@pytest.mark.parametrize("kind", ["repository", "class", "tag", "severity"])
def test_markdown_of_a_list(kind: str, plan: assemble.Plan, bless: bool) -> None:
    job = next(
        job
        for job in assemble.hub_jobs(plan)
        if isinstance(job, assemble.HubJob) and job.template == "hub.md.jinja" and job.listing.kind == kind
    )
    page = assemble.made(job, plan.site)
    check(GOLDEN / f"list-{kind}.md", pages.markdown(page.template, page.values), bless)


def test_markdown_of_the_statistics(plan: assemble.Plan, bless: bool) -> None:
    job = next(job for job in assemble.hub_jobs(plan) if isinstance(job, assemble.StatisticsJob))
    page = assemble.made(job, plan.site)
    check(GOLDEN / "statistics.md", pages.markdown(page.template, page.values), bless)


def test_markdown_of_a_family_that_repositories_share(tmp_path: Path, bless: bool) -> None:
    records = [
        samples.record(1, backgroundTag="lost-file", solutions=["Give `path` | or none\n\nMore"], severity="critical"),
        samples.record(2, backgroundTag="lost-file", errorClass="LostError"),
        samples.record(3, backgroundTag="lost-file", errorClass="LostError"),
        samples.record(4, backgroundTag="lost-file", repo="acme/other", solutions=[], handlingStrategy=""),
    ]
    found = dataset.load_or_raise(samples.tree(tmp_path, *records))
    job = next(job for job in assemble.hub_jobs(assemble.plan(found, Site())) if job.uri == "families/lost-file/")
    page = assemble.made(job, Site())
    check(GOLDEN / "list-family.md", pages.markdown(page.template, page.values), bless)


FIXES = {
    "hash": ("# before\nf(None)\n# after\nf(1)", ("# before\nf(None)", "# after\nf(1)")),
    "slashes and a gap": ("// before\nf();\n\n// After:\nf(1);\n", ("// before\nf();", "// After:\nf(1);")),
    "words in the middle": (
        "# before you call\nf(None)\n# after that\ng()",
        ("# before you call\nf(None)", "# after that\ng()"),
    ),
    "no after": ("# before\nf(None)", None),
    "no comment": ("before\nf(None)\nafter\nf(1)", None),
    "two kinds of comment": ("# before\nf(None)\n// after\nf(1)", None),
    "after first": ("# after\nf(1)\n# before\nf(None)", None),
}


@pytest.mark.parametrize("code, expected", FIXES.values(), ids=FIXES)
def test_example_fix_is_told_apart(code: str, expected: tuple[str, str] | None, plan: assemble.Plan) -> None:
    record = plan.dataset.record(plan.dataset.entries[0])
    view = pages.view(_with_fix(record, code), pages.Neighbours(class_uri="classes/X/"), Site())
    shown = [view[name].text for name in ("before", "after") if isinstance(view.get(name), Block)]  # type: ignore[union-attr]
    assert (tuple(shown) or None) == expected
    assert ("example" in view) == (expected is None)


def _with_fix(record: Record, code: str) -> Record:
    return msgspec.structs.replace(record, example_fix=code)


def test_absent_parts_leave_no_trace(plan: assemble.Plan) -> None:
    record = plan.dataset.record(plan.dataset.entries[0])
    bare = msgspec.structs.replace(
        record,
        documentation="",
        trigger_scenarios=" \n ",
        common_situations="",
        solutions=[],
        example_fix=None,
        handling_strategy="",
        validation_code=None,
        type_guard=None,
        try_catch_pattern="  ",
        prevention_tips=[],
        source_code="",
    )
    view = pages.view(bare, pages.Neighbours(class_uri="classes/X/"), Site())
    headings = [line for line in pages.markdown("record.md.jinja", view).splitlines() if line.startswith("## ")]
    assert headings == ["## Error message { #message }", "## Source { #source }"]
