"""What a pattern may not hold, and how to write it instead."""


class PatternError(ValueError):
    """A pattern that has no program.

    `reason` says what is not allowed and at which 0-based column, counted in code points; `remedy` is a
    way to write it that is accepted.
    """

    def __init__(self, what: str, column: int, remedy: str) -> None:
        self.column = column
        self.reason = f"{what} at column {column}"
        self.remedy = remedy
        super().__init__(f"{self.reason}; {remedy}")


_LOOK = "leave it out, and write the text that is there instead, as a literal or a gap such as .+"
NO_FLAGS = "leave the flag out: . takes line feeds anyway, and a letter of either case is written [Aa]"
TOO_DEEP = "take the inner parentheses away: a gap is a hole without them"
REPEATED = r"a group takes ? alone; for what repeats write a gap, such as .+ or [0-9, ]+"

OPENINGS: dict[str, tuple[str, str]] = {
    "(?=": ("a look-ahead", _LOOK),
    "(?!": ("a negative look-ahead", _LOOK),
    "(?<=": ("a look-behind", _LOOK),
    "(?<!": ("a negative look-behind", _LOOK),
    "(?>": ("an atomic group", "write (?:…) instead"),
    "(?|": ("a branch reset", "write (?:…) instead"),
    "(?(": ("a condition", "write both cases as alternatives, (?:…|…)"),
    "(?P=": ("a back-reference", "write a gap, such as .+, in its place"),
    "(?P>": ("a recursion", "write a gap, such as .+, in its place"),
    "(?#": ("a comment", "leave it out"),
    "(?P<": ("a name that is none", "name a hole with ASCII letters, digits and _, as in (?P<name>.+)"),
    "(?<": ("a name that is none", "name a hole with ASCII letters, digits and _, as in (?P<name>.+)"),
}
"""What opens a group that is refused: what it is, and the remedy; the longer of two that begin alike is first."""

ESCAPES: dict[str, tuple[str, str]] = {
    **dict.fromkeys("123456789", ("back-reference", "write a gap, such as .+, in its place")),
    "0": ("octal escape", r"write \x00, with two hexadecimal digits"),
    "p": ("Unicode property", r"write a class of ranges, such as [a-z], or \w, or .+"),
    "P": ("Unicode property", r"write a class of ranges, such as [^a-z], or \W, or .+"),
    "B": ("place within a word", "leave it out: a literal is found within words too"),
    "k": ("back-reference", "write a gap, such as .+, in its place"),
}
"""The character after the backslash of an escape that is refused: what it is, and the remedy."""
