"""Pastes made from records: messages filled with plausible values, in the shapes that terminals and logs have.

Everything follows from the random generator that is given, so that equal records give equal pastes.
"""

import json
import textwrap
from collections.abc import Callable, Sequence
from random import Random
from typing import NamedTuple

from generator import patterns
from generator.patterns.pieces import Branch, Chars, Gap, Or


class Subject(NamedTuple):
    """What a paste is made from: a record's pattern, class, file and line."""

    pattern: str
    error_class: str
    file: str
    line: int


VALUES = (
    "3", "17", "0", "-1", "128", "0.5", "1e-05", "2048", "None", "True", "False", "'cuda:0'", "float16",
    "torch.bfloat16", "(2, 3, 224, 224)", "[1, 0]", "torch.Size([4, 77, 768])", "<class 'numpy.ndarray'>",
    "<class 'str'>", "'abc'", "'utf-8'", "/home/user/data/train.csv", "C:\\Users\\ann\\model.bin", "my_model",
    "default", "['a', 'b', 'c']", "{'x': 1, 'y': 2}", "my-project.v2", "https://example.com/api/v1/items",
    "2024-05-01", "nan", "layer.0.weight", "dict_keys(['a'])", "int64", "<object object at 0x7f3c2c1d5e50>", "relu",
    "adam", "user@example.com", "cpu", "1.2.3", "column_7", "'foo bar'", "b'\\x00'",
)  # fmt: skip

PACKAGES = (
    "requests/adapters.py",
    "torch/nn/modules/module.py",
    "app/main.py",
    "pandas/core/frame.py",
    "runner/tasks.py",
)


def message(rng: Random, pattern: str) -> str:
    """The message of a pattern, its gaps filled."""
    return _filled(rng, rng.choice(patterns.compile(pattern).branches))


def _filled(rng: Random, branch: Branch) -> str:
    parts: list[str] = []
    for piece in branch:
        if isinstance(piece, str):
            parts.append(piece)
        elif isinstance(piece, Gap):
            parts.append(_value(rng, piece))
        elif isinstance(piece, Or) and not (piece.skip and rng.random() < 0.5):
            parts.append(_filled(rng, rng.choice(piece.alternatives)))
    return "".join(parts)


def _value(rng: Random, gap: Gap) -> str:
    if gap.is_loose:
        return rng.choice(VALUES)
    fitting = [
        value
        for value in VALUES
        if gap.min <= len(value) <= (gap.max or 99) and all(_in(gap.chars, char) for char in value)
    ]
    if fitting:
        return rng.choice(fitting)
    char = next(char for char in "x0 -.A\n" if _in(gap.chars, char))
    return char * gap.min


def _in(chars: Chars, char: str) -> bool:
    return any(low <= ord(char) <= high for low, high in chars.ranges) is not chars.negated


def traceback(rng: Random, subject: Subject, text: str, *, root: str = "/usr/lib/python3.12/site-packages/") -> str:
    """A Python traceback that ends with the message."""
    frames = [(root + rng.choice(PACKAGES), rng.randint(10, 900)) for _ in range(rng.randint(1, 4))]
    frames.append((root + _installed(subject.file), subject.line))
    lines = ["Traceback (most recent call last):"]
    for path, line in frames:
        lines += [f'  File "{path}", line {line}, in {rng.choice(("run", "forward", "<module>", "_check"))}']
        raised = f"raise {subject.error_class}("
        lines += [f"    {rng.choice(('return self._call(x)', 'result = func(*args, **kwargs)', raised))}"]
    return "\n".join([*lines, f"{subject.error_class}: {text}"])


def _installed(path: str) -> str:
    for folder in ("src/", "python/", "lib/"):
        path = path.removeprefix(folder)
    return path


def _noise(rng: Random) -> str:
    return rng.choice(
        (
            f"step {rng.randint(1, 9999)} loss {rng.random():.4f} lr 0.0001",
            f"Loaded {rng.randint(1, 99)} items in {rng.random():.2f}s",
            f"GET /health 200 {rng.randint(1, 40)}ms",
            "Starting worker process",
            f"Epoch {rng.randint(1, 90)}: 100%|##########| 12/12 [00:01<00:00]",
        )
    )


def _clock(rng: Random) -> str:
    return f"2026-03-{rng.randint(10, 28)} {rng.randint(10, 23)}:{rng.randint(10, 59)}:{rng.randint(10, 59)}"


