"""The pages of a long list: what each says, and which are made again when a record changes."""

import hashlib
from typing import Any

import pytest

from generator import assemble, pages
from generator.assemble import HubJob
from generator.pages import Site
from tests.test_parts import one_shape_each
from tests.test_related import dataset, entry

RECORDS = 1500


def listed(changed: int = -1, **changes: Any) -> assemble.Plan:
    """Records whose ids are digests, as real ones are, and of which one may have other fields."""
    entries = [
        entry(
            int(hashlib.sha256(str(number).encode()).hexdigest()[:16], 16),
            **{
                "file_path": f"{number:05}.py",
                "repo": f"acme/tool{number % 3}",
                "tags": (f"tag{number // 3}",),
                "severity": "warning" if number % 4 == 0 else "error",
                **(changes if number == changed else {}),
            },
        )
        for number in range(RECORDS)
    ]
    return assemble.plan(dataset(*entries), Site("https://host.example/"), linked={})


@pytest.fixture(scope="module")
def plan() -> assemble.Plan:
    return listed()


def lists(plan: assemble.Plan) -> dict[str, HubJob]:
    return {job.uri: job for job in assemble.hub_jobs(plan) if isinstance(job, HubJob)}


def markdown(plan: assemble.Plan, uri: str) -> str:
    page = assemble.made(lists(plan)[uri], plan.site)
    return pages.markdown(page.template, page.values)


def test_the_first_page_says_how_much_there_is_and_the_others_which_they_are(plan: assemble.Plan) -> None:
    first = markdown(plan, "severities/error/")
    assert 'description: "1,125 errors of severity error in 3 repositories."' in first
    assert "\n1,125 errors of severity error in 3 repositories.\n{ .edx-count .edx-paged }\n" in first
    assert markdown(plan, "severities/error/page/2/").split("\n| --- ")[0] == (
        "---\n"
        'title: "Severity error, page 2 of 7"\n'
        'description: "Severity error, page 2 of 7"\n'
        "template: hub.html\n"
        "errordex:\n"
        '  kind: "severity"\n'
        '  uri: "severities/error/page/2/"\n'
        "---\n\n"
        "[Severities](../../../index.md)\n{ .edx-crumbs }\n\n"
        "# Severity error { #top }\n\n"
        "Page 2 of 7\n{ .edx-count .edx-paged }\n\n"
        "| Error | Class | Severity | Repository | Raised at |"
    )


def test_an_index_of_several_pages_says_so_as_well(plan: assemble.Plan) -> None:
    assert "\n1,500 errors with 500 tags.\n{ .edx-count .edx-paged }\n" in markdown(plan, "tags/")
    second = markdown(plan, "tags/page/2/")
    assert "\nPage 2 of 3\n{ .edx-count .edx-paged }\n" in second and "1,500" not in second


def test_pages_that_are_alike_have_one_shape(plan: assemble.Plan) -> None:
    """Of each list the first, the last and those between are told apart."""
    assert one_shape_each(assemble.hub_jobs(plan), plan) > 10


@pytest.mark.parametrize("changed", range(1, RECORDS, 250))
def test_another_severity_makes_few_pages_again(plan: assemble.Plan, changed: int) -> None:
    """The page of the record in each list, and the first, which counts, where a list has one more or fewer."""
    before, after = (
        {job.uri: assemble.identity(job) for job in lists(one).values()}
        for one in (plan, listed(changed, severity="info"))
    )
    found = {uri for uri in before.keys() | after.keys() if before.get(uri) != after.get(uri)}
    assert len(before) > 500 and found - {"severities/", "severities/error/", "severities/warning/", "severities/info/"}
    assert len(found) <= 10
