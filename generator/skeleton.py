"""A valid skeleton of a new record, for a person to fill in."""

import hashlib
import json
import re
from collections.abc import Container, Iterable
from pathlib import Path

from generator import dataset
from generator.checks import is_repo, shown
from generator.problems import ErrordexError

SLUG_CHARACTERS = 50
_UNKNOWN_COMMIT = "0" * 40
_SPECIAL = re.compile(r"[\\.^$*+?()\[\]{}|]")
_PLACEHOLDER = re.compile(r"\{[^{}]+\}")
_OTHER = re.compile(r"[^a-z0-9]+")


def create(repo: str, message: str, root: Path) -> Path:
    """Write `root`/<owner>/<name>/<id>.json for a new error; the path of it.

    Its id is free and its slug unique in the repository. Raises `ErrordexError` when the repository or
    the message can't be one.
    """
    if not is_repo(repo):
        raise ErrordexError(f"{shown(repo)} is not owner/name; give the repository as GitHub spells it [EDX011]")
    if not message.strip():
        raise ErrordexError("the message is blank; give it as the program prints it [EDX023]")
    found = dataset.load(root)[0] if root.is_dir() else dataset.Dataset(())
    entries = (*found.entries, *found.drafts)
    record_id = free_id((repo, message), {entry.id for entry in entries})
    taken = {entry.slug.casefold() for entry in entries if entry.repo.casefold() == repo.casefold()}
    path = root / repo / f"{record_id}.json"
    document = {"record": fields(record_id, repo, slug(message, record_id, taken), message), "datasetVersion": "draft"}
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("x", encoding="utf-8", newline="\n") as stream:
        stream.write(json.dumps(document, ensure_ascii=False, indent=2) + "\n")
    return path


def slug(message: str, record_id: str, taken: set[str]) -> str:
    """A new record's slug: the message in lower-case ASCII, cut; with the id's beginning where it is taken."""
    short = _OTHER.sub("-", message.lower().encode("ascii", "replace").decode())[:SLUG_CHARACTERS].strip("-")
    return f"{short or 'error'}-{record_id[:6]}" if not short or short in taken else short


def pattern(message: str) -> str:
    """The message as a pattern: special characters escaped, `.+` for each {placeholder}."""
    literals = _PLACEHOLDER.split(message)
    return ".+".join(_SPECIAL.sub(r"\\\g<0>", literal) for literal in literals)


def free_id(identity: Iterable[str], taken: Container[str]) -> str:
    """An id that is not taken; the same for the same `identity`, as long as that one is free."""
    whole, number = "\n".join(identity), 0
    while (record_id := hashlib.sha256(f"{whole}\n{number}".encode()).hexdigest()[:16]) in taken:
        number += 1
    return record_id


def fields(record_id: str, repo: str, slug: str, message: str) -> dict[str, object]:
    """The fields of a new record, in the schema's order: sound, and empty where a person writes."""
    return {
        "id": record_id,
        "repo": repo,
        "slug": slug,
        "errorCode": None,
        "errorMessage": message,
        "messagePattern": pattern(message),
        "errorType": "exception",
        "errorClass": "Error",
        "httpStatus": None,
        "severity": "error",
        "filePath": "path/of/the/file",
        "lineNumber": 1,
        "sourceCode": "",
        "sourceCodeStart": 1,
        "sourceCodeEnd": 1,
        "githubUrl": f"https://github.com/{repo}/blob/{_UNKNOWN_COMMIT}/path/of/the/file#L1-L1",
        "documentation": "",
        "triggerScenarios": "",
        "commonSituations": "",
        "solutions": [],
        "exampleFix": None,
        "handlingStrategy": "",
        "validationCode": None,
        "typeGuard": None,
        "tryCatchPattern": None,
        "preventionTips": [],
        "tags": [],
        "backgroundTag": None,
        "analyzedSha": _UNKNOWN_COMMIT,
        "analyzedAt": "1970-01-01T00:00:00Z",
        "schemaVersion": 2,
    }
