"""The client against real mirrors: in a folder, and served by nginx or by a server that misbehaves."""

import gzip
import hashlib
import json
import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from generator import copies, dataset, transport
from generator import mirror as lists
from generator.client import Mirror, open_mirror
from generator.copies import sync
from generator.problems import UsageError
from generator.transport import Folder, MirrorError, MissingError, Web
from tests import mirrors

needs_nginx = pytest.mark.skipif(mirrors.nginx() is None, reason="nginx is not installed")


class Counted:
    """A transport that remembers what was fetched."""

    def __init__(self, inner: transport.Transport) -> None:
        self.inner, self.fetched = inner, list[str]()

    def fetch(self, uri: str, limit: int) -> bytes:
        self.fetched.append(uri)
        return self.inner.fetch(uri, limit)


def many(folder: Path, count: int = 40, **fields: Any) -> Path:
    return mirrors.write(folder, *(mirrors.variant(n, repo=f"acme/tool-{n % 3}", **fields) for n in range(count)))


def published(found: dataset.Dataset) -> dict[str, bytes]:
    """What a copy must hold."""
    return {f"{entry.repo}/{entry.id}.json": dataset.read(entry).form for entry in found.entries}


def copied(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.glob("*/*/*")}


def test_a_mirror_in_a_folder_is_read_as_types(tmp_path: Path) -> None:
    mirror = open_mirror(mirrors.export_to(tmp_path / "site", mirrors.seeds()))
    record = mirror.record("b318b4f842689251")
    assert record.repo == "sgl-project/sglang"
    assert mirror.form("b318b4f842689251") == (tmp_path / "site/api/errors/b318b4f842689251").read_bytes()
    assert mirror.version().counts.records == 5
    assert [row.id for row in mirror.rows()] == [entry.id for entry in mirrors.seeds().entries]
    assert [row.id for row in mirror.repository("sgl-project/sglang")] == [row.id for row in mirror.rows()]
    family = [entry.id for entry in mirrors.seeds().entries if entry.family == "missing-required-argument"]
    assert [row.id for row in mirror.family("missing-required-argument")] == family != []
    assert sorted(found.id for found in mirror.records()) == sorted(row.id for row in mirror.rows())


def test_lists_on_several_pages_are_read_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lists, "INDEX_BYTES", 100)
    monkeypatch.setattr(lists, "PAGE_BYTES", 1_500)
    mirror = open_mirror(mirrors.export_to(tmp_path / "site", mirrors.seeds()))
    assert [row.id for row in mirror.rows()] == [entry.id for entry in mirrors.seeds().entries]


@needs_nginx
def test_a_copy_from_the_served_site_alone_is_the_dataset_byte_for_byte(tmp_path: Path) -> None:
    for number in range(200):  # texts that do not compress, so that ten records are less than the bulk file
        text = hashlib.shake_128(bytes([number])).hexdigest(3_000)
        mirrors.write(tmp_path / "records", mirrors.variant(number, repo=f"acme/tool-{number % 3}", documentation=text))
    found = mirrors.load(tmp_path / "records")
    site = mirrors.export_to(tmp_path / "site", found)
    with mirrors.served(site, tmp_path / "nginx") as address:
        counted = Counted(Web(address))
        done = sync(Mirror(counted), tmp_path / "copy")
        assert (len(done.added), done.changed, done.removed, done.total) == (200, (), (), 200)
        assert copied(tmp_path / "copy") == published(found)
        assert not [uri for uri in counted.fetched if uri.startswith("api/errors/")], "in bulk"

        many(tmp_path / "records", 10, documentation="Another text.")
        changed = mirrors.load(tmp_path / "records")
        mirrors.export_to(site, changed)
        counted.fetched.clear()
        done = sync(Mirror(counted), tmp_path / "copy")
        ids = {mirrors.variant(n)["record"]["id"] for n in range(10)}
        assert (done.added, set(done.changed), done.removed) == ((), ids, ())
        assert {uri for uri in counted.fetched if "errors" in uri} == {f"api/errors/{name}.json" for name in ids}
        assert copied(tmp_path / "copy") == published(changed)

        counted.fetched.clear()
        assert sync(Mirror(counted), tmp_path / "copy").changed == ()
        assert counted.fetched == ["api/modified.csv", "api/version.json"]


