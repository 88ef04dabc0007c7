"""What is fuzzed: a function of bytes for each part that reads foreign input, which raises where a promise breaks.

The promises: no exception but the documented one; text comes back from a real HTML parser as it was; the
mirror's form is strict JSON and says what went in; work grows with the input, counted in calls.
"""

import importlib.util
import json
import sys
from collections.abc import Callable, Mapping
from types import FrameType
from typing import Any

import html5lib

from generator import escape, patterns
from generator.decode import decode
from generator.lookup import characters, find, paste
from tests import samples
from tests.lookup import raising

Target = Callable[[bytes], None]

CALLS_A_BYTE, CALLS = 4_000, 400_000
"""Calls of Python functions that a text may cost at most."""

SAID = "cannot open the archive {path}: its header has {count} bytes"


class BrokenPromiseError(Exception):
    """What the part under test promises does not hold for this input."""


def holds(promise: object, what: str) -> None:
    """Raise where a promise is broken; unlike `assert`, whatever Python was told to leave out."""
    if not promise:
        raise BrokenPromiseError(what)


def decoder(raw: bytes) -> None:
    """Sound, and then the form says what went in; or a list of problems that can be printed."""
    found = decode(raw, "x.json")
    if isinstance(found, list):
        holds(found, "neither sound nor faulty")
        for problem in found:
            holds(str(problem).isprintable() and "; " in problem.text, repr(problem))
        return
    document = json.loads(raw.decode("utf-8-sig"))
    fields = {key: value for key, value in document.get("record", document).items() if key != "$schema"}
    form = json.loads(found.form, parse_constant=_no_constant)
    holds(form["datasetVersion"] == found.version, "another version")
    holds(fields.items() <= form["record"].items() or fields["schemaVersion"] == 1, "another record")
    holds(decode(found.form, "x.json") == found, "the form is read as something else")


def _no_constant(name: str) -> Any:
    raise BrokenPromiseError(f"{name} in JSON")


def escaper(raw: bytes) -> None:
    """Text comes back from a real HTML parser as what is visible of it, with no element that is not ours."""
    text = raw.decode("utf-8", "replace")
    seen = escape.visible(text)
    holds(escape.visible(seen) == seen, "twice is not once")
    line = escape.line(text)
    read = html5lib.parseFragment(f"<p>{escape.html(line)}</p>", treebuilder="etree", namespaceHTMLElements=False)
    holds([element.tag for element in read.iter()][1:] == ["p"], "another element")
    holds("".join(read.itertext()) == line, "another text")
    spelt = f'<p title="{escape.attribute(line)}">{escape.prose_html(line)}</p>'
    read = html5lib.parseFragment(spelt, treebuilder="etree", namespaceHTMLElements=False)
    (paragraph,) = read
    holds({element.tag for element in paragraph.iter()} <= {"p", "code"}, "another element in prose")
    holds(paragraph.attrib == {"title": line}, "another attribute")
    kept = "".join(paragraph.itertext()).replace(" ", "").replace("`", "")
    holds(kept == line.replace(" ", "").replace("`", ""), "prose lost text")


def compiler(raw: bytes) -> None:
    """A program, or a refusal that says where and what to do."""
    text = raw.decode("utf-8", "replace")
    try:
        program = patterns.compile(text)
    except patterns.PatternError as error:
        holds(error.reason and error.remedy, "a refusal that says nothing")
        return
    counted(lambda: program.search("cannot open a.tgz: its header has 3 bytes " * 4), len(raw))


def matcher(raw: bytes) -> None:
    """A pattern and a text, parted by a NUL: what is found lies in the text, and costs what it should."""
    pattern, _, text = raw.decode("utf-8", "replace").partition("\0")
    try:
        program = patterns.compile(pattern)
    except patterns.PatternError:
        return
    found = counted(lambda: program.search(text), len(raw))
    holds(found is None or 0 <= found.start <= found.end <= len(text), "a match outside the text")


def message(raw: bytes) -> None:
    """Whatever a message is, the pattern that is made of it finds it."""
    text = raw.decode("utf-8", "replace")[:1_000]
    if not text.strip():
        return
    try:
        program = patterns.compile(samples.pattern_of(text))
    except patterns.PatternError:
        return
    holds(program.search(text), "a message that is not found")


def normaliser(raw: bytes) -> None:
    """Nothing that is folded is left; a paste of anything is read."""
    text = raw.decode("utf-8", "replace")
    holds(not FOLDED & set(characters.fold(text)), "a character that is folded elsewhere")
    counted(lambda: paste.read(text), len(raw))


FOLDED = set("".join(characters.REPLACED.values())) | set(map(chr, (*range(9), *range(14, 32), 13, *range(127, 133))))
"""Characters that no folded text has."""

_INDEX = raising.index(raising.raised(1, SAID), raising.raised(2, "{a} is not {b}", "ValueError"))


def lookup(raw: bytes) -> None:
    """A paste gives answers, or none."""
    text = raw.decode("utf-8", "replace")
    counted(lambda: find(text, _INDEX), len(raw))


def ledger(raw: bytes) -> None:
    """A ledger that anybody has edited: its faults can be printed; one without is read again as it was written."""
    module = importlib.import_module("generator.ledger")
    found, problems = module.parse(raw, "ledger.tsv")
    for problem in problems:
        holds(str(problem).isprintable(), repr(problem))
    holds(problems or module.parse(module.written(found), "ledger.tsv") == (found, []), "read otherwise than written")


def counted(work: Callable[[], Any], size: int) -> Any:
    """What `work` gives; it may make so many calls for an input of `size` bytes, whatever the machine."""
    most, calls = CALLS + CALLS_A_BYTE * size, 0

    def count(_frame: FrameType, event: str, _argument: Any) -> None:
        nonlocal calls
        calls += event == "call"
        if calls > most:
            raise BrokenPromiseError(f"over {most:,} calls for {size:,} bytes")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        return work()
    finally:
        sys.setprofile(before)


TARGETS: Mapping[str, Target] = {
    one.__name__: one for one in (decoder, escaper, compiler, matcher, message, normaliser, lookup)
}
"""By name."""

if importlib.util.find_spec("generator.ledger"):
    TARGETS = {**TARGETS, "ledger": ledger}
