"""Compares the CPU time of highlighting: pymdownx as Markdown calls it, and this project's.

    python -m benchmarks.highlight --records DIR [--limit 1000]

Every block of the records' pages is made in both ways, and their HTML compared.
"""

import argparse
import time
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path

from pymdownx.highlight import Highlight

from generator import decode, highlight, pages, sources
from generator.formatting import asked
from generator.values import Block

Arguments = tuple[str, str, int, int, tuple[str, ...], str]
NO_NEIGHBOURS = pages.Neighbours(class_uri="classes/X/")


def records(root: Path) -> Iterator[list[Arguments]]:
    """What `highlight.block` is asked for each sound record below `root`, in the order of paths."""
    files, _ = sources.find(root)
    for file in files:
        for document in sources.documents(Path(file.path)):
            decoded = decode.decode(document.raw, file.path) if isinstance(document, sources.Document) else []
            if isinstance(decoded, decode.Decoded):
                view = pages.view(decoded.record, NO_NEIGHBOURS, pages.Site())
                yield [_arguments(value) for value in view.values() if isinstance(value, Block)]


def _arguments(block: Block) -> Arguments:
    marked = block.marked - block.start + 1 if block.marked else 0
    language = highlight.shown_language(block.lines, block.language)
    return block.lines, language, block.start, marked, block.classes, block.title


def stock(*block: *Arguments) -> str:
    """A block as superfences asks for it: a `Highlight` each."""
    return asked(Highlight(None, **highlight.SHIPPED), *block)


def timed(make: Callable[..., str], blocks: list[Arguments]) -> tuple[float, list[str]]:
    """CPU seconds that `make` takes for all, and what it makes."""
    started = time.process_time()
    made = [make(*block) for block in blocks]
    return time.process_time() - started, made


def main() -> None:
    """Print CPU milliseconds a record and how many blocks differ."""
    parser = argparse.ArgumentParser(description="Compare the CPU time of highlighting.")
    parser.add_argument("--records", type=Path, required=True, help="a folder of records")
    parser.add_argument("--limit", type=int, default=1_000, help="how many records (default: 1000)")
    arguments = parser.parse_args()
    found = list(islice(records(arguments.records), arguments.limit))
    blocks = [block for record in found for block in record]
    first, _ = timed(highlight.block, blocks[:50])
    highlight.block.cache_clear()
    stock_seconds, expected = timed(stock, blocks)
    our_seconds, made = timed(highlight.block, blocks)
    different = sum(ours != theirs for ours, theirs in zip(made, expected, strict=True))
    print(f"{len(found):,} records, {len(blocks):,} blocks, {different:,} differ")
    print(f"stock: {1000 * stock_seconds / len(found):.2f} ms of CPU a record")
    print(f"ours: {1000 * our_seconds / len(found):.2f} ms, {stock_seconds / our_seconds:.1f} times faster")
    print(f"once a process: {1000 * first:.0f} ms with the first 50 blocks; {highlight.block.cache_info()}")
    raise SystemExit(1 if different else 0)


if __name__ == "__main__":
    main()
