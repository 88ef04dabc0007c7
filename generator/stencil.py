"""A shape's HTML cut at its placeholders, and values stamped into it.

MkDocs builds one page of each shape, with tokens where the values go; `cut` splits that page at the
tokens, and `stamp` joins it again around a record's values, each escaped for its place. A shape is
which values a page has and of what kind, so pages of one shape differ in their values alone. A list is
rendered with two items, from which the text that each item repeats is known.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import msgspec

from generator import pages, words
from generator.pages import Row, View
from generator.problems import ErrordexError
from generator.values import Block, Link, Meta, Value
from generator.words import Words

NUMBER = "number"
"""A field that each item of a list has: its place, from 1."""

SOURCES = 1_000
"""Shapes whose Markdown is kept cut."""

OPEN, CLOSE = "\ue000", "\ue001"
_TOKEN = re.compile(
    r"(?:edx:)?(?:(?P<raw>\ue000)|(?P<json>\\ue000))(?P<name>\w+)(?:\.(?P<field>\w+)\.(?P<item>[01]))?(?(raw)\ue001|\\ue001)"
)
_LEFT_OVER = re.compile(r"\ue000|\ue001|\\ue00[01]|%EE%80%8[01]|&#(?:57344|x[eE]000);")


class StencilError(ErrordexError):
    """A shape's page can't be cut: the theme or an extension changed a placeholder."""


class Shape(NamedTuple):
    """Which parts a page has: its template, where it lies, and each part's kind.

    `root` is the first segment of its address and `depth` how many there are: links to the rest of the
    site are spelt alike for all pages that share them.
    """

    template: str
    root: str
    depth: int
    parts: tuple[tuple[str, str], ...]

    def uri(self, number: int) -> str:
        """An address for the page of this shape, the `number`th of a build."""
        between = ["x"] * (self.depth - 2)
        last = [f"errordex-shape-{number}"] if self.depth > 1 else []
        return "/".join([self.root, *between, *last]) + "/"


def shape(template: str, uri: str, values: View) -> Shape:
    """The shape of the page at `uri` with these values."""
    parts = tuple((name, _kind(part)) for name, part in sorted(values.items()))
    return Shape(template, uri.partition("/")[0], uri.count("/"), parts)


def _kind(part: Value | Sequence[Row] | bool) -> str:
    if isinstance(part, bool):
        return str(part)
    if isinstance(part, Sequence):
        return " ".join(f"{name}:{_kind(value)}" for name, value in part[0].items())
    return type(part).__name__


@dataclass(frozen=True, slots=True)
class _Token:
    """Stands for a value in a shape's page."""

    name: str
    kind: str

    @property
    def markdown(self) -> str:
        token = f"{OPEN}{self.name}{CLOSE}"
        if self.kind == Meta.__name__:
            return f'"{token}"'
        return f"edx:{token}" if self.kind == Link.__name__ else token

    html = markdown


def sample(of: Shape) -> str:
    """The Markdown page of a shape, with tokens for its values."""
    return pages.markdown(of.template, {name: _tokens(name, kind) for name, kind in of.parts})


def _tokens(name: str, kind: str) -> Value | Sequence[Row] | bool:
    if kind in ("True", "False"):
        return kind == "True"
    if ":" not in kind:
        return _Token(name, kind)
    fields = [field.split(":") for field in kind.split(" ")]
    return [{field: _Token(f"{name}.{field}.{item}", of) for field, of in fields} for item in (0, 1)]


class Slot(msgspec.Struct, frozen=True, array_like=True, tag=True):
    """A place for one value: its name, and whether it stands in a script's JSON."""

    name: str
    json: bool


class Repeat(msgspec.Struct, frozen=True, array_like=True, tag=True):
    """A place for a list: its name, and what each item is: literals and slots."""

    name: str
    parts: tuple[str | Slot, ...]


Stencil = tuple[str | Slot | Repeat, ...]


def shared(cut: Stencil, held: dict[Any, Any]) -> Stencil:
    """The same stencil, of parts in `held` where they are there: shapes have nearly all of theirs in common."""
    return tuple([held.setdefault(part, part) for part in cut])


def cut(html: str, of: Shape, *, blocks: bool = True) -> Stencil:
    """Split a shape's page at its tokens; `blocks` of code stand alone in a paragraph there, which is taken away.

    Raises `StencilError` where a token was changed on the way, is unknown, or where a block of code or
    a list's item is not alone in its element.
    """
    kinds = dict(of.parts)
    tokens = list(_TOKEN.finditer(html))
    ends = [0, *(token.end() for token in tokens)]
    literals = [html[end : token.start()] for end, token in zip(ends, tokens, strict=False)] + [html[ends[-1] :]]
    _refuse_left_over(literals)
    parts: list[str | Slot | Repeat] = [literals[0]]
    index = 0
    while index < len(tokens):
        name = tokens[index]["name"]
        if name not in kinds:
            raise StencilError(
                f"the page template prints an unknown value {name!r}; compare overrides/ with pages.py [EDX055]"
            )
        if tokens[index]["field"]:
            index = _cut_list(parts, tokens, literals, index)
        else:
            parts.append(Slot(name, tokens[index]["json"] is not None))
            parts.append(literals[index + 1])
            if blocks and kinds[name] == Block.__name__:
                _unwrap(parts, name)
            index += 1
    return tuple(part for part in parts if part != "")


