"""Errordex's own errors: codes, raise statements and records hold together, and what is printed is found.

Each code is provoked by the real functions with small inputs, and the record's pattern is searched in the
report that comes of it.
"""

import ast
import errno
import gzip
import json
import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

from generator import (
    builds,
    changes,
    client,
    copies,
    dataset,
    decode,
    hosting,
    kit_command,
    ledger,
    ledger_command,
    own,
    own_refresh,
    patterns,
    publish,
    skeleton,
    sources,
    stencil,
    transport,
    triage,
)
from generator.about import About
from generator.api import Change
from generator.assemble import Outputs
from generator.checkout import read as read_checkout
from generator.checks import CHECKS
from generator.cli import main
from generator.client import Mirror
from generator.files import File
from generator.lookup import Index, find, index, messages
from generator.pages import Site
from generator.problems import OWN_REPO, ErrordexError, InvalidRecords, address, own_id
from generator.records import MAX_RECORD_BYTES, Record
from generator.words import shipped
from generator.workers import Crew, Task
from tests import sites

ROOT = Path(__file__).parent.parent
SEED = ROOT / "records" / "sgl-project" / "sglang" / "b318b4f842689251.json"
FILES = sorted((ROOT / "records" / OWN_REPO).glob("*.json"))
SITES = own_refresh.sites(ROOT)
WHERE = "records/acme/tool/x.json"


def record_of(path: Path) -> Record:
    found = decode.decode(path.read_bytes(), str(path))
    assert not isinstance(found, list), "\n".join(map(str, found))
    return found.record


RECORDS = {code: record_of(ROOT / "records" / OWN_REPO / f"{own_id(code)}.json") for code in SITES}
PROGRAMS = {code: patterns.compile(record.message_pattern) for code, record in RECORDS.items()}


def test_codes_are_those_of_the_records() -> None:
    """Every code that stands in the code is reported somewhere, and has one record that documents it."""
    constants = (
        node.value
        for path in (ROOT / "generator").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_bytes()))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    )
    mentioned = {code for text in constants for code in re.findall(r"EDX\d{3}", text)}
    assert mentioned == set(SITES)
    assert {check.code for check in CHECKS} < mentioned
    documented = [record.error_code for record in map(record_of, FILES)]
    assert sorted(documented, key=str) == sorted(mentioned)


@pytest.mark.parametrize("code", SITES)
def test_record(code: str) -> None:
    record = RECORDS[code]
    assert (record.id, record.repo, record.error_code) == (own_id(code), OWN_REPO, code)
    assert record.file_path in {site.path for site in SITES[code]}, "no longer raised there: run generator.own_refresh"
    assert record.error_message.endswith(f" [{code}]")
    assert record.slug in (skeleton.slug(record.error_message, record.id, taken) for taken in (set(), {record.slug}))
    assert not patterns.compile(record.message_pattern).is_weak
    prose = [record.documentation, record.trigger_scenarios, record.common_situations, *record.solutions]
    assert len(prose) > 4
    assert all(map(str.strip, prose))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_file_is_as_refresh_writes_it(path: Path) -> None:
    content = path.read_text("utf-8")
    assert own_refresh.written(json.loads(content)) == content


def test_explain() -> None:
    page = own.explain("EDX014", [own.folder()])
    assert page is not None
    assert "lineNumber" in page
    assert own.explain("edx014", [own.folder()]) == own.explain(own_id("EDX014"), [own.folder()]) == page
    assert own.explain("EDX999", [own.folder()]) is None


# Texts that the code prints

Provoke = Callable[[Path], Iterator[str]]
"""Given an empty folder, reports as they are printed."""


def document(**fields: Any) -> dict[str, Any]:
    """A sound envelope with some of the record's fields changed."""
    envelope: dict[str, Any] = json.loads(SEED.read_text("utf-8"))
    envelope["record"] |= fields
    return envelope


def raw(**fields: Any) -> bytes:
    return json.dumps(document(**fields)).encode()


def without(*names: str) -> bytes:
    envelope = document()
    return json.dumps({**envelope, "record": {k: v for k, v in envelope["record"].items() if k not in names}}).encode()


