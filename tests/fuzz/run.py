"""Fuzzes every target for its share of the time, and keeps a small corpus of what reached new code.

    python -m tests.fuzz.run --minutes 10 [--keep]

What broke a promise lies in `build/fuzz/`, with the command that shows it; the exit status is then 1.
"""

import argparse
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from tests.fuzz.targets import TARGETS

ROOT = Path(__file__).parents[2]
CORPUS = Path(__file__).parent / "corpus"
WORK = ROOT / "build" / "fuzz"
KEPT, KEPT_BYTES = 40, 600
"""Files of a target in the repository, and bytes of each."""

LONGEST = 4096
_DONE = re.compile(r"Done (\d+) runs in (\d+) second")
_COVERED = re.compile(r"cov: (\d+)")


@dataclass(frozen=True, slots=True)
class Figures:
    """What a run of one target came to."""

    inputs: int
    edges: int
    broken: tuple[Path, ...]


def main() -> int:
    """Fuzz; 0 where every promise held."""
    parser = argparse.ArgumentParser(description="Fuzz every target.")
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--keep", action="store_true", help="keep what reached new code in the corpus")
    given = parser.parse_args()
    seconds = max(1, round(given.minutes * 60 / len(TARGETS)))
    found = {name: fuzzed(name, seconds) for name in TARGETS}
    for name, figures in found.items():
        print(f"{name:12} {figures.inputs:>10,} inputs {figures.edges:>6,} edges {len(figures.broken):>3} broken")
        for path in figures.broken:
            print(f"  python -m tests.fuzz.one {name} {path.relative_to(ROOT)}")
        if given.keep:
            keep(name)
    return int(any(figures.broken for figures in found.values()))


def fuzzed(name: str, seconds: int) -> Figures:
    """Fuzz one target for so many seconds, from the corpus and what earlier runs found."""
    work = WORK / name
    work.mkdir(parents=True, exist_ok=True)
    (CORPUS / name).mkdir(parents=True, exist_ok=True)
    before = set(WORK.glob(f"{name}-*"))
    options = [f"-max_total_time={seconds}", f"-max_len={LONGEST}", "-timeout=30", "-rss_limit_mb=2048"]
    said = libfuzzer(name, work, CORPUS / name, *options, f"-artifact_prefix={WORK}/{name}-")
    done, covered = _DONE.findall(said), _COVERED.findall(said)
    counts = re.findall(r"^#(\d+)", said, re.MULTILINE)
    inputs = int(done[-1][0] if done else counts[-1] if counts else 0)
    broken = tuple(sorted(set(WORK.glob(f"{name}-*")) - before))
    if not done and not broken:
        raise SystemExit(f"{name} did not run:\n{said[-2000:]}")
    return Figures(inputs, int(covered[-1]) if covered else 0, broken)


def keep(name: str) -> None:
    """Keep what is small of the inputs that reached new code: as many of each size as there are."""
    small = [path for path in (WORK / name).iterdir() if path.stat().st_size <= KEPT_BYTES]
    small.sort(key=lambda path: (path.stat().st_size, path.name))
    for path in small[:: -(-len(small) // KEPT) or 1]:
        shutil.copyfile(path, CORPUS / name / path.name[:16])


def libfuzzer(name: str, *options: object) -> str:
    """Run the fuzzer in a process of its own; what it said."""
    command = [sys.executable, "-m", "tests.fuzz.one", name, *map(str, options)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, errors="replace", check=False)
    return done.stdout + done.stderr


if __name__ == "__main__":
    sys.exit(main())
