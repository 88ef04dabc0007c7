"""The machine refuses, or somebody meddles: a clear line, the right status, and the old site as it was."""

import ctypes
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, cast

import pytest

from generator import builds, publish
from generator.problems import MachineError
from generator.search import indexing
from tests import samples, sites

CODE = "def open_it(path):\n" + "    # a long line of source, so that the pages are large\n" * 40
NUMBERS = range(1, 9)


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project whose site is built."""
    folder = tmp_path_factory.mktemp("model")
    samples.tree(folder / "records", *map(samples.record, NUMBERS))
    sites.built(sites.small(folder))
    return folder


@pytest.fixture
def folder(model: Path, tmp_path: Path) -> Path:
    """A project whose site is built, and whose records then change."""
    folder = tmp_path / "project"
    shutil.copytree(model, folder)
    sites.small(folder)
    change(folder)
    return folder


@pytest.fixture(scope="module")
def settled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project whose site is built from the changed records; each test leaves the site as it was."""
    folder = tmp_path_factory.mktemp("settled")
    change(folder)
    sites.built(sites.small(folder))
    return folder


@cache
def clean(config: str, records: tuple[tuple[str, bytes], ...]) -> dict[str, bytes]:
    """The site that a clean build of these records gives with these settings; where they lie is all the same."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        path = sites.small(folder)
        path.write_text(config.replace("<folder>", str(folder)), "utf-8")
        (folder / "records").mkdir()
        for file, content in records:
            (folder / "records" / file).write_bytes(content)
        return sites.contents(sites.built(path))


def wanted(folder: Path) -> dict[str, bytes]:
    """The site of a project, made cleanly."""
    config = (folder / "mkdocs.yml").read_text("utf-8").replace(str(folder), "<folder>")
    return clean(config, tuple(sites.contents(folder / "records").items()))


def change(folder: Path) -> None:
    """Change every record, and make its page larger."""
    end = 40 + CODE.count("\n") - 1
    fields = {"sourceCode": CODE, "sourceCodeEnd": end, "documentation": "Another text."}
    samples.tree(folder / "records", *(samples.record(number, **fields) for number in NUMBERS))


def command(
    folder: Path, limits: Callable[[], object] | None = None, module: str = "generator", **environment: str
) -> tuple[int, list[str]]:
    """`errordex build` in a process of its own: its status, and the lines on stderr."""
    options = ["--quiet", "--jobs", "1", "--config-file", str(folder / "mkdocs.yml")]
    done = subprocess.run(
        [sys.executable, "-m", module, "build", *options],
        cwd=sites.ROOT,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1", **environment},
        capture_output=True,
        text=True,
        preexec_fn=limits,
        check=False,
    )
    return done.returncode, done.stderr.splitlines()


def assert_refused(said: str, ended: tuple[int, list[str]], code: str = "EDX052") -> None:
    """The build ended with status 3 and one line, and a second that names the page about it."""
    status, lines = ended
    assert status == 3, lines
    assert said in lines[0] and lines[0].endswith(f"[{code}]"), lines
    assert len(lines) == 2 and lines[1].startswith(f"{code}: https://"), lines


def assert_mended(folder: Path) -> None:
    """The next build, with nothing in its way, gives the site that a clean one makes."""
    assert sites.contents(sites.built(folder / "mkdocs.yml")) == wanted(folder)


def small_files() -> None:
    """No file may be larger than 4 KB."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4000, 4000))


def test_a_file_that_may_not_grow(folder: Path) -> None:
    before = sites.contents(folder / "site")
    assert_refused("larger than this machine allows", command(folder, small_files))
    assert sites.contents(folder / "site") == before
    assert_mended(folder)


