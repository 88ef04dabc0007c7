"""`errordex`, with workers however few the records are, in a process that may be told to die at a step.

    DIE_AT=replace:12 python -m tests.driver build …

kills the process before its twelfth call of `os.replace`; with FULL_AT=100000 the disk is full after so many bytes,
where a test can have no small disk. Run by the tests of builds that end badly.
"""

import errno
import os
import signal
from collections.abc import Callable
from typing import Any

from generator import making, publish
from generator.cli import main


def dying(function: Callable[..., Any], call: int) -> Callable[..., Any]:
    """`function`, but this process is killed before that call of it (1-based)."""
    calls = 0

    def counted(*args: Any, **named: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls == call:
            os.kill(os.getpid(), signal.SIGKILL)
        return function(*args, **named)

    return counted


def fill_up(room: int) -> None:
    """Let `publish` write as on a disk with so many bytes of room."""
    fill = publish._fill
    left = room

    def full(path: str, content: bytes) -> None:
        nonlocal left
        left -= len(content)
        fill(path, content[: max(left + len(content), 0)])
        if left < 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), path)

    vars(publish)["_fill"] = full


if __name__ == "__main__":
    making.ALONE = 0
    if step := os.environ.get("DIE_AT"):
        name, _, call = step.partition(":")
        setattr(os, name, dying(getattr(os, name), int(call)))
    if room := os.environ.get("FULL_AT"):
        fill_up(int(room))
    main()
