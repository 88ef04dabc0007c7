"""The benchmark's own parts: measuring, tables, marked places, spot checks, and what a peer's fault does."""

import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from benchmarks import bars, bench, measure, report
from benchmarks.errordex_build import BenchError, Build, Grown, Project
from benchmarks.measure import Measured, PageSize
from benchmarks.peers import markdown, mkdocs_material, spot
from benchmarks.peers.peer import Ground, Peer, PeerError
from benchmarks.report import Row
from tests import sites

SECOND = Measured(wall=1.0, cpu=2.0, peak=100_000_000, status=0, output="")
PAGE = PageSize(raw=17_000, zipped=4_000, frame=4_500, frame_zipped=1_500)

needs_proc = pytest.mark.skipif(not measure.PROC.is_dir(), reason="memory is read from /proc")


def python(script: str, timeout: float = 30) -> Measured:
    return measure.run([sys.executable, "-c", script], Path.cwd(), timeout=timeout)


# Measuring


def test_a_command_is_measured() -> None:
    done = python("import sys; print('out'); print('err', file=sys.stderr); sys.exit(3)")
    assert (done.status, done.timed_out) == (3, False)
    assert sorted(done.output.split()) == ["err", "out"]
    assert done.cpu > 0
    assert 0 < done.wall < 30


def test_cpu_time_counts_children_that_were_waited_for() -> None:
    busy = "import time\nwhile time.process_time() < 0.4: pass"
    done = python(f"import subprocess, sys; subprocess.run([sys.executable, '-c', {busy!r}])")
    assert done.cpu > 0.4


@needs_proc
def test_memory_is_summed_over_children() -> None:
    hold = "import time; held = bytearray(40_000_000); time.sleep(0.8)"
    each = f"import subprocess, sys\nchild = subprocess.Popen([sys.executable, '-c', {hold!r}])\n"
    done = python(f"{each}{hold}\nchild.wait()")
    assert done.peak is not None
    assert done.peak > 80_000_000


def test_a_command_over_its_time_is_ended_with_its_children(tmp_path: Path) -> None:
    late = tmp_path / "late"
    child = f"import time, pathlib; time.sleep(2); pathlib.Path({str(late)!r}).touch()"
    done = python(
        f"import subprocess, sys, time; subprocess.Popen([sys.executable, '-c', {child!r}]); time.sleep(60)",
        timeout=0.3,
    )
    assert done.timed_out
    assert done.wall < 10
    assert python("import time; time.sleep(2.5)").status == 0
    assert not late.exists()


def test_contents_counts_files_and_bytes(tmp_path: Path) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "a" / "b" / "c").write_bytes(b"12345")
    (tmp_path / "d").write_bytes(b"1")
    assert measure.contents(tmp_path) == (2, 6)


def test_the_median_page_and_its_frame(tmp_path: Path) -> None:
    for name, article in (("small", b""), ("middle", b"x" * 10), ("large", b"x" * 1000)):
        (tmp_path / name).write_bytes(b"<body><article class=a>" + article + b"</article></body>")
    size = measure.median_page(tmp_path.iterdir())
    assert (size.raw, size.frame) == (len(b"<body><article class=a></article></body>") + 10, len(b"<body></body>"))
    assert size.frame_zipped == measure.zipped(b"<body></body>")


# Tables


def test_a_table_pads_its_columns() -> None:
    assert report.table(("", "wall, s"), [("Errordex", "1.00"), ("x", "1,234")]).splitlines() == [
        "|          | wall, s |",
        "| :------- | ------: |",
        "| Errordex |    1.00 |",
        "| x        |   1,234 |",
    ]


def test_the_comparison_says_what_timed_out_and_what_is_left_out() -> None:
    slow = replace(SECOND, wall=1800.4, timed_out=True)
    rows = [
        Row("Errordex", SECOND, PAGE, 12),
        Row("Quick", replace(SECOND, wall=0.5, peak=None), PAGE, 3),
        Row("Slow", slow),
        Row("Absent", left_out="cannot be installed"),
    ]
    text = report.comparison(rows)
    cells = {
        line.split("|")[1].strip(): [cell.strip() for cell in line.split("|")[2:-1]] for line in text.splitlines()[:5]
    }
    assert cells["Errordex"] == ["1.00", "2.00", "100", "17,000", "4,000", "12", "1.00"]
    assert cells["Quick"] == ["0.50", "2.00", "–", "17,000", "4,000", "3", "0.50"]
    assert cells["Slow"] == ["> 1,800", "–", "100", "–", "–", "–", "> 1,800"]
    assert text.endswith("\n\n- Left out: Absent, which cannot be installed.")


@pytest.mark.parametrize(("value", "shown"), [(0.123, "0.12"), (12.34, "12.3"), (1234.5, "1,234")])
def test_seconds_have_as_many_places_as_mean_something(value: float, shown: str) -> None:
    assert report.seconds(value) == shown


