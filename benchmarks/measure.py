"""Measures a command: wall and CPU seconds, and peak memory summed over its processes; and what it left in a folder."""

import gzip
import os
import re
import shutil
import signal
import statistics
import subprocess
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

PROC = Path("/proc")
INTERVAL = 0.1
"""Seconds between two looks at the memory; a pass over /proc takes about 2 ms."""

PARENT, RESIDENT = 1, 21
"""Places in /proc/<pid>/stat after the name in parentheses: the parent's id, and the pages of memory in use."""

_ARTICLE = re.compile(rb"<article.*</article>", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Measured:
    """How a command went: seconds of wall and CPU time, bytes of memory, its exit status and all that it printed.

    CPU time is that of the command and of every process that it waited for. `peak` is the largest sum of the resident
    memory of all its processes that was seen, pages that two of them share counted for each; None without /proc.
    """

    wall: float
    cpu: float
    peak: int | None
    status: int
    output: str
    timed_out: bool = False

    @property
    def ending(self) -> str:
        """The last line that was printed."""
        return (self.output.strip().splitlines() or [""])[-1]


def run(
    command: Sequence[str], folder: Path, *, timeout: float, environment: Mapping[str, str] | None = None
) -> Measured:
    """Run `command` in `folder` to its end, or kill it with all its children after `timeout` seconds.

    `environment` is added to this process'. What it prints goes to a file, so that no full pipe holds it up.
    """
    os.sync()  # what was written before is not written during this
    with tempfile.TemporaryFile() as printed:
        started = time.perf_counter()
        process = subprocess.Popen(
            command,
            cwd=folder,
            env={**os.environ, **(environment or {})},
            stdin=subprocess.DEVNULL,
            stdout=printed,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        watch = _Watch(process.pid, timeout)
        _, status, used = os.wait4(process.pid, 0)
        wall = time.perf_counter() - started
        process.returncode = os.waitstatus_to_exitcode(status)
        watch.end()
        printed.seek(0)
        output = printed.read().decode("utf-8", "replace")
    cpu = used.ru_utime + used.ru_stime
    return Measured(wall, cpu, watch.peak, process.returncode, output, watch.timed_out)


class _Watch:
    """Looks at a process and its children from beside until told to end, and ends them when their time is up."""

    def __init__(self, pid: int, timeout: float) -> None:
        self.peak: int | None = None
        self.timed_out = False
        self._pid, self._deadline = pid, time.monotonic() + timeout
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)
        self._thread.start()

    def end(self) -> None:
        self._done.set()
        self._thread.join()

    def _look(self) -> None:
        while True:
            now = resident(self._pid)
            self.peak = max(self.peak or 0, now) if now else self.peak
            if time.monotonic() > self._deadline and not self._done.is_set():
                self.timed_out = True
                with suppress(ProcessLookupError):
                    os.killpg(self._pid, signal.SIGKILL)
                return
            if self._done.wait(INTERVAL):
                return


def resident(pid: int) -> int:
    """Bytes of resident memory of a process and all below it; 0 where it is gone, or where there is no /proc."""
    children: defaultdict[int, list[int]] = defaultdict(list)
    pages: dict[int, int] = {}
    for process, parent, used in _processes():
        children[parent].append(process)
        pages[process] = used
    total, todo = 0, [pid]
    while todo:
        process = todo.pop()
        total += pages.get(process, 0)
        todo += children[process]
    return total * os.sysconf("SC_PAGE_SIZE")


def _processes() -> Iterable[tuple[int, int, int]]:
    """Id, parent's id and resident pages of every process."""
    for name in os.listdir(PROC) if PROC.is_dir() else ():  # noqa: PTH208 - ten times a second, beside what is measured
        if name.isdecimal():
            try:
                stat = (PROC / name / "stat").read_bytes()
            except OSError:
                continue
            fields = stat[stat.rindex(b")") + 2 :].split()
            yield int(name), int(fields[PARENT]), int(fields[RESIDENT])


# Between two builds

AWAY = ".away"


def put_away(folder: Path) -> None:
    """Move a folder aside, for `clear` to remove at the end.

    ext4 passes over inodes that were freed in the last minutes: right after a site was removed, making files took
    ten times the system's time, whoever made them.
    """
    if folder.exists():
        aside = folder.parent / AWAY
        aside.mkdir(exist_ok=True)
        folder.rename(aside / f"{folder.name}-{time.monotonic_ns()}")


def clear(*parents: Path) -> None:
    """Remove what was put away from below `parents`."""
    for parent in parents:
        shutil.rmtree(parent / AWAY, ignore_errors=True)


# What a builder left


def contents(folder: Path) -> tuple[int, int]:
    """The number of files below `folder`, and their bytes."""
    sizes = [(Path(where) / name).stat().st_size for where, _, names in os.walk(folder) for name in names]
    return len(sizes), sum(sizes)


@dataclass(frozen=True, slots=True)
class PageSize:
    """Bytes of a page, and of its frame (all but its `<article>`), each raw and as `gzip -6` makes it."""

    raw: int
    zipped: int
    frame: int
    frame_zipped: int


def median_page(pages: Iterable[Path]) -> PageSize:
    """The size of the page in the middle when all are sorted by their bytes; of two the smaller."""
    _, path = statistics.median_low((page.stat().st_size, page) for page in pages)
    content = path.read_bytes()
    frame = _ARTICLE.sub(b"", content)
    return PageSize(len(content), zipped(content), len(frame), zipped(frame))


def zipped(content: bytes) -> int:
    """Bytes of `content` in a gzip member of level 6."""
    return len(gzip.compress(content, 6, mtime=0))
