"""Records compared with newer source: what became of each raise, and the fields that follow from it."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from generator.checkout import Checkout, Source
from generator.draft import pinned
from generator.pairing import Fate, State, pair
from generator.raise_sites.python import CONTEXT_LINES
from generator.records import Record

_STYLES: tuple[dict[str, Any], ...] = (
    *({"indent": indent, "ensure_ascii": ascii_} for indent in (2, 1, 4, "\t") for ascii_ in (False, True)),
    *({"separators": (",", ":"), "ensure_ascii": ascii_} for ascii_ in (False, True)),
    *({"ensure_ascii": ascii_} for ascii_ in (False, True)),
)


@dataclass(frozen=True, slots=True)
class Drift:
    """A record's fate, and its fields (by their JSON names) that the newer source changes."""

    record: Record
    fate: Fate
    fields: Mapping[str, Any]

    @property
    def state(self) -> State:
        """What became of the raise."""
        return self.fate.state


def compare(records: Sequence[Record], checkout: Checkout, sha: str = "") -> Iterator[Drift]:
    """The drift of each record that is not withdrawn, by file and line; fields only where a commit is given."""
    live = [record for record in records if record.withdrawn is None]
    fates = pair(live, checkout.sources)
    for record in sorted(live, key=lambda record: (record.file_path, record.line_number, record.id)):
        fate = fates[record.id]
        known = sha and fate.state in ("there", "moved")
        yield Drift(record, fate, _fields(record, fate, checkout.sources[fate.path], sha) if known else {})


def _fields(record: Record, fate: Fate, source: Source, sha: str) -> dict[str, Any]:
    """What the source says of the record now, as many lines around the raise as before."""
    blank = not record.source_code.strip()
    before = CONTEXT_LINES if blank else record.line_number - record.source_code_start
    after = CONTEXT_LINES if blank else record.source_code_end - record.line_number
    if record.source_code_start == 1:  # cut short by the file's beginning
        before = max(before, after)
    start, end = max(1, fate.line - before), min(len(source.lines), fate.line + after)
    fields = {
        "filePath": fate.path,
        "lineNumber": fate.line,
        "sourceCode": "\n".join(source.lines[start - 1 : end]),
        "sourceCodeStart": start,
        "sourceCodeEnd": end,
        "githubUrl": pinned(record.repo, sha, fate.path, start, end),
        "checkedSha": sha,
    }
    return {} if fields["githubUrl"] == record.github_url else fields


def note(drift: Drift, sha: str) -> str:
    """What changed, for feeds."""
    if drift.state == "there":
        return f"Still there at {sha[:10]}."
    old, new = drift.record, drift.fate
    moved = f"{new.path}:{new.line}" if new.path != old.file_path else f"line {new.line}"
    return f"Moved to {moved} at {sha[:10]}."


def rewritten(content: bytes, drift: Drift, sha: str, time: str) -> bytes:
    """A record's file with the fields that drifted, spelt as it was where that can be told."""
    text = content.decode("utf-8-sig")
    document = json.loads(text)
    record = document.get("record", document)
    record |= drift.fields
    if not drift.record.draft:
        record |= {"updatedAt": time, "changeNote": note(drift, sha)}
    style, end = _style(text)
    return (json.dumps(document, **style) + end).encode("utf-8", "surrogatepass")


def _style(text: str) -> tuple[dict[str, Any], str]:
    """How `json.dumps` gives the text again; else its indentation by two, a line feed at the end."""
    document = json.loads(text)
    for style in _STYLES:
        spelt = json.dumps(document, **style)
        if text.rstrip("\n") == spelt:
            return style, text[len(spelt) :]
    return _STYLES[0], "\n"
