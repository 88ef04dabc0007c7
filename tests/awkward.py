"""Text that would act on a page, a terminal or a reader, by its kind; and records that hold it in every field.

What is refused instead is in `tests/fixtures/records`, a file a case. Both are in the docs, held by a test.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests import samples

CONTROLS = "".join(map(chr, [*range(9), 11, 12, *range(14, 32), 127, *range(128, 160)]))

KINDS: dict[str, str] = {
    "script and event attributes": '<script>document.title="owned"</script><img src=x onerror=alert(1)><svg/onload=alert(2)>',
    "frames, forms, base and style": "<iframe srcdoc='<script>alert(1)</script>'></iframe><form action=//e.example><base href=//e.example><style>*{display:none}</style>",
    "tags that close what is open": "</code></pre></div></article></main></title></textarea></script><!-- --> <![CDATA[ ]]> -->",
    "quotes that end an attribute": '" onmouseover="alert(1)" x="\' onclick=\'alert(1)',
    "entities": "&amp; &lt;b&gt; &#60; &#x3c; &nbsp; &copy &notanentity; &",
    "addresses that run": "[a](javascript:alert(1)) <javascript:alert(2)> [b](data:text/html,<script>alert(3)</script>) vbscript:x",
    "headings, lists, quotes, rules": "# one\n## two\n- a\n* b\n+ c\n1. d\n> e\n---\n===\n***\n    indented",
    "tables and definitions": "| a | b |\n| --- | --: |\n| 1 | 2 |\n\nterm\n:   definition\n",
    "fences": "```py\nx\n```\n~~~text\ny\n~~~\n````\n```\n````",
    "emphasis and links": "*a* **b** _c_ __d__ [e](http://e.example) ![f](http://e.example/f.png) <http://e.example> ~~g~~",
    "backticks": "`a` ``b`c`` ``` ` `` \\` `<b>` ` `",
    "backslashes": "\\ \\\\ \\n \\x \\",
    "front matter": "---\ntitle: hacked\ntemplate: main.html\nhide: [toc]\n---\n: # \"a\" 'b' [c] {d} @e !f &g *h %i",
    "templates": "{{ 7*7 }} {% include '/etc/hostname' %} {# c #} {% raw %} {{ config }} ${7*7} <%= 7*7 %> #{7*7}",
    "snippets": '--8<-- "/etc/hostname"\n;--8<-- "x"\n--8<--\n/etc/hosts\n--8<--\n{!/etc/hosts!}',
    "macros and directives": '!!! note "n"\n    a\n??? tip\n    b\n=== "Tab"\n    c\n/// details | d\n///\n::: generator.decode\n[TOC]',
    "emoji names": ":smile: :+1: :fontawesome-brands-github: :octicons-alert-16:{ .x }",
    "maths": "$x$ $$y$$ \\(a\\) \\[b\\] $`c`$ \\begin{equation}d\\end{equation}",
    "abbreviations and footnotes": "HTML [^1] [x][y]\n\n*[HTML]: not this\n\n[^1]: a note\n\n[y]: http://e.example",
    "attribute lists": 'Elastic{ON} {2} {: .danger #main onclick="alert(1)" } {#search} { .hidden }',
    "critic, keys, marks, smart quotes": "{++a++} {--b--} {>>c<<} ++ctrl+alt++ ==d== ^^e^^ f^g^ h~i~ -- ... (c) (tm) \"q\" 'r'",
    "mentions, issues, bare addresses": "@someone #1 GH-2 a@b.example www.e.example http://e.example/a_b_c",
    "placeholders of other tools": "wzxhzdk:0 \x02klzzwxh:0000\x03 @@@ %s {0} %(x)s",
    "placeholders of ours": "\ue000message\ue001 \uf8ff \U000f0000 \U0010fffd",
    "direction marks": "access \u202eetirw\u202c \u2066if admin\u2069 \u200f\u200e\u061c }\u2066",
    "right-to-left text": "שגיאה: 12 + אבג (x) لا يمكن",
    "invisible characters": "a\u200bb\u200cc\u200dd\u2060e\ufefff\u00adg\u180eh\u3164i\u115f\U000e0041\u2800",
    "selectors and joiners": "a\ufe0f \U0001f469\u200d\U0001f469\u200d\U0001f467 \U0001f1e8\U0001f1ed \ufe0f\ufe0f 1\ufe0f\u20e3 \U000e0100",
    "control characters": f"bell and more {CONTROLS} red \x1b[31mred\x1b[0m \x1b]0;title\x07",
    "line ends": "a\r\nb\rc\n\rd\u2028e\u2029f\x85g\x0bh\x0ci\r\n",
    "spaces": " \t a  b\t\tc \xa0d\u2003e\u3000f \n\n\n g",
    "characters that are none": "\ufffe\uffff\ufdd0\U0001fffe\U0010ffff\ufffd\ufff9",
    "combining marks": "Z" + "\u0301\u0330\u0489" * 60 + " x" + "\u0e33" * 40,
    "look-alikes and folding": "ſtraße İıK \u212a ﬁ ℌ ｅｒｒｏｒ Ⅻ е (Cyrillic)",
    "one long word": "x" * 12_000,
    "one long word without Latin letters": "漢" * 4_000 + "ש" * 4_000,
    "words joined by no-break spaces": "\xa0".join(["word"] * 1_500),
    "many lines": "line\n" * 3_000,
    "an address of 6,000 characters": "https://e.example/" + "a/" * 3_000,
    "JSON and script ends": '{"a": "\\u0000</script>\\"", "b": ]]> \u2028 <!--<script>',
    "feeds and XML": "]]></content></entry><entry><title>x</title> <?xml version='1.0'?><!DOCTYPE x [<!ENTITY y 'z'>]>&y;",
    "a command": "$(touch /tmp/owned) `id` ; rm -rf . && %COMSPEC% | cat\x00",
    "formulas": '=HYPERLINK("http://e.example","x") +1 -1 @SUM(1) \t=1',
    "headers of a request": "x\r\nSet-Cookie: a=b\r\n\r\n<b>",
}
"""Each is shown as it is; characters that would act or hide by a stand-in."""

NAMED = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")


def name(text: str) -> str:
    """What of `text` may be a name: one line of at most 200 characters."""
    return NAMED.sub(" ", text).strip()[:190].strip() or "x"


def filled(number: int, text: str, other: str = "", *, withdrawn: bool = False) -> dict[str, Any]:
    """A sound record all of whose text fields hold `text`; lists hold `other` too."""
    other = other or text
    lines = max(text.count("\n") + (not text.endswith("\n")), 1)
    return samples.record(
        number,
        slug=f"hostile-{number}",
        errorMessage=text,
        messagePattern=samples.pattern_of(text[:900]),
        errorCode=name(other),
        errorType=name(text),
        errorClass=name(text),
        documentation=f"word{number}x {text}",
        triggerScenarios=other,
        commonSituations=text,
        solutions=[text, other, "plain"],
        exampleFix=f"# before\n{text}\n# after\n{other}",
        handlingStrategy=text[:500],
        validationCode=text,
        typeGuard=other,
        tryCatchPattern=text,
        preventionTips=[other, text],
        tags=list(dict.fromkeys([name(text), name(other)])),
        sourceCode=text,
        sourceCodeStart=1,
        sourceCodeEnd=lines,
        lineNumber=1,
        reviewedBy=name(text),
        changeNote=text,
        backgroundTag="missing-required-argument",
        updatedAt="2026-09-01T00:00:00Z",
        aliases=[f"acme/tool/{'~'.join(f'{ord(char):X}' for char in text[:20])}-{number}"],
        withdrawn={"time": "2026-10-01T00:00:00Z", "reason": text, "replacement": None} if withdrawn else None,
    )


def records() -> Iterator[dict[str, Any]]:
    """At least 200: each kind alone, withdrawn, and with each of the next three kinds beside it."""
    texts = list(KINDS.values())
    for index, text in enumerate(texts):
        for step in range(5):
            number = 1 + index * 5 + step
            beside = texts[(index + step) % len(texts)]
            mixed = f"{text} {beside}" if step in (2, 3) and len(text) + len(beside) < 2_000 else text
            yield filled(number, mixed, beside, withdrawn=step == 4)


def tree(root: Path, every: int = 1) -> list[dict[str, Any]]:
    """Write every so many-th of the records below `root`; them."""
    chosen = list(records())[::every]
    root.mkdir(parents=True, exist_ok=True)
    for fields in chosen:
        (root / f"{fields['id']}.json").write_text(json.dumps(samples.envelope(fields)), "utf-8")
    return chosen
