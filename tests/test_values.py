"""Two roads to one page: Python-Markdown, set as mkdocs.yml says, makes of a value's Markdown what its HTML says."""

import json
import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import html5lib
import markdown
import pytest
import yaml
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from mkdocs.utils.meta import get_data

from generator import escape, highlight, languages, lexer, values
from generator.values import Block, Link, Meta, Paragraphs, Plain, Prose, Text
from tests import strategies

CONFIG = Path(__file__).parent.parent / "mkdocs.yml"
BUILT_IN = ["toc", "tables", "fenced_code"]
"""What MkDocs enables by itself."""

PLACES = {
    "paragraph": ("{}", "<p>{}</p>"),
    "heading": ("# {} {{ #top }}", '<h1 id="top">{}</h1>'),
    "numbered item": ("1. {}", "<ol>\n<li>{}</li>\n</ol>"),
    "item": ("- x\n- {}\n- y", "<ul>\n<li>x</li>\n<li>{}</li>\n<li>y</li>\n</ul>"),
    "link in an item": ("-   [{}](../x/)", '<ul>\n<li><a href="../x/">{}</a></li>\n</ul>'),
    "link at the start": ("[{}](../x/) · y\n{{ .c }}", '<p class="c"><a href="../x/">{}</a> · y</p>'),
    "after bold": ("**Trigger:** {}", "<p><strong>Trigger:</strong> {}</p>"),
    "after a label": ("Strategy: {}", "<p>Strategy: {}</p>"),
    "in a sentence": ("Reviewed by {}. Of {}.\n{{ .c }}", '<p class="c">Reviewed by {}. Of {}.</p>'),
    "cells": (
        "| A | B |\n| --- | ---: |\n| [{}](x) | {} |",
        '<table>\n<thead>\n<tr>\n<th>A</th>\n<th align="right">B</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n'
        '<td><a href="x">{}</a></td>\n<td align="right">{}</td>\n</tr>\n</tbody>\n</table>',
    ),
}
WITH_PROSE = ("paragraph", "numbered item", "item", "after bold")

ORDINARY = [
    "got {n} of 5 items, expected [0-9]*",
    "C:\\temp\\x_1 is not a_file_name (see #12)",
    "use `model.to('cuda')` or ``a ` b``; a < b && c > d",
    'Expected "x" & \'y\'; <class int> — not &amp; "é"',
    "2 * 3 * 4 = 24; a_b_c; **kwargs; ~/.cache; list[0]: no",
    "- no list",
    "1. no list",
    "> no quote!",
    "# no heading #",
    "ends in C#",
    "ends in a backslash \\",
    "http://example.com/a_b_c?x=1&y=2",
    "{{ jinja }} {% raw %} ${x} $y$ :smile: [^1] {.x}",
]


@cache
def converter() -> markdown.Markdown:
    extensions = yaml.safe_load(CONFIG.read_text("utf-8"))["markdown_extensions"]
    settings: dict[str, Any] = {}
    for extension in extensions:
        settings.update(extension if isinstance(extension, dict) else {extension: {}})
    return markdown.Markdown(extensions=list(dict.fromkeys([*BUILT_IN, *settings])), extension_configs=settings)


def rendered(text: str) -> str:
    converter().reset()
    return converter().convert(text)


def tree(html: str) -> Iterator[tuple[object, ...]]:
    """The document as a browser reads it: tags, attributes and texts, in order."""
    for element in html5lib.parseFragment(html, namespaceHTMLElements=False).iter():
        yield element.tag, sorted(element.attrib.items()), element.text or "", element.tail or ""


def roads(place: str, value: values.Value) -> tuple[str, str]:
    """A place of a template with a value in it: by way of Markdown, and stamped."""
    source, target = PLACES[place]
    return rendered(source.format(*[value.markdown] * 2)), target.format(*[value.html] * 2)


@pytest.mark.parametrize("text", ORDINARY)
@pytest.mark.parametrize("place", PLACES)
def test_ordinary_text_is_the_same_byte_for_byte(place: str, text: str) -> None:
    by_markdown, stamped = roads(place, Text(text))
    assert by_markdown == stamped


@pytest.mark.parametrize("text", ORDINARY)
@pytest.mark.parametrize("place", WITH_PROSE)
def test_ordinary_prose_is_the_same_byte_for_byte(place: str, text: str) -> None:
    by_markdown, stamped = roads(place, Prose(text))
    assert by_markdown == stamped


@pytest.mark.parametrize("place", PLACES)
@settings(max_examples=60)
@given(text=strategies.nasty_text)
@example("C#")
@example("\xa0x\u3000")
@example("\\]: Z")
@example("a]: b")
@example("~~~")
@example("wzxhzdk:0 \x02wzxhzdk:0\x03 klzzwxh:0000")
def test_any_text_is_the_same_document(place: str, text: str) -> None:
    assume(escape.line(text))
    by_markdown, stamped = roads(place, Text(text))
    assert list(tree(by_markdown)) == list(tree(stamped))


@pytest.mark.parametrize("place", WITH_PROSE)
@settings(max_examples=60)
@given(text=strategies.nasty_text)
@example("` \xa0 `")
@example("\\`a`")
@example("a`b`{ .x }")
@example("`a`# `b`")
def test_any_prose_is_the_same_document(place: str, text: str) -> None:
    assume(escape.line(text))
    by_markdown, stamped = roads(place, Prose(text))
    assert list(tree(by_markdown)) == list(tree(stamped))


