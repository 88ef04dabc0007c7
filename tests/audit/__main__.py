"""Builds a site, serves it by the guide's nginx, and holds it to the bars of the reading experience.

    python -m tests.audit [--records DIR] [--corpus DIR] [--only axe,nu,lighthouse,crawl,weight]

Ends with status 1 where a bar is missed, but for Lighthouse's performance, which is only reported, and with 3 where a
tool is missing. The pages of each kind are those of this repository's own records.
"""

import argparse
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from benchmarks.errordex_build import BenchError
from benchmarks.peers.peer import PeerError
from tests import crawl, kinds, mirrors, sites
from tests.audit import budgets, lighthouse, tools, validity, visits
from tests.audit.finding import Line, counted
from tests.browser.conftest import launched

SITE_URL = "https://host.example/"
SCORED = ("home", "record", "repository", "family", "classes")
NEEDED = {"java": "default-jre-headless", "npm": "npm", "chromium": "chromium"}
SHOWN = 20
"""Faults shown of each line."""


def main() -> int:
    """Run the audit; 0 if every bar is met, 1 if one is missed, 3 if it cannot be run."""
    options = _options()
    missing = [f"{name} (apt install {package})" for name, package in NEEDED.items() if not shutil.which(name)]
    missing += [] if mirrors.nginx() else ["nginx (apt install nginx)"]
    if missing:
        print(f"audit: missing {', '.join(missing)}", file=sys.stderr)
        return 3
    lines: list[Line] = []
    with tempfile.TemporaryDirectory() as work:
        try:
            for line in audited(Path(work).resolve(), options.records.resolve(), options.corpus, options.only):
                print(f"-- {line.what}: {line.found}", file=sys.stderr, flush=True)
                lines.append(line)
        except (PeerError, BenchError) as error:
            print(f"audit: {error} {getattr(error, 'detail', '')}", file=sys.stderr)
            return 3
    print(table(lines))
    for line in lines:
        for fault in line.faults[:SHOWN]:
            print(f"{line.what}: {fault}")
        if len(line.faults) > SHOWN:
            print(f"{line.what}: {len(line.faults) - SHOWN} more")
    return int(any(line.failed for line in lines))


def audited(work: Path, records: Path, corpus: Path | None, only: list[str]) -> Iterator[Line]:
    """Build into `work` and yield what each part of the audit finds."""
    site = sites.build(work, records, site_url=SITE_URL, plugin={"search": True})[1]
    with mirrors.served(site, work / "nginx") as address:
        for name, part in _parts(work, address, corpus).items():
            if name in only:
                yield from part()


def _parts(work: Path, address: str, corpus: Path | None) -> dict[str, Callable[[], Iterable[Line]]]:
    site = work / "site"
    return {
        "weight": lambda: budgets.lines(work / "weight", corpus),
        "crawl": lambda: [counted("Links that lead nowhere", crawl.faults(site, SITE_URL), "the whole site")],
        "nu": lambda: [
            counted("Nu checker: errors and warnings", validity.faults(tools.installed(), site), _size(site))
        ],
        "axe": lambda: _visited(address),
        "lighthouse": lambda: _scored(address),
    }


PARTS = ("weight", "crawl", "nu", "axe", "lighthouse")


def _size(site: Path) -> str:
    return f"{sum(1 for _ in site.rglob('*.html'))} files"


def _visited(address: str) -> list[Line]:
    with launched() as browser:
        return visits.lines(browser, address, kinds.PAGES)


def _scored(address: str) -> Iterator[Line]:
    chromium = str(shutil.which("chromium"))
    for name in SCORED:
        yield from lighthouse.lines(tools.installed(), chromium, name, address + kinds.PAGES[name])


def table(lines: list[Line]) -> str:
    """The lines as a table to read in a terminal."""
    rows = [("what", "bar", "found", ""), *((one.what, one.bar, one.found, _verdict(one)) for one in lines)]
    widths = [max(len(row[place]) for row in rows) for place in range(4)]
    padded = ("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in rows)
    return "\n".join(line.rstrip() for line in padded)


def _verdict(line: Line) -> str:
    if not line.faults:
        return "met"
    return "MISSED" if line.failed else "below (reported only)"


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.audit", description="Hold a built site to its bars.")
    parser.add_argument("--records", type=Path, default=sites.ROOT / "records", help="default: this repository's own")
    parser.add_argument("--corpus", type=Path, help="records to weigh pages of; default: 1,000 benchmark records")
    parser.add_argument("--only", type=lambda text: text.split(","), default=list(PARTS), help=f"of {','.join(PARTS)}")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
