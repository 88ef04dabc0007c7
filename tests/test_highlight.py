"""Highlighting: byte for byte what pymdownx gives when superfences asks it, token for token what Pygments gives."""

import re
import sysconfig
import time
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from pygments.lexer import RegexLexer, bygroups, combined, default, include, inherit, this, using, words
from pygments.lexers import get_lexer_by_name
from pygments.token import Comment, Keyword, Name, Number, Operator, Punctuation, String, Text
from pymdownx.highlight import Highlight

from generator import firsts, highlight, languages, lexer
from generator.formatting import UnknownFormError, Writer
from generator.lexing import accelerated, tokens
from tests import sites, strategies

LANGUAGES = sorted(
    {languages.language(f"x{name}") for name in re.findall(r"\.\w+", Path(languages.__file__).read_text("utf-8"))}
)
OWN_NAMES = sorted({languages.language(name) for name in ("CMakeLists.txt", "Dockerfile", "Makefile")})
ALL = sorted({*LANGUAGES, *OWN_NAMES, languages.PLAIN, lexer.ALIAS})
AS_THEY_ARE = {"csharp", "json", "make", "ruby", "terraform", "text", "yaml", lexer.ALIAS}
SUFFIXES = (
    ".py",
    ".pyi",
    ".js",
    ".css",
    ".html",
    ".json",
    ".toml",
    ".yml",
    ".h",
    ".md",
    ".cfg",
    ".c",
    ".cpp",
    ".xml",
    ".ts",
    ".sh",
)