@needs_nginx
def test_a_site_below_a_path_whose_copy_builds_the_same_mirror(tmp_path: Path) -> None:
    found = mirrors.load(many(tmp_path / "records"))
    mirrors.export_to(tmp_path / "root/reference", found)
    with mirrors.served(tmp_path / "root", tmp_path / "nginx", "reference/") as address:
        sync(open_mirror(address), tmp_path / "copy")
    again = mirrors.load(tmp_path / "copy")
    assert published(again) == published(found)
    assert [entry.digest for entry in again.entries] == [entry.digest for entry in found.entries]


def test_gone_moved_and_damaged_records_are_put_right(tmp_path: Path) -> None:
    site = mirrors.export_to(tmp_path / "site", mirrors.load(many(tmp_path / "records", 6)))
    copy = tmp_path / "copy"
    sync(open_mirror(site), copy)
    ids = [mirrors.variant(n)["record"]["id"] for n in range(6)]
    (copy / f"acme/tool-0/{ids[0]}.json").write_text("damaged")
    (copy / f"acme/tool-1/{ids[1]}.json").unlink()
    shutil.rmtree(tmp_path / "records" / "acme/tool-2")
    mirrors.write(tmp_path / "records", mirrors.variant(5, repo="acme/moved"))
    found = mirrors.load(tmp_path / "records")
    done = sync(open_mirror(mirrors.export_to(site, found)), copy)
    assert (done.added, set(done.changed), done.removed) == ((ids[1],), {ids[0], ids[5]}, (ids[2],))
    assert copied(copy) == published(found)


def test_a_folder_of_one_s_own_is_left_alone(tmp_path: Path) -> None:
    site = mirrors.export_to(tmp_path / "site", mirrors.seeds())
    own = many(tmp_path / "own", 2)
    with pytest.raises(UsageError, match="is no copy of a mirror"):
        sync(open_mirror(site), own)
    assert len(copied(own)) == 2


def test_a_sync_that_was_cut_short_is_finished_by_the_next(tmp_path: Path) -> None:
    site = mirrors.export_to(tmp_path / "site", mirrors.load(many(tmp_path / "records", 9)))

    class Breaks(Counted):
        def fetch(self, uri: str, limit: int) -> bytes:
            if sum(path.startswith("api/errors") for path in self.fetched) == 4:
                raise MirrorError("the network is gone")
            return super().fetch(uri, limit)

    shutil.rmtree(site / "api/bulk")
    (site / "api/bulk.json").unlink()
    with pytest.raises(MirrorError):
        sync(Mirror(Breaks(Folder(site))), tmp_path / "copy")
    counted = Counted(Folder(site))
    assert len(sync(Mirror(counted), tmp_path / "copy").added) == 5
    assert copied(tmp_path / "copy") == published(mirrors.load(tmp_path / "records"))


def hostile(site: Path, path: str, change: Callable[[Any], object]) -> None:
    content = json.loads((site / path).read_text())
    change(content)
    (site / path).write_text(json.dumps(content))


def escape_by_part(site: Path) -> None:
    hostile(site, "api/bulk.json", lambda bulk: [part.update(url="../../secret") for part in bulk["parts"]])


def bomb(site: Path) -> None:
    packed = gzip.compress(b"a" * 60_000_000)
    (site / "api/bulk/all/0-f.ndjson.gz").write_bytes(packed)
    digest = hashlib.sha256(packed).hexdigest()
    hostile(site, "api/bulk.json", lambda bulk: [part.update(sha256=digest) for part in bulk["parts"]])


def cut_gzip(site: Path) -> None:
    path = site / "api/bulk/all/0-f.ndjson.gz"
    packed = path.read_bytes()[:-200]
    path.write_bytes(packed)
    digest = hashlib.sha256(packed).hexdigest()
    hostile(site, "api/bulk.json", lambda bulk: [part.update(sha256=digest) for part in bulk["parts"]])


def other_hash(site: Path) -> None:
    hostile(site, "api/bulk.json", lambda bulk: [part.update(sha256="0" * 64) for part in bulk["parts"]])


def ids_that_climb(site: Path) -> None:
    (site / "api/modified.csv").write_text("id,time,sha256\n../../../secret,2026-01-01T00:00:00Z," + "0" * 64)


def twice(site: Path) -> None:
    text = (site / "api/modified.csv").read_text()
    (site / "api/modified.csv").write_text(text + text.splitlines()[1] + "\n")


def not_csv(site: Path) -> None:
    (site / "api/modified.csv").write_bytes(b"<!doctype html>\xff")


def half_published(site: Path) -> None:
    hostile(site, "api/version.json", lambda version: version["counts"].update(records=6))


def other_api(site: Path) -> None:
    hostile(site, "api/version.json", lambda version: version.update(apiVersion=2))


