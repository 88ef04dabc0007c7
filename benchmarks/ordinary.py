"""Ordinary logs: lines that tell of no error, from what installed packages write and from well-known servers."""

import ast
import re
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path
from random import Random

from benchmarks import pastes

LINES_A_BLOCK = 40
_LEVELS = {"info": "INFO", "debug": "DEBUG", "warning": "WARNING"}
_FIELD = re.compile(r"%(?:\([A-Za-z_]+\))?[-+ #0-9.]*[a-zA-Z]|\{[^{}]*\}")


def lines(root: Path) -> Iterator[tuple[str, str, str]]:
    """Level, logger and template of each logging call in the Python files below `root`, which are only read."""
    for path in sorted(root.rglob("*.py")):
        if "test" in path.as_posix():
            continue
        try:
            tree = ast.parse(path.read_text("utf-8"))
        except (SyntaxError, ValueError):
            continue
        for node in ast.walk(tree):
            if template := _template(node):
                yield _LEVELS[node.func.attr], ".".join(path.relative_to(root).with_suffix("").parts), template  # type: ignore[attr-defined]


def _template(node: ast.AST) -> str:
    if not (
        isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _LEVELS and node.args
    ):
        return ""
    owner = node.func.value
    name = owner.id if isinstance(owner, ast.Name) else owner.attr if isinstance(owner, ast.Attribute) else ""
    first = node.args[0]
    if "log" not in name.lower():
        return ""
    if isinstance(first, ast.Constant) and isinstance(first.value, str):
        return first.value
    if isinstance(first, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in first.values)
    return ""


def templates() -> list[tuple[str, str, str]]:
    """Those of the standard library and the installed packages."""
    roots = {sysconfig.get_paths()["stdlib"], sysconfig.get_paths()["purelib"]}
    found = {line for root in roots for line in lines(Path(root))}
    if not found:
        print("no logging calls found", file=sys.stderr)
    return sorted(found)


def block(rng: Random, known: list[tuple[str, str, str]]) -> str:
    """Forty lines of one kind of log."""
    make = rng.choice((_python, _python, _access, _system, _training, _build))
    return "\n".join(make(rng, known) for _ in range(LINES_A_BLOCK))


def _clock(rng: Random) -> str:
    return f"2026-02-{rng.randint(10, 28)} {rng.randint(10, 23)}:{rng.randint(10, 59)}:{rng.randint(10, 59)}"


def _python(rng: Random, known: list[tuple[str, str, str]]) -> str:
    level, name, template = rng.choice(known)
    clock = f"{_clock(rng)},{rng.randint(100, 999)}"
    return f"{clock} - {name} - {level} - {_FIELD.sub(lambda _: rng.choice(pastes.VALUES), template)}"


def _access(rng: Random, known: list[tuple[str, str, str]]) -> str:
    path = rng.choice(("/", "/api/v1/users/42", "/static/app.js", "/healthz", "/search?q=tensor"))
    return (
        f'10.0.0.{rng.randint(1, 99)} - - [12/Mar/2026:10:{rng.randint(10, 59)}:11 +0000] "GET {path} HTTP/1.1" '
        f'{rng.choice((200, 304, 404))} {rng.randint(99, 9999)} "-" "Mozilla/5.0"'
    )


def _system(rng: Random, known: list[tuple[str, str, str]]) -> str:
    said = rng.choice(
        (
            "Started Session 12 of user root.",
            "Reached target Multi-User System.",
            "eth0: link becomes ready",
            "Reloading configuration file",
            "Listening on D-Bus System Message Bus Socket.",
            "usb 1-1: new high-speed USB device",
            "Finished Cleanup of Temporary Directories.",
            "systemd-journald.service: Watchdog updated",
            "Connection closed by 10.0.0.7",
            "pam_unix(cron:session): session opened for user root",
            "Out of memory check passed",
            "clock source switched to tsc",
        )
    )
    return (
        f"Mar {rng.randint(10, 28)} 04:{rng.randint(10, 59)}:11 host1 "
        f"{rng.choice(('systemd', 'kernel', 'sshd', 'cron'))}[{rng.randint(1, 9999)}]: {said}"
    )


def _training(rng: Random, known: list[tuple[str, str, str]]) -> str:
    return rng.choice(
        (
            f"epoch {rng.randint(1, 99)} | step {rng.randint(1, 9999)} | loss {rng.random():.4f} | "
            f"lr {rng.random() / 1000:.2e} | {rng.randint(1, 99)} samples/s",
            f"Saving model checkpoint to ./out/checkpoint-{rng.randint(1, 9999)}",
            f"Loading checkpoint shards: {rng.randint(1, 99)}%|###   | {rng.randint(1, 9)}/10 "
            f"[00:0{rng.randint(1, 9)}<00:02, 2.1it/s]",
            "Some weights of the model were not used when initializing; "
            "this is expected if you are training from scratch.",
            f"***** Running evaluation ***** Num examples = {rng.randint(1, 9999)} Batch size = 8",
            "Using the latest cached version of the dataset since it couldn't be found on the Hub",
        )
    )


def _build(rng: Random, known: list[tuple[str, str, str]]) -> str:
    return rng.choice(
        (
            f"Collecting package-{rng.randint(1, 99)}>=1.2",
            f"  Downloading thing-{rng.randint(1, 9)}.0-py3-none-any.whl (2.1 MB)",
            f"[{rng.randint(1, 99)}/99] Building CXX object src/CMakeFiles/core.dir/main{rng.randint(1, 9)}.cc.o",
            "Requirement already satisfied: numpy>=1.21 in /usr/lib/python3/dist-packages",
            "added 312 packages, and audited 313 packages in 4s",
            f"Step {rng.randint(1, 20)}/20 : RUN make install",
            " ---> Using cache",
            "Successfully built wheel",
            f"PASSED tests/test_{rng.randint(1, 99)}.py::test_ok",
            "-- Found Threads: TRUE",
            "-- Performing Test HAVE_FLAG - Success",
            "warning: unused variable `x`",
            "Compiling serde v1.0.197",
        )
    )
