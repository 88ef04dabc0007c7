"""The command `ledger`, and what `check` asks of the ledger and of what is published."""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import click

from generator import changes, client, dataset, ledger, permalinks, publish
from generator.client import Mirror
from generator.dataset import Dataset
from generator.ledger import Ledger
from generator.permalinks import Kept
from generator.problems import MachineError, Problem, report


@dataclass(frozen=True, slots=True)
class Present:
    """A ledger with its faults, what the site of some records has, and what it keeps alive."""

    where: str
    listed: Ledger
    faults: tuple[Problem, ...]
    found: Dataset
    site: Ledger
    kept: Kept


def beside(root: Path) -> Path:
    """Where the ledger of the records under `root` lies: beside them, at the project's top level."""
    return (root if root.name not in ("", "..") else root.resolve()).parent / ledger.NAME


def present(path: Path, found: Dataset) -> Present:
    """The ledger at `path`, if there is one, beside what the site has."""
    listed, faults = _read(path)
    hubs, indexes = permalinks.lists(found, listed)
    site = ledger.of_site(found, hubs, indexes)
    return Present(str(path), listed, tuple(faults), found, site, permalinks.kept(found, hubs, indexes, listed))


def problems(now: Present) -> Iterator[Problem]:
    """What is wrong with a ledger, and with records by what it lists; nothing where there is none."""
    if not Path(now.where).is_file():
        return
    yield from now.faults
    yield from ledger.conflicts(now.listed, now.found)
    yield from ledger.incomplete(ledger.lacking(now.listed, now.site), now.where)


def against(where: str, now: Present) -> Iterator[Problem]:
    """What would be lost of `where`, a ledger, a site's folder or its address; of a site also silent changes."""
    if Path(where).is_file():
        published, faults = _read(Path(where))
    else:
        mirror = client.open_mirror(where)
        published, faults = _published(mirror, where)
        yield from changes.unstamped(
            mirror.changes(),
            now.found.entries,
            before=lambda ids: ((one, mirror.form(one)) for one in ids),
            now=lambda entry: dataset.read(entry).form,
        )
    yield from faults
    yield from permalinks.lost(published, where, now.found, now.site, now.kept)


def _read(path: Path) -> tuple[Ledger, list[Problem]]:
    with publish.machine_errors():
        return ledger.read(path)


def _published(mirror: Mirror, where: str) -> tuple[Ledger, list[Problem]]:
    """The pages of a published site, as a ledger would list them."""
    lines = [f"{row.url}\t{row.id}" for row in mirror.rows()]
    lines += [f"{uri}\t{ledger.LIST}" for uri in mirror.pages() if ledger.is_list(uri)]
    return ledger.parse("\n".join(lines).encode("utf-8", "replace"), where)


@click.command("ledger")
@click.argument("root", metavar="RECORDS", type=click.Path(exists=True, path_type=Path), default="records")
@click.option("--write", is_flag=True, help="Add them, and commit the file.")
@click.option(
    "--ledger", "path", type=click.Path(dir_okay=False, path_type=Path), help="The file; default: beside RECORDS."
)
def command(root: Path, write: bool, path: Path | None) -> None:
    """Show the pages of the records under RECORDS that ledger.tsv lacks; with --write, enter them.

    The ledger lists every page that was ever published, so that none is lost. Nothing is entered while a record
    has a problem, or takes the page or the id of another.
    """
    try:
        _command(root, path or beside(root), write)
    except MachineError as error:
        click.echo(str(error), err=True)
        sys.exit(error.exit_status)


def _command(root: Path, path: Path, write: bool) -> None:
    found, faulty = dataset.load(root)
    now = present(path, found)
    wrong = sorted({*faulty, *now.faults, *ledger.conflicts(now.listed, found)})
    if wrong:
        click.echo(report(wrong), err=True)
        sys.exit(1)
    lines = ledger.lacking(now.listed, now.site)
    if write:
        with publish.machine_errors():
            publish.write_cache(path, ledger.written(now.listed | now.site))
        click.echo(f"{now.where}: {_pages(len(lines))} added")
    elif lines:
        click.echo("\n".join(lines))
        click.echo(f"{now.where} lacks {_pages(len(lines))}; errordex ledger --write adds them", err=True)
    else:
        click.echo(f"{now.where}: has every page of the site")


def _pages(count: int) -> str:
    return f"{count:,} page" if count == 1 else f"{count:,} pages"
