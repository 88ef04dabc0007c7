"""The command `errordex lookup`: reads a paste, asks the records or a site, and says what was found."""

import sys
from collections import deque
from pathlib import Path
from typing import BinaryIO

import click

from generator import answers, library, options, reports
from generator.problems import ErrordexError, MachineError

MOST_BYTES = 10_000_000
"""Bytes of a text that are read: of a longer one the last, since a log ends with what went wrong."""

CHUNK = 1 << 16
UTF16 = (b"\xff\xfe", b"\xfe\xff")


@click.command()
@click.argument("file", type=click.File("rb"), default="-")
@options.asked_records
@options.asked_site
@click.option("--format", "form", type=click.Choice(list(answers.FORMS)), default="text", show_default=True)
@click.option("--open", "opens", is_flag=True, help="Open the page of the best match.")
@click.option("--limit", type=click.IntRange(1, 50), default=3, show_default=True, metavar="N", help="Most answers.")
def lookup(file: BinaryIO, records: Path | None, site: str | None, form: str, opens: bool, limit: int) -> None:
    """Find the pages of the errors in FILE, or in what is piped in: pytest 2>&1 | errordex lookup.

    Exit status: 0 a message matched, 1 none did (similar ones may be shown), 2 wrong usage, 3 the machine refuses.
    """
    options.refuse_both(records, site)
    if file.isatty():
        click.echo("Paste the message, then press Ctrl-D (on Windows Ctrl-Z and Enter).", err=True)
    try:
        text = _read(file)
        asked = library.chosen(records, site)
        given = answers.answers(asked.find(text, limit=limit), asked)
    except ErrordexError as error:
        click.echo(str(error), err=True)
        sys.exit(error.exit_status if error.exit_status > 1 else MachineError.exit_status)
    click.echo(answers.FORMS[form](given))
    if not given and form in ("text", "markdown") and asked.lookup_page:
        click.echo(f"Look again, or report it as missing: {reports.lookup_page(asked.lookup_page, text)}")
    matched = [answer for answer in given if answer.found.kind == "match"]
    if opens and matched:
        click.launch(matched[0].url)
    sys.exit(0 if matched else 1)


def _read(file: BinaryIO) -> str:
    """The text of a stream, or the last `MOST_BYTES` of it."""
    chunks, size, cut = deque[bytes](), 0, False
    try:
        while chunk := file.read(CHUNK):
            chunks.append(chunk)
            size += len(chunk)
            while size - len(chunks[0]) >= MOST_BYTES:
                size, cut = size - len(chunks.popleft()), True
    except OSError as error:
        raise MachineError(f"{file.name}: cannot be read ({error.strerror or error}); give another file") from None
    if cut:
        click.echo(f"The text is long: its last {size // 1_000_000} MB were read.", err=True)
    return decoded(b"".join(chunks))


def decoded(content: bytes) -> str:
    """UTF-8, or UTF-16 where a mark says so, as PowerShell writes; what is neither becomes U+FFFD."""
    return content.decode("utf-16" if content.startswith(UTF16) else "utf-8-sig", "replace")
