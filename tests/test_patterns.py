"""Patterns: what is read and refused, what a program finds and where, and that it takes linear time."""

import ast
import re
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from generator import patterns
from generator.patterns import classes, compiler, intervals
from generator.patterns.pieces import SPACE, WORD, At, Branch, Chars, Edge, Gap, Or, Piece
from generator.patterns.scan import Scan

ANY = Chars(True, ())
DIGIT = Chars(False, ((48, 57),))

ROW_COUNT = r"next_token_logits row count mismatch\. Expected .+, got .+\."
LAYER_IDS = r"DSPARK requires explicit layer_ids for aux hidden capture\."

OWN_MESSAGES = {
    "seed: hidden states": (
        r"draft sampler set but the draft forward has no hidden_states to capture into the graph\.",
        "draft sampler set but the draft forward has no hidden_states to capture into the graph.",
    ),
    "seed: layer_ids": (LAYER_IDS, "DSPARK requires explicit layer_ids for aux hidden capture."),
    "seed: layer ids": (
        r"DFLASH requires explicit layer ids for aux hidden capture\.",
        "DFLASH requires explicit layer ids for aux hidden capture.",
    ),
    "seed: row count": (
        ROW_COUNT,
        "next_token_logits row count mismatch. Expected {bs * draft_token_num}, got {next_token_logits.shape[0]}.",
    ),
    "lines that look like Markdown": (
        "#ifdef WIDGET\n    1\\. not a list\n> not a quote\n"
        "\\+ \\* - not bullets\n\ttab\tstop\n=====\n---\nends with \\\\",
        "#ifdef WIDGET\n    1. not a list\n> not a quote\n+ * - not bullets\n\ttab\tstop\n=====\n---\nends with \\",
    ),
    "dollars": (
        r"from \$5 to \$10: \$PATH and \$\{HOME\} in \$\(pwd\), \\\(x\\\) \\\[y\\\] \$\$z\$\$",
        r"from $5 to $10: $PATH and ${HOME} in $(pwd), \(x\) \[y\] $$z$$",
    ),
    "front matter": (
        "---\ntitle: hacked\ntemplate: main\\.html\nhide: \\[navigation, toc\\]\nsearch:\n  exclude: true\n---\n"
        "Kimi-K3 DCP: requires #2 \"quoted\" 'single' \\[a, b\\] @x !tag &anchor \\*alias %",
        "---\ntitle: hacked\ntemplate: main.html\nhide: [navigation, toc]\nsearch:\n  exclude: true\n---\n"
        "Kimi-K3 DCP: requires #2 \"quoted\" 'single' [a, b] @x !tag &anchor *alias %",
    ),
    "braces": (r"Expected \{next\} got \{batch\}", "Expected {next} got {batch}"),
    "snippet": ('--8<-- "/etc/hostname"', '--8<-- "/etc/hostname"'),
    "one long word": ("x" * 400, "x" * 400),
    "control characters": ("\0 NUL \x1b\\[31mred\x1b\\[0m \x07 bell", "\0 NUL \x1b[31mred\x1b[0m \x07 bell"),
}


@pytest.mark.parametrize(("pattern", "message"), OWN_MESSAGES.values(), ids=OWN_MESSAGES)
def test_pattern_finds_its_own_message(pattern: str, message: str) -> None:
    assert patterns.matches_template(pattern, message)
    assert patterns.matches_template(patterns.compile(pattern), f"ValueError: {message}")
    found = patterns.compile(pattern).fullmatch(message)
    assert found is not None
    assert found.span == (0, len(message))


