"""A Python expression that makes a message, to literal texts and placeholders.

Read are literals, implicit joins, f-strings, `%`, `.format`, `+`, and names whose text is known.
"""

import ast
import re
import string
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

TRANSLATORS = frozenset({"_", "_lt", "N_", "gettext", "gettext_lazy", "ugettext", "dedent", "str", "to_text"})

_PERCENT = re.compile(r"%(?:\((\w*)\))?[#0 +-]*(?:\*|\d+)?(?:\.(?:\*|\d+))?[hlL]?([diouxXeEfFgGcrsa%])")
_METACHARACTER = re.compile(r"[\\^$.|?*+()\[\]{}]")


@dataclass(frozen=True, slots=True)
class Hole:
    """A placeholder of a message: the expression's source."""

    expression: str


Part = str | Hole


def parts(node: ast.expr, names: Mapping[str, ast.expr]) -> list[Part]:
    """Take a message expression apart into literal text and placeholders."""
    match node:
        case ast.Constant(value=str(text)):
            return [text]
        case ast.JoinedStr(values=values):
            return [part for value in values for part in parts(value, names)]
        case ast.FormattedValue(value=value):
            return [Hole(source_of(value))]
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return [*parts(left, names), *parts(right, names)]
        case ast.BinOp(left=left, op=ast.Mod(), right=right) if (format_string := _text(left, names)) is not None:
            return _percent(format_string, right)
        case ast.Call(func=ast.Attribute(value=owner, attr="format")) if (braces := _text(owner, names)) is not None:
            return _format(braces, node)
        case ast.Call(args=[inner], keywords=[]) if _called(node) in TRANSLATORS:
            return parts(inner, names)
        case ast.Name(id=name) if name in names:
            found = parts(names[name], {key: value for key, value in names.items() if key != name})
            return found if any(isinstance(part, str) for part in found) else [Hole(name)]
    return [Hole(source_of(node))]


def _called(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def _text(node: ast.expr, names: Mapping[str, ast.expr]) -> str | None:
    """The text of an expression that is literal throughout."""
    found = parts(node, names)
    return "".join(part for part in found if isinstance(part, str)) if _literal(found) else None


def _literal(parts: Sequence[Part]) -> bool:
    return all(isinstance(part, str) for part in parts)


def _percent(text: str, values: ast.expr) -> list[Part]:
    """The parts of `text % values`."""
    found: list[Part] = []
    end = index = 0
    for spec in _PERCENT.finditer(text):
        found.append(text[end : spec.start()])
        end = spec.end()
        if spec[2] == "%":
            found.append("%")
        elif spec[1] is not None:
            found.append(Hole(_named(spec[1], values)))
        else:
            found.append(Hole(_numbered(index, values)))
            index += 1
    return [*found, text[end:]]


def _named(name: str, values: ast.expr) -> str:
    if isinstance(values, ast.Dict):
        for key, value in zip(values.keys, values.values, strict=True):
            if isinstance(key, ast.Constant) and key.value == name:
                return source_of(value)
    return name or "value"


def _numbered(index: int, values: ast.expr) -> str:
    if not isinstance(values, ast.Tuple):
        return source_of(values) if index == 0 else f"{source_of(values)}[{index}]"
    return source_of(values.elts[index]) if index < len(values.elts) else "value"


def _format(text: str, call: ast.Call) -> list[Part]:
    """The parts of `text.format(...)`, or one placeholder where the format string is faulty."""
    try:
        fields = list(string.Formatter().parse(text))
    except ValueError:
        return [Hole(source_of(call))]
    found: list[Part] = []
    automatic = 0
    for literal, name, _, _ in fields:
        found.append(literal)
        if name is None:
            continue
        root = re.split(r"[.\[]", name, maxsplit=1)[0]
        if root == "":
            automatic += 1
        value = _argument(root or str(automatic - 1), call)
        found.append(Hole(f"{value}{name[len(root) :]}"))
    return found


def _argument(name: str, call: ast.Call) -> str:
    if name.isdecimal():
        plain = [argument for argument in call.args if not isinstance(argument, ast.Starred)]
        return source_of(plain[int(name)]) if int(name) < len(plain) else "value"
    for keyword in call.keywords:
        if keyword.arg == name:
            return source_of(keyword.value)
    return name


def source_of(node: ast.expr) -> str:
    """The source of an expression on one line, never empty."""
    return " ".join(ast.unparse(node).split()) or "value"


def joined(parts: Sequence[Part]) -> list[Part]:
    """Put neighbouring texts together and leave empty ones out."""
    whole: list[Part] = []
    for part in parts:
        if isinstance(part, str) and whole and isinstance(last := whole[-1], str):
            whole[-1] = last + part
        elif part != "":
            whole.append(part)
    return whole


def pattern(parts: Sequence[Part]) -> str:
    """The `messagePattern`: metacharacters escaped, `.+` for each placeholder."""
    return "".join(_METACHARACTER.sub(r"\\\g<0>", part) if isinstance(part, str) else ".+" for part in parts)