def not_json(site: Path) -> None:
    (site / "api/version.json").write_text("<!doctype html>")


ATTACKS = [
    (escape_by_part, "no address within the mirror"),
    (bomb, "unpacks to more than it may"),
    (cut_gzip, "ends in its middle"),
    (other_hash, "its SHA-256 is not the one"),
    (ids_that_climb, "not as the API says"),
    (twice, "an id stands twice"),
    (not_csv, "not as the API says"),
    (half_published, "counts 6 records and lists 5"),
    (other_api, "has version 2, this client reads 1"),
    (not_json, "not as the API says"),
]


@pytest.mark.parametrize(("attack", "said"), ATTACKS, ids=lambda value: getattr(value, "__name__", ""))
def test_a_faulty_or_hostile_mirror_is_named_and_nothing_unchecked_is_written(
    attack: Callable[[Path], None], said: str, tmp_path: Path
) -> None:
    site = mirrors.export_to(tmp_path / "site", mirrors.seeds())
    (tmp_path / "secret").write_text("secret")
    attack(site)
    with pytest.raises(MirrorError, match=said):
        sync(open_mirror(site), tmp_path / "copy")
    assert copied(tmp_path / "copy").items() <= published(mirrors.seeds()).items()


def test_a_record_that_is_not_the_one_listed_is_refused(tmp_path: Path) -> None:
    site = mirrors.export_to(tmp_path / "site", mirrors.seeds())
    shutil.rmtree(site / "api/bulk")
    (site / "api/bulk.json").unlink()
    (site / "api/errors/b318b4f842689251.json").write_text("{}")
    with pytest.raises(MirrorError, match="record b318b4f842689251: its SHA-256"):
        sync(open_mirror(site), tmp_path / "copy")


def test_pages_in_a_circle_end(tmp_path: Path) -> None:
    site = mirrors.export_to(tmp_path / "site", mirrors.seeds())
    path = "api/repos/sgl-project/sglang.json"
    hostile(site, path, lambda page: page.update(next=path))
    with pytest.raises(MirrorError, match="in a circle"):
        list(open_mirror(site).repository("sgl-project/sglang"))


@pytest.mark.parametrize(
    "uri",
    [
        "",
        "/etc/passwd",
        "../x",
        "a/../../x",
        "a//b",
        "http://evil.example/x",
        "//evil.example",
        "a?b",
        "a\\b",
        "a\n",
        "./a",
    ],
)
def test_addresses_out_of_the_mirror_are_refused(uri: str, tmp_path: Path) -> None:
    for source in (Folder(tmp_path), Web("http://127.0.0.1:9/")):
        with pytest.raises(MirrorError, match="no address within"):
            source.fetch(uri, 10)


