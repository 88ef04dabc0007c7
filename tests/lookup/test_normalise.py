"""What terminals, logs and editors do to a message, each kind of damage by itself, and the message found in it."""

import html
import json
import textwrap

import pytest

from generator.lookup import Index, find, paste
from generator.lookup.characters import fold, squeezed
from generator.lookup.prefixes import cut
from tests.lookup import raising
from tests.lookup.raising import numbers, raised, traceback

MESSAGE = "cannot open the archive '{path}': its header has {count} bytes, but at least {least} are needed"
VALUES = ["data/first.tgz", "3", "512"]
SAID = "cannot open the archive 'data/first.tgz': its header has 3 bytes, but at least 512 are needed"
LINE = f"OpenError: {SAID}"
PLAIN = traceback(LINE)


@pytest.fixture(scope="module")
def asked() -> Index:
    return raising.index(
        raised(1, MESSAGE),
        raised(2, "cannot close the archive '{path}': it is in use by {count} readers", file="src/tool/closing.py"),
        raised(3, "the header of {path} could not be read", "HeaderError", file="src/tool/heads.py"),
    )


def each_line(before: str, text: str = PLAIN, after: str = "") -> str:
    return "\n".join(f"{before}{line}{after}" for line in text.splitlines())


def numbered(text: str, form: str) -> str:
    return "\n".join(form.format(number, line) for number, line in enumerate(text.splitlines(), 98))


def boxed(text: str, corners: str = "╭╮│╰╯─", width: int = 110) -> str:
    left, right, side, low_left, low_right, bar = list(corners)
    body = [f"{side} {line:<{width}} {side}" for line in text.splitlines()]
    return "\n".join([left + bar * (width + 2) + right, *body, low_left + bar * (width + 2) + low_right])


DAMAGE = {
    "none": PLAIN,
    "the line alone": LINE,
    "the message alone": SAID,
    "in capitals before": f"ERROR: {LINE}",
    "colours": "\x1b[31mOpenError\x1b[0m: cannot open the archive \x1b[1m'data/first.tgz'\x1b[0m: its header has "
    "\x1b[38;5;208m3\x1b[0m bytes, but at least 512 are needed\x1b[K",
    "colours whose escape was lost": f"[0;31mOpenError[0m: {SAID}",
    "colours spelt out": LINE.replace("OpenError", r"\x1b[31mOpenError\x1b[0m"),
    "a window title": f"\x1b]0;make: build\x07{LINE}",
    "ISO time": each_line("2026-02-01T10:11:12.123Z "),
    "time with comma and level": each_line("2026-02-01 10:11:12,123 ERROR "),
    "time in brackets": each_line("[2026-02-01 10:11:12] "),
    "syslog": each_line("Feb  1 10:11:12 host tool[4711]: "),
    "clock alone": each_line("10:11:12 "),
    "Python's logging": each_line("ERROR:tool.opening:"),
    "glog": each_line("E0201 10:11:12.345678  4711 opening.cc:99] "),
    "loguru": f"2026-02-01 10:11:12.345 | ERROR    | tool.opening:run:42 - {LINE}",
    "rank": each_line("[rank3]: "),
    "rank and time": each_line("[2026-02-01 10:11:12 TP3 EP3] "),
    "process": each_line("(EngineCore_DP0 pid=4711) "),
    "container": each_line("worker-1  | "),
    "Kubernetes": each_line("2026-02-01T10:11:12.123456789Z stderr F "),
    "GitHub Actions": each_line("2026-02-01T10:11:12.1234567Z ##[error]"),
    "pytest": f"    def test_it():\n>       run()\n\nE   {LINE}\n\nsrc/tool/opening.py:42: OpenError\n",
    "quoted mail": each_line("> "),
    "quoted twice": each_line("> > "),
    "rich box": boxed(PLAIN),
    "box of ASCII": boxed(PLAIN, "++|++-"),
    "numbers and bars": numbered(PLAIN, "{} | {}"),
    "grep's numbers": numbered(PLAIN, "{}: {}"),
    "JSON line": json.dumps({"time": "2026-02-01T10:11:12Z", "level": "error", "msg": LINE}),
    "JSON line with a traceback": json.dumps({"level": "error", "exc_info": PLAIN, "pid": 4711}),
    "HTML entities": html.escape(PLAIN).replace("&#x27;", "&#39;"),
    "hexadecimal entities": html.escape(PLAIN),
    "no-break spaces": PLAIN.replace(" ", "\u00a0"),
    "smart quotes": PLAIN.replace("'data/first.tgz'", "‘data/first.tgz’").replace('"', "”"),
    "zero-width spaces": LINE.replace("archive", "arch\u200bive"),
    "wrapped between words": textwrap.fill(LINE, 64),
    "wrapped within words": "\n".join(LINE[at : at + 72] for at in range(0, len(LINE), 72)),
    "wrapped in a log": each_line("10:11:12 ERROR ", textwrap.fill(LINE, 70)),
    "each line twice": "\n".join(line for line in PLAIN.splitlines() for _ in range(2)),
    "blank lines between": PLAIN.replace("\n", "\n\n"),
    "CRLF": PLAIN.replace("\n", "\r\n"),
    "CR": PLAIN.replace("\n", "\r"),
    "CRLF doubled": PLAIN.replace("\n", "\r\n\r\n"),
    "Windows paths": PLAIN.replace("/venv/lib/src/tool/opening.py", r"C:\venv\Lib\src\tool\opening.py"),
    "indentation lost": "\n".join(line.strip() for line in PLAIN.splitlines()),
    "indentation added": each_line("        "),
    "tabs for spaces": PLAIN.replace("    ", "\t"),
    "carets below the frame": PLAIN.replace("    fail(here)\n", "    fail(here)\n    ^^^^^^^^^^\n"),
    "noise after": f"{PLAIN}make: *** [Makefile:7: all] Error 1\n",
    "noise before": f"INFO starting\nINFO reading 7 archives\n{PLAIN}",
    "in a sentence": f'I always get "{LINE}" when I start it.',
    "in a code fence": f"```python\n{PLAIN}```\n",
    "with its class's module": PLAIN.replace("OpenError", "tool.errors.OpenError"),
    "Node": f"OpenError: {SAID}\n    at run (/srv/src/tool/opening.py:42:7)\n",
    "wrapped by another": f"{PLAIN}\nDuring handling of the above exception, another exception occurred:\n\n"
    + traceback("SystemExit: 1", file="/home/me/main.py"),
}