@pytest.mark.parametrize(
    ("pattern", "branches"),
    [
        (r"a\.b", [["a.b"]]),
        (r"(?:ab)c", [["abc"]]),
        ("(?s).", [[Gap(1, 1, ANY)]]),
        (r"[\s\S]+?", [[Gap(1, None, ANY, 0)]]),
        (r"[^\S]", [[Gap(1, 1, Chars(False, ((9, 13), (32, 32))))]]),
        ("[a-cb-d]", [[Gap(1, 1, Chars(False, ((97, 100),)))]]),
        (r"[\x41\u0042\U00000043]", [[Gap(1, 1, Chars(False, ((65, 67),)))]]),
        (r"[\b]", [[Gap(1, 1, Chars(False, ((8, 8),)))]]),
        ("[]-]", [[Gap(1, 1, Chars(False, ((45, 45), (93, 93))))]]),
        (r"[^x\U0010ffff]", [[Gap(1, 1, Chars(False, ((0, 119), (121, 0x10FFFE))))]]),
        (r"x\d{2,}", [["x", Gap(2, None, DIGIT, 0)]]),
        (r"\d{,3}", [[Gap(0, 3, DIGIT, 0)]]),
        ("a{}{b}{c", [["a{}{b}{c"]]),
        ("]}", [["]}"]]),
        ("errors?", [["error", Gap(0, 1, Chars(False, ((115, 115),)))]]),
        (r"\bfoo\bbar", [["foobar", Edge(6), Edge(3)]]),
        (r"^a$|\Ab\Z|c\z", [[At("^"), "a", At("$")], [At("^"), "b", At("z")], ["c", At("z")]]),
        ("(?P<n>.+) (?<m>a)", [[Gap(1, None, ANY, 0), " ", Or((("a",),), False, 1)]]),
        ("x(?: y(z)?)?", [["x", Or(((" y", Or((("z",),), True, 0)),), True)]]),
        ("(?:a|)", [[Or((("a",), ()))]]),
        ("(a{3})", [[Gap(3, 3, Chars(False, ((97, 97),)), 0)]]),
        ("(?:a){1}(b){0,1}", [["a", Or((("b",),), True, 0)]]),
    ],
)
def test_reads(pattern: str, branches: Sequence[Sequence[Piece]]) -> None:
    assert patterns.compile(pattern).branches == tuple(map(tuple, branches))