def enveloped(**members: Any) -> bytes:
    return json.dumps({**document(), **members}).encode()


SHA = "0132848349585cfe6aae51c4941cbae872505f8a"
BLOB = f"https://github.com/sgl-project/sglang/blob/{SHA}/"
PATH = "python/sglang/srt/models/kimi_k3.py"

FAULTY: dict[str, list[bytes]] = {
    "EDX001": [b"\xff\xfe{\x00", raw().replace(b"DSPARK", b"DSP\xc4RK"), b"\xef\xbb\xbf{\xc3(}"],
    "EDX002": [b"", b"{", b'{"a": 1,}', b"{} {}", b'{"a": NaN}', b'{"a": -Infinity}', b"[" * 200_000, b"1" * 5_000],
    "EDX003": [b'{"id": 1, "id": 1}', raw().replace(b'"slug"', b'"id"'), b'{"record": {"a\\u0007": 1, "a\\u0007": 2}}'],
    "EDX004": [raw(documentation="cut \ud83d"), raw(tags=["\udc00"]), enveloped(datasetVersion="\ud800")],
    "EDX005": [b"[]", b"null", enveloped(record=[]), enveloped(datasetVersion=None), enveloped(datasetVersion=" ")],
    "EDX006": [without("id"), without("tags", "githubUrl"), b"{}", raw(withdrawn={"reason": "x"})],
    "EDX007": [raw(solution="x"), raw(withdrawn={"by": "me"}), raw(**{"\u001b[31m": 1}), enveloped(version=1)],
    "EDX008": [
        *(raw(lineNumber="12"), raw(lineNumber=0), raw(lineNumber=1.5), raw(solutions="one"), raw(tags=["a", 1])),
        *(raw(severity="fatal"), raw(severity=1), raw(httpStatus=1000), raw(slug=None), raw(schemaVersion="2")),
        *(raw(withdrawn=1), raw(withdrawn={"time": 1, "reason": "x"}), raw(tags=[[[]]])),
    ],
    "EDX009": [raw(schemaVersion=3), raw(schemaVersion=0), raw(schemaVersion=10**30)],
    "EDX010": [b" " * (MAX_RECORD_BYTES + 1), raw(errorType="x" * 501), raw(tags=["a"] * 101), raw(tags=["x" * 501])],
    "EDX011": [raw(repo="sglang"), raw(repo="https://github.com/sgl-project/sglang"), raw(repo="a/b/c"), raw(repo="")],
    "EDX012": [raw(id="B318B4F842689251"), raw(id="1"), raw(id="")],
    "EDX013": [raw(slug=""), raw(slug="a/b"), raw(slug=".."), raw(slug="a b")],
    "EDX014": [raw(lineNumber=19), raw(lineNumber=2911)],
    "EDX015": [raw(sourceCode="one line"), raw(sourceCodeEnd=2873), raw(sourceCode="\n" * 40)],
    "EDX016": [raw(githubUrl="http://github.com/"), raw(githubUrl=f"{BLOB}a b"), raw(githubUrl="")],
    "EDX017": [raw(githubUrl=BLOB.replace(SHA, "main") + PATH), raw(analyzedSha="f" * 40)],
    "EDX018": [
        *(raw(githubUrl=f"{BLOB}other.py#L2874-L2910"), raw(githubUrl=BLOB + PATH)),
        *(raw(githubUrl=f"{BLOB}{PATH}#L2892"), raw(filePath="moved.py")),
    ],
    "EDX019": [raw(filePath="/abs.py"), raw(filePath="a\\b.py"), raw(filePath="../a.py"), raw(filePath="")],
    "EDX020": [
        *(raw(analyzedAt="2026-08-28"), raw(updatedAt="2026-02-30T00:00:00Z")),
        raw(withdrawn={"time": "yesterday", "reason": "x"}),
    ],
    "EDX021": [
        *(
            raw(messagePattern=pattern)
            for pattern in ("", "(?=a)", r"(a)\1", "(?i)a", "(?:ab)+", "[a", "a)", "*", "a++")
        ),
        *(raw(messagePattern=pattern) for pattern in ("((((a))))", "|".join("abcdefghi"), r"\p{L}", "x" * 20_001)),
    ],
    "EDX022": [raw(errorMessage="Something else."), raw(messagePattern=r"\d+")],
    "EDX023": [raw(errorMessage=""), raw(errorMessage=" \n")],
    "EDX024": [raw(errorClass=""), raw(errorCode=" x"), raw(tags=["a\nb"]), raw(errorType="x" * 201)],
    "EDX025": [raw(backgroundTag="Missing argument"), raw(backgroundTag=""), raw(backgroundTag="a--b")],
    "EDX026": [raw(aliases=["slug"]), raw(aliases=["/errors/a/b/c/"]), raw(aliases=["a/b/"])],
    "EDX027": [raw(analyzedSha="0132848"), raw(analyzedSha=SHA.upper()), raw(analyzedSha="")],
}


