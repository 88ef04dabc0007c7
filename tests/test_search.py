"""Search: what Pagefind is fed, what becomes of a part that did or did not change, and what is found."""

import ast
import gzip
import json
import os
import re
import shutil
import stat
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
import yaml

from generator import dataset, hosting, urls
from generator.dataset import Dataset, Entry
from generator.problems import MachineError
from generator.search import bundle, catalogue, indexing, lists, pagefind
from generator.search import parts as grouping
from generator.search.documents import Document, document
from generator.search.opensearch import open_search
from generator.search.pages import text_of
from generator.search.words import words
from tests import samples, sites

FIXTURES = Path(__file__).parent / "fixtures"
ARTICLE = "<h1>Guide</h1><p>Paste xylophone.</p>"
PAGES = {"guide/": f"<html lang=en><body><main><article id=__main>{ARTICLE}</article></main></body></html>"}
QUERIES = Path(__file__).parent / "search_queries.yml"


def loaded(folder: Path, *records: Mapping[str, Any]) -> Dataset:
    """A dataset of these records."""
    for record in records:
        path = folder / f"{record['id']}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(samples.raw(dict(record)))
    return dataset.load_or_raise(folder)


def fed(folder: Path, **changes: Any) -> Document:
    """A record with these changes, as Pagefind is fed it."""
    found = loaded(folder, samples.record(1, **changes))
    return document(found.record(found.entries[0]), found.entries[0])


@pytest.mark.parametrize(("text", "expected"), json.loads((FIXTURES / "search_words.json").read_text("utf-8")))
def test_words(text: str, expected: list[str]) -> None:
    assert words(text) == expected


def test_document(tmp_path: Path) -> None:
    one = fed(tmp_path, errorCode="E77", backgroundTag="file-not-found", documentation="First. Second one. Third.")
    assert one.url == "errors/acme/tool/error-1/"
    assert one.content == "First. Second one. Give a path"
    assert one.meta["title"] == "cannot open {path}: try 1"
    assert one.meta["place"] == "OpenError acme/tool src/tool/open.py"
    assert one.meta["more"].split()[:2] == ["E77", "files"]
    assert one.filters == {
        "repository": ["acme/tool"],
        "class": ["OpenError"],
        "severity": ["error"],
        "type": ["exception"],
        "family": ["file-not-found"],
        "day": ["2026-08-28"],
    }


@pytest.mark.parametrize(
    ("text", "more"),
    [
        ("a torch.nn.scaled_dot b", "scaled_dot"),
        ("x/moe_v3.py", "moe_v3 v3"),
        ("plain_name alone", ""),
        ("_private_name", "private_name"),
        ("模型 ok", "模 型"),
    ],
)
def test_names_within_names(tmp_path: Path, text: str, more: str) -> None:
    one = fed(
        tmp_path, errorMessage=text, messagePattern=re.escape(text).replace("\\ ", " "), tags=[], documentation="D."
    )
    assert one.meta["more"] == more


def test_document_always_has_a_word(tmp_path: Path) -> None:
    assert words(fed(tmp_path, documentation="…", solutions=[]).content)


def test_words_that_pagefind_reserves(tmp_path: Path) -> None:
    one = fed(tmp_path, documentation="Use ___PAGEFIND_WEIGHT___0 and ___END_PAGEFIND_WEIGHT___ here.")
    assert "___PAGEFIND" not in one.content
    assert "___END" not in one.content


def entries(found: Dataset, counts: Mapping[str, int]) -> Dataset:
    """As many entries of each repository, made from the first of `found`."""
    model = found.entries[0]
    made: list[Entry] = []
    for repo, count in counts.items():
        for _ in range(count):
            number = len(made)
            fields = {name: getattr(model, name) for name in model.__struct_fields__}
            made.append(Entry(**fields | {"repo": repo, "slug": f"s{number}", "id": f"{number:016x}"}))
    return Dataset(tuple(made))


