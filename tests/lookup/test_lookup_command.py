"""The command `lookup`: its forms read back by real parsers, its exit status, and that nothing acts on a terminal."""

import json
import re
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import click
import jsonschema
import markdown
import pytest
from click.testing import CliRunner, Result

from generator import answers, dataset, lookup_command
from generator.files import File
from generator.lookup import index_files
from tests import samples

MESSAGE = "cannot open the archive {path}: its header has {count} bytes"
PATTERN = r"cannot open the archive .+: its header has .+ bytes"
SAID = "OpenError: cannot open the archive data.tgz: its header has 3 bytes"
DRIFTED = "OpenError: could not open the archive data.tgz: its header has only 3 bytes"
NASTY = "\x1b[2J\x9b31m\u202e\x07 ::error::x `a` | <b>&amp;</b> [x](javascript:alert(1)) %0A"
ACTING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u200e\u200f]")
FORMS = list(answers.FORMS)

SARIF = {
    "type": "object",
    "required": ["$schema", "version", "runs"],
    "properties": {
        "version": {"const": "2.1.0"},
        "runs": {
            "type": "array",
            "minItems": 1,
            "items": {
                "type": "object",
                "required": ["tool", "results"],
                "additionalProperties": False,
                "properties": {
                    "columnKind": {"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
                    "tool": {
                        "type": "object",
                        "required": ["driver"],
                        "properties": {
                            "driver": {
                                "type": "object",
                                "required": ["name"],
                                "properties": {"rules": {"type": "array", "items": {"$ref": "#/$defs/rule"}}},
                            }
                        },
                    },
                    "results": {"type": "array", "items": {"$ref": "#/$defs/result"}},
                },
            },
        },
    },
    "$defs": {
        "said": {"type": "object", "required": ["text"], "properties": {"text": {"type": "string", "minLength": 1}}},
        "rule": {
            "type": "object",
            "required": ["id"],
            "additionalProperties": False,
            "properties": {
                "id": {"type": "string"},
                "name": {"type": "string"},
                "shortDescription": {"$ref": "#/$defs/said"},
                "fullDescription": {"$ref": "#/$defs/said"},
                "help": {"$ref": "#/$defs/said"},
                "helpUri": {"type": "string", "format": "uri"},
                "defaultConfiguration": {"properties": {"level": {"enum": ["none", "note", "warning", "error"]}}},
            },
        },
        "result": {
            "type": "object",
            "required": ["message"],
            "additionalProperties": False,
            "properties": {
                "ruleId": {"type": "string"},
                "ruleIndex": {"type": "integer", "minimum": 0},
                "kind": {"enum": ["notApplicable", "pass", "fail", "review", "open", "informational"]},
                "level": {"enum": ["none", "note", "warning", "error"]},
                "message": {"$ref": "#/$defs/said"},
                "locations": {
                    "type": "array",
                    "items": {
                        "required": ["physicalLocation"],
                        "properties": {
                            "physicalLocation": {
                                "required": ["artifactLocation", "region"],
                                "properties": {
                                    "artifactLocation": {
                                        "properties": {"uri": {"type": "string", "format": "uri-reference"}}
                                    },
                                    "region": {"properties": {"startLine": {"type": "integer", "minimum": 1}}},
                                },
                            }
                        },
                    },
                },
                "properties": {"type": "object"},
            },
        },
    },
}
"""What SARIF 2.1.0 asks of the parts that are written here."""


def opening(number: int, **changes: Any) -> dict[str, Any]:
    given = {"errorMessage": MESSAGE, "messagePattern": PATTERN, "solutions": ["Fetch it anew", "Ask its owner"]}
    return samples.record(number, **(given | changes))


@pytest.fixture
def records(tmp_path: Path) -> Path:
    full = opening(3, errorMessage="the queue of {name} is full", messagePattern="the queue of .+ is full")
    return samples.tree(
        tmp_path / "records", opening(1), opening(2, filePath="src/tool/other.py", slug="error-2"), full
    )


def run(text: str | bytes, *options: object) -> Result:
    return CliRunner().invoke(lookup_command.lookup, list(map(str, options)), input=text)


def frame(said: str, file: str = "/venv/src/tool/other.py") -> str:
    return f'Traceback (most recent call last):\n  File "{file}", line 42, in f\n    g()\n{said}\n'


def test_a_match_is_shown_with_its_values_meaning_solutions_and_page(records: Path) -> None:
    done = run(frame(SAID), "--records", records)
    assert done.exit_code == 0
    assert done.output.splitlines() == [
        "Match: OpenError (99 of 99)",
        "  cannot open the archive data.tgz: its header has 3 bytes",
        "",
        "  `open_it` got a path that it cannot open.",
        "  1. Fetch it anew",
        "  2. Ask its owner",
        "",
        "  Raised at src/tool/other.py:42",
        f"  https://github.com/acme/tool/blob/{samples.SHA}/src/tool/other.py#L40-L43",
    ]


def test_values_are_underlined_on_a_terminal(records: Path) -> None:
    done = CliRunner().invoke(lookup_command.lookup, ["--records", str(records)], input=SAID, color=True)
    assert click.style("data.tgz", underline=True) in done.output


def test_raise_sites_that_say_the_same_are_all_named(records: Path) -> None:
    done = run(SAID, "--records", records)
    assert "  Raised at src/tool/open.py:42" in done.output
    assert "  Or at src/tool/other.py:42: https://" in done.output
    listed = json.loads(run(SAID, "--records", records, "--format", "json").output)
    assert [item["id"] for item in listed] == [f"{1:016x}", f"{2:016x}"]


@pytest.mark.parametrize(("text", "status"), [(SAID, 0), (DRIFTED, 1), ("hello", 1), ("", 1)])
@pytest.mark.parametrize("form", FORMS)
def test_the_exit_status_says_whether_a_message_matched(text: str, status: int, form: str, records: Path) -> None:
    assert run(text, "--records", records, "--format", form).exit_code == status


def test_json_is_a_list_with_the_best_first(records: Path) -> None:
    text = f"{SAID}\n\nOpenError: the queue of printing is full\n"
    listed = json.loads(run(text, "--records", records, "--format", "json").output)
    assert {item["kind"] for item in listed} == {"match"}
    assert [item["score"] for item in listed] == sorted((item["score"] for item in listed), reverse=True)
    assert listed[0] == {
        "id": f"{1:016x}",
        "url": f"https://github.com/acme/tool/blob/{samples.SHA}/src/tool/open.py#L40-L43",
        "kind": "match",
        "score": listed[0]["score"],
        "values": [{"name": None, "text": "data.tgz"}, {"name": None, "text": "3"}],
    }
    assert json.loads(run("hello", "--records", records, "--format", "json").output) == []


def test_similar_is_said_to_be_similar(records: Path) -> None:
    done = run(DRIFTED, "--records", records)
    assert done.output.startswith("Similar: OpenError (")
    assert f"  {MESSAGE}\n" in done.output
    assert json.loads(run(DRIFTED, "--records", records, "--format", "json").output)[0]["kind"] == "similar"


def test_markdown_gives_a_heading_a_link_the_values_and_the_solutions(records: Path) -> None:
    page = markdown.markdown(run(frame(SAID), "--records", records, "--format", "markdown").output)
    assert page.startswith('<h2><a href="https://github.com/acme/tool/blob/')
    assert f">{MESSAGE}</a></h2>" in page
    assert "<li>value: <code>data.tgz</code></li>" in page
    assert "<ol>\n<li>Fetch it anew</li>\n<li>Ask its owner</li>\n</ol>" in page


def annotations(output: str) -> list[tuple[str, dict[str, str], str]]:
    """Workflow commands read as GitHub's runner reads them: command, properties, data."""
    found = []
    for line in output.splitlines():
        _, head, data = line.split("::", 2)
        command, _, given = head.partition(" ")
        pairs = dict(item.split("=", 1) for item in given.split(",") if item)
        found.append((command, {key: unescaped(value) for key, value in pairs.items()}, unescaped(data)))
    return found


def unescaped(text: str) -> str:
    for code, char in {"%2C": ",", "%3A": ":", "%0A": "\n", "%0D": "\r", "%25": "%"}.items():
        text = text.replace(code, char)
    return text


def test_annotations_name_the_file_and_line_where_a_frame_decided(records: Path) -> None:
    ((command, given, data),) = annotations(run(frame(SAID), "--records", records, "--format", "github").output)
    assert (command, given) == ("error", {"file": "src/tool/other.py", "line": "42", "title": "Known error"})
    assert data.startswith(f"{MESSAGE}: Fetch it anew https://github.com/")
    ((command, given, _),) = annotations(run(DRIFTED, "--records", records, "--format", "github").output)
    assert (command, given) == ("notice", {"title": "Similar error"})


@pytest.mark.parametrize("text", [frame(SAID), SAID, DRIFTED, "hello"])
def test_sarif_is_as_the_standard_asks(text: str, records: Path) -> None:
    log = json.loads(run(text, "--records", records, "--format", "sarif").output)
    checker = jsonschema.Draft202012Validator(SARIF, format_checker=jsonschema.FormatChecker(["uri", "uri-reference"]))
    assert list(checker.iter_errors(log)) == []
    (only,) = log["runs"]
    rules = only["tool"]["driver"]["rules"]
    assert [rules[result["ruleIndex"]]["id"] for result in only["results"]] == [
        result["ruleId"] for result in only["results"]
    ]
    for rule in rules:
        assert urlsplit(rule["helpUri"]).scheme == "https"
    for result in only["results"]:
        assert result["kind"] == "fail" or result["level"] == "none"


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    """A record whose every text would act on a terminal or in a workflow."""
    record = opening(1, documentation=NASTY, solutions=[NASTY, f"a\n{NASTY}"], errorMessage=f"{MESSAGE} {NASTY}")
    record["messagePattern"] = PATTERN
    return samples.tree(tmp_path / "records", record)


@pytest.mark.parametrize("form", FORMS)
def test_nothing_in_a_paste_or_a_record_acts_on_the_terminal(form: str, hostile: Path) -> None:
    said = SAID.replace("data.tgz", f"a{NASTY}b")
    for text in (said, frame(said), DRIFTED.replace("data.tgz", NASTY)):
        output = run(text, "--records", hostile, "--format", form).output
        assert ACTING.findall(output) == []
        assert "OpenError" in output or form in ("json", "github")


def test_markdown_shows_markup_and_does_not_obey_it(hostile: Path) -> None:
    said = SAID.replace("data.tgz", f"a{NASTY}b")
    page = markdown.markdown(run(said, "--records", hostile, "--format", "markdown").output)
    assert "<b>" not in page
    assert "javascript:alert(1)" in page
    assert 'href="javascript' not in page


def test_an_annotation_cannot_begin_another(hostile: Path) -> None:
    output = run(SAID, "--records", hostile, "--format", "github").output
    assert len(output.splitlines()) == 1


@pytest.fixture
def site(records: Path, tmp_path: Path) -> Path:
    """A folder with the parts of a site that lookup reads."""
    found = dataset.load_or_raise(records)
    root = tmp_path / "site"
    files = [*index_files(found)]
    for entry in found.entries:
        files.append(File(f"api/errors/{entry.id}.json", dataset.read(entry).form))
    for file in files:
        (root / file.path).parent.mkdir(parents=True, exist_ok=True)
        (root / file.path).write_bytes(file.content)
    return root


def test_a_built_site_answers_with_its_pages(site: Path) -> None:
    done = run(frame(SAID), "--site", site)
    assert done.exit_code == 0
    assert done.output.splitlines()[-1] == f"  {(site / 'errors/acme/tool/error-2/index.html').resolve().as_uri()}"


@pytest.fixture
def address(site: Path) -> Iterator[str]:
    """The same, served."""

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(site))) as server:
        threading.Thread(target=server.serve_forever).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


