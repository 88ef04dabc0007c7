"""Reads a paste into lines: what each says once prefixes are away, and what kind of line it is."""

import re
from typing import Literal, NamedTuple

from generator.lookup import frames, prefixes
from generator.lookup.characters import squeezed
from generator.lookup.frames import Frame

Kind = Literal["text", "head", "frame", "source", "trace", "chain", "mark", "blank"]

TRACE = r"Traceback \(most recent call last\)|^Stack ?trace:|^goroutine [0-9]+ |^stack backtrace:"
CHAIN = r"^(?:The above exception was the direct cause|During handling of the above exception)"
MARK = r"^(?:[\^~ ]+|[-=_*#+ ]{2,}|\.{3}(?:<[0-9]+ lines?>\.{3})?)$"
NUMBERED = (
    r"^(?:-+> *[0-9]{1,6}(?: |$)| {2,}[0-9]{1,6} (?= |[^0-9| ])|[ \u2502]{0,9}[\u276f\u2771]? {0,9}[0-9]{1,6} \u2502)"
)
POINTED = r"^> {4,}[^ ]"
CAUSE = r"(?:Caused by|\[cause\]|caused by): "
CRY = (
    r"(?:(?:" + CAUSE + r")|Uncaught (?:Exception )?|Unhandled exception[.:] |Exception in thread \"[^\"\n]{0,80}\" |"
    r"(?:[Ff]atal error|[Ff]atal|panic|[Ee]rror): (?=[A-Z]))"
)
NAME = r"[A-Za-z_$][A-Za-z0-9_$]{0,99}(?:(?:\.|::|\\)[A-Za-z_$<][A-Za-z0-9_$<>]{0,99}){0,12}"
HEAD = r"^(" + CRY + r")?(" + NAME + r")(?: \[[A-Z0-9_]{1,60}\])?(?:: ?|$)"
PLAIN_HEAD = r"^(?:[Ff]atal error|[Ff]atal|panic|[Ee]rror)(?:\[[A-Z][0-9]{1,5}\])?: "
ENDING = (
    r"(?:Error|Exception|Warning|Fault|Failure|Failed|Exit|Interrupt|Timeout|Err|Expired|Denied|Refused|NotFound|"
    r"Invalid|Mismatch|Undefined|Unavailable|Abort|Aborted|Conflict|Missing|Panic)$"
)
PARTS = r"[.:\\]+"
CAMEL = r"^[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]*)+$"

_TRACE, _CHAIN, _MARK = re.compile(TRACE), re.compile(CHAIN), re.compile(MARK)
_NUMBERED, _POINTED = re.compile(NUMBERED), re.compile(POINTED)
_CAUSE, _HEAD, _PLAIN_HEAD = re.compile(CAUSE), re.compile(HEAD), re.compile(PLAIN_HEAD)
_ENDING, _CAMEL, _PARTS = re.compile(ENDING), re.compile(CAMEL), re.compile(PARTS)


class Line(NamedTuple):
    """A line of a paste.

    `text` is what it says without prefixes, `whole` with them, both with single spaces; `width` counts the
    characters of the line as it was; `name` is the class that a head names, or empty, and `said` where its
    message begins in `text`; `cause` says that a head is the cause of the one before it; `told` says that the
    line came out of another, a JSON string.
    """

    text: str
    whole: str
    kind: Kind
    width: int
    stamped: bool = False
    pytest: bool = False
    frame: Frame | None = None
    name: str = ""
    cause: bool = False
    told: bool = False
    said: int = 0


class Reader:
    """Reads lines one after the other; what a line is depends on those before."""

    def __init__(self) -> None:
        self.lines: list[Line] = []
        self._under: int | None = None
        """Indent of the frame whose source may follow; None where none may."""
        self._source = 0

    def add(self, raw: str, *, told: bool = False) -> None:
        """Read the next line of a folded text."""
        cut = prefixes.cut(raw)
        text, whole = squeezed(cut.text), squeezed(raw)
        kind, frame = self._kind(raw, text, cut.indent)
        if frame and kind == "text":
            text = text[_after_place(text) :]
        head = _head(text, after_source=self._under is not None) if kind == "text" else None
        if head:
            kind = "head"
        elif kind == "text" and self._under is not None and not self._source and not frame:
            kind = "source"
        self._under = cut.indent if kind == "frame" and frame and frame.before else self._under_after(kind)
        self._source = self._source + 1 if kind == "source" else 0
        name, said, cause = head or ("", 0, False)
        width = len(raw.rstrip(" "))
        pytest = raw.lstrip(" ").startswith("E   ")
        self.lines.append(Line(text, whole, kind, width, cut.stamped, pytest, frame, name, cause, told, said))

    def _under_after(self, kind: Kind) -> int | None:
        return self._under if kind in ("source", "mark") else None

    def _kind(self, raw: str, text: str, indent: int) -> tuple[Kind, Frame | None]:
        """What kind of line it is, a head still being text, and the place that it names."""
        if not text or _TRACE.search(text) or _CHAIN.match(text):
            return ("blank" if not text else "trace" if _TRACE.search(text) else "chain"), None
        if frame := frames.frame(text):
            return "frame", frame
        if _MARK.match(text):
            return "mark", None
        if _NUMBERED.match(raw) or _POINTED.match(raw) or (self._under is not None and indent > self._under):
            return "source", None
        found = frames.leading(text)
        return "text", found[0] if found else None


def _after_place(text: str) -> int:
    found = frames.leading(text)
    return found[1] if found else 0


def _head(text: str, *, after_source: bool) -> tuple[str, int, bool] | None:
    """The class that a line names before its message, empty if it only says that it is an error; where the
    message begins; and whether the error is the cause of the one before.
    """
    found = _HEAD.match(text)
    if found and _is_name(
        found[2], ends=found.end() == len(text) and not text.endswith(":"), after_source=after_source
    ):
        return found[2], found.end(), bool(found[1] and _CAUSE.match(found[1]))
    found = _PLAIN_HEAD.match(text)
    return ("", found.end(), False) if found else None


def _is_name(name: str, *, ends: bool, after_source: bool) -> bool:
    last = _PARTS.split(name)[-1]
    if _ENDING.search(last) or (after_source and "A" <= last[:1] <= "Z"):
        return True
    return not ends and (bool(_CAMEL.match(last)) or (last != name and "A" <= last[:1] <= "Z"))