def test_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grouping, "PART_RECORDS", 10)
    model = loaded(tmp_path, samples.record(1))
    few = {f"a/r{number}": 3 for number in range(9)}
    found = grouping.parts(entries(model, few))
    assert len(found) == 4
    assert sum(len(part.entries) for part in found) == 27
    homes = {repo: {part.number for part in found for entry in part.entries if entry.repo == repo} for repo in few}
    assert {len(home) for home in homes.values()} == {1}
    more = grouping.parts(entries(model, few | {"a/large": 12}))
    assert len(more) == 4
    assert {
        repo: {part.number for part in more for entry in part.entries if entry.repo == repo} for repo in few
    } == homes
    assert len({part.number for part in more for entry in part.entries if entry.repo == "a/large"}) > 1


def test_a_small_dataset_is_one_part(tmp_path: Path) -> None:
    assert [part.path for part in grouping.parts(loaded(tmp_path, samples.record(1)))] == ["search/records/00/"]


def test_withdrawn_records_are_not_searched(tmp_path: Path) -> None:
    gone = samples.record(
        2, withdrawn={"time": "2026-01-01T00:00:00Z", "reason": "No longer raised.", "replacement": None}
    )
    [part] = grouping.parts(loaded(tmp_path, samples.record(1), gone))
    assert [entry.id for entry in part.entries] == [f"{1:016x}"]


def test_key_of_a_part(tmp_path: Path) -> None:
    [before] = grouping.parts(loaded(tmp_path / "a", samples.record(1)))
    [same] = grouping.parts(loaded(tmp_path / "b", samples.record(1)))
    [changed] = grouping.parts(loaded(tmp_path / "c", samples.record(1, solutions=["Give another path"])))
    assert before.key("1") == same.key("1")
    assert len({before.key("1"), before.key("2"), changed.key("1")}) == 3


def test_lists_of_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lists, "MAX_LINES", 2)
    found = lists.shards([{"token": 2, "tomb": 1, "con": 1}, {"token": 3, "tools": 1, "模型": 1}])
    assert found == {
        "co": ["con\t1\t1\n"],
        "tok": ["token\t5\t3\n"],
        "tom": ["tomb\t1\t1\n"],
        "too": ["tools\t1\t2\n"],
        "~24~24": ["模型\t1\t2\n"],
    }
    assert [file.path for file in lists.files(found)][:2] == ["search/words/wco.txt", "search/words/wtok.txt"]


def test_a_part_s_words_are_read_back(tmp_path: Path) -> None:
    [part] = grouping.parts(loaded(tmp_path, samples.record(1)))
    counts = {"b": 2, "a": 1, "\u0085": 3}
    assert lists.read(lists.kept(part, counts).content) == counts


def test_words_count_documents() -> None:
    assert lists.counted(["a b a", "b"]) == {"a": 1, "b": 2}


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"{}", b'{"format":2}', b'{"format":2,"parts":[{}]}', b"\xff"])
def test_a_damaged_catalogue(content: bytes) -> None:
    with pytest.raises(ValueError):
        catalogue.keys(content)


def test_a_catalogue_of_another_format() -> None:
    assert catalogue.keys(b'{"format":0,"parts":[{"path":"x/","key":"1"}]}') == {}


def test_text_of_pages() -> None:
    assert words(text_of("<p>One&amp;two<script>three()</script><style>a{}</style> fo<b>ur</b>")) == [
        "one",
        "two",
        "fo",
        "ur",
    ]


def test_open_search() -> None:
    file = open_search("A & B <a long name>", "D", "https://host/a&b/")
    tree = ElementTree.fromstring(file.content)
    space = "{http://a9.com/-/spec/opensearch/1.1/}"
    assert file.path == "opensearch.xml"
    assert tree.findtext(f"{space}ShortName") == "A & B <a long na"
    [html, own] = tree.findall(f"{space}Url")
    assert html.attrib["template"] == "https://host/a&b/search/?q={searchTerms}"
    assert own.attrib["template"] == "https://host/a&b/opensearch.xml"


