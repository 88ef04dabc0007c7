"""The maker of benchmark records: what it finds in source, and that its records are whole and repeatable."""

import gzip
import json
import os
import re
import subprocess
import sys
import zipfile
from email.parser import Parser
from pathlib import Path
from typing import Any

import pytest

from benchmarks import corpus
from benchmarks.corpus import sites
from generator.raise_sites import Site

ROOT = Path(__file__).parents[1]

Expected = tuple[str, str, str, int]

SITES: dict[str, tuple[str, Expected]] = {
    "plain text": (
        'raise ValueError("no such file.")',
        ("ValueError", "no such file.", r"no such file\.", 1),
    ),
    "dotted class, implicit concatenation": (
        'raise errors.api.BadRequest(\n    "too "\n    "long (max)"\n) from None',
        ("BadRequest", "too long (max)", r"too long \(max\)", 1),
    ),
    "f-string, conversion and format dropped": (
        'raise TypeError(f"got {a.b[0]!r} and {x + 1:>4}, {{no}}")',
        ("TypeError", "got {a.b[0]} and {x + 1}, {no}", r"got .+ and .+, \{no\}", 1),
    ),
    "percent": (
        'raise KeyError("bad %s at %.2f%%: %(not)" % (name, rate * 100))',
        ("KeyError", "bad {name} at {rate * 100}%: %(not)", r"bad .+ at .+%: %\(not\)", 1),
    ),
    "percent with one value, and with names": (
        'raise E("key %(key)s of %(owner)s" % {"key": k, "owner": self.owner})',
        ("E", "key {k} of {self.owner}", "key .+ of .+", 1),
    ),
    "format": (
        'raise OSError("cannot {} {0.name} {why}".format(verb, why=str(e)))',
        ("OSError", "cannot {verb} {verb.name} {str(e)}", "cannot .+ .+ .+", 1),
    ),
    "concatenation": (
        'raise ValueError("unknown option: " + name + "?")',
        ("ValueError", "unknown option: {name}?", r"unknown option: .+\?", 1),
    ),
    "message in a variable": (
        'if x:\n    msg = f"bad {x}"\n    msg += " given"\n    raise ValueError(msg)',
        ("ValueError", "bad {x} given", "bad .+ given", 4),
    ),
    "variable before the guard": (
        'msg = "never " "twice"\nif twice:\n    raise RuntimeError(msg)',
        ("RuntimeError", "never twice", "never twice", 3),
    ),
    "translated": (
        'raise ValidationError(_("Enter a number."), code="invalid")',
        ("ValidationError", "Enter a number.", r"Enter a number\.", 1),
    ),
    "message is not the first argument": (
        'raise ParseError(token, "unexpected %s" % token)',
        ("ParseError", "unexpected {token}", "unexpected .+", 1),
    ),
    "keyword": (
        "raise HTTPException(status_code=404, detail='item gone')",
        ("HTTPException", "item gone", "item gone", 1),
    ),
    "assert": (
        'assert x > 0, f"x is {x}, not positive"',
        ("AssertionError", "x is {x}, not positive", "x is .+, not positive", 1),
    ),
    "line counted by newline alone": (
        "a = '\x0c\u2028'\n\x0c\nraise ValueError('page break')",
        ("ValueError", "page break", "page break", 3),
    ),
    "deep elif": (
        "if x == 0:\n    pass\n" + "elif x:\n    pass\n" * 60 + "else:\n    raise ValueError('none fits')",
        ("ValueError", "none fits", "none fits", 124),
    ),
}

NO_SITES = {
    "no message": "raise ValueError",
    "empty call": "raise ValueError()",
    "no literal word": 'raise ValueError(f"{a}: {b}")',
    "variable of unknown text": "raise ValueError(msg)",
    "variable changed in between": 'msg = "one two"\nif x:\n    msg = other()\nraise ValueError(msg)',
    "no class": 'raise make("no such file")',
    "raised again": "try:\n    f()\nexcept ValueError:\n    raise",
    "assert without message": "assert x",
    "lone surrogate": 'raise ValueError("half \\ud800 of it")',
    "control character": 'raise ValueError("red \\x1b[31m text")',
    "too long": f'raise ValueError("{"word " * 401}")',
    "not this Python's grammar": 'raise ValueError "old style"',
}

SOURCE = """\
class Reader:
    def open(self, path, mode="r"):
        if mode not in MODES:
            raise ValueError(f"unknown mode {mode!r}, not one of {MODES}")
        try:
            return self._open(path)
        except KeyError as error:
            raise ReadError("no such entry: %s" % path) from error

    def close(self):
        raise NotImplementedError("no such entry: close() in a subclass")


def check(value):
    assert value, "no such entry: the value is empty"
    raise ReadError("§§§ ñandú", value)
"""


