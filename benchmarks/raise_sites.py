"""Finds the raise sites in Python source text, which is parsed and never run.

A site is a `raise X(message)` or an `assert condition, message` whose message has a literal word, so that a pasted
error could lead back to it. Text that the running interpreter's grammar does not accept gives no sites.
"""

import ast
import re
import string
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

CONTEXT_LINES = 18
MAX_MESSAGE = 2_000
MAX_EXCERPT = 60_000
MESSAGE_KEYWORDS = ("message", "msg", "detail", "reason", "description", "text")
STATUS_KEYWORDS = ("status_code", "status", "http_status")
STATUSES = range(400, 600)
CODE_KEYWORDS = ("error_code", "code", "errno")
TRANSLATORS = frozenset({"_", "_lt", "N_", "gettext", "gettext_lazy", "ugettext", "dedent", "str", "to_text"})

_PERCENT = re.compile(r"%(?:\((\w*)\))?[#0 +-]*(?:\*|\d+)?(?:\.(?:\*|\d+))?[hlL]?([diouxXeEfFgGcrsa%])")
_METACHARACTER = re.compile(r"[\\^$.|?*+()\[\]{}]")
_CLASS_NAME = re.compile(r"_*[A-Z]\w*")
_WORD = re.compile(r"[^\W\d_]{3,}")
_UNWANTED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_CODE = re.compile(r"[\w.-]{2,40}", re.ASCII)
_ERRNO = re.compile(r"E[A-Z0-9]{2,}")
_LEADING_CODE = re.compile(r"\W?([A-Z]{1,8}-?\d{2,6})\b(?=[:\])]| -)")


@dataclass(frozen=True, slots=True)
class Site:
    """One raise site: where it is, what it says, and what surrounds it.

    Lines are 1-based and counted by `\\n` alone. `message` is the template with `{expression}` placeholders, whose
    expressions are `holes` in order; `pattern` matches it. `function` is the dotted name, empty at module level.
    `condition` is the test of the nearest `if` in the function (or the denied condition of an `assert`), `handling`
    the exception of the nearest `except`.
    """

    path: str
    line: int
    error_class: str
    message: str
    pattern: str
    holes: tuple[str, ...]
    function: str
    parameters: tuple[str, ...]
    condition: str | None
    handling: str | None
    status: int | None
    code: str | None
    excerpt: str
    start: int
    end: int


def sites(source: str, path: str) -> Iterator[Site]:
    """Yield the sites of `source`, in the order of their lines; none where it cannot be parsed."""
    tree = _parse(source)
    if tree is None:
        return
    lines = source.split("\n")
    if lines[-1] == "":
        lines.pop()
    for statement, scope in sorted(_statements(tree.body, _Scope()), key=lambda found: found[0].lineno):
        site = _site(statement, scope, path, lines)
        if site is not None:
            yield site


@dataclass(frozen=True, slots=True)
class _Hole:
    """A placeholder of a message: the expression's source."""

    expression: str


@dataclass(frozen=True, slots=True)
class _Scope:
    """What encloses a statement: the function, the nearest guard, and the texts assigned just before."""

    function: str = ""
    parameters: tuple[str, ...] = ()
    condition: ast.expr | None = None
    handling: ast.expr | None = None
    names: Mapping[str, ast.expr] = field(default_factory=dict)


_Part = str | _Hole
_SIMPLE = (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Expr, ast.Raise, ast.Assert, ast.Import, ast.ImportFrom)


def _parse(source: str) -> ast.Module | None:
    if "raise" not in source and "assert" not in source:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


# Walking the statements


def _statements(body: Sequence[ast.stmt], scope: _Scope) -> Iterator[tuple[ast.Raise | ast.Assert, _Scope]]:
    """Yield each raise and assert below `body`, with its scope; an explicit stack, since `elif` chains run deep."""
    stack = [(body, scope)]
    while stack:
        block, outer = stack.pop()
        names = dict(outer.names)
        for statement in block:
            if isinstance(statement, ast.Raise | ast.Assert):
                yield statement, replace(outer, names=dict(names))
            elif not isinstance(statement, _SIMPLE):
                stack.extend(_blocks(statement, replace(outer, names=dict(names))))
            _assign(statement, names)