@pytest.mark.parametrize(("code", "content"), [(code, content) for code, all_ in FAULTY.items() for content in all_])
def test_faulty_document_is_explained(code: str, content: bytes) -> None:
    found = decode.decode(content, WHERE)
    assert isinstance(found, list)
    problems = [problem for problem in found if problem.code == code]
    assert problems
    for problem in problems:
        is_explained(code, str(InvalidRecords([problem])))
        assert PROGRAMS[code].search(problem.text), "what `check` prints in its other formats"


def is_explained(code: str, report: str) -> None:
    """One record's pattern finds the report, the report ends with its page's address, and is fit for a terminal."""
    first = report.splitlines()[0]
    assert [code_ for code_, program in PROGRAMS.items() if program.search(first)] == [code], report
    assert f"[{code}]" in report
    assert report.endswith(address(code)), report
    assert report.replace("\n", "").isprintable()


def saved(folder: Path, *documents: dict[str, Any]) -> Path:
    """A folder with these documents as files, in order."""
    for number, content in enumerate(documents):
        (folder / f"{number}.json").write_text(json.dumps(content), "utf-8")
    return folder


def reports(root: Path) -> Iterator[str]:
    """What is printed of the records under `root`, a report for each problem."""
    _, problems = dataset.load(root)
    yield from (str(InvalidRecords([problem])) for problem in problems)


def raised(step: Callable[[], object]) -> str:
    with pytest.raises(ErrordexError) as caught:
        step()
    return str(caught.value)


OTHER = "0000000000000001"


def same_id(folder: Path) -> Iterator[str]:
    yield from reports(saved(folder, document(), document(slug="other")))


def same_slug(folder: Path) -> Iterator[str]:
    yield from reports(saved(folder, document(slug="a"), document(slug="A", id=OTHER)))


def other_capitals(folder: Path) -> Iterator[str]:
    repo = "SGL-project/sglang"
    moved = document(repo=repo, id=OTHER, slug="b")
    moved["record"]["githubUrl"] = moved["record"]["githubUrl"].replace("sgl-project/sglang", repo)
    yield from reports(saved(folder, document(), moved))


def taken_alias(folder: Path) -> Iterator[str]:
    first = document(slug="a", aliases=["sgl-project/sglang/a"])
    yield from reports(saved(folder, first, document(slug="b", id=OTHER, aliases=["sgl-project/sglang/A"])))


def unknown_replacement(folder: Path) -> Iterator[str]:
    withdrawn = {"time": "2026-08-28T05:10:05Z", "reason": "The check is gone."}
    first = document(withdrawn={**withdrawn, "replacement": "f" * 16})
    yield from reports(
        saved(folder, first, document(id=OTHER, slug="b", withdrawn={**withdrawn, "replacement": OTHER}))
    )


def unstamped(folder: Path) -> Iterator[str]:
    entries = dataset.load_or_raise(saved(folder, document(documentation="New."))).entries
    published = [Change(id=entry.id, time=entry.modified, sha256="0" * 64) for entry in entries]
    before = json.dumps(document()).encode()
    problems = changes.unstamped(
        published,
        entries,
        before=lambda ids: [(record_id, before) for record_id in ids],
        now=lambda entry: dataset.read(entry).form,
    )
    yield from (str(InvalidRecords([problem])) for problem in problems)