@pytest.mark.parametrize(
    ("pattern", "reason", "remedy"),
    [
        ("", "nothing to find at column 0", "write the message"),
        ("(.*a){20}", "a quantifier after a group at column 5", "such as .+"),
        ("^(a+)+$|([0-9]+", "a quantifier after a group at column 5", "such as .+"),
        ("(a)*", "a quantifier after a group at column 3", "a group takes ? alone"),
        ("(?<=a)b", "a look-behind, (?<= at column 0", "as a literal or a gap"),
        ("a(?<!b)", "a negative look-behind, (?<! at column 1", "as a literal or a gap"),
        ("a(?=b)", "a look-ahead, (?= at column 1", "as a literal or a gap"),
        ("a(?!b)", "a negative look-ahead, (?! at column 1", "as a literal or a gap"),
        (r"(.)\1", r"the back-reference \1 at column 3", "write a gap"),
        (r"(?P<n>.)(?P=n)", "a back-reference, (?P= at column 8", "write a gap"),
        (r"\k<n>", r"the back-reference \k at column 0", "write a gap"),
        ("(?>a)", "an atomic group, (?> at column 0", "(?:…)"),
        ("(?(1)a|b)", "a condition, (?( at column 0", "as alternatives"),
        ("(?#a)", "a comment, (?# at column 0", "leave it out"),
        ("(?i)a", "the flag (?i) at column 0", "[Aa]"),
        ("(?s-i:a)", "the flag (?s-i: at column 0", "leave the flag out"),
        ("a(?s)", "the flag (?s) at column 1", "leave the flag out"),
        ("(?&a)", "an unknown kind of group, (? at column 0", r"\(\?"),
        ("(?P<1>a)", "a name that is none, (?P< at column 0", "(?P<name>.+)"),
        ("(?<n>a)(?<n>b)", "the name n again at column 7", "name each hole once"),
        ("(a(b(c)))", "a group within a group within a group at column 4", "take the inner parentheses away"),
        ("a++", "a possessive quantifier at column 1", r"\+"),
        ("a+*", "a second quantifier at column 2", r"\*"),
        ("a{2}{3}", "a second quantifier at column 4", r"\{"),
        ("a???", "a second quantifier at column 3", r"\?"),
        ("*a", "a quantifier after nothing at column 0", r"\*"),
        ("a|{2}", "a quantifier after nothing at column 2", r"\{"),
        ("(+)", "a quantifier after nothing at column 1", r"\+"),
        ("^*", "a quantifier after a place at column 0", "leave the quantifier out"),
        ("a{3,2}", "a count whose maximum is below its minimum at column 1", "{2,3}"),
        ("a{10001}", "a count that is too high at column 1", "write +"),
        (f"a{{{'9' * 5000}}}", "a count that is too high at column 1", "write +"),
        ("a)", "a ) that closes nothing at column 1", r"\)"),
        ("a(b", "a ( that is not closed at column 1", r"\("),
        ("a[b", "a [ that is not closed at column 1", r"\["),
        ("[]", "a [ that is not closed at column 0", r"\]"),
        ("[^", "a [ that is not closed at column 0", r"\["),
        ("[a-", "a [ that is not closed at column 0", r"\["),
        ("[z-a]", "a range that runs backwards at column 1", r"\-"),
        (r"[a-\d]", "a range from or to a class at column 1", r"\-"),
        (r"[\w-z]", "a range from or to a class at column 1", r"\-"),
        ("[[:alpha:]]", "a POSIX class at column 1", r"\w"),
        ("a\\", "a \\ that escapes nothing at column 1", "\\\\"),
        ("[\\", "a \\ that escapes nothing at column 1", "\\\\"),
        (r"\q", r"the escape that means nothing \q at column 0", r"\\q"),
        (r"\B", r"the place within a word \B at column 0", "leave it out"),
        (r"\pL", r"the Unicode property \p at column 0", "ranges"),
        (r"\0", r"the octal escape \0 at column 0", r"\x00"),
        (r"\x4", r"a \x without its 2 hexadecimal digits at column 0", r"\\x"),
        (r"\u{1F600}", r"a \u without its 4 hexadecimal digits at column 0", r"\\u"),
        (r"\ud83d\ude00", "an escape of no character at column 0", "the character itself"),
        (r"\U00110000", "an escape of no character at column 0", "the character itself"),
        ("bad \udcff", "a lone surrogate at column 4", "or . for it"),
        ("a|b|c|d|e|f|g|h|i", "one alternative too many at column 15", "at most 8"),
        (".+a" * 51, "102 literals and gaps in all at column 0", "at most 100"),
        ("a" * 20_001, "the pattern goes on (20,001 characters) at column 20000", "at most 20,000"),
    ],
)
def test_refuses(pattern: str, reason: str, remedy: str) -> None:
    with pytest.raises(patterns.PatternError) as refused:
        patterns.compile(pattern)
    assert refused.value.reason == reason
    assert remedy in refused.value.remedy
    assert str(refused.value) == f"{reason}; {refused.value.remedy}"


def test_remedies_that_are_patterns_are_accepted() -> None:
    for pattern in ("(?:a|b)", "(?P<name>.+)", "[Aa]", "[0-9, ]+", r"\x00", r"\(\?", "[^a-z]", r"\\q", "a{2,3}", r"\+"):
        patterns.compile(pattern)


def found(pattern: str, text: str) -> tuple[str, dict[int | str, str]] | None:
    """What a search finds: the text of the match, and the value of each hole by name or index."""
    match = patterns.compile(pattern).search(text)
    if match is None:
        return None
    return text[match.start : match.end], {hole.name or hole.index: hole.value for hole in match.holes}


