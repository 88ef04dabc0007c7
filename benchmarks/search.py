"""Measures the search of a corpus: whether the right page is found, how many bytes that takes and how much time.

    python -m benchmarks.search (--records DIR | --count N) [--queries FILE] [--rival] [--every 4] [--write]

Prints Markdown tables: success at 5 and mean reciprocal rank by class of query; then bytes and milliseconds
from opening a search's address in Chromium, with nothing cached, to the first result. With `--rival` the
same of Material's own search, on the same pages; that takes minutes at 10,000 records. With `--write` the tables
go into docs/benchmarks.md.
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
from benchmarks.search_visits import LINES, served, summary, visit
from generator import urls
from tests import sites

ROOT = Path(__file__).parent.parent
OWN = (ROOT / "records", ROOT / "tests" / "fixtures" / "search")
"""Records that the query set names besides the corpus."""

ASK = ROOT / "tests" / "ask_search.mjs"
FIRST_FIVE = 5
TIMEOUT = 1_800


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


def main() -> None:
    """Build, ask, visit, print."""
    arguments = _arguments()
    records = arguments.records or records_of(arguments.count, WORK, CACHE)
    corpus = merged([*OWN, records])
    questions = list(asked(arguments.queries, {entry.uri for entry in corpus.entries}))
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        site = own_site(Path(folder))
        indexed = index(records, site)
        parts = [f"{len(corpus.entries):,} records: {described(indexed, site)}"]
        columns = {"Errordex": scores(questions, answered(site, [question.text for question in questions]))}
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        if arguments.rival:
            rival = search_rival.build(Path(folder) / "rival", corpus)
            theirs, waits = search_rival.answers(browser, rival, [question.text for question in questions])
            columns["Material"] = scores(questions, theirs)
        parts += [quality(columns), costs(browser, site, [question.text for question in questions[:: arguments.every]])]
        if arguments.rival:
            parts.append(waits)
        browser.close()
    text = "\n\n".join(parts)
    print(text)
    if arguments.write:
        write("search", "benchmarks.search", text)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("--records", type=Path, help="a corpus")
    source.add_argument("--count", type=int, help="the benchmarks' own corpus of so many records, made or used again")
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
    return f"index built in {measured.wall:.0f} s, {peak}; {len(files):,} files, {sum(files) / 1e6:,.1f} MB"


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


def costs(browser: Browser, site: Path, texts: Sequence[str]) -> str:
    """The table of visits: each with nothing cached, on each line."""
    rows = []
    with served(site) as host:
        for line in LINES:
            visits = [visit(browser, host, text, line) for text in texts]
            rows.append([line.name, str(len(visits)), *summary(visits)])
    header = [
        "Line",
        "visits",
        "KB median",
        "KB 95 %",
        "KB most",
        "ms median",
        "ms 95 %",
        "ms most",
        "next, KB",
        "next, ms",
    ]
    return table(header, rows)


if __name__ == "__main__":
    main()
