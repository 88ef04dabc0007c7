"""The rules of a single record, by whole records that have one defect each, or none."""

from pathlib import Path

import pytest

from generator.checks import CHECKS, is_repo, is_slug, shown
from generator.decode import decode
from generator.records import Record

CASES = sorted((Path(__file__).parent / "fixtures" / "records").glob("*.json"))
SOUND = "no problems\n"


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.stem)
def test_report(case: Path, bless: bool) -> None:
    """Beside each record stands what is reported of it; that says what is wrong and what to do."""
    decoded = decode(case.read_bytes(), case.name)
    report = "".join(f"{problem}\n" for problem in decoded) if isinstance(decoded, list) else SOUND
    golden = case.with_suffix(".txt")
    if bless:
        golden.write_text(report, "utf-8", newline="\n")
    assert report == golden.read_text("utf-8")
    assert report == SOUND or all(len(line) < 400 and "; " in line for line in report.splitlines())


def test_every_rule_is_broken_by_a_record_that_breaks_only_it() -> None:
    alone = {codes[0] for case in CASES if len(codes := _codes(case)) == 1}
    assert {check.code for check in CHECKS} <= alone


def _codes(case: Path) -> list[str]:
    decoded = decode(case.read_bytes(), case.name)
    return sorted({problem.code for problem in decoded}) if isinstance(decoded, list) else []


def test_every_rule_is_a_sentence_about_fields_that_exist() -> None:
    for check in CHECKS:
        assert check.sentence.endswith(".")
        assert "`" in check.sentence or check.sentence.startswith(("Times", "Names", "Each"))
        assert set(check.fields) <= set(Record.__struct_fields__)


@pytest.mark.parametrize("text", ["acme/tool", "a/b", "A-1/x.y_z-0", "acme/.github", f"a/{'x' * 100}"])
def test_what_is_a_repository(text: str) -> None:
    assert is_repo(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "/",
        "a/",
        "/b",
        "a",
        "a/b/c",
        "-a/b",
        "a-/b",
        "a/..",
        "a/.",
        "a b/c",
        "a/b\n",
        "é/b",
        "a/é",
        f"a/{'x' * 101}",
    ],
)
def test_what_is_no_repository(text: str) -> None:
    assert not is_repo(text)


def test_a_slug_is_one_segment() -> None:
    assert all(map(is_slug, ["a", "..a", "é", "con", "index.html", "~", "%2e%2e"]))
    assert not any(map(is_slug, ["", ".", "..", "...", "a/b", "a\\b", " ", "a b", "a\x00", "\x7f", "a\xa0"]))


def test_what_is_shown_of_a_value_is_short_and_acts_on_no_terminal() -> None:
    assert shown("\x1b[31m\u202e\ud800") == '"\\u001b[31m\\u202e\\ud800"'
    assert len(shown("x" * 1000)) == 60
    deep: list[object] = []
    for _ in range(5000):
        deep = [deep]
    assert shown(deep) == "nested too deep to show"