@given(st.lists(strategies.nasty_text, min_size=1, max_size=3).map("\n\n".join))
def test_any_paragraphs_are_the_same_document(text: str) -> None:
    assume(escape.paragraphs(text))
    plain, indented = Paragraphs(text), Paragraphs(text, indent=4)
    assert list(tree(rendered(plain.markdown))) == list(tree(f"<p>{plain.html}</p>"))
    after_bold = rendered(f"**Trigger:** {plain.markdown}")
    assert list(tree(after_bold)) == list(tree(f"<p><strong>Trigger:</strong> {plain.html}</p>"))
    items = rendered(f"1. {indented.markdown}\n\n2. {indented.markdown}\n")
    assert list(tree(items)) == list(tree("<ol>\n{0}\n{0}\n</ol>".format(f"<li>\n<p>{indented.html}</p>\n</li>")))


BLOCKS: list[dict[str, Any]] = [
    {},
    {"classes": ("edx-message",)},
    {"classes": ("edx-before",), "title": "Before"},
    {"start": 107, "marked": 108},
    {"start": 1, "marked": 1},
    {"start": 9_999, "marked": 10_050},
]
LANGUAGES = sorted({*languages._BY_SUFFIX.values(), languages.PLAIN, lexer.ALIAS})
CODE = [
    *(
        "",
        "\n",
        "\n\n",
        "  ",
        "x",
        "x\n",
        "\n\nx\n\n",
        "  \n x \n\t\n",
        "\tx\n\t\ty",
        "```\nx\n```",
        "````\n~~~\n```",
        "~~~~",
    ),
    *(
        "a\r\nb\rc",
        "a\fb\x0b\x1cc",
        "``` { .x }\n```",
        "<b>&amp;</b>\n{{ x }}",
        '--8<-- "x"',
        "\\\n\\",
        "`",
        "\u2028\x85",
    ),
    *(
        "\"\"\"\n'''",
        "/* {",
        "#define x \\\n",
        "<?php echo 1 ?>",
        "%% x",
        "{a} {b {c}} } {",
        "\x00\x1b[31m",
        "    x\n  y",
        "\n" * 20,
    ),
]


@pytest.mark.parametrize("language", LANGUAGES)
def test_blocks_are_the_same_byte_for_byte_in_every_language(language: str) -> None:
    draw = random.Random(language)
    for number, code in enumerate(CODE):
        text = code + "".join(draw.choice([*strategies.NASTY, "\n", "\n"]) for _ in range(draw.randint(0, 6)))
        same(Block(text, language, **BLOCKS[number % len(BLOCKS)]))


@settings(max_examples=200)
@given(
    strategies.code_text,
    st.sampled_from(["python", "text", "cpp", "html", "yaml", lexer.ALIAS]),
    st.sampled_from(BLOCKS),
)
def test_any_block_is_the_same_byte_for_byte(text: str, language: str, options: dict[str, Any]) -> None:
    same(Block(text, language, **options))


@pytest.mark.parametrize("size", [highlight.MAX_CHARACTERS, highlight.MAX_CHARACTERS + 1])
@pytest.mark.parametrize("unit", ["x", "x = 1\n"])
def test_large_blocks_are_the_same(size: int, unit: str) -> None:
    same(Block((unit * size)[:size], "python", start=1, marked=1))


def same(block: Block) -> None:
    """Between two paragraphs, the block is what Markdown makes of it, and its text is the code."""
    by_markdown = rendered(f"before\n\n{block.markdown}\n\nafter")
    assert by_markdown == f"<p>before</p>\n{block.html}\n<p>after</p>"
    code = html5lib.parseFragment(block.html, namespaceHTMLElements=False).find(".//code")
    assert "".join(code.itertext()) == (block.lines if block.lines.endswith("\n") else f"{block.lines}\n")


@given(strategies.nasty_text)
def test_front_matter_is_read_back_as_the_line(text: str) -> None:
    page = f"---\ntitle: {Meta(text).markdown}\nerrordex:\n  repo: {Meta(text).markdown}\n---\n\nbody\n"
    body, meta = get_data(page)
    assert meta == {"title": escape.line(text), "errordex": {"repo": escape.line(text)}}
    assert body.strip() == "body"


@given(strategies.nasty_text)
def test_meta_within_a_script_ends_neither_string_nor_script(text: str) -> None:
    spelt = Meta(text).json
    assert not set("<>&'") & set(spelt)
    assert spelt.isascii()
    assert json.loads(f'"{spelt}"') == escape.line(text)


@given(strategies.nasty_text)
@example("//evil.example")
@example('" onclick="x')
@example("a(b)c d")
def test_a_link_is_the_same_on_both_roads(path: str) -> None:
    link = values.external(f"https://github.com/o/n/blob/x/{path}")
    by_markdown = rendered(f"a [x]({link.markdown}) b")
    assert list(tree(by_markdown)) == list(tree(f'<p>a <a href="{link.html}">x</a> b</p>'))
    assert link.target.isascii()
    assert link.target.startswith("https://github.com/o/n/blob/x/")


@pytest.mark.parametrize("value", [Plain("x"), Link("../x/index.md", "../x/")])
def test_words_of_the_generator_stand_as_they_are(value: Plain | Link) -> None:
    assert (value.markdown, value.html) in {("x", "x"), ("../x/index.md", "../x/")}
