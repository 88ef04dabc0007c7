"""Everything that `make test` runs, and at the end what was skipped and how to install what it needs.

With ERRORDEX_TEST_ALL set, a skipped part is a failure.
"""

import os
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent
PYTHON = [sys.executable, "-m"]


@dataclass(frozen=True, slots=True)
class Part:
    """One part of the suite: what it runs, and the program that it needs besides Python."""

    name: str
    command: list[str]
    needs: str = ""
    install: str = ""


PARTS = (
    Part("lint", [*PYTHON, "ruff", "check", "."]),
    Part("format", [*PYTHON, "ruff", "format", "--check", "."]),
    Part("types", [*PYTHON, "mypy"]),
    Part(
        "scripts", ["node", "--test", "tests/js/"], "node", "Node 20 or newer: apt install nodejs, or brew install node"
    ),
    Part("tests", [*PYTHON, "pytest", "-q", "-n", "auto", "-m", "not slow"]),
)

NEEDED_BY_TESTS = {
    "chromium": "browser tests: apt install chromium, or: python -m playwright install chromium",
    "nginx": "hosting tests: apt install nginx, or brew install nginx",
}


def main() -> int:
    """Run every part; 0 if all passed and none that counts was skipped."""
    skipped = [f"{part.name}: {part.install}" for part in PARTS if part.needs and not shutil.which(part.needs)]
    skipped += [hint for program, hint in NEEDED_BY_TESTS.items() if not found(program)]
    failed = [part.name for part in PARTS if not part.needs or shutil.which(part.needs) if not passed(part)]
    for line in skipped:
        print(f"skipped {line}")
    if failed:
        print(f"failed: {', '.join(failed)}")
    return 1 if failed or (skipped and "ERRORDEX_TEST_ALL" in os.environ) else 0


def found(program: str) -> bool:
    """Whether a program of the browser or hosting tests is on this machine."""
    if program == "chromium":
        return (
            any(shutil.which(name) for name in ("chromium", "chromium-browser", "google-chrome"))
            or playwright_has_one()
        )
    return shutil.which(program) is not None


def playwright_has_one() -> bool:
    """Whether Playwright has a Chromium of its own."""
    caches = (Path.home() / ".cache/ms-playwright", Path.home() / "Library/Caches/ms-playwright")
    return any(path for cache in caches for path in cache.glob("chromium-*"))


def passed(part: Part) -> bool:
    """Run one part, say how long it took, and whether it passed."""
    started = time.monotonic()
    print(f"== {part.name}: {' '.join(part.command[1:])}", flush=True)
    status = subprocess.run(part.command, cwd=ROOT, check=False).returncode
    print(f"== {part.name}: {'passed' if status == 0 else 'FAILED'} in {time.monotonic() - started:.0f} s", flush=True)
    return status == 0


if __name__ == "__main__":
    sys.exit(main())
