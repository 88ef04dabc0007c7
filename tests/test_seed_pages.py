"""The original site's pages: whatever they said, the pages built from their records say.

Exceptions: the count of libraries in the family line, titles that were cut at 60 characters, and
related errors whose records are not here. The order is the design's, not theirs.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from generator import dataset
from tests import sites
from tests.text import visible_text

PAGES = sorted((Path(__file__).parent / "seed_pages").glob("*.txt"))
CUT_TITLE = 60


def facts(page: str) -> Iterator[str]:
    """The sentences, headings and lines of code of an original page."""
    for number, line in enumerate(page.splitlines()):
        text = re.sub(r"\s+", " ", line).strip()
        if not text or text.startswith("•"):
            continue
        if number == 2:
            yield text[:CUT_TITLE]
        elif text.startswith("Background: "):
            yield text.partition(" across ")[0]
        elif text.startswith("AI-assisted analysis"):
            yield from re.split(r"(?<=\.) (?=[A-Z])", text)
        else:
            yield re.sub(r"^\d+\. ", "", text)


@pytest.fixture(scope="module")
def seed_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("seeds")
    return sites.build(folder, sites.ROOT / "records" / "sgl-project")[1]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_says_what_the_original_said(page: Path, seed_site: Path) -> None:
    entry = dataset.load_or_raise(sites.ROOT / "records" / "sgl-project").by_id[page.stem]
    text = visible_text((seed_site / entry.uri / "index.html").read_text("utf-8"))
    missing = [fact for fact in facts(page.read_text("utf-8")) if fact not in text]
    assert missing == []


def test_the_facts_are_the_pages_own() -> None:
    """The check above would notice a lost sentence: the other page's facts are not all on this page."""
    first, second = (set(facts(page.read_text("utf-8"))) for page in PAGES)
    assert len(first) > 40 and len(second) > 40 and len(first & second) < 30
