"""Pygments' own tokens, sooner: the rules of a lexer's state as one alternation.

`RegexLexer` tries the rules of its state one by one, in Python, at every place of the text. One regular
expression, `(?:rule)()|(?:rule)()…`, tries them in the same order in C; the empty group that matched says
which rule it was. Nothing stands behind an alternative that matched, so none is tried again, and each
matches just what it would alone.

Of Pygments, this uses what authors of lexers use: subclasses with their own `get_tokens_unprocessed` or
`tokens`, and `get_tokendefs` and `process_tokendef`, which make a table of the rules: `{state: [(match
method, token or callback, new state)]}`. The form of that table is not documented, so it is looked at
first. A lexer that works in another way is left as it is.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from pygments.lexer import Lexer, RegexLexer
from pygments.token import Error, Whitespace, _TokenType

from generator.firsts import ANY, Ruled, begins, guarded

Token = tuple[int, _TokenType, str]
Pair = tuple[_TokenType, str]
Callback = Callable[[Any, int, str], Iterable[Token]]
Match = Callable[[str, int], re.Match[str] | None]
Move = int | str | tuple[str, ...] | None
"""How many states to leave, as a negative number; or which to enter (`#pop` and `#push` among them)."""

Table = Mapping[str, list[tuple[Match, Any, Move]]]
"""What `process_tokendef` makes."""

_RELAYED = frozenset({"c", "cpp", "elixir", "lua", "objective-c", "php", "swift"})
"""The lexers of Pygments that look at `RegexLexer`'s tokens again. They ask it for the whole text, from `root` or
from one state upon it."""

_GLOBAL_FLAGS = re.compile(r"\(\?([aimsux]+)\)")
_OWN_NUMBERS = re.compile(r"\\[1-9]|\(\?P=|\(\?\(")
_GROUP = re.compile(r"\\.|\[\^?\]?(?:[^\]\\]|\\.)*\]|(?P<opened>\(\?P<\w+>|\((?!\?))", re.DOTALL)


class Rule(NamedTuple):
    """What to do where a rule matched: yield `token`, or what `callback` gives; then move."""

    token: _TokenType | None
    callback: Callback | None
    move: Move


class Plan(NamedTuple):
    """How a state is gone through: `find(text, position)` gives match after match, and `lastindex` of each its rule."""

    find: Callable[[str, int], Iterable[Any]]
    rules: Mapping[Any, Rule]


def accelerated(lexer: Lexer) -> Lexer:
    """A lexer that gives the tokens of `lexer`: a faster one, or `lexer` itself if it is of a kind unknown here."""
    kind: Any = type(lexer)
    if not isinstance(lexer, RegexLexer) or getattr(kind, "token_variants", False):
        return lexer
    if kind.get_tokens_unprocessed is RegexLexer.get_tokens_unprocessed:
        changed: dict[str, Any] = {"get_tokens_unprocessed": _unprocessed, "only_prepares": False}
    elif kind.__module__.startswith("pygments.lexers.") and kind.aliases[0] in _RELAYED:
        changed = {"tokens": {state: [(r"[\s\S]+", _relay(state))] for state in kind.get_tokendefs()}}
    else:
        return lexer
    subclass = type(kind)(f"Fast{kind.__name__}", (kind,), changed)
    faster = subclass(**lexer.options)
    table = subclass.process_tokendef("alternations", kind.get_tokendefs())
    if not _is_known_form(table):
        return lexer
    subclass.plans = _Plans(table, kind.flags)
    return faster  # type: ignore[no-any-return]


def _is_known_form(table: Any) -> bool:
    """Whether each rule's first is the `match` of a compiled expression, and its last a move."""
    rules = [rule for rules in table.values() for rule in rules]
    return all(
        len(rule) == 3
        and isinstance(getattr(rule[0], "__self__", None), re.Pattern)
        and isinstance(rule[2], int | str | tuple | None)
        for rule in rules
    )


def _relay(state: str) -> Callable[[Any, re.Match[str]], list[Token]]:
    """The callback of a rule for the whole text, by which the tokens pass through the lexer's own method."""
    stack = ("root",) if state == "root" else ("root", state)
    return lambda lexer, match: [(0, *pair) for pair in _pairs(lexer, match.group(), stack)]


_ANEW = ("#anew",)
"""The move to the lowest state alone, which Pygments makes at a line's end that no rule matches."""

_UNMATCHED = ((r"\n", Rule(Whitespace, None, _ANEW)), (r"[\s\S]", Rule(Error, None, None)))


class _Plans(dict[str, Plan]):
    """The plan of each state, compiled when a text first comes to it."""

    def __init__(self, table: Table, flags: int) -> None:
        self._table = table
        self._flags = flags

    def __missing__(self, state: str) -> Plan:
        rules = self._table[state]
        try:
            self[state] = _plan(list(_segments(rules, self._flags)))
        except re.error:  # a rule that can't stand in an alternation: each by itself, as Pygments has them
            alone = [_Segment(match.__self__, _Always(_rule(match, *rest))) for match, *rest in rules]  # type: ignore[attr-defined]
            self[state] = _plan([*alone, *_segments((), self._flags)])
        return self[state]


class _Segment(NamedTuple):
    """An alternation of some rules, and these by the number of the group that marks each."""

    pattern: re.Pattern[str]
    rules: Mapping[Any, Rule]


class _Always(dict[Any, Rule]):
    """One rule, whatever the group."""

    def __init__(self, rule: Rule) -> None:
        self._rule = rule

    def __missing__(self, group: Any) -> Rule:
        return self._rule


