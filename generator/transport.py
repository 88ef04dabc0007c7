"""Fetches a mirror's files, from a folder or over HTTP: with limits, and never from elsewhere.

Every address is checked before it is followed: it comes from the mirror, and a mirror may be hostile.
"""

import http.client
import re
import time
import urllib.error
import urllib.request
import zlib
from collections.abc import Callable
from email.message import Message
from http.client import HTTPMessage
from pathlib import Path
from typing import IO, Protocol
from urllib.parse import urlsplit

from generator import __version__
from generator.problems import ErrordexError

TRIES = 4
TIMEOUT = 30.0
"""Seconds that a connection may be silent."""

DEADLINE = 600.0
"""Seconds that one file may take in all."""

LONGEST_WAIT = 30.0
_CHUNK = 1 << 16
_AGAIN = {429, 500, 502, 503, 504}
_URI = re.compile(r"[A-Za-z0-9._~-]+(?:/[A-Za-z0-9._~-]+)*\Z")


class MirrorError(ErrordexError):
    """A mirror cannot be read, or what it answers does not hold."""


class MissingError(MirrorError):
    """The mirror has no such file."""


class Transport(Protocol):
    """Where a mirror's files come from."""

    def fetch(self, uri: str, limit: int) -> bytes:
        """The file at `uri`, relative to the site's root, of `limit` bytes at most.

        Raises `MissingError` where there is none, `MirrorError` where it cannot be had.
        """


def safe(uri: str) -> str:
    """`uri` if it is an address below the root; else `MirrorError`."""
    if not _URI.match(uri) or {".", ".."} & set(uri.split("/")):
        raise MirrorError(f"{uri!a}: no address within the mirror; the mirror is faulty or hostile [EDX061]")
    return uri


class Folder:
    """A built site on disk; links that leave it are not followed."""

    def __init__(self, root: Path) -> None:
        self._root = root.resolve()

    def fetch(self, uri: str, limit: int) -> bytes:
        """The file at `uri`; see `Transport`."""
        path = (self._root / safe(uri)).resolve()
        if not path.is_relative_to(self._root):
            raise MirrorError(f"{uri}: a link out of the mirror; copy the file itself there [EDX061]")
        try:
            with path.open("rb") as stream:
                content = stream.read(limit + 1)
        except (FileNotFoundError, IsADirectoryError, NotADirectoryError):
            raise MissingError(f"{path}: no such file; build the site, or give another folder [EDX060]") from None
        except OSError as error:
            raise MirrorError(f"{path}: {error.strerror or error}; mend it and try again [EDX060]") from error
        return _bounded(content, uri, limit)


class Web:
    """A site by its address, `http` or `https`.

    Tries again, more slowly each time, after a broken connection and the answers that ask for it.
    """

    def __init__(
        self, base: str, *, timeout: float = TIMEOUT, tries: int = TRIES, sleep: Callable[[float], object] = time.sleep
    ) -> None:
        parts = urlsplit(base)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
            raise MirrorError(f"{base!a}: no http or https address; give the site's root [EDX060]")
        self._base = f"{base.rstrip('/')}/"
        self._timeout, self._tries, self._sleep = timeout, tries, sleep
        self._opener = urllib.request.OpenerDirector()
        for handler in (
            urllib.request.ProxyHandler(),
            urllib.request.HTTPHandler(),
            urllib.request.HTTPSHandler(),
            urllib.request.HTTPDefaultErrorHandler(),
            urllib.request.HTTPErrorProcessor(),
            _Redirects(),
        ):
            self._opener.add_handler(handler)

    def fetch(self, uri: str, limit: int) -> bytes:
        """The file at `uri`; see `Transport`."""
        address = f"{self._base}{safe(uri)}"
        for attempt in range(1, self._tries + 1):
            try:
                return self._once(address, limit)
            except urllib.error.HTTPError as error:
                with error:
                    if error.code in (404, 410):
                        raise MissingError(f"{address}: there is no such file ({error.code}) [EDX060]") from None
                    if error.code not in _AGAIN or attempt == self._tries:
                        raise MirrorError(f"{address}: the host answers {error.code}; try later [EDX060]") from None
                    wait = _retry_after(error.headers)
            except (OSError, http.client.HTTPException) as error:
                if attempt == self._tries:
                    reason = getattr(error, "reason", None) or error
                    raise MirrorError(f"{address}: {reason}; check the address and the network [EDX060]") from error
                wait = 0.0
            self._sleep(max(wait, 0.5 * 2 ** (attempt - 1)))
        raise AssertionError("unreachable")

    def _once(self, address: str, limit: int) -> bytes:
        packed = address.endswith(".gz")
        headers = {"User-Agent": f"errordex/{__version__}", "Accept-Encoding": "identity" if packed else "gzip"}
        request = urllib.request.Request(address, headers=headers)  # noqa: S310 - the opener knows http and https alone
        response = self._opener.open(request, timeout=self._timeout)
        if response is None:
            raise MirrorError(f"{address}: the host leads elsewhere than to http or https [EDX061]")
        with response:
            content = _read(response, address, limit)
            if not packed and response.headers.get("Content-Encoding") == "gzip":
                content = _unpack(content, address, limit)
        return content


class _Redirects(urllib.request.HTTPRedirectHandler):
    """Follows redirects to http and https alone, and never from https to http."""

    def redirect_request(
        self, req: urllib.request.Request, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage, newurl: str
    ) -> urllib.request.Request | None:
        """The request of the address that the host leads to."""
        allowed = {"https"} if urlsplit(req.full_url).scheme == "https" else {"http", "https"}
        if urlsplit(newurl).scheme not in allowed:
            raise MirrorError(f"{req.full_url}: leads to {newurl!a}, which is not followed [EDX061]")
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def _read(response: http.client.HTTPResponse, address: str, limit: int) -> bytes:
    started = time.monotonic()
    pieces: list[bytes] = []
    size = 0
    while piece := response.read(_CHUNK):
        pieces.append(piece)
        size += len(piece)
        if size > limit:
            break
        if time.monotonic() - started > DEADLINE:
            raise MirrorError(f"{address}: not done after {DEADLINE:.0f} s; try later [EDX060]")
    length = response.headers.get("Content-Length", "")
    if size <= limit and length.isdecimal() and int(length) != size:
        raise http.client.IncompleteRead(b"", int(length) - size)
    return _bounded(b"".join(pieces), address, limit)


def _unpack(content: bytes, address: str, limit: int) -> bytes:
    inflate = zlib.decompressobj(16 + zlib.MAX_WBITS)
    try:
        return _bounded(inflate.decompress(content, limit + 1), address, limit)
    except zlib.error as error:
        raise MirrorError(f"{address}: not gzip as the host says ({error}); try later [EDX061]") from None


def _bounded(content: bytes, where: str, limit: int) -> bytes:
    if len(content) > limit:
        raise MirrorError(f"{where}: more than {limit:,} bytes; the mirror is faulty or hostile [EDX061]")
    return content


def _retry_after(headers: Message) -> float:
    value = headers.get("Retry-After", "")
    return min(float(value), LONGEST_WAIT) if value.isdecimal() else 0.0
