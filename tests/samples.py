"""Small sound records for tests, and how they are written to files."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

SHA = "4f1c0e7a9b2d3c5e6f708192a3b4c5d6e7f80910"
VERSION = "2026-08-28T06:17:29.519Z"


def record(number: int = 1, /, **changes: Any) -> dict[str, Any]:
    """The sound record of that number, with `changes` to its fields (by their JSON names)."""
    fields = {
        "id": f"{number:016x}",
        "repo": "acme/tool",
        "slug": f"error-{number}",
        "errorCode": None,
        "errorMessage": f"cannot open {{path}}: try {number}",
        "messagePattern": f"cannot open .+: try {number}",
        "errorType": "exception",
        "errorClass": "OpenError",
        "httpStatus": None,
        "severity": "error",
        "filePath": "src/tool/open.py",
        "lineNumber": 42,
        "sourceCode": "def open_it(path):\n    if path is None:\n        raise OpenError(path)\n    return path\n",
        "sourceCodeStart": 40,
        "sourceCodeEnd": 43,
        "githubUrl": "",
        "documentation": "`open_it` got a path that it cannot open.",
        "triggerScenarios": "Calling `open_it(None)`.",
        "commonSituations": "A setting left empty.",
        "solutions": ["Give a path"],
        "exampleFix": None,
        "handlingStrategy": "validation",
        "validationCode": None,
        "typeGuard": None,
        "tryCatchPattern": None,
        "preventionTips": [],
        "tags": ["files"],
        "backgroundTag": None,
        "analyzedSha": SHA,
        "analyzedAt": "2026-08-28T05:10:05.995Z",
        "schemaVersion": 2,
    } | changes
    return fields if "githubUrl" in changes else fields | {"githubUrl": github_url(fields)}


def github_url(fields: Mapping[str, Any]) -> str:
    """The address that a record's other fields imply."""
    lines = f"#L{fields['sourceCodeStart']}-L{fields['sourceCodeEnd']}"
    return f"https://github.com/{fields['repo']}/blob/{fields['analyzedSha']}/{fields['filePath']}{lines}"


def pattern_of(message: str) -> str:
    """The message itself as a pattern: every character that could mean something escaped."""
    return "".join(f"\\{char}" if char in r"\.^$*+?()[]{}|/-" else char for char in message)


def envelope(fields: dict[str, Any]) -> dict[str, Any]:
    """The record as the API answers it."""
    return {"record": fields, "datasetVersion": VERSION}


def raw(fields: dict[str, Any]) -> bytes:
    """The bytes of a file that holds the record."""
    return json.dumps(envelope(fields), ensure_ascii=False, indent=1).encode("utf-8", "surrogatepass") + b"\n"


def tree(root: Path, *records: dict[str, Any]) -> Path:
    """Write records to `root`, a file each, named by their place in the list; the folder."""
    root.mkdir(parents=True, exist_ok=True)
    for number, fields in enumerate(records, 1):
        (root / f"{number:02}.json").write_bytes(raw(fields))
    return root
