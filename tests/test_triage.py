"""Triage: the right comment or none for each event file, and nothing of an issue's text in any comment."""

import json
import re
from pathlib import Path
from typing import Any

import markdown
import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

from generator import cli, dataset, library, skeleton, triage
from generator.library import Library
from generator.problems import UsageError
from tests import samples, sites

FOLDER = Path(__file__).parent / "triage"
EVENTS = sorted((FOLDER / "events").glob("*.json"))
EXPECTED: dict[str, list[int]] = json.loads((FOLDER / "expected.json").read_text("utf-8"))
WITHDRAWN = 18
GOLDEN = ("01-rank-prefix", "17-two-sites", "18-frame-tells-the-site")


def fields(spec: dict[str, Any]) -> dict[str, Any]:
    """A sound record of what `records.json` says."""
    number = spec["number"]
    line = spec["lineNumber"]
    gone = {"time": "2026-08-28T05:10:05Z", "reason": "The check is gone."}
    return samples.record(
        number,
        **{name: value for name, value in spec.items() if name != "number"},
        messagePattern=skeleton.pattern(spec["errorMessage"]),
        sourceCodeStart=line,
        sourceCodeEnd=line,
        sourceCode="raise it",
        documentation=f"Meaning {number}: @{number} sees #{number}, `code @{number}` and https://x.example.org/{number}.",
        solutions=["", f"Do <b>this</b> & that, as GH-{number} and www.example.org say.", "Another."],
        **({"withdrawn": gone} if number == WITHDRAWN else {}),
    )


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> Path:
    specs = json.loads((FOLDER / "records.json").read_text("utf-8"))
    return samples.tree(tmp_path_factory.mktemp("triage"), *map(fields, specs))


@pytest.fixture(scope="module")
def asked(records: Path) -> Library:
    return library.of_dataset(dataset.load_or_raise(records))


def comment(event: bytes, asked: Library) -> str:
    return triage.comment(triage.text_of(event, "event.json"), asked)


@pytest.mark.parametrize("path", EVENTS, ids=lambda path: path.stem)
def test_the_right_comment_or_none(path: Path, asked: Library, bless: bool) -> None:
    """The comment names the records' files, or there is none."""
    said = comment(path.read_bytes(), asked)
    specs = {spec["number"]: spec for spec in json.loads((FOLDER / "records.json").read_text("utf-8"))}
    places = re.findall(r"`acme/\w+: ([^`]+)`", said)
    assert places == [f"{specs[number]['filePath']}:{specs[number]['lineNumber']}" for number in EXPECTED[path.stem]]
    assert said.startswith(f"{triage.MARK}\n") if places else said == ""
    if path.stem in GOLDEN:
        golden = FOLDER / f"{path.stem}.md"
        if bless:
            golden.write_text(said, "utf-8")
        assert said == golden.read_text("utf-8")


def test_there_are_events_enough() -> None:
    assert {path.stem for path in EVENTS} == set(EXPECTED)
    assert len(EVENTS) >= 30
    assert 10 < sum(map(bool, EXPECTED.values())) < len(EVENTS) - 10


# Hostile text


ISSUE = {"title": "It crashes", "user": {"login": "someone", "type": "User"}}
NASTY = (
    *("@everyone", "@acme/admins /approve", "/close", "#12", "acme/tool#12", "GH-12", "https://evil.example.org/"),
    *("www.evil.example.org", "[x](javascript:alert(1))", "<img src=x onerror=alert(1)>", "<!-- errordex:triage -->"),
    *(
        "::error::x",
        "`@everyone`",
        "```\n/close\n```",
        "\x1b[2J\u202e",
        "bors r+",
        "![x](//evil.example.org/x.png)",
        "&lt;b&gt;",
    ),
)


def event(body: str, **changes: Any) -> bytes:
    return json.dumps({"action": "opened", "issue": {**ISSUE, "body": body} | changes}).encode()


def mismatched(signature: str, expected: str, actual: str) -> str:
    return f"TypeError: Mismatched kind for argument #1 of `{signature}`: expected `{expected}` but it is `{actual}`"


@given(st.lists(st.sampled_from(NASTY) | st.text(max_size=20), min_size=4, max_size=4))
def test_for_every_text_of_an_issue_the_comment_is_none_or_the_same(asked: Library, texts: list[str]) -> None:
    """What the values say, and what stands around the message, changes not a byte."""
    plain = comment(event(mismatched("f(int)", "int", "str")), asked)
    given_ = comment(event(f"{mismatched(*texts[:3])}\n\n{texts[3]}", title=texts[3]), asked)
    assert plain.startswith(triage.MARK)
    assert given_ in ("", plain)


