"""Which stencil a page needs is told without making the page: jobs that are alike have pages of one shape."""

import json
from collections.abc import Iterable
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from generator import assemble, dataset, decode, pages, parts, stencil
from generator.assemble import Job, Plan
from generator.pages import Neighbours, Place, Site
from generator.stencil import Shape
from tests import samples, sites, strategies

OPTIONAL: dict[str, list[Any]] = {
    "errorCode": [None, "E1"],
    "httpStatus": [None, 404],
    "exampleFix": [None, " ", "x = 1", "# before\nx\n# after\ny"],
    "validationCode": [None, "\n", "x"],
    "typeGuard": [None, "x"],
    "tryCatchPattern": [None, "x"],
    "solutions": [[], ["one"], ["one\n\ntwo"], [" ", "one"], ["\n\n"]],
    "preventionTips": [[], ["one"], ["one\n\ntwo", "three"]],
    "documentation": ["", "one", "\x1c"],
    "triggerScenarios": ["", "one"],
    "commonSituations": ["", "one\n\ntwo"],
    "handlingStrategy": ["", "validate"],
    "reviewedBy": [None, "", "someone"],
}


changes = st.fixed_dictionaries({name: st.sampled_from(values) for name, values in OPTIONAL.items()})


def read(fields: dict[str, Any]) -> decode.Decoded:
    return decode.reread(json.dumps(fields).encode("utf-8", "surrogatepass"))


def shape(fields: dict[str, Any], neighbours: Neighbours) -> Shape:
    record = read(fields).record
    view = pages.view(record, neighbours, Site("https://x/", "https://github.com/x/y"))
    return stencil.shape(pages.RECORD, "errors/o/n/s/", view)


@settings(max_examples=60)
@given(strategies.records(), changes)
def test_the_markdown_of_a_shape_is_what_its_template_prints(fields: dict[str, Any], other: dict[str, Any]) -> None:
    neighbours = Neighbours(
        "classes/x/",
        also=(Place("errors/o/n/a/", "a|b"),),
        related=(Place("errors/o/n/b/", "c [d]"), Place("errors/o/n/e/", "f")),
    )
    values = pages.view(read({**fields, **other}).record, neighbours, Site("https://x/", "https://github.com/x/y"))
    of = stencil.shape(pages.RECORD, "errors/o/n/s/", values)
    assert stencil.markdown(of, values) == pages.markdown(pages.RECORD, values)


def one_shape_each(jobs: Iterable[Job], plan: Plan) -> int:
    """Hold that alike jobs have one shape; how many were held against another."""
    found: dict[object, Shape] = {}
    compared = 0
    for job in jobs:
        alike = assemble.alike(job, plan.site)
        compared += alike in found
        made = assemble.made(job, plan.site)
        of = made.shape
        assert stencil.markdown(of, made.values) == pages.markdown(made.template, made.values)
        assert found.setdefault(alike, of) == of
    return compared


@settings(max_examples=60)
@given(
    strategies.records(), st.fixed_dictionaries({name: st.sampled_from(values) for name, values in OPTIONAL.items()})
)
def test_records_of_the_same_parts_have_pages_of_one_shape(fields: dict[str, Any], other: dict[str, Any]) -> None:
    neighbours = Neighbours("classes/x/", code_uri="codes/x/", status_uri="status/x/")
    changed = {**fields, **other}
    again = {**changed, "errorMessage": "another", "filePath": fields["filePath"]}
    assert parts.parts(read(changed).record) == parts.parts(read(again).record)
    assert shape(changed, neighbours) == shape(again, neighbours)
    if parts.parts(read(fields).record) == parts.parts(read(changed).record):
        assert shape(fields, neighbours) == shape(changed, neighbours)


def test_each_part_that_a_page_has_or_lacks_is_told_apart() -> None:
    neighbours = Neighbours("classes/x/", code_uri="codes/x/", status_uri="status/x/")
    fields = samples.record()
    for name, values in OPTIONAL.items():
        found: dict[int, Shape] = {}
        for value in values:
            changed = {**fields, name: value}
            of = shape(changed, neighbours)
            assert found.setdefault(parts.parts(read(changed).record), of) == of


def test_alike_jobs_of_real_records_have_one_shape() -> None:
    found = dataset.load_or_raise(sites.ROOT / "records")
    plan = assemble.plan(found, Site("https://x/", "https://github.com/x/y"), sites.ROOT, sites.ROOT / "records")
    jobs: list[Job] = [*assemble.page_jobs(plan), *assemble.hub_jobs(plan)]
    assert one_shape_each(jobs, plan) > len(jobs) / 4
