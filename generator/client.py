"""Reads a mirror, by its address or in its folder: typed and checked.

    mirror = open_mirror("https://errordex.github.io/errordex/")
    mirror.record("b318b4f842689251").solutions

Members that the API gains are passed over; what this version knows is checked. `copies` keeps a folder
in step with a mirror.
"""

import csv
import hashlib
import html
import io
import re
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

import msgspec

from generator import urls
from generator.api import API_VERSION, Bulk, Change, FamilyList, Index, Part, RepositoryList, Row, Version
from generator.checks import asked_repo, shown
from generator.decode import Decoded, decode
from generator.problems import UsageError
from generator.records import MAX_RECORD_BYTES, Record
from generator.transport import Folder, MirrorError, MissingError, Transport, Web

LIST_BYTES = 64_000_000
"""The largest list that is read; `modified.csv` has 11 MB at 100,000 records."""

RECORD_BYTES = MAX_RECORD_BYTES + 1_024
PART_BYTES, PART_LINES = 25_000_000, 40_000_000
"""The largest bulk file that is read, packed and unpacked."""

_ID = re.compile(r"[0-9a-f]{16}\Z")
_LOCATION = re.compile(r"<loc>([^<]{1,2048})</loc>")
_COLUMNS = ("id", "time", "sha256")
Answer = TypeVar("Answer", bound=msgspec.Struct)


class Mirror:
    """A published mirror. Its methods raise `MirrorError` when it cannot be read or answers wrongly."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def version(self) -> Version:
        """What the mirror is; refuses an API that this client does not know."""
        version = self._answer("api/version.json", Version)
        if version.api_version != API_VERSION:
            has = f"the mirror's API has version {version.api_version}, this client reads {API_VERSION}"
            raise MirrorError(f"{has}; upgrade errordex [EDX062]")
        return version

    def form(self, record_id: str) -> bytes:
        """A record's file as it was published."""
        if not _ID.match(record_id):
            raise UsageError(f"{shown(record_id)} is no id of a record; give its 16 digits [EDX012]")
        return self._transport.fetch(urls.mirror(record_id), RECORD_BYTES)

    def record(self, record_id: str) -> Record:
        """A record; `MissingError` where there is none of that id."""
        return decoded(self.form(record_id), record_id).record

    def rows(self) -> Iterator[Row]:
        """A row of every record, sorted by repository and slug, from the index or the repositories' lists."""
        index = self._answer("api/index.json", Index)
        if index.records is not msgspec.UNSET:
            yield from index.records
            return
        for repository in index.repositories:
            yield from self._pages(repository.url, RepositoryList)

    def repository(self, repo: str) -> Iterator[Row]:
        """The records of a repository, owner/name, sorted by slug."""
        owner_and_name = urls.repository(asked_repo(repo)).removeprefix("errors/").rstrip("/")
        return self._pages(f"api/repos/{owner_and_name}.json", RepositoryList)

    def family(self, tag: str) -> Iterator[Row]:
        """The records of a family, sorted by repository and slug."""
        return self._pages(f"api/{urls.hub('families', tag).rstrip('/')}.json", FamilyList)

    def pages(self) -> Iterator[str]:
        """The addresses in the site's sitemaps, relative to its root; none where the site names none of its own."""
        site = self.version().site or ""
        for uri in self._locations("sitemap.xml", site) if site else ():
            if uri.endswith(".xml"):
                yield from self._locations(uri, site)
            else:
                yield uri

    def _locations(self, uri: str, site: str) -> Iterator[str]:
        try:
            content = self._transport.fetch(uri, LIST_BYTES).decode("utf-8", "replace")
        except MissingError:
            return
        found = (html.unescape(location) for location in _LOCATION.findall(content))
        yield from (address.removeprefix(site) for address in found if address.startswith(site))

    def changes(self) -> list[Change]:
        """Id, time and hash of every record, newest first, from `modified.csv`."""
        content = self._transport.fetch("api/modified.csv", LIST_BYTES)
        try:
            lines = csv.DictReader(io.StringIO(content.decode("ascii"), newline=""), strict=True)
            found = [msgspec.convert({name: line.get(name) for name in _COLUMNS}, Change) for line in lines]
        except (UnicodeDecodeError, csv.Error, msgspec.ValidationError) as error:
            raise MirrorError(
                f"api/modified.csv: not as the API says ({error}); the mirror is faulty [EDX061]"
            ) from None
        if len({change.id for change in found}) < len(found):
            raise MirrorError("api/modified.csv: an id stands twice; the mirror is faulty [EDX061]")
        return found

    def parts(self) -> list[Part]:
        """The bulk files that together have every record once; none where the site has no bulk files."""
        try:
            return self._answer("api/bulk.json", Bulk).parts
        except MissingError:
            return []

    def forms(self, part: Part) -> Iterator[bytes]:
        """The records' files in a bulk file, by id; its hash is checked first."""
        packed = self._transport.fetch(part.url, PART_BYTES)
        if hashlib.sha256(packed).hexdigest() != part.sha256:
            raise stale(part.url, "api/bulk.json")
        return _lines(packed, part.url)

    def records(self) -> Iterator[Record]:
        """Every record, from the bulk files."""
        for part in self.parts():
            for form in self.forms(part):
                yield decoded(form, part.url).record

    def _pages(self, uri: str, kind: type[RepositoryList] | type[FamilyList]) -> Iterator[Row]:
        seen = set[str]()
        following: str | None = uri
        while following is not None:
            if following in seen:
                raise MirrorError(f"{following}: its pages lead in a circle; the mirror is faulty [EDX061]")
            seen.add(following)
            page = self._answer(following, kind)
            yield from page.records
            following = page.next

    def _answer(self, uri: str, kind: type[Answer]) -> Answer:
        try:
            return msgspec.json.decode(self._transport.fetch(uri, LIST_BYTES), type=kind)
        except msgspec.DecodeError as error:
            raise MirrorError(f"{uri}: not as the API says ({error}); is this a mirror of Errordex? [EDX061]") from None


