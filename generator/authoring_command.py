"""The commands `errordex draft` and `errordex drift`: records from a checkout's source, and beside it."""

import json
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from generator import checkout, dataset, draft, drift, options, times
from generator.checks import asked_repo, is_commit, shown
from generator.dataset import Entry
from generator.drift import Drift
from generator.pairing import STATES
from generator.problems import ErrordexError, InvalidRecords, Problem, UsageError, report
from generator.publish import machine_errors, write_cache
from generator.records import Record

_SHOWN = 10
"""Raises passed over that are listed unless all are asked for."""

_SOURCE = click.argument("path", type=click.Path(exists=True, file_okay=False, path_type=Path))
_PREFIX = click.option(
    "--prefix", default="", metavar="DIR", help="Where PATH lies in the repository, if not its root."
)
_EXCLUDE = click.option("--exclude", multiple=True, metavar="GLOB", help="Leave out these paths of the repository.")
_TIME = click.option("--time", "stamp", metavar="RFC3339", help="The time to write; default: now.")


@click.command("draft")
@_SOURCE
@click.option("--repo", required=True, metavar="OWNER/NAME", help="The repository, as GitHub spells it.")
@click.option("--commit", "sha", required=True, metavar="SHA", help="The commit that PATH has, all 40 digits.")
@click.option(
    "--output",
    "-o",
    "root",
    type=click.Path(file_okay=False, path_type=Path),
    default="records",
    show_default=True,
    help="The folder of records.",
)
@_PREFIX
@_EXCLUDE
@_TIME
@click.option("--verbose", "-v", is_flag=True, help="Name every raise that is passed over.")
def draft_command(
    path: Path, repo: str, sha: str, root: Path, prefix: str, exclude: Sequence[str], stamp: str | None, verbose: bool
) -> None:
    """Write a draft of a record for each raise site under PATH that has none.

    The source is parsed, never run. A draft's prose is empty; it is checked, and not published until its field
    "draft" is taken out. Doing it again writes only what is new, and no file twice.

    Exit status: 0 done, 1 the records have problems, 2 wrong usage, 3 the machine refuses.
    """
    try:
        at = draft.At(asked_repo(repo), _commit(sha), _time(stamp))
        records = [record for _, record in _records(root)] if root.exists() else []
        found = _checkout(path, prefix, exclude, ())
        done = draft.drafts(found, at, records, {there.stem for there in (root / repo).glob("*.json")})
        for file in done.files:
            _write(root / file.path, file.content)
    except ErrordexError as error:
        _fail(error)
    _say_skipped(found.skipped)
    listed = done.passed if verbose else done.passed[:_SHOWN]
    for one in listed:
        click.echo(f"{one.path}:{one.line}: passed over: {one.reason}", err=True)
    if len(listed) < len(done.passed):
        click.echo(f"… and {len(done.passed) - len(listed):,} more; --verbose names them", err=True)
    click.echo(
        f"{len(done.files):,} drafts written to {root / at.repo}; {done.known:,} sites have records, "
        f"{len(done.passed):,} raises passed over, {len(found.skipped):,} files not read"
    )
    if done.reworded:
        click.echo(f"{done.reworded:,} records' messages are reworded: errordex drift names them")


@click.command("drift")
@_SOURCE
@click.option("--repo", metavar="OWNER/NAME", help="The records of this repository; default: the only one there is.")
@click.option("--commit", "sha", metavar="SHA", help="The commit that PATH has, all 40 digits; --write needs it.")
@options.records_folder("The folder of records.")
@click.option("--write", is_flag=True, help="Update place, excerpt, link and commit of the records still raised.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@_PREFIX
@_EXCLUDE
@_TIME
def drift_command(
    path: Path,
    repo: str | None,
    sha: str | None,
    root: Path,
    write: bool,
    form: str,
    prefix: str,
    exclude: Sequence[str],
    stamp: str | None,
) -> None:
    """Compare the records with the newer source under PATH: still there, moved, reworded, gone.

    Exit status: 0 every raise is where its record says (with --write: or is now), 1 some are not, or the records have
    problems, 2 wrong usage, 3 the machine refuses.
    """
    try:
        if write and sha is None:
            raise UsageError("--commit is not given; give all 40 digits of the commit that is compared [EDX075]")
        commit, time = _commit(sha) if sha else "", _time(stamp)
        everything = _records(root)
        known = _of(everything, repo, root)
        found = _checkout(path, prefix, exclude, {record.file_path for _, record in known})
        drifts = list(drift.compare([record for _, record in known], found, commit))
        entries = {entry.id: entry for entry, _ in known}
        written = {one.record.id for one in drifts if write and _updated(entries[one.record.id], one, commit, time)}
    except ErrordexError as error:
        _fail(error)
    _say_skipped(found.skipped)
    if form == "json":
        click.echo(json.dumps(_as_json(drifts, entries, written, commit), ensure_ascii=False, indent=2))
    else:
        for line in _lines(drifts, written):
            click.echo(line)
    done = [one.state == "there" or one.record.id in written for one in drifts]
    sys.exit(0 if all(done) else 1)


# What was given


def _commit(sha: str) -> str:
    if not is_commit(sha):
        raise UsageError(f"--commit is {shown(sha)}; give all 40 digits of the commit that is compared [EDX075]")
    return sha


def _time(stamp: str | None) -> str:
    if stamp is None:
        return f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}"
    if times.normal(stamp) is None:
        raise UsageError(f'--time is {shown(stamp)}, no RFC 3339 time; write it as "2026-08-28T05:10:05Z" [EDX020]')
    return stamp


