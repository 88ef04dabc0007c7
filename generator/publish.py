"""The one module that writes: files into the stage, and from the stage to the site.

A site has a workspace beside it, `.errordex/<name>/`, with its lock, stage and journal. A build that
dies while it renders leaves the site as it was; one that dies while it publishes is finished by the
next run, from the journal. Single files are replaced atomically.
"""

import errno
import hashlib
import json
import os
import shutil
import signal
import time
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from generator import files
from generator.files import File
from generator.problems import ErrordexError, MachineError

DELETE_SHARE = 5
"""A build that would delete more than one in this many pages is refused."""

REFUSALS = {
    errno.ENOSPC: "the disk is full; free some space and build again",
    errno.EDQUOT: "the disk quota is used up; free some space and build again",
    errno.EFBIG: "the file is larger than this machine allows; raise the limit and build again",
    errno.EACCES: "permission denied; give yourself the permission, or build as its owner",
    errno.EPERM: "permission denied; give yourself the permission, or build as its owner",
    errno.EROFS: "the file system is read-only; build elsewhere with --output",
}
"""What the machine refuses, whoever asks for it, by its number."""

PATIENCE = 30
"""Seconds that the workers of a build that was killed are waited for."""


@dataclass(frozen=True, slots=True)
class Published:
    """What publishing did: staged files by path, as they looked, and how many it replaced or added, and deleted.

    If the stage became the site (`whole`), they are there as they were.
    """

    staged: dict[str, int]
    changed: int
    deleted: int
    whole: bool = False


@dataclass(frozen=True, slots=True)
class Workspace:
    """Where a site is made: `folder` is ours alone, `site` is what hosts serve."""

    folder: Path
    site: Path

    @property
    def stage(self) -> Path:
        """Where the next site is rendered."""
        return self.folder / "stage"

    @property
    def spool(self) -> Path:
        """Where compressed records are unpacked."""
        return self.folder / "spool"

    @property
    def index(self) -> Path:
        """The folder of what is known of record files, in parts."""
        return self.folder / "index"

    @property
    def manifest(self) -> Path:
        """What is known of published pages."""
        return self.folder / "manifest.msgpack"

    @property
    def links(self) -> Path:
        """Related errors as they were chosen."""
        return self.folder / "related.msgpack"

    @property
    def outline(self) -> Path:
        """What is known of the published lists."""
        return self.folder / "outline.msgpack"

    @property
    def stencils(self) -> Path:
        """The stencils of the build that is at work, for its workers."""
        return self.folder / "stencils.msgpack"

    @property
    def lookup(self) -> Path:
        """What is known of the lookup's index."""
        return self.folder / "lookup.msgpack"

    @property
    def templates(self) -> Path:
        """The theme's templates as Jinja compiled them."""
        return self.folder / "templates"

    @property
    def workers(self) -> Path:
        """Held by workers, each for as long as it lives."""
        return self.folder / "workers"

    @property
    def journal(self) -> Path:
        """What is being published; it stands there only while that goes on."""
        return self.folder / "journal.json"


def workspace(project: Path, site: Path) -> Workspace:
    """The workspace of `site`, below the project's folder; one for each output folder."""
    name = hashlib.sha256(os.fsencode(os.path.relpath(site, project))).hexdigest()[:12]
    return Workspace(project / ".errordex" / name, site)


@contextmanager
def opened(space: Workspace) -> Iterator[None]:
    """Hold the workspace for one build, after finishing what an earlier one left; `MachineError` if it is held."""
    with machine_errors(), _held(space.folder):
        _outlive(space.workers)
        if space.journal.exists():
            _carry_out(space)
        if space.stage.exists():
            shutil.rmtree(space.stage)
        for folder in (space.stage, space.spool):
            folder.mkdir(parents=True, exist_ok=True)
        try:
            yield
        finally:
            if not space.journal.exists():
                shutil.rmtree(space.stage, ignore_errors=True)
                shutil.rmtree(space.spool, ignore_errors=True)
            forget(space.workers)
            forget(space.stencils)


@contextmanager
def machine_errors() -> Iterator[None]:
    """Turn the machine's refusals into one clear line."""
    try:
        yield
    except OSError as error:
        raise refusal(error) from error


def refusal(error: OSError) -> MachineError:
    """What is said of a refusal of the machine: where, what, what to do."""
    reason = REFUSALS.get(error.errno or 0, f"{error.strerror or error}; mend it and build again")
    place = error.filename2 or error.filename or "the machine"
    return MachineError(f"{os.fsdecode(place)}: {reason} [EDX052]")


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Put Ctrl-C off to the end of this, here and for processes that start meanwhile."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _held(folder: Path) -> Iterator[None]:
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("ab") as lock:
        if not _lock(lock):
            raise MachineError(
                f"{folder}: another build is at work here; wait for it, or build elsewhere with --output [EDX051]"
            )
        yield