class _Marked:
    """A match of one of several expressions, and which: its `lastindex` is that of the expression's rules."""

    __slots__ = ("end", "group", "lastindex", "start")

    def __init__(self, found: re.Match[str], lastindex: Rule) -> None:
        self.start, self.end, self.group = found.start, found.end, found.group
        self.lastindex = lastindex


class _Itself(dict[Rule, Rule]):
    """A rule that was found already."""

    def __missing__(self, rule: Rule) -> Rule:
        return rule


def _plan(segments: list[_Segment]) -> Plan:
    """The plan for these alternations: the regular expression's own search goes through one, a loop through several."""
    if len(segments) == 1:
        return Plan(segments[0].pattern.finditer, segments[0].rules)
    tried = [(segment.pattern.match, segment.rules) for segment in segments]

    def find(text: str, position: int) -> Iterator[_Marked]:
        while True:
            hits = ((match(text, position), rules) for match, rules in tried)
            found, rules = next(((found, rules) for found, rules in hits if found), (None, {}))
            if found is None:
                return
            yield _Marked(found, rules[found.lastindex])
            position = found.end()

    return Plan(find, _Itself())


def tokens(lexer: Lexer, text: str) -> Iterable[Pair]:
    """What `lexer.get_tokens(text)` gives; of a faster lexer without passing each token on."""
    if lexer.filters or vars(type(lexer)).get("get_tokens_unprocessed") is not _unprocessed:
        return lexer.get_tokens(text)
    faster: Any = lexer
    faster.only_prepares = True
    for _ in faster.get_tokens(text):
        pass
    faster.only_prepares = False
    return _pairs(faster, faster.prepared)


def _unprocessed(lexer: Any, text: str, stack: Iterable[str] = ("root",)) -> Iterable[Token]:
    """The method of the faster lexers; where tokens stand is said of none, since nothing here asks for it."""
    if lexer.only_prepares:
        lexer.prepared = text
        return ()
    return [(0, kind, value) for kind, value in _pairs(lexer, text, stack)]


def _pairs(lexer: Any, text: str, stack: Iterable[str] = ("root",)) -> list[Pair]:
    """Do what `RegexLexer.get_tokens_unprocessed` does, step by step.

    All at once: to yield each token took a tenth more time.
    """
    plans: _Plans = lexer.plans
    states = list(stack)
    pairs: list[Pair] = []
    add = pairs.append
    position = 0
    while True:
        find, rules = plans[states[-1]]
        for found in find(text, position):
            token, callback, move = rules[found.lastindex]
            if token is not None:
                add((token, found.group()))
            elif callback is not None:
                pairs += [(kind, value) for _, kind, value in callback(lexer, found.start(), text)]
            if move is not None:
                _move(states, move)
                position = found.end()
                break
        else:
            return pairs


def _move(states: list[str], move: int | str | tuple[str, ...]) -> None:
    """Leave or enter states; the lowest is never left."""
    if isinstance(move, int):
        del states[max(1, len(states) + move) :]
        return
    if move is _ANEW:
        states[:] = ["root"]
        return
    for state in (move,) if isinstance(move, str) else move:
        if state == "#pop":
            del states[max(1, len(states) - 1) :]
        else:
            states.append(states[-1] if state == "#push" else state)


def _segments(rules: Iterable[tuple[Match, Any, Move]], flags: int) -> Iterator[_Segment]:
    """The alternations for these rules: one, but that a rule which refers to its own groups begins another.

    The last ends with what is done where no rule matches. Raises `re.error` where a rule can't be part of one.
    """
    alternatives: list[Ruled] = []
    marks: dict[int, Rule] = {}
    count = 0
    for match, action, move in rules:
        own: re.Pattern[str] = match.__self__  # type: ignore[attr-defined]
        keeps_groups = _needs_groups(own)
        if keeps_groups and alternatives:
            yield _Segment(_alternation(alternatives, flags, count), marks)
            alternatives, marks, count = [], {}, 0
        count += 1 + (own.groups if keeps_groups else 0)
        regex = _scoped(own.pattern if keeps_groups else _without_groups(own.pattern), own.flags)
        alternatives.append(Ruled(f"(?:{regex})()", begins(own.pattern, own.flags)))
        marks[count] = _rule(match, action, move)
    for regex, rule in _UNMATCHED:
        count += 1
        alternatives.append(Ruled(f"(?:{regex})()", ANY))
        marks[count] = rule
    yield _Segment(_alternation(alternatives, flags, count), marks)


def _alternation(alternatives: list[Ruled], flags: int, groups: int) -> re.Pattern[str]:
    pattern = re.compile("|".join(guarded(alternatives)), flags)
    if pattern.groups != groups:
        raise re.error("its groups were counted otherwise")
    return pattern


def _rule(match: Match, action: Any, move: Move) -> Rule:
    """A rule's token, or callback: that gets the match of its own rule, with the groups."""
    if action is None or type(action) is _TokenType:
        return Rule(action, None, move)
    return Rule(None, lambda lexer, position, text: action(lexer, match(text, position)), move)


def _needs_groups(own: re.Pattern[str]) -> bool:
    """Whether it refers to its groups, or has comments, in which a bracket need not be a group's."""
    return _OWN_NUMBERS.search(own.pattern) is not None or bool(own.flags & re.VERBOSE)


def _scoped(regex: str, flags: int) -> str:
    """A regular expression whose flags hold for itself alone, and whose last comment ends."""
    regex = f"{regex}\n" if flags & re.VERBOSE else regex
    written = _GLOBAL_FLAGS.match(regex)
    return f"(?{written[1]}:{regex[written.end() :]})" if written else regex


def _without_groups(regex: str) -> str:
    """The same with nothing captured: what lies in the groups is asked of the rule itself."""
    return _GROUP.sub(lambda part: "(?:" if part["opened"] else part.group(), regex)