def _blocks(statement: ast.stmt, scope: _Scope) -> Iterator[tuple[Sequence[ast.stmt], _Scope]]:
    """Yield the blocks of a compound statement, each with the scope inside it."""
    match statement:
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            arguments = statement.args
            named = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
            parameters = tuple(argument.arg for argument in named if argument.arg not in ("self", "cls"))
            yield statement.body, _Scope(_dotted(scope.function, statement.name), parameters)
        case ast.ClassDef():
            yield statement.body, _Scope(_dotted(scope.function, statement.name))
        case ast.If():
            yield statement.body, replace(scope, condition=statement.test)
            yield statement.orelse, replace(scope, condition=ast.UnaryOp(ast.Not(), statement.test))
        case ast.Try() | ast.TryStar():
            yield statement.body, scope
            for handler in statement.handlers:
                yield handler.body, replace(scope, handling=handler.type, condition=None)
            yield statement.orelse, scope
            yield statement.finalbody, scope
        case ast.For() | ast.AsyncFor() | ast.While():
            yield statement.body, scope
            yield statement.orelse, scope
        case ast.With() | ast.AsyncWith():
            yield statement.body, scope
        case ast.Match():
            for choice in statement.cases:
                yield choice.body, scope


def _dotted(outer: str, name: str) -> str:
    return f"{outer}.{name}" if outer else name


def _assign(statement: ast.stmt, names: dict[str, ast.expr]) -> None:
    """Note `name = text` and `name += text`; forget all at a compound statement, which may assign anew."""
    match statement:
        case ast.Assign(targets=[ast.Name(id=name)], value=value):
            names[name] = value
        case ast.AugAssign(target=ast.Name(id=name), op=ast.Add(), value=value) if name in names:
            names[name] = ast.BinOp(names[name], ast.Add(), value)
        case _ if not isinstance(statement, _SIMPLE):
            names.clear()


# One site


def _site(statement: ast.Raise | ast.Assert, scope: _Scope, path: str, lines: Sequence[str]) -> Site | None:
    """Make the site of `statement`, or nothing where it is no site that a record could show."""
    raised = _raised(statement, scope.names)
    if raised is None:
        return None
    error_class, parts, call = raised
    message = "".join(part if isinstance(part, str) else f"{{{part.expression}}}" for part in parts)
    start, end = max(1, statement.lineno - CONTEXT_LINES), min(len(lines), statement.lineno + CONTEXT_LINES)
    excerpt = "\n".join(lines[start - 1 : end])
    if len(message) > MAX_MESSAGE or _UNWANTED.search(message) or not _presentable(excerpt):
        return None
    return Site(
        path=path,
        line=statement.lineno,
        error_class=error_class,
        message=message,
        pattern=_pattern(parts),
        holes=tuple(part.expression for part in parts if isinstance(part, _Hole)),
        function=scope.function,
        parameters=scope.parameters,
        condition=_condition(statement, scope),
        handling=_source(scope.handling) if scope.handling is not None else None,
        status=_status(call),
        code=_code(call, message),
        excerpt=excerpt,
        start=start,
        end=end,
    )


def _raised(
    statement: ast.Raise | ast.Assert, names: Mapping[str, ast.expr]
) -> tuple[str, list[_Part], ast.Call | None] | None:
    """Name the class, the message's parts and the call that makes the exception, if the message has a word."""
    name: str | None
    call: ast.Call | None
    if isinstance(statement, ast.Assert):
        candidates = [] if statement.msg is None else [statement.msg]
        name, call = "AssertionError", None
    elif isinstance(statement.exc, ast.Call) and (name := _class(statement.exc.func)) is not None:
        keywords = {keyword.arg: keyword.value for keyword in statement.exc.keywords}
        candidates = [*statement.exc.args, *(keywords[key] for key in MESSAGE_KEYWORDS if key in keywords)]
        call = statement.exc
    else:
        return None
    for candidate in candidates:
        parts = _joined(_parts(candidate, names))
        if any(isinstance(part, str) and _WORD.search(part) for part in parts):
            return name, parts, call
    return None


def _class(node: ast.expr) -> str | None:
    """The last part of a dotted class name; nothing for a call that does not name a class."""
    name = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
    return name if _CLASS_NAME.fullmatch(name) and name.isascii() else None


def _presentable(excerpt: str) -> bool:
    return len(excerpt.encode("utf-8", "replace")) <= MAX_EXCERPT and not re.search("[\x00\ud800-\udfff]", excerpt)


def _condition(statement: ast.Raise | ast.Assert, scope: _Scope) -> str | None:
    if isinstance(statement, ast.Assert):
        return _source(ast.UnaryOp(ast.Not(), statement.test))
    return _source(scope.condition) if scope.condition is not None else None


def _status(call: ast.Call | None) -> int | None:
    """The HTTP status that a call gives as a literal."""
    if call is None:
        return None
    values = [keyword.value for keyword in call.keywords if keyword.arg in STATUS_KEYWORDS]
    if "http" in (_class(call.func) or "").lower():
        values.extend(call.args[:1])
    for value in values:
        if isinstance(value, ast.Constant) and type(value.value) is int and value.value in STATUSES:
            return value.value
    return None


