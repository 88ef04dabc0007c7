"""No published address is lost: the ledger, and what becomes of pages that records have no more.

The last test walks histories of renames, withdrawals, removals and restorations.
"""

import json
import shutil
import tempfile
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from generator import assemble, dataset, discovery, ledger, ledger_command, permalinks, publish, urls, words
from generator.assemble import NoticeJob, Outputs
from generator.cli import main
from generator.ledger import Ledger
from generator.pages import Site
from tests import crawl, mirrors, samples, sites

ID = "0000000000000001"
SITE_URL = "https://host.example/some/path/"
PAGE = "errors/acme/tool/error-1/"
WITHDRAWN = {"time": "2026-09-01T00:00:00Z", "reason": "Wrong.", "replacement": None}


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def parsed(*lines: str) -> Ledger:
    found, problems = ledger.parse("".join(f"{line}\n" for line in lines).encode(), "ledger.tsv")
    assert problems == []
    return found


def kept(published: Ledger, *records: dict[str, Any]) -> dict[str, str]:
    """What keeps each address alive that no page has: where it leads, `gone` or `empty`."""
    with tempfile.TemporaryDirectory() as folder:
        found = dataset.load_or_raise(samples.tree(Path(folder), *records))
    hubs, indexes = permalinks.lists(found, published)
    still = permalinks.kept(found, hubs, indexes, published)
    fates = {one.uri: one.target for one in still.redirects}
    return fates | {one.uri: "gone" for one in still.gone} | dict.fromkeys(still.empty, "empty")


# The file


LINES = st.one_of(
    st.builds(
        lambda slug, number: f"{urls.page('acme/tool', slug)}\t{number:016x}",
        st.text(min_size=1, max_size=120),
        st.integers(1, 3),
    ),
    st.builds(lambda key: f"{urls.hub('classes', key)}\t-", st.text(max_size=120)),
    st.builds(lambda name: f"{urls.repository(f'acme/{name}')}\t-", st.text(min_size=1, max_size=120)),
)


@given(st.lists(LINES, max_size=6), st.lists(LINES, max_size=6))
@settings(max_examples=60)
def test_any_address_of_the_site_survives_a_merge(ours: list[str], theirs: list[str]) -> None:
    """As `merge=union` leaves it: both sides' lines, one after the other, some of them twice."""
    whole = parsed(*ours, *theirs)
    assert list(whole.lines()) == sorted({*ours, *theirs})
    assert parsed(*ledger.written(whole).decode().splitlines()) == whole == parsed(*ours) | parsed(*theirs)


def test_every_malformed_line_is_named_and_the_others_are_read() -> None:
    wrong = ["", "# pages", f"{PAGE} {ID}", f"/{PAGE}\t{ID}", f"{PAGE}\t-", f"{PAGE}\tx", "errors/acme/\t-", "e/x/\t-"]
    wrong += [f"errors/acme/tool/page/\t{ID}", f"errors/../tool/x/\t{ID}", "lookup/\t-", f"{PAGE}\t{ID}\t"]
    found, problems = ledger.parse("\r\n".join([*wrong, f"{PAGE}\t{ID}", ""]).encode(), "ledger.tsv")
    assert [problem.line for problem in problems] == list(range(1, len(wrong) + 1))
    assert list(found.lines()) == [f"{PAGE}\t{ID}"]


def test_this_project_lists_every_page_it_has() -> None:
    now = ledger_command.present(sites.ROOT / ledger.NAME, mirrors.load(sites.ROOT / "records"))
    assert list(ledger_command.problems(now)) == []
    assert (sites.ROOT / ledger.NAME).read_bytes() == ledger.written(now.listed)
    assert (sites.ROOT / ".gitattributes").read_text("utf-8").startswith("ledger.tsv merge=union")


# What becomes of an address

BOTH = parsed(f"{PAGE}\t{ID}", "errors/acme/tool/\t-", "classes/OpenError/\t-", "classes/\t-", "errors/\t-")
ELSEWHERE = [samples.record(9, repo="acme/other", slug="b", errorClass="KeyError")]
FATES: dict[str, tuple[list[dict[str, Any]], dict[str, str]]] = {
    "nothing happened": ([samples.record()], {}),
    "withdrawn, its page stays": (
        [samples.record(withdrawn=WITHDRAWN), *ELSEWHERE],
        {"classes/OpenError/": "empty", "errors/acme/tool/": "empty"},
    ),
    "another slug, with or without an alias": ([samples.record(slug="new")], {PAGE: "errors/acme/tool/new/"}),
    "an alias that was never listed": (
        [samples.record(aliases=["acme/tool/older"])],
        {"errors/acme/tool/older/": PAGE},
    ),
    "a renamed repository": (
        [samples.record(repo="acme/new")],
        {PAGE: "errors/acme/new/error-1/", "errors/acme/tool/": "errors/acme/new/"},
    ),
    "removed": (ELSEWHERE, {PAGE: "gone", "errors/acme/tool/": "empty", "classes/OpenError/": "empty"}),
    "removed, its page the alias of another": (
        [samples.record(2, aliases=["acme/tool/error-1"])],
        {PAGE: "errors/acme/tool/error-2/", f"e/{ID}/": "errors/acme/tool/error-2/"},
    ),
    "removed, its page taken by another": ([samples.record(2, slug="error-1")], {f"e/{ID}/": PAGE}),
    "the same in another case has no file": ([samples.record(slug="Error-1")], {}),
    "a list keeps the case that it was published in": ([samples.record(errorClass="openerror")], {}),
}


