"""The words of the interface: one file has them all, a translation is checked, and both roads speak it."""

import re
import shutil
from pathlib import Path
from typing import Any

import pytest
import yaml

from generator import words
from generator.problems import ErrordexError, UsageError
from tests import roads, samples, sites

TEMPLATES = sorted((sites.ROOT / "generator" / "templates").rglob("*.jinja"))
SITE_URL = "https://host.example/some/path/"
GERMAN = """{#- Deutsch. -#}
{%- set own_words = {
  "words": {"home_title": "Was bedeutet dieser Fehler?", "copied": "Kopiert"},
  "lookup_words": {"one_match": "1 Treffer"},
  "search_words": {"none_title": "Nichts gefunden"},
  "page_words": {
    "language": "de",
    "errors": ["{count} Fehler", "{count} Fehler"],
    "record_message": "Fehlermeldung",
    "record_thrown": "Ausgelöst in {place}",
    "record_analysis": "Am {day} mit KI untersucht: {commit}.",
    "repository_title": "Fehler von {key}",
    "notice_moved": "Diese Seite steht hier: {link}."
  }
} -%}
"""


@pytest.fixture
def theme(tmp_path: Path) -> Path:
    """This repository's theme with a file of words of its own."""
    folder = tmp_path / "overrides"
    for path in (sites.ROOT / "overrides").rglob("*"):
        target = folder / path.relative_to(sites.ROOT / "overrides")
        if path.is_file():
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(path.read_bytes())
    return folder


def settings(theme: Path) -> dict[str, Any]:
    shipped = yaml.safe_load((sites.ROOT / "mkdocs.yml").read_text("utf-8"))["theme"]
    return {"site_url": SITE_URL, "theme": {**shipped, "custom_dir": str(theme), "language": "de"}}


def test_another_language_is_spoken_everywhere_and_on_both_roads(theme: Path, tmp_path: Path) -> None:
    folder = tmp_path / "site"
    pages = {name: f"---\ntemplate: {name}.html\n---\n" for name in ("lookup", "search")}
    docs = {"index.md": "---\ntemplate: home.html\n---\n", **{f"{name}.md": text for name, text in pages.items()}}
    samples.tree(folder / "records", samples.record(1), samples.record(2, repo="acme/other"))
    report = "mailto:errors@acme.example"
    config = sites.small(folder, docs=docs, plugin={"report": report}, **settings(theme))
    english = sites.contents(sites.built(config))
    (theme / words.OWN).write_text(GERMAN, "utf-8")
    site = sites.built(config)
    record = next((site / "errors").glob("acme/*/*/index.html"))
    page = record.read_text("utf-8")
    assert ">Fehlermeldung</h2>" in page
    assert 'id="message"' in page
    assert ">Ausgelöst in <a href=" in page
    assert "Am 2026-" in page
    assert "Error message" not in record.with_suffix(".md").read_text("utf-8")
    hub = (record.parent.parent / "index.html").read_text("utf-8")
    assert "Fehler von acme/" in hub
    assert "1 Fehler that acme/" in hub
    assert "Was bedeutet dieser Fehler?" in (site / "index.html").read_text("utf-8")
    lookup = (site / "lookup" / "index.html").read_text("utf-8")
    assert "1 Treffer" in lookup
    assert f'href="{report}">Report a missing error' in lookup
    assert f'href="{report}">Report a missing error' in (site / "search" / "index.html").read_text("utf-8")
    assert '"copied": "Kopiert"' in (site / "assets" / "js" / "words.js").read_text("utf-8")
    assert "Diese Seite steht hier: <a" in next((site / "e").rglob("*.html")).read_text("utf-8")
    assert words.current().phrases == words.shipped().phrases

    other = roads.plain(tmp_path / "plain", site, **settings(theme))
    for path in sorted(site.glob("errors/**/index.md")):
        html = path.relative_to(site).with_suffix(".html")
        assert (site / html).read_bytes() == (other / html).read_bytes()

    shutil.copyfile(sites.ROOT / "overrides" / words.OWN, theme / words.OWN)
    assert sites.contents(sites.built(config)) == english


