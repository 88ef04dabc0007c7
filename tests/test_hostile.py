"""A site of hostile records, read by real parsers: their text is shown, and nothing else of it is there.

Every sixth record here; `make test-hostile` builds and opens all of them.
"""

import json
import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree.ElementTree import Element

import pytest
from lxml import etree

from tests import awkward, crawl, samples, sites, text

SITE_URL = "https://host.example/some/path/"
EVERY = 6

UNSEEN = re.compile(
    "[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u061c\u115f\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff"
    "\ufff9-\ufffb\ufffe\uffff\U000e0000-\U000e0fff]"
)
"""What may stand in no text of the site for people: it would act, or not be seen."""

NOT_COMPARED = re.compile(
    r"[\s\ufe0f\u200c\u200d`]|⟨U\+[0-9A-F]{4,6}⟩|[\u2400-\u2421]|[\u034f\ufdd0\U000e0100\U0001fffe]"
)
"""White space, backticks, stand-ins and what they stand for."""


class Hostile(NamedTuple):
    """The site and its records."""

    site: Path
    records: list[dict[str, Any]]

    def pages(self) -> Iterator[tuple[dict[str, Any], Element]]:
        """Each record and its page, parsed."""
        for fields in self.records:
            page = self.site / "errors" / fields["repo"] / fields["slug"] / "index.html"
            yield fields, text.parse(page.read_text("utf-8"))


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Hostile:
    folder = tmp_path_factory.mktemp("hostile")
    chosen = awkward.tree(folder / "records", EVERY)
    built = sites.build(folder, folder / "records", site_url=SITE_URL, plugin={"search": True})
    return Hostile(built[1], chosen)


def test_there_are_two_hundred_records_that_differ() -> None:
    assert len({json.dumps({**fields, "id": 0, "slug": ""}) for fields in awkward.records()}) >= 200


def plain(said: str) -> str:
    """Without what is shown by a stand-in, or may be: also the marks that are heaped on a character."""
    kept = (
        char for char in NOT_COMPARED.sub("", UNSEEN.sub("", said)) if not unicodedata.category(char).startswith("M")
    )
    return "".join(kept)


def test_the_text_of_each_field_is_on_the_page(hostile: Hostile) -> None:
    for fields, page in hostile.pages():
        article = next(page.iter("article"))
        shown = plain("".join(text.pieces(article)))
        said = [fields[name] for name in ("errorMessage", "documentation", "triggerScenarios", "commonSituations")]
        said += [*fields["solutions"], *fields["preventionTips"], fields["sourceCode"], fields["validationCode"]]
        said += [fields["handlingStrategy"], fields["reviewedBy"], fields["errorClass"], fields["errorCode"]]
        said += [fields["withdrawn"]["reason"]] if fields["withdrawn"] else []
        assert [one for one in said if plain(one) not in shown] == [], fields["slug"]


def test_no_page_has_elements_or_attributes_that_harmless_ones_have_not(hostile: Hostile, tmp_path: Path) -> None:
    harmless = [
        awkward.filled(number, f"Some `plain` text {number}.", withdrawn=number == 2)
        | {"errorClass": "PlainError", "tags": ["plain"]}
        for number in (1, 2, 3)
    ]
    samples.tree(tmp_path / "records", *harmless)
    clean = Hostile(sites.built(sites.small(tmp_path, site_url=SITE_URL)), harmless)
    known = {found for _, page in clean.pages() for found in described(page)}
    for fields, page in hostile.pages():
        assert described(page) - known == set(), fields["slug"]


def described(page: Element) -> set[tuple[str, str]]:
    """Pairs of an element's name and one of its attributes' names, with the value where it could act."""
    found = set()
    for element in page.iter():
        if not isinstance(element.tag, str):
            continue
        for name, value in {"": "", **element.attrib}.items():
            acts = name in ("src", "action", "http-equiv", "rel") or (name == "id" and element.tag != "li")
            scheme = re.match(r"[^/?#.]*:", value)
            found.add((element.tag, f"{name}={value}" if acts else f"{name} {scheme.group() if scheme else ''}"))
    return {pair for pair in found if not re.match(r"(?:content|alt|title) ", pair[1])}


def test_nothing_for_people_has_characters_that_act(hostile: Hostile) -> None:
    for path in sorted(hostile.site.rglob("*")):
        if path.suffix in {".html", ".md", ".xml", ".atom"} or path.name == "llms.txt":
            found = UNSEEN.search(path.read_text("utf-8"))
            assert found is None, (path.name, found)


def test_json_is_strict_and_xml_is_well_formed(hostile: Hostile) -> None:
    for path in hostile.site.rglob("*"):
        if path.suffix in {".xml", ".atom"}:
            etree.parse(path)
        elif path.suffix == ".json":
            json.loads(path.read_bytes(), parse_constant=pytest.fail)


def test_the_mirror_gives_back_what_went_in(hostile: Hostile) -> None:
    for fields in hostile.records:
        answer = json.loads((hostile.site / "api" / "errors" / f"{fields['id']}.json").read_bytes())
        assert answer == samples.envelope(fields)


def test_every_link_leads_somewhere(hostile: Hostile) -> None:
    assert crawl.faults(hostile.site, SITE_URL) == []


def test_links_of_records_give_no_recommendation_and_no_handle(hostile: Hostile) -> None:
    for _, page in hostile.pages():
        for link in next(page.iter("article")).iter("a"):
            if not str(link.get("href")).startswith("https://github.com/acme/"):
                continue
            assert {"nofollow", "noopener"} <= set(str(link.get("rel")).split())
    rels = {
        str(link.get("rel")) for _, page in hostile.pages() for link in page.iter("a") if "//" in str(link.get("href"))
    }
    assert all("noopener" in rel.split() for rel in rels)
