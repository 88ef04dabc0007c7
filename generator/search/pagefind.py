"""Talks to Pagefind, the program that makes the search's index; knows nothing of records.

Pagefind runs as a service over a pipe: a request is JSON in base64 with a comma after it, and so is the
answer. One request is under way at a time, so that neither side ever waits for room in a pipe; hundreds
of calls at once through its Python package do, for ever.
"""

import base64
import json
import os
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as version_of
from pathlib import Path
from typing import IO, Any

from generator.problems import MachineError

LANGUAGE = "en"
"""Whose forms of a word count as one. Records are English; words of other languages are found as they stand."""

CHUNK = "2000"
"""Word positions a file of the index, a tenth of Pagefind's own: a query asks for several parts' files at once.

It is set by a variable that Pagefind calls unstable; without it files would be larger and nothing else change.
"""

STALL = 300.0
"""Seconds without an answer after which Pagefind counts as hung; to make a full part takes it some ten."""

ADVICE = "build again, or publish without search by the setting search: false [EDX052]"


class Index:
    """One index in a running Pagefind: pages are added, then its files are asked for. Calls raise `MachineError`."""

    def __init__(self, process: "_Process", options: Mapping[str, Any]) -> None:
        self._process = process
        config = {"force_language": LANGUAGE, **options}
        self._number = process.ask({"type": "NewIndex", "config": config})["index_id"]

    def add_record(self, url: str, content: str, meta: Mapping[str, str], filters: Mapping[str, Sequence[str]]) -> None:
        """Add a page by its text; `meta` is searched too."""
        self._ask("AddRecord", url=url, content=content, language=LANGUAGE, meta=meta, filters=filters)

    def add_html(self, url: str, html: str) -> None:
        """Add a page by its HTML."""
        self._ask("AddFile", url=url, file_contents=html)

    def files(self) -> dict[str, bytes]:
        """Pagefind's files by path, its interfaces too.

        Where it writes them itself, some are not yet whole when it says that they are.
        """
        found = self._ask("GetFiles")["files"]
        return {file["path"].replace("\\", "/"): base64.b64decode(file["content"]) for file in found}

    def _ask(self, kind: str, **fields: Any) -> dict[str, Any]:
        return self._process.ask({"type": kind, "index_id": self._number, **fields})


@contextmanager
def index(*, stall: float = STALL, **options: Any) -> Iterator[Index]:
    """Start Pagefind with an empty index; it ends, and frees its memory, with the context.

    `options` are those of Pagefind's service, such as `root_selector`; `stall` is in seconds.
    """
    with tempfile.TemporaryFile() as complaints:
        process = _Process(_start(complaints), complaints, stall)
        try:
            yield Index(process, options)
        finally:
            process.end()


def version() -> str:
    """Pagefind's version; `MachineError` where it is not installed."""
    try:
        return version_of("pagefind")
    except PackageNotFoundError:
        raise MachineError(f"Pagefind is not installed; pip install 'pagefind[bin]', or {ADVICE}") from None


def _start(complaints: IO[bytes]) -> "subprocess.Popen[bytes]":
    try:
        return subprocess.Popen(  # noqa: S603 - the program that comes with the package
            [_program(), "--service"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=complaints,
            env={**os.environ, "PAGEFIND_UNSTABLE_INDEX_CHUNK_SIZE": CHUNK},
        )
    except OSError as error:
        raise MachineError(f"Pagefind cannot be run ({error.strerror}: {error.filename}); {ADVICE}") from None


def _program() -> Path:
    try:
        from pagefind.service import get_executable  # noqa: PLC0415 - where it is missing, one clear line
    except ImportError:
        program = None
    else:
        program = get_executable()
    if program is None:
        raise MachineError(f"Pagefind's program is missing; pip install 'pagefind[bin]', or {ADVICE}")
    return program


class _Process:
    """A running Pagefind, ended when it has not answered for `stall` seconds."""

    def __init__(self, process: "subprocess.Popen[bytes]", complaints: IO[bytes], stall: float) -> None:
        self._process, self._complaints, self._stall = process, complaints, stall
        self._asked = time.monotonic()
        self._number = 0
        self._hung = False
        self._ended = threading.Event()
        threading.Thread(target=self._watch, daemon=True).start()

    def ask(self, payload: Mapping[str, Any]) -> dict[str, Any]:
        """Send one request and wait for its answer."""
        self._number += 1
        self._asked = time.monotonic()
        request = json.dumps({"message_id": self._number, "payload": payload}).encode()
        try:
            answer = self._exchange(base64.b64encode(request) + b",")
            found: dict[str, Any] = json.loads(base64.b64decode(answer, validate=True))["payload"]
        except (OSError, ValueError, LookupError, TypeError):
            raise MachineError(f"{self._what_happened()}; {ADVICE}") from None
        if found.get("type") == "Error":
            raise MachineError(f"Pagefind refuses a request ({found.get('message')}); {ADVICE}")
        return found

    def _exchange(self, request: bytes) -> bytes:
        """Write a request, read up to the comma that ends its answer; `ValueError` when Pagefind ends instead."""
        if self._process.stdin is None or self._process.stdout is None:
            raise ValueError
        self._process.stdin.write(request)
        self._process.stdin.flush()
        answer = bytearray()
        while not answer.endswith(b","):
            more = self._process.stdout.read1(1 << 16)  # type: ignore[attr-defined]
            if not more:
                raise ValueError
            answer += more
        return bytes(answer[:-1])

    def _watch(self) -> None:
        while not self._ended.wait(min(1.0, self._stall / 4)):
            if time.monotonic() - self._asked > self._stall:
                self._hung = True
                self._process.kill()
                return

    def _what_happened(self) -> str:
        if self._hung:
            return f"Pagefind gave no answer in {self._stall:.0f} s"
        self._process.kill()
        self._process.wait()
        self._complaints.seek(0)
        said = self._complaints.read().decode(errors="replace").split("\n")
        lines = [line.strip() for line in said if line.strip()]
        return f"Pagefind crashed ({lines[-1][:200] if lines else f'exit status {self._process.returncode}'})"

    def end(self) -> None:
        """End Pagefind, whatever it is at."""
        self._ended.set()
        self._process.kill()
        self._process.communicate()
