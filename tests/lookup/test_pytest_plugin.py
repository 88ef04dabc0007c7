"""The pytest plugin: off unless asked for, and the page's address under each failure that has one."""

from pathlib import Path

import pytest

from tests import samples

pytest_plugins = ["pytester"]

MESSAGE = "cannot open the archive {path}: its header has {count} bytes"
PATTERN = r"cannot open the archive .+: its header has .+ bytes"
TESTS = """
import pytest

class OpenError(Exception):
    pass

def test_fine():
    pass

def test_known():
    raise OpenError("cannot open the archive a.tgz: its header has 3 bytes")

def test_unknown():
    assert 1 + 1 == 3

def test_wrapped():
    try:
        test_known()
    except OpenError as error:
        raise RuntimeError("set-up failed") from error

@pytest.mark.xfail(strict=True)
def test_expected():
    raise OpenError("cannot open the archive b.tgz: its header has 4 bytes")
"""
PAGE = f"https://github.com/acme/tool/blob/{samples.SHA}/src/tool/open.py#L40-L43"


@pytest.fixture
def project(pytester: pytest.Pytester) -> pytest.Pytester:
    """A project with its tests and one record."""
    samples.tree(pytester.path / "records", samples.record(1, errorMessage=MESSAGE, messagePattern=PATTERN))
    pytester.makepyfile(TESTS)
    return pytester


def run(project: pytest.Pytester, *arguments: str) -> pytest.RunResult:
    return project.runpytest_inprocess("-p", "no:cacheprovider", *arguments)


@pytest.fixture(autouse=True)
def importable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))


def under(output: str, test: str) -> str:
    """What stands under the heading of a failed test."""
    return output.split(f" {test} ___")[1].split("\n____", maxsplit=1)[0]


@pytest.mark.parametrize("style", ["long", "short", "native"])
def test_a_known_failure_names_its_page(project: pytest.Pytester, style: str) -> None:
    done = run(project, "-p", "errordex", f"--tb={style}")
    done.assert_outcomes(passed=1, failed=3, xfailed=1)
    output = done.stdout.str()
    assert PAGE in under(output, "test_known")
    assert PAGE in under(output, "test_wrapped")
    assert PAGE not in under(output, "test_unknown")
    assert output.count(PAGE) == 2


def test_it_is_off_unless_asked_for(project: pytest.Pytester) -> None:
    assert PAGE not in run(project).stdout.str()


def test_it_works_in_xdists_workers(project: pytest.Pytester) -> None:
    assert run(project, "-p", "errordex", "-n", "1").stdout.str().count(PAGE) == 2


def test_the_ini_file_says_which_records(project: pytest.Pytester) -> None:
    (project.path / "records").rename(project.path / "known")
    project.makeini("[pytest]\naddopts = -p errordex\nerrordex_records = known\n")
    assert run(project).stdout.str().count(PAGE) == 2


def test_wrong_settings_are_refused(project: pytest.Pytester) -> None:
    project.makeini("[pytest]\naddopts = -p errordex\nerrordex_records = missing\n")
    done = run(project)
    assert done.ret == pytest.ExitCode.USAGE_ERROR
    done.stderr.fnmatch_lines(["*errordex_records: missing does not exist*"])
    project.makeini("[pytest]\naddopts = -p errordex\nerrordex_records = records\nerrordex_site = site\n")
    assert run(project).ret == pytest.ExitCode.USAGE_ERROR


def test_a_site_that_cannot_be_read_warns_once_and_changes_no_outcome(project: pytest.Pytester) -> None:
    project.makeini("[pytest]\naddopts = -p errordex\nerrordex_site = nowhere\n")
    done = run(project)
    done.assert_outcomes(passed=1, failed=3, xfailed=1, warnings=1)
    done.stdout.fnmatch_lines(["*PytestWarning: errordex: *there is no such folder*"])