@pytest.mark.parametrize(("records", "fates"), FATES.values(), ids=FATES)
def test_what_becomes_of_an_address(records: list[dict[str, Any]], fates: dict[str, str]) -> None:
    assert kept(BOTH, *records) == fates


def test_two_removed_records_of_one_address_share_its_page() -> None:
    listed = parsed(f"{PAGE}\t{ID}", f"{PAGE}\t{2:016x}", f"errors/acme/tool/b/\t{3:016x}", f"{PAGE}\t{3:016x}")
    assert kept(listed, *ELSEWHERE) == {PAGE: "gone", "errors/acme/tool/b/": "gone", f"e/{2:016x}/": PAGE}
    alias = samples.record(4, aliases=["acme/tool/b"])
    heir = "errors/acme/tool/error-4/"
    fates = kept(listed, alias)
    assert fates == dict.fromkeys([PAGE, "errors/acme/tool/b/", *(f"e/{one:016x}/" for one in (1, 2, 3))], heir)


def test_a_record_that_cannot_be_read_is_being_mended_and_not_gone(tmp_path: Path) -> None:
    records = samples.tree(tmp_path, *ELSEWHERE)
    (records / f"{ID}.json").write_bytes(b"{")
    found, problems = dataset.load(records)
    plan = assemble.plan(found, Site(), published=parsed(f"{PAGE}\t{ID}"), problems=problems)
    assert [(job.uri, job.title) for job in assemble.notice_jobs(plan)] == [(PAGE, words.say(permalinks.MENDED))]


def test_a_redirect_is_as_small_as_a_permalink() -> None:
    (file,) = permalinks.files(
        permalinks.RedirectJob("x", (permalinks.Redirect(PAGE, "errors/acme/new/a/", "No <file>"),)),
        "https://host.example/some/path/",
    )
    page = file.content.decode()
    assert file.path == f"{PAGE}index.html"
    assert len(page) < 1_000
    for needed in (
        '<meta name="robots" content="noindex">',
        'content="1; url=../../new/a/"',
        '<link rel="canonical" href="https://host.example/some/path/errors/acme/new/a/">',
        '<script src="../../../../assets/js/redirect.js"></script>',
        '<a href="../../new/a/">No &lt;file&gt;</a>',
        "default-src 'none'; script-src 'self'",
    ):
        assert needed in page


