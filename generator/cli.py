"""The command `errordex`: the only printer."""

import atexit
import gc
import json
import logging
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click

from generator import (
    __version__,
    authoring_command,
    dataset,
    kit_command,
    ledger_command,
    lookup_command,
    options,
    own,
    triage_command,
)
from generator.problems import ErrordexError, Problem, address, report

GITHUB_PAGES_BYTES = 1_000_000_000
CLOUDFLARE_FILES = 20_000
USAGE, MACHINE = 2, 3


class Failure(click.ClickException):
    """A deliberate error: its report on stderr, and its exit status; never a traceback."""

    def __init__(self, error: ErrordexError) -> None:
        super().__init__(str(error))
        self.exit_code = error.exit_status  # type: ignore[misc]

    def show(self, file: Any = None) -> None:
        """Print the report as it is."""
        click.echo(self.message, file=file, err=True)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="errordex")
def main() -> None:
    """Software errors as JSON records in, a static reference site out.

    Exit status: 0 fine, 1 the records have problems, 2 wrong usage, 3 the machine refuses.
    """


for command in (
    authoring_command.draft_command,
    authoring_command.drift_command,
    ledger_command.command,
    lookup_command.lookup,
    kit_command.kit,
    triage_command.triage,
):
    main.add_command(command)


@main.command()
@click.option(
    "--config-file",
    "-f",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    default="mkdocs.yml",
    show_default=True,
)
@click.option(
    "--output", "-o", type=click.Path(file_okay=False, path_type=Path), help="Build here instead of site_dir."
)
@click.option("--jobs", "-j", type=click.IntRange(min=1), help="Worker processes; default: one a core.")
@click.option("--executor", type=click.Choice(["local", "dask"]), default="local", help="What runs the workers.")
@click.option("--scheduler", metavar="ADDRESS", help="Of the Dask scheduler, such as tcp://host:8786.")
@click.option("--full", is_flag=True, help="Ignore the cache and make every page again.")
@click.option("--keep-going", is_flag=True, help="Leave faulty records out and publish the rest; still exits 1.")
@click.option("--allow-delete", is_flag=True, help="Publish even if more than a fifth of the pages would go.")
@click.option("--strict", is_flag=True, help="Fail on warnings.")
@click.option("--quiet", "-q", is_flag=True, help="Print errors alone.")
@click.option("--verbose", "-v", is_flag=True, help="Print what MkDocs does.")
def build(config_file: Path, output: Path | None, quiet: bool, verbose: bool, **options: Any) -> None:
    """Build the site."""
    from generator import builds

    _log_to_stderr(quiet, verbose)
    atexit.register(gc.freeze)  # at the end nothing is to be searched for cycles, a twentieth of a rebuild
    started = time.monotonic()
    shown = _progress if sys.stderr.isatty() and not quiet else None
    try:
        built = builds.build(config_file, output, progress=shown, **options)
    except ErrordexError as error:
        raise Failure(error) from None
    if not quiet:
        for line in _outcome(built, time.monotonic() - started):
            click.echo(line)
    if built.problems:
        click.echo(report(built.problems), err=True)
        sys.exit(1)


def _progress(what: str, done: int, total: int) -> None:
    """A bar on the terminal's last line, wiped when it is full."""
    width = 30
    full = width * done // max(total, 1)
    bar = f"\r{what} [{'#' * full}{'.' * (width - full)}] {done:,}/{total:,}"
    click.echo(bar if done < total else f"\r{' ' * len(bar)}\r", nl=False, err=True)


def _outcome(built: Any, seconds: float) -> Iterable[str]:
    done = built.outcome
    if built.reason:
        yield f"Made everything: {built.reason}."
    yield (
        f"{done.pages:,} pages, {done.files:,} files, {done.size / 1e6:,.1f} MB in {seconds:.1f} s: "
        f"{done.made:,} pages made, {done.changed:,} files changed, {done.deleted:,} deleted."
    )
    yield f"Site: {built.site}"
    yield from _hosts(done.files, done.size)


def _hosts(files: int, size: int) -> Iterable[str]:
    """Whether the site fits the limits of the usual hosts, and what would make it fit."""
    if size > GITHUB_PAGES_BYTES:
        yield "Too large for GitHub Pages (1 GB): leave copies out with the setting outputs: [permalinks]."
    if files > CLOUDFLARE_FILES:
        yield "Too many files for Cloudflare Pages (20,000): leave copies out with the setting outputs: [permalinks]."
    if size <= GITHUB_PAGES_BYTES and files <= CLOUDFLARE_FILES:
        yield "Fits GitHub Pages (1 GB) and Cloudflare Pages (20,000 files)."


def _log_to_stderr(quiet: bool, verbose: bool) -> None:
    """MkDocs' own messages: warnings, or with --verbose what it does."""
    level = logging.ERROR if quiet else logging.INFO if verbose else logging.WARNING
    logger = logging.getLogger("mkdocs")
    logger.setLevel(min(level, logging.WARNING))  # --strict counts warnings that --quiet does not show
    handler = logging.StreamHandler(sys.stderr)
    handler.setLevel(level)
    handler.setFormatter(logging.Formatter("%(levelname)s: %(message)s"))
    logger.addHandler(handler)


