"""The live server: a record that changes is built again, and answers carry a host's types and headers."""

import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import sites

PAGE = "errors/sgl-project/sglang/dspark-requires-explicit-layer-ids-for-aux-hidden-b318b4/"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def fetch(address: str) -> tuple[bytes, dict[str, str]]:
    with urllib.request.urlopen(address, timeout=20) as answer:
        return answer.read(), dict(answer.headers)


def until(address: str, wanted: bytes) -> bytes:
    """The page once it holds `wanted`; what it holds in the end where it never does."""
    body = b""
    for _ in range(150):
        with contextlib.suppress(OSError):
            body = fetch(address)[0]
        if wanted in body:
            break
        time.sleep(0.2)
    return body


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    folder = tmp_path_factory.mktemp("served")
    records = folder / "records"
    shutil.copytree(sites.ROOT / "records" / "sgl-project", records / "sgl-project")
    port = free_port()
    config = sites.project(folder, records, site_url=f"http://127.0.0.1:{port}/some/path/")
    command = [
        sys.executable,
        "-m",
        "generator",
        "serve",
        "--config-file",
        str(config),
        "--address",
        f"127.0.0.1:{port}",
    ]
    with subprocess.Popen(command, cwd=sites.ROOT, env={**os.environ, "NO_MKDOCS_2_WARNING": "1"}) as server:
        address = f"http://127.0.0.1:{port}/some/path/"
        assert b"Errordex" in until(address, b"Errordex")
        yield address, records
        server.send_signal(signal.SIGINT)


def test_a_changed_record_is_built_again(served: tuple[str, Path]) -> None:
    address, records = served
    path = next(records.rglob("b318b4f842689251.json"))
    document = json.loads(path.read_text("utf-8"))
    document["record"]["documentation"] = "Rewritten while it was served."
    path.write_text(json.dumps(document), "utf-8")
    assert b"Rewritten while it was served." in until(address + PAGE, b"Rewritten while it was served.")


def test_a_page_may_reload_itself(served: tuple[str, Path]) -> None:
    body, headers = fetch(served[0] + PAGE)
    assert b"livereload" in body
    assert b"Content-Security-Policy" not in body
    assert "'unsafe-inline'" in headers["Content-Security-Policy"]


@pytest.mark.parametrize(
    ("uri", "expected"),
    [
        ("api/errors/b318b4f842689251", "application/json"),
        ("api/errors/b318b4f842689251.json", "application/json"),
        ("api/modified.csv", "text/csv; charset=utf-8"),
        (PAGE + "index.md", "text/markdown; charset=utf-8"),
        (PAGE, "text/html; charset=utf-8"),
    ],
)
def test_types_are_those_of_a_good_host(uri: str, expected: str, served: tuple[str, Path]) -> None:
    headers = fetch(served[0] + uri)[1]
    assert headers["Content-Type"] == expected
    assert (headers.get("Access-Control-Allow-Origin") == "*") == uri.startswith("api/")