@contextmanager
def disk(folder: Path, room: int) -> Iterator[None]:
    """A disk of its own at `folder`, with what is there, and so many bytes of room."""
    taken = sum(-(-path.stat().st_size // 4096) * 4096 for path in folder.rglob("*") if path.is_file())
    kept = folder.with_name("kept")
    folder.rename(kept)
    folder.mkdir()
    mount(folder, f"size={taken + room}")
    try:
        shutil.copytree(kept, folder, dirs_exist_ok=True)
        yield
    finally:
        shutil.rmtree(kept)
        shutil.copytree(folder, kept)
        subprocess.run(["umount", folder], check=True)
        folder.rmdir()
        kept.rename(folder)


def mount(folder: Path, options: str) -> None:
    subprocess.run(["mount", "-t", "tmpfs", "-o", options, "errordex-test", folder], check=True, capture_output=True)


def can_mount() -> bool:
    """Whether this process may mount a file system; many containers may not, even as root."""
    if sys.platform != "linux" or os.geteuid() != 0:
        return False
    with tempfile.TemporaryDirectory() as folder:
        try:
            mount(Path(folder), "size=4k")
        except (OSError, subprocess.CalledProcessError):
            return False
        subprocess.run(["umount", folder], check=True)
    return True


DISKS = ("told", "real") if can_mount() else ("told",)
"""A disk that is small, where one can be mounted, and a writer that is told so, everywhere."""


@pytest.mark.parametrize("kind", DISKS)
@pytest.mark.parametrize("room", [20_000, 400_000], ids=["little", "more"])
def test_a_full_disk_while_rendering(kind: str, room: int, folder: Path) -> None:
    before = sites.contents(folder / "site")
    if kind == "told":
        assert_refused("the disk is full", command(folder, module="tests.driver", FULL_AT=str(room // 20)))
    else:
        with disk(folder / ".errordex", room):
            assert_refused("the disk is full", command(folder))
    assert sites.contents(folder / "site") == before
    assert_mended(folder)


if "real" in DISKS:

    def test_a_full_disk_while_publishing(folder: Path) -> None:
        """The site on a disk that cannot hold the new one: every page stays whole, and space mends it."""
        before, after = sites.contents(folder / "site"), wanted(folder)
        with disk(folder / "site", 20_000):
            assert_refused("the disk is full", command(folder))
            found = sites.contents(folder / "site")
            assert [path for path, text in found.items() if text not in (before.get(path), after.get(path))] == []
            assert found.keys() >= before.keys() & after.keys()
            assert found not in (before, after)
            subprocess.run(["mount", "-o", "remount,size=50m", folder / "site"], check=True)
            assert_mended(folder)

    def test_a_read_only_disk(folder: Path) -> None:
        before = sites.contents(folder / "site")
        with disk(folder / "site", 10_000_000):
            subprocess.run(["mount", "-o", "remount,ro", folder / "site"], check=True)
            assert_refused("read-only; build elsewhere with --output", command(folder))
            assert sites.contents(folder / "site") == before
            subprocess.run(["mount", "-o", "remount,rw", folder / "site"], check=True)
            assert_mended(folder)


def bound_by_permissions() -> None:
    """Take from root, before `exec`, what lets it pass over permissions; others have it not."""
    if os.geteuid() == 0:
        libc = ctypes.CDLL(None, use_errno=True)
        for capability in (1, 2):  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH
            if libc.prctl(24, capability, 0, 0, 0):  # PR_CAPBSET_DROP
                raise OSError(ctypes.get_errno(), "prctl")


@pytest.mark.parametrize("name", ["site", ".errordex", "records/01.json"])
def test_a_place_without_permission(name: str, folder: Path) -> None:
    before = sites.contents(folder / "site")
    place = folder / name
    places = [place, *(path for path in place.rglob("*") if path.is_dir())]
    for path in places:
        path.chmod(0o555 if path.is_dir() else 0)
    ended = command(folder, bound_by_permissions)
    for path in places:
        path.chmod(0o755)
    if name.startswith("records"):
        assert ended[0] == 1 and "cannot be read: Permission denied" in ended[1][0]
    else:
        assert_refused("permission denied", ended)
    assert sites.contents(folder / "site") == before
    assert_mended(folder)


def test_two_builds_at_once(folder: Path) -> None:
    before = sites.contents(folder / "site")
    with publish.opened(publish.workspace(folder, folder / "site")):
        assert_refused("another build is at work here", command(folder), "EDX051")
        assert sites.contents(folder / "site") == before
    assert_mended(folder)


def test_a_record_that_changes_while_it_is_read(folder: Path) -> None:
    before = sites.contents(folder / "site")
    last = folder / "records" / "08.json"

    def meddle(what: str, _done: int, _total: int) -> None:
        if what == "shapes":
            last.write_bytes(samples.raw(samples.record(8, documentation="And another.")))

    with pytest.raises(MachineError, match=r"08.json: changed while the site was built; build again \[EDX052\]"):
        builds.build(folder / "mkdocs.yml", progress=meddle)
    assert sites.contents(folder / "site") == before
    assert_mended(folder)


def test_a_record_that_goes_while_the_site_is_built(folder: Path) -> None:
    before = sites.contents(folder / "site")

    def meddle(what: str, _done: int, _total: int) -> None:
        if what == "shapes":
            (folder / "records" / "08.json").unlink(missing_ok=True)

    with pytest.raises(MachineError, match=r"08.json: changed while the site was built; build again \[EDX052\]"):
        builds.build(folder / "mkdocs.yml", progress=meddle)
    assert sites.contents(folder / "site") == before
    change(folder)
    assert_mended(folder)


@pytest.mark.skipif(os.name != "posix", reason="the stand-in is a script")
@pytest.mark.parametrize(
    ("source", "stall", "said"),
    [
        ("import sys; sys.exit('out of memory')", 60.0, "crashed"),
        ("import time; time.sleep(60)", 1.0, "gave no answer in 1 s"),
    ],
    ids=["crashes", "hangs"],
)
def test_a_pagefind_that(source: str, stall: float, said: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The site stays as it was, whole, and the next build mends all."""
    config = sites.small(folder, plugin={"search": True})
    before = sites.contents(folder / "site")
    program = folder / "pagefind"
    program.write_text(f"#!{sys.executable}\n{source}\n")
    program.chmod(0o755)
    with monkeypatch.context() as patch:
        patch.setenv("PAGEFIND_BINARY_PATH", str(program))
        patch.setitem(cast(dict[str, Any], indexing.build.__kwdefaults__), "stall", stall)
        with pytest.raises(MachineError, match=f"Pagefind {said}"):
            builds.build(config)
    assert sites.contents(folder / "site") == before
    assert_mended(folder)


def test_a_clock_that_is_set_back(folder: Path) -> None:
    """A record as long as it was, but older than what was built from it; and a site older than that."""
    path = folder / "records" / "01.json"
    sites.built(folder / "mkdocs.yml")
    path.write_bytes(path.read_bytes().replace(b"Another text.", b"Anothel text."))
    os.utime(path, (1, 1))
    for page in (folder / "site").rglob("*"):
        os.utime(page, (0, 0))
    assert_mended(folder)


MEDDLINGS: dict[str, Callable[[Path, Path], object]] = {
    "a page edited": lambda site, page: (page / "index.html").write_text("edited"),
    "a page emptied": lambda site, page: (page / "index.html").write_text(""),
    "its Markdown gone": lambda site, page: replaced(page / "index.md"),
    "its folder gone": lambda site, page: shutil.rmtree(page),
    "a folder in its place": lambda site, page: replaced(page / "index.html").joinpath("a").mkdir(parents=True),
    "a file in its folder's place": lambda site, page: replaced(page).write_text("edited"),
    "a mirror edited": lambda site, page: (site / "api/errors/0000000000000001.json").write_text("{}"),
    "a list gone": lambda site, page: replaced(site / "api/index.json"),
    "MkDocs' page edited": lambda site, page: (site / "index.html").write_text("edited"),
    "the home page gone": lambda site, page: replaced(site / "index.html"),
    "all gone": lambda site, page: shutil.rmtree(site),
    "a link to another file": lambda site, page: replaced(page / "index.html").symlink_to(site / "index.html"),
    "a link to nothing": lambda site, page: replaced(page / "index.html").symlink_to(site / "nothing"),
}


def replaced(path: Path) -> Path:
    """The path, with nothing there."""
    shutil.rmtree(path) if path.is_dir() else path.unlink()
    return path


@pytest.mark.parametrize("meddle", MEDDLINGS.values(), ids=MEDDLINGS)
def test_a_site_edited_by_hand(meddle: Callable[[Path, Path], object], settled: Path) -> None:
    site = settled / "site"
    meddle(site, site / "errors/acme/tool/error-1")
    assert sites.contents(site) != wanted(settled)
    sites.built(settled / "mkdocs.yml")
    assert sites.contents(site) == wanted(settled)
    assert not any(path.is_symlink() for path in site.rglob("*"))


def test_a_folder_of_the_site_that_leads_elsewhere(folder: Path) -> None:
    site, outside = folder / "site", folder / "outside"
    shutil.move(site / "errors", outside)
    (site / "errors").symlink_to(outside)
    before = sites.contents(outside), sites.contents(site)
    assert_refused("a link where the site has a folder; remove it", command(folder))
    assert (sites.contents(outside), sites.contents(site)) == before
    (site / "errors").unlink()
    assert_mended(folder)


def test_a_site_that_lies_elsewhere(folder: Path) -> None:
    """The site itself may be a link: that is where its owner wants it."""
    site, outside = folder / "site", folder / "outside"
    site.rename(outside)
    site.symlink_to(outside)
    assert_mended(folder)
    assert site.is_symlink()


@pytest.mark.parametrize("target", ["/etc/hostname", "../elsewhere"], ids=["a file", "a folder"])
def test_a_record_that_leads_elsewhere(target: str, folder: Path) -> None:
    before = sites.contents(folder / "site")
    (folder / "elsewhere").mkdir()
    (folder / "records" / "99.json").symlink_to(target)
    status, lines = command(folder)
    assert (status, len(lines)) == (1, 2)
    assert "99.json: a link out of the folder of records" in lines[0] and lines[0].endswith("[EDX040]")
    assert sites.contents(folder / "site") == before
    (folder / "records" / "99.json").unlink()
    assert_mended(folder)