def _code(call: ast.Call | None, message: str) -> str | None:
    """The error code that a call names (`code="E12"`, `errno.ENOENT`), or that the message opens with (`E0602: …`)."""
    for keyword in call.keywords if call is not None else ():
        if keyword.arg in CODE_KEYWORDS and isinstance(keyword.value, ast.Constant):
            given = keyword.value.value
            if isinstance(given, str) and _CODE.fullmatch(given):
                return given
    first = call.args[0] if call is not None and call.args else None
    if isinstance(first, ast.Attribute) and _ERRNO.fullmatch(first.attr):
        return first.attr
    found = _LEADING_CODE.match(message)
    return found[1] if found else None


# Messages


def _parts(node: ast.expr, names: Mapping[str, ast.expr]) -> list[_Part]:
    """Take a message expression apart into literal text and placeholders."""
    match node:
        case ast.Constant(value=str(text)):
            return [text]
        case ast.JoinedStr(values=values):
            return [part for value in values for part in _parts(value, names)]
        case ast.FormattedValue(value=value):
            return [_Hole(_source(value))]
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return [*_parts(left, names), *_parts(right, names)]
        case ast.BinOp(left=left, op=ast.Mod(), right=right) if (format_string := _text(left, names)) is not None:
            return _percent(format_string, right)
        case ast.Call(func=ast.Attribute(value=owner, attr="format")) if (braces := _text(owner, names)) is not None:
            return _format(braces, node)
        case ast.Call(args=[inner], keywords=[]) if _called(node) in TRANSLATORS:
            return _parts(inner, names)
        case ast.Name(id=name) if name in names:
            parts = _parts(names[name], {key: value for key, value in names.items() if key != name})
            return parts if any(isinstance(part, str) for part in parts) else [_Hole(name)]
    return [_Hole(_source(node))]


def _called(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def _text(node: ast.expr, names: Mapping[str, ast.expr]) -> str | None:
    """The text of an expression that is literal throughout."""
    parts = _parts(node, names)
    return "".join(part for part in parts if isinstance(part, str)) if _literal(parts) else None


def _literal(parts: Sequence[_Part]) -> bool:
    return all(isinstance(part, str) for part in parts)


def _percent(text: str, values: ast.expr) -> list[_Part]:
    """The parts of `text % values`."""
    parts: list[_Part] = []
    end = index = 0
    for spec in _PERCENT.finditer(text):
        parts.append(text[end : spec.start()])
        end = spec.end()
        if spec[2] == "%":
            parts.append("%")
        elif spec[1] is not None:
            parts.append(_Hole(_named(spec[1], values)))
        else:
            parts.append(_Hole(_numbered(index, values)))
            index += 1
    return [*parts, text[end:]]


def _named(name: str, values: ast.expr) -> str:
    if isinstance(values, ast.Dict):
        for key, value in zip(values.keys, values.values, strict=True):
            if isinstance(key, ast.Constant) and key.value == name:
                return _source(value)
    return name or "value"


def _numbered(index: int, values: ast.expr) -> str:
    if not isinstance(values, ast.Tuple):
        return _source(values) if index == 0 else f"{_source(values)}[{index}]"
    return _source(values.elts[index]) if index < len(values.elts) else "value"


def _format(text: str, call: ast.Call) -> list[_Part]:
    """The parts of `text.format(...)`, or one placeholder where the format string is faulty."""
    try:
        fields = list(string.Formatter().parse(text))
    except ValueError:
        return [_Hole(_source(call))]
    parts: list[_Part] = []
    automatic = 0
    for literal, name, _, _ in fields:
        parts.append(literal)
        if name is None:
            continue
        root = re.split(r"[.\[]", name, maxsplit=1)[0]
        if root == "":
            automatic += 1
        value = _argument(root or str(automatic - 1), call)
        parts.append(_Hole(f"{value}{name[len(root) :]}"))
    return parts


def _argument(name: str, call: ast.Call) -> str:
    if name.isdecimal():
        plain = [argument for argument in call.args if not isinstance(argument, ast.Starred)]
        return _source(plain[int(name)]) if int(name) < len(plain) else "value"
    for keyword in call.keywords:
        if keyword.arg == name:
            return _source(keyword.value)
    return name


def _source(node: ast.expr) -> str:
    """The source of an expression on one line, never empty."""
    return " ".join(ast.unparse(node).split()) or "value"


def _joined(parts: Sequence[_Part]) -> list[_Part]:
    """Put neighbouring texts together and leave empty ones out."""
    joined: list[_Part] = []
    for part in parts:
        if isinstance(part, str) and joined and isinstance(last := joined[-1], str):
            joined[-1] = last + part
        elif part != "":
            joined.append(part)
    return joined


def _pattern(parts: Sequence[_Part]) -> str:
    """The `messagePattern`: metacharacters escaped, `.+` for each placeholder."""
    return "".join(_METACHARACTER.sub(r"\\\g<0>", part) if isinstance(part, str) else ".+" for part in parts)
