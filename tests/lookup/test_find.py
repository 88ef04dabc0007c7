"""What a paste finds: which record, in which order, and what is only similar."""

import pytest

from generator.lookup import Index, find
from tests.lookup import raising
from tests.lookup.raising import numbers, raised, told, traceback

MESSAGE = "cannot open the archive {path}: its header has {count} bytes"
SAID = "cannot open the archive data.tgz: its header has 3 bytes"


@pytest.fixture(scope="module")
def siblings() -> Index:
    """One message that three files raise, the first of them twice."""
    return raising.index(
        raised(1, MESSAGE, file="src/tool/reading.py", line=10),
        raised(2, MESSAGE, file="src/tool/reading.py", line=90),
        raised(3, MESSAGE, file="src/tool/writing.py", line=10),
        raised(4, MESSAGE, file="lib/other/copying.py", line=10),
    )


def test_a_frame_decides_between_raise_sites(siblings: Index) -> None:
    text = traceback(f"OpenError: {SAID}", file="/venv/src/tool/writing.py", line=11)
    assert told(text, siblings) == [("match", [3])]
    assert find(text, siblings)[0].decided


def test_the_nearest_line_comes_first_within_the_file(siblings: Index) -> None:
    text = traceback(f"OpenError: {SAID}", file="/venv/src/tool/reading.py", line=88)
    assert told(text, siblings) == [("match", [2, 1])]


def test_without_a_frame_raise_sites_are_listed_together(siblings: Index) -> None:
    (found,) = find(f"OpenError: {SAID}", siblings)
    assert (numbers(found), found.decided) == ([1, 2, 3, 4], False)


def test_a_frame_of_another_file_decides_nothing(siblings: Index) -> None:
    text = traceback(f"OpenError: {SAID}", file="/home/me/script.py", line=3)
    assert told(text, siblings) == [("match", [1, 2, 3, 4])]


def test_paths_are_compared_from_their_ends_whatever_the_slashes(siblings: Index) -> None:
    text = traceback(f"OpenError: {SAID}", file=r"C:\Users\me\SRC\tool\writing.py", line=10)
    assert told(text, siblings) == [("match", [3])]


def test_values_are_those_of_the_text_with_their_places(siblings: Index) -> None:
    (found,) = find(f"OpenError: {SAID}", siblings)
    assert found.text == SAID
    assert [found.text[start:end] for start, end in found.spans] == ["data.tgz", "3"]
    assert [value.text for value in found.values] == ["data.tgz", "3"]


def test_the_class_decides_between_equal_messages() -> None:
    asked = raising.index(raised(1, MESSAGE, "OpenError"), raised(2, MESSAGE, "ReadError"))
    assert numbers(find(f"ReadError: {SAID}", asked)[0]) == [2]
    assert numbers(find(f"tool.errors.OpenError: {SAID}", asked)[0]) == [1]


@pytest.mark.parametrize("message", ["{what}", "{a}: {b}", "{name} failed", "no {thing}", "{a} is not {b}"])
def test_a_weak_pattern_claims_nothing_by_itself(message: str) -> None:
    asked = raising.index(raised(1, message, "ValueError"))
    for said in ("ValueError: the disk is not ready: no space left, copy failed", "no luck", "copy failed"):
        assert not [found for found in find(said, asked) if found.kind == "match"]


def test_a_weak_pattern_is_claimed_with_its_frame() -> None:
    asked = raising.index(raised(1, "{name} failed", "ValueError"))
    assert told(traceback("ValueError: copy failed"), asked) == [("match", [1])]


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ("too many values to unpack (expected {n})", "ValueError: too many values to unpack (expected 2)"),
        ("{name} object has no attribute {key}", "AttributeError: 'NoneType' object has no attribute 'shape'"),
        ("No module named {name}", "ModuleNotFoundError: No module named 'yaml'"),
        ("list index out of range", "IndexError: list index out of range"),
        (
            "Cannot read properties of undefined (reading {key})",
            "TypeError: Cannot read properties of undefined (reading 'x')",
        ),
    ],
)
def test_what_an_interpreter_says_needs_the_frame(message: str, said: str) -> None:
    name = said.partition(":")[0]
    asked = raising.index(raised(1, message, name), raised(2, MESSAGE))
    assert told(traceback(said), asked) == [("match", [1])]
    for text in (said, traceback(said, file="/home/me/script.py")):
        assert "match" not in {found.kind for found in find(text, asked)}


