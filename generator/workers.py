"""The pool that spreads jobs over processes: each worker turns its share into files in the stage.

Workers are spawned and get plain values, so they import no MkDocs and could run anywhere. Jobs are
handed over in chunks, a few at a time, so memory does not grow with the records.
"""

import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import islice
from multiprocessing import active_children, get_context, parent_process
from multiprocessing.connection import wait as wait_for
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

from generator import assemble, export, highlight, publish
from generator.about import About
from generator.assemble import Job, Outputs
from generator.pages import Site
from generator.problems import MachineError
from generator.stencil import Shape, Stencil

CHUNK = 64
"""Jobs a task: large enough to hide the hand-over, small enough to end promptly."""

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Task:
    """What every worker needs: where it writes and signs on, how code is highlighted, and what is made."""

    stage: Path
    attendance: Path
    site: Site
    outputs: Outputs
    highlight: Mapping[str, Any]


def shapes(task: Task, jobs: list[Job]) -> set[Shape]:
    """The shapes of these jobs' pages."""
    return {assemble.made(job, task.site).shape for job in jobs}


def render(task: Task, stencils: Mapping[Shape, Stencil], jobs: list[Job]) -> int:
    """Write these jobs' files into the stage; how many pages."""
    for job in jobs:
        publish.write_all(task.stage, assemble.files(job, task.site, stencils, task.outputs))
    return len(jobs)


def write_export(task: Task, about: About, jobs: list[export.Job]) -> list[tuple[str, bytes, tuple[str, ...], Any]]:
    """Write these export jobs' files into the stage; of each its address, key, paths and part."""
    done = []
    for job in jobs:
        made = export.make(job, about)
        publish.write_all(task.stage, made.files)
        done.append((job.uri, export.key(job), tuple(file.path for file in made.files), made.part))
    return done


_current: Callable[[list[Any]], Any]


_attendance: BinaryIO


def _start(function: Callable[[list[Any]], Any], task: Task) -> None:
    global _current, _attendance
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _attendance = publish.attend(task.attendance)
    _die_with_parent(timeout=0)
    threading.Thread(target=_die_with_parent, daemon=True).start()
    highlight.configure(task.highlight)
    _current = function


def _die_with_parent(timeout: float | None = None) -> None:
    """End as soon as the build has: one that follows clears the stage, and nothing may be written there then.

    Returns if the build lives on for `timeout` seconds.
    """
    parent = parent_process()
    if parent is not None and wait_for([parent.sentinel], timeout):
        os._exit(1)


def _run(jobs: list[Any]) -> Any:
    with publish.machine_errors():
        return _current(jobs)


def spread(
    function: Callable[[list[Any]], Result], jobs: Iterable[Any], task: Task, workers: int, chunk: int = CHUNK
) -> Iterator[Result]:
    """`function` over chunks of `jobs`, results as they come; `workers` of 1 or less runs here.

    An error of a worker is raised here, and ends the others promptly.
    """
    chunks = _chunked(jobs, chunk)
    if workers <= 1:
        highlight.configure(task.highlight)
        yield from map(function, chunks)
        return
    with _pool(workers, partial(_start, function, task)) as pool:
        pending: set[Future[Result]] = _submitted(pool, islice(chunks, 2 * workers))
        while pending:
            done, pending = wait(pending, return_when=FIRST_COMPLETED)
            for future in done:
                yield future.result()
            pending |= _submitted(pool, islice(chunks, len(done)))


def _submitted(pool: ProcessPoolExecutor, chunks: Iterable[list[Any]]) -> set[Future[Any]]:
    """Hand chunks over; that may start a worker, which does not ignore Ctrl-C from its first moment on."""
    with publish.uninterrupted():
        return {pool.submit(_run, chunk) for chunk in chunks}


@contextmanager
def _pool(workers: int, start: Callable[[], None]) -> Iterator[ProcessPoolExecutor]:
    others = set(active_children())
    pool = ProcessPoolExecutor(workers, mp_context=get_context("spawn"), initializer=start)
    try:
        yield pool
    except BaseException as error:
        for worker in set(active_children()) - others:
            worker.terminate()  # whatever they write is thrown away
        if isinstance(error, BrokenProcessPool):
            raise MachineError(
                "a worker was killed (by the system, for want of memory?); build again, with fewer --jobs [EDX052]"
            ) from error
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _chunked(jobs: Iterable[Any], size: int) -> Iterator[list[Any]]:
    stream = iter(jobs)
    while chunk := list(islice(stream, size)):
        yield chunk


def default_jobs() -> int:
    """The cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