@pytest.mark.parametrize("text", NASTY)
def test_values_that_would_act_do_not_keep_it_from_being_found(asked: Library, text: str) -> None:
    plain = comment(event(mismatched("f(int)", "int", "str")), asked)
    if "\n" not in text and "`" not in text:
        assert comment(event(f"```\n{mismatched(text, 'int', 'str')}\n```\n{text}"), asked) == plain


def test_nothing_of_a_record_acts(asked: Library) -> None:
    """Outside code no mention, reference, address or element of HTML; links go to the record alone."""
    said = comment((FOLDER / "events" / "01-rank-prefix.json").read_bytes(), asked)
    without_code = re.sub(r"(?<!\\)`[^`]*(?<!\\)`", "", said)
    prose = re.sub(r"\]\(<[^>]*>\)", "]", without_code)
    assert not re.search(r"@\w|(?<!&)#\w|://|\bwww\.|\bGH-\d", prose)
    shown = markdown.markdown(said)
    assert "<b>" not in shown
    assert "Do &lt;b>this&lt;/b> &amp; that" in said
    assert set(re.findall(r'href="([^"#]*)', shown)) == {
        f"https://github.com/acme/flow/blob/{samples.SHA}/src/flow/binding.py"
    }


# What is no event


MALFORMED = {
    "nothing": b"",
    "no JSON": b"{",
    "no object": b"[]",
    "null": b"null",
    "no issue": b'{"action": "opened"}',
    "issue of another type": b'{"issue": []}',
    "no title": b'{"issue": {"body": "x"}}',
    "body of another type": b'{"issue": {"title": "x", "body": {"a": 1}}}',
    "action of another type": b'{"action": 1, "issue": {"title": "x"}}',
    "user of another type": b'{"issue": {"title": "x", "user": "me"}}',
    "no UTF-8": b'{"issue": {"title": "\xff"}}',
    "half a character": b'{"issue": {"title": "\\ud83d"}}',
    "deep": b'{"x": ' + b"[" * 200_000,
    "control characters": b'{"issue": {"title": "\x1b[2J"}}',
}


@pytest.mark.parametrize("content", MALFORMED.values(), ids=MALFORMED)
def test_what_is_no_event_is_refused_in_a_line(content: bytes) -> None:
    with pytest.raises(UsageError) as caught:
        triage.text_of(content, "event\x1b.json")
    first, *rest = str(caught.value).splitlines()
    assert "no event of an issue" in first
    assert first.endswith("[EDX073]")
    assert first.isprintable()
    assert len(rest) == 1


def test_a_huge_event_is_refused_and_a_long_text_cut(asked: Library) -> None:
    with pytest.raises(UsageError, match="more than 30 MB"):
        triage.text_of(b" " * (triage.MOST_EVENT + 1), "event.json")
    assert len(triage.text_of(event("x" * 2_000_000), "event.json")) == triage.MOST_TEXT


def test_comments_that_never_end_cost_no_time() -> None:
    text = "<!--" * 70_000
    assert triage.text_of(event(text, title=""), "event.json").strip() == text
    assert triage.text_of(event("a <!-- b --> c <!-- d", title=""), "event.json").strip() == "a  c <!-- d"


# The command, and where the comment leads


def run(*arguments: object) -> Result:
    return CliRunner().invoke(cli.main, ["triage", *map(str, arguments)])


KNOWN = FOLDER / "events" / "03-assert.json"


def test_the_command_prints_the_comment_or_nothing(records: Path, asked: Library) -> None:
    done = run("--event", KNOWN, "--records", records)
    assert (done.exit_code, done.output) == (0, comment(KNOWN.read_bytes(), asked))
    done = run("--event", FOLDER / "events" / "23-no-error.json", "--records", records)
    assert (done.exit_code, done.output) == (0, "")


def test_the_comment_has_the_permalink_of_the_site(records: Path, tmp_path: Path) -> None:
    _, site = sites.build(tmp_path, records, site_url="https://errors.example.org/some/path/")
    done = run("--event", KNOWN, "--site", site)
    assert done.exit_code == 0
    assert "](<https://errors.example.org/some/path/e/0000000000000002/>)" in done.output


def test_wrong_usage(tmp_path: Path, records: Path) -> None:
    (tmp_path / "event.json").write_bytes(b"{")
    done = run("--event", tmp_path / "event.json", "--records", records)
    assert (done.exit_code, "[EDX073]" in done.output) == (2, True)
    assert run("--event", KNOWN, "--records", records, "--site", tmp_path).exit_code == 2
    assert run("--event", KNOWN, "--site", tmp_path / "nowhere").exit_code == 2