def test_an_address_answers_with_its_pages(address: str) -> None:
    done = run(frame(SAID), "--site", address)
    assert done.exit_code == 0
    assert done.output.splitlines()[-1] == f"  {address}/errors/acme/tool/error-2/"
    assert run("hello", "--site", f"{address}/").exit_code == 1
    assert run(SAID, "--site", f"{address}/elsewhere/").exit_code == 2


def test_a_broken_shard_is_said_in_a_line(site: Path) -> None:
    for path in (site / "api" / "lookup").rglob("*/*.json"):
        path.write_text("[[[", "utf-8")
    done = run(SAID, "--site", site)
    assert done.exit_code == 3
    assert "build the site again" in done.stderr
    assert done.stdout == ""


@pytest.mark.parametrize(
    ("options", "status", "said"),
    [
        (["--site", "no-such-folder"], 2, "EDX060"),
        (["--site", "."], 2, "has no api/lookup/index.json"),
        (["--site", "http://127.0.0.1:9/"], 3, "check the address and the network"),
        (["--site", ".", "--records", "."], 2, "exclude each other"),
        (["--records", "empty"], 3, "EDX041"),
        (["--format", "yaml"], 2, "yaml"),
        (["no-such-file"], 2, "no-such-file"),
    ],
)
def test_wrong_use_is_told_apart_from_no_match(
    options: list[str], status: int, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path)
    done = run(SAID, *options)
    assert (done.exit_code, said in done.stderr) == (status, True)