def test_links_out_of_a_folder_are_not_followed(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("secret")
    (tmp_path / "site").mkdir()
    (tmp_path / "site/link").symlink_to(tmp_path / "secret")
    with pytest.raises(MirrorError, match="a link out of the mirror"):
        Folder(tmp_path / "site").fetch("link", 10)


def test_a_copy_s_own_links_are_not_written_through(tmp_path: Path) -> None:
    site = mirrors.export_to(tmp_path / "site", mirrors.seeds())
    (tmp_path / "elsewhere").mkdir()
    copy = tmp_path / "copy"
    copy.mkdir()
    (copy / copies.MARKER).touch()
    (copy / "sgl-project").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(UsageError, match="a link out of the copy"):
        (tmp_path / "elsewhere/sglang").mkdir()
        sync(open_mirror(site), copy)
    assert list((tmp_path / "elsewhere/sglang").iterdir()) == []


@pytest.mark.parametrize(
    "base", ["ftp://a.example/", "file:///etc", "http://", "https://a.example/?q", "https://a.example/#x"]
)
def test_other_schemes_are_refused(base: str) -> None:
    with pytest.raises(MirrorError, match="no http or https address"):
        open_mirror(base)


def test_what_cannot_be_asked_is_a_usage_error(tmp_path: Path) -> None:
    mirror = open_mirror(mirrors.export_to(tmp_path / "site", mirrors.seeds()))
    with pytest.raises(UsageError):
        mirror.form("../../secret")
    with pytest.raises(UsageError):
        mirror.repository("../..")
    with pytest.raises(UsageError):
        open_mirror(tmp_path / "none")
    with pytest.raises(MissingError):
        mirror.record("0" * 16)
    with pytest.raises(MissingError):
        list(mirror.family("no-such"))


Respond = Callable[[BaseHTTPRequestHandler, int], None]


@contextmanager
def server(respond: Respond) -> Iterator[str]:
    """A server that answers as told; `respond` gets the request and its number, from 1."""
    count = 0

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            nonlocal count
            count += 1
            respond(self, count)

        def log_message(self, *args: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as running:
        threading.Thread(target=running.serve_forever, args=(0.02,), daemon=True).start()
        try:
            yield f"http://127.0.0.1:{running.server_port}/"
        finally:  # or its thread would ask a closed socket without end
            running.shutdown()


def send(request: BaseHTTPRequestHandler, status: int, content: bytes = b"", **headers: str) -> None:
    request.send_response(status)
    for name, value in {"Content_Length": str(len(content)), **headers}.items():
        request.send_header(name.replace("_", "-"), value)
    request.end_headers()
    request.wfile.write(content)


def fetch(respond: Respond, limit: int = 1_000, **options: Any) -> tuple[bytes, list[float]]:
    """What a client gets from such a server, and how long it waited in between."""
    waits: list[float] = []
    with server(respond) as address:
        return Web(address, sleep=waits.append, timeout=20, **options).fetch("x", limit), waits


def test_a_busy_host_is_asked_again_ever_more_slowly() -> None:
    content, waits = fetch(lambda request, count: send(request, 200, b"ok") if count == 4 else send(request, 503))
    assert (content, waits) == (b"ok", [0.5, 1.0, 2.0])


def test_a_host_may_say_how_long_to_wait_within_reason() -> None:
    answers = {1: "7", 2: "86400", 3: "Tue, 01 Jan 2030 00:00:00 GMT"}
    content, waits = fetch(
        lambda request, count: (
            send(request, 429, Retry_After=answers[count]) if count in answers else send(request, 200, b"ok")
        )
    )
    assert (content, waits) == (b"ok", [7.0, 30.0, 2.0])


def test_a_broken_answer_is_asked_for_again() -> None:
    def respond(request: BaseHTTPRequestHandler, count: int) -> None:
        send(request, 200, b"whole") if count > 1 else send(request, 200, b"who", Content_Length="5")

    assert fetch(respond)[0] == b"whole"


@pytest.mark.parametrize(
    ("status", "said"), [(404, "no such file"), (410, "no such file"), (403, "answers 403"), (502, "answers 502")]
)
def test_a_host_s_refusal_is_named(status: int, said: str) -> None:
    with pytest.raises(MirrorError, match=said):
        fetch(lambda request, count: send(request, status))


def test_a_dead_host_is_named() -> None:
    with pytest.raises(MirrorError, match="check the address"):
        Web("http://127.0.0.1:9/", sleep=lambda _: None).fetch("x", 10)


def test_a_silent_host_is_left() -> None:
    stop = threading.Event()

    def silent(request: BaseHTTPRequestHandler, count: int) -> None:
        stop.wait(5)

    with server(silent) as address:
        with pytest.raises(MirrorError, match="timed out"):
            Web(address, sleep=lambda _: None, timeout=0.1, tries=2).fetch("x", 10)
        stop.set()


def test_a_file_that_is_too_large_is_refused() -> None:
    for limit, encoding in ((999, "identity"), (999, "gzip")):
        content = b"a" * 1_000 if encoding == "identity" else gzip.compress(b"a" * 1_000_000)
        with pytest.raises(MirrorError, match="more than 999 bytes"):
            fetch(lambda request, count: send(request, 200, content, Content_Encoding=encoding), limit)  # noqa: B023


def test_packed_answers_are_unpacked() -> None:
    def respond(request: BaseHTTPRequestHandler, count: int) -> None:
        assert request.headers["Accept-Encoding"] == "gzip"
        assert request.headers["User-Agent"].startswith("errordex/")
        send(request, 200, gzip.compress(b"text"), Content_Encoding="gzip")

    assert fetch(respond)[0] == b"text"


def test_redirects_are_followed_to_http_alone() -> None:
    def within(request: BaseHTTPRequestHandler, count: int) -> None:
        send(request, 200, b"there") if request.path == "/y" else send(request, 301, Location="/y")

    assert fetch(within)[0] == b"there"
    for target in ("file:///etc/passwd", "ftp://127.0.0.1/x"):
        with pytest.raises(MirrorError):
            fetch(lambda request, count: send(request, 302, Location=target))  # noqa: B023
    with pytest.raises(MirrorError):
        fetch(lambda request, count: send(request, 302, Location="/x"))