def grown(count: int, wall: float) -> Grown:
    return Grown(count, replace(SECOND, wall=wall), {"nothing changed": replace(SECOND, wall=wall / 40)})


def test_growth_has_a_row_for_each_size() -> None:
    lines = report.growth([grown(1_000, 2.0), grown(100_000, 160.0)]).splitlines()
    assert [cell.strip() for cell in lines[-1].split("|")[1:-1]] == ["100,000", "160", "1.60", "2.00", "100", "4.00"]


def test_bars_are_held_against_what_was_measured() -> None:
    rows = [
        Row("Errordex", SECOND),
        Row("MkDocs + Material", replace(SECOND, wall=9.0)),
        Row("Gone", left_out="failed"),
    ]
    held = list(bars.held(10_000, rows, PAGE, [grown(10_000, 20), grown(100_000, 210)]))
    assert [(bar.measured, bar.met) for bar in held] == [
        ("9.0", False),
        ("9.00", True),
        ("0.50 s", True),
        ("2.10 ms", False),
        ("100 MB", True),
        ("5.25 s", False),
        ("17,000 bytes", True),
        ("4,000 bytes", True),
        ("4,500 bytes", True),
    ]


def test_growth_alone_is_held_against_its_own_bars() -> None:
    assert len(list(bars.held(10_000, [], None, [grown(10_000, 20)]))) == 1


# The page


def test_a_table_goes_to_its_marked_place_alone() -> None:
    page = "a\n\n<!-- bench: one -->\n\nold\n\n<!-- end -->\n\nb\n\n<!-- bench: two -->\n\nkept\n\n<!-- end -->\n"
    written = report.placed(page, "one", r"new \1")
    assert written == page.replace("old", r"new \1")
    assert report.placed(written, "one", "old") == page


def test_a_page_without_the_place_is_an_error() -> None:
    with pytest.raises(BenchError, match="bench: one"):
        report.placed("nothing", "one", "new")


def test_the_docs_page_has_a_place_for_every_part() -> None:
    page = (sites.ROOT / bench.PAGE).read_text("utf-8")
    run = bench.Run(10_000, (), (), rows=[Row("Errordex", SECOND, PAGE)], full=Build(SECOND, 1), page=PAGE)
    run.grown, run.again = [grown(10_000, 20)], [("nothing changed", Build(SECOND, 0))]
    names = [
        name for name, _, text in bench.parts(run, "python -m benchmarks.bench") if report.placed(page, name, text)
    ]
    assert names == ["machine", "build", "page", "rebuild", "growth", "budgets"]


# Spot checks


def envelope(**changes: Any) -> dict[str, Any]:
    record = {
        "id": "00112233445566aa",
        "repo": "Owner/name",
        "slug": "bad-x",
        "errorMessage": "bad  <x> & {y}",
        "documentation": "It `means` this.",
        "solutions": ["First.", "Use `y`."],
        "sourceCode": "if x:\n    raise E(1)\n",
        "sourceCodeStart": 4,
        "lineNumber": 5,
        "errorClass": "E",
        "severity": "error",
        "backgroundTag": None,
    }
    return {"record": record | changes, "datasetVersion": "1"}


def site(root: Path, code: str = "<b>raise</b> <b>E</b>(<b>1</b>)") -> Path:
    prose = "<p>It <code>means</code> this.</p><li>Use <code>y</code>.</li>"
    page = f"<h1>bad &lt;x&gt; &amp; {{y}}</h1>{prose}<pre>if x:\n{code}</pre>"
    files = {
        "errors/Owner/name/bad-x/index.html": page,
        "errors/Owner/name/index.html": '<a href="bad-x/">',
        "classes/E/index.html": "empty",
        "classes/E/page/2/index.html": '<a href="../../errors/Owner/name/bad-x/">',
        "severities/error/index.html": '<a href="/errors/Owner/name/bad-x/">',
        "api/00112233445566aa.json": json.dumps(envelope()),
    }
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, "utf-8")
    return root


def faults(root: Path, envelopes: Sequence[dict[str, Any]], count: int = 1) -> list[str]:
    return list(spot.problems(root, count, envelopes, "<b>", "api/{id}.json"))


def test_a_whole_site_passes(tmp_path: Path) -> None:
    assert faults(site(tmp_path), [envelope()]) == []


def test_what_is_lacking_is_named(tmp_path: Path) -> None:
    root = site(tmp_path, code="raise E(1)")
    (root / "classes/E/page/2/index.html").unlink()
    (root / "api/00112233445566aa.json").write_text("{}", "utf-8")
    assert faults(root, [envelope(errorMessage="worse", backgroundTag="f")], count=2) == [
        "1 record pages, not 2",
        "errors/Owner/name/bad-x/: lacks the message",
        "errors/Owner/name/bad-x/: its code is not highlighted",
        "classes/E/: does not list 00112233445566aa",
        "families/f/: does not list 00112233445566aa",
        "00112233445566aa: no JSON that equals the record",
    ]


