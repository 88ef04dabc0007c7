"""Hostile pastes and patterns: whatever they hold, an answer comes, and twice the text takes about twice the work.

Work is counted in calls, of Python's functions and of the interpreter's, so that no clock is asked.
"""

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from generator import patterns
from generator.decode import decode
from generator.lookup import Index, Site, find, paste
from generator.lookup.folded import folded
from generator.lookup.messages import Raised
from tests import samples, strategies
from tests.lookup import raising
from tests.lookup.raising import raised, traceback

MESSAGE = "cannot open the archive {path}: its header has {count} bytes"
SAID = "OpenError: cannot open the archive a.tgz: its header has 3 bytes"


@pytest.fixture(scope="module")
def asked() -> Index:
    return raising.index(
        raised(1, MESSAGE),
        raised(2, "a{x}a{y}a{z}a b a{q}a"),
        raised(3, "{a} is not {b} but {c}", "ValueError"),
        raised(4, "no such key: {key}", "KeyError"),
    )


def calls(work: Callable[[], object]) -> int:
    """How many calls `work` makes."""
    count = 0

    def counted(frame: FrameType, event: str, argument: Any) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(counted)
    try:
        work()
    finally:
        sys.setprofile(before)
    return count


REPEATED: dict[str, Callable[[int], str]] = {
    "one letter": lambda n: "a" * n * 40,
    "letters and spaces": lambda n: "a " * n * 20,
    "the message's beginning": lambda n: "cannot open the archive " * n,
    "the whole message": lambda n: f"{SAID}\n" * n,
    "the message in one line": lambda n: f"{SAID} " * n,
    "classes": lambda n: "ValueError: " * n,
    "lines of classes": lambda n: "".join(f"Some{number}Error: no {number}\n" for number in range(n)),
    "causes": lambda n: "Caused by: x.YError: it is not this but that\n" * n,
    "chains": lambda n: "\nDuring handling of the above exception, another exception occurred:\n".join(
        [traceback(SAID)] * (n // 8)
    ),
    "frames": lambda n: '  File "/a/b/c.py", line 3, in f\n    g()\n' * n,
    "frames of many files": lambda n: "".join(f'  File "/a/b/c{number}.py", line 3, in f\n' for number in range(n)),
    "quote marks": lambda n: "> " * n * 20 + SAID,
    "lines of prefixes": lambda n: "[a] [b] [c] 12 | x-1 | > > | E   text\n" * n,
    "brackets": lambda n: "[" * n * 40,
    "opened links": lambda n: "[a](http://" * n,
    "escapes": lambda n: "\x1b[" * n * 10,
    "escapes without end": lambda n: "\x1b]0;" * n * 10,
    "entities": lambda n: "&#38;" * n * 10,
    "backslashes": lambda n: "\\" * n * 40,
    "a JSON string without end": lambda n: '{"msg": "' + 'a \\" ' * n * 10,
    "JSON strings": lambda n: '{"msg": "' + SAID + '"} ' + '"a b": "c d", ' * n,
    "JSON in JSON": lambda n: '{"a": "{\\"b\\": ' * n,
    "blank lines": lambda n: "\n" * n * 20,
    "carriage returns": lambda n: "\r" * n * 20,
    "stars": lambda n: "**a" * n * 10,
    "dots and slashes": lambda n: "a/b.py:" * n * 10,
    "a long path": lambda n: 'File "' + "a/" * n * 10 + 'b.py", line 3',
    "wide characters": lambda n: "\U0001f600é漢 " * n * 10,
}


@pytest.mark.parametrize("text", REPEATED.values(), ids=REPEATED)
def test_twice_the_text_is_at_most_about_twice_the_work(text: Callable[[int], str], asked: Index) -> None:
    find(text(10), asked)
    once, twice = (calls(lambda size=size: find(text(size), asked)) for size in (400, 800))  # type: ignore[misc]
    assert twice <= 2.3 * once + 2_000


NEEDLES = [
    (".+?x.+?x.+?x.+?x.+?y", "x" * 400),
    (".+x.+x.+x.+x.+y", "x" * 400),
    ("(?:a|aa|aaa|aaaa)b.+(?:a|aa|aaa|aaaa)c", "a" * 400),
    ("a?a?a?a?a?a?a?aaaaaaaab", "a" * 400),
    (r"\w+\s*\w+\s*\w+\s*\w+:", "a " * 200),
    ("[a-z]+[a-y]+[a-x]+[a-w]+!", "a" * 400),
]
"""Patterns, and texts on which a backtracking engine takes exponential or high polynomial time."""


@pytest.mark.parametrize(("pattern", "text"), NEEDLES)
def test_patterns_that_make_regular_expressions_hang_do_not(pattern: str, text: str) -> None:
    program = folded(patterns.compile(pattern))
    once, twice = (calls(lambda size=size: program.search(text * size)) for size in (4, 8))  # type: ignore[misc]
    assert twice <= 2.3 * once + 500


def test_the_error_at_the_end_of_a_long_log_is_found(asked: Index) -> None:
    log = "".join(f"10:11:12 INFO worker {number} has read archive {number}\n" for number in range(5_000))
    assert raising.told(log + traceback(SAID), asked) == [("match", [1])]


@given(strategies.nasty_text)
@example("\x00\x1b[\x9b31m\u202e\ud800")
@example("\\")
@example('"": "')
def test_any_text_gets_an_answer(text: str) -> None:
    asked = raising.index(raised(1, MESSAGE), raised(2, "{a} is not {b}", "ValueError"))
    for said in (text, f"OpenError: {text}", f"{SAID}{text}", traceback(text), "\n".join([text] * 20)):
        for found in find(said, asked):
            assert all(0 <= start <= end <= len(found.text) for start, end in found.spans)


@given(strategies.nasty_text)
def test_a_line_is_read_to_lines(text: str) -> None:
    read = paste.read(text)
    assert all(head.line < head.end <= len(read.lines) for head in read.heads)


@given(st.lists(strategies.nasty_text.filter(str.strip), min_size=1, max_size=4, unique=True))
def test_any_messages_make_an_index(messages: list[str]) -> None:
    records = [raised(number, message) for number, message in enumerate(messages, 1)]
    assert raising.index(*records).version == ""


def telling(message: str) -> bool:
    """Whether its own words alone say which message it is: many characters, and no value first or last."""
    own = message.replace("{value}", "").replace("{other}", "")
    return sum(char.isalnum() for char in own) >= 40 and not message.endswith("}")


FILLED = st.lists(
    st.sampled_from(["abcdefgh", "archive", "header", "socket", "worker", "7", "{value}", "{other}"]),
    min_size=5,
    max_size=14,
)


VALUES = st.sampled_from(["12", "a.txt", "'x y'", "None", "/tmp/a/b", "<b>", "{}", "é"])


@settings(max_examples=60)
@given(strategies.records(), FILLED, st.lists(VALUES, min_size=14, max_size=14))
def test_a_record_is_found_by_its_filled_message(record: dict[str, Any], words: list[str], values: list[str]) -> None:
    message = " ".join(["the", *words])
    assume(telling(message))
    said = " ".join(["the", *(values[place] if "{" in word else word for place, word in enumerate(words))])
    name, file, line = record["errorClass"], record["filePath"], record["lineNumber"]
    asked = raising.index(
        raised(1, message, name, file=file, line=line),
        raised(2, message, name, file="lib/other/b.py"),
        raised(3, "the queue of {a} is full"),
    )
    for text in (said, f"{name}: {said}", traceback(f"{name}: {said}", file="/home/me/script.py")):
        (found, *_) = find(text, asked)
        assert (found.kind, sorted(raising.numbers(found))) == ("match", [1, 2])
    (found, *_) = find(traceback(f"{name}: {said}", file=f"/venv/{file}", line=line), asked)
    assert (found.kind, 1 in raising.numbers(found)) == ("match", True)


@settings(max_examples=50)
@given(strategies.records())
def test_any_valid_record_is_indexed_and_asked_without_a_fault(record: dict[str, Any]) -> None:
    raw = samples.raw(record)
    decoded = decode(raw, "record.json")
    assert not isinstance(decoded, list)
    asked = raising.index(
        Raised(
            record["messagePattern"],
            record["errorClass"],
            Site(record["id"], "a/b/c", record["filePath"], record["lineNumber"]),
        )
    )
    said = f"{record['errorClass']}: {record['errorMessage']}"
    for found in find(traceback(said, file=f"/{record['filePath']}", line=record["lineNumber"]), asked):
        assert found.sites[0].id == record["id"]
