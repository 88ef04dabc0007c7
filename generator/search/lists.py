"""Lists the words of the index: each part's, for later builds, and all of them, for the browser."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from generator.files import File
from generator.search.parts import Part
from generator.search.words import words

ROOT = "search/words/"
MAX_LINES = 1_000
"""Words of a file; one with more is split by their third character."""


def counted(texts: Iterable[str]) -> Counter[str]:
    """How many of the texts have each word."""
    counts: Counter[str] = Counter()
    for text in texts:
        counts.update(words(text))
    return counts


def path_of(part: Part) -> str:
    """Where a part's words are kept for the builds in which it does not change."""
    return f"{part.path}words.txt"


def kept(part: Part, counts: Mapping[str, int]) -> File:
    """A part's words: a line each, with how many of its records have it."""
    lines = (f"{word}\t{count}\n" for word, count in sorted(counts.items()))
    return File(path_of(part), "".join(lines).encode())


def read(content: bytes) -> dict[str, int]:
    """The words of a file that `kept` made."""
    rows = (line.split("\t") for line in content.decode().split("\n") if line)
    return {word: int(count) for word, count in rows}


def shards(vocabularies: Sequence[Mapping[str, int]]) -> dict[str, list[str]]:
    """The words of all indexes, by the name of their file: their first two or three characters.

    A line is a word, how many pages have it, and the set of indexes that do: a hexadecimal number, bit n
    for the n-th of `vocabularies`.
    """
    counts: Counter[str] = Counter()
    where: defaultdict[str, int] = defaultdict(int)
    for number, found in enumerate(vocabularies):
        counts.update(found)
        for word in found:
            where[word] |= 1 << number
    sizes = Counter(name(word, 2) for word in counts)
    found_lines: defaultdict[str, list[str]] = defaultdict(list)
    for word, count in sorted(counts.items()):
        short = name(word, 2)
        shard = name(word, 3) if sizes[short] > MAX_LINES else short
        found_lines[shard].append(f"{word}\t{count}\t{where[word]:x}\n")
    return dict(sorted(found_lines.items()))


def files(lines: Mapping[str, Sequence[str]]) -> Iterator[File]:
    """The files of `shards`; their names begin with a letter of ours, for Windows reserves some of three letters."""
    for shard, rows in lines.items():
        yield File(f"{ROOT}w{shard}.txt", "".join(rows).encode())


def name(word: str, length: int) -> str:
    """The first characters of a word: those beyond ASCII as `~` and their number modulo 61, those that lack as `_`."""
    return "".join(char if char.isascii() else f"~{ord(char) % 61}" for char in word[:length].ljust(length, "_"))
