"""The recipes of docs/maintainers/errors.md, run as they stand there: the address comes out whole."""

import json
import re
import traceback
from typing import Any

import jsonschema
import pytest

from generator import answers, urls
from tests import sites
from tests.lookup.test_lookup_command import SARIF

PAGE = (sites.ROOT / "docs" / "maintainers" / "errors.md").read_text("utf-8")
RECORD = "b318b4f842689251"
ADDRESS = f"https://errordex.github.io/errordex/{urls.permalink(RECORD)}"


@pytest.fixture(scope="module")
def recipes() -> dict[str, Any]:
    """What the page's Python blocks define, run in order."""
    names: dict[str, Any] = {}
    for block in re.findall(r"^```python\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE):
        exec(compile(block, "errors.md", "exec"), names)
    return names


def found_by_a_terminal(text: str) -> list[str]:
    """Addresses as terminals and chats find them: everything up to white space."""
    return re.findall(r"https?://\S+", text)


def test_a_note_has_the_address_whole(recipes: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="no path was given") as caught:
        recipes["open_it"](None)
    printed = "".join(traceback.format_exception(caught.value))
    assert found_by_a_terminal(printed) == [ADDRESS]
    assert printed.endswith(f"\n{ADDRESS}\n")
    (shown,) = re.findall(r"^```text\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
    assert printed.endswith(shown)
    assert str(caught.value) == "cannot open: no path was given"


def test_a_note_within_a_group_has_the_address_whole(recipes: dict[str, Any]) -> None:
    error = recipes["explained"](KeyError("x"), RECORD)
    printed = "".join(traceback.format_exception(ExceptionGroup("several", [error])))
    assert found_by_a_terminal(printed) == [ADDRESS]


def test_a_problem_body(recipes: dict[str, Any]) -> None:
    kind, body = recipes["problem"](RECORD, "Cannot open", 422, "“a.txt” is not there")
    assert kind == "application/problem+json"
    schema = {
        "type": "object",
        "properties": {
            "type": {"type": "string", "format": "uri-reference"},
            "title": {"type": "string"},
            "status": {"type": "integer", "minimum": 100, "maximum": 599},
            "detail": {"type": "string"},
            "instance": {"type": "string", "format": "uri-reference"},
        },
    }
    problem = json.loads(body)
    jsonschema.validate(problem, schema, format_checker=jsonschema.FormatChecker())
    assert problem["type"] == ADDRESS


def test_a_sarif_log(recipes: dict[str, Any]) -> None:
    rule = recipes["rule"](RECORD, "ValueError", "cannot open")
    result = {"ruleId": RECORD, "ruleIndex": 0, "kind": "fail", "level": "error", "message": {"text": "cannot open"}}
    log = {"$schema": answers.SARIF_SCHEMA, **recipes["log"]("scanner", [rule], [result])}
    jsonschema.validate(log, SARIF, format_checker=jsonschema.FormatChecker())
    assert log["runs"][0]["tool"]["driver"]["rules"][0]["helpUri"] == ADDRESS


def test_a_diagnostic(recipes: dict[str, Any]) -> None:
    """The members that the protocol knows (LSP 3.17, Diagnostic), with their types."""
    position = {"type": "object", "required": ["line", "character"], "properties": {"line": {"minimum": 0}}}
    schema = {
        "type": "object",
        "required": ["range", "message"],
        "additionalProperties": False,
        "properties": {
            "range": {
                "type": "object",
                "required": ["start", "end"],
                "properties": {"start": position, "end": position},
            },
            "severity": {"enum": [1, 2, 3, 4]},
            "code": {"type": ["integer", "string"]},
            "codeDescription": {
                "type": "object",
                "required": ["href"],
                "additionalProperties": False,
                "properties": {"href": {"format": "uri"}},
            },
            "source": {"type": "string"},
            "message": {"type": "string"},
        },
    }
    made = recipes["diagnostic"](3, 4, 9, "cannot open: no path was given", RECORD, "E101")
    jsonschema.validate(made, schema, format_checker=jsonschema.FormatChecker())
    assert made["codeDescription"]["href"] == ADDRESS
    assert not found_by_a_terminal(made["message"])