@pytest.mark.parametrize(
    ("pattern", "text", "whole", "holes"),
    [
        (r"Expected .+, got .+\.", "E: Expected 3, got 4.\nMore.", "Expected 3, got 4.", {0: "3", 1: "4"}),
        (r"Expected .+, got .+\.", "Expected 1.5, got 2.5. See x.y.", "Expected 1.5, got 2.5.", {0: "1.5", 1: "2.5"}),
        (r"Expected .+, got .+\.", "Expected a, got b.)", "Expected a, got b.", {0: "a", 1: "b"}),
        ("Missing key .+", "KeyError: Missing key a b\nnext line", "Missing key a b", {0: "a b"}),
        (".+ must be .+", "line\nE: x must be int\ny must be z", "E: x must be int", {0: "E: x", 1: "int"}),
        (".+ must be", "line\n must be", "line\n must be", {0: "line\n"}),
        (r"[^x]+x", "aab\nbx", "aab\nbx", {0: "aab\nb"}),
        (r"key '[^']+'", "the key 'a b' and 'c'", "key 'a b'", {0: "a b"}),
        (r"code (\d+)", "code 404, no", "code 404", {0: "404"}),
        (r"in \S+", "in a.py: no", "in a.py:", {0: "a.py:"}),
        (
            r"(?P<n>\d+) errors? found(?: in (.+))?",
            "1 error found in a.py\n",
            "1 error found in a.py",
            {"n": "1", 1: "a.py"},
        ),
        (r"(?P<n>\d+) errors? found(?: in (.+))?", "12 errors found", "12 errors found", {"n": "12"}),
        (r"no .+?(?: \(line (?<line>\d+)\))?", "no a b (line 3)\n", "no a b (line 3)", {0: "a b", "line": "3"}),
        (r"foo(?: \(bar\))?", "a foo (bar) b", "foo (bar)", {}),
        (r"x:\s*(.+?)\s*$", "x:  a b \n", "x:  a b ", {0: "a b"}),
        ("(?:dtype|type) '(.+)'", "Unknown dtype 'a'", "dtype 'a'", {0: "a"}),
        ("(a|ab)(c|bcd)", "abcd", "abcd", {0: "a", 1: "bcd"}),
        ("()x", "x", "x", {0: ""}),
        ("a|ab", "xab", "a", {}),
        ("b|ab", "xab", "ab", {}),
        (".+", "one\ntwo", "one", {0: "one"}),
        ("a{2,3}", "aaaa", "aaa", {}),
        (".{2}", "abc", "ab", {0: "ab"}),
        (r"\bcat\b", "concat cat", "cat", {}),
        (r"\d+\b", "a1b 22", "22", {0: "22"}),
        (r"😀.\U0001F600", "a😀é😀", "😀é😀", {}),
        (r"[^\x00-\x7f]+", "ascii, élan", "é", {0: "é"}),
        (r"[一-鿿]+", "a 错误 b", "错误", {0: "错误"}),
        (r"\w+", "é_1", "_1", {0: "_1"}),
        (r"a\sb", "a\u00a0b a\tb", "a\tb", {}),
    ],
)
def test_finds(pattern: str, text: str, whole: str, holes: dict[int | str, str]) -> None:
    assert found(pattern, text) == (whole, holes)


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        ("[^x]+y", "xxxy"),
        (r"key '[^']+'", "key ''"),
        ("^a", "ba"),
        ("^a", "b\na"),
        ("a$", "a\nb"),
        (r"a\Z", "a\n"),
        (r"a\z", "a\n"),
        (r"\bcat", "concat"),
        (r"\d", "٣"),
        ("Error", "error"),
        ("a.{2,3}b", "a1b a1234b"),
        (".+?x.+?x.+?x.+?x.+?y", "x" * 400),
        (r"[^\s\S]", "a"),
    ],
)
def test_finds_nothing(pattern: str, text: str) -> None:
    assert found(pattern, text) is None


def test_search_from_a_start_keeps_the_text_s_own_start() -> None:
    program = patterns.compile("^a|b")
    assert [match and match.span for match in (program.search("aab", start) for start in (0, 1, 2, 3, 9, -5))] == [
        (0, 1),
        (2, 3),
        (2, 3),
        None,
        None,
        (0, 1),
    ]


def test_fullmatch_takes_the_first_branch_that_spans_the_text() -> None:
    match = patterns.compile(r"(\w+)|(.+) end").fullmatch("a b end")
    assert match == patterns.Match(0, 7, (patterns.Hole(1, None, 0, 3, "a b"),))
    assert patterns.compile("a|b").fullmatch("ab") is None
    assert patterns.compile("a$").fullmatch("a\n") is None