@pytest.mark.parametrize("text", DAMAGE.values(), ids=DAMAGE)
def test_the_message_is_found_through(text: str, asked: Index) -> None:
    found = find(text, asked)
    assert [(each.kind, numbers(each)) for each in found] == [("match", [1])]
    assert [value.text for value in found[0].values] == VALUES


@pytest.mark.parametrize("share", [90, 75, 60])
@pytest.mark.parametrize("end", ["", "...", "…"])
def test_a_message_whose_end_is_cut_is_similar(share: int, end: str, asked: Index) -> None:
    found = find(f"OpenError: {SAID[: len(SAID) * share // 100]}{end}", asked)
    assert [(each.kind, numbers(each)) for each in found] == [("similar", [1])]


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("a\r\nb\rc\n", "a\nb\nc\n"),
        ("\x1b[1;31mred\x1b[0m", "red"),
        ("it’s “so”", 'it\'s "so"'),
        ("a – b", "a - b"),
        ("wait…", "wait..."),
        ("&lt;a&gt; &#37; &#x27; &amp;amp;", "<a> % ' &amp;"),
        ("[name](https://example.org/x)", "name"),
        ("**init**", "__init__"),
        (r"a\_b \*c", "a_b *c"),
        (r"C:\new\*", r"C:\new\*"),
        ("nul\x00, bell\x07, delete\x7f", "nul, bell, delete"),
        ("\U0001f600 \ud800", "\ufffd \ufffd"),
        ("a\u2028b\u200bc", "a\nbc"),
    ],
)
def test_folding(text: str, folded: str) -> None:
    assert fold(text) == folded


@pytest.mark.parametrize(
    ("line", "text", "indent", "stamped"),
    [
        ("plain", "plain", 0, False),
        ("    indented", "indented", 4, False),
        ("2026-02-01 10:11:12,123 ERROR   said", "said", 1, True),
        ("> > said", "said", 1, False),
        ("[rank0]:     said", "said", 5, False),
        ("│ said          │", "said", 1, False),
        ("12 | said", "said", 1, False),
        ("api-1  | said", "said", 1, False),
        ("ERROR:root:said", "said", 0, True),
    ],
)
def test_cutting_prefixes(line: str, text: str, indent: int, stamped: bool) -> None:
    assert cut(line) == (text, indent, stamped)


def test_squeezing() -> None:
    assert squeezed("  a   b c ") == "a b c"


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("", "blank"),
        ("Traceback (most recent call last):", "trace"),
        ('  File "/a/b.py", line 3, in f', "frame"),
        ("    at f (/a/b.js:3:4)", "frame"),
        ("ValueError: no", "head"),
        ("a.b.MyException", "head"),
        ("During handling of the above exception, another exception occurred:", "chain"),
        ("^^^^", "mark"),
        ("-----", "mark"),
        ("--> 12     x = 1", "source"),
        ("something happened", "text"),
    ],
)
def test_kinds_of_lines(line: str, kind: str) -> None:
    assert paste.read(line).lines[0].kind == kind