SNIPPETS = {
    "bash": 'cat <<-"EOF" | sed \'s/a/b/\'\n\t$x ${y:-$(z `w`)} $((1+2))\n\tEOF\nif [ "$a" = b ]; then echo; fi # d',
    "batch": '@echo off\nif exist %1 (goto :end) else set /a x=%y%+1\n:end\nrem done\ncall :f "%~dp0" ^\n more',
    "c": '#if 0\nint dead;\n#endif\n#include <a.h>\nsize_t f(uint8_t *p) { return "\\x41"; } /* pid_t */ atomic_int g;',
    "clojure": '(defn f [^String x & more] (if-let [y :k] #{1 2/3 \\a} {:a "b" ::c #"d"})) ; e',
    "cmake": 'if(NOT ${X} MATCHES "^a") # b\n  set(Y [==[ long ]] ]==] CACHE STRING "")\nendif()\n#[[ c ]]',
    "cpp": 'template <class T> auto f = R"x(a)" b)x"; class A final : B { A() = 0; }; // c\nstd::size_t g{u8"h"};',
    "csharp": 'namespace A.B { [C] class D<T> { string e = @"f""g"; int H => 1; } } #region i',
    "css": '@media (a: b) { #c > .d:hover::before { e: f(1px, "g") !important; --h: #FFF } } /* i */',
    "cython": "cimport a\ncdef class B:\n    cpdef int c(self, double *d) except? -1 nogil: return <int>d # e",
    "dart": "import 'a'; @b class C<D> extends E { final f = 'g ${h + \"i\"} $j'; Future<K>? l() async* {} } // m",
    "docker": 'FROM a:b AS c\nRUN d && \\\n  e "f"\nCOPY --from=c g h\nONBUILD ENV i=$j # k\nCMD ["l"]',
    "elixir": 'defmodule A.B do\n  @doc ~S"""\n  c #{d}\n  """\n  def e(f), do: :g |> h("#{i}", ~r/j/) # k\nend',
    "erlang": "-module(a).\nf(X) when X > 1 -> <<Y:8/binary>> = b, #r{c = $d}, ?M, fun g/1. % h",
    "fsharp": 'module A\nlet rec f (x: int) = match x with | B y -> async { return $"{y}" } | _ -> """c""" // (* d *)',
    "go": "package a\nfunc (b *C) D(e ...int) (f error) { g := `h`; defer i(); return <-j + 0x1F + 'k' } // l",
    "groovy": 'def a = "b ${c.d}" // e\n@F class G { String h = """i"""; def j() { k =~ /l/ } }',
    "haskell": "module A (b) where\nimport C as D\nf :: G a => a -> Maybe 'H'\nf x = [y | y <- x] {- {- -} -}",
    "html": '<!DOCTYPE html><a href="b?c&amp;d" e=f>g</a><script>h < i("</p>");</script><style>j{k:l}</style><!-- -->',
    "ini": "[a]\nb = c ; d\n# e\nf: g\n  h",
    "java": "package a.b; @C(d = 1) public class E<F> extends G { String h() { return \"i\" + 'j' + 0x1L; } } /* k */",
    "javascript": "import a from 'b'; const c = async (d) => `e ${f(`g`)} h` ?? /i[/]j/gi; class K { #l = 1n } // m",
    "json": '{"a": [1, -2.5e3, true, null], "b\\u00e9": "c\\n"} // d\n/* e */ {f',
    "julia": 'function f(x::T, y...) where {T<:Real}\n  "a $(b + 1) $c" * r"d"i; :e; \'f\'; @g 1.0im\nend # h',
    "kotlin": 'package a\ndata class B(val c: D?) : E<F>() { fun `g h`() = "i $j ${k.l}" + """m""" } // n',
    "lua": "--[==[ a ]] ]==] local b = [[c]] function d.e:f(...) return string.format('%s', g) end -- h",
    "make": "a := $(shell b) c\n.PHONY: d\nd: e | f\n\t@echo $@ $(g:%.h=%.i) # j\nifdef k\ninclude l\nendif",
    "nix": "{ a ? b, ... }: let c = \"d ${e}\"; in ''f ${g} ''''' // rec { inherit (h) i; j = ./k; } # l",
    "objective-c": '@interface A : NSObject <B>\n- (void)c:(int)d e:(NSString *)f;\n@end\nid g = @[@"h", @1]; // i',
    "ocaml": 'let rec f (x : int) = match x with | A.B y -> `C | _ -> "d\\n" ^ {|e|} (* g (* h *) *)',
    "perl": "my %a = (b => qw{c d}); $e =~ s{f}{g}xms; print <<'H';\ni $j\nH\n=pod\n\nk\n\n=cut\nsub l { @_ }",
    "php": 'text <?php namespace A; function b(?C $d): array { ["e $f[g] {$h->i}" => sort(<<<X\n j $k\nX\n)]; } ?> <b>',
    "powershell": 'function A-B { param([string]$c = "d $($e.f)") @"\ng\n"@ | Where-Object { $_ -eq 1 } } <# h #>',
    "protobuf": 'syntax = "proto3";\npackage a.b;\nmessage C { optional D e = 1 [f = true]; } // g\nenum H { I = 0; }',
    "python": '@a\nasync def b(c: int = 0x1F, *d) -> "e":\n    """f"""\n    return rf"{c!r:>{d}} \\n" or b\'g\' # h',
    "r": 'f <- function(x, ...) { y %in% c(TRUE, NA, 1e-3L); `a b` <- "c" } # d',
    "rst": "A\n===\n\n.. code-block:: python\n\n   def b(): pass\n\n`c <d>`_ **e** :f:`g` ``h`` [1]_ |i|\n\n.. _j: k",
    "ruby": 'def a?(b:, **c) = "d #{e ? %w[f g] : :h}"\n<<~X\n  i #{j}\nX\n=begin\nk\n=end\n/l#{m}/x =~ n',
    "rust": '#[a(b = "c")] pub fn d<\'e, T: F>(g: &\'e str) -> u8 { r#"h""#; b\'i\'; 1_u8; j!{k} } /* l /* m */ */',
    "scala": 'package a\ncase class B[C](d: E) extends F { def g = s"h ${i} $j" + """k""" } // l',
    "sql": "SELECT a.\"b\", 'c''d' FROM e -- f\nWHERE g IN (1, 2.5) /* h */ ORDER BY i DESC;",
    "swift": '@a class B: C { func d(_ e: F?) throws -> [G] { "h \\(i + "j")" } } // k\n#if os(macOS)\n#endif',
    "terraform": 'resource "a" "b" {\n  c = "d ${var.e}"\n  f = <<-X\n    g\n  X\n} # h',
    "toml": '[a."b"]\nc = 1979-05-27T07:32:00Z # d\ne = [1, \'f\', """g\\\n h"""]\n[[i]]\nj = inf',
    "typescript": "type A<B extends C = D> = { readonly e?: F[] }; class G { @h() i!: any = <J>k as `l${m}`; }",
    "vb.net": 'Public Class A\n  Inherits B\n  Function C(ByVal d As E) As F \' g\n    Return "h""i"\nEnd Class',
    "xml": '<?xml version="1.0"?><!DOCTYPE a><a:b c="d&lt;">e<![CDATA[ <f> ]]></a:b><!-- g -->',
    "yaml": "a: &b !!str 'c'\n- d: |\n    e\n  f: {g: [1, *b]} # h\n---\n? i\n: >-\n  j",
    "zig": 'const a = @import("b"); pub fn c(d: []const u8) !void { if (d.len == 0) return error.E; } // f\n\\\\ g',
    "message": "cannot open {path!r}: {0} {unbalanced {nested {x}} é <b> & 'c' \"d\"",
    "nothing": "",
    "white space": "\n\n  \n\t\n",
}
BLOCKS: tuple[Mapping[str, Any], ...] = (
    {},
    {"start": 8, "marked": 3},
    {"start": 98, "marked": 1, "classes": ("edx-a", "edx-b")},
    {"marked": 2, "title": 'Before & "after" <code>'},
    {"start": 1, "marked": 10_000, "classes": ("x",), "title": " 7 0 "},
)


