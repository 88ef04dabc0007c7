"""Records as lookup sees them, and what a text finds among them."""

from generator import skeleton
from generator.lookup import Found, Index, Site, find
from generator.lookup.messages import Raised

FILE = "src/tool/opening.py"


def raised(
    number: int,
    message: str,
    error_class: str = "OpenError",
    *,
    file: str = FILE,
    line: int = 42,
    repo: str = "acme/tool",
) -> Raised:
    """The record of that number; its message's {placeholders} are gaps."""
    return Raised(skeleton.pattern(message), error_class, Site(f"{number:016x}", f"{repo}/error-{number}", file, line))


def index(*records: Raised) -> Index:
    return Index.of_records(records)


def numbers(found: Found) -> list[int]:
    """The numbers of the records that an answer names, in its order."""
    return [int(site.id, 16) for site in found.sites]


def told(text: str, asked: Index) -> list[tuple[str, list[int]]]:
    """Kind and records of each answer, best first."""
    return [(found.kind, numbers(found)) for found in find(text, asked)]


def traceback(said: str, *, file: str = f"/venv/lib/{FILE}", line: int = 42) -> str:
    """A Python traceback that ends with `said`."""
    return f'Traceback (most recent call last):\n  File "{file}", line {line}, in run\n    fail(here)\n{said}\n'
