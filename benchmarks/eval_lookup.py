"""Measures lookup on a corpus: what is found, what is claimed wrongly, how many bytes and how much time it takes.

    python -m benchmarks.eval_lookup --records DIR [--count 10000] [--pastes 1000] [--visits 60] [--seed 1] [--write]
    python -m benchmarks.eval_lookup --count 10000

Prints a Markdown table of the figures with their bars; with `--write` it goes into docs/benchmarks.md.
"""

import argparse
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from statistics import median

from benchmarks import lookup_visits, ordinary, pastes
from benchmarks.bench import CACHE, WORK
from benchmarks.errordex_build import records_of
from benchmarks.pastes import STYLES, WITH_PATH, Subject
from benchmarks.report import PAGE, table, write
from generator import dataset
from generator.lookup import index, messages
from generator.lookup.finding import find
from generator.lookup.matching import Found
from generator.lookup.messages import Raised
from generator.lookup.reader import Index

HELD_OUT = 0.02
"""Share of the patterns that the index does not get."""

FIRST_FIVE = 5


@dataclass
class Counted:
    """An index in memory that counts the bytes and files which an answer needs."""

    files: dict[str, bytes]
    taken: dict[str, int] = field(default_factory=dict)

    def fetch(self, path: str) -> bytes | None:
        """A file's bytes, counted once."""
        content = self.files.get(path)
        self.taken[path] = len(content or b"")
        return content

    def open(self) -> Index:
        """The index as a browser that was never here opens it."""
        self.taken.clear()
        return Index(self.fetch)


@dataclass
class Tally:
    """How often something was so."""

    hits: int = 0
    total: int = 0

    def add(self, hit: bool) -> None:
        """Count one more."""
        self.hits += hit
        self.total += 1

    def __str__(self) -> str:
        return f"{self.hits / self.total:.2%} ({self.hits:,} of {self.total:,})" if self.total else "-"


