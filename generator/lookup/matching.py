"""Whether a message stands in a paste, how surely, and with which values."""

import re
from typing import Literal, NamedTuple

from generator.lookup import cutting, evidence, similar, tokens
from generator.lookup.entries import Entry, Site
from generator.lookup.evidence import Agreement, Placed
from generator.lookup.frames import Frame
from generator.lookup.paste import Paste
from generator.lookup.readings import Reading, Readings
from generator.patterns.matching import ends_open
from generator.patterns.programs import Hole, Match

Kind = Literal["match", "similar"]

NEEDED: dict[Agreement, int] = {"agrees": 12, "elsewhere": 20, "unknown": 22, "conflicts": 36}
"""Specificity that a message needs at least, by what stands before it."""

DOTS = "..."

LEAST_ALIKE, LEAST_ALIKE_HERE = 70, 50
"""Percent of likeness from which a message is offered; the latter where class and raising file are its own."""

CLASS_POINTS: dict[Agreement, int] = {"agrees": 10, "elsewhere": 4, "unknown": 0, "conflicts": -8}

PLACEHOLDER = (
    r"^[furb]{0,2}[\"']?(?:\{[A-Za-z_][A-Za-z0-9_.()\[\]!:*+\/ -]{0,80}\}|%[-0-9.]{0,6}[a-zA-Z]|"
    r"%\([A-Za-z0-9_]{1,40}\)[a-z])[\"']?$"
)
CODE = r"(?:^|[^A-Za-z0-9_])(?:raise|throw|throws|new|return|assert|print|f\"|f')[^A-Za-z0-9_]|[({,] ?[furb]{0,2}[\"']$"
LOUD = r"ERROR|CRITICAL|FATAL|SEVERE|[Ee]xception|[Pp]anic|^error|^Error|^fatal|^E "
BEGINS = ":|]>)-=,;\"'`(*"

_LOUD = re.compile(LOUD)
_PLACEHOLDER, _CODE = re.compile(PLACEHOLDER), re.compile(CODE)


class Value(NamedTuple):
    """What a hole held: its name or None, and the text."""

    name: str | None
    text: str


class Found(NamedTuple):
    """An entry that answers a paste.

    `score` lies between 1 and 99. `aside` says that it is no error's message, but a warning's or a line of a log,
    `depth` that the error wraps so many others. `text` is the message as it stands at `line`, `spans` are the
    values' places in it. `sites` are in order; `decided` says that a frame chose them; `cut` that the text ends early.
    """

    kind: Kind
    score: int
    aside: bool
    depth: int
    line: int
    entry: Entry
    sites: tuple[Site, ...]
    decided: bool
    text: str
    values: tuple[Value, ...] = ()
    spans: tuple[tuple[int, int], ...] = ()
    cut: bool = False