def open_mirror(where: str | Path) -> Mirror:
    """The mirror of a built site: `where` is its folder, or its root's http or https address."""
    if isinstance(where, str) and re.match(r"[A-Za-z][A-Za-z0-9+.-]+://", where):
        return Mirror(Web(where))
    root = Path(where)
    if not root.is_dir():
        raise UsageError(f"{root}: there is no such folder; build the site, or give its address [EDX060]")
    return Mirror(Folder(root))


def decoded(form: bytes, where: str) -> Decoded:
    """A record from its file; `MirrorError` with every fault where it is none."""
    found = decode(form, where)
    if isinstance(found, list):
        raise MirrorError("\n".join(map(str, found)))
    return found


def stale(what: str, listed: str) -> MirrorError:
    """The error for a file whose hash is not the one that the list `listed` names."""
    return MirrorError(f"{what}: its SHA-256 is not the one in {listed}; it may have just changed, try again [EDX061]")


def _lines(packed: bytes, where: str) -> Iterator[bytes]:
    """The lines of a gzip file, unpacked as they are asked for, within limits."""
    inflate = zlib.decompressobj(16 + zlib.MAX_WBITS)
    rest, unpacked = b"", 0
    try:
        while not inflate.eof:
            piece = inflate.decompress(packed, 1 << 18)
            packed = inflate.unconsumed_tail
            unpacked += len(piece)
            *lines, rest = (rest + piece).split(b"\n")
            if not piece and not packed and not inflate.eof:
                raise MirrorError(f"{where}: ends in its middle; try again [EDX061]")
            if len(rest) > RECORD_BYTES or unpacked > PART_LINES:
                raise MirrorError(f"{where}: unpacks to more than it may; the mirror is faulty or hostile [EDX061]")
            yield from lines
    except zlib.error as error:
        raise MirrorError(f"{where}: not gzip ({error}); the mirror is faulty [EDX061]") from None
    if rest or inflate.unused_data:
        raise MirrorError(f"{where}: has something after its last line; the mirror is faulty [EDX061]")
