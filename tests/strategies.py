"""Hypothesis strategies: hostile text, and whole records that are valid although every field is filled with it."""

import json
from typing import Any

from hypothesis import strategies as st

from tests import samples

MARKDOWN = (
    *("# ", "## ", "#", "+ ", "- ", "* ", "> ", "!", "![", "](", "[", "]", "[x]: ", "[^1]", "*[x]: ", "(", ")"),
    *(
        "1. ",
        "12) ",
        "١. ",
        "***",
        "**",
        "*",
        "__",
        "_",
        "`",
        "``",
        "```",
        "~~~",
        "~~",
        "\\",
        "\\\\",
        "|",
        "|---|",
        "&",
    ),
    *("---", "===", ": ", "::: ", "??? ", "!!! note", "/// ", "{", "}", "{ .x }", "{: #main }", " {#search}", "{1}"),
    *("==", "^^", "$", "$$", "\\(", "\\[", ":smile:", "--8<-- ", '"/etc/hostname"', ";--8<--", "\t", "    ", "  ", " "),
    *("http://a.b/c_d_e", "www.a.b", "<http://a.b>", "<a@b.c>", "[click](javascript:alert(1))", "wzxhzdk:0", "C#"),
)
HTML = (
    *("<", ">", "</", "/>", "<b>", "</p>", "</code>", "<script>alert(1)</script>", "<!--", "-->", "<![CDATA[", "<?"),
    *(
        "&amp;",
        "&lt;",
        "&#60;",
        "&nbsp;",
        "&",
        '"',
        "'",
        '" onmouseover="alert(1)',
        "<img src=x onerror=alert(1)>",
        "]]>",
    ),
)
TEMPLATES = ("{{", "}}", "{%", "%}", "{#", "#}", "{{ 7*7 }}", "{% raw %}", "${x}", "<%= x %>", "{{{", "%s", "{0}")
SPACES = (
    "\n",
    "\r\n",
    "\n\n",
    "\r",
    "\t",
    "\f",
    "\v",
    "\x1c",
    "\x1f",
    "\x85",
    "\xa0",
    "\u2003",
    "\u2028",
    "\u2029",
    "\u3000",
)
ACTING = (
    *(
        "\x00",
        "\x01",
        "\x02",
        "\x03",
        "\x07",
        "\x08",
        "\x1b[31m",
        "\x7f",
        "\x80",
        "\x9b",
        "\xad",
        "\u200b",
        "\u200c",
        "\u200d",
    ),
    *(
        "\u200e",
        "\u202a",
        "\u202e",
        "\u2066",
        "\u2069",
        "\u2060",
        "\u180e",
        "\ufeff",
        "\ufff9",
        "\ufffe",
        "\uffff",
        "\u034f",
    ),
    *("\U000e0041", "\U000e0100", "\U0001d173", "\U0001bca0", "\u061c", "\u3164", "\u115f"),
)
SCRIPTS = (
    *(
        "é",
        "e\u0301",
        "ß",
        "İ",
        "ı",
        "\u212a",
        "日本",
        "עברית",
        "ไทย",
        "नमस्ते",
        "👩\u200d👩\u200d👧",
        "🇨🇭",
        "\ufe0f",
        "\U0010ffff",
    ),
    *(
        "\ue000",
        "\ue001",
        "\uf8ff",
        "\U000f0000",
        "\U0001d49c",
        "word",
        "a",
        "Z",
        "0",
        "9",
        ".",
        "-",
        "/",
        ":",
        ";",
        ",",
    ),
)
NASTY = (*MARKDOWN, *HTML, *TEMPLATES, *SPACES, *ACTING, *SCRIPTS)

any_character = st.characters(exclude_categories=["Cs"])
nasty_text = st.lists(st.one_of(st.sampled_from(NASTY), any_character), max_size=12).map("".join)
"""Whatever a text field may hold: all of Unicode but lone surrogates; syntax far more often than by chance."""

one_line = nasty_text.map(lambda text: " ".join(text.split()))
code_text = st.lists(
    st.one_of(
        st.sampled_from((*NASTY, "\n", "\n", "\n\n", "\n```\n", "\n````", "\n~~~~\n", "  \n", "\t\n", "\\\n")),
        any_character,
    ),
    max_size=14,
).map("".join)
long_word = st.integers(500, 3000).map(lambda count: "x" * count)


def words(alphabet: str, least: int, most: int) -> st.SearchStrategy[str]:
    """Texts of `least` to `most` characters of an alphabet."""
    return st.text(alphabet, min_size=least, max_size=most)


_LOWER = "abcdefghijklmnopqrstuvwxyz"
_DIGITS = "0123456789"
_HEX = "0123456789abcdef"

