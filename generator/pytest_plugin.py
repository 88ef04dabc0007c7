"""The pytest plugin: under each failure that a record explains, the address of its page.

Off unless asked for: `pytest -p errordex`, or `addopts = ["-p", "errordex"]`. The ini options
`errordex_site` and `errordex_records` say what is asked; see `library.chosen`.
"""

import traceback
import warnings
from collections.abc import Generator
from pathlib import Path

import pytest

from generator import escape, library
from generator.library import Library
from generator.problems import ErrordexError

MOST_CHARACTERS = 200_000
"""Characters of a traceback that are looked at: the last."""

SITES = 3
"""Pages that are named where several raise sites say the same."""

Pages = pytest.StashKey["_Pages"]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the ini options."""
    parser.addini("errordex_site", "site to look failures up in: a folder, or an address", default="")
    parser.addini("errordex_records", "records to look failures up in: a folder below the root", default="")


def pytest_configure(config: pytest.Config) -> None:
    """Note what is to be asked; it is read when the first test fails."""
    records, site = config.getini("errordex_records"), config.getini("errordex_site")
    if records and site:
        raise pytest.UsageError("errordex_records and errordex_site exclude each other; set one of them")
    if records and not (config.rootpath / records).exists():
        raise pytest.UsageError(f"errordex_records: {records} does not exist; give a folder of records")
    config.stash[Pages] = _Pages(config.rootpath, records, site)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Add the pages' addresses to the report of a failure."""
    report = yield
    if report.failed and call.excinfo is not None:
        said = "".join(traceback.format_exception(call.excinfo.value))[-MOST_CHARACTERS:]
        if pages := item.config.stash[Pages].of(said):
            _add(report, "\n".join(pages))
    return report


def _add(report: pytest.TestReport, pages: str) -> None:
    add = getattr(report.longrepr, "addsection", None)
    if add:
        add("errordex", pages)
    else:
        report.sections.append(("errordex", pages))


class _Pages:
    """The pages of failures; what cannot be read is said once, and fails no test."""

    def __init__(self, root: Path, records: str, site: str) -> None:
        self._root, self._site = root, _placed(root, site)
        self._records = root / records if records else None
        self._library: Library | None = None
        self._silent = False

    def of(self, said: str) -> list[str]:
        """The addresses of the pages of what matches best, if anything does."""
        if self._silent:
            return []
        try:
            return self._of(said)
        except (ErrordexError, OSError) as error:
            self._silent = True
            warnings.warn(pytest.PytestWarning(f"errordex: {error}"), stacklevel=1)
            return []

    def _of(self, said: str) -> list[str]:
        if self._library is None:
            self._library = library.chosen(self._records, self._site, root=self._root)
        found = self._library.find(said, limit=1)
        if not found or found[0].kind != "match":
            return []
        return [escape.line(self._library.address(site)) for site in found[0].sites[:SITES]]


def _placed(root: Path, site: str) -> str | None:
    """A site's folder as seen from the root; an address as it is."""
    return (site if "://" in site else str(root / site)) if site else None