def unreadable(folder: Path) -> Iterator[str]:
    yield from reports(folder / "nowhere")
    records = folder / "records"
    records.mkdir()
    (folder / "outside.json").write_bytes(raw())
    (records / "link.json").symlink_to(folder / "outside.json")
    (records / "gone.json").symlink_to(records / "nowhere.json")
    (records / "plain.jsonl.gz").write_bytes(raw())
    (records / "cut.jsonl.gz").write_bytes(gzip.compress(raw())[:-20])
    (records / "two\nlines.json").write_bytes(raw())
    os.mkfifo(records / "pipe.json")
    found = list(reports(records))
    assert len(found) == 6
    yield from found


def too_large(folder: Path) -> Iterator[str]:
    path = folder / "x.jsonl.gz"
    path.write_bytes(gzip.compress(b"\n" * 2000))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sources, "MAX_UNPACKED_BYTES", 1000)
        yield from reports(path)


def too_many(folder: Path) -> Iterator[str]:
    shutil.copy(SEED, folder / "x.json")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dataset, "MAX_RECORDS", 0)
        yield from reports(folder)
        patch.setattr(sources, "MAX_FILES", 0)
        yield from reports(folder)


def no_record(folder: Path) -> Iterator[str]:
    yield from reports(folder)


def skeletons(folder: Path) -> Iterator[str]:
    yield raised(lambda: skeleton.create("tool", "message", folder))
    yield raised(lambda: canned().repository("tool"))


def run(*arguments: object, status: int) -> str:
    """What the command prints as its error."""
    done = CliRunner().invoke(main, list(map(str, arguments)))
    assert done.exit_code == status, done.output
    return done.stderr.strip()


def no_commit(folder: Path) -> Iterator[str]:
    records = saved(folder, document())
    yield run("drift", folder, "--records", records, "--write", status=2)
    yield run("drift", folder, "--records", records, "--commit", "main", status=2)
    yield run("draft", folder, "--repo", "a/b", "--commit", "A" * 40, status=2)


def two_repositories(folder: Path) -> Iterator[str]:
    other = document(repo="a/b", id=OTHER)
    other["record"]["githubUrl"] = other["record"]["githubUrl"].replace("sgl-project/sglang", "a/b")
    yield run("drift", folder, "--records", saved(folder, document(), other), status=2)


def unread_source(folder: Path) -> Iterator[str]:
    outside = folder / "outside.py"
    outside.write_text("raise ValueError('no')", "utf-8")
    sources = folder / "sources"
    sources.mkdir()
    (sources / "latin.py").write_bytes(b"raise ValueError('\xe4')")
    (sources / "link.py").symlink_to(outside)
    (sources / "wrong.py").write_text("raise !", "utf-8")
    found = read_checkout(sources)
    assert len(found.skipped) == 3
    yield from (str(InvalidRecords([problem])) for problem in found.skipped)


def no_record_of_it(folder: Path) -> Iterator[str]:
    yield run("drift", folder, "--records", saved(folder, document()), "--repo", "a/b", status=1)


def blank_skeleton(folder: Path) -> Iterator[str]:
    yield raised(lambda: skeleton.create("acme/tool", " ", folder))


def no_id(_folder: Path) -> Iterator[str]:
    yield raised(lambda: canned().form("slug"))


def mass_deletion(folder: Path) -> Iterator[str]:
    space = publish.workspace(folder, folder / "site")
    publish.write_all(space.site, [File(f"{number}/index.html", b"") for number in range(5)])
    publish.write(space.stage, File("0/index.html", b""))
    yield raised(lambda: publish.publish(space))


def second_build(folder: Path) -> Iterator[str]:
    space = publish.workspace(folder, folder / "site")
    with publish.opened(space):
        yield raised(lambda: publish.opened(space).__enter__())


REFUSALS = (errno.ENOSPC, errno.EDQUOT, errno.EACCES, errno.EPERM, errno.EROFS, errno.EIO)


def machine(folder: Path) -> Iterator[str]:
    for number in REFUSALS:
        yield raised(lambda number=number: refuse(OSError(number, os.strerror(number), str(folder / "file"))))  # type: ignore[misc]
    yield raised(lambda: refuse(OSError("no number")))