def test_placeholder_of_a_narrow_gap_does_not_match() -> None:
    assert not patterns.matches_template(r"Expected \d+ rows", "Expected {count} rows")
    assert patterns.matches_template(r"Expected .+ rows", "Expected {count} rows")


@pytest.mark.parametrize(
    ("pattern", "literals", "required", "specificity", "weak"),
    [
        (LAYER_IDS, ["DSPARK requires explicit layer_ids for aux hidden capture."], 1, 51, False),
        (ROW_COUNT, ["next_token_logits row count mismatch. Expected ", ", got ", "."], 3, 47, False),
        ("(?:dtype|type) .+ not (?:known)?", ["dtype", "type", " ", " not ", "known"], 2, 7, True),
        ("no|never", ["no", "never"], 2, 2, True),
        ("abort", ["abort"], 1, 5, False),
        ("={3,} failed", [" failed"], 1, 9, True),
        (r"=\s{9}={2,4}", ["="], 1, 3, False),
        (".+: .+", [": "], 1, 1, True),
        (r"\d+", [], 0, 0, True),
    ],
)
def test_measures(pattern: str, literals: list[str], required: int, specificity: int, *, weak: bool) -> None:
    program = patterns.compile(pattern)
    assert list(program.literals) == literals
    assert sum(map(len, program.required)) == required
    assert (program.specificity, program.is_weak) == (specificity, weak)


def test_json_is_the_documented_form() -> None:
    program = patterns.compile(r"^é (?P<n>[^'0-9]+)|(a|b{1,2})?\b$")
    assert program.to_json().decode() == (
        '{"branches":[[["at","^"],"é ",["gap",1,null,[true,[[39,39],[48,57]]],0]],'
        '[["or",[["a"],[["gap",1,2,[false,[[98,98]]],null]]],true,1],["edge",0],["at","$"]]],"holes":["n",null]}'
    )
    assert patterns.Program.from_json(program.to_json()) == program


@pytest.mark.parametrize("content", [b"", b"[]", b'{"branches":[[["gap",1]]]}', b'{"branches":[[["at","x"]]]}'])
def test_json_of_another_form_is_refused(content: bytes) -> None:
    with pytest.raises(msgspec.DecodeError):
        patterns.Program.from_json(content)


def test_programs_are_values() -> None:
    assert hash(patterns.compile(ROW_COUNT)) == hash(patterns.compile(ROW_COUNT))
    with pytest.raises(AttributeError):
        patterns.compile("a").holes = ()  # type: ignore[misc]


# Against Python's re, which runs only patterns that are made here


@st.composite
def sequences(draw: st.DrawFn, depth: int = 0) -> str:
    return "".join(draw(st.lists(items(depth), min_size=0, max_size=4)))


@st.composite
def items(draw: st.DrawFn, depth: int) -> str:
    kind = draw(st.sampled_from(["char", "char", "class", "class", "place", "group"]))
    if kind == "place":
        return draw(st.sampled_from(["^", "$", r"\b", r"\b", r"\A", r"\Z"]))
    if kind == "group" and depth < compiler.MAX_DEPTH:
        opening = draw(st.sampled_from(["(", "(?:"]))
        inside = "|".join(draw(st.lists(sequences(depth + 1), min_size=1, max_size=3)))
        return f"{opening}{inside}){draw(st.sampled_from(['', '', '?', '??']))}"
    if kind == "class":
        return draw(st.sampled_from(CLASSES)) + draw(st.sampled_from(QUANTIFIERS))
    return draw(st.sampled_from(CHARS)) + draw(st.sampled_from(["", "", "", "", *QUANTIFIERS]))