def _refuse_left_over(literals: list[str]) -> None:
    for literal in literals:
        if found := _LEFT_OVER.search(literal):
            around = literal[max(0, found.start() - 60) : found.end() + 60]
            raise StencilError(
                f"a placeholder was changed near {around!a}; a template or extension computes on values [EDX055]"
            )


def _unwrap(parts: list[str | Slot | Repeat], name: str) -> None:
    """Take the paragraph away in which the token of a block stood alone."""
    before, after = parts[-3], parts[-1]
    if not (isinstance(before, str) and isinstance(after, str) and before.endswith("<p>") and after.startswith("</p>")):
        raise StencilError(
            f"the block {name!r} does not stand alone in a paragraph; print it as the shipped templates do [EDX055]"
        )
    parts[-3], parts[-1] = before.removesuffix("<p>"), after.removeprefix("</p>")


def _cut_list(parts: list[str | Slot | Repeat], tokens: list[re.Match[str]], literals: list[str], index: int) -> int:
    """Add the list whose first token is at `index`; the index of the first token after it."""
    name = tokens[index]["name"]
    end = index
    while end < len(tokens) and tokens[end]["name"] == name:
        end += 1
    size = (end - index) // 2
    first, second = tokens[index : index + size], tokens[index + size : end]
    inner = literals[index + 1 : index + size]
    same = [token["field"] for token in first] == [token["field"] for token in second]
    if not same or inner != literals[index + size + 1 : end] or {token["item"] for token in first} != {"0"}:
        raise StencilError(f"the items of {name!r} are not alike; print it as the shipped templates do [EDX055]")
    before, between, after = str(parts[-1]), literals[index + size], literals[end]
    head, tail = _item_ends(name, before, between, after)
    parts[-1] = before.removesuffix(head)
    slots = [Slot(token["field"], token["json"] is not None) for token in first]
    item: list[str | Slot] = [head, slots[0]]
    for literal, slot in zip(inner, slots[1:], strict=True):
        item += [literal, slot]
    parts += [Repeat(name, (*item, tail)), after.removeprefix(tail)]
    return end


def _item_ends(name: str, before: str, between: str, after: str) -> tuple[str, str]:
    """What opens and what closes each item: `between` two items, the second follows the first."""
    for size in range(len(between), -1, -1):
        tail, head = between[:size], between[size:]
        if after.startswith(tail) and before.endswith(head):
            return head, tail
    raise StencilError(f"the items of {name!r} are not separated alike; print it as the shipped templates do [EDX055]")


def stamp(stencil: Stencil, values: View) -> str:
    """The page of `values`, which must be of the stencil's shape."""
    return "".join(_stamped(stencil, values, _spelt))


def markdown(of: Shape, values: View) -> str:
    """What `pages.markdown` prints of `values`, which are of the shape: its template is run once a shape."""
    return "".join(_stamped(_source(of, words.current()), values, _written))


@lru_cache(maxsize=SOURCES)
def _source(of: Shape, _said: Words) -> Stencil:
    text = pages.markdown(of.template, {name: _plain_tokens(name, kind) for name, kind in of.parts})
    return cut(text, of, blocks=False)


def _plain_tokens(name: str, kind: str) -> Value | Sequence[Row] | bool:
    """Like `_tokens`, without what MkDocs needs around some; items have a number, which a template may print."""
    if kind in ("True", "False"):
        return kind == "True"
    if ":" not in kind:
        return _Token(name, "")
    fields = [NUMBER, *(field.partition(":")[0] for field in kind.split(" "))]
    return [{field: _Token(f"{name}.{field}.{item}", "") for field in fields} for item in (0, 1)]


Spell = Callable[[Mapping[str, Value], Slot], str]


def _stamped(stencil: Stencil, values: View, spell: Spell) -> Iterator[str]:
    for part in stencil:
        if isinstance(part, str):
            yield part
        elif isinstance(part, Repeat):
            for number, row in enumerate(values[part.name], 1):  # type: ignore[arg-type]
                for piece in part.parts:
                    if isinstance(piece, str):
                        yield piece
                    else:
                        yield str(number) if piece.name == NUMBER else spell(row, piece)
        else:
            yield spell(values, part)  # type: ignore[arg-type]


def _spelt(values: Mapping[str, Value], slot: Slot) -> str:
    value = values[slot.name]
    return value.json if slot.json else value.html  # type: ignore[attr-defined]


def _written(values: Mapping[str, Value], slot: Slot) -> str:
    return values[slot.name].markdown