def test_records_in_the_folder_are_asked_by_default(records: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(records.parent)
    assert run(SAID).exit_code == 0


def test_without_records_errordexs_own_errors_are_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = run('records/a.json: slug "x" is also that of record 0123456789abcdef; append -012345 to it [EDX031]')
    assert done.exit_code == 0
    assert "https://errordex.github.io/errordex/errors/errordex/errordex/" in done.output


def test_a_file_is_read_as_well(records: Path, tmp_path: Path) -> None:
    (tmp_path / "log.txt").write_text(frame(SAID), "utf-8")
    assert run("", tmp_path / "log.txt", "--records", records).exit_code == 0


@pytest.mark.parametrize(
    "content",
    [
        SAID.encode("utf-16"),
        b"\xfe\xff" + SAID.encode("utf-16-be"),
        SAID.encode("utf-8-sig"),
        b"\xff\xfa\x80\n" + SAID.encode() + b"\n\xe9",
    ],
    ids=["UTF-16", "UTF-16, big end first", "UTF-8 with mark", "neither"],
)
def test_other_encodings_are_read(content: bytes, records: Path) -> None:
    assert run(content, "--records", records).exit_code == 0


def test_of_a_long_text_the_end_is_read(records: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lookup_command, "MOST_BYTES", 2_000_000)
    log = "INFO all is well\n" * 150_000
    done = run(f"OpenError: the queue of x is full\n{log}{SAID}\n", "--records", records)
    assert done.exit_code == 0
    assert "its last 2 MB were read" in done.stderr
    assert "queue" not in done.stdout


def test_the_limit_is_kept(records: Path) -> None:
    text = f"{SAID}\n\nOpenError: the queue of printing is full\n"
    counts = [run(text, "--records", records, "--limit", limit).output.count("Match: ") for limit in (1, 2)]
    assert counts == [1, 2]


def test_the_best_matchs_page_is_opened(records: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr(click, "launch", opened.append)
    run(DRIFTED, "--records", records, "--open")
    assert opened == []
    run(frame(SAID), "--records", records, "--open")
    assert opened == [f"https://github.com/acme/tool/blob/{samples.SHA}/src/tool/other.py#L40-L43"]