def refuse(error: OSError) -> None:
    with publish.machine_errors():
        raise error


def changed_record(folder: Path) -> Iterator[str]:
    (entry,) = dataset.load_or_raise(saved(folder, document())).entries
    saved(folder, document(slug="changed"))
    yield raised(lambda: dataset.read(entry))


def die(_task: Task, _jobs: list[Any]) -> int:
    """What a worker runs when the system kills it."""
    os._exit(9)


def killed_worker(folder: Path) -> Iterator[str]:
    crew = Crew(Task(folder, folder / "workers", Site(), Outputs(), {}, About(), shipped()), 2)
    yield raised(lambda: list(crew.spread(die, [()])))
    crew.close()


def settings(folder: Path) -> Iterator[str]:
    config = folder / "mkdocs.yml"
    for plugins in ("[]", "[unheard-of]", "[errordex: {jobs: many}]", "[errordex: {unheard: of}]"):
        config.write_text(f"site_name: x\nstrict: true\nplugins: {plugins}\n", "utf-8")
        (folder / "docs").mkdir(exist_ok=True)
        yield raised(lambda: builds.build(config))
    for security in (hosting.Security(("post",), "2027-12-31T00:00:00Z"), hosting.Security(("tel:1",), "soon")):
        yield raised(lambda security=security: list(hosting.files(About(), security=security)))  # type: ignore[misc]


def no_record_of_project(folder: Path) -> Iterator[str]:
    yield raised(lambda: kit_command.records_of("acme/tool", saved(folder, document())))


def no_site(_folder: Path) -> Iterator[str]:
    for site in ("errors.example.org", "ftp://x.org/", "https://x.org/?a=b", 'https://x.org/"'):
        yield raised(lambda site=site: kit_command.site_of(site))  # type: ignore[misc]


def kit_there_already(folder: Path) -> Iterator[str]:
    (folder / "a.yml").write_text("theirs\n", "utf-8")
    yield raised(lambda: kit_command.write(folder, [File("a.yml", b"ours\n"), File("b.yml", b"")], force=False))


def no_event(_folder: Path) -> Iterator[str]:
    for content in (b"", b"[]", b'{"issue": 1}', b'{"issue": {"title": "\xff"}}', b" " * (triage.MOST_EVENT + 1)):
        yield raised(lambda content=content: triage.text_of(content, "event.json"))  # type: ignore[misc]


def path_out_of_site(folder: Path) -> Iterator[str]:
    yield raised(lambda: publish.write(folder, File("../x", b"")))


def broken_link(folder: Path) -> Iterator[str]:
    docs = folder / "docs"
    docs.mkdir()
    (docs / "index.md").write_text("[lost](nowhere.md)\n", "utf-8")
    yield raised(lambda: sites.build(folder, ROOT / "records" / "sgl-project", docs=docs, strict=True, nav=None))


def theme(_folder: Path) -> Iterator[str]:
    def cut(html: str, parts: tuple[tuple[str, str], ...]) -> str:
        return raised(lambda: stencil.cut(html, stencil.shape("record.md.jinja", "x/", {})._replace(parts=parts)))

    yield cut("<p>\ue000unheard\ue001</p>", (("title", "Text"),))
    yield cut("<p>\ue000TITLE</p>", (("title", "Text"),))
    yield cut('<a href="%EE%80%80title%EE%80%81">', (("title", "Text"),))
    yield cut("<li>\ue000code\ue001</li>", (("code", "Block"),))
    items = ["\ue000rows.text.0\ue001", "\ue000rows.text.1\ue001"]
    yield cut(f"<li>{items[1]}<li>{items[0]}", (("rows", "text:Text uri:Text"),))
    yield cut(f"a{items[0]}b{items[1]}c", (("rows", "text:Text uri:Text"),))


class Canned:
    """A mirror's files that are not on any host."""

    def __init__(self, files: dict[str, bytes]) -> None:
        self.files = files

    def fetch(self, uri: str, limit: int) -> bytes:
        return self.files[uri]


