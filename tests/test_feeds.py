"""Feeds: read by a real feed reader, held against Atom's grammar and JSON Feed's rules, stable and bounded."""

import json
from pathlib import Path
from typing import Any

import atoma
import feedparser
import jsonfeed
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator, FormatChecker
from lxml import etree
from msgspec import convert
from msgspec.structs import replace

from generator import feeds
from generator.about import About
from generator.dataset import Dataset
from generator.records import Record
from tests import mirrors

TEXT = {"type": "string", "minLength": 1}
ADDRESS = {"type": "string", "format": "uri", "pattern": "^https?://"}
AUTHORS = {"type": "array", "items": {"type": "object", "minProperties": 1, "properties": {"name": TEXT}}}
JSON_FEED = {
    "type": "object",
    "required": ["version", "title", "items"],
    "properties": {
        "version": {"const": "https://jsonfeed.org/version/1.1"},
        "title": TEXT,
        "home_page_url": ADDRESS,
        "feed_url": ADDRESS,
        "next_url": ADDRESS,
        "language": {"type": "string", "pattern": "^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$"},
        "authors": AUTHORS,
        "items": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["id"],
                "anyOf": [{"required": ["content_text"]}, {"required": ["content_html"]}],
                "properties": {
                    "id": TEXT,
                    "url": ADDRESS,
                    "title": {"type": "string"},
                    "summary": {"type": "string"},
                    "content_text": {"type": "string"},
                    "date_published": {"type": "string", "format": "date-time"},
                    "date_modified": {"type": "string", "format": "date-time"},
                    "tags": {"type": "array", "items": {"type": "string"}, "uniqueItems": True},
                    "authors": AUTHORS,
                    "attachments": {
                        "type": "array",
                        "items": {"type": "object", "required": ["url", "mime_type"], "properties": {"url": ADDRESS}},
                    },
                },
                "additionalProperties": False,
            },
        },
    },
    "additionalProperties": False,
}
"""The rules of jsonfeed.org/version/1.1, as far as our feeds go; extensions, which begin with `_`, are not used."""

ATOM = "{http://www.w3.org/2005/Atom}"
GRAMMAR = etree.RelaxNG(etree.parse(Path(__file__).parent / "atom.rng"))


def made(found: Dataset, about: About = mirrors.ABOUT) -> dict[str, bytes]:
    return {file.path: file.content for job in feeds.jobs(found, about) for file in feeds.files(job, about)}


def check(files: dict[str, bytes]) -> None:
    """Hold every feed against its grammar."""
    for path, content in files.items():
        if path.endswith(".json"):
            feed = json.loads(content)
            Draft202012Validator(JSON_FEED, format_checker=FormatChecker()).validate(feed)
            assert [item.url for item in jsonfeed.Feed.parse(feed).items] == [item["url"] for item in feed["items"]]
        else:
            GRAMMAR.assertValid(etree.fromstring(content))
            assert atoma.parse_atom_bytes(content).entries
            assert not feedparser.parse(content).bozo


def test_feeds_of_all_and_of_each_repository_are_valid(tmp_path: Path) -> None:
    mirrors.write(tmp_path, *(mirrors.variant(n, repo=f"acme/tool-{n % 2}") for n in range(4)))
    files = made(mirrors.load(tmp_path))
    assert sorted(files) == sorted(
        f"api/feeds/{name}.{suffix}"
        for name in ("all", "repos/acme/tool-0", "repos/acme/tool-1")
        for suffix in ("atom", "json")
    )
    check(files)


def test_an_entry_says_what_changed_and_where_it_is(tmp_path: Path) -> None:
    note = "The <second> solution & its order."
    mirrors.write(
        tmp_path, mirrors.variant(1, changeNote=note, updatedAt="2027-01-02T03:04:05.25+01:00"), mirrors.variant(2)
    )
    files = made(mirrors.load(tmp_path))
    entry = feedparser.parse(files["api/feeds/all.atom"]).entries[0]
    item = json.loads(files["api/feeds/all.json"])["items"][0]
    record = mirrors.variant(1)["record"]
    assert entry.id == item["id"] == f"{mirrors.SITE}e/{record['id']}/"
    assert entry.link == item["url"] == f"{mirrors.SITE}errors/acme/tool/error-1/"
    assert entry.title == item["title"] == record["errorMessage"]
    assert entry.summary == item["summary"] == note
    assert item["content_text"].startswith(note)
    assert entry.updated == item["date_modified"] == "2027-01-02T02:04:05.25Z"
    assert entry.published == item["date_published"]
    assert item["attachments"][0]["url"] == f"{mirrors.SITE}api/errors/{record['id']}.json"


def test_a_withdrawn_record_says_so(tmp_path: Path) -> None:
    gone = {"time": "2026-02-01T00:00:00Z", "reason": "It was wrong.", "replacement": None}
    mirrors.write(tmp_path, mirrors.variant(1, withdrawn=gone))
    assert (
        json.loads(made(mirrors.load(tmp_path))["api/feeds/all.json"])["items"][0]["summary"]
        == "Withdrawn: It was wrong."
    )


def test_a_feed_is_bounded_and_newest_first(tmp_path: Path) -> None:
    mirrors.write(tmp_path, *(mirrors.variant(n, updatedAt=f"2027-01-01T00:{n:02}:00Z") for n in range(60)))
    items = json.loads(made(mirrors.load(tmp_path))["api/feeds/all.json"])["items"]
    assert [item["url"].split("-")[-1] for item in items] == [f"{n}/" for n in range(59, 9, -1)]


def test_a_new_dataset_version_alone_changes_no_feed(tmp_path: Path) -> None:
    before = made(mirrors.load(mirrors.write(tmp_path, mirrors.variant(1))))
    mirrors.write(tmp_path, {**mirrors.variant(1), "datasetVersion": "another"})
    assert made(mirrors.load(tmp_path)) == before


def test_an_older_record_beyond_the_bound_changes_no_feed(tmp_path: Path) -> None:
    mirrors.write(tmp_path, *(mirrors.variant(n, updatedAt="2027-01-01T00:00:00Z") for n in range(50)))
    before = made(mirrors.load(tmp_path))
    mirrors.write(tmp_path, mirrors.variant(99, updatedAt="2026-01-01T00:00:00Z"))
    assert made(mirrors.load(tmp_path)) == before


def test_there_are_none_without_an_address() -> None:
    assert made(mirrors.seeds(), About()) == {}


@settings(max_examples=40)
@given(
    st.text(st.characters(codec="utf-8"), min_size=1, max_size=40).filter(str.strip),
    st.text(st.characters(codec="utf-8"), max_size=40),
)
def test_for_every_text_feeds_stay_valid(message: str, text: str) -> None:
    found = mirrors.seeds()
    record: Any = mirrors.seed()["record"]
    entry = replace(found.entries[0], message=message, tags=(text, text.upper()))
    whole = convert({**record, "documentation": text, "changeNote": message}, Record)
    for job in feeds.jobs(Dataset((entry,)), mirrors.ABOUT):
        check({file.path: file.content for file in feeds.files(job, mirrors.ABOUT, lambda _: whole)})
