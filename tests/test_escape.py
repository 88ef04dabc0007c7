"""Record text made harmless: what is visible, how prose is cut, and that the spelling for HTML is text alone."""

import html
import json
import shutil
import subprocess
import time
import unicodedata
from collections.abc import Callable
from itertools import product
from pathlib import Path

import html5lib
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from generator import escape
from tests import awkward, strategies

VISIBLE = {
    "plain\ttext\nof lines": "plain\ttext\nof lines",
    "one\r\ntwo\rthree\r\r\n": "one\ntwo␍three␍\n",
    "\x00 NUL \x1b[31mred\x07": "␀ NUL ␛[31mred␇",
    "\x7f\x80\x9b": "␡⟨U+0080⟩⟨U+009B⟩",
    "if access \u202e\u2066// check\u2069\u2066": "if access ⟨U+202E⟩⟨U+2066⟩// check⟨U+2069⟩⟨U+2066⟩",
    "pass\u200bword\ufeff\xad": "pass⟨U+200B⟩word⟨U+FEFF⟩⟨U+00AD⟩",
    "tag \U000e0041\U000e007f": "tag ⟨U+E0041⟩⟨U+E007F⟩",
    "half \ud800": "half ⟨U+D800⟩",
    "👩\u200d👩\u200d👧 👁\ufe0f\u200d🗨\ufe0f": "👩\u200d👩\u200d👧 👁\ufe0f\u200d🗨\ufe0f",
    "न\u200dक ی\u200cم": "न\u200dक ی\u200cم",
    "a\u200db \u200dé é\u200d": "a⟨U+200D⟩b ⟨U+200D⟩é é⟨U+200D⟩",
    "é\u200d\u200d\u200cé": "é⟨U+200D⟩⟨U+200D⟩⟨U+200C⟩é",
    "1\ufe0f\u20e3 ❤\ufe0f": "1\ufe0f\u20e3 ❤\ufe0f",
    "a\ufe01\ufe02 ❤\ufe0f\ufe0e": "a⟨U+FE01⟩⟨U+FE02⟩ ❤\ufe0f⟨U+FE0E⟩",
    "\ue000\ue001 \U0010fffd é e\u0301 日本": "\ue000\ue001 \U0010fffd é e\u0301 日本",
}

LETTERS_OF_FORMAT = {
    *range(0x600, 0x606),
    0x6DD,
    0x70F,
    0x890,
    0x891,
    0x8E2,
    0x110BD,
    0x110CD,
    *range(0x13430, 0x13460),
}
"""Format characters by category that are seen, and join what stands beside them as letters do."""

KEPT = {"\n", "\t", *map(chr, LETTERS_OF_FORMAT)}


@pytest.mark.parametrize(("text", "seen"), VISIBLE.items(), ids=ascii)
def test_visible(text: str, seen: str) -> None:
    assert escape.visible(text) == seen


def test_no_character_acts_or_hides() -> None:
    for number in range(0x110000):
        char = chr(number)
        if unicodedata.category(char) in {"Cc", "Cf", "Cs", "Zl", "Zp"} and char not in KEPT:
            assert escape.visible(f"a{char}b") == f"a{escape.visible(char)}b" != f"a{char}b", ascii(char)


@given(st.one_of(strategies.nasty_text, st.text("\u200d\u200c\ufe0f\ufe0e\u202ea1é❤", max_size=8)))
def test_what_is_left_does_not_act(text: str) -> None:
    seen = escape.visible(text)
    joining = "\u200c\u200d" + "".join(map(chr, range(0xFE00, 0xFE10)))
    for before, char, after in zip(" " + seen, seen, seen[1:] + " ", strict=False):
        if char in "\u200c\u200d":
            assert before > "\x7f" < after
            assert not {before, after} & {"\u200c", "\u200d"}
        elif char in joining:
            assert before not in joining
        else:
            assert unicodedata.category(char) not in {"Cc", "Cf", "Cs", "Zl", "Zp"} or char in KEPT


@given(st.one_of(strategies.nasty_text, st.text("\u200d\u200c\ufe0f\ufe0e\u202ea1é❤", max_size=8)))
def test_twice_is_once(text: str) -> None:
    assert escape.visible(escape.visible(text)) == escape.visible(text)
    assert escape.line(escape.line(text)) == escape.line(text)
    assert escape.shortened(escape.shortened(text, 20), 20) == escape.shortened(text, 20)


@given(strategies.nasty_text)
def test_a_line_is_one_stripped_line(text: str) -> None:
    line = escape.line(text)
    assert line == line.strip()
    assert not set("\n\t\r") & set(line)
    assert "  " not in line


@example("\n\n\x1c")
@given(strategies.nasty_text)
def test_paragraphs_hold_the_words_of_the_text(text: str) -> None:
    assert "".join(" ".join(escape.paragraphs(text)).split()) == "".join(escape.line(text).split())


PARAGRAPHS: dict[str, list[str]] = {
    "": [],
    " \n\n\t ": [],
    "\xa0\n\n\u3000": [],
    "one\nstill one": ["one still one"],
    "one\n\ntwo": ["one", "two"],
    "one\r\n\r\ntwo": ["one", "two"],
    "one\n \t\n\n\n  two  ": ["one", "two"],
    "#ifdef\n1986. A year\n\n***\n": ["#ifdef 1986. A year", "***"],
}


@pytest.mark.parametrize(("text", "parts"), PARAGRAPHS.items(), ids=ascii)
def test_paragraphs(text: str, parts: list[str]) -> None:
    assert escape.paragraphs(text) == parts


