"""The pool that spreads jobs over processes: each worker turns its share into files in the stage.

Workers are spawned and get plain values, so they import no MkDocs and could run anywhere. Jobs are
handed over in chunks, a few at a time, so memory does not grow with the records.
"""

import gc
import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, ProcessPoolExecutor, wait
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import lru_cache, partial
from itertools import islice
from multiprocessing import active_children, get_context, parent_process
from multiprocessing.connection import wait as wait_for
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, TypeVar

from generator import assemble, cache, dataset, export, highlight, publish, standing, words
from generator.about import About
from generator.assemble import Job, Outputs
from generator.files import File
from generator.lookup import messages
from generator.lookup.index import Remade
from generator.lookup.messages import Raised
from generator.lookup.pairs import State
from generator.pages import Site
from generator.problems import MachineError, UsageError
from generator.stencil import Shape, Stencil
from generator.words import Words

SELDOM = (50_000, 20, 50)
"""When Python looks for cycles, as `gc.set_threshold` takes it: builds make millions of values, hardly a cycle."""

CHUNK = 64
"""Jobs a task: large enough to hide the hand-over, small enough to end promptly."""

ELSEWHERE = 64
"""Chunks that another engine's workers have at a time: how many there are of them is its own affair."""

PATIENCE = 10
"""Seconds that another engine's scheduler has to answer."""

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Task:
    """What every worker needs: where it writes and signs on, how code is highlighted, what is made, in which words."""

    stage: Path
    attendance: Path
    site: Site
    outputs: Outputs
    highlight: Mapping[str, Any]
    about: About
    words: Words


Function = Callable[[Task, list[Any]], Result]
Engine = Callable[[], AbstractContextManager[Executor]]
"""Starts workers, and ends them. They must see this machine's folders under the same names."""


@dataclass(frozen=True, slots=True)
class Stencils:
    """Stencils in a file, which a worker reads once: they are too many to go along with every chunk of jobs."""

    path: Path
    key: bytes


def index(spool: Path, _task: Task, jobs: list[str]) -> list[tuple[str, list[dataset.Item]]]:
    """What is found in each of these record files."""
    return [(path, list(dataset.index(Path(path), spool))) for path in jobs]


def render(stencils: Stencils, task: Task, jobs: list[Job]) -> int:
    """Write these jobs' files into the stage; how many pages."""
    known = _stencils(stencils)
    for job in jobs:
        publish.write_all(task.stage, assemble.files(job, task.site, known, task.outputs))
    return len(jobs)


@lru_cache(maxsize=1)
def _stencils(kept: Stencils) -> Mapping[Shape, Stencil]:
    return cache.read_stencils(kept.path)


def write_export(task: Task, jobs: list[export.Job]) -> list[tuple[str, bytes, tuple[str, ...], Any]]:
    """Write these export jobs' files into the stage; of each its address, key, paths and part."""
    done = []
    for job in jobs:
        made = export.make(job, task.about)
        publish.write_all(task.stage, made.files)
        done.append((job.uri, export.key(job, task.about), tuple(file.path for file in made.files), made.part))
    return done


class Census(NamedTuple):
    """A site to look at: the manifest of what was published there, with its fingerprint."""

    manifest: Path
    fingerprint: str
    site: Path


def damaged(task: Task, jobs: list[Census]) -> list[str]:
    """The addresses of what does not stand as it was published; in a worker of its own, which goes there to look."""
    (job,) = jobs
    manifest, _ = cache.read_manifest(job.manifest, job.fingerprint)
    try:
        os.chdir(job.site)  # short paths are looked up in five sixths of the time
    except OSError:
        return [*manifest.pages, *manifest.exports]
    return list(standing.damaged(manifest, ".", task.outputs))


class LookupJob(NamedTuple):
    """The whole index of the lookup, of these records; `key` is the caller's mark for its state."""

    records: tuple[Raised, ...]
    version: str
    key: bytes


def write_lookup(task: Task, jobs: list[LookupJob]) -> tuple[list[str], bytes, bytes]:
    """Write the lookup's index into the stage: its paths, its state as a cache keeps it, and the key."""
    (job,) = jobs
    remade = Remade(State(), messages.grouped(job.records), job.version)
    files = [File(path, content) for path, content in remade.files() if content is not None]
    publish.write_all(task.stage, files)
    return [file.path for file in files], cache.encoded(remade.state(job.key)), job.key