Style = Callable[[Random, Subject, str], str]


def bare(rng: Random, subject: Subject, text: str) -> str:
    """The message alone."""
    return text


def classed(rng: Random, subject: Subject, text: str) -> str:
    """Class and message, as a traceback's last line."""
    return f"{subject.error_class}: {text}"


def python(rng: Random, subject: Subject, text: str) -> str:
    """A whole traceback."""
    return traceback(rng, subject, text)


def in_log(rng: Random, subject: Subject, text: str) -> str:
    """A traceback in a log, each line with a time stamp and a level."""
    lines = [_noise(rng) for _ in range(rng.randint(3, 20))] + traceback(rng, subject, text).split("\n") + [_noise(rng)]
    return "\n".join(
        f"{_clock(rng)},{rng.randint(100, 999)} ERROR [worker-{rng.randint(0, 7)}] {line}" for line in lines
    )


def pytest_long(rng: Random, subject: Subject, text: str) -> str:
    """A failure as pytest prints it."""
    error = "\n".join(f"E       {line}" for line in f"{subject.error_class}: {text}".split("\n"))
    return (
        "____________________ test_it ____________________\n\n    def test_it():\n>       run(1)\n\n"
        "tests/test_it.py:4:\n"
        "_ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _\n\n    def run(x):\n        if not ok(x):\n"
        f">           raise {subject.error_class}(\n{error}\n\n"
        f"{_installed(subject.file)}:{subject.line}: {subject.error_class}\n"
        "=========== short test summary info ===========\n"
        f"FAILED tests/test_it.py::test_it - {subject.error_class}: {text[:40]}..."
    )


def rich(rng: Random, subject: Subject, text: str) -> str:
    """A traceback in a box."""
    path = f"/opt/app/lib/{_installed(subject.file)}:{subject.line} in run"
    rows = [path, "", f"  {subject.line - 1} │   if bad:", f"❱ {subject.line} │   │   raise {subject.error_class}(", ""]
    box = "\n".join(f"│ {row:<96} │" for row in rows)
    return f"╭──────── Traceback (most recent call last) ────────╮\n{box}\n╰{'─' * 98}╯\n{subject.error_class}: {text}"


def jupyter(rng: Random, subject: Subject, text: str) -> str:
    """A notebook's output with its colours."""
    red, off = "\x1b[0;31m", "\x1b[0m"
    return (
        f"{red}{'-' * 75}{off}\n{red}{subject.error_class}{off}                 Traceback (most recent call last)\n"
        f"File {off}\x1b[1;32m~/env/lib/{_installed(subject.file)}:{subject.line}{off}, in run(x)\n"
        f"{off}\x1b[1;32m    {subject.line - 1}{off} if not ok(x):\n"
        f"{red}--> {subject.line}     {red}raise{off} {subject.error_class}(\n\n"
        f"{red}{subject.error_class}{off}: {text}"
    )


def json_lines(rng: Random, subject: Subject, text: str) -> str:
    """A log of JSON objects."""
    rows = [{"ts": _clock(rng), "level": "info", "msg": _noise(rng)} for _ in range(4)]
    rows.append(
        {"ts": _clock(rng), "level": "error", "msg": "request failed", "exc_info": traceback(rng, subject, text)}
    )
    return "\n".join(map(json.dumps, rows))


def container(rng: Random, subject: Subject, text: str) -> str:
    """What docker compose shows."""
    return "\n".join(f"worker-1  | {line}" for line in [_noise(rng), *traceback(rng, subject, text).split("\n")])


def wrapped(rng: Random, subject: Subject, text: str) -> str:
    """Cut by a terminal at 80 columns, within words too."""
    line = f"{subject.error_class}: {text}"
    return "\n".join(part[at : at + 80] for part in line.split("\n") for at in range(0, max(1, len(part)), 80))


def filled(rng: Random, subject: Subject, text: str) -> str:
    """Wrapped between words, as editors do."""
    return "\n".join(textwrap.fill(part, 72) for part in f"{subject.error_class}: {text}".split("\n"))


def mailed(rng: Random, subject: Subject, text: str) -> str:
    """Quoted in an answer."""
    return "\n".join(f"> {line}" for line in traceback(rng, subject, text).split("\n"))


def prose(rng: Random, subject: Subject, text: str) -> str:
    """Typographic quotes and entities, by an editor or a tracker."""
    spelt = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "“").replace("'", "’")
    return f"Hi, when I run it I get this:\n\n{subject.error_class}: {spelt}\n\nAny idea?"


