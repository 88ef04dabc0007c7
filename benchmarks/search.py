"""Measures the search of corpora: whether the right page is found, how many bytes that takes and how much time.

    python -m benchmarks.search (--records DIR ... | --count N ...) [--queries FILE] [--rival] [--every 4] [--write]

Prints Markdown tables: for each corpus success at 5 and mean reciprocal rank by class of query; then bytes and
milliseconds from opening a search's address in Chromium, with nothing cached, to the first result; nginx serves as the
guide says. With `--rival` the same of Material's own search, on the same pages; that takes minutes at 10,000 records,
and is left out beyond. With `--write` the tables go into docs/benchmarks.md.
"""

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import yaml
from playwright.sync_api import Browser, sync_playwright

from benchmarks import search_rival
from benchmarks.bench import CACHE, WORK
from benchmarks.errordex_build import records_of
from benchmarks.measure import Measured, run
from benchmarks.report import PAGE, table, write
from benchmarks.search_build import merged
from benchmarks.search_visits import FIGURES, LINES, summary, visit
from generator import urls
from tests import mirrors, sites

ROOT = Path(__file__).parent.parent
OWN = (ROOT / "records", ROOT / "tests" / "fixtures" / "search")
"""Records that the query set names besides the corpus."""

ASK = ROOT / "tests" / "ask_search.mjs"
FIRST_FIVE = 5
TIMEOUT = 1_800

RIVAL_MOST = 20_000
TOO_MANY = (
    "MkDocs holds every page in memory to build it, and the browser the whole index to search it. Bytes and seconds "
    "grow at least with the records."
)


@dataclass(frozen=True, slots=True)
class Question:
    """A text that people search for, its class, and the addresses of its right pages."""

    kind: str
    text: str
    right: frozenset[str]


@dataclass(frozen=True, slots=True)
class Score:
    """How well a class of queries was answered: success at 5 and mean reciprocal rank, between 0 and 1."""

    queries: int
    success: float
    rank: float


@dataclass(frozen=True, slots=True)
class Found:
    """What was measured of a corpus: the heading, the scores, the rows of visits, what Material's search costs."""

    heading: str
    scores: str
    rows: list[list[str]]
    rival: str


def main() -> None:
    """Build, ask, visit, print."""
    arguments = _arguments()
    corpora = arguments.records or [records_of(count, WORK, CACHE) for count in arguments.count]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        found = [measured(browser, records, arguments) for records in corpora]
        browser.close()
    costs = table(["records", "line", "visits", *FIGURES], [row for one in found for row in one.rows])
    blocks = [*(f"{one.heading}\n\n{one.scores}" for one in found), "First query and the next:", costs]
    text = "\n\n".join([*blocks, *(one.rival for one in found if one.rival)])
    print(text)
    if arguments.write:
        write("search", "benchmarks.search", text)


def measured(browser: Browser, records: Path, arguments: argparse.Namespace) -> Found:
    """Build the search of a corpus, and Material's where it is asked for; ask both, and visit."""
    corpus = merged([*OWN, records])
    size = f"{len(corpus.entries):,}"
    questions = list(asked(arguments.queries, {entry.uri for entry in corpus.entries}))
    texts = [question.text for question in questions]
    with tempfile.TemporaryDirectory() as folder:
        site = own_site(Path(folder))
        heading = f"{size} records: {described(index(records, site), site)}"
        columns = {"Errordex": scores(questions, answered(site, texts))}
        rival = ""
        if arguments.rival and len(corpus.entries) <= RIVAL_MOST:
            theirs, waits = search_rival.answers(browser, search_rival.build(Path(folder) / "rival", corpus), texts)
            columns["Material"] = scores(questions, theirs)
            rival = f"Material's search of {size} records: {waits}"
        elif arguments.rival:
            rival = f"Material's search of {size} records was not measured: {TOO_MANY}"
        rows = [[size, *row] for row in visited(browser, site, texts[:: arguments.every], Path(folder) / "nginx")]
    return Found(heading, quality(columns), rows, rival)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("--records", type=Path, nargs="+", help="corpora")
    source.add_argument("--count", type=int, nargs="+", help="sizes of the benchmarks' own corpus")
    parser.add_argument("--queries", type=Path, default=ROOT / "tests" / "search_queries.yml")
    parser.add_argument("--rival", action="store_true", help="measure Material's own search too")
    parser.add_argument("--every", type=int, default=4, help="visit with every n-th query")
    parser.add_argument("--write", action="store_true", help=f"put the tables into {PAGE}")
    return parser.parse_args()


