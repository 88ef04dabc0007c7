"""`errordex`, with workers however few the records are, in a process that may be told to die at a step.

    DIE_AT=replace:12 python -m tests.driver build …

kills the process before its twelfth call of `os.replace`. Run by the tests of builds that end badly.
"""

import os
import signal
from collections.abc import Callable
from typing import Any

from generator import making
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


if __name__ == "__main__":
    making.ALONE = 0
    if step := os.environ.get("DIE_AT"):
        name, _, call = step.partition(":")
        setattr(os, name, dying(getattr(os, name), int(call)))
    main()
