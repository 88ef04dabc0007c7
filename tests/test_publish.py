"""The writer: a stage is published exactly, whatever stood there, and whenever the process dies."""

import errno
import os
import resource
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator import publish
from generator.files import File, size
from generator.problems import ErrordexError, MachineError
from generator.publish import Published, Workspace
from tests import sites

Tree = Mapping[str, str]

OLD = {"index.html": "old", "a/index.html": "same", "a/b/index.html": "gone", "a/x.json": "1", "c/d/e.txt": "gone too"}
NEW = {"index.html": "new", "a/index.html": "same", "a/x.json": "2", "n/m/index.html": "added", "c/d/f.txt": "moved in"}


@pytest.fixture
def space(tmp_path: Path) -> Workspace:
    return publish.workspace(tmp_path, tmp_path / "site")


def staged(space: Workspace, tree: Tree, **options: Any) -> Published:
    """Open the workspace, write a stage and publish it."""
    with publish.opened(space):
        publish.write_all(space.stage, [File(path, text.encode()) for path, text in tree.items()])
        return publish.publish(space, **options)


def written(folder: Path, tree: Tree) -> None:
    for path, text in tree.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)


def contents(folder: Path) -> dict[str, str]:
    return {path: content.decode() for path, content in sites.contents(folder).items()}


def folders(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_dir()}


def test_the_stage_is_published_exactly(space: Workspace) -> None:
    done = staged(space, NEW)
    assert contents(space.site) == NEW
    sizes = {path: size(look) for path, look in done.staged.items()}
    assert (sizes, done.changed, done.deleted) == ({path: len(text) for path, text in NEW.items()}, len(NEW), 0)


def test_only_what_differs_is_touched_and_what_is_stale_goes(space: Workspace) -> None:
    staged(space, OLD)
    before = {path: (space.site / path).stat() for path in OLD}
    done = staged(space, NEW, allow_delete=True)
    assert contents(space.site) == NEW
    assert (done.changed, done.deleted) == (4, 2)
    after = (space.site / "a/index.html").stat()
    assert (after.st_ino, after.st_mtime_ns) == (before["a/index.html"].st_ino, before["a/index.html"].st_mtime_ns)
    assert after.st_ino != (space.site / "index.html").stat().st_ino
    assert folders(space.site) == {"a", "c", "c/d", "n", "n/m"}


def test_nothing_changed_touches_nothing(space: Workspace) -> None:
    staged(space, NEW)
    before = {path: (path.stat().st_ino, path.stat().st_mtime_ns) for path in space.site.rglob("*")}
    done = staged(space, NEW)
    assert (done.changed, done.deleted) == (0, 0)
    assert before == {path: (path.stat().st_ino, path.stat().st_mtime_ns) for path in space.site.rglob("*")}


def test_a_named_list_of_stale_files_spares_the_others(space: Workspace) -> None:
    written(space.site, OLD)
    staged(space, {"index.html": "new"}, stale=["a/b/index.html", "never/was.html"], pages=10)
    assert contents(space.site) == {path: text for path, text in OLD.items() if path != "a/b/index.html"} | {
        "index.html": "new"
    }


def test_what_is_staged_is_never_stale(space: Workspace) -> None:
    staged(space, {"index.html": "new"}, stale=["index.html"], pages=1)
    assert contents(space.site) == {"index.html": "new"}


def test_hidden_files_at_the_top_stay(space: Workspace) -> None:
    written(space.site, {".nojekyll": "", ".git/config": "x", "a/.hidden": "goes"})
    staged(space, {"index.html": "x", ".well-known/security.txt": "y"})
    assert contents(space.site) == {
        ".nojekyll": "",
        ".git/config": "x",
        "index.html": "x",
        ".well-known/security.txt": "y",
    }


names = st.sampled_from(["a", "b", "c", "index.html"])
trees = st.dictionaries(
    st.lists(names, min_size=1, max_size=3).map("/".join), st.sampled_from(["", "x", "y"]), max_size=6
).filter(lambda tree: not any(one.startswith(f"{other}/") for one in tree for other in tree))


@settings(max_examples=60)
@given(trees, trees)
def test_any_stage_over_any_site(tmp_path_factory: pytest.TempPathFactory, old: Tree, new: Tree) -> None:
    """Also where a file was and a folder comes, or the other way round."""
    folder = tmp_path_factory.mktemp("any")
    space = publish.workspace(folder, folder / "site")
    written(space.site, old)
    staged(space, new, allow_delete=True)
    assert contents(space.site) == dict(new)
    assert not space.journal.exists()
    shutil.rmtree(folder)