def attend(path: Path) -> BinaryIO:
    """Hold a workspace's file of workers for as long as the stream that is returned is open."""
    stream = path.open("ab")
    _lock(stream, shared=True)
    return stream


def _outlive(path: Path) -> None:
    """Wait for the workers of a build that was killed: they end by themselves, and write no more then."""
    if not path.exists():
        return
    with path.open("ab") as stream:
        until = time.monotonic() + PATIENCE
        while not _lock(stream):
            if time.monotonic() > until:
                raise MachineError(f"{path}: workers of an earlier build are still at work; end them [EDX051]")
            time.sleep(0.01)
    path.unlink()


def _lock(stream: BinaryIO, *, shared: bool = False) -> bool:
    """Take the lock of an open file, which ends with the process; whether it was free."""
    try:
        import fcntl  # noqa: PLC0415 - Windows has none
    except ImportError:
        return True
    try:
        fcntl.flock(stream, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    return True


def write(root: Path, file: File) -> None:
    """Write a producer's file below `root`; a path that would leave it is refused."""
    path = _path(root, file)
    try:
        _fill(path, file.content)
    except FileNotFoundError:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        _fill(path, file.content)


def _path(root: Path, file: File) -> str:
    parts = file.path.split("/")
    if {"", ".", ".."} & set(parts) or "\\" in file.path or "\0" in file.path:
        wrong = "no path within the site; report it, with the record that is behind it"
        raise ErrordexError(f"{file.path!a}: {wrong} [EDX054]")
    return os.path.join(root, *parts)


def _fill(path: str, content: bytes) -> None:
    with open(path, "wb") as stream:
        stream.write(content)


def write_all(root: Path, files: Iterable[File]) -> int:
    """Write files below `root`; how many."""
    count, before = 0, None
    for file in files:
        if before is None or file.content is not before.content or not _linked(root, before.path, file):
            write(root, file)
        before = file
        count += 1
    return count


def _linked(root: Path, source: str, file: File) -> bool:
    """Give the content just written at `source` a second name: a tenth of the cost of writing it; whether it worked."""
    try:
        os.link(os.path.join(root, source), _path(root, file))
    except OSError:
        return False
    return True


def publish(
    space: Workspace,
    stale: Iterable[str] | None = None,
    *,
    made: Collection[str] = (),
    pages: int = 0,
    allow_delete: bool = False,
) -> Published:
    """Bring what is staged to the site, replacing only files that differ, and delete what is stale.

    `stale` names the files to delete, and `pages` counts the pages that there were; without it, whatever
    is not staged is stale. Hidden files at the site's top level stay then, as MkDocs leaves them, but for those that an
    earlier build `made`. Raises
    `ErrordexError` when more than a fifth of the pages would go, unless `allow_delete`.
    """
    with machine_errors():
        staged = _listing(space.stage)
        if _first(space):
            return Published(staged, len(staged), 0, whole=True)
        if stale is None:
            present = _listing(space.site)
            stale = [path for path in present if path not in staged and (path in made or path[0] != ".")]
            pages = sum(path.endswith("index.html") for path in present)
        deleted = sorted(set(stale) - staged.keys())
        _refuse_mass_deletion(pages, deleted, allow_delete)
        changed = sorted(path for path, look in staged.items() if _differs(space, path, files.size(look)))
        blocking = _blocking(space.site, [*changed, *deleted])
        still = [path for path in deleted if path not in blocking]
        forget(space.manifest)
        _write_journal(space, {"clear": blocking, "move": changed, "delete": still})
        _carry_out(space)
        return Published(staged, len(changed), len(deleted))


def _first(space: Workspace) -> bool:
    """Where there is no site yet, make the whole stage the site, in one step; whether that was done."""
    if os.path.lexists(space.site):
        return False
    forget(space.manifest)
    try:
        space.site.parent.mkdir(parents=True, exist_ok=True)
        os.rename(space.stage, space.site)
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        return False
    return True


def write_cache(path: Path, content: bytes) -> None:
    """Replace a file of the workspace or of the records, whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(".partial")
    partial.write_bytes(content)
    partial.replace(path)


def forget(path: Path) -> None:
    """Remove a file of the workspace, if it is there."""
    path.unlink(missing_ok=True)


def forget_all(folder: Path, *, but: Collection[str]) -> None:
    """Remove a folder's files of the workspace with other names than these."""
    for path in folder.glob("*"):
        if path.name not in but:
            forget(path)


def _listing(root: Path) -> dict[str, int]:
    """Every file below `root` as it looks, by path with `/`."""
    found: dict[str, int] = {}
    folders = [""]
    while folders:
        folder = folders.pop()
        try:
            entries = os.scandir(f"{root}/{folder}")
        except FileNotFoundError:
            continue
        with entries:
            for entry in entries:
                path = f"{folder}{entry.name}"
                if entry.is_dir(follow_symlinks=False):
                    folders.append(f"{path}/")
                else:
                    found[path] = files.look(entry.stat(follow_symlinks=False))
    return found


def _refuse_mass_deletion(pages: int, deleted: list[str], allow_delete: bool) -> None:
    gone = sum(path.endswith("index.html") for path in deleted)
    if gone * DELETE_SHARE > pages and not allow_delete:
        raise ErrordexError(
            f"this build would delete {gone:,} of {pages:,} pages, and published links would break; "
            "check that no records are missing, or give --allow-delete [EDX050]"
        )


def _differs(space: Workspace, path: str, size: int) -> bool:
    try:
        if os.stat(space.site / path).st_size != size:
            return True
        with open(space.stage / path, "rb") as new, open(space.site / path, "rb") as old:
            return new.read() != old.read()
    except OSError:
        return True


def _blocking(site: Path, paths: Iterable[str]) -> list[str]:
    """The files that stand where a folder must be, left there by hand or by another generator.

    Raises `MachineError` for a link to a folder there: what is written through it lands outside the site.
    """
    folders: set[str] = set()
    for path in paths:
        while (path := os.path.dirname(path)) and path not in folders:
            folders.add(path)
    found: list[str] = []
    for folder in sorted(folders):
        place = os.path.join(site, folder)
        if os.path.islink(place):
            raise MachineError(f"{place}: a link where the site has a folder; remove it and build again [EDX052]")
        if os.path.isfile(place):
            found.append(folder)
    return found


def _write_journal(space: Workspace, steps: dict[str, list[str]]) -> None:
    partial = space.journal.with_suffix(".partial")
    with partial.open("w", encoding="utf-8") as stream:
        json.dump(steps, stream)
        stream.flush()
        os.fsync(stream.fileno())
    partial.replace(space.journal)


def _carry_out(space: Workspace) -> None:
    """Do what the journal says, from wherever it stopped; then take the journal away. Only death interrupts it."""
    with uninterrupted():
        _follow(space)


def _follow(space: Workspace) -> None:
    try:
        steps = json.loads(space.journal.read_text("utf-8"))
    except ValueError:  # no build of ours left it so: what there is to do is found out anew
        steps = {"clear": [], "move": [], "delete": []}
        forget(space.manifest)
    for path in steps["clear"]:
        if os.path.isfile(space.site / path):
            os.unlink(space.site / path)
    for path in steps["move"]:
        _move(space.stage / path, space.site / path)
    for path in steps["delete"]:
        _delete(space.site / path)
    _prune(space.site, {os.path.dirname(path) for path in steps["delete"]})
    space.journal.unlink()


def _delete(path: Path) -> None:
    """Delete a published file, or the folder that somebody put into its place: nothing below it belongs to the site."""
    try:
        with suppress(FileNotFoundError, NotADirectoryError):
            os.unlink(path)
    except (IsADirectoryError, PermissionError):
        if not path.is_dir() or path.is_symlink():
            raise
        shutil.rmtree(path)


def _move(source: Path, target: Path) -> None:
    """Put a staged file in its place; nothing is done where an earlier run has done it."""
    try:
        _replace(source, target)
    except FileNotFoundError:
        if not source.exists():
            return
        target.parent.mkdir(parents=True, exist_ok=True)
        _replace(source, target)
    except IsADirectoryError:
        shutil.rmtree(target)  # the site has a file there, so nothing below belongs to it
        _replace(source, target)


def _replace(source: Path, target: Path) -> None:
    try:
        os.replace(source, target)
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        partial = target.with_name(f".{target.name[:200]}.partial")  # the site lies on another disk
        try:
            shutil.copyfile(source, partial)
            os.replace(partial, target)
        except OSError:
            partial.unlink(missing_ok=True)
            raise
        os.unlink(source)


def _prune(root: Path, folders: set[str]) -> None:
    """Remove folders that deletions left empty, and those above them."""
    for deepest in sorted(folders, key=len, reverse=True):
        folder = deepest
        with suppress(OSError):
            while folder:
                os.rmdir(root / folder)
                folder = os.path.dirname(folder)