def main() -> None:
    """Evaluate, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--records", type=Path, help="a corpus; left out: one is made, or used again")
    parser.add_argument("--count", type=int, default=0, help="use the first N records")
    parser.add_argument("--visits", type=int, default=60, help="pastes into Chromium; 0 for none")
    parser.add_argument("--write", action="store_true", help=f"put the table into {PAGE}")
    parser.add_argument("--pastes", type=int, default=1000, help="pastes of each kind")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--misses", action="store_true", help="print what went wrong")
    options = parser.parse_args()
    if not options.records and not options.count:
        parser.error("without --records, give --count")
    found, _ = dataset.load(options.records or records_of(options.count, WORK, CACHE))
    records = sorted(messages.raised(found), key=lambda raised: raised.site.id)[: options.count or None]
    measured = Evaluation(records, options.pastes, options.seed, misses=options.misses)
    text = measured.run(options.visits)
    print(text)
    if options.write:
        write("lookup", "benchmarks.eval_lookup", text)


class Evaluation:
    """A corpus, the part of it that is indexed, and the figures so far."""

    def __init__(self, records: list[Raised], count: int, seed: int, *, misses: bool) -> None:
        self.seed, self.count, self.misses = seed, count, misses
        patterns = sorted({record.pattern for record in records})
        held = set(self.rng("held").sample(patterns, max(1, int(len(patterns) * HELD_OUT))))
        self.known = [record for record in records if record.pattern not in held]
        self.unknown = [record for record in records if record.pattern in held]
        started = time.process_time()
        self.counted = Counted({file.path: file.content for file in index.files(self.known)})
        self.built = time.process_time() - started
        self.index = Index(self.counted.files.get)
        self.seconds: list[float] = []

    def rng(self, name: str) -> Random:
        """A generator of its own for each part, so that one part's count changes no other."""
        return Random(f"{self.seed} {name}")

    def ask(self, text: str) -> list[Found]:
        """The answers to a text, timed."""
        started = time.perf_counter()
        found = find(text, self.index)
        self.seconds.append(time.perf_counter() - started)
        return found

    def run(self, visits: int) -> str:
        """Every part as a table."""
        rows = [*self.whole(), *self.damaged(), *self.false(), *self.bytes(), *self.times(), *self.visits(visits)]
        head = f"{len(self.known):,} records indexed in {self.built:.1f} s of CPU, {len(self.counted.files):,} files"
        return f"{head}\n\n{table(('', 'bar', 'measured'), rows)}"

    def visits(self, count: int) -> Iterator[tuple[str, str, str]]:
        """The page in Chromium, through nginx and a slow line."""
        rng = self.rng("visits")
        texts: list[str] = []
        for number, (_, subject) in enumerate(self.subjects(self.known, rng)):
            text = list(STYLES.values())[number % len(STYLES)](rng, subject, pastes.message(rng, subject.pattern))
            if len(texts) < 2 * count and find(text, self.index):
                texts.append(text)
        if not texts:
            return
        made = lookup_visits.visits(self.counted.files, list(zip(texts[::2], texts[1::2], strict=False)))
        for name, times, sizes in (
            ("first", [one.first for one in made], [one.first_bytes for one in made]),
            ("next", [one.later for one in made], [one.later_bytes for one in made]),
        ):
            bar = "≤ 180 ms at 95 %" if name == "next" else ""
            value = f"{median(times):.0f} / {_at(times, 95):.0f} ms"
            yield f"Chromium, nginx, 10 Mbit/s, 30 ms: {name} answer, median / 95th percentile", bar, value
            value = f"{median(sizes):,.0f} / {_at(sizes, 95):,}"
            yield f"and its bytes on the line, headers and scripts included ({len(made)} visits)", "", value

    def subjects(self, records: list[Raised], rng: Random) -> Iterator[tuple[Raised, Subject]]:
        """Records to paste, no two of one pattern."""
        subjects = [
            Subject(record.pattern, record.error_class, record.site.file, record.site.line) for record in records
        ]
        for number in pastes.chosen(rng, subjects, self.count):
            yield records[number], subjects[number]

    def miss(self, kind: str, record: Raised, text: str, found: Iterable[Found]) -> None:
        """Show a failure, if asked to."""
        if self.misses:
            print(f"--- {kind}: {record.pattern!r} [{record.error_class}]\n{text[-600:]}")
            print(f"    => {[_shown(each) for each in found][:3]}")

    def whole(self) -> Iterator[tuple[str, str, str]]:
        """Whole pastes, style by style."""
        rng = self.rng("whole")
        styles = list(STYLES.items())
        by_style: defaultdict[str, Tally] = defaultdict(Tally)
        pattern, first, five, claimed = Tally(), Tally(), Tally(), Tally()
        for number, (record, subject) in enumerate(self.subjects(self.known, rng)):
            name, style = styles[number % len(styles)]
            text = style(rng, subject, pastes.message(rng, subject.pattern))
            found = self.ask(text)
            hit = _has_pattern(found[:FIRST_FIVE], record)
            pattern.add(hit)
            by_style[name].add(hit)
            claimed.add(any(each.kind == "match" for each in found[:FIRST_FIVE] if _has_pattern([each], record)))
            if not hit:
                self.miss(name, record, text, found)
            if name in WITH_PATH:
                ids = [site.id for each in found for site in each.sites]
                first.add(ids[:1] == [record.site.id])
                five.add(record.site.id in ids[:FIRST_FIVE])
        yield "whole pastes: right pattern in the first five", "≥ 99 %", str(pattern)
        yield "whole pastes: and claimed as a match", "", str(claimed)
        yield "pastes with a path: right record first", "≥ 92 %", str(first)
        yield "pastes with a path: right record in the first five", "≥ 95 %", str(five)
        for name, tally in by_style.items():
            yield f"whole, {name}", "", str(tally)

    def damaged(self) -> Iterator[tuple[str, str, str]]:
        """Cut and reworded messages."""
        rng = self.rng("damaged")
        cut, drift, claimed = Tally(), Tally(), Tally()
        styles = [STYLES[name] for name in ("classed", "python", "logged", "bare", "in log")]
        for number, (record, subject) in enumerate(self.subjects(self.known, rng)):
            style = styles[number % len(styles)]
            text = style(rng, subject, pastes.cut(pastes.message(rng, subject.pattern)))
            found = self.ask(text)
            cut.add(_has_pattern(found[:FIRST_FIVE], record))
            if not _has_pattern(found[:FIRST_FIVE], record):
                self.miss("cut", record, text, found)
            worded = pastes.drifted(rng, subject.pattern)
            if worded is None:
                continue
            text = style(rng, subject, worded)
            found = self.ask(text)
            drift.add(_has_pattern(found[:FIRST_FIVE], record))
            claimed.add(any(each.kind == "match" and not _has_pattern([each], record) for each in found))
            if not _has_pattern(found[:FIRST_FIVE], record):
                self.miss("drift", record, text, found)
        yield "cut at 60 %: right pattern in the first five", "≥ 85 %", str(cut)
        yield "drifted wording: right pattern in the first five", "≥ 95 %", str(drift)
        yield "drifted wording: another claimed", "", str(claimed)

    def false(self) -> Iterator[tuple[str, str, str]]:
        """Errors that the index does not have, and logs without any."""
        rng = self.rng("false")
        styles = list(STYLES.values())
        errors, offered, blocks, offered_blocks = Tally(), Tally(), Tally(), Tally()
        for number, (record, subject) in enumerate(self.subjects(self.unknown, rng)):
            text = styles[number % len(styles)](rng, subject, pastes.message(rng, subject.pattern))
            found = self.ask(text)
            wrong = any(each.kind == "match" for each in found)
            errors.add(wrong)
            offered.add(bool(found))
            if wrong:
                self.miss("unknown", record, text, found)
        said = {record.pattern for record in self.known}  # packages also log what they raise: that is found rightly
        known = [template for template in ordinary.templates() if template[2] not in said]
        for _ in range(self.count):
            text = ordinary.block(rng, known)
            found = self.ask(text)
            wrong = any(each.kind == "match" for each in found)
            blocks.add(wrong)
            offered_blocks.add(bool(found))
            if wrong and self.misses:
                print(f"--- ordinary: {[(_shown(each), each.text) for each in found][:3]}")
        yield "errors that are not in the set: claimed", "≤ 3 %", str(errors)
        yield "errors that are not in the set: claimed or something similar offered", "", str(offered)
        yield "ordinary logs, blocks of 40 lines: claimed", "≤ 0.3 %", str(blocks)
        yield "ordinary logs, blocks of 40 lines: claimed or offered", "", str(offered_blocks)

    def bytes(self) -> Iterator[tuple[str, str, str]]:
        """What a browser fetches: for the first answer, and then for each."""
        rng = self.rng("bytes")
        first: list[int] = []
        later: list[int] = []
        files: list[int] = []
        for number, (_, subject) in enumerate(self.subjects(self.known, rng)):
            if number == 400:
                break
            style = list(STYLES.values())[number % len(STYLES)]
            text = style(rng, subject, pastes.message(rng, subject.pattern))
            find(text, self.counted.open())
            once = sum(size for path, size in self.counted.taken.items() if path.count("/") == 2)
            first.append(sum(self.counted.taken.values()))
            later.append(first[-1] - once)
            files.append(sum(path.count("/") == 3 for path in self.counted.taken))
        yield (
            "bytes of the first answer, median / 95th percentile",
            "≤ 55 KB",
            f"{median(first):,.0f} / {_at(first, 95):,}",
        )
        yield (
            "bytes of the next, median / 95th percentile",
            "≤ 12 KB median",
            f"{median(later):,.0f} / {_at(later, 95):,}",
        )
        yield "shards of an answer, median / 95th percentile", "", f"{median(files):.0f} / {_at(files, 95)}"

    def times(self) -> Iterator[tuple[str, str, str]]:
        """Time of an answer in this process."""
        milliseconds = [1000 * second for second in self.seconds]
        yield (
            "time of an answer, median / 95th percentile",
            "",
            f"{median(milliseconds):.1f} / {_at(milliseconds, 95):.1f} ms",
        )


def _at(values: list[int] | list[float], percent: int) -> int | float:
    return sorted(values)[min(len(values) - 1, len(values) * percent // 100)]


def _has_pattern(found: Iterable[Found], record: Raised) -> bool:
    return any(site.id == record.site.id for each in found for site in each.entry.sites)


def _shown(found: Found) -> tuple[str, int, str]:
    literals = "*".join(piece if isinstance(piece, str) else "" for piece in found.entry.program.branches[0])
    return found.kind, found.score, literals


if __name__ == "__main__":
    main()
