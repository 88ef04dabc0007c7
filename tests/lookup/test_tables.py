"""The browser's copies of lookup's tables and of its test vectors are those of the Python modules."""

import json

from tests.lookup import make_tables, make_vectors


def test_the_tables_are_current() -> None:
    assert make_tables.PATH.read_text("utf-8") == make_tables.made(), "run: python -m tests.lookup.make_tables"


def test_the_vectors_are_current() -> None:
    for name, vectors in make_vectors.made().items():
        kept = json.loads((make_vectors.FOLDER / name).read_text("utf-8"))
        assert kept == json.loads(json.dumps(vectors)), "run: python -m tests.lookup.make_vectors"
