"""Where a lookup's answers come from: an index, the records behind it, and the addresses of their pages."""

from collections.abc import Callable
from pathlib import Path

from generator import dataset, own, urls
from generator.client import Mirror
from generator.dataset import Dataset
from generator.lookup import Found, Index, Site, find
from generator.lookup.reader import TRIES, fetching
from generator.problems import OWN_REPO, REFERENCE, InvalidRecords, UsageError
from generator.records import Record
from generator.transport import Folder, Transport, Web

RECORDS = Path("records")
LOOKUP_PAGE = "lookup/"


class Library:
    """An index and the records that it leads to."""

    def __init__(
        self,
        index: Index,
        record: Callable[[str], Record],
        address: Callable[[Site], str],
        permalink: Callable[[Site], str],
        lookup_page: str = "",
    ) -> None:
        self.lookup_page = lookup_page
        """The address of the site's page that looks texts up; empty where no site is known."""
        self._index, self._record, self._address, self._permalink = index, record, address, permalink
        self._read: dict[str, Record] = {}

    def find(self, text: str, *, limit: int) -> list[Found]:
        """What `generator.lookup.find` finds; `MachineError` where a file of the index cannot be understood."""
        return find(text, self._index, limit=limit)

    def record(self, site: Site) -> Record:
        """The record of a site; raises as its dataset or its mirror does."""
        if site.id not in self._read:
            self._read[site.id] = self._record(site.id)
        return self._read[site.id]

    def address(self, site: Site) -> str:
        """Where a site's page is, or where none is known, its source."""
        return self._address(site)

    def permalink(self, site: Site) -> str:
        """The address of a site's record that others may keep: its permalink, or where no site is known, its source."""
        return self._permalink(site)


def of_dataset(found: Dataset) -> Library:
    """The library of records that no site is known of; Errordex's own have theirs."""

    def record(record_id: str) -> Record:
        return found.record(found.by_id[record_id])

    def address(site: Site) -> str:
        entry = found.by_id[site.id]
        return f"{REFERENCE}{entry.uri}" if entry.repo == OWN_REPO else record(site.id).github_url

    def permalink(site: Site) -> str:
        entry = found.by_id[site.id]
        return f"{REFERENCE}{urls.permalink(site.id)}" if entry.repo == OWN_REPO else record(site.id).github_url

    own_alone = all(entry.repo == OWN_REPO for entry in found.entries)
    return Library(
        Index.of_dataset(found), record, address, permalink, f"{REFERENCE}{LOOKUP_PAGE}" if own_alone else ""
    )


def of_site(where: str) -> Library:
    """The library of a built site: a folder, whose pages are files, or an address."""
    is_address = "://" in where
    files: Transport = Web(where, tries=TRIES) if is_address else Folder(_folder(where))
    base = where.rstrip("/") if is_address else Path(where).resolve().as_uri()

    def address(site: Site) -> str:
        page = f"errors/{site.page}/"
        return f"{base}/{page if is_address else urls.html(page)}"

    mirror = Mirror(files)

    def permalink(site: Site) -> str:
        published = f"{base}/" if is_address else mirror.version().site
        return f"{published}{urls.permalink(site.id)}" if published else address(site)

    page = f"{base}/{LOOKUP_PAGE}" if is_address else ""
    return Library(Index(fetching(files), where), mirror.record, address, permalink, page)


def _folder(where: str) -> Path:
    if not Path(where).is_dir():
        raise UsageError(f"{where}: there is no such folder; build the site, or give its address [EDX060]")
    return Path(where)


def chosen(records: Path | None, site: str | None, *, root: Path = Path()) -> Library:
    """The library of `site`, else of `records`, else of the folder `records` below `root`, else of Errordex itself.

    Faulty records are left out; `errordex check` names them.
    """
    if site:
        return of_site(site)
    folder = records or (root / RECORDS if (root / RECORDS).is_dir() else own.folder())
    found, problems = dataset.load(folder)
    if not found.entries:
        raise InvalidRecords(problems)
    return of_dataset(found)