@pytest.fixture(autouse=True)
def shipped() -> Iterator[None]:
    """Each test begins and ends with the shipped settings."""
    highlight.configure(highlight.SHIPPED)
    yield
    highlight.configure(highlight.SHIPPED)


def same(text: str, language: str, options: Mapping[str, Any], used: Mapping[str, Any] = highlight.SHIPPED) -> None:
    """Our block is what a new `Highlight` gives when it is called as superfences calls it."""
    block = {"start": 0, "marked": 0, "classes": (), "title": "", **options}
    expected = Highlight(None, **used).highlight(
        text,
        language,
        "highlight",
        hl_lines=[block["marked"]] if block["marked"] else [],
        linestart=block["start"] or -1,
        linestep=-1,
        linespecial=-1,
        classes=list(block["classes"]),
        id_value="",
        attrs={},
        title=block["title"] or None,
        code_block_count=0,
    )
    assert highlight.block(text, language, **block) == expected


def folders() -> Iterator[Path]:
    """Where files in many languages are on any machine: this project, Python, its packages and headers."""
    yield from (sites.ROOT / "generator", sites.ROOT / "tests", sites.ROOT / "overrides")
    yield from (Path(sysconfig.get_path(name)) for name in ("stdlib", "purelib", "include"))


@cache
def excerpts() -> tuple[tuple[str, str], ...]:
    """(language, about 40 lines) of real files: up to six of a suffix in each folder, from their middle."""
    found: list[tuple[str, str]] = []
    for folder in folders():
        files = [path for depth in ("*", "*/*", "*/*/*") for path in sorted(folder.glob(depth)) if path.suffix]
        for suffix in SUFFIXES:
            paths = [path for path in files if path.name.endswith(suffix)]
            for path in paths[:: len(paths) // 6 + 1]:
                lines = path.read_text("utf-8", "replace").split("\n")
                text = "\n".join(line[:300] for line in lines[len(lines) // 2 :][:40])
                found.append((languages.language(path.name), text))
    return tuple(found)


def test_every_language_has_a_snippet() -> None:
    assert {*ALL} - SNIPPETS.keys() == {languages.PLAIN, lexer.ALIAS}
    assert len(excerpts()) > 50


@pytest.mark.parametrize("language", ALL)
def test_snippets_of_all_languages_read_as_one(language: str) -> None:
    for number, text in enumerate(SNIPPETS.values()):
        same(text, language, BLOCKS[number % len(BLOCKS)])


@pytest.mark.parametrize("options", BLOCKS, ids=str)
def test_excerpts_of_real_files(options: Mapping[str, Any]) -> None:
    for language, text in excerpts():
        same(text, language, options)


@pytest.mark.parametrize("language", ALL)
def test_excerpts_read_as_another_language(language: str) -> None:
    for _, text in excerpts()[:: len(excerpts()) // 12 + 1]:
        same(text, language, {"start": 95, "marked": 5})


code = st.lists(
    st.one_of(
        st.sampled_from([part for text in SNIPPETS.values() for part in re.findall(r"\w+|\s+|[^\w\s]+", text)]),
        strategies.code_text,
    ),
    max_size=30,
).map("".join)


@settings(max_examples=600)
@given(
    code,
    st.sampled_from(ALL),
    st.integers(0, 1_002),
    st.integers(0, 5),
    st.sampled_from([(), ("a",), ("edx-a", "b")]),
    st.one_of(st.just(""), strategies.one_line),
)
@example("\ufeffx\r\ny\r", "python", 9, 2, (), "")
@example("", "html", 1, 1, (), "")
def test_any_text(text: str, language: str, start: int, marked: int, classes: tuple[str, ...], title: str) -> None:
    same(text, language, {"start": start, "marked": marked, "classes": classes, "title": title})


@settings(max_examples=300)
@given(code, st.sampled_from(sorted({*ALL} - AS_THEY_ARE)))
def test_tokens_are_those_of_pygments(text: str, language: str) -> None:
    stock = get_lexer_by_name(language, stripnl=False)
    fast = accelerated(stock)
    assert list(fast.get_tokens(text)) == list(stock.get_tokens(text))
    assert list(tokens(fast, text)) == list(stock.get_tokens(text))


@cache
def rules() -> list[re.Pattern[str]]:
    """The distinct rules of all lexers."""
    kinds: list[Any] = [type(get_lexer_by_name(language)) for language in sorted({*ALL} - AS_THEY_ARE)]
    found = {rule[0].__self__ for kind in (*kinds, Base) for state in kind()._tokens.values() for rule in state}
    return sorted(found, key=lambda rule: (rule.pattern, rule.flags))


@settings(max_examples=300)
@given(st.data())
def test_a_rule_begins_only_with_what_it_is_said_to(data: st.DataObject) -> None:
    rule = data.draw(st.sampled_from(rules()))
    text = data.draw(st.one_of(st.from_regex(rule), code))
    said = firsts.begins(rule.pattern, rule.flags)
    for at, char in enumerate(text):
        if found := rule.match(text, at):
            assert said == firsts.ANY or found.group()
            assert said >> min(ord(char), 128) & 1, (rule, text, at)


def test_what_most_rules_of_python_begin_with_is_known() -> None:
    kind: Any = type(get_lexer_by_name("python"))
    known = [firsts.begins(rule[0].__self__.pattern, rule[0].__self__.flags) for rule in kind()._tokens["root"]]
    assert sum(begins != firsts.ANY for begins in known) > len(known) * 0.9


@pytest.mark.parametrize("language", ALL)
def test_lexers_of_another_kind_are_left_as_they_are(language: str) -> None:
    stock = get_lexer_by_name(language, stripnl=False)
    assert (accelerated(stock) is stock) == (language in AS_THEY_ARE)


def _placeless(found: Iterable[tuple[int, Any, str]]) -> list[tuple[Any, str]]:
    return [(kind, value) for _, kind, value in found]


groups: Any = bygroups
to_lexer: Any = using


class Base(RegexLexer):
    """Every form that rules may have; text of a small alphabet comes to all of them."""

    name = "Base"
    aliases: ClassVar[list[str]] = ["base"]
    flags = re.MULTILINE | re.IGNORECASE
    tokens: ClassVar[dict[str, Any]] = {
        "root": [
            include("space"),
            (r"#.*$", Comment),
            (r"(?P<quote>['\"])((?:(?!(?P=quote)).)*)((?P=quote))", groups(Punctuation, String, Punctuation)),
            (r"(a)(b)?\1", groups(Name, Operator)),
            (words(("if", "in", "abc"), prefix=r"\b", suffix=r"\b"), Keyword),
            (r"(?s)<.*?>", String.Doc),
            (r"(?x) b (?P<second> c ) [)(] # not ( a group", Number),
            (r"[](b]\(", Operator, ("inner", "#push")),
            (r"{", Punctuation, "inner"),
            (r"\(", Punctuation, "alone"),
            (r"A", Name.Tag, "nothing"),
            (r"\[", Punctuation, combined("space", "inner")),
            (r"(?P<first>i)(?P<rest>[)(\]]+)", groups(Name.Label, Punctuation)),
            (r"(?<=a)=(?=b)", Operator.Word),
            (r"(\w)(:)(.*)$", groups(Name, None, to_lexer(this, state="inner"))),
        ],
        "space": [(r"[ \t]+", Text)],
        "inner": [
            (r"}", Punctuation, "#pop"),
            (r"}}", Punctuation, "#pop:2"),
            include("root"),
            (r"\n", Text, ("#pop", "last")),
        ],
        "last": [(r"\d+", Number, "#push"), (r"c", Name, "#pop:3"), (r"\n", Text, "#pop"), default(("#pop", "empty"))],
        "alone": [(r"(?x) (?s) (.) \1 # flags twice", String, "#pop"), (r"a.", Name), default("#pop")],
        "nothing": [],
        "empty": [(r"b", Name), default("#pop")],
    }


class Derived(Base):
    """Rules of one's own before and after those inherited."""

    name = "Derived"
    aliases: ClassVar[list[str]] = ["derived"]
    tokens: ClassVar[dict[str, Any]] = {"root": [(r"a+\b", Name.Class), inherit, (r"c", Name.Other)]}


@settings(max_examples=500)
@given(st.sampled_from([Base, Derived]), st.text("abciIfnA1<>{}()[]:=#'\" \n", max_size=40))
def test_every_form_of_rule(kind: type[RegexLexer], text: str) -> None:
    stock: Any = kind()
    fast: Any = accelerated(stock)
    assert fast is not stock
    assert list(tokens(fast, text)) == list(stock.get_tokens(text))
    assert _placeless(fast.get_tokens_unprocessed(text, ("root", "inner"))) == _placeless(
        stock.get_tokens_unprocessed(text, ("root", "inner"))
    )


@pytest.mark.parametrize(
    "changes",
    [
        {"linenums_style": "table"},
        {"linenums_style": "inline"},
        {"linenums": True},
        {"linenums": False},
        {"linenums_special": 2},
        {"noclasses": True},
        {"noclasses": True, "pygments_style": "monokai"},
        {"pygments_style": "monokai"},
        {"pygments_lang_class": True},
        {"pygments_lang_class": True, "language_prefix": "lang-"},
        {"line_spans": "__span", "anchor_linenums": True},
        {"line_anchors": "a"},
        {"stripnl": True},
        {"guess_lang": True},
        {"use_pygments": False},
        {"auto_title": True, "auto_title_map": {"Python": "Py"}},
        {"default_lang": "python"},
        {"extend_pygments_lang": [{"name": "text", "lang": "php", "options": {"startinline": True}}]},
        {"code_attr_on_pre": True},
    ],
    ids=str,
)
def test_settings_of_the_site(changes: Mapping[str, Any]) -> None:
    used = {**highlight.SHIPPED, **changes}
    highlight.configure(used)
    for text in (SNIPPETS["cpp"], SNIPPETS["php"], "\n\nx = {1: '<&>'}\n\n", ""):
        for language in ("python", "text", "unknown", "cpp", ""):
            for options in BLOCKS:
                same(text, language, options, used)


def test_a_table_of_another_form_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    stock = Base()
    monkeypatch.setattr(type(Base), "process_tokendef", lambda *_: {"root": [("a", Text, None)]})
    assert accelerated(stock) is stock


def test_another_formatter_is_noticed() -> None:
    class Another(Highlight):  # type: ignore[misc]
        def highlight(self, *args: Any, **options: Any) -> str:
            return str(super().highlight(*args, **options)).replace("linenos", "number")

    class Merging(Highlight):  # type: ignore[misc]
        def highlight(self, *args: Any, **options: Any) -> str:
            return str(super().highlight(*args, **options)).replace("</span><span", "</span> <span")

    class Bare(Highlight):  # type: ignore[misc]
        def highlight(self, *args: Any, **options: Any) -> str:
            return re.sub("</?code>", "", str(super().highlight(*args, **options)))

    Writer(Another(None, **highlight.SHIPPED))
    for kind in (Merging, Bare):
        with pytest.raises(UnknownFormError):
            Writer(kind(None, **highlight.SHIPPED))


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("python", "x" * (highlight.MAX_CHARACTERS + 1)),
        ("python", "x" * (highlight.MAX_LINE_CHARACTERS + 1)),
        ("python", "x = 1\n" + " \n" * highlight.MAX_RUN_CHARACTERS),
        ("terraform", "a = 1\n" * highlight.MAX_CHARACTERS_OF["terraform"]),
        ("java", "a b\n" * highlight.MAX_RUN_CHARACTERS),
    ],
)
def test_a_block_that_may_take_long_is_plain(language: str, text: str) -> None:
    assert highlight.shown_language(text, language) == languages.PLAIN


@pytest.mark.parametrize("language", ["python", "c", "cpp", "java", "csharp", "terraform"])
def test_ordinary_blocks_are_not_plain(language: str) -> None:
    assert highlight.shown_language("x = f(y)  # why\n" * 200, language) == language


@pytest.mark.parametrize(
    ("language", "unit"),
    [
        *[(language, "\n") for language in ("c", "cpp", "csharp", "java", "groovy", "python", "cython")],
        *[(language, "a\n") for language in ("csharp", "java", "groovy")],
        ("java", "a b "),
        ("terraform", "<<a\n"),
        ("perl", "m{"),
        ("html", "<?"),
    ],
)
def test_hostile_code_takes_bounded_time(language: str, unit: str) -> None:
    started = time.process_time()
    for size in (highlight.MAX_RUN_CHARACTERS, 5_000, highlight.MAX_CHARACTERS):
        text = "\n".join(re.findall(r"[\s\S]{1,1990}", unit * size)) if "\n" not in unit else unit * size
        text = text[:size]
        highlight.block(text, highlight.shown_language(text, language), 1, 1, (), "")
    assert time.process_time() - started < 10  # most took minutes without bounds
