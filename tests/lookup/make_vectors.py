"""Writes what lookup finds in Python as vectors, which the scripts and other implementations must find too.

    python -m tests.lookup.make_vectors

`programs.json`: patterns' programs, texts, and the first match. `lines.json`: how pastes are read.
`finds.json`: an index's files, and for each paste what is found.
"""

import base64
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from generator import skeleton
from generator.lookup import Found, Index, find, index
from generator.lookup.entries import Site
from generator.lookup.folded import folded
from generator.lookup.messages import Raised
from generator.lookup.paste import read
from generator.patterns import PatternError, compile

HERE = Path(__file__).parent
FOLDER = HERE / "vectors"
VALUES = (
    "3",
    "/data/run 1/model.bin",
    "torch.float16",
    "'abc'",
    "[1, 2, 3]",
    "größe",
    "模型",
    "a: b",
    "😀 ok",
    "x" * 70,
)
OTHERS = ("Loading shards: 100%", "INFO done", "it works on my machine", "see https://example.org/a?b=c", "", "```")
CLASSES = ("ValueError", "RuntimeError", "KeyError", "OSError")


def records() -> list[Raised]:
    """The records of the cases, and some that share a message."""
    cases = [json.loads(path.read_text("utf-8"))["record"] for path in sorted((HERE / "cases").glob("*.json"))]
    for number, path in enumerate(("src/io/reading.py", "src/io/writing.py", "lib/utils.py", "core/parse.cc"), 1):
        message = "cannot open the archive {path}: its header has {count} bytes"
        cases.append({"repo": "acme/tool", "errorMessage": message, "errorClass": "OSError", "filePath": path})
        cases[-1]["lineNumber"] = 10 * number
    return [
        Raised(
            skeleton.pattern(case["errorMessage"]),
            case["errorClass"],
            Site(f"{number:016x}", f"{case['repo']}/error-{number}", case["filePath"], case["lineNumber"]),
        )
        for number, case in enumerate(cases, 1)
    ]


def messages() -> list[tuple[str, Raised]]:
    """Each record with its message's template."""
    cases = [json.loads(path.read_text("utf-8"))["record"] for path in sorted((HERE / "cases").glob("*.json"))]
    shared = "cannot open the archive {path}: its header has {count} bytes"
    return list(zip([*(case["errorMessage"] for case in cases), *[shared] * 4], records(), strict=True))


def pastes() -> Iterator[str]:
    """The cases' pastes, and generated ones in many styles."""
    for path in sorted((HERE / "cases").glob("*.txt")):
        yield path.read_bytes().decode()
    chance = random.Random(5)
    known = messages()
    for number in range(110):
        template, record = known[number % len(known)]
        yield _styled(chance, number, _filled(chance, template), record)
    yield from (
        "",
        "\n\n",
        "no error here",
        "\x1b[31mEr\x00ror\x1b[0m: \ud83d",
        "ValueError:",
        '{"message": "a \\ud83d\\ude00 b"}',
    )


def _filled(chance: random.Random, template: str) -> str:
    parts = template.replace("}", "{").split("{")
    return "".join(part if not order % 2 else chance.choice(VALUES) for order, part in enumerate(parts))


