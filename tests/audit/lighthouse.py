"""Lighthouse with its mobile settings on a page."""

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.audit.finding import Line

BARS = {"accessibility": 100, "best-practices": 100, "seo": 100, "performance": 98}
REPORTED = "performance"
"""Measured on a machine that does other things as well, so it fails nothing."""

NOT_HERE = "is-on-https,redirects-http,is-crawlable"
"""Audits of the host: it is this machine, without TLS."""


Report = dict[str, Any]
"""Lighthouse's own form of a report, of which a few keys are read."""


def lines(tools: Path, chromium: str, name: str, address: str) -> Iterator[Line]:
    """Yield a line for each category, and one for the layout's shift."""
    report = _report(tools, chromium, address)
    for category, bar in BARS.items():
        score = round(100 * (report["categories"][category]["score"] or 0))
        missed = tuple(_missed(report, category)) if score < bar else ()
        yield Line(f"Lighthouse, {name}: {category}", f"≥ {bar}", str(score), missed, category == REPORTED)
    shift = report["audits"]["cumulative-layout-shift"]["numericValue"]
    yield Line(f"Lighthouse, {name}: layout shift", "0", f"{shift:g}", (f"{shift:g}",) if shift else ())


def _report(tools: Path, chromium: str, address: str) -> Report:
    flags = "--headless=new --disable-gpu" + (" --no-sandbox" if os.geteuid() == 0 else "")
    command = [str(tools / ".bin" / "lighthouse"), address, "--quiet", "--output=json", f"--chrome-flags={flags}"]
    command += [f"--skip-audits={NOT_HERE}", f"--only-categories={','.join(BARS)}"]
    environment = os.environ | {"CHROME_PATH": chromium}
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    report: Report = json.loads(done.stdout)
    return report


def _missed(report: Report, category: str) -> Iterator[str]:
    for reference in report["categories"][category]["auditRefs"]:
        audit = report["audits"][reference["id"]]
        if reference["weight"] and audit["score"] is not None and audit["score"] < 1:
            yield f"{audit['title']} ({reference['id']}) {audit.get('displayValue', '')}".strip()