@dataclass
class Crew:
    """Workers for one build; `count` of 1 or less is this process alone. `close` ends them, once or more.

    `engine` is another than `count` processes here. Either is started when it is first needed.
    """

    task: Task
    count: int
    engine: Engine | None = None
    _pool: Executor | None = None
    _pending: set[Future[Any]] = field(default_factory=set)
    _others: set[BaseProcess] = field(default_factory=set)
    _broken: bool = False
    _ending: threading.Thread | None = None
    _stack: ExitStack = field(default_factory=ExitStack)

    def spread(
        self,
        function: Function[Result],
        jobs: Iterable[Any],
        chunk: int = CHUNK,
        ahead: int = 0,
        weigh: Callable[[Any], int] = lambda _job: 1,
    ) -> Iterator[Result]:
        """`function` over chunks of `jobs`, results as they come; `ahead` chunks are handed over at once.

        A chunk has jobs that weigh `chunk` together. An error of a worker is raised by the iterator.
        """
        chunks = _chunked(jobs, chunk, weigh)
        if self.count <= 1 and self.engine is None:
            return self._here(function, chunks)
        pending = self._submitted(function, islice(chunks, max(ahead, self._window)))
        return self._results(function, pending, chunks)

    @property
    def _window(self) -> int:
        """Chunks that are handed over ahead of their turn, so that no worker waits."""
        return ELSEWHERE if self.engine else 2 * self.count

    def _here(self, function: Function[Result], chunks: Iterable[list[Any]]) -> Iterator[Result]:
        highlight.configure(self.task.highlight)
        words.configure(self.task.words)
        yield from map(partial(function, self.task), chunks)

    def _results(
        self, function: Function[Result], pending: set[Future[Any]], chunks: Iterator[list[Any]]
    ) -> Iterator[Result]:
        while pending:
            done, pending = wait(pending, return_when=FIRST_COMPLETED)
            for future in done:
                self._pending.discard(future)
                with self._told():
                    yield future.result()
            pending |= self._submitted(function, islice(chunks, len(done)))

    def _submitted(self, function: Function[Any], chunks: Iterable[list[Any]]) -> set[Future[Any]]:
        """Hand chunks over; that may start a worker, which does not ignore Ctrl-C from its first moment on."""
        pool = self._started()
        with publish.uninterrupted(), self._told():
            submitted = {pool.submit(_run, self.task, function, chunk) for chunk in chunks}
        self._pending |= submitted
        return submitted

    def _started(self) -> Executor:
        """The pool; made before Ctrl-C is put off, since its making would undo that."""
        if self._pool is None:
            self._others = set(active_children())
            engine = self.engine or partial(_processes, self.task, self.count)
            self._pool = self._stack.enter_context(engine())
        return self._pool

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Say in one line that a worker is gone."""
        try:
            yield
        except (BrokenExecutor, OSError) as error:
            if isinstance(error, OSError) and error.errno is not None:
                raise
            self._broken = True  # a pool that breaks while jobs are handed over has closed its pipes
            raise MachineError(
                "a worker was killed (by the system, for want of memory?); build again, with fewer --jobs [EDX052]"
            ) from error

    def dismiss(self) -> None:
        """Let the workers end meanwhile: all that was asked of them is done. `close` waits for them."""
        if self._pool is not None:
            self._ending = threading.Thread(target=self._pool.shutdown)
            self._ending.start()

    def close(self) -> None:
        """End the workers; where jobs are left, at once: whatever they write is thrown away."""
        left = [future for future in self._pending if not future.done()]
        for future in left if self.engine else ():
            future.cancel()
        if (left or self._broken) and not self.engine:  # one that starts while the pool breaks is not ended by it
            for worker in set(active_children()) - self._others:
                worker.terminate()
        self._pending.clear()
        self._pool = None
        if self._ending is not None:
            self._ending.join()
        self._stack.close()


def _processes(task: Task, count: int) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(count, mp_context=get_context("spawn"), initializer=_start, initargs=(task,))


_attendance: BinaryIO | None = None


def _start(task: Task) -> None:
    global _attendance
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.set_threshold(*SELDOM)
    _attendance = publish.attend(task.attendance)
    _die_with_parent(timeout=0)
    threading.Thread(target=_die_with_parent, daemon=True).start()


def _die_with_parent(timeout: float | None = None) -> None:
    """End as soon as the build has: one that follows clears the stage, and nothing may be written there then.

    Returns if the build lives on for `timeout` seconds.
    """
    parent = parent_process()
    if parent is not None and wait_for([parent.sentinel], timeout):
        os._exit(1)


def _run(task: Task, function: Function[Result], jobs: list[Any]) -> Result:
    """A chunk of jobs, in a worker of whatever engine."""
    highlight.configure(task.highlight)
    words.configure(task.words)
    with publish.machine_errors():
        if _attendance is not None:
            return function(task, jobs)
        with publish.attend(task.attendance):
            return function(task, jobs)


def _chunked(jobs: Iterable[Any], size: int, weigh: Callable[[Any], int]) -> Iterator[list[Any]]:
    chunk, weight = [], 0
    for job in jobs:
        chunk.append(job)
        weight += weigh(job)
        if weight >= size:
            yield chunk
            chunk, weight = [], 0
    if chunk:
        yield chunk


def default_jobs() -> int:
    """The cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def dask(address: str) -> Engine:
    """Makes the executor of the Dask cluster whose scheduler is at `address`; its workers see the same folders.

    Raises `UsageError` where Dask is not installed or no scheduler answers.
    """
    try:
        from distributed import Client  # noqa: PLC0415 - an extra, which few need
    except ImportError:
        raise UsageError("--executor dask needs Dask; install errordex[dask] [EDX053]") from None

    @contextmanager
    def connected() -> Iterator[Executor]:
        try:
            client = Client(address, timeout=PATIENCE, set_as_default=False)  # type: ignore[no-untyped-call]
        except (OSError, ValueError) as error:
            reason = (str(error).splitlines() or [type(error).__name__])[0]
            wrong = f"--scheduler {address}: no Dask scheduler answers ({reason}); start one, or give its address"
            raise UsageError(f"{wrong} [EDX053]") from None
        with client:
            yield client.get_executor(pure=False)  # type: ignore[no-untyped-call]

    return connected
