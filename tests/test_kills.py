"""A build that is killed, interrupted or robbed of a worker: every page stays whole, and the next run mends all."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from generator import builds, publish
from generator.publish import Workspace
from tests import samples, sites

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are watched through /proc")

RECORDS = 70
"""Enough for several chunks of two workers' work."""

PATIENCE = 60
"""Seconds that anything here may take on a busy machine."""


class Scene(NamedTuple):
    """A project, the two versions of its records, and the sites that clean builds make of them."""

    folder: Path
    config: Path
    versions: tuple[list[dict[str, Any]], list[dict[str, Any]]]
    wanted: tuple[dict[str, bytes], dict[str, bytes]]

    @property
    def space(self) -> Workspace:
        return publish.workspace(self.folder, self.folder / "site")

    @property
    def staged(self) -> int:
        """How many files the stage has now."""
        return sum(len(files) for _, _, files in os.walk(self.space.stage))

    def put(self, version: int) -> None:
        """Have the records of that version."""
        for path in (self.folder / "records").glob("*.json"):
            path.unlink()
        samples.tree(self.folder / "records", *self.versions[version])

    def put_other(self) -> int:
        """Have the records of the version that the site does not show; which it is."""
        version = int(self.site() == self.wanted[0])
        self.put(version)
        return version

    def site(self) -> dict[str, bytes]:
        return sites.contents(self.folder / "site")


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Scene:
    folder = tmp_path_factory.mktemp("kills")
    old = [samples.record(number) for number in range(RECORDS)]
    new = [samples.record(number, documentation=f"Another text of {number}.") for number in range(8, RECORDS + 8)]
    config = sites.small(folder)
    wanted: list[dict[str, bytes]] = []
    scene = Scene(folder, config, (old, new), ({}, {}))
    for version in (1, 0):
        scene.put(version)
        wanted.insert(0, sites.clean(config, folder))
    builds.build(config)
    return scene._replace(wanted=(wanted[0], wanted[1]))


@contextmanager
def building(scene: Scene, jobs: int = 2, **environment: str) -> Iterator[subprocess.Popen[str]]:
    """A full build by workers (1: by itself), in a process group of its own; what is left of it is killed."""
    command = ("build", "--config-file", str(scene.config), "--jobs", str(jobs), "--full", "--allow-delete", "--quiet")
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.driver", *command],
        cwd=sites.ROOT,
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        yield process
    finally:
        if members(process.pid):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


def members(group: int) -> list[int]:
    """The processes of a group that live."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, of = path.read_text().rpartition(")")[2].split()[:3]
        except (FileNotFoundError, ProcessLookupError):
            continue
        if int(of) == group and state != "Z":
            found.append(int(path.parent.name))
    return found


def workers(group: int) -> list[int]:
    """The worker processes of a build."""
    found = []
    for process in members(group):
        try:
            command = Path(f"/proc/{process}/cmdline").read_text()
        except (FileNotFoundError, ProcessLookupError):
            continue
        if "spawn_main" in command:
            found.append(process)
    return found


def until(process: subprocess.Popen[str], moment: Callable[[], bool]) -> bool:
    """Wait for a moment; whether it came before the process ended."""
    end = time.monotonic() + PATIENCE
    while process.poll() is None:
        if moment():
            return True
        assert time.monotonic() < end, "the build hangs"
        time.sleep(0.005)
    return False


def ended(group: int) -> bool:
    """Whether all processes of the group end by themselves."""
    end = time.monotonic() + PATIENCE
    while members(group) and time.monotonic() < end:
        time.sleep(0.02)
    return not members(group)


def check_after_kill(scene: Scene, version: int, group: int) -> str:
    """Everything that is served is of one version; then the next run, at once, ends in the wanted site."""
    old, new = scene.wanted[1 - version], scene.wanted[version]
    found = scene.site()
    assert [path for path, content in found.items() if content not in (old.get(path), new.get(path))] == []
    assert old.keys() & new.keys() <= found.keys()
    builds.build(scene.config, jobs=1, allow_delete=True)
    assert scene.site() == new
    assert {path.name for path in scene.space.folder.iterdir()} == sites.KEPT
    assert ended(group), "a worker lives on"
    return "old" if found == old else "new" if found == new else "between"


SHARES = (0.01, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.95)
"""Of the stage's files: moments while MkDocs renders, and then the workers."""


def test_killed_at_ten_moments_of_rendering(scene: Scene) -> None:
    states = [killed_while_rendering(scene, share) for share in SHARES]
    assert states.count("missed") <= 2, states
    assert states.count("old") >= 6, states


def killed_while_rendering(scene: Scene, share: float) -> str:
    """What a build leaves that is killed once so much is staged; a moment that a busy machine misses is tried again."""
    for _ in range(3):
        version = scene.put_other()
        with building(scene) as process:
            files = share * len(scene.wanted[version])
            if until(process, lambda files=files: scene.staged >= files):  # type: ignore[misc]
                process.kill()
            killed = process.wait() == -signal.SIGKILL
            state = check_after_kill(scene, version, process.pid)
        if killed:
            return state
    return "missed"


STEPS = (
    *("unlink:1", "replace:1", "replace:2", "replace:3", "replace:20", "replace:100", "replace:200"),
    *("unlink:4", "unlink:20", "rmdir:5"),
)
"""Moments from the first change to what is published, to the last."""


def test_killed_at_ten_moments_of_publishing(scene: Scene) -> None:
    states = []
    for step in STEPS:
        version = scene.put_other()
        with building(scene, jobs=1, DIE_AT=step) as process:
            assert process.wait() == -signal.SIGKILL, step
            states.append(check_after_kill(scene, version, process.pid))
    assert states.count("between") >= 5, states


MOMENTS: Mapping[str, Callable[[Scene, int], bool]] = {
    "MkDocs at work": lambda scene, group: scene.staged > 0,
    "workers starting": lambda scene, group: bool(workers(group)),
    "workers at work": lambda scene, group: scene.staged > len(scene.wanted[0]) / 2,
    "publishing": lambda scene, group: scene.space.journal.exists(),
}


@pytest.mark.parametrize("moment", MOMENTS.values(), ids=MOMENTS)
def test_interrupted(moment: Callable[[Scene, int], bool], scene: Scene) -> None:
    """Ctrl-C, which the terminal sends to the whole group: one line, status 130, and one of the two sites."""
    version = scene.put_other()
    with building(scene) as process:
        came = until(process, lambda: moment(scene, process.pid))
        os.killpg(process.pid, signal.SIGINT) if came else None
        _, said = process.communicate(timeout=PATIENCE)
        assert (process.returncode, said.count("\n")) in ((130, 1), (0, 0)), said
        assert said == "" or "interrupted" in said
        assert ended(process.pid)
    assert scene.site() in scene.wanted
    assert not scene.space.journal.exists()
    builds.build(scene.config, jobs=1, allow_delete=True)
    assert scene.site() == scene.wanted[version]


def test_a_killed_worker(scene: Scene) -> None:
    whole = scene.site()
    scene.put_other()
    with building(scene) as process:
        assert until(process, lambda: bool(workers(process.pid)))
        os.kill(workers(process.pid)[0], signal.SIGKILL)
        _, said = process.communicate(timeout=PATIENCE)
        assert ended(process.pid)
    assert process.returncode == 3
    assert said.startswith("a worker was killed") and "[EDX052]" in said.splitlines()[0]
    assert "Traceback" not in said
    assert scene.site() == whole
    assert {path.name for path in scene.space.folder.iterdir()} == sites.KEPT
