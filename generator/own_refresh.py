"""Brings Errordex's own records in line with its code: line, excerpt, link, commit and time; run at release.

    python -m generator.own_refresh [--commit SHA]

Prose is left alone. A code is reported where a call has it as an argument, or as `[code]` at the end of
one; which of several such sites a record shows, its `filePath` says.
"""

import ast
import json
import re
import shutil
import subprocess
from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import click

from generator.problems import OWN_REPO, own_id

ROOT = Path(__file__).parent.parent
AROUND = 18
"""Lines of the excerpt before and after the raise."""

UNCOMMITTED = "0" * 40
"""Stands for a commit that is still to be made; its time is 1970."""

_REPORTED = re.compile(r"(?:\A|\[)(EDX[0-9]{3})(?:\Z|\]\Z)")
_SHA = re.compile(r"[0-9a-f]{40}\Z")


class Site(NamedTuple):
    """Where a code is reported: the file from the repository's root, and the 1-based line of the call."""

    path: str
    line: int


class Commit(NamedTuple):
    """A commit's whole id and its time, RFC 3339 in UTC."""

    sha: str
    time: str


@click.command()
@click.option("--commit", "sha", default="HEAD", help="The commit to pin to, instead of HEAD; 40 zeros: not committed.")
def main(sha: str) -> None:
    """Refresh the records under records/errordex/errordex from the code of this checkout."""
    click.echo(f"{refresh(ROOT, commit(ROOT, sha))} records refreshed")


def refresh(root: Path, at: Commit) -> int:
    """Rewrite every own record of the checkout at `root`; how many. Raises where code and records do not agree."""
    found = sites(root)
    paths = {code: root / "records" / OWN_REPO / f"{own_id(code)}.json" for code in found}
    _refuse_difference(paths, (root / "records" / OWN_REPO).glob("*.json"))
    for code, path in sorted(paths.items()):
        document = json.loads(path.read_text("utf-8"))
        record = document["record"]
        record |= mechanical(root, chosen(found[code], record["filePath"]), at)
        path.write_text(written({**document, "datasetVersion": at.time}), "utf-8", newline="\n")
    return len(paths)


def written(document: dict[str, Any]) -> str:
    """A record's file as it lies in the repository."""
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"


def _refuse_difference(paths: dict[str, Path], present: Iterable[Path]) -> None:
    there = set(present)
    faults = [f"{code} has no record; write {path}" for code, path in paths.items() if path not in there]
    faults += [f"{path}: no code reports this error; remove the record" for path in there - set(paths.values())]
    if faults:
        raise click.ClickException("\n".join(sorted(faults)))


def mechanical(root: Path, site: Site, at: Commit) -> dict[str, Any]:
    """The fields of a record that follow from its site and the commit."""
    lines = (root / site.path).read_bytes().decode("utf-8").removesuffix("\n").split("\n")
    start, end = max(1, site.line - AROUND), min(len(lines), site.line + AROUND)
    return {
        "filePath": site.path,
        "lineNumber": site.line,
        "sourceCode": "\n".join(lines[start - 1 : end]),
        "sourceCodeStart": start,
        "sourceCodeEnd": end,
        "githubUrl": f"https://github.com/{OWN_REPO}/blob/{at.sha}/{site.path}#L{start}-L{end}",
        "analyzedSha": at.sha,
        "analyzedAt": at.time,
    }


def chosen(among: list[Site], path: str) -> Site:
    """The first site in the file at `path`; the first of all where that has none."""
    return next((site for site in among if site.path == path), among[0])


def sites(root: Path) -> dict[str, list[Site]]:
    """Where each code is reported in `generator/`, by code; sites by file and line."""
    found: defaultdict[str, set[Site]] = defaultdict(set)
    for path in sorted((root / "generator").rglob("*.py")):
        for code, line in reported(ast.parse(path.read_bytes())):
            found[code].add(Site(path.relative_to(root).as_posix(), line))
    return {code: sorted(among) for code, among in sorted(found.items())}


def reported(module: ast.Module) -> Iterator[tuple[str, int]]:
    """Each code with the line of a call that reports it; a table of rules reports nothing."""
    named = _named(module)
    for call in ast.walk(module):
        if isinstance(call, ast.Call) and not (isinstance(call.func, ast.Name) and call.func.id == "Check"):
            for argument in (*call.args, *(keyword.value for keyword in call.keywords)):
                codes = named.get(argument.id, []) if isinstance(argument, ast.Name) else list(_codes(argument))
                yield from ((code, call.lineno) for code in codes)


def _named(module: ast.Module) -> dict[str, list[str]]:
    """The codes that a name may stand for."""
    named: defaultdict[str, list[str]] = defaultdict(list)
    for node in ast.walk(module):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            named[node.targets[0].id] += _codes(node.value)
    return named


def _codes(expression: ast.expr) -> Iterator[str]:
    """The codes in an expression, but for those that a call within it has."""
    if isinstance(expression, ast.Constant) and isinstance(expression.value, str):
        yield from _REPORTED.findall(expression.value)
    elif not isinstance(expression, ast.Call):
        for part in ast.iter_child_nodes(expression):
            yield from _codes(part) if isinstance(part, ast.expr) else ()


def commit(root: Path, name: str) -> Commit:
    """The commit of that name in the checkout at `root`; refused where `generator/` is not as it has it."""
    if name == UNCOMMITTED:
        return Commit(UNCOMMITTED, _rfc_3339(0))
    sha = _git(root, "rev-parse", "--verify", "--quiet", f"{name}^{{commit}}").strip()
    if not _SHA.match(sha):
        raise click.ClickException(f"{name}: no commit of this checkout; commit first, or give --commit")
    changed = _git(root, "diff", "--name-only", sha, "--", "generator")
    changed += _git(root, "ls-files", "--others", "--exclude-standard", "--", "generator")
    if changed:
        raise click.ClickException(f"not as commit {sha[:10]} has it: {', '.join(changed.split())}; commit it first")
    return Commit(sha, _rfc_3339(int(_git(root, "show", "--no-patch", "--format=%ct", sha))))


def _git(root: Path, *arguments: str) -> str:
    """What git prints; nothing where it fails."""
    program = shutil.which("git")
    if program is None:
        raise click.ClickException("git is not installed; install it")
    return subprocess.run(  # noqa: S603 - the arguments are this module's, and a commit that git itself reads
        [program, "-C", str(root), *arguments], capture_output=True, text=True, check=False
    ).stdout


def _rfc_3339(seconds: int) -> str:
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%dT%H:%M:%SZ}"


if __name__ == "__main__":
    main()
