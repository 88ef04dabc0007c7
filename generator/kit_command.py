"""The command `errordex kit`: writes a maintainer's files into a project, and never over a file of its own accord."""

import difflib
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import click

from generator import checks, dataset, escape, options, publish
from generator import kit as kits
from generator.files import File
from generator.kit import Project
from generator.problems import ErrordexError, UsageError
from generator.records import Record

MKDOCS = Path("mkdocs.yml")

_ADDRESS = re.compile(r"https?://[A-Za-z0-9.-]+(?::\d+)?(?:/[A-Za-z0-9._~-]+)*/?\Z")


@click.command()
@click.argument("repo", metavar="OWNER/NAME")
@click.option(
    "--output",
    "-o",
    required=True,
    type=click.Path(file_okay=False, path_type=Path),
    help="The project's checkout, or another folder.",
)
@options.records_folder("The records; `errordex sync` fetches those of a site.")
@click.option("--site", metavar="ADDRESS", help="The site that explains the errors; default: site_url of mkdocs.yml.")
@click.option("--force", is_flag=True, help="Write over files that are there already.")
def kit(repo: str, output: Path, root: Path, site: str | None, force: bool) -> None:
    """Write what a project needs so that its users look an error up before they report it.

    An issue form, a link above the list of forms, labels, a problem matcher, a badge, a text for the README, a
    workflow that looks new issues up, and a template for GitLab. A file that is there already and differs is
    shown as a difference and left alone; then the exit status is 2.
    """
    try:
        project = Project(checks.asked_repo(repo), site_of(site))
        write(output, list(kits.files(project, records_of(project.repo, root))), force=force)
    except ErrordexError as error:
        click.echo(str(error), err=True)
        sys.exit(error.exit_status)


def site_of(site: str | None) -> str:
    """The site's address with its final slash; that of the settings where none is given."""
    from generator import builds

    address = site or (builds.site_url(MKDOCS) if MKDOCS.is_file() else "")
    if not _ADDRESS.match(address):
        raise UsageError(
            f"{checks.shown(address)} is no address of a site; give its root with --site, or site_url in mkdocs.yml "
            "[EDX071]"
        )
    return f"{address.rstrip('/')}/"


def records_of(repo: str, root: Path) -> list[Record]:
    """The records of a repository under `root`, of which there must be one."""
    found, _ = dataset.load(root)
    records = [found.record(entry) for entry in found.entries if entry.repo.casefold() == repo.casefold()]
    if not records:
        raise UsageError(
            f"{escape.line(str(root))}: no record of {repo}; give the folder that has them with --records, "
            "or write one with errordex new [EDX070]"
        )
    return records


def write(output: Path, made: Iterable[File], *, force: bool) -> None:
    """Write files below `output`; those that are there and differ are left alone unless forced, and then refused."""
    with publish.machine_errors():
        kept = [file.path for file in made if not _written(output, file, force=force)]
    if kept:
        raise UsageError(
            f"{escape.line(str(output))}: there already, and not as the kit has it: {', '.join(kept)}; "
            "merge what is shown above, or give --force [EDX072]"
        )


def _written(root: Path, file: File, *, force: bool) -> bool:
    """Write a file unless another is there; whether it now is as it should be."""
    path = root / file.path
    before = path.read_bytes() if path.exists() else None
    if before == file.content:
        click.echo(f"as it is   {file.path}")
        return True
    if before is not None:
        click.echo("".join(_difference(before, file)), nl=False)
    if before is not None and not force:
        click.echo(f"left alone {file.path}")
        return False
    publish.write(root, file)
    click.echo(f"written    {file.path}")
    return True


def _difference(before: bytes, file: File) -> Iterator[str]:
    """The lines of a unified diff, fit for a terminal."""
    old, new = before.decode("utf-8", "replace").splitlines(), file.content.decode().splitlines()
    for line in difflib.unified_diff(old, new, file.path, file.path, lineterm=""):
        yield f"{escape.visible(line)}\n"