def doubled(rng: Random, subject: Subject, text: str) -> str:
    """Every line end doubled, from Windows."""
    return traceback(rng, subject, text).replace("\n", "\r\n\r\n")


def windows(rng: Random, subject: Subject, text: str) -> str:
    """Paths with backslashes."""
    lines = traceback(rng, subject, text, root="C:/Users/ann/venv/Lib/site-packages/").split("\n")
    return "\r\n".join(line.replace("/", "\\") if line.startswith("  File") else line for line in lines)


def chained(rng: Random, subject: Subject, text: str) -> str:
    """The cause of another error."""
    return (
        f"{traceback(rng, subject, text)}\n\nThe above exception was the direct cause of the following exception:\n\n"
        'Traceback (most recent call last):\n  File "/app/job.py", line 12, in main\n    run()\n'
        "JobFailed: job 42 did not finish"
    )


def ranks(rng: Random, subject: Subject, text: str) -> str:
    """Several processes that fail alike, each line with its rank."""
    lines = traceback(rng, subject, text).split("\n")
    return "\n".join(f"[{_clock(rng)} TP{rank}] {line}" for rank in range(3) for line in [_noise(rng), *lines])


def actions(rng: Random, subject: Subject, text: str) -> str:
    """A log of GitHub Actions."""
    lines = [_noise(rng), *traceback(rng, subject, text).split("\n"), "##[error]Process completed with exit code 1."]
    return "\n".join(f"2026-03-11T09:12:{second % 60:02}.1234567Z {line}" for second, line in enumerate(lines))


def logged(rng: Random, subject: Subject, text: str) -> str:
    """The message alone in a log's line, without class or trace."""
    lines = [f"{_clock(rng)} INFO     app.core: {_noise(rng)}" for _ in range(rng.randint(2, 12))]
    lines.insert(rng.randint(1, len(lines)), f"{_clock(rng)} ERROR    app.core: {text}")
    return "\n".join(lines)


STYLES: dict[str, Style] = {
    style.__name__.replace("_", " "): style
    for style in (
        bare, classed, python, in_log, pytest_long, rich, jupyter, json_lines, container, wrapped, filled, mailed,
        prose, doubled, windows, chained, ranks, actions, logged,
    )
}  # fmt: skip

WITH_PATH = frozenset(
    [
        *("python", "in log", "pytest long", "rich", "jupyter", "json lines", "container", "mailed", "doubled"),
        *("windows", "chained", "ranks", "actions"),
    ]
)


def cut(text: str) -> str:
    """The first 60 % of a message."""
    return text[: max(1, len(text) * 6 // 10)]


def drifted(rng: Random, pattern: str) -> str | None:
    """The message as another version may word it: one or two words of it replaced, left out, added or misspelt.

    None for messages of less than six words of their own, which may become others.
    """
    branch = patterns.compile(pattern).branches[0]
    pieces: list[str | list[str]] = [
        piece.split(" ") if isinstance(piece, str) else _filled(rng, (piece,)) for piece in branch
    ]
    places = [
        (i, j)
        for i, piece in enumerate(pieces)
        if isinstance(piece, list)
        for j, word in enumerate(piece)
        if word.isalpha()
    ]
    if len(places) < 6:
        return None
    for i, j in rng.sample(places, 2 if len(places) > 11 else 1):
        words = pieces[i]
        assert isinstance(words, list)
        words[j] = _changed(rng, words[j])
    return "".join(" ".join(piece) if isinstance(piece, list) else piece for piece in pieces)


def _changed(rng: Random, word: str) -> str:
    way = rng.randrange(4)
    if way == 0:
        return rng.choice(("given", "provided", "allowed", "current", "argument", "option", "setting"))
    if way == 1:
        return ""
    if way == 2:
        return f"{word} {rng.choice(('also', 'currently', 'here', 'the'))}"
    at = rng.randrange(len(word))
    return word[:at] + word[at + 1 :] if len(word) > 3 else f"{word}s"


def chosen(rng: Random, subjects: Sequence[Subject], count: int) -> list[int]:
    """The numbers of `count` subjects, no two of one pattern."""
    order = list(range(len(subjects)))
    rng.shuffle(order)
    seen: set[str] = set()
    found: list[int] = []
    for number in order:
        if len(found) < count and subjects[number].pattern not in seen:
            seen.add(subjects[number].pattern)
            found.append(number)
    return found
