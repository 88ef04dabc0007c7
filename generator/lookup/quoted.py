"""Strings in lines of JSON: logs keep messages in them, escaped."""

import re
from collections.abc import Iterator

KEYED = r"\"[A-Za-z0-9_.@-]{1,60}\" ?: ?\""
ESCAPES = {"n": "\n", "r": "\n", "t": " ", "b": "", "f": " "}

_KEYED = re.compile(KEYED)
_HEXADECIMAL = re.compile(r"[0-9a-fA-F]{4}")


def strings(line: str) -> Iterator[str]:
    """The values with a space in them, unescaped; nothing unless the line holds a key with a string."""
    if '"' not in line or not _KEYED.search(line):
        return
    at = line.find('"')
    while at >= 0:
        end = _end(line, at + 1)
        if end < 0:
            return
        after = line[end + 1 : end + 3].lstrip(" ")[:1]
        if after != ":" and " " in (value := line[at + 1 : end]):
            yield unescaped(value)
        at = line.find('"', end + 1)


def _end(line: str, at: int) -> int:
    """Where the string that began before `at` ends; -1 if it does not."""
    while True:
        quote, slash = line.find('"', at), line.find("\\", at)
        if quote < 0 or slash < 0 or quote < slash:
            return quote
        at = slash + 2


def unescaped(text: str) -> str:
    """`text` with the escapes of JSON and Python resolved."""
    parts: list[str] = []
    at = 0
    while (slash := text.find("\\", at)) >= 0:
        parts.append(text[at:slash])
        code = text[slash + 1 : slash + 2]
        at = slash + 2
        if code == "u" and _HEXADECIMAL.match(text, at):
            parts.append(chr(int(text[at : at + 4], 16)))
            at += 4
        else:
            parts.append(ESCAPES.get(code, code))
    parts.append(text[at:])
    return "".join(parts)