class Matcher:
    """Looks for entries in one paste."""

    def __init__(self, paste: Paste) -> None:
        self.paste = paste
        self.readings = Readings(paste)
        self._words: dict[int, tuple[Reading, list[str]]] = {}

    def match(self, entry: Entry, line: int, offset: int) -> Found | None:
        """The entry's message at a line, if it stands there whole and says enough."""
        for reading in self.readings.at(line, offset):
            match = _search(entry, reading)
            if match and (found := self._found(entry, reading, match, line)):
                return found
        return None

    def _found(self, entry: Entry, reading: Reading, match: Match, line: int) -> Found | None:
        match = _ended(entry, reading, match)
        before, after = reading.text[: match.start], reading.text[match.end :]
        if _crosses(reading, match) or _is_source(match, before):
            return None
        starts, ends = _starts(before, reading, match.start), _ends(after, reading, match.end)
        agrees = evidence.agreement(entry.error_class, before, self.paste, line)
        frames = self._frames(line)
        places = evidence.placed(entry.sites, frames)
        claimed = _claims(entry, agrees, places[0], frames=bool(frames), starts=starts, ends=ends)
        if not claimed and not (starts and self._is_loud(line)):
            return None
        score = 40 + min(30, entry.specificity // 2) + 8 * starts + 4 * ends + CLASS_POINTS[agrees] + places[0].points
        sites, decided = _decided(places)
        return Found(
            "match" if claimed else "similar",
            max(1, min(99, score if claimed else score // 2)),
            self._aside(line),
            self._depth(line),
            line,
            entry,
            sites,
            decided,
            reading.text[match.start : match.end],
            tuple(Value(hole.name, hole.value.strip(" ")) for hole in match.holes),
            tuple(_span(hole, match.start) for hole in match.holes),
        )

    def similar(self, entry: Entry, line: int) -> Found | None:
        """The entry, if a line breaks off within its message, or its words are much like it."""
        if not self._is_loud(line):
            return None
        place = evidence.placed(entry.sites, self._frames(line))
        agrees = self._class_near(entry, line)
        raised = place[0].points >= evidence.RAISED_HERE and agrees == "agrees"
        if entry.needs_frame and not raised:
            return None
        share, cut = self._likeness(entry, line, LEAST_ALIKE_HERE if raised else LEAST_ALIKE)
        if share == 0:
            return None
        score = share // 2 + CLASS_POINTS[agrees] + place[0].points + min(10, entry.specificity // 10)
        sites, decided = _decided(place)
        text = self.readings.message(line).text
        aside, depth = self._aside(line), self._depth(line)
        return Found("similar", max(1, min(89, score)), aside, depth, line, entry, sites, decided, text, cut=cut)

    def _likeness(self, entry: Entry, line: int, least: int) -> tuple[int, bool]:
        """Percent of the message that is there, 0 if that says too little; and whether the text breaks off."""
        held = max(cutting.held(entry.program, text, said) for text, said in self._ends(line))
        here = least < LEAST_ALIKE
        if cutting.enough(held, entry.specificity) or (here and held >= cutting.LEAST_HELD_HERE):
            return min(95, 60 + held), True
        like = similar.likeness(entry.program, self._message(line)[1])
        return (like.percent, like.cut) if like and like.percent >= least else (0, False)

    def _ends(self, line: int) -> list[tuple[str, int]]:
        """The texts at a line that may break off, and where their messages begin; `...` may say that they do."""
        own, message = self.paste.lines[line], self.readings.message(line)
        texts = [(own.text, own.said), (message.text, message.said)]
        return texts + [(text[: -len(DOTS)].rstrip(" "), said) for text, said in texts if text.endswith(DOTS)]

    def _class_near(self, entry: Entry, line: int) -> Agreement:
        head = self.paste.head_of.get(line)
        return evidence.agreement(entry.error_class, f"{head.name}:" if head and head.name else "", self.paste, line)

    def _message(self, line: int) -> tuple[Reading, list[str]]:
        if line not in self._words:
            reading = self.readings.message(line)
            self._words[line] = reading, tokens.words(reading.text)
        return self._words[line]

    def _frames(self, line: int) -> tuple[Frame, ...]:
        head = self.paste.head_of.get(line)
        return head.frames if head and head.frames else self.paste.frames[:20]

    def _aside(self, line: int) -> bool:
        head = self.paste.head_of.get(line)
        return head is None or head.name.endswith("Warning")

    def _is_loud(self, line: int) -> bool:
        """Whether a line is an error's or may be one: of a log's other lines only whole messages are worth saying."""
        return line in self.paste.head_of or self.paste.is_short or bool(_LOUD.search(self.paste.lines[line].whole))

    def _depth(self, line: int) -> int:
        head = self.paste.head_of.get(line)
        return head.depth if head else 0


def _span(hole: Hole, base: int) -> tuple[int, int]:
    """Where a value stands in a message that begins at `base`, without the spaces at its ends."""
    start = hole.start + len(hole.value) - len(hole.value.lstrip(" "))
    return start - base, max(start, hole.start + len(hole.value.rstrip(" "))) - base


def _search(entry: Entry, reading: Reading) -> Match | None:
    """The first match after the class, or else anywhere."""
    match = entry.program.search(reading.text, reading.said)
    return match or (entry.program.search(reading.text) if reading.said else None)


def _ended(entry: Entry, reading: Reading, match: Match) -> Match:
    """A match whose last hole is open ends with its line."""
    if not match.holes or not any(ends_open(branch) for branch in entry.program.branches):
        return match
    last = max(match.holes, key=lambda hole: hole.end)
    stop = next((joint.at for joint in reading.joints if joint.at > last.start and joint.hard), None)
    if last.end != match.end or stop is None or stop >= match.end:
        return match
    value = reading.text[last.start : stop].rstrip(" ")
    end = last.start + len(value)
    changed = type(last)(last.index, last.name, last.start, end, value)
    return Match(match.start, end, tuple(changed if hole is last else hole for hole in match.holes))


def _crosses(reading: Reading, match: Match) -> bool:
    """Whether, outside of an error's message, a value goes over lines that were not wrapped."""
    if reading.head:
        return False
    return any(joint.hard and hole.start < joint.at < hole.end for hole in match.holes for joint in reading.joints)


def _is_source(match: Match, before: str) -> bool:
    """Whether it is source that holds the message, not a message: its values are the placeholders."""
    if match.holes and all(_PLACEHOLDER.match(hole.value) for hole in match.holes):
        return True
    return bool(before and _CODE.search(before[-60:]))


def _starts(before: str, reading: Reading, at: int) -> bool:
    """Whether a message may begin there: at a line's start, or after a class or a mark."""
    said = before.rstrip(" ")
    return not said or said[-1] in BEGINS or any(joint.at == at for joint in reading.joints)


def _ends(after: str, reading: Reading, at: int) -> bool:
    rest = after.lstrip(".,;:!)\"'`]> ")
    return (
        not rest
        or after.startswith((" [", " (", "\\n"))
        or any(joint.at - 1 <= at <= joint.at for joint in reading.joints)
    )


def _needed(entry: Entry, agrees: Agreement, *, frames: bool, starts: bool, ends: bool) -> int:
    """The specificity from which a message is claimed: the more, the less else speaks for it."""
    branches = entry.program.branches
    opens = any(not isinstance(branch[0], str) for branch in branches)
    closes = any(not isinstance(branch[-1], str) for branch in branches)
    needed = NEEDED[agrees] + 6 * opens + 3 * closes + 8 * frames + 12 * (not starts) + 8 * (not ends)
    return needed - 6 * (not entry.program.holes)


def _claims(entry: Entry, agrees: Agreement, place: Placed, *, frames: bool, starts: bool, ends: bool) -> bool:
    """Whether a match says enough to name the entry."""
    if entry.needs_frame:
        return place.points >= evidence.PASSED_HERE and starts and agrees != "conflicts"
    if place.points >= evidence.PASSED_HERE and starts:
        return True
    needed = _needed(entry, agrees, frames=frames and not place.points, starts=starts, ends=ends)
    return entry.specificity >= needed


def _decided(places: list[Placed]) -> tuple[tuple[Site, ...], bool]:
    """The sites that the frames chose, or all of them."""
    best = places[0]
    if best.points < evidence.PASSED_HERE:
        return tuple(place.site for place in places), False
    least = best.points - evidence.SAME_LINE
    return tuple(place.site for place in places if place.shared == best.shared and place.points >= least), True