def _records(root: Path) -> list[tuple[Entry, Record]]:
    """Every record, published or draft; a folder without one is fine, one with problems is not."""
    found, problems = dataset.load(root)
    if faults := [problem for problem in problems if problem.code != "EDX041"]:
        raise InvalidRecords(faults)
    return [(entry, found.record(entry)) for entry in (*found.entries, *found.drafts)]


def _of(records: list[tuple[Entry, Record]], repo: str | None, root: Path) -> list[tuple[Entry, Record]]:
    """The records of the repository, or of the only one."""
    repos = sorted({entry.repo for entry, _ in records})
    if repo is None and len(repos) > 1:
        raise UsageError(f"the records are of {len(repos):,} repositories; give one of them by --repo [EDX076]")
    chosen = asked_repo(repo).casefold() if repo else "".join(repos).casefold()
    of_it = [pair for pair in records if pair[0].repo.casefold() == chosen]
    if not of_it:
        raise ErrordexError(f"{root}: holds no record of {repo or 'any repository'}; draft some first [EDX078]")
    return of_it


def _checkout(path: Path, prefix: str, exclude: Sequence[str], also: Iterable[str]) -> checkout.Checkout:
    return checkout.read(path, prefix=prefix, also=frozenset(also), exclude=exclude)


# What is written


def _updated(entry: Entry, one: Drift, sha: str, time: str) -> bool:
    """Update the record's file; whether it now says what the source does."""
    if one.state not in ("there", "moved"):
        return False
    path = Path(entry.source.path)
    if not one.fields:
        return True
    if path.suffix != ".json":
        return False
    _write(path, drift.rewritten(path.read_bytes(), one, sha, time))
    return True


def _write(path: Path, content: bytes) -> None:
    with machine_errors():
        path.parent.mkdir(parents=True, exist_ok=True)
        write_cache(path, content)


# What is printed


def _fail(error: ErrordexError) -> None:
    click.echo(str(error), err=True)
    sys.exit(error.exit_status)


def _say_skipped(skipped: Sequence[Problem]) -> None:
    if skipped:
        click.echo(report(skipped), err=True)


def _lines(drifts: Sequence[Drift], written: set[str]) -> Iterable[str]:
    for one in drifts:
        if one.state != "there":
            yield f"{one.record.file_path}:{one.record.line_number}: {_said(one, written)} (record {one.record.id})"
    counts = Counter(one.state for one in drifts)
    told = ", ".join(f"{counts[state]:,} {_WORDS[state]}" for state in STATES)
    yield f"{len(drifts):,} records: {told}{f'; {len(written):,} up to date' if written else ''}"


_WORDS = {"there": "still there", "moved": "moved", "reworded": "reworded", "gone": "gone", "unsure": "to look at"}


def _said(one: Drift, written: set[str]) -> str:
    record, fate = one.record, one.fate
    match one.state:
        case "moved":
            place = f"line {fate.line}" if fate.path == record.file_path else f"{fate.path}:{fate.line}"
            return f"moved to {place}{', written' if record.id in written else ''}"
        case "reworded" if fate.site is not None:
            before = f"{record.error_class}: {record.error_message}"
            after = f"{fate.site.error_class}: {fate.site.message}"
            return f"reworded at {fate.path}:{fate.line}: {shown(before, 200)} is now {shown(after, 200)}"
        case "unsure" if fate.line:
            return f"no longer raised there, but its words stand at {fate.path}:{fate.line}; look at it"
        case "unsure":
            return "its lines are not there, and no reader of its language can tell more; look at it"
    return "gone"


def _as_json(drifts: Sequence[Drift], entries: dict[str, Entry], written: set[str], sha: str) -> dict[str, Any]:
    counts = Counter(one.state for one in drifts)
    return {
        "commit": sha or None,
        "counts": {state: counts[state] for state in STATES},
        "records": [_row(one, entries[one.record.id].where, one.record.id in written) for one in drifts],
    }


def _row(one: Drift, where: str, written: bool) -> dict[str, Any]:
    record, site = one.record, one.fate.site if one.state == "reworded" else None
    return {
        "id": record.id,
        "state": one.state,
        "file": where,
        "path": record.file_path,
        "line": record.line_number,
        "class": record.error_class,
        "message": record.error_message,
        "newPath": one.fate.path or None,
        "newLine": one.fate.line or None,
        "newClass": site.error_class if site else None,
        "newMessage": site.message if site else None,
        "upToDate": written or (one.state == "there" and not one.fields),
    }