def asked(path: Path, known: set[str]) -> Iterator[Question]:
    """The query set, without queries none of whose pages is among the `known` addresses."""
    for kind, rows in yaml.safe_load(path.read_text("utf-8")).items():
        for text, *pages in rows:
            right = frozenset(urls.page(*page.rsplit("/", 1)) for page in pages) & known
            if right:
                yield Question(kind, text, right)


def own_site(folder: Path) -> Path:
    """This repository's site, whose search page is the one that is visited."""
    return sites.build(folder / "own", OWN[0])[1]


def index(records: Path, site: Path) -> Measured:
    """Put the search of the corpus into a site, in a process of its own."""
    shutil.rmtree(site / "search" / "records", ignore_errors=True)
    roots = [str(root) for root in (*OWN, records)]
    measured = run([sys.executable, "-m", "benchmarks.search_build", str(site), *roots], ROOT, timeout=TIMEOUT)
    if measured.status:
        raise SystemExit(measured.output)
    return measured


def described(measured: Measured, site: Path) -> str:
    """How the building of the index went, and what it left."""
    files = [path.stat().st_size for path in (site / "search").rglob("*") if path.is_file()]
    peak = f"{measured.peak / 1e6:,.0f} MB at most" if measured.peak else "memory unknown"
    took = f"{measured.wall:.0f} s, {measured.cpu:.0f} s of CPU"
    return f"index built in {took}, {peak}; {len(files):,} files, {sum(files) / 1e6:,.1f} MB"


def answered(site: Path, texts: Sequence[str]) -> list[list[str]]:
    """The first addresses that the search of a site gives for each text, by the page's own modules."""
    command = ["node", str(ASK), str(site)]
    done = subprocess.run(command, input=json.dumps(texts), capture_output=True, text=True, check=True)
    return [answer["urls"] for answer in json.loads(done.stdout)]


def scores(questions: Sequence[Question], answers: Sequence[Sequence[str]]) -> dict[str, Score]:
    """Scores by class of query, and of all."""
    ranks: dict[str, list[int]] = {}
    for question, urls_found in zip(questions, answers, strict=True):
        rank = next((place for place, url in enumerate(urls_found, 1) if url in question.right), 0)
        for kind in (question.kind, "all"):
            ranks.setdefault(kind, []).append(rank)
    ordered = [*(kind for kind in ranks if kind != "all"), "all"]
    return {kind: _score(ranks[kind]) for kind in ordered}


def _score(ranks: Sequence[int]) -> Score:
    """The score of ranks, 0 where the right page was not found."""
    success = sum(0 < rank <= FIRST_FIVE for rank in ranks) / len(ranks)
    return Score(len(ranks), success, sum(1 / rank for rank in ranks if rank) / len(ranks))


def quality(columns: dict[str, dict[str, Score]]) -> str:
    """The table of scores: a row for each class of query."""
    header = ["Query", "n", *(f"{name}: {figure}" for name in columns for figure in ("success at 5", "MRR"))]
    first = next(iter(columns.values()))
    rows = [
        [kind, str(first[kind].queries), *(cell for column in columns.values() for cell in _cells(column[kind]))]
        for kind in first
    ]
    return table(header, rows)


def _cells(score: Score) -> tuple[str, str]:
    return f"{score.success:.2f}", f"{score.rank:.2f}"


def visited(browser: Browser, site: Path, texts: Sequence[str], work: Path) -> Iterator[list[str]]:
    """A row for each line: visits with nothing cached."""
    with mirrors.served(site, work) as address:
        for line in LINES:
            visits = [visit(browser, address, text, line) for text in texts]
            yield [line.name, str(len(visits)), *summary(visits)]


if __name__ == "__main__":
    main()