@pytest.mark.parametrize(("source", "expected"), SITES.values(), ids=SITES.keys())
def test_site(source: str, expected: Expected) -> None:
    (site,) = sites(source, "a.py")
    assert (site.error_class, site.message, site.pattern, site.line) == expected
    assert re.fullmatch(site.pattern, site.message)


@pytest.mark.parametrize("source", NO_SITES.values(), ids=NO_SITES.keys())
def test_no_site(source: str) -> None:
    assert list(sites(source, "a.py")) == []


def test_surroundings() -> None:
    found = {site.line: site for site in sites(SOURCE, "reader.py")}
    assert [(line, site.function, site.condition, site.handling) for line, site in found.items()] == [
        (4, "Reader.open", "mode not in MODES", None),
        (8, "Reader.open", None, "KeyError"),
        (11, "Reader.close", None, None),
        (15, "check", "not value", None),
        (16, "check", None, None),
    ]
    assert found[4].parameters == ("path", "mode")
    assert found[4].holes == ("mode", "MODES")


def test_excerpt_is_clipped_to_the_file() -> None:
    source = "\n" * 30 + 'raise ValueError("in the middle")\n' + "pass\n" * 4
    (site,) = sites(source, "a.py")
    assert (site.start, site.line, site.end) == (13, 31, 35)
    assert site.excerpt.split("\n") == source.split("\n")[12:35]


@pytest.mark.parametrize(
    ("source", "status", "code"),
    [
        ('raise HTTPException(404, "not found")', 404, None),
        ('raise ApiError("not allowed", status_code=403, code="E_DENIED")', 403, "E_DENIED"),
        ('raise OSError(errno.ENOENT, "no such file")', None, "ENOENT"),
        ('raise CheckError("E0602: undefined name")', None, "E0602"),
        ('raise ValueError("UTF-16 expected", 404)', None, None),
    ],
)
def test_status_and_code(source: str, status: int | None, code: str | None) -> None:
    (site,) = sites(source, "a.py")
    assert (site.status, site.code) == (status, code)


@pytest.mark.parametrize(
    ("headers", "repo"),
    [
        (
            "Project-URL: Homepage, https://acme.test\nProject-URL: Source Code, https://github.com/acme/tool.git",
            "acme/tool",
        ),
        ("Home-page: http://www.github.com/acme/tool/tree/main#readme", "acme/tool"),
        (
            "Project-URL: Funding, https://github.com/sponsors/acme\nProject-URL: Bugs, https://github.com/acme/x/issues",
            "acme/x",
        ),
        ("Home-page: https://acme.test/github.com/acme/tool", "pypi-some-tool/some-tool"),
    ],
)
def test_repository(headers: str, repo: str) -> None:
    assert corpus.repository(Parser().parsestr(f"Name: Some_Tool\n{headers}\n\n")) == repo


@pytest.fixture
def wheels(tmp_path: Path) -> Path:
    """A folder with two small wheels, of repositories whose names differ by case alone."""
    folder = tmp_path / "wheels"
    folder.mkdir()
    for name, owner in (("one", "Acme"), ("two", "acme")):
        with zipfile.ZipFile(folder / f"{name}-1.0-py3-none-any.whl", "w") as archive:
            url = f"https://github.com/{owner}/tool"
            archive.writestr(f"{name}-1.0.dist-info/METADATA", f"Name: {name}\nVersion: 1.0\nHome-page: {url}\n\n")
            archive.writestr(f"{name}/the reader.py", SOURCE)
            archive.writestr(f"{name}/tests/test_reader.py", SOURCE)
            archive.writestr(
                f"{name}/latin.py", "# coding: latin-1\nraise ValueError('caf\xe9 closed')\n".encode("latin-1")
            )
            archive.writestr(f"{name}/broken.py", b"raise ValueError('\xff\xfe no')\n")
    return folder


def test_same_bytes_for_every_hash_seed_and_format(wheels: Path, tmp_path: Path) -> None:
    made = []
    for seed in ("1", "2"):
        output = tmp_path / seed
        arguments = ["--count", "9", "--output", output, "--wheels", wheels, "--cache", tmp_path / f"cache{seed}"]
        command = [sys.executable, "-m", "benchmarks.corpus", *map(str, arguments)]
        subprocess.run(command, cwd=ROOT, env=os.environ | {"PYTHONHASHSEED": seed}, check=True, capture_output=True)
        made.append({path.relative_to(output).as_posix(): path.read_bytes() for path in output.rglob("*.json")})
    assert made[0] == made[1]
    assert len(made[0]) == 9

    for form in ("jsonl", "jsonl.gz"):
        output = tmp_path / form
        assert run("--count", 9, "--output", output, "--wheels", wheels, "--cache", tmp_path, "--format", form) == 0
        content = (output / f"Acme/tool.{form}").read_bytes()
        lines = (gzip.decompress(content) if form == "jsonl.gz" else content).decode().splitlines()
        assert [json.loads(line) for line in lines] == [json.loads(made[0][name]) for name in sorted(made[0])]


