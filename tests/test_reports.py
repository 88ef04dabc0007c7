"""Addresses of issue forms: the fields are those of the forms, and what a message holds cannot act in a search."""

import re
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from generator import cli, reports
from tests import forms, samples, sites

REPO = "https://github.com/acme/errors"


def test_a_wrong_page_is_reported_by_its_form() -> None:
    address = urlsplit(reports.wrong_page("", REPO, "00000000000000aa"))
    query = parse_qs(address.query, strict_parsing=True)
    assert address.path == "/acme/errors/issues/new"
    assert query.pop("template") == ["record.yml"]
    assert query.keys() - {"title"} <= forms.ids("record.yml")
    assert {value for (value,) in query.values()} == {"00000000000000aa"}


@pytest.mark.parametrize(
    ("given", "address", "name"),
    [
        ("https://acme.example/report", "https://acme.example/report?title=00000000000000aa", "acme.example"),
        ("https://acme.example/?a=b", "https://acme.example/?a=b&title=00000000000000aa", "acme.example"),
        ("mailto:help@acme.example", "mailto:help@acme.example?subject=00000000000000aa", "e-mail"),
    ],
)
def test_a_wrong_page_is_reported_where_the_settings_say(given: str, address: str, name: str) -> None:
    assert reports.wrong_page(given, REPO, "00000000000000aa") == address
    assert reports.name(given) == name


@pytest.mark.parametrize(
    ("message", "phrase"),
    [
        ("cannot open {path}: try {n}", "cannot open"),
        ("{a} failed after the retry of {b}", "failed after the retry of"),
        ('say "no" label:bug', "say no label:bug"),
        (f"{'word ' * 30}end", " ".join(["word"] * 12)),
        ("x" * 90, "x" * 60),
        ("C++ & C# <50%>", "C++ & C# <50%>"),
    ],
)
def test_upstream_is_searched_for_what_never_changes(message: str, phrase: str) -> None:
    address = urlsplit(reports.upstream("acme/tool", message))
    assert (address.hostname, address.path) == ("github.com", "/acme/tool/issues")
    assert parse_qs(address.query) == {"q": [f'"{phrase}"']}


def test_a_message_of_values_leads_to_all_issues() -> None:
    assert reports.upstream("acme/tool", "{a}{b}") == "https://github.com/acme/tool/issues"


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=300))
def test_for_every_message_the_search_is_one_short_phrase(message: str) -> None:
    address = reports.upstream("acme/tool", message)
    assert address.isascii()
    if query := parse_qs(urlsplit(address).query, strict_parsing=bool(urlsplit(address).query)).get("q"):
        (asked,) = query
        assert re.fullmatch(r'"[^"\\]+"', asked)
        assert len(asked) <= reports.MOST_PHRASE + 2
        assert "\ufffd" not in asked or "\ufffd" in message


@given(st.text(max_size=300))
def test_for_every_text_the_lookup_has_its_line(text: str) -> None:
    address = reports.lookup_page("https://x.org/lookup/", text)
    base, _, fragment = address.partition("#")
    assert base == "https://x.org/lookup/"
    assert re.fullmatch(r"(?:[\w.~-]|%[0-9A-F]{2})*", fragment, re.ASCII)
    assert not text.strip() or unquote(fragment, errors="strict") in text.encode("utf-8", "replace").decode()


def test_the_line_that_says_what_failed() -> None:
    assert reports.lookup_page("L", "start\nFooError: x\nbye").endswith("#FooError%3A%20x")
    assert reports.lookup_page("L", "\n start\nbye").endswith("#start")


def test_the_command_says_where_to_report_what_is_missing(tmp_path: Path) -> None:
    own = CliRunner().invoke(
        cli.main, ["lookup", "--records", str(sites.ROOT / "records" / "errordex")], input="FooError: x y"
    )
    assert own.exit_code == 1
    assert "https://errordex.github.io/errordex/lookup/#FooError%3A%20x%20y\n" in own.output
    theirs = samples.tree(tmp_path / "records", samples.record())
    unknown = CliRunner().invoke(cli.main, ["lookup", "--records", str(theirs)], input="FooError: x y")
    assert (unknown.exit_code, unknown.output) == (1, "Nothing found: no record has this message.\n")
