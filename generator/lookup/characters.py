"""Folds characters that pasting, printing and copying change, in messages and in patterns alike.

What is folded: ends of lines, terminal escapes, HTML entities, typographic quotes, dashes and spaces,
Markdown's links, bold names and backslashes, control characters. A text is folded before it is read, and a
pattern's literals before they are compared with it, so that either spelling finds the other.

Code points above U+FFFF and lone surrogates become U+FFFD, so that every language counts alike. Regular
expressions here and in the modules beside are Errordex's own, hold no class that depends on a version of
Unicode, and are the same in the scripts; a test compares them.
"""

import re

REPLACED = {
    "'": "\u2018\u2019\u201a\u201b\u2032\u00b4",
    '"': "\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb",
    "-": "\u2010\u2011\u2012\u2013\u2014\u2015\u2212",
    "...": "\u2026",
    " ": "\t\v\f\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000",
    "\n": "\u0085\u2028\u2029",
    "": "\u00ad\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2066\u2067\u2068\u2069\ufeff",
}
"""What stands in a folded text, and the characters that it replaces."""

RULES: tuple[tuple[str, str], ...] = (
    (r"\r\n?", "\n"),
    (r"(?:\x1b|\\x1b|\\033|\\u001b)\[[0-?]*[ -\/]*[@-~]", ""),
    (r"\x1b\][^\x07\x1b\n]{0,500}(?:\x07|\x1b\\)?", ""),
    (r"\x1b[@-Z\\^_a-z]?", ""),
    (r"\[(?:[0-9]{1,3};){0,4}[0-9]{1,3}m", ""),
)
"""Pattern and replacement, applied in order before entities are read."""

MARKDOWN: tuple[tuple[str, str], ...] = (
    (r"\[([^\[\]\n]{0,500})\]\(https?:\/\/[^()\[\] \n]{0,500}\)", r"\1"),
    (r"\*\*([A-Za-z0-9_]{1,100})\*\*", r"__\1__"),
    (r"-{2,}(?=[A-Za-z])", "-"),
)
"""As `RULES`, applied after single characters are replaced."""

ENTITY = r"&(?:#([0-9]{1,7})|#[xX]([0-9a-fA-F]{1,6})|(lt|gt|amp|quot|apos|nbsp));"
NAMED = {"lt": "<", "gt": ">", "amp": "&", "quot": '"', "apos": "'", "nbsp": " "}
ESCAPED = r"\\([*#_`\[\]])"
PATH = r"\\[A-Za-z0-9.~]"

_RULES = [(re.compile(pattern), replacement) for pattern, replacement in RULES]
_MARKDOWN = [(re.compile(pattern), replacement) for pattern, replacement in MARKDOWN]
_ENTITY, _ESCAPED, _PATH = re.compile(ENTITY), re.compile(ESCAPED), re.compile(PATH)
_WIDE = re.compile("[\U00010000-\U0010ffff\ud800-\udfff]")
_REMOVED = (*range(9), *range(14, 32), *range(127, 133), *range(134, 160))
_TABLE = {
    **{ord(char): new for new, old in REPLACED.items() for char in old},
    **dict.fromkeys(_REMOVED, ""),
}


def fold(text: str) -> str:
    """`text` with its characters folded; lines stay lines, and what white space they begin with stays."""
    for pattern, replacement in _RULES:
        text = pattern.sub(replacement, text)
    text = _WIDE.sub("\ufffd", _ENTITY.sub(_character, text)).translate(_TABLE)
    for pattern, replacement in _MARKDOWN:
        text = pattern.sub(replacement, text)
    if "\\" not in text:
        return text
    return "\n".join(line if _PATH.search(line) else _ESCAPED.sub(r"\1", line) for line in text.split("\n"))


def _character(match: re.Match[str]) -> str:
    decimal, hexadecimal, name = match.groups()
    if name:
        return NAMED[name]
    code = int(decimal) if decimal else int(hexadecimal, 16)
    return chr(code) if code <= 0xFFFF else "\ufffd"


def squeezed(text: str) -> str:
    """A folded text with each run of spaces made one, and none at its ends."""
    return " ".join(part for part in text.split(" ") if part)
