"""The command `errordex triage`: from a file with an issue's event to the comment that the workflow posts."""

import sys
from pathlib import Path

import click

from generator import library, options, publish
from generator import triage as triaging
from generator.problems import ErrordexError, MachineError


@click.command()
@click.option(
    "--event",
    required=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="The event's JSON, as GITHUB_EVENT_PATH names it.",
)
@options.asked_records
@options.asked_site
def triage(event: Path, records: Path | None, site: str | None) -> None:
    """Print the comment on a reported issue as Markdown, or nothing where no record explains it for certain.

    It posts nothing. Issues and edits by bots, and pull requests, get no comment.
    """
    options.refuse_both(records, site)
    try:
        with publish.machine_errors(), event.open("rb") as stream:
            content = stream.read(triaging.MOST_EVENT + 1)
        text = triaging.text_of(content, str(event))
        said = triaging.comment(text, library.chosen(records, site)) if text else ""
    except ErrordexError as error:
        click.echo(str(error), err=True)
        sys.exit(error.exit_status if error.exit_status > 1 else MachineError.exit_status)
    click.echo(said, nl=False)