def canned(**files: bytes) -> Mirror:
    return Mirror(Canned({f"api/{name.replace('_', '.')}": content for name, content in files.items()}))


def unreachable(folder: Path) -> Iterator[str]:
    yield raised(lambda: client.open_mirror(folder / "nowhere"))
    yield raised(client.open_mirror(folder).version)
    yield raised(lambda: client.open_mirror("ftp://example.org/"))
    yield raised(lambda: transport.Web("http://127.0.0.1:9/", timeout=1, tries=1).fetch("api/version.json", 1))


def faulty_mirror(folder: Path) -> Iterator[str]:
    change = b"0000000000000001,2026-08-28T05:10:05.000000000Z," + b"0" * 64 + b"\n"
    yield raised(lambda: canned(version_json=b"<html>").version())
    yield raised(lambda: canned(modified_csv=b"id,time,sha256\n1\n").changes())
    yield raised(lambda: canned(modified_csv=b"id,time,sha256\n" + 2 * change).changes())
    yield raised(lambda: transport.safe("../secret"))
    (folder / "out").symlink_to(folder.parent)
    (folder / "large").write_bytes(b"12345")
    yield raised(lambda: transport.Folder(folder).fetch("out", 1))
    yield raised(lambda: transport.Folder(folder).fetch("large", 4))


def no_lookup_index(folder: Path) -> Iterator[str]:
    yield raised(lambda: Index.of_site(str(folder)))


def faulty_lookup_index(folder: Path) -> Iterator[str]:
    records = sorted(messages.raised(dataset.load_or_raise(SEED)), key=lambda record: record.site.id)
    made = {file.path: file.content for file in index.files(records)}
    manifest = made[index.MANIFEST]
    asked = f"{records[0].error_class}: {record_of(SEED).error_message}"
    broken = {path: b"<html>" for path in made if path.endswith(".json") and path != index.MANIFEST}
    for changed in (
        {index.MANIFEST: b"<html>"},
        {index.MANIFEST: manifest.replace(b'"format":1', b'"format":9')},
        {index.MANIFEST: manifest.replace(b'"shardBits":0', b'"shardBits":-1')},
        broken,
    ):
        yield raised(lambda changed=changed: find(asked, Index((made | changed).get)))  # type: ignore[misc]


def newer_mirror(_folder: Path) -> Iterator[str]:
    answer = {"apiVersion": 9, "schemaVersion": 2, "generator": "x", "datasetVersion": "", "site": None}
    counts = {"records": 0, "withdrawn": 0, "repositories": 0, "families": 0}
    content = json.dumps({**answer, "license": {}, "counts": counts}).encode()
    yield raised(lambda: canned(version_json=content).version())


def no_copy(folder: Path) -> Iterator[str]:
    yield raised(lambda: copies.sync(canned(), saved(folder, document())))


def forgotten_alias(folder: Path) -> Iterator[str]:
    """Against a ledger with one line, `check`'s reports of a record at another page, id, case, and of none."""
    yield from of_ledger(folder, LISTED, document(slug="other"))


def listed_elsewhere(folder: Path) -> Iterator[str]:
    yield from of_ledger(folder, LISTED, document(slug="listed", id=OTHER))
    alias = document(slug="b", id=OTHER, aliases=["sgl-project/sglang/listed"])
    yield from of_ledger(folder, LISTED, document(slug="new", aliases=["sgl-project/sglang/listed"]), alias)


def other_case(folder: Path) -> Iterator[str]:
    yield from of_ledger(folder, LISTED, document(slug="Listed"))


def malformed_ledger(folder: Path) -> Iterator[str]:
    for content in (
        b"\n",
        b"<<<<<<< HEAD\n",
        LISTED.replace(b"\t", b" "),
        b"/" + LISTED,
        LISTED.upper(),
        b"\xff\x1b[31m",
    ):
        (folder / ledger.NAME).write_bytes(content)
        faults = ledger.read(folder / ledger.NAME)[1]
        yield from (str(InvalidRecords([fault])) for fault in faults)