@pytest.mark.parametrize(
    "said",
    [
        "OpenError: cannot open the archive data.tgz: the header has 3 bytes",
        "OpenError: could not open the archive data.tgz: its header has only 3 bytes",
        "OpenError: cannot open the archive data.tgz: its header holds 3 bytes",
    ],
)
def test_drifted_wording_is_similar_and_no_match(said: str) -> None:
    assert told(said, raising.index(raised(1, MESSAGE), raised(2, "the queue of {name} is full"))) == [("similar", [1])]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n\n \n",
        "hello",
        "INFO listening on 0.0.0.0:8080",
        "OpenError",
        "KeyError: 'name'",
        "Traceback (most recent call last):",
        "the archive is in the header of the page, which has no bytes that anybody could open",
        traceback("RuntimeError: worker 3 stopped", file="/home/me/script.py"),
    ],
)
def test_nothing_is_found(text: str, siblings: Index) -> None:
    assert find(text, siblings) == []


def test_an_empty_index_finds_nothing() -> None:
    assert find(f"OpenError: {SAID}", raising.index()) == []


CAUSE, WRAPPER = "the cable of {port} is not connected", "the measurement of {name} could not be started"
CHAINS = {
    "direct cause": "The above exception was the direct cause of the following exception:",
    "during handling": "During handling of the above exception, another exception occurred:",
}


@pytest.mark.parametrize("between", CHAINS.values(), ids=CHAINS)
def test_of_a_chain_the_innermost_cause_comes_first(between: str) -> None:
    asked = raising.index(raised(1, WRAPPER, "StartError"), raised(2, CAUSE, "CableError"))
    inner = traceback("CableError: the cable of COM3 is not connected", file="/home/me/a.py")
    outer = traceback("StartError: the measurement of noise could not be started", file="/home/me/b.py")
    assert told(f"{inner}\n{between}\n\n{outer}", asked) == [("match", [2]), ("match", [1])]


def test_a_cause_that_is_printed_after_its_wrapper_comes_first_too() -> None:
    asked = raising.index(raised(1, WRAPPER, "StartError"), raised(2, CAUSE, "CableError"))
    text = (
        "lab.StartError: the measurement of noise could not be started\n\tat lab.Run.start(Run.java:10)\n"
        "Caused by: lab.CableError: the cable of COM3 is not connected\n\tat lab.Port.open(Port.java:7)\n"
    )
    assert told(text, asked) == [("match", [2]), ("match", [1])]


def test_interleaved_ranks_give_one_answer(siblings: Index) -> None:
    lines = traceback(f"OpenError: {SAID}", file="/venv/src/tool/writing.py", line=10).splitlines()
    text = "\n".join(f"[2026-02-02 10:00:00 TP{rank}] {line}" for rank in range(8) for line in lines)
    assert told(text, siblings) == [("match", [3])]


def test_ranks_that_print_line_by_line_give_one_answer(siblings: Index) -> None:
    lines = traceback(f"OpenError: {SAID}", file="/venv/src/tool/writing.py", line=10).splitlines()
    text = "\n".join(f"[rank{rank}]: {line}" for line in lines for rank in range(4))
    assert told(text, siblings) == [("match", [3])]


def test_source_that_holds_the_template_is_no_match(siblings: Index) -> None:
    source = '    raise OpenError(f"cannot open the archive {path}: its header has {count} bytes")'
    assert told(source, siblings) == [("similar", [1, 2, 3, 4])]
    text = f"{source}\nOpenError: {SAID}"
    assert [found.text for found in find(text, siblings)] == [SAID]


def test_the_limit_is_kept_and_the_order_does_not_depend_on_it() -> None:
    asked = raising.index(*(raised(n, f"cannot start service number {n}00 of {{name}} now") for n in range(1, 5)))
    text = "\n".join(f"OpenError: cannot start service number {n}00 of printing now" for n in range(1, 5))
    whole = find(text, asked)
    assert sorted(numbers(found) for found in whole) == [[1], [2], [3], [4]]
    assert find(text, asked, limit=2) == whole[:2]


def test_ties_go_to_the_smaller_id() -> None:
    text = f"OpenError: {SAID}"
    both = [raised(7, MESSAGE, "ReadError"), raised(5, MESSAGE, "WriteError")]
    assert [numbers(found) for found in find(text, raising.index(*both))] == [[5], [7]]
    assert find(text, raising.index(*both)) == find(text, raising.index(*reversed(both)))


def test_the_answer_says_the_score_in_bounds(siblings: Index) -> None:
    for text in (SAID, f"OpenError: {SAID}", traceback(f"OpenError: {SAID}", file="/src/tool/writing.py")):
        assert all(1 <= found.score <= 99 for found in find(text, siblings))
