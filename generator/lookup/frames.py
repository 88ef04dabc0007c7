"""Places in source that a stack trace names, and how far a record's file is one of them."""

import re
from typing import NamedTuple

SUFFIXES = (
    "py|pyx|pxd|pyi|js|mjs|cjs|ts|tsx|jsx|java|kt|kts|scala|groovy|clj|go|rs|rb|php|cs|fs|vb|cpp|cc|cxx|c|h|hpp|cu|"
    "m|mm|swift|ex|exs|erl|lua|pl|pm|r|R|jl|dart|vue|svelte|hs|ml|zig|nim"
)
FILE = r"[^\"'<>|()\[\]{},;=]{0,300}\.(?:" + SUFFIXES + ")"

BEFORE: tuple[str, ...] = (
    r"\"?File \"([^\"\n]{1,500})\", line ([0-9]{1,7})",
    r"File (" + FILE + r"):([0-9]{1,7})",
    r"(" + FILE + r"):([0-9]{1,7})(?::[0-9]{1,5})?:? in ",
    r"(" + FILE + r")(?:\(([0-9]{1,7})\))? in [A-Za-z_<]",
    r"(" + FILE + r"):([0-9]{1,7}):$",
)
"""Frames that stand before the message, the raise last: Python, IPython, pytest, rich."""

AFTER: tuple[str, ...] = (
    r"at (?:[^()\n]{0,300}\()?(?:file:\/\/)?(" + FILE + r"):([0-9]{1,7})(?::[0-9]{1,5})?\)?",
    r"(?:from )?(" + FILE + r"):([0-9]{1,7})(?::[0-9]{1,5})?:? (?:in `|\+0x[0-9a-f]+)",
    r"#[0-9]{1,3} (" + FILE + r")\(([0-9]{1,7})\)",
    r"(" + FILE + r"):([0-9]{1,7}): [A-Z][A-Za-z0-9_.]{0,80}$",
)
"""Frames that stand after it, the raise first: Node, Java, Ruby, Go, PHP; and pytest's last line."""

LEADING = r"(" + FILE + r"):([0-9]{1,7})(?::[0-9]{1,5})?: "
"""A place that a message follows on the same line: warnings, compilers."""

LONGEST = 1_000
"""Characters of a line that may be a frame."""

_BEFORE = [re.compile(pattern) for pattern in BEFORE]
_AFTER = [re.compile(pattern) for pattern in AFTER]
_LEADING = re.compile(LEADING)


class Frame(NamedTuple):
    """A place: the path's segments in lower case, the last first, and the 1-based line or 0."""

    segments: tuple[str, ...]
    line: int
    before: bool


def frame(text: str) -> Frame | None:
    """The place that a line without prefixes names, if that is all it is for."""
    if len(text) > LONGEST:
        return None
    for patterns, before in ((_BEFORE, True), (_AFTER, False)):
        for pattern in patterns:
            if found := pattern.match(text):
                return Frame(segments(found[1]), int(found[2] or 0), before)
    return None


def leading(text: str) -> tuple[Frame, int] | None:
    """The place that a line begins with, and where the message after it begins."""
    found = _LEADING.match(text) if len(text) <= LONGEST else None
    return (Frame(segments(found[1]), int(found[2]), False), found.end()) if found else None


def segments(path: str) -> tuple[str, ...]:
    """A path's segments, the last first, ASCII letters in lower case; `/` and `\\` part them alike."""
    plain = path.replace("\\", "/").replace("**", "__").strip(" ")
    return tuple(segment for segment in _lower(plain).split("/")[::-1] if segment not in ("", ".", "~"))


def _lower(path: str) -> str:
    return "".join(chr(ord(char) + 32) if "A" <= char <= "Z" else char for char in path)


def shared(one: tuple[str, ...], other: tuple[str, ...]) -> int:
    """How many segments two paths share from their ends."""
    count = 0
    while count < min(len(one), len(other)) and one[count] == other[count]:
        count += 1
    return count