def built(
    folder: Path, found: Dataset, name: str, *, site: Path | None = None, **options: Any
) -> tuple[Path, indexing.Built]:
    """The search of a dataset, in a stage of that name."""
    stage = folder / name
    return stage, indexing.build(found, PAGES, stage=stage, site=site or folder / "none", **options)


def test_equal_input_gives_equal_bytes(tmp_path: Path) -> None:
    found = dataset.load_or_raise(sites.ROOT / "records")
    (one, _), (other, _) = built(tmp_path, found, "one"), built(tmp_path, found, "other")
    assert sites.contents(one) == sites.contents(other)


def test_only_what_is_used_is_published(tmp_path: Path) -> None:
    stage, _ = built(tmp_path, loaded(tmp_path / "records", samples.record(1)), "stage")
    names = {
        path for path in sites.contents(stage) if not re.search(r"/(?:fragment|index|filter|words)/|pf_meta$", path)
    }
    assert names == {
        "search/parts.json",
        "search/pages/pagefind-entry.json",
        "search/records/00/pagefind-entry.json",
        "search/records/00/pagefind.js",
        "search/records/00/wasm.en.pagefind",
        "search/records/00/words.txt",
    }


def test_hosts_keep_for_ever_what_is_named_by_its_content(tmp_path: Path) -> None:
    stage, _ = built(tmp_path, loaded(tmp_path / "records", samples.record(1)), "stage")
    paths = sites.contents(stage)
    kept = {path for path in paths if "Cache-Control" in hosting.headers(path)}
    assert kept == {path for path in paths if re.search(r"/(?:index|filter)/", path)}
    assert kept


def test_the_search_page_names_every_script_that_it_runs() -> None:
    """A script that the page does not name waits until another one has been read that does."""
    page = (sites.ROOT / "overrides" / "search.html").read_text("utf-8")
    scripts = sites.ROOT / "overrides" / "assets" / "js"
    lists = re.findall(r"for name in (\[.*?\])(?s:.*?)js/((?:search/)?)' ~ name", page)
    named = {f"{folder}{name}.js" for names, folder in lists for name in ast.literal_eval(names)}
    named |= {*re.findall(r"js/([\w/]+\.js)", page), "page.js"}
    run, todo = set[Path](), [scripts / "page.js", scripts / "search" / "main.js", scripts / "search" / "start.js"]
    while todo:
        script = todo.pop().resolve()
        if script not in run:
            run.add(script)
            imports = re.findall(r'^import .*?"(.+?)";', script.read_text("utf-8"), re.MULTILINE)
            todo += [script.parent / name for name in imports]
    assert named == {script.relative_to(scripts).as_posix() for script in run}


def test_only_changed_parts_are_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grouping, "PART_RECORDS", 4)
    records = [samples.record(number, repo=f"acme/r{number}") for number in range(1, 9)]
    site, first = built(tmp_path, loaded(tmp_path / "a", *records), "site")
    assert first == indexing.Built((), 3)
    again, second = built(tmp_path, loaded(tmp_path / "b", *records), "again", site=site)
    assert second == indexing.Built(("search/pages/", "search/records/00/", "search/records/01/"), 0)
    assert {path: sites.contents(site)[path] for path in sites.contents(again)} == sites.contents(again)
    records[0]["solutions"] = ["Zebra"]
    stage, third = built(tmp_path, loaded(tmp_path / "c", *records), "third", site=site)
    assert third.made == 1
    merged = {path: content for path, content in sites.contents(site).items() if path.startswith(third.kept)}
    whole, _ = built(tmp_path, loaded(tmp_path / "d", *records), "whole")
    assert merged | sites.contents(stage) == sites.contents(whole)
    assert built(tmp_path, loaded(tmp_path / "e", *records), "full", site=site, full=True)[1].kept == ()