# The commands


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Two records and the ledger that lists them; the folder of records."""
    records = samples.tree(tmp_path / "records", samples.record(1), samples.record(2))
    assert run("ledger", records, "--write").exit_code == 0
    return records


def test_the_ledger_is_shown_then_written_then_whole(tmp_path: Path) -> None:
    records = samples.tree(tmp_path / "records", samples.record())
    shown = run("ledger", records)
    assert shown.exit_code == 0
    assert f"{PAGE}\t{ID}" in shown.stdout.splitlines()
    assert not (tmp_path / "ledger.tsv").exists()
    assert run("ledger", records, "--write").stdout == f"{tmp_path / 'ledger.tsv'}: 7 pages added\n"
    assert (tmp_path / "ledger.tsv").read_text("utf-8") == shown.stdout
    assert run("ledger", records).stdout == f"{tmp_path / 'ledger.tsv'}: has every page of the site\n"


def test_check_fails_for_a_page_that_the_ledger_lacks(project: Path) -> None:
    assert run("check", project).exit_code == 0
    (project / "new.json").write_bytes(samples.raw(samples.record(3)))
    result = run("check", project)
    assert result.exit_code == 1
    assert "lacks 3 pages of the site, first errors/acme/tool/error-3/; run errordex ledger --write" in result.stderr
    assert run("ledger", project, "--write").exit_code == 0
    assert run("check", project).exit_code == 0


def test_a_project_says_how_to_start_a_ledger(tmp_path: Path) -> None:
    records = samples.tree(tmp_path / "records", samples.record())
    assert run("check", records).stdout == "1 records, no problems\n"
    (tmp_path / "mkdocs.yml").write_text("site_name: x\n", "utf-8")
    result = run("check", records)
    assert (result.exit_code, "errordex ledger --write" in result.stdout) == (0, True)


def test_nothing_is_entered_while_an_id_or_a_page_changes_hands(project: Path) -> None:
    before = (project.parent / "ledger.tsv").read_bytes()
    (project / "01.json").write_bytes(samples.raw(samples.record(1, slug="new")))
    (project / "02.json").write_bytes(samples.raw(samples.record(3, slug="error-2")))
    with (project.parent / "ledger.tsv").open("ab") as stream:
        stream.write(b"=======\n")
    for command in (("ledger", project, "--write"), ("check", project)):
        result = run(*command)
        assert result.exit_code == 1
        for code in ("EDX064", "EDX066", "EDX067"):
            assert f"[{code}]" in result.stderr
    assert "add acme/tool/error-1 to aliases" in result.stderr
    assert (project.parent / "ledger.tsv").read_bytes() == before + b"=======\n"


AGAINST: dict[str, tuple[list[dict[str, Any]], str]] = {
    "as it was": ([samples.record(1), samples.record(2)], ""),
    "removed": ([samples.record(1)], "error-2/ would be lost: record 0000000000000002 is gone; restore it, and set"),
    "moved": (
        [samples.record(1), samples.record(2, slug="b")],
        "is now errors/acme/tool/b/; add acme/tool/error-2 to its aliases",
    ),
    "moved with an alias": ([samples.record(1), samples.record(2, slug="b", aliases=["acme/tool/error-2"])], ""),
    "withdrawn": ([samples.record(1), samples.record(2, withdrawn=WITHDRAWN)], ""),
    "taken": ([samples.record(1), samples.record(3, slug="error-2")], "give record 0000000000000003 another slug"),
    "case": ([samples.record(1), samples.record(2, slug="Error-2")], "spell repo and slug as before"),
    "the last of its class": (
        [samples.record(one, errorClass="KeyError", updatedAt="2027-01-01T00:00:00Z") for one in (1, 2)],
        "classes/OpenError/ would be lost",
    ),
    "an alias alone": ([samples.record(1, aliases=["acme/tool/error-2"])], "e/0000000000000002/ would be lost"),
}


@pytest.mark.parametrize("kind", ["ledger", "site"])
@pytest.mark.parametrize(("records", "said"), AGAINST.values(), ids=AGAINST)
def test_check_against(kind: str, records: list[dict[str, Any]], said: str, project: Path, tmp_path: Path) -> None:
    """Without a ledger of its own; the line says which address, and what to do."""
    published = tmp_path / "published.tsv"
    shutil.move(tmp_path / "ledger.tsv", published)
    if kind == "site":
        found = mirrors.load(project)
        published = tmp_path / "site"
        plan = assemble.plan(found, Site(url=mirrors.SITE))
        mirrors.export_to(published, found)
        sitemaps = [file for job in assemble.sitemaps(plan, []) for file in discovery.files(job, mirrors.SITE)]
        publish.write_all(published, sitemaps)
    shutil.rmtree(project)
    result = run("check", samples.tree(project, *records), "--against", published)
    lost = [line for line in result.stderr.splitlines() if line.endswith("[EDX069]")]
    assert len(lost) == bool(said), result.stderr
    assert said in "".join(lost)


# Any history

SLUGS = st.sampled_from(("a", "b", "c"))


class Histories(RuleBasedStateMachine):
    """Three records; what is sound is published and entered, as a maintainer would whose `check` is obeyed."""

    def __init__(self) -> None:
        super().__init__()
        self.records = {number: samples.record(number, slug=slug) for number, slug in ((1, "a"), (2, "b"), (3, "c"))}
        self.removed: dict[int, dict[str, Any]] = {}
        self.ledger = Ledger()
        self.folder = Path(tempfile.mkdtemp())
        self.publish(self.records)

    def publish(self, records: dict[int, dict[str, Any]]) -> None:
        """Enter and publish these records if nothing is wrong with them; else nothing happens."""
        shutil.rmtree(self.folder)
        found, problems = dataset.load(samples.tree(self.folder, *records.values()))
        if problems or list(ledger.conflicts(self.ledger, found)):
            return
        hubs, indexes = permalinks.lists(found, self.ledger)
        self.ledger |= ledger.of_site(found, hubs, indexes)
        self.records = records
        self.plan = assemble.plan(found, Site(), published=self.ledger)

    @rule(number=st.integers(1, 3), slug=SLUGS, repo=st.sampled_from(("acme/tool", "acme/new")), alias=st.booleans())
    def rename(self, number: int, slug: str, repo: str, alias: bool) -> None:
        record = self.records.get(number)
        if record and (record["repo"], record["slug"]) != (repo, slug):
            former = [f"{record['repo']}/{record['slug']}", *record.get("aliases", [])] if alias else []
            aliases = [one for one in former if one != f"{repo}/{slug}"]
            moved = samples.record(number, **{**record, "repo": repo, "slug": slug, "aliases": aliases})
            self.publish({**self.records, number: moved | {"githubUrl": samples.github_url(moved)}})

    @rule(number=st.integers(1, 3), replacement=st.integers(1, 3))
    def withdraw(self, number: int, replacement: int) -> None:
        if number in self.records:
            given = WITHDRAWN | {"replacement": f"{replacement:016x}" if replacement != number else None}
            self.publish({**self.records, number: self.records[number] | {"withdrawn": given}})

    @rule(number=st.integers(1, 3))
    def restore(self, number: int) -> None:
        known = self.records.get(number) or self.removed.get(number)
        if known:
            self.publish({**self.records, number: {k: v for k, v in known.items() if k != "withdrawn"}})

    @rule(number=st.integers(1, 3))
    def remove(self, number: int) -> None:
        if number in self.records and len(self.records) > 1:
            self.removed[number] = self.records[number]
            self.publish({other: record for other, record in self.records.items() if other != number})

    @invariant()
    def every_address_is_a_page_that_leads_to_the_right_place(self) -> None:
        files = self.files()
        ids = {entry.uri: entry.id for entry in self.plan.dataset.entries}
        for uri, listed in self.ledger.records.items():
            present = {one for one in listed if one in self.plan.dataset.by_id}
            if present:
                assert ids[files[urls.html(uri)]] in present
            for one in listed:
                end = files[urls.html(urls.permalink(one))]
                assert ids.get(end) == one if one in present else ids.get(end) not in present
        for uri in self.ledger.lists:
            assert urls.html(uri) in files

    def files(self) -> dict[str, str]:
        """Every page of the site by its path, and the address where one that opens it ends; none is claimed twice."""
        ends: list[tuple[str, str]] = []
        jobs = (assemble.page_jobs, assemble.hub_jobs, assemble.notice_jobs)
        for job in (job for make in jobs for job in make(self.plan)):
            uri = assemble.identity(job)[0]
            paths = assemble.paths(uri, *assemble.kept_as(job), Outputs())
            ends += [(path, uri) for path in paths if path.endswith("index.html")]
            assert not isinstance(job, NoticeJob) or job.list.uri in self.addresses()
        for one in assemble.redirects(self.plan, Outputs()):
            ends.append((urls.html(one.uri), one.target))
        assert len({path.casefold() for path, _ in ends}) == len(ends)
        return dict(ends)

    def addresses(self) -> set[str]:
        return {hub.uri for hub in self.plan.hubs} | {index.uri for index in self.plan.indexes}

    def teardown(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)


TestHistories = Histories.TestCase
TestHistories.settings = settings(
    max_examples=40, stateful_step_count=15, suppress_health_check=list(HealthCheck), print_blob=True
)


def test_a_build_makes_these_pages_and_deletes_them_when_they_are_no_longer_needed(tmp_path: Path) -> None:
    records = samples.tree(tmp_path / "records", *(samples.record(one) for one in range(1, 5)))
    config = sites.small(tmp_path, site_url=SITE_URL)
    run("ledger", records, "--write")
    site = sites.built(config)
    whole = sites.contents(site)
    (records / "01.json").unlink()
    moved = samples.record(2, slug="moved", aliases=["acme/tool/error-2"], errorClass="KeyError")
    (records / "02.json").write_bytes(samples.raw(moved))
    sites.built(config, allow_delete=True)
    changed = sites.contents(site)
    assert {path for path in whole if path.endswith("index.html")} <= changed.keys()
    assert changed == sites.clean(config, tmp_path)
    gone = changed[f"{PAGE}index.html"].decode()
    assert "This page is gone" in gone
    assert "noindex" in gone
    assert 'href="../../../acme/tool/"' in gone or 'href="../"' in gone
    assert PAGE.rpartition("errors/")[2] in changed[f"e/{ID}/index.html"].decode()
    assert b"url=../moved/" in changed["errors/acme/tool/error-2/index.html"]
    assert b"/errors/acme/tool/error-2/ /errors/acme/tool/moved/ 301" in changed["_redirects"]
    assert PAGE.encode() not in changed["sitemap.xml"]
    redirects = ("errors/acme/tool/error-2/:", "e/")
    assert [fault for fault in crawl.faults(site, SITE_URL) if fault.startswith(redirects)] == []
    for one in (1, 2):
        (records / f"{one:02}.json").write_bytes(samples.raw(samples.record(one)))
    sites.built(config, allow_delete=True)
    assert json.loads(sites.contents(site)["api/version.json"])["counts"]["records"] == 4
    assert sites.contents(site) == sites.clean(config, tmp_path)