def test_fewer_records_are_part_of_more(wheels: Path, tmp_path: Path) -> None:
    for count in (4, 12):
        assert run("--count", count, "--output", tmp_path / str(count), "--wheels", wheels, "--cache", tmp_path) == 0
    few = {path.name: path.read_bytes() for path in (tmp_path / "4").rglob("*.json")}
    many = {path.name: path.read_bytes() for path in (tmp_path / "12").rglob("*.json")}
    assert len(few) == 4
    assert few.items() <= many.items()
    slugs = [json.loads(content)["record"]["slug"] for content in many.values()]
    assert len(set(slugs)) == 12
    assert {slug for slug in slugs if slug.startswith("and")} == {"and"} | {
        slug for slug in slugs if slug.startswith("and-")
    }


def test_refusals_say_what_to_do(wheels: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    output = tmp_path / "output"
    assert run("--count", 13, "--output", output, "--wheels", wheels, "--cache", tmp_path) == 1
    assert "only 12 raise sites for 13 records; add wheels or lower --count" in capsys.readouterr().err
    assert run("--count", 1, "--output", wheels, "--wheels", wheels, "--cache", tmp_path) == 1
    assert "is not empty; give an empty folder" in capsys.readouterr().err
    assert run("--count", 1, "--output", output, "--wheels", output, "--cache", tmp_path) == 1
    assert "no wheels in" in capsys.readouterr().err


def test_path_is_encoded(wheels: Path, tmp_path: Path) -> None:
    package = corpus.wheel(wheels / "one-1.0-py3-none-any.whl")
    found = corpus.candidates([corpus.scan(package, tmp_path)])
    reader = next(candidate for candidate in found if candidate.slug == "no-such-entry-path")
    site: Site = list(reader.scan.sites())[reader.index]
    record = corpus.record(site, reader, reader.slug)
    assert record["filePath"] == "one/the reader.py"
    assert "/one/the%20reader.py#L1-L16" in str(record["githubUrl"])


def test_slug_without_a_letter_is_the_class() -> None:
    (site,) = sites("raise ReadError('これは失敗')", "a.py")
    assert corpus.slug(site) == "readerror"


def test_every_package_is_pinned_and_hashed() -> None:
    lines = [line for line in corpus.PACKAGES.read_text().splitlines() if not line.startswith("#")]
    names = [line.partition("==")[0] for line in lines]
    assert names == sorted(set(names))
    assert [line for line in lines if not re.fullmatch(r"[a-z0-9-]+==[\w.]+ --hash=sha256:[0-9a-f]{64}", line)] == []


def test_records_of_installed_packages(tmp_path: Path) -> None:
    output = tmp_path / "records"
    assert (
        run(
            "--count", 50, "--output", output, "--installed", "click", "jinja2", "mkdocs", "--cache", tmp_path / "cache"
        )
        == 0
    )
    paths = sorted(output.rglob("*.json"))
    seed = json.loads(next((ROOT / "records/sgl-project/sglang").glob("*.json")).read_text())
    assert len(paths) == 50
    for path in paths:
        envelope = json.loads(path.read_text(encoding="utf-8"))
        assert list(envelope) == ["record", "datasetVersion"]
        assert list(envelope["record"]) == list(seed["record"])
        assert path == output / envelope["record"]["repo"] / f"{envelope['record']['id']}.json"
        whole(envelope["record"])


def whole(record: dict[str, Any]) -> None:
    """Hold a record to what every record must satisfy."""
    start, end, line = record["sourceCodeStart"], record["sourceCodeEnd"], record["lineNumber"]
    lines = record["sourceCode"].split("\n")
    assert len(lines) == end - start + 1 <= 37
    assert re.search("raise|assert", lines[line - start])
    assert 0 < len(record["errorMessage"]) <= 2_000
    assert len(record["sourceCode"].encode()) <= 60_000
    assert re.fullmatch(record["messagePattern"], record["errorMessage"])
    assert re.fullmatch(r"[0-9a-f]{16}", record["id"])
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", record["slug"])
    assert re.fullmatch(r"[0-9a-f]{40}", record["analyzedSha"])
    place = f"{record['repo']}/blob/{record['analyzedSha']}/{record['filePath']}#L{start}-L{end}"
    assert record["githubUrl"] == f"https://github.com/{place}"
    assert 3 <= len(set(record["tags"])) == len(record["tags"]) <= 6
    assert 2 <= len(record["solutions"]) <= 4
    assert len(record["preventionTips"]) <= 3
    prose = [record[name] for name in ("documentation", "triggerScenarios", "commonSituations")]
    assert all(text and text.count("`") % 2 == 0 for text in prose)


def run(*arguments: object) -> int:
    return corpus.main([str(argument) for argument in arguments])
