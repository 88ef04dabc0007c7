"""Finds the raise sites in Python source text, which is parsed and never run.

A site is a `raise X(message)` or an `assert condition, message` whose message has a literal word, so that a pasted
error could lead back to it.
"""

import ast
import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from generator.raise_sites.messages import Hole, Part, joined, parts, pattern, source_of
from generator.raise_sites.site import Passed, Site, Unreadable

CONTEXT_LINES = 18
MAX_MESSAGE = 2_000
MAX_EXCERPT = 60_000
MESSAGE_KEYWORDS = ("message", "msg", "detail", "reason", "description", "text")
STATUS_KEYWORDS = ("status_code", "status", "http_status")
STATUSES = range(400, 600)
CODE_KEYWORDS = ("error_code", "code", "errno")

_CLASS_NAME = re.compile(r"_*[A-Z]\w*")
_CONSTANT_NAME = re.compile(r"_*[A-Z][A-Z0-9_]*")
_WORD = re.compile(r"[^\W\d_]{3,}")
_UNWANTED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_CODE = re.compile(r"[\w.-]{2,40}", re.ASCII)
_ERRNO = re.compile(r"E[A-Z0-9]{2,}")
_LEADING_CODE = re.compile(r"\W?([A-Z]{1,8}-?\d{2,6})\b(?=[:\])]| -)")


def scan(source: str, path: str, *, constants: bool = True) -> Iterator[Site | Passed]:
    """Yield the sites of `source`, and the raises that are none for want of words, in the order of their lines.

    `constants` follows names in capitals that the module assigns once. Raises `Unreadable`.
    """
    if "raise" not in source and "assert" not in source:
        return
    tree = _parse(source)
    lines = source.split("\n")
    if lines[-1] == "":
        lines.pop()
    known = _constants(tree) if constants else {}
    try:
        for statement, scope in sorted(_statements(tree.body, _Scope()), key=lambda found: found[0].lineno):
            found = _site(statement, replace(scope, names={**known, **scope.names}), path, lines)
            if found is not None:
                yield found
    except RecursionError:
        raise Unreadable("nested too deep; leave it, or part its expressions") from None


@dataclass(frozen=True, slots=True)
class _Scope:
    """What encloses a statement: the function, the nearest guard, and the texts assigned just before."""

    function: str = ""
    parameters: tuple[str, ...] = ()
    condition: ast.expr | None = None
    handling: ast.expr | None = None
    names: Mapping[str, ast.expr] = field(default_factory=dict)


_SIMPLE = (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Expr, ast.Raise, ast.Assert, ast.Import, ast.ImportFrom)


def _parse(source: str) -> ast.Module:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(source)
    except SyntaxError as error:
        raise Unreadable(
            f"line {error.lineno or 1} is no Python of this interpreter's version; mend it, or leave it"
        ) from None
    except (RecursionError, MemoryError):
        raise Unreadable("nested too deep; leave it, or part its expressions") from None
    except ValueError:
        raise Unreadable("holds a null character; leave it, or remove that") from None


def _constants(tree: ast.Module) -> dict[str, ast.expr]:
    """Texts that the module gives a name in capitals, once."""
    found: dict[str, ast.expr] = {}
    again: set[str] = set()
    for statement in tree.body:
        match statement:
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=value)
                | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value)
            ) if _CONSTANT_NAME.fullmatch(name):
                again |= found.keys() & {name}
                found[name] = value
    return {name: value for name, value in found.items() if name not in again}


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


def _site(statement: ast.Raise | ast.Assert, scope: _Scope, path: str, lines: Sequence[str]) -> Site | Passed | None:
    """Make the site of `statement`; nothing where it gives no message, and the reason where no record could show it."""
    raised = _raised(statement, scope.names)
    if raised is None:
        return None
    error_class, found, call = raised
    message = "".join(part if isinstance(part, str) else f"{{{part.expression}}}" for part in found)
    start, end = max(1, statement.lineno - CONTEXT_LINES), min(len(lines), statement.lineno + CONTEXT_LINES)
    excerpt = "\n".join(lines[start - 1 : end])
    if reason := _unfit(found, message, excerpt):
        return Passed(path, statement.lineno, reason)
    return Site(
        path=path,
        line=statement.lineno,
        last=statement.end_lineno or statement.lineno,
        error_class=error_class,
        message=message,
        pattern=pattern(found),
        holes=tuple(part.expression for part in found if isinstance(part, Hole)),
        function=scope.function,
        parameters=scope.parameters,
        condition=_condition(statement, scope),
        handling=source_of(scope.handling) if scope.handling is not None else None,
        status=_status(call),
        code=_code(call, message),
        excerpt=excerpt,
        start=start,
        end=end,
    )


def _unfit(found: Sequence[Part], message: str, excerpt: str) -> str:
    """Why no record could show the message; empty where one could."""
    if not _has_word(found):
        return "its message has no literal word"
    if len(message) > MAX_MESSAGE:
        return f"its message has over {MAX_MESSAGE:,} characters"
    if _UNWANTED.search(message):
        return "its message holds control characters"
    return "" if _presentable(excerpt) else f"its excerpt has over {MAX_EXCERPT:,} bytes, or characters that are none"


def _has_word(found: Sequence[Part]) -> bool:
    return any(isinstance(part, str) and _WORD.search(part) for part in found)


def _raised(
    statement: ast.Raise | ast.Assert, names: Mapping[str, ast.expr]
) -> tuple[str, list[Part], ast.Call | None] | None:
    """Name the class, the message's parts and the call that makes the exception.

    The message is the first argument with a word, or else the first of all.
    """
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
    messages = [joined(parts(candidate, names)) for candidate in candidates]
    found = next(filter(_has_word, messages), messages[0] if messages else None)
    return None if found is None else (name, found, call)


def _class(node: ast.expr) -> str | None:
    """The last part of a dotted class name; nothing for a call that does not name a class."""
    name = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
    return name if _CLASS_NAME.fullmatch(name) and name.isascii() else None


def _presentable(excerpt: str) -> bool:
    return len(excerpt.encode("utf-8", "replace")) <= MAX_EXCERPT and not re.search("[\x00\ud800-\udfff]", excerpt)


def _condition(statement: ast.Raise | ast.Assert, scope: _Scope) -> str | None:
    if isinstance(statement, ast.Assert):
        return source_of(ast.UnaryOp(ast.Not(), statement.test))
    return source_of(scope.condition) if scope.condition is not None else None


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