def test_an_empty_folder_makes_way_for_a_file(space: Workspace) -> None:
    (space.site / "a" / "b").mkdir(parents=True)
    staged(space, {"a": "x"})
    assert contents(space.site) == {"a": "x"}


def test_a_link_out_of_the_site_is_never_written_through(space: Workspace, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    written(outside, {"x.json": "precious", "index.html": "precious"})
    written(space.site, {"index.html": "old"})
    (space.site / "a").symlink_to(outside)
    with pytest.raises(MachineError, match="a link where the site has a folder; remove it"):
        staged(space, NEW)
    assert contents(outside) == {"x.json": "precious", "index.html": "precious"}
    assert (space.site / "index.html").read_text() == "old"
    (space.site / "a").unlink()
    (space.site / "index.html").unlink()
    (space.site / "index.html").symlink_to(outside / "index.html")
    staged(space, NEW)
    assert contents(space.site) == NEW
    assert contents(outside) == {"x.json": "precious", "index.html": "precious"}


def test_a_stale_file_behind_a_link_is_not_deleted_there(space: Workspace, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    written(outside, {"x.json": "precious"})
    written(space.site, {"index.html": "old"})
    (space.site / "a").symlink_to(outside)
    with pytest.raises(MachineError, match="a link where"):
        staged(space, {"index.html": "new"}, stale=["a/x.json"], pages=9)
    assert contents(outside) == {"x.json": "precious"}


@pytest.mark.parametrize(
    "path",
    ["", "/", "/etc/passwd", "..", "../x", "a/../../x", "a/./b", "a//b", "a/", "a\\..\\x", "a\0b", "./a"],
    ids=ascii,
)
def test_a_path_that_leaves_the_folder_is_refused(tmp_path: Path, path: str) -> None:
    with pytest.raises(ErrordexError, match="no path within the site"):
        publish.write(tmp_path / "stage", File(path, b"x"))
    assert not list(tmp_path.iterdir())


def test_a_build_that_would_delete_many_pages_is_refused(space: Workspace) -> None:
    pages = {f"{number}/index.html": "x" for number in range(10)}
    staged(space, pages)
    fewer = dict(list(pages.items())[3:])
    with pytest.raises(ErrordexError, match=r"3 of 10 pages.*--allow-delete \[EDX050\]") as refused:
        staged(space, fewer)
    assert refused.value.exit_status == 1
    assert contents(space.site) == pages
    assert staged(space, dict(list(pages.items())[2:])).deleted == 2
    assert staged(space, {"index.html": "x"}, allow_delete=True).deleted == 8


def test_the_workspace_is_left_clean(space: Workspace, tmp_path: Path) -> None:
    staged(space, NEW)
    assert {path.name for path in space.folder.iterdir()} == {"lock"}
    with pytest.raises(RuntimeError), publish.opened(space):
        publish.write(space.stage, File("half.html", b"x"))
        raise RuntimeError
    assert {path.name for path in space.folder.iterdir()} == {"lock"}
    assert contents(space.site) == NEW
    assert publish.workspace(tmp_path, tmp_path / "other").folder != space.folder


def test_what_an_earlier_stage_left_is_not_published(space: Workspace) -> None:
    written(space.stage, {"left.html": "x"})
    staged(space, {"index.html": "x"})
    assert contents(space.site) == {"index.html": "x"}


def test_a_second_holder_is_refused(space: Workspace) -> None:
    with publish.opened(space):
        publish.write(space.stage, File("index.html", b"x"))
        with pytest.raises(MachineError, match="another build is at work"), publish.opened(space):
            pass
        code = f"""
from pathlib import Path
from generator import publish
with publish.opened(publish.Workspace(Path({str(space.folder)!r}), Path({str(space.site)!r}))): pass
"""
        other = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, cwd=sites.ROOT, check=False
        )
        assert "another build is at work" in other.stderr
        publish.publish(space)
    assert contents(space.site) == {"index.html": "x"}
    with publish.opened(space):
        pass


def in_child(work: Callable[[], None]) -> int:
    """Do the work in a process of its own; how it ended, as `os.waitstatus_to_exitcode` tells."""
    child = os.fork()
    if child == 0:
        try:
            work()
        except BaseException:  # noqa: BLE001 - nothing may come back into the tests' own process
            os._exit(1)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def dying_at(step: int) -> None:
    """From now on this process kills itself before the step-th change to the file system."""
    calls = 0

    def mortal(function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **named: Any) -> Any:
            nonlocal calls
            calls += 1
            if calls == step:
                os.kill(os.getpid(), signal.SIGKILL)
            return function(*args, **named)

        return call

    for name in ("replace", "unlink", "rmdir", "mkdir", "fsync"):
        setattr(os, name, mortal(getattr(os, name)))


needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")


@needs_fork
@pytest.mark.parametrize("across_disks", [False, True], ids=["one disk", "two disks"])
def test_whenever_the_process_is_killed_the_next_run_finds_the_old_site_or_finishes_the_new(
    tmp_path: Path, across_disks: bool
) -> None:
    old = OLD | {"f": "a file", "g/h": "a folder"}
    new = NEW | {"f/h": "a folder", "g": "a file"}
    outcomes = []
    for step in count(1):
        folder = tmp_path / str(step)
        space = publish.workspace(folder, folder / "site")
        written(space.site, old)

        def work(build: Callable[[], object], step: int = 0, space: Workspace = space) -> None:
            if across_disks:
                on_two_disks(space)
            dying_at(step)
            build()

        status = in_child(partial(work, partial(staged, space, new, allow_delete=True), step))
        began, between = space.journal.exists(), contents(space.site)
        assert began or between in (old, new)
        assert in_child(partial(work, partial(opened_and_closed, space))) == 0
        assert contents(space.site) == (new if began else between)
        assert not space.journal.exists()
        outcomes.append("began" if began else "new" if between == new else "old")
        if status == 0:
            break
        assert status == -signal.SIGKILL
    assert outcomes == sorted(outcomes, key=["old", "began", "new"].index)
    assert outcomes.count("old") > 3 < outcomes.count("began")
    assert outcomes[-1] == "new"


def opened_and_closed(space: Workspace) -> None:
    with publish.opened(space):
        pass


def on_two_disks(space: Workspace) -> None:
    """As if the workspace and the site lay on file systems of their own."""
    rename = os.replace

    def replace(source: Any, target: Any) -> None:
        if Path(source).is_relative_to(space.stage) != Path(target).is_relative_to(space.stage) and os.path.lexists(
            source
        ):
            Path(target).parent.stat()
            raise OSError(errno.EXDEV, "Invalid cross-device link", source, None, target)
        rename(source, target)

    os.replace = replace  # type: ignore[assignment]


@needs_fork
def test_a_site_on_another_disk_is_published(space: Workspace) -> None:
    written(space.site, OLD)

    def work() -> None:
        on_two_disks(space)
        staged(space, NEW, allow_delete=True)

    assert in_child(work) == 0
    assert contents(space.site) == NEW


@needs_fork
def test_a_file_that_does_not_fit_leaves_the_old_site(space: Workspace) -> None:
    staged(space, OLD)

    def work() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
        with pytest.raises(
            MachineError, match=r"larger than this machine allows; raise the limit and build again \[EDX052\]"
        ):
            staged(space, NEW | {"large.html": "x" * 2000})

    assert in_child(work) == 0
    assert contents(space.site) == OLD
    assert {path.name for path in space.folder.iterdir()} == {"lock"}


REFUSALS = {
    errno.ENOSPC: "the disk is full; free some space",
    errno.EDQUOT: "the disk quota is used up; free some space",
    errno.EACCES: "permission denied; ",
    errno.EROFS: "the file system is read-only; build elsewhere",
    errno.EIO: "mend it and build again",
}


@pytest.mark.parametrize(("number", "said"), REFUSALS.items(), ids=lambda value: errno.errorcode.get(value, ""))
def test_what_the_machine_refuses_while_it_publishes_is_finished_later(
    space: Workspace, monkeypatch: pytest.MonkeyPatch, number: int, said: str
) -> None:
    staged(space, OLD)
    rename = os.replace

    def refuse(source: Any, target: Any) -> None:
        if Path(target).name == "x.json":
            raise OSError(number, os.strerror(number), str(source), None, str(target))
        rename(source, target)

    monkeypatch.setattr(os, "replace", refuse)
    with pytest.raises(MachineError, match=said) as refused:
        staged(space, NEW, allow_delete=True)
    assert str(space.site / "a" / "x.json") in str(refused.value)
    assert refused.value.exit_status == 3
    monkeypatch.undo()
    with publish.opened(space):
        assert contents(space.site) == NEW


def test_a_workspace_that_cannot_be_made_is_the_machines_fault(tmp_path: Path) -> None:
    (tmp_path / ".errordex").write_text("a file")
    with pytest.raises(MachineError, match="EDX052"), publish.opened(publish.workspace(tmp_path, tmp_path / "site")):
        pass


def test_a_cache_is_replaced_whole(tmp_path: Path) -> None:
    path = tmp_path / "x.msgpack"
    for content in (b"1", b"22"):
        publish.write_cache(path, content)
        assert path.read_bytes() == content
        assert list(tmp_path.iterdir()) == [path]
    publish.forget(path)
    publish.forget(path)
    assert not path.exists()
