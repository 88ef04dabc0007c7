"""What fuzzing reached and found stays true: every promise of every target holds for every input of the corpus."""

import random
from pathlib import Path

import pytest

from tests import awkward
from tests.fuzz.targets import TARGETS, BrokenPromiseError, holds

CORPUS = Path(__file__).parent / "fuzz" / "corpus"


@pytest.mark.parametrize("name", TARGETS)
def test_promises_hold(name: str) -> None:
    inputs = [path.read_bytes() for path in sorted((CORPUS / name).glob("*"))]
    inputs += [text[:2_000].encode() for text in awkward.KINDS.values()]
    inputs += [random.Random(size).randbytes(size) for size in range(40)]
    for raw in inputs:
        TARGETS[name](raw)


def test_the_corpus_is_kept_and_small() -> None:
    files = [path for path in CORPUS.rglob("*") if path.is_file()]
    assert {path.parent.name for path in files} >= TARGETS.keys() - {"ledger"}
    assert sum(path.stat().st_size for path in files) < 400_000


def test_a_broken_promise_is_told() -> None:
    with pytest.raises(BrokenPromiseError, match="why"):
        holds([], "why")