def incomplete_ledger(folder: Path) -> Iterator[str]:
    yield from of_ledger(folder, b"", document(), only="EDX065")
    now = ledger_command.present(folder / ledger.NAME, dataset.load(folder)[0])
    lines = ledger.lacking(now.listed, now.site)
    yield from (str(InvalidRecords([one])) for one in ledger.incomplete(lines[:1], now.where))


def lost_pages(folder: Path) -> Iterator[str]:
    lines = b"errors/acme/tool/\t-\n" + LISTED
    for changed in (document(slug="other"), document(slug="listed", id=OTHER), document(slug="b", id=OTHER)):
        (folder / "lines.tsv").write_bytes(lines)
        now = ledger_command.present(folder / "none.tsv", dataset.load(saved(folder, changed))[0])
        problems = list(ledger_command.against(str(folder / "lines.tsv"), now))
        assert len(problems) == 2
        yield from (str(InvalidRecords([problem])) for problem in problems)


LISTED = b"errors/sgl-project/sglang/listed/\tb318b4f842689251\n"


def of_ledger(folder: Path, lines: bytes, *documents: dict[str, Any], only: str = "") -> Iterator[str]:
    """The problems of records with this ledger, but for that it is not complete, or only those of one code."""
    (folder / ledger.NAME).write_bytes(lines)
    now = ledger_command.present(folder / ledger.NAME, dataset.load(saved(folder, *documents))[0])
    for problem in ledger_command.problems(now):
        if problem.code == only or (problem.code != "EDX065" and not only):
            yield str(InvalidRecords([problem]))


PROVOKED: list[tuple[str, Provoke]] = [
    ("EDX011", skeletons),
    ("EDX012", no_id),
    ("EDX023", blank_skeleton),
    ("EDX030", same_id),
    ("EDX031", same_slug),
    ("EDX032", other_capitals),
    ("EDX033", taken_alias),
    ("EDX034", unknown_replacement),
    ("EDX035", unstamped),
    ("EDX040", unreadable),
    ("EDX041", no_record),
    ("EDX080", too_large),
    ("EDX081", too_many),
    ("EDX050", mass_deletion),
    ("EDX051", second_build),
    ("EDX052", machine),
    ("EDX052", changed_record),
    ("EDX052", killed_worker),
    ("EDX053", settings),
    ("EDX054", path_out_of_site),
    ("EDX055", theme),
    ("EDX056", broken_link),
    ("EDX060", unreachable),
    ("EDX061", faulty_mirror),
    ("EDX062", newer_mirror),
    ("EDX063", no_copy),
    ("EDX070", no_record_of_project),
    ("EDX071", no_site),
    ("EDX072", kit_there_already),
    ("EDX073", no_event),
    ("EDX088", no_lookup_index),
    ("EDX089", faulty_lookup_index),
    ("EDX064", malformed_ledger),
    ("EDX065", incomplete_ledger),
    ("EDX066", listed_elsewhere),
    ("EDX067", forgotten_alias),
    ("EDX068", other_case),
    ("EDX069", lost_pages),
    ("EDX075", no_commit),
    ("EDX076", two_repositories),
    ("EDX077", unread_source),
    ("EDX078", no_record_of_it),
]


@pytest.mark.parametrize(("code", "provoke"), PROVOKED)
def test_report_is_explained(code: str, provoke: Provoke, tmp_path: Path) -> None:
    printed = list(provoke(tmp_path))
    assert printed
    for report in printed:
        is_explained(code, report)


def test_every_code_is_provoked() -> None:
    assert {*FAULTY, *(code for code, _ in PROVOKED)} == set(SITES)


# The refresh

CODE = '''
"""Mentions EDX901 and [EDX902]."""
CODE = "EDX903"
TABLE = (Check("EDX904", ("a",), rule),)

def rule():
    yield Fault(
        "EDX905", wrong,
    )
    problems.append(Problem("", CODE))
    faults += [
        Fault("EDX906", f"{x}"),
    ]
    code = "EDX907" if x else "EDX908"
    return Fault(code)

raise _Unreadable(Fault("EDX909", "")) from None
raise Wrong(
    f"{x}: bad; "
    "mend it [EDX910]"
)
'''