owners = words(_LOWER.upper() + _LOWER + _DIGITS, 1, 12)
names = words(_LOWER + _DIGITS + "._-", 1, 12).filter(lambda name: name.strip("."))
repos = st.tuples(owners, names).map("/".join)
ids = words(_HEX, 16, 16)
slugs = st.one_of(
    words(_LOWER + _DIGITS + "-", 1, 50),
    st.sampled_from(
        ("index", "page", "con", "aux.txt", "404", "sitemap.xml", "assets", "tags", "a.b", "..x", "é", "x" * 300)
    ),
)
shas = words(_HEX, 40, 40)
stamps = st.datetimes().map(lambda moment: moment.isoformat(timespec="milliseconds") + "Z")
paths = st.lists(words(_LOWER + "ABC_ -é#?%'\"&", 1, 8), min_size=1, max_size=4).map("/".join).filter(str.strip)


def _name() -> st.SearchStrategy[str]:
    return one_line.map(lambda text: "".join(char for char in text if char.isprintable())[:80].strip()).filter(bool)


@st.composite
def records(draw: st.DrawFn) -> dict[str, Any]:
    """A valid record (a bare one, as JSON has it), each text of it hostile."""
    repo, sha, path = draw(repos), draw(shas), draw(paths)
    message = draw(st.one_of(nasty_text, long_word).filter(str.strip))
    code = draw(code_text)
    start = draw(st.integers(1, 99_000))
    end = start + max(code.count("\n") + (not code.endswith("\n")), 1) - 1
    maybe_code = st.one_of(st.none(), code_text)
    return {
        "id": draw(ids),
        "repo": repo,
        "slug": draw(slugs),
        "errorCode": draw(st.one_of(st.none(), _name())),
        "errorMessage": message,
        "messagePattern": samples.pattern_of(message),
        "errorType": draw(_name()),
        "errorClass": draw(_name()),
        "httpStatus": draw(st.one_of(st.none(), st.integers(100, 599))),
        "severity": draw(st.sampled_from(("critical", "error", "warning", "info"))),
        "filePath": path,
        "lineNumber": draw(st.integers(start, end)),
        "sourceCode": code,
        "sourceCodeStart": start,
        "sourceCodeEnd": end,
        "githubUrl": f"https://github.com/{repo}/blob/{sha}/{_quoted(path)}#L{start}-L{end}",
        "documentation": draw(nasty_text),
        "triggerScenarios": draw(nasty_text),
        "commonSituations": draw(nasty_text),
        "solutions": draw(st.lists(nasty_text, max_size=3)),
        "exampleFix": draw(maybe_code),
        "handlingStrategy": draw(nasty_text),
        "validationCode": draw(maybe_code),
        "typeGuard": draw(maybe_code),
        "tryCatchPattern": draw(maybe_code),
        "preventionTips": draw(st.lists(nasty_text, max_size=3)),
        "tags": draw(st.lists(_name(), max_size=3)),
        "backgroundTag": draw(st.one_of(st.none(), st.just("missing-required-argument"))),
        "analyzedSha": sha,
        "analyzedAt": draw(stamps),
        "schemaVersion": 2,
        "reviewedBy": draw(st.one_of(st.none(), _name())),
        "updatedAt": draw(st.one_of(st.none(), stamps)),
        "changeNote": draw(st.one_of(st.none(), nasty_text)),
        "aliases": [f"{repo}/old-{draw(ids)}"] if draw(st.booleans()) else [],
    }


def _quoted(path: str) -> str:
    return "".join(char if (char.isalnum() and char.isascii()) or char in "/-_." else _percent(char) for char in path)


def _percent(char: str) -> str:
    return "".join(f"%{byte:02X}" for byte in char.encode())


json_values: st.SearchStrategy[Any] = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=8)),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=8), inner, max_size=3)),
    max_leaves=6,
)


@st.composite
def spoilt(draw: st.DrawFn) -> bytes:
    """The bytes of a record of which some fields are missing, doubled, of another type, or cut."""
    record = draw(records())
    for name in draw(st.lists(st.sampled_from(sorted(record)), max_size=4)):
        if draw(st.booleans()):
            record.pop(name, None)
        else:
            record[name] = draw(json_values)
    document = record if draw(st.booleans()) else {"record": record, "datasetVersion": draw(json_values)}
    raw = json.dumps(document, ensure_ascii=draw(st.booleans())).encode("utf-8", "surrogatepass")
    cut = draw(st.integers(0, len(raw)))
    return draw(st.sampled_from((raw, raw[:cut], raw[:cut] + b"\xff" + raw[cut:], raw + raw, b"\xef\xbb\xbf" + raw)))