CHARS = ["a", "b", "c", " ", r"\n", r"\.", "x", r"\x61", "-", "é", "{", "]", "'"]
CLASSES = [".", ".", ".", "[^a]", "[ab]", "[^ab ]", "[a-c1]", "[]a-]", r"[^\n]", r"[\s\S]", r"[^\x00-\x7f]", r"[^\s\S]"]
CLASSES += [r"\d", r"\w", r"\s", r"\D", r"\W", r"\S", r"[\W\d]", r"[^\w.]"]
QUANTIFIERS = ["", "*", "+", "?", "*?", "+?", "??", "{2}", "{1,}", "{0,2}", "{1,3}", "{,2}", "{0}"]

PATTERNS = st.lists(sequences(), min_size=1, max_size=3).map("|".join).filter(bool)
TEXTS = st.text(alphabet="aaabbc x1\n.-é'{", max_size=16)


def compiled(pattern: str) -> tuple[patterns.Program, re.Pattern[str]]:
    """The program of `pattern`, and what `re` makes of it; both must read it or neither."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            reference = re.compile(pattern, re.DOTALL | re.ASCII)
        except re.error:
            reference = None
    try:
        program = patterns.compile(pattern)
    except patterns.PatternError:
        program = None
    assert (program is None) == (reference is None), pattern
    assume(program is not None)
    assert program is not None and reference is not None
    return program, reference


@settings(max_examples=600, deadline=None)
@given(pattern=PATTERNS, texts=st.lists(TEXTS, min_size=1, max_size=6), start=st.integers(0, 6))
def test_agrees_with_re(pattern: str, texts: list[str], start: int) -> None:
    program, reference = compiled(pattern)
    for text in texts:
        expected, match = reference.search(text, start), program.search(text, start)
        assert (match is None) == (expected is None)
        assert (program.fullmatch(text) is None) == (reference.fullmatch(text) is None)
        if match and expected and not any(_leads_open(branch) for branch in program.branches):
            assert match.start == expected.start()
        assert patterns.Program.from_json(program.to_json()) == program


@settings(max_examples=300, deadline=None)
@given(members=st.text(alphabet="ab-^]\\[.z0é|(*", min_size=1, max_size=6), text=TEXTS)
def test_class_of_escaped_members_is_those(members: str, text: str) -> None:
    written = "".join(f"\\{char}" if char in "-^]\\[" else char for char in members)
    for negated in ("", "^"):
        gap = patterns.compile(f"[{negated}{written}]").branches[0][0]
        assert isinstance(gap, Gap)
        for char in {*members, *text}:
            listed = any(low <= ord(char) <= high for low, high in classes.ranges_of(gap.chars))
            assert listed == ((char in members) != bool(negated))


@settings(max_examples=200, deadline=None)
@given(text=st.text(max_size=40).filter(bool))
def test_escaped_text_is_one_literal(text: str) -> None:
    assume(not any("\ud800" <= char <= "\udfff" for char in text))
    assert patterns.compile(re.escape(text)).literals == (text,)


# Against the rules for choosing a match, tried out one by one

Choice = tuple[int, dict[int, tuple[int, int]]]


def ways(pieces: Sequence[Piece], text: str, at: int, *, eager: bool = False) -> Iterator[Choice]:
    """Every way through `pieces` from `at`, the preferred first: its end and its holes."""
    if not pieces:
        yield at, {}
        return
    for end, holes in steps(pieces, text, at, eager=eager):
        for last, more in ways(pieces[1:], text, end, eager=eager):
            yield last, holes | more


def steps(pieces: Sequence[Piece], text: str, at: int, *, eager: bool) -> Iterator[Choice]:
    piece = pieces[0]
    if isinstance(piece, str):
        if text.startswith(piece, at):
            yield at + len(piece), {}
    elif isinstance(piece, Gap):
        ends = gap_ends(piece, text, at)
        for end in ends if piece.chars.is_any else reversed(ends):
            yield end, {} if piece.hole is None else {piece.hole: (at, end)}
    elif isinstance(piece, Or):
        chosen = [way for alternative in piece.alternatives for way in ways(alternative, text, at)]
        for end, holes in chosen:
            yield end, holes if piece.hole is None else holes | {piece.hole: (at, end)}
        if piece.skip and not (eager and chosen and may_stop(pieces)):
            yield at, {}
    elif isinstance(piece, At):
        at_end = at == len(text) or (piece.place == "$" and text[at:] == "\n")
        if at == 0 if piece.place == "^" else at_end:
            yield at, {}
    elif is_word(text, at - piece.back) != is_word(text, at - piece.back - 1):
        yield at, {}


def gap_ends(gap: Gap, text: str, at: int) -> list[int]:
    end = at
    while end < len(text) and any(low <= ord(text[end]) <= high for low, high in classes.ranges_of(gap.chars)):
        end += 1
    return list(range(at + gap.min, min(end, len(text) if gap.max is None else at + gap.max) + 1))


def is_word(text: str, at: int) -> bool:
    return 0 <= at < len(text) and text[at] in WORD


def may_stop(pieces: Sequence[Piece]) -> bool:
    return all(
        (isinstance(piece, Gap) and piece.min == 0) or (isinstance(piece, Or) and piece.skip) for piece in pieces
    )


def _leads_open(branch: Branch) -> bool:
    return bool(branch) and isinstance(branch[0], Gap) and branch[0].is_loose


def expected_begin(branch: Branch, text: str) -> int | None:
    begins = [at for at in range(len(text) + 1) if next(ways(branch, text, at), None)]
    if not begins or not _leads_open(branch):
        return begins[0] if begins else None
    assert isinstance(branch[0], Gap)
    rest = next(at for at in range(branch[0].min, len(text) + 1) if next(ways(branch[1:], text, at), None))
    return text.rfind("\n", 0, rest - branch[0].min) + 1


def ends_open(pieces: Sequence[Piece]) -> bool:
    for index in range(len(pieces) - 1, -1, -1):
        piece = pieces[index]
        if isinstance(piece, Gap) and piece.is_loose:
            return True
        if isinstance(piece, Or) and any(ends_open(alternative) for alternative in piece.alternatives):
            return True
        if not isinstance(piece, At | Edge) and not may_stop([piece]):
            return False
    return False


def expected_end(branch: Branch, text: str, begin: int) -> int:
    ends = {end for end, _ in ways(branch, text, begin, eager=True)}
    candidates = []
    for low in sorted(end for end in ends if end - 1 not in ends):
        high = next(end for end in range(low, len(text) + 1) if end + 1 not in ends)
        lines = [end for end in range(low, high) if text[end] == "\n"] if ends_open(branch) else []
        candidates.append(lines[0] if lines else high)
    after = {"\n"} if ends_open(branch) else SPACE
    return next((end for end in candidates if end == len(text) or text[end] in after), candidates[0])


@settings(max_examples=600, deadline=None)
@given(
    pattern=sequences(depth=1).filter(bool), texts=st.lists(st.text("aab 1\n.x", max_size=9), min_size=1, max_size=4)
)
def test_chooses_as_the_rules_say(pattern: str, texts: list[str]) -> None:
    program, _ = compiled(pattern)
    [branch] = program.branches
    for text in texts:
        begin, match = expected_begin(branch, text), program.search(text)
        if begin is None or match is None:
            assert match is None and begin is None
            continue
        end = expected_end(branch, text, begin)
        holes = next(holes for last, holes in ways(branch, text, begin, eager=True) if last == end)
        assert match.span == (begin, end)
        assert {hole.index: (hole.start, hole.end) for hole in match.holes} == holes


# Sets of positions

SETS = st.sets(st.integers(0, 30))


def as_intervals(members: set[int]) -> intervals.Positions:
    positions: intervals.Positions = []
    for member in sorted(members):
        intervals.add(positions, member, member)
    return positions


@settings(deadline=None)
@given(one=SETS, other=SETS, at=st.integers(0, 30))
def test_intervals_are_sets(one: set[int], other: set[int], at: int) -> None:
    left, right = as_intervals(one), as_intervals(other)
    assert intervals.union(left, right) == as_intervals(one | other)
    assert intervals.intersection(left, right) == as_intervals(one & other)
    assert intervals.difference(left, right) == as_intervals(one - other)
    assert intervals.holds(left, at) == (at in one)
    if any(member >= at for member in one):
        assert intervals.first_from(left, at) == min(member for member in one if member >= at)
    if any(member <= at for member in one):
        assert intervals.last_up_to(left, at) == max(member for member in one if member <= at)


@settings(deadline=None)
@given(
    unit=st.text("ab", min_size=1, max_size=4),
    times=st.integers(1, 6),
    rest=st.text("ab", max_size=3),
    parts=st.lists(st.sampled_from(["a", "b", "ab", "aab", "c", "a" * 9, "ab" * 6]), max_size=12),
    positions=SETS.filter(bool),
)
def test_literal_is_found_at_every_position(
    unit: str, times: int, rest: str, parts: list[str], positions: set[int]
) -> None:
    literal, text = unit * times + rest, unit.join(parts) + unit * times + rest
    ends = Scan(text).after_literal(literal, as_intervals(positions), first=False)
    assert ends == as_intervals({at + len(literal) for at in positions if text.startswith(literal, at)})


# Hostile patterns and texts: the bound of the time is counted in steps


HOSTILE = {
    "five lazy gaps": (".+?x.+?x.+?x.+?x.+?y", "x"),
    "five lazy gaps, end there": (".+?x.+?x.+?x.+?x.+?z", "x"),
    "many greedy gaps": ("a.*" * 49 + "z", "ab"),
    "bounded gaps": ("[ab]{1,9}a[ab]{1,9}a[ab]{1,9}a[ab]{1,9}z", "ab"),
    "gaps of one class": (r"\w+" * 20 + r"\d{3}z", "a"),
    "words": (r"\b\w+\b\s*\b\w+\b\s*\b\w+\bz", "a "),
    "classes that end often": ("[^a]*b[^b]*a[^a]*b[^b]*z", "ab"),
    "optional everywhere": ("(?:a|ab|b)?" * 24 + "z", "ab"),
    "open groups": ("(?:.*a|.*b|.*)(?:a.*|b.*)(?:.*|.+)z", "ab"),
    "optional groups at the end": (".+(?: a.+)?(?: b.+)?", " a b"),
    "white space": (r"\s*a\s*b\s*", " \n\t "),
    "a literal that repeats": (".+" + "a" * 100 + "z", "a"),
    "one large class": ("[^\\x00-\\x7f]+a[一-鿿]*z", "é一"),
}


@pytest.mark.parametrize(("pattern", "unit"), HOSTILE.values(), ids=HOSTILE)
def test_twice_the_text_takes_twice_the_steps(pattern: str, unit: str) -> None:
    program = patterns.compile(pattern)
    for last in ("z", ""):
        costs = [program.cost(unit * count + last) for count in (500, 1000, 2000)]
        assert costs[2] - costs[1] <= 2.1 * (costs[1] - costs[0]) + 100
        assert costs[2] <= (2000 * len(unit) + 1) * len(program.to_json())


def test_steps_of_a_plain_search_are_few() -> None:
    text = "an ordinary line of a log, and nothing more\n" * 25
    assert patterns.compile(ROW_COUNT).cost(text) <= len(text) + 1


@pytest.mark.parametrize(
    "pattern", ["(" * 20_000, "[" * 20_000, "{" * 20_000, "{1" * 9_999, "a|" * 9_999, "\\" * 19_999]
)
def test_hostile_patterns_are_read_in_one_go(pattern: str) -> None:
    try:
        patterns.compile(pattern)
    except patterns.PatternError as refused:
        assert refused.column < len(pattern)


def test_longest_pattern_is_read_and_found() -> None:
    message = "message (with) {all} sorts. " * 500
    assert patterns.matches_template(re.escape(message), f"E: {message}")


def test_package_imports_nothing_else_of_generator() -> None:
    package = Path(patterns.__file__).parent
    for module in package.glob("*.py"):
        for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("generator"):
                assert (node.module or "").startswith("generator.patterns"), module
