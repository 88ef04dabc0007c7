"""What tools write before a line of somebody else's message, and how to take it away.

Time stamps, levels, ranks, process and container names, line numbers, quote marks, boxes, pytest's `E`.
"""

import re
from typing import NamedTuple

LEVEL = r"(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|ERR|CRITICAL|FATAL|SEVERE)"
MONTH = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)"
CLOCK = r"[0-9]{2}:[0-9]{2}(?::[0-9]{2})?(?:[.,][0-9]{1,9})?"
ZONE = r"(?:Z| ?[+-][0-9]{2}:?[0-9]{2}| UTC| GMT)?"

STAMPS: tuple[str, ...] = (
    r"\[?[0-9]{4}[-\/.][0-9]{2}[-\/.][0-9]{2}(?:[T _]"
    + CLOCK
    + ZONE
    + r")?(?: [A-Z]{2}[A-Z0-9 ]{0,30})?\]?(?= |$|[|:\]])",
    r"\[?[0-9]{2}[-\/][0-9]{2}(?:[-\/][0-9]{2,4})?[ T]" + CLOCK + ZONE + r"\]?(?= |$|[|:])",
    r"\[?" + CLOCK + r"\]?(?= |$|[|])",
    MONTH
    + r" {1,2}[0-9]{1,2}(?: [0-9]{4})? "
    + CLOCK
    + r"(?: [A-Za-z0-9_.-]{1,64} [A-Za-z0-9_.\/@-]{1,64}(?:\[[0-9]+\])?:)?",
    r"[IWEF](?:[0-9]{4} " + CLOCK + r" +[0-9]+)? [A-Za-z0-9_.\/-]{1,100}:[0-9]+\]",  # glog, TensorFlow
    LEVEL + r":[A-Za-z0-9_.-]{1,80}:",  # Python's logging
    r"\[?" + LEVEL + r"\]?(?: *[:|-])?(?= )",
)
"""What begins a log's entry, each as a regular expression."""

MARKS: tuple[str, ...] = (
    r">+(?= |$)",  # quoted
    r"E(?= {3})",  # pytest
    r"[\u2500-\u259f\u276f\u2771\u25b6\u23af]+",  # boxes, and rich's arrow
    r"\|(?= |$)",
    r"\[[A-Za-z0-9_.:, \/@#=-]{1,60}\](?:<stderr>|<stdout>)?:?(?= |$|[A-Z<])",
    r"\((?:[A-Za-z][A-Za-z0-9_:. -]{0,60})?pid=[0-9]+[^()\n]{0,60}\)",
    r"\((?:raylet|autoscaler|dashboard|bundle_reservation_check_func)[^()\n]{0,60}\)",
    r"[0-9]{1,6} ?[|\u2502](?= |$)",
    r"[0-9]{1,6}:(?= )",
    r"[A-Za-z0-9][A-Za-z0-9_.-]{0,60} +\|(?= |$)",  # docker compose
    r"(?:stdout|stderr) [FP](?= )",
    r"##\[[a-z]+\]",  # GitHub Actions
    r"::(?:error|warning|notice)[^:\n]{0,200}::",
)
"""What is written before each line of somebody else's text."""

BETWEEN: tuple[str, ...] = (
    r"[|:-]+(?= )",
    r"[A-Za-z0-9_.]{1,80} - (?=" + LEVEL + r")",
    r"[A-Za-z0-9_.<>]{1,80}:[A-Za-z0-9_.<>]{1,80}:[0-9]+ -(?= )",  # loguru
    r"[A-Za-z0-9_.\/-]{1,80}\.(?:py|c|cc|cpp|go|rs|js|ts|java):[0-9]+(?:\]|:| -)(?= )",
    r"[0-9]{1,7}(?= " + LEVEL + r")",
)
"""What may stand after a prefix only."""

BORDER = " " + "".join(map(chr, range(0x2500, 0x25A0)))
_STAMP = re.compile("(?:" + "|".join(STAMPS) + ")")
_MARK = re.compile("(?:" + "|".join(MARKS) + ")")
_BETWEEN = re.compile("(?:" + "|".join(BETWEEN) + ")")


class Cut(NamedTuple):
    """A line without what stands before it: `indent` spaces follow the last prefix; `stamped` if it begins an entry."""

    text: str
    indent: int
    stamped: bool


def cut(line: str) -> Cut:
    """Take the prefixes of a folded line away, and the borders of boxes at its end."""
    end = at = 0
    stamped = False
    while True:
        end, at = at, _indented(line, at)
        found = _STAMP.match(line, at)
        stamped = stamped or found is not None
        found = found or _MARK.match(line, at) or (_BETWEEN.match(line, at) if end else None)
        if not found or found.end() == at:
            return Cut(line[at:].rstrip(BORDER), at - end, stamped)
        at = found.end()


def _indented(line: str, at: int) -> int:
    while at < len(line) and line[at] == " ":
        at += 1
    return at