def _styled(chance: random.Random, number: int, message: str, record: Raised) -> str:
    name, site = record.error_class, record.site
    frame = f'Traceback (most recent call last):\n  File "/venv/lib/{site.file}", line {site.line}, in run\n    f(x)\n'
    logged = f"2024-05-01 12:00:0{number % 10},123 ERROR [worker-1] {message}"
    cut = message[: len(message) * 6 // 10]
    words = message.split(" ")
    drifted = " ".join(word for order, word in enumerate(words) if order % 7 != 3)
    styles = (
        message,
        f"{name}: {message}",
        f"{frame}{name}: {message}",
        frame.replace("/", "\\") + f"{name}: {message}\r\n",
        "\n".join(f"(pid=12, ip=10.0.0.1) {line}" for line in f"{frame}{name}: {message}".split("\n")),
        "\n".join(f"E   {line}" for line in f"{name}: {message}".split("\n"))
        + f"\n\n{site.file}:{site.line}: {name}\n",
        f"> {logged}\n> {chance.choice(OTHERS)}\n",
        json.dumps({"level": "error", "msg": f"{name}: {message}", "n": number}, ensure_ascii=number % 2 == 0),
        f"{frame}{name}: {cut}",
        f"{name}: {cut}...",
        f"{frame}{name}: {drifted}",
        _wrapped(f"{name}: {message}", 72),
        f"{frame}{name}: {message}\n\nThe above exception was the direct cause of the following exception:\n\n"
        f"{frame}{chance.choice(CLASSES)}: {chance.choice(OTHERS)}",
        f"Error: {message}\n    at open (/app/{site.file}:{site.line}:7)\n  [cause]: {name}: {message}\n",
        f"\u2502 {name}: <b>{message.replace('<', '&lt;')}</b> \u2502",
        "\n".join([*[chance.choice(OTHERS) for _ in range(20)], logged, *[f"step {step}" for step in range(20)]]),
        f"{chance.choice(CLASSES)}: {message}",
        f'raise {name}(f"{message}")',
        message.replace("'", "\u2019").replace('"', "\u201c").replace("-", "\u2013"),
        f"Value error, {message} [type=value_error, input_value=3]",
        f"{name}: {chance.choice(VALUES)}\n  {message}",
    )
    return styles[number % len(styles)]


def _wrapped(text: str, width: int) -> str:
    return "\n".join(text[at : at + width] for at in range(0, len(text), width))


def finds() -> dict[str, Any]:
    """An index's files, text or Base64, and for each paste what is found."""
    files = {file.path: file.content for file in index.files(records())}
    asked = Index(files.get)
    return {
        "files": {path: _told(path, content) for path, content in sorted(files.items())},
        "finds": [{"text": text, "found": [spelt(found) for found in find(text, asked)]} for text in pastes()],
    }


def _told(path: str, content: bytes) -> str:
    return base64.b64encode(content).decode() if path.endswith(".bin") else content.decode()


def spelt(found: Found) -> dict[str, Any]:
    """An answer as JSON."""
    return {
        "kind": found.kind,
        "score": found.score,
        "aside": found.aside,
        "depth": found.depth,
        "line": found.line,
        "class": found.entry.error_class,
        "sites": [site.id for site in found.sites],
        "decided": found.decided,
        "text": found.text,
        "values": [list(value) for value in found.values],
        "spans": [list(span) for span in found.spans],
        "cut": found.cut,
    }


def lines() -> list[dict[str, Any]]:
    """How pastes are read: each line's kind, text, head, and whether an entry begins there."""
    return [
        {
            "text": text,
            "lines": [
                [
                    *(line.kind, line.text, line.width, line.stamped, line.pytest, line.told, line.name, line.said),
                    *(line.cause, [*reversed(line.frame.segments), line.frame.line] if line.frame else None),
                ]
                for line in read(text).lines
            ],
        }
        for text in pastes()
    ]


def programs() -> list[dict[str, Any]]:
    """Patterns that chance made, as programs and as lookup folds them, and their first matches in texts."""
    chance = random.Random(7)
    made: list[dict[str, Any]] = []
    while len(made) < 400:
        pattern = _pattern(chance)
        try:
            program = compile(pattern)
        except PatternError:
            continue
        program = folded(program) if chance.random() < 0.5 else program
        if not program.branches:
            continue
        text = "".join(chance.choice("aab c:1\n") for _ in range(chance.randrange(40)))
        start = chance.choice((0, 0, 3))
        match = program.search(text, start)
        told = match and [*match.span, [[hole.name, hole.start, hole.end] for hole in match.holes]]
        made.append({"program": json.loads(program.to_json()), "text": text, "start": start, "match": told})
    return made


def _pattern(chance: random.Random, depth: int = 0) -> str:
    atoms = (
        "a",
        "b",
        "ab",
        "a: ",
        "c",
        "1",
        ".+",
        ".*",
        ".+?",
        r"\d+",
        r"\w+",
        r"\S+",
        "[^a]+",
        "[ab]*",
        "a{1,2}",
        r"\b",
        " ",
        "b?",
    )
    parts: list[str] = []
    for _ in range(chance.randrange(1, 6)):
        if depth < 2 and chance.random() < 0.25:
            inner = _pattern(chance, depth + 1)
            parts.append(chance.choice((f"({inner})", f"(?:{inner}|{_pattern(chance, 2)})", f"(?:{inner})?")))
        else:
            parts.append(chance.choice(atoms))
    whole = "".join(parts)
    return whole if depth else chance.choice((whole, whole, f"^{whole}", f"{whole}$", f"{whole}|{parts[0]}c"))


def made() -> dict[str, Any]:
    """The vectors by file."""
    return {"programs.json": programs(), "lines.json": lines(), "finds.json": finds()}


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, vectors in made().items():
        (FOLDER / name).write_text(json.dumps(vectors, indent=None, separators=(",", ":")) + "\n", "utf-8")