def test_a_report_is_a_call_with_a_code() -> None:
    lines = {"903": 10, "905": 7, "906": 12, "907": 15, "908": 15, "909": 17, "910": 18}
    assert dict(own_refresh.reported(ast.parse(CODE))) == {f"EDX{code}": line for code, line in lines.items()}


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A repository with this one's code and own records, committed."""
    ignored = shutil.ignore_patterns("__pycache__")
    for name in ("generator", f"records/{OWN_REPO}"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=ignored)
    run_git(tmp_path, "init", "--quiet")
    run_git(tmp_path, "add", "--all")
    who = ("-c", "user.name=x", "-c", "user.email=x@example.org", "-c", "commit.gpgsign=false")
    run_git(tmp_path, *who, "commit", "--quiet", "--message=x", "--date=2026-08-28T07:10:05+02:00")
    return tmp_path


def run_git(folder: Path, *arguments: str) -> None:
    dated = {**os.environ, "GIT_COMMITTER_DATE": "2026-08-28T07:10:05+02:00"}
    subprocess.run(["git", "-C", str(folder), *arguments], check=True, env=dated)


def test_refresh(checkout: Path) -> None:
    """Mechanical fields follow the code, prose stays, and doing it again changes nothing."""
    code = checkout / "generator" / "checks.py"
    code.write_text("# one line more\n" + code.read_text("utf-8"), "utf-8")
    before = {path.name: json.loads(path.read_text("utf-8"))["record"] for path in FILES}
    at = own_refresh.Commit("a" * 40, "2026-08-28T05:10:05Z")
    assert own_refresh.refresh(checkout, at) == len(FILES)
    written = {path.name: path.read_bytes() for path in (checkout / "records" / OWN_REPO).iterdir()}
    found = {name: json.loads(content)["record"] for name, content in written.items()}
    mechanical = own_refresh.mechanical(ROOT, SITES["EDX014"][0], at).keys()
    for name, record in found.items():
        assert list(record) == list(before[name])
        assert all(record[field] == before[name][field] for field in record.keys() - mechanical)
        assert isinstance(decode.decode(written[name], name), decode.Decoded)
    record = found[f"{own_id('EDX014')}.json"]
    assert (record["lineNumber"], record["filePath"]) == (SITES["EDX014"][0].line + 1, "generator/checks.py")
    marked = record["sourceCode"].split("\n")[record["lineNumber"] - record["sourceCodeStart"]]
    assert marked.strip() == "yield Fault("
    own_refresh.refresh(checkout, at)
    assert written == {path.name: path.read_bytes() for path in (checkout / "records" / OWN_REPO).iterdir()}


def test_refresh_keeps_the_file_that_a_record_names() -> None:
    sites = [own_refresh.Site("generator/a.py", 1), own_refresh.Site("generator/b.py", 2)]
    assert own_refresh.chosen(sites, "generator/b.py").line == 2
    assert own_refresh.chosen(sites, "generator/gone.py").line == 1


def test_refresh_names_every_difference(checkout: Path) -> None:
    records = checkout / "records" / OWN_REPO
    (records / f"{own_id('EDX014')}.json").rename(records / "0000000000000000.json")
    with pytest.raises(click.ClickException) as caught:
        own_refresh.refresh(checkout, own_refresh.Commit("a" * 40, ""))
    assert "EDX014 has no record" in str(caught.value)
    assert "0000000000000000.json: no code reports this error" in str(caught.value)


def test_commit_is_the_code_that_is_there(checkout: Path) -> None:
    at = own_refresh.commit(checkout, "HEAD")
    assert re.fullmatch("[0-9a-f]{40}", at.sha)
    assert at.time == "2026-08-28T05:10:05Z"
    assert own_refresh.commit(checkout, at.sha) == at
    assert own_refresh.commit(checkout, own_refresh.UNCOMMITTED).time == "1970-01-01T00:00:00Z"
    (checkout / "generator" / "more.py").write_text("", "utf-8")
    with pytest.raises(click.ClickException, match=r"generator/more\.py"):
        own_refresh.commit(checkout, "HEAD")
    with pytest.raises(click.ClickException, match="no commit of this checkout"):
        own_refresh.commit(checkout, "f" * 40)