FAULTS = {
    '{"words": {"skipp": "Skip", "skip": ""}}': ["words has no key 'skipp'; ", "words.skip is no text ('')"],
    '{"wrods": {}}': ["there is no group 'wrods' of words; "],
    '{"page_words": {"record_thrown": "Ausgelöst"}}': ["page_words.record_thrown has other names in braces"],
    '{"page_words": {"record_thrown": "Hier: {0!r}"}}': ["it needs {place}, each once"],
    '{"page_words": {"record_thrown": "Hier: {place"}}': ["page_words.record_thrown has other names in braces"],
    '{"page_words": {"errors": "{count}"}}': ["page_words.errors needs 2 forms"],
    '{"page_words": {"record_message": "<b>Meldung</b>"}}': ["page_words.record_message has the character '<'"],
    '{"page_words": {"record_message": 12}}': ["page_words.record_message is no text (12)"],
    '{"lookup_words": {"matches": "Treffer"}}': ["lookup_words.matches has other names in braces"],
    '{"words": ["Kopiert"]}': ["own_words can't be read"],
    '{"words": {"skip" "Weiter"}}': ["own_words can't be read"],
}


@pytest.mark.parametrize("own", FAULTS)
def test_a_fault_is_one_line(own: str, tmp_path: Path) -> None:
    path = tmp_path / "own-words.html"
    path.write_text(f"{{%- set own_words = {own} -%}}", "utf-8")
    with pytest.raises(UsageError) as caught:
        words.read(path)
    lines = [line for line in str(caught.value).splitlines() if line.startswith(str(path))]
    assert len(lines) == len(FAULTS[own])
    for line, said in zip(lines, FAULTS[own], strict=True):
        assert said in line
        assert line.endswith("[EDX053]")


def test_the_shipped_words_could_be_a_site_s_own() -> None:
    assert list(words._faults(words._english(), words._english())) == []


def test_a_faulty_file_ends_the_build(theme: Path, tmp_path: Path) -> None:
    folder = tmp_path / "site"
    samples.tree(folder / "records", samples.record(1))
    (theme / words.OWN).write_text('{% set own_words = {"words": {"copied": ""}} %}', "utf-8")
    with pytest.raises(ErrordexError) as caught:
        sites.built(sites.small(folder, **settings(theme)))
    assert caught.value.exit_status == 2
    assert "words.copied is no text" in str(caught.value)
    assert not (folder / "site").exists()


def source(*folders: Path) -> str:
    kinds = (".py", ".jinja", ".html", ".js")
    found = [path for folder in folders for path in sorted(folder.rglob("*")) if path.suffix in kinds]
    return "\n".join(path.read_text("utf-8") for path in found if path.name != words.SHIPPED.name)


COMPOSED = re.compile(
    r"(repository|class|family|tag|severity|code|status|message)_(title|summary|index|index_summary|hubs|heading)"
    r"|part_\w+|notice_(mended|gone)_about|(count|all)_\w+|scheme_\w+|failed_\w+"
)
"""Keys that are put together of a kind and a part where they are used."""


@pytest.mark.parametrize("group", words.GROUPS)
def test_every_key_is_used(group: str) -> None:
    text = source(sites.ROOT / ("generator" if group == "page_words" else "overrides"))
    unused = [
        key
        for key in words._english()[group]
        if not COMPOSED.fullmatch(key) and not re.search(rf"words\.{key}\b|[\"'(]{key}\b", text)
    ]
    assert unused == []


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.stem)
def test_no_word_stands_in_a_template(path: Path) -> None:
    text = path.read_text("utf-8").removeprefix("---\n")
    body = text.partition("\n---\n")[2] if path.read_text("utf-8").startswith("---\n") else text
    for silent in (r"\{%.*?%\}", r"\{\{.*?\}\}", r"\{ .*? \}", r"`.*?`", r"<[^>]*>", r"/api/errors/", r"\.md\b"):
        body = re.sub(silent, " ", body, flags=re.DOTALL)
    found = set(re.findall(r"[^\W\d_]{2,}", body))
    assert found <= {"critical", "error", "warning", "info"}


@pytest.mark.parametrize("path", sorted((sites.ROOT / "overrides").rglob("*.html")), ids=lambda path: path.name)
def test_no_word_stands_in_the_theme(path: Path) -> None:
    if path.name in (words.SHIPPED.name, "policy.html"):
        return
    body = path.read_text("utf-8")
    for silent in (
        r"\{#.*?#\}",
        r"\{% block layout %\}.*?\{% endblock %\}",
        r"\{%.*?%\}",
        r"\{\{.*?\}\}",
        r"<script type=\"application.*?</script>",
        r"<kbd>.*?</kbd>",
        r"<[^>]*>",
    ):
        body = re.sub(silent, " ", body, flags=re.DOTALL)
    assert re.findall(r"[^\W\d_]{2,}", body) == []