def test_a_missing_page_is_one_fault(tmp_path: Path) -> None:
    assert faults(site(tmp_path), [envelope(slug="other")])[0] == "errors/Owner/name/other/: no page"


def test_text_leaves_scripts_out() -> None:
    assert spot.text("<p>a <b>b</b></p><script>var c;</script>&lt;d") == "ab<d"


def test_the_sample_is_spread_over_all_records(tmp_path: Path) -> None:
    for number in range(100):
        (tmp_path / f"{number:03}.json").write_text(f'{{"at": {number}}}', "utf-8")
    assert [one["at"] for one in spot.records(tmp_path)] == list(range(0, 100, 4))


# Peers


def peer(**changes: Any) -> Peer:
    def prepare(ground: Ground) -> None:
        site(ground.project / "public")

    return replace(
        Peer(
            name="one",
            title="One",
            install=lambda folder: folder.mkdir(parents=True, exist_ok=True),
            prepare=prepare,
            command=lambda ground: [sys.executable, "-c", "pass"],
            version=lambda folder: "One 1.0",
            highlighted="<b>",
            site="public",
        ),
        **changes,
    )


def row(tmp_path: Path, one: Peer, **settings: Any) -> tuple[Row, bench.Run]:
    records = tmp_path / "records"
    records.mkdir()
    (records / "00112233445566aa.json").write_text(json.dumps(envelope()), "utf-8")
    run = bench.Run(1, (one,), (), work=tmp_path / "work", **settings)
    own = Project(tmp_path / "mkdocs.yml", records, tmp_path / "site")
    return bench.peer_row(run, one, own, tmp_path / "shown.json"), run


def test_a_peer_is_measured_and_its_project_removed(tmp_path: Path) -> None:
    found, run = row(tmp_path, peer())
    assert (found.title, found.files, found.left_out, run.versions) == ("One", 6, "", ["One 1.0"])
    assert not (tmp_path / "work" / "peers" / "one").exists()


def absent(folder: Path) -> None:
    raise PeerError("cannot be installed", "no such index")


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"install": absent}, "cannot be installed"),
        ({"command": lambda ground: [sys.executable, "-c", "exit(4)"]}, "ended with status 4"),
        ({"command": lambda ground: ["no-such-program-anywhere"]}, "cannot be run"),
        ({"highlighted": "<i>"}, "fails 1 spot checks"),
    ],
)
def test_a_peer_that_fails_is_named_and_left_out(
    tmp_path: Path, changes: dict[str, Any], why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    found, _ = row(tmp_path, peer(**changes))
    assert (found.left_out, found.measured) == (why, None)
    assert f"One {why}" in capsys.readouterr().err


def test_a_peer_over_its_time_is_reported_as_such(tmp_path: Path) -> None:
    slow = peer(command=lambda ground: [sys.executable, "-c", "import time; time.sleep(60)"])
    found, _ = row(tmp_path, slow, timeout=0.3)
    assert found.measured is not None
    assert (found.measured.timed_out, found.page) == (True, None)


def test_the_markdown_loses_the_name_of_our_template() -> None:
    page = '---\ntitle: "A"\ntemplate: error.html\nmore:\n  id: 1\n---\n\ntemplate: stays\n'
    assert markdown.without_template(page) == '---\ntitle: "A"\nmore:\n  id: 1\n---\n\ntemplate: stays\n'
    listing, record = (f"---\ntitle: A\ntemplate: {name}\n---\n" for name in ("hub.html", "error.html"))
    assert "search:\n  exclude: true\n" in markdown.without_template(listing, lists_searched=False)
    assert "search:" not in markdown.without_template(record, lists_searched=False)
    assert markdown.without_template("# A\n\n---\n\ntemplate: x\n") == "# A\n\n---\n\ntemplate: x\n"


def test_mkdocs_runs_on_the_releases_that_are_locked() -> None:
    assert mkdocs_material.REQUIREMENTS.is_file()


# The command


def test_sizes_follow_the_count() -> None:
    assert bench.asked(["--count", "10000"]).growth == [1_000, 10_000, 100_000]
    assert bench.asked(["--growth", "0"]).growth == []
    assert bench.asked(["--growth", "30,20"]).growth == [20, 30]


def test_peers_are_chosen_by_name() -> None:
    assert [one.name for one in bench.asked(["--peers", "eleventy,hugo"]).peers] == ["hugo", "eleventy"]
    assert bench.asked(["--only", "errordex"]).peers == []


@pytest.mark.parametrize("arguments", [["--peers", "jekyll"], ["--count", "0"], ["--growth", "x"]])
def test_wrong_usage_ends_with_2(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        bench.asked(arguments)
    assert ended.value.code == 2
    assert "benchmarks.bench" in capsys.readouterr().err
