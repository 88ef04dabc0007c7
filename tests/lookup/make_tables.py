"""Writes the browser's copy of lookup's regular expressions and constants, from the Python modules.

python -m tests.lookup.make_tables
"""

import json
from pathlib import Path
from types import ModuleType
from typing import Any

from generator.lookup import (
    characters,
    cutting,
    evidence,
    filters,
    finding,
    frames,
    index,
    keys,
    lines,
    matching,
    paste,
    prefixes,
    probing,
    quoted,
    readings,
    similar,
    stopwords,
    tokens,
)

PATH = Path(__file__).parents[2] / "overrides" / "assets" / "js" / "lookup" / "tables.js"

TABLES: dict[ModuleType, tuple[str, ...]] = {
    characters: ("REPLACED", "RULES", "MARKDOWN", "ENTITY", "NAMED", "ESCAPED", "PATH"),
    cutting: ("LEAST_HELD", "LEAST_PERCENT", "MANY", "LEAST_HELD_HERE", "LEAST_ALONE"),
    evidence: ("SAME_FILE", "RAISED_HERE", "PASSED_HERE", "SAME_NAME", "SAME_LINE", "COMMON_NAMES"),
    filters: ("HASHES",),
    finding: ("MOST_SHARDS", "LINES_A_SHARD", "LINES", "ALIKE", "LIMIT"),
    frames: ("BEFORE", "AFTER", "LEADING", "LONGEST"),
    index: ("FOLDER", "FORMAT"),
    keys: ("NOT_LETTERS",),
    lines: ("TRACE", "CHAIN", "MARK", "NUMBERED", "POINTED", "CAUSE", "HEAD", "PLAIN_HEAD", "ENDING", "PARTS", "CAMEL"),
    matching: (
        *("NEEDED", "DOTS", "LEAST_ALIKE", "LEAST_ALIKE_HERE", "CLASS_POINTS"),
        *("PLACEHOLDER", "CODE", "LOUD", "BEGINS"),
    ),
    paste: ("MESSAGE_LINES", "MOST_FRAMES", "SHORT"),
    prefixes: ("STAMPS", "MARKS", "BETWEEN", "BORDER"),
    probing: ("CRIES", "FRAMES", "BEGINNINGS"),
    quoted: ("KEYED", "ESCAPES"),
    readings: ("LONGEST", "WRAPPED", "FULL", "LINES_BEFORE", "LINES_AFTER", "ESCAPED"),
    similar: ("MOST_WORDS", "LEAST_SHARE", "LEAST_CUT", "LEAST_WORDS", "LEAST_TELLING", "WORDS_A_HOLE"),
    stopwords: ("STOPWORDS",),
    tokens: ("WORD", "MAX_TOKEN", "MULTIPLIERS", "SEEDS"),
}

PAIRS = ("RULES", "MARKDOWN")
"""Tables whose second members are replacements: `\\1` is `$1` there."""


def made() -> str:
    """The module's text."""
    parts = ["// Made by tests/lookup/make_tables.py from the modules in generator/lookup/: change those.\n"]
    for module, names in TABLES.items():
        rows = [f"  {name}: {_spelt(name, getattr(module, name))},\n" for name in names]
        if module is characters:
            rows.append(f"  REMOVED: {_spelt('REMOVED', characters._REMOVED)},\n")
        parts.append(f"export const {module.__name__.rpartition('.')[2]} = {{\n{''.join(rows)}}};\n")
    return "\n".join(parts)


def _spelt(name: str, value: Any) -> str:
    if isinstance(value, frozenset):
        value = sorted(value)
    if name in PAIRS:
        value = [(pattern, replacement.replace("\\1", "$1")) for pattern, replacement in value]
    return json.dumps(value)


if __name__ == "__main__":
    PATH.write_text(made(), "utf-8")
