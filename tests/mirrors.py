"""Small mirrors for tests: records written to a folder, and the JSON export made of them, without MkDocs."""

import json
import os
import re
import shutil
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from socket import socket
from typing import Any

from generator import dataset, export, mirror, permalinks, publish
from generator.about import About
from generator.api import Licence
from generator.dataset import Dataset
from generator.files import File

ROOT = Path(__file__).parent.parent
SEEDS = ROOT / "records" / "sgl-project" / "sglang"
SITE = "https://errors.example/reference/"
ABOUT = About(url=SITE, description="Errors & what they mean.", licence=Licence(name="MIT", url="https://e.example/l"))


def seed() -> dict[str, Any]:
    """The envelope of a seed record."""
    found: dict[str, Any] = json.loads((SEEDS / "b318b4f842689251.json").read_text("utf-8"))
    return found


def variant(number: int, repo: str = "acme/tool", **fields: Any) -> dict[str, Any]:
    """A valid envelope, one of many: its id and slug come from `number`."""
    envelope = seed()
    record = envelope["record"]
    record |= {"id": f"{number * 0x9E3779B97F4A7C15 % 2**64:016x}", "slug": f"error-{number}", "repo": repo}
    record["githubUrl"] = record["githubUrl"].replace("sgl-project/sglang", repo)
    record |= fields
    return envelope


def write(folder: Path, *envelopes: dict[str, Any]) -> Path:
    """Write records where the convention has them; the folder."""
    for envelope in envelopes:
        record = envelope["record"]
        path = folder / record["repo"] / f"{record['id']}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(envelope, ensure_ascii=False), "utf-8")
    return folder


def load(folder: Path) -> Dataset:
    """The records of a folder, all sound."""
    return dataset.load_or_raise(folder)


def seeds() -> Dataset:
    """The seed records."""
    return load(SEEDS)


def files(found: Dataset, about: About = ABOUT, **options: Any) -> dict[str, bytes]:
    """The whole export of a dataset, records included, by path."""
    made: list[File] = []
    parts = []
    for entry in found.entries:
        made += mirror.record(entry.id, dataset.read(entry).form, extensionless=options.get("extensionless", True))
        made.append(permalinks.record(entry.id, entry.uri, entry.message, about.url))
    for job in export.jobs(found, about):
        done = export.make(job, about)
        made += done.files
        parts += [done.part] if done.part else []
    markdown, given = options.get("markdown", True), options.get("given", ())
    for listed in export.lists(found, markdown=markdown, given=given):
        made += export.pages(listed, about)
    made += export.files(found, about, parts, **options)
    paths = [file.path for file in made]
    assert len(set(paths)) == len(paths), "two producers claim one path"
    return {file.path: file.content for file in made}


def export_to(site: Path, found: Dataset, about: About = ABOUT, **options: Any) -> Path:
    """Write the whole export into `site`, in place of what was there; the folder."""
    shutil.rmtree(site, ignore_errors=True)
    publish.write_all(site, (File(path, content) for path, content in files(found, about, **options).items()))
    return site


def nginx() -> str | None:
    """The program nginx, also where it is not on a user's path."""
    return shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin:/usr/local/sbin:/opt/homebrew/bin")


def configuration(root: Path, port: int, prefix: str = "") -> str:
    """The guide's nginx configuration for `root`; `prefix` is the sub-path that the guide says how to write."""
    guide = (ROOT / "docs" / "programs" / "hosting.md").read_text("utf-8")
    found = re.search(r"```nginx\n(.*?)```", guide, re.DOTALL)
    assert found
    text = found[1].replace("/srv/errordex", str(root)).replace("listen 8080", f"listen 127.0.0.1:{port}")
    return text.replace("^/", f"^/{prefix}").replace(" /404.html", f" /{prefix}404.html") if prefix else text


@contextmanager
def served(root: Path, work: Path, prefix: str = "") -> Iterator[str]:
    """Serve `root` with a real nginx by the guide's configuration, on a free port; the root's address."""
    program = nginx()
    assert program
    with closing(socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    work.mkdir(parents=True, exist_ok=True)
    temporary = "".join(
        f"{kind}_temp_path {work}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    user = "user root;" if os.geteuid() == 0 else ""
    main = f"{user} daemon off; pid {work}/pid; error_log stderr; worker_processes 1; events {{}}"
    http = f"http {{ access_log off; {temporary}\n{configuration(root, port, prefix)}}}"
    (work / "nginx.conf").write_text(f"{main}\n{http}\n")
    with (work / "log").open("wb") as log:
        server = subprocess.Popen([program, "-p", work, "-e", "stderr", "-c", work / "nginx.conf"], stderr=log)
        try:
            _wait(server, port, work / "log")
            yield f"http://127.0.0.1:{port}/{prefix}"
        finally:
            server.terminate()
            server.wait(10)


def _wait(server: subprocess.Popen[bytes], port: int, log: Path) -> None:
    for _ in range(100):
        assert server.poll() is None, log.read_text()
        with closing(socket()) as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise AssertionError(log.read_text())


def answer(address: str, method: str = "GET", **headers: str) -> tuple[int, dict[str, str], bytes]:
    """Status, headers (names in lower case) and content of a request."""
    request = urllib.request.Request(address, method=method, headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=10) as response:
            return response.status, {name.lower(): value for name, value in response.headers.items()}, response.read()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, {name.lower(): value for name, value in error.headers.items()}, error.read()