@main.command()
@click.option(
    "--config-file",
    "-f",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    default="mkdocs.yml",
    show_default=True,
)
@click.option("--address", "-a", default="127.0.0.1:8000", show_default=True, metavar="HOST:PORT")
def serve(config_file: Path, address: str) -> None:
    """Build the site, show it, and build again when something changes."""
    from generator import builds

    _log_to_stderr(quiet=False, verbose=True)
    try:
        builds.serve(config_file, address)
    except ErrordexError as error:
        raise Failure(error) from None


@main.command()
@click.argument("root", type=click.Path(exists=True, path_type=Path), default="records")
@click.option("--format", "form", type=click.Choice(["text", "json", "github"]), default="text", show_default=True)
@click.option("--against", metavar="LEDGER|SITE", help="Also compare with a ledger, or a site's folder or address.")
@click.option(
    "--ledger", "listed", type=click.Path(dir_okay=False, path_type=Path), help="The ledger; default: beside ROOT."
)
def check(root: Path, form: str, against: str | None, listed: Path | None) -> None:
    """Report every problem of the records under ROOT, and of the ledger beside them; exit 1 if there is one.

    With --against, it is a problem too if a published address would be lost, and if a record of a site changed
    while its time did not.
    """
    path = listed or ledger_command.beside(root)
    found, problems = dataset.load(root, docs=path.with_name("docs"))
    if path.is_file() or against:
        problems = tuple(sorted({*problems, *_of_ledger(path, found, against)}))
    if form == "json":
        click.echo(json.dumps([_as_json(problem) for problem in problems], ensure_ascii=False, indent=2))
    elif form == "github":
        for problem in problems:
            click.echo(_annotation(problem))
    elif problems:
        click.echo(report(problems), err=True)
    else:
        drafts = f", {len(found.drafts):,} drafts" if found.drafts else ""
        click.echo(f"{len(found.entries):,} records{drafts}, no problems")
        if not path.exists() and path.with_name("mkdocs.yml").is_file():
            click.echo("No ledger yet: once pages are public, errordex ledger --write keeps their links from dying.")
    if problems:
        sys.exit(1)


def _of_ledger(path: Path, found: dataset.Dataset, against: str | None) -> list[Problem]:
    try:
        now = ledger_command.present(path, found)
        return [*ledger_command.problems(now), *(ledger_command.against(against, now) if against else ())]
    except ErrordexError as error:
        raise Failure(error) from None


def _as_json(problem: Problem) -> dict[str, object]:
    return {
        "file": problem.where,
        "line": problem.line or None,
        "id": problem.record or None,
        "field": problem.field or None,
        "code": problem.code,
        "message": problem.text,
        "url": address(problem.code),
    }


def _annotation(problem: Problem) -> str:
    """A workflow command that GitHub shows in a pull request, its data escaped as GitHub asks."""
    place = f"file={_property(problem.where)},line={problem.line or 1},title={problem.code}"
    text = f"{problem.text} ({address(problem.code)})"
    return f"::error {place}::{_data(text)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


@main.command()
@click.argument("where", metavar="SITE")
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
def sync(where: str, folder: Path) -> None:
    """Make FOLDER a copy of the records of SITE, a folder or an address; only what changed is fetched."""
    from generator import client, copies

    try:
        done = copies.sync(client.open_mirror(where), folder)
    except ErrordexError as error:
        raise Failure(error) from None
    click.echo(
        f"{done.total:,} records: {len(done.added):,} added, {len(done.changed):,} changed, "
        f"{len(done.removed):,} removed"
    )


@main.command()
@click.argument("key", metavar="ID|CODE|SLUG")
@click.option(
    "--records",
    "root",
    type=click.Path(exists=True, path_type=Path),
    help="Look here as well; default: records/ if it exists.",
)
@click.option("--site", metavar="DIR|ADDRESS", help="Look in a built site instead, by id or slug.")
def explain(key: str, root: Path | None, site: str | None) -> None:
    """Print the page of an error in the terminal; codes such as EDX014 are Errordex's own."""
    options.refuse_both(root, site)
    folders = [own.folder(), *([root] if root else [Path("records")] if Path("records").is_dir() else [])]
    try:
        page = _from_site(site, key) if site else own.explain(key, folders)
    except ErrordexError as error:
        raise Failure(error) from None
    if page is None:
        where = "--records DIR or --site"
        raise click.UsageError(f"{key}: no record has this id, code or slug; give one of them, or {where}")
    click.echo_via_pager(page) if sys.stdout.isatty() else click.echo(page)


def _from_site(site: str, key: str) -> str | None:
    from generator import client

    return own.explain_from(client.open_mirror(site), key)


@main.command()
@click.argument("repo")
@click.argument("message")
@click.option("--root", type=click.Path(file_okay=False, path_type=Path), default="records", show_default=True)
def new(repo: str, message: str, root: Path) -> None:
    """Write a skeleton record of REPO (owner/name) for MESSAGE; it passes `check`, and says what to fill in."""
    from generator import skeleton

    try:
        path = skeleton.create(repo, message, root)
    except ErrordexError as error:
        raise Failure(error) from None
    click.echo(path)
