"""A Pygments lexer for messages: text, with the {placeholders} marked."""

import re
from collections.abc import Iterator
from typing import ClassVar

from pygments.lexer import Lexer
from pygments.token import String, Text, _TokenType

ALIAS = "errordex-message"

_BRACES = re.compile(r"[{}]")


def placeholders(message: str) -> Iterator[tuple[int, int]]:
    """The spans of a message's {placeholders}, outermost braces, in order; unbalanced braces are text."""
    depth = start = 0
    for brace in _BRACES.finditer(message):
        if brace.group() == "{":
            start = brace.start() if depth == 0 else start
            depth += 1
        elif depth:
            depth -= 1
            if depth == 0 and brace.end() - start > 2:
                yield start, brace.end()


class MessageLexer(Lexer):
    """Marks the placeholders of an error message as string interpolation."""

    name = "Error message"
    aliases: ClassVar[list[str]] = [ALIAS]
    filenames: ClassVar[list[str]] = []

    def get_tokens_unprocessed(self, text: str) -> Iterator[tuple[int, _TokenType, str]]:
        """Yield (index, token, value) as Pygments asks for it."""
        done = 0
        for start, end in placeholders(text):
            yield done, Text, text[done:start]
            yield start, String.Interpol, text[start:end]
            done = end
        yield done, Text, text[done:]
