"""Options that several commands share, and what they mean together."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


def records_folder(said: str) -> Decorator:
    """`--records DIR`, given as `root`: the folder of records, by default that of the project."""
    kind = click.Path(exists=True, path_type=Path)
    return click.option("--records", "root", type=kind, default="records", show_default=True, help=said)


asked_records: Decorator = click.option(
    "--records",
    type=click.Path(exists=True, path_type=Path),
    help="Ask these records; default: records/ if it exists, else Errordex's own.",
)
asked_site: Decorator = click.option(
    "--site", metavar="DIR|ADDRESS", help="Ask a built site, in a folder or by its address."
)


def refuse_both(records: Path | None, site: str | None) -> None:
    """Raise click's `UsageError` where records and a site are given, of which one is asked."""
    if records and site:
        raise click.UsageError("--records and --site exclude each other; give one of them")