@given(strategies.nasty_text, st.integers(1, 40))
def test_shortened_is_the_beginning(text: str, limit: int) -> None:
    short, whole = escape.shortened(text, limit), escape.line(text)
    assert len(short) <= limit
    assert short == whole if len(whole) <= limit else whole.startswith(short.removesuffix("…"))


SPANS = {
    "no code": [(False, "no code")],
    "a `b` c": [(False, "a "), (True, "b"), (False, " c")],
    "`b`": [(False, ""), (True, "b"), (False, "")],
    "``a ` b``": [(False, ""), (True, "a ` b"), (False, "")],
    "`` ` ``": [(False, ""), (True, "`"), (False, "")],
    "one ` only": [(False, "one ` only")],
    "` `": [(False, "` `")],
    "``": [(False, "``")],
    "`a``b`": [(False, ""), (True, "a``b"), (False, "")],
    "```a``": [(False, "```a``")],
    "`a` `b": [(False, ""), (True, "a"), (False, " `b")],
}


@pytest.mark.parametrize(("text", "parts"), SPANS.items())
def test_spans(text: str, parts: list[tuple[bool, str]]) -> None:
    assert escape.spans(text) == parts


@given(st.text("` ab\\", max_size=30))
def test_spans_lose_nothing_but_their_ticks(text: str) -> None:
    assert "".join(part for _, part in escape.spans(text)).replace("`", "").replace(" ", "") == text.replace(
        "`", ""
    ).replace(" ", "")


SPELLINGS: dict[str, Callable[[str], str]] = {"html": escape.html, "attribute": escape.attribute}


@pytest.mark.parametrize("name", SPELLINGS)
@given(text=strategies.nasty_text)
def test_html_is_text_alone(name: str, text: str) -> None:
    seen = escape.visible(text)
    fragment = html5lib.parseFragment(SPELLINGS[name](seen), namespaceHTMLElements=False)
    assert len(fragment) == 0
    assert (fragment.text or "") == seen


@given(text=strategies.nasty_text)
@example('"onmouseover="alert(1)')
def test_an_attribute_stays_within_its_quotes(text: str) -> None:
    spelt = escape.attribute(escape.visible(text))
    assert not set("\"'<>") & set(spelt)
    assert html.unescape(spelt) == escape.visible(text)


@given(strategies.nasty_text)
def test_prose_has_no_element_but_code(text: str) -> None:
    line = escape.line(text)
    fragment = html5lib.parseFragment(escape.prose_html(line), namespaceHTMLElements=False)
    assert [(element.tag, dict(element.attrib), len(element)) for element in fragment] == [
        ("code", {}, 0) for code, _ in escape.spans(line) if code
    ]
    assert "".join(fragment.itertext()) == "".join(part for _, part in escape.spans(line))


@pytest.mark.parametrize(
    "text",
    [
        *(
            "`" * 200_000,
            "` " * 100_000,
            "`a``b```c" * 20_000,
            "\u200d" * 60_000,
            "é\u200d" * 60_000,
            "\ufe0f" * 60_000,
        ),
        *("\n \t" * 60_000, "\n" + " " * 200_000, "\\" * 200_000, "]:" * 100_000, "[" * 200_000, "1" * 200_000),
        *("=" * 200_000 + "x", "\r" * 200_000, "\x00" * 60_000, "~" * 200_000),
    ],
    ids=lambda text: ascii(text[:6]),
)
def test_time_is_linear(text: str) -> None:
    begin = time.process_time()
    for paragraph in escape.paragraphs(text):
        escape.prose_markdown(paragraph)
        escape.prose_html(paragraph)
    escape.markdown(escape.line(text))
    assert time.process_time() - begin < 2


def test_marks_are_not_heaped() -> None:
    assert escape.visible("Z" + "\u0301" * 8) == "Z" + "\u0301" * 8
    assert escape.visible("Z" + "\u0301" * 10 + "é") == "Z" + "\u0301" * 8 + "⟨U+0301⟩⟨U+0301⟩é"
    assert escape.visible("→" * 20 + "नमस्ते שָׁלוֹם") == "→" * 20 + "नमस्ते שָׁלוֹם"


SCRIPT = """
import { visible } from "./overrides/assets/js/visible.js";
let said = "";
for await (const part of process.stdin) said += part;
process.stdout.write(JSON.stringify(JSON.parse(said).map((text) => visible(text))));
"""


@pytest.mark.skipif(not shutil.which("node"), reason="needs Node")
def test_the_browser_shows_the_same() -> None:
    """Every character of the planes that have any, alone and between two; and texts of all kinds."""
    chars = [chr(code) for code in (*range(0xD800), *range(0xE000, 0x20000), *range(0xE0000, 0xE1000))]
    rows = ["\0|".join(chars[at : at + 1000]) for at in range(0, len(chars), 1000)]
    rows += ["é".join(chars[at : at + 1000]) for at in range(0, len(chars), 1000)]
    texts = [
        *rows,
        *awkward.KINDS.values(),
        *("".join(pair) for pair in product(strategies.ACTING, strategies.SCRIPTS)),
    ]
    done = subprocess.run(
        ["node", "--input-type=module", "-e", SCRIPT],
        input=json.dumps(texts),
        cwd=Path(__file__).parent.parent,
        capture_output=True,
        text=True,
        check=True,
    )
    shown = json.loads(done.stdout)
    assert [text for text, mine in zip(texts, shown, strict=True) if escape.visible(text) != mine] == []
