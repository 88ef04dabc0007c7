"""Spells every address and path of the site: one function each.

A segment holds only ASCII letters, digits, `-`, `_`, `.` and `~`, so that URL and path are one text,
on every file system. What else a text holds is written `~XX`, a byte of its UTF-8 form in hexadecimal.
Two texts that differ by more than the case of ASCII letters never share a segment, not even on a file
system that folds case; those that differ in case alone are refused (repositories, slugs) or share one
hub (classes, tags). Addresses are relative to the site's root, without a leading slash.
"""

import hashlib
import re
from functools import lru_cache

MAX_SEGMENT = 100
"""Bytes of a segment; file systems allow 255, archives and Windows paths fewer in all."""

_PLAIN = re.compile(r"[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*\Z")
_OTHER = re.compile(rb"[^A-Za-z0-9_.-]")
_USUAL = re.compile(rf"(?=[a-z0-9-]{{1,{MAX_SEGMENT}}}\Z)[a-z0-9]+-[a-z0-9]+-")
"""A slug that is its own segment: of three words or more, so no reserved one."""

_RESERVED = re.compile(
    r"(?:page|index\.(?:html|md)|(?:con|prn|aux|nul|conin|conout|clock|com[0-9]|lpt[0-9])(?:\..*)?)\Z", re.IGNORECASE
)


def segment(text: str) -> str:
    """Spell `text` as one path segment; never empty, a device name, hidden or over 100 bytes."""
    if _PLAIN.match(text) and len(text) <= MAX_SEGMENT and not _RESERVED.match(text):
        return text
    spelt = _OTHER.sub(_escape, text.encode("utf-8", "surrogatepass")).decode("ascii")
    if not spelt or spelt[0] == "." or _RESERVED.match(spelt):
        spelt = f"~{ord(spelt[0]):02X}{spelt[1:]}" if spelt else "~"
    if spelt.endswith("."):
        spelt = f"{spelt[:-1]}~2E"
    return _cut(spelt, text)


def _cut(spelt: str, text: str) -> str:
    """`spelt`, or where it is too long its beginning and a digest of `text`."""
    if len(spelt) <= MAX_SEGMENT:
        return spelt
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    return f"{spelt[: MAX_SEGMENT - 18]}~-{digest}"


def _escape(match: re.Match[bytes]) -> bytes:
    return b"~%02X" % match.group()[0]


@lru_cache(maxsize=4_000)
def repository(repo: str) -> str:
    """The hub of a repository: `errors/<owner>/<name>/`."""
    owner, _, name = repo.partition("/")
    return f"errors/{segment(owner)}/{segment(name)}/"


def page(repo: str, slug: str) -> str:
    """A record's page: `errors/<owner>/<name>/<slug>/`; the slug without dots, after which hosts look for a type."""
    if _USUAL.match(slug):  # asked for ten times a record
        return f"{repository(repo)}{slug}/"
    return f"{repository(repo)}{_cut(segment(slug).replace('.', '~2E'), slug)}/"


def permalink(record_id: str) -> str:
    """The address that outlives slugs: `e/<id>/`."""
    return f"e/{record_id}/"


def hub(kind: str, key: str = "") -> str:
    """A hub below `kind` (`classes`, `families`, `tags` …), or with no `key` the list of them."""
    return f"{kind}/{segment(key)}/" if key else f"{kind}/"


def numbered(uri: str, number: int) -> str:
    """Page `number` (1-based) of the hub at `uri`; the first is the hub itself."""
    return uri if number == 1 else f"{uri}page/{number}/"


def mirror(record_id: str) -> str:
    """A record's JSON with its type in its name: `api/errors/<id>.json`."""
    return f"api/errors/{record_id}.json"


def html(uri: str) -> str:
    """The file behind the address of a page."""
    return f"{uri}index.html"


def markdown(uri: str) -> str:
    """The Markdown beside a page."""
    return f"{uri}index.md"


def relative(target: str, base: str) -> str:
    """The way from the page at `base` to `target`, both relative to the root; `./` for the page itself."""
    here = base.split("/")[:-1]
    there = target.split("/")
    shared = 0
    while shared < min(len(here), len(there) - 1) and here[shared] == there[shared]:
        shared += 1
    return "../" * (len(here) - shared) + "/".join(there[shared:]) or "./"