def test_files_of_an_unknown_form_stay_as_they_are() -> None:
    for content in (b"", b"{}", b'{"languages":{"en":{"hash":"en_1"}}}'):
        files = {"pagefind-entry.json": content, "pagefind.en_1.pf_meta": gzip.compress(b"pagefind_dcd\x9a")}
        assert bundle.settled(files) == files


FAKES = {
    "crash": ("import sys; sys.stdin.read(5); sys.exit('out of memory')", "Pagefind crashed (out of memory)"),
    "silent end": ("pass", "Pagefind crashed (exit status"),
    "garbage": ("import sys, time; sys.stdout.write('!!!,'); sys.stdout.flush(); time.sleep(60)", "Pagefind crashed"),
    "hang": ("import time; time.sleep(60)", "Pagefind gave no answer in 1 s"),
    "refusal": (
        "import base64, json, sys\n"
        "answer = {'message_id': 1, 'payload': {'type': 'Error', 'message': 'no such option'}}\n"
        "sys.stdout.write(base64.b64encode(json.dumps(answer).encode()).decode() + ',')\n"
        "sys.stdout.flush()\nsys.stdin.read()",
        "Pagefind refuses a request (no such option)",
    ),
}


@pytest.mark.parametrize("fake", FAKES)
@pytest.mark.skipif(os.name != "posix", reason="the stand-in is a script")
def test_a_pagefind_that_fails(fake: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source, said = FAKES[fake]
    program = tmp_path / "pagefind"
    program.write_text(f"#!{shutil.which('python3')}\n{source}\n")
    program.chmod(program.stat().st_mode | stat.S_IEXEC)
    monkeypatch.setenv("PAGEFIND_BINARY_PATH", str(program))
    with pytest.raises(MachineError) as failure:
        built(tmp_path, loaded(tmp_path / "records", samples.record(1)), "stage", stall=1.0 if fake == "hang" else 60.0)
    [line, _] = str(failure.value).splitlines()
    assert line.startswith(said)
    assert line.endswith("; build again, or publish without search by the setting search: false [EDX052]")


def test_a_pagefind_that_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAGEFIND_BINARY_PATH", str(tmp_path / "none"))
    with pytest.raises(MachineError, match="Pagefind cannot be run"), pagefind.index():
        pass


@pytest.mark.skipif(not shutil.which("node"), reason="needs Node")
def test_the_right_page_is_among_the_first_five(tmp_path: Path) -> None:
    found = sites.ROOT / "records", FIXTURES / "search"
    everything = Dataset(tuple(entry for root in found for entry in dataset.load_or_raise(root).entries))
    stage, _ = built(tmp_path, everything, "stage")
    known = {entry.uri for entry in everything.entries}
    asked = [(text, right) for rows in questions(known).values() for text, right in rows]
    assert len(asked) >= 40
    command = ["node", str(Path(__file__).parent / "ask_search.mjs"), str(stage)]
    run = subprocess.run(
        command, input=json.dumps([text for text, _ in asked]), capture_output=True, text=True, check=True
    )
    missed = [
        text
        for (text, right), got in zip(asked, json.loads(run.stdout), strict=True)
        if not right & set(got["urls"][:5])
    ]
    assert missed == []


def questions(known: set[str]) -> dict[str, list[tuple[str, set[str]]]]:
    """The query set by kind: texts and their right pages, those whose pages are known."""
    rows = yaml.safe_load(QUERIES.read_text("utf-8")).items()
    pages = {
        kind: [(text, {urls.page(*page.rsplit("/", 1)) for page in right} & known) for text, *right in listed]
        for kind, listed in rows
    }
    return {kind: [(text, right) for text, right in listed if right] for kind, listed in pages.items()}


def test_the_query_set_is_large_enough() -> None:
    kinds = yaml.safe_load(QUERIES.read_text("utf-8"))
    assert sum(map(len, kinds.values())) >= 60
    assert all(len(rows) >= 5 for rows in kinds.values())
