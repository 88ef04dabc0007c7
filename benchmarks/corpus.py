"""Makes benchmark records of schema version 2 from the real raise sites of Python packages, read and never run.

    python -m benchmarks.corpus --count 1000 --output DIR [--installed | --wheels DIR] [--cache DIR] [--format json]

Message, pattern, class, path, lines and excerpt are those of the packages. The prose is a benchmark text put together
by rule (see `prose`), not an analysis: nothing that this makes may be published or committed.

Equal packages give equal bytes under the same minor version of Python, whose grammar decides what can be read. The set
for a smaller count is part of the set for a larger one.
"""

import argparse
import gzip
import hashlib
import importlib.metadata
import importlib.util
import json
import os
import re
import subprocess
import sys
import zipfile
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from email.message import Message
from email.parser import Parser
from functools import partial
from itertools import groupby
from pathlib import Path, PurePosixPath
from urllib.parse import quote

from benchmarks import prose
from generator.raise_sites import Site, Unreadable, python

PACKAGES = Path(__file__).with_name("packages.txt")
SCAN_VERSION = 2  # raise it when `generator.raise_sites` finds something else in the same text
SLUG_LENGTH = 50
DATASET_VERSION = "2026-08-28T06:17:29.519Z"
FIRST_ANALYSIS = datetime(2025, 8, 1, tzinfo=UTC)
TARGET = ("--python-version", "3.12", "--implementation", "cp", "--abi", "cp312", "--abi", "abi3", "--abi", "none")
PLATFORMS = ("any", "manylinux2014_x86_64", *(f"manylinux_2_{glibc}_x86_64" for glibc in (5, 12, 17, 24, 27, 28, 34)))

_GITHUB = re.compile(r"https?://(?:www\.)?github\.com/([A-Za-z0-9][A-Za-z0-9-]*)/([\w.-]*[\w-])(?:[/#?].*)?", re.ASCII)
_SOURCE_LABELS = ("source", "sourcecode", "repository", "code", "github", "homepage", "home", "")
_NO_OWNERS = frozenset({"sponsors", "orgs", "user-attachments"})
_NOT_TO_READ = re.compile(r"\\|(^|/)(tests?|testing|conftest\.py|test_[^/]*|[^/]*_test\.py)(/|$)")


class CorpusError(Exception):
    """What the user can mend: said in one line, exit status 1."""


@dataclass(frozen=True, slots=True)
class Package:
    """A package whose Python files can be read.

    `digest` is the hex SHA-256 of the wheel, or of the files where it is installed; `read` yields path and bytes of
    each file, sorted by path.
    """

    name: str
    version: str
    repo: str
    digest: str
    read: Callable[[], Iterable[tuple[str, bytes]]]


@dataclass(frozen=True, slots=True)
class Scan:
    """A package's sites, kept as JSON lines in `path`."""

    name: str
    repo: str
    sha: str
    path: Path

    def sites(self) -> Iterator[Site]:
        """Read the sites, in the order of path and line."""
        with self.path.open(encoding="utf-8", newline="\n") as lines:
            for line in lines:
                found = json.loads(line)
                yield Site(**found | {key: tuple(found[key]) for key in ("holes", "parameters")})


@dataclass(frozen=True, slots=True)
class Candidate:
    """A site that may become a record; `index` counts the sites of `scan` from 0."""

    id: str
    repo: str
    slug: str
    scan: Scan
    index: int


# Packages


def wheels(folder: Path) -> list[Package]:
    """The packages of all wheels in `folder`, sorted by file name."""
    return [wheel(path) for path in sorted(folder.glob("*.whl"), key=lambda path: path.name)]


def wheel(path: Path) -> Package:
    """Open a wheel: its metadata now, its files when they are read."""
    with zipfile.ZipFile(path) as archive:
        names = [name for name in archive.namelist() if re.fullmatch(r"[^/]+\.dist-info/METADATA", name)]
        if not names:
            raise CorpusError(f"{path.name}: no METADATA; download the wheel again")
        metadata = Parser().parsestr(archive.read(names[0]).decode("utf-8", "replace"))
    with path.open("rb") as content:
        digest = hashlib.file_digest(content, "sha256").hexdigest()
    return _package(metadata, digest, partial(_archived, path))


def installed(names: Collection[str] = ()) -> list[Package]:
    """The packages of the current environment, or those of `names`, sorted by name; their files are hashed."""
    found: dict[str, Package] = {}
    chosen = map(importlib.metadata.distribution, names) if names else importlib.metadata.distributions()
    for distribution in chosen:
        metadata = Parser().parsestr(distribution.read_text("METADATA") or distribution.read_text("PKG-INFO") or "")
        if metadata["Name"] is None:
            continue
        files = sorted(file.as_posix() for file in distribution.files or () if _readable(file.as_posix()))
        located = [(name, Path(str(distribution.locate_file(name)))) for name in files]
        present = [(name, path) for name, path in located if path.is_file()]
        package = _package(metadata, _digest(present), partial(_read, present))
        found.setdefault(package.name, package)
    return [found[name] for name in sorted(found)]


def repository(metadata: Message) -> str:
    """`owner/name` from the project's own links to GitHub, `pypi-<name>/<name>` where it has none."""
    name = _normal(str(metadata["Name"]))
    links = [("home", str(metadata.get("Home-page", "")))]
    for value in metadata.get_all("Project-URL", []):
        label, _, url = str(value).partition(",")
        links.append((re.sub(r"[^a-z]", "", label.lower()), url.strip()))
    rank = {label: number for number, label in enumerate(_SOURCE_LABELS)}
    for _, url in sorted(links, key=lambda link: (rank.get(link[0], len(rank)), link)):
        found = _GITHUB.fullmatch(url)
        if found and found[1] not in _NO_OWNERS:
            return f"{found[1]}/{found[2].removesuffix('.git')}"
    return f"pypi-{name}/{name}"


def _package(metadata: Message, digest: str, read: Callable[[], Iterable[tuple[str, bytes]]]) -> Package:
    return Package(_normal(str(metadata["Name"])), str(metadata["Version"]), repository(metadata), digest, read)


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _readable(path: str) -> bool:
    parts = PurePosixPath(path).parts
    return (
        path.endswith(".py") and path.isprintable() and not {"/", ".."} & set(parts) and not _NOT_TO_READ.search(path)
    )


def _archived(path: Path) -> Iterator[tuple[str, bytes]]:
    with zipfile.ZipFile(path) as archive:
        for name in sorted(filter(_readable, archive.namelist())):
            yield re.sub(r"^[^/]+\.data/(pure|plat)lib/", "", name), archive.read(name)


def _read(files: Sequence[tuple[str, Path]]) -> Iterator[tuple[str, bytes]]:
    for name, path in files:
        yield name, path.read_bytes()


def _digest(files: Sequence[tuple[str, Path]]) -> str:
    digest = hashlib.sha256()
    for name, content in _read(files):
        digest.update(f"{name}\0{hashlib.sha256(content).hexdigest()}\n".encode())
    return digest.hexdigest()


def download(folder: Path) -> None:
    """Let pip fetch the wheels of `packages.txt` that `folder` lacks: pinned, hashed, for one platform everywhere."""
    folder.mkdir(parents=True, exist_ok=True)
    platforms = [word for platform in PLATFORMS for word in ("--platform", platform)]
    options = ["--quiet", "--disable-pip-version-check", "--no-deps", "--only-binary=:all:", *TARGET, *platforms]
    command = [sys.executable, "-m", "pip", "download", *options, "--dest", str(folder), "--requirement", str(PACKAGES)]
    if subprocess.run(command, check=False).returncode != 0:
        raise CorpusError("pip could not download the packages; give --wheels DIR or --installed")


def missing(folder: Path) -> list[str]:
    """The lines `name==version` of `packages.txt` that have no wheel in `folder`."""
    have = {(_normal(path.name.split("-")[0]), path.name.split("-")[1]) for path in folder.glob("*-*.whl")}
    pins = re.findall(r"^([\w.-]+)==([\w.]+)", PACKAGES.read_text(encoding="utf-8"), re.MULTILINE)
    return [f"{name}=={version}" for name, version in pins if (_normal(name), version) not in have]


# Scanning


def scan(package: Package, cache: Path) -> Scan:
    """Find the package's sites, or take them from the cache, where a file is written whole or not at all."""
    key = f"{package.name}-{package.version}-{package.digest[:16]}"
    path = cache / f"{key}-{SCAN_VERSION}-py3{sys.version_info.minor}.jsonl"
    if not path.exists():
        cache.mkdir(parents=True, exist_ok=True)
        draft = path.with_suffix(f".{os.getpid()}")
        with draft.open("w", encoding="utf-8", newline="\n") as lines:
            for site in _sites(package):
                lines.write(json.dumps(asdict(site), ensure_ascii=False) + "\n")
        draft.replace(path)
    commit = hashlib.sha1(package.digest.encode(), usedforsecurity=False).hexdigest()
    return Scan(package.name, package.repo, commit, path)


def sites(source: str, path: str) -> Iterator[Site]:
    """The sites in a Python source, none where it cannot be read; as the figures were measured, without constants."""
    try:
        yield from (found for found in python.scan(source, path, constants=False) if isinstance(found, Site))
    except Unreadable:
        return


def _sites(package: Package) -> Iterator[Site]:
    for name, content in package.read():
        try:
            source = importlib.util.decode_source(content)
        except (SyntaxError, UnicodeDecodeError, LookupError):
            continue
        yield from sites(source, name)


# Choosing


def candidates(scans: Sequence[Scan]) -> list[Candidate]:
    """All sites with their ids, each id once; spellings of a repository that differ by case alone become one."""
    spelling: dict[str, str] = {}
    for repo in sorted(found.repo for found in scans):
        spelling.setdefault(repo.casefold(), repo)
    known: dict[str, Candidate] = {}
    for found in sorted(scans, key=lambda found: (found.name, found.sha)):
        repo = spelling[found.repo.casefold()]
        for index, site in enumerate(found.sites()):
            record_id = identity(repo, site)
            known.setdefault(record_id, Candidate(record_id, repo, slug(site), found, index))
    return list(known.values())


def identity(repo: str, site: Site) -> str:
    """The record's id: 16 hex digits from repository, path, line and message."""
    return hashlib.sha256("\0".join((repo, site.path, str(site.line), site.message)).encode()).hexdigest()[:16]


def slug(site: Site) -> str:
    """The slug that the message (or else the class) gives, before others in the repository are looked at."""
    return _slug(site.message) or _slug(site.error_class) or "error"


def _slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower())[:SLUG_LENGTH].strip("-")


def choose(found: Sequence[Candidate], count: int) -> list[Candidate]:
    """Take `count` candidates, smallest id first, spread over the repositories by the square root of their size.

    So the large ones give more and the small ones are not drowned. The order does not depend on `count`.
    """
    if count > len(found):
        raise CorpusError(f"only {len(found):,} raise sites for {count:,} records; add wheels or lower --count")
    by_repo: defaultdict[str, list[Candidate]] = defaultdict(list)
    for candidate in sorted(found, key=lambda candidate: candidate.id):
        by_repo[candidate.repo].append(candidate)
    ranked = [
        ((rank + 1) ** 2 / len(group), candidate.id, candidate)
        for group in by_repo.values()
        for rank, candidate in enumerate(group)
    ]
    return [candidate for _, _, candidate in sorted(ranked, key=lambda entry: entry[:2])[:count]]


def slugs(chosen: Iterable[Candidate]) -> dict[str, str]:
    """The slug of each id: the first in the order given has the plain one, later ones digits of their id appended."""
    taken: set[tuple[str, str]] = set()
    given = {}
    for candidate in chosen:
        spellings = [candidate.slug, *(f"{candidate.slug}-{candidate.id[:digits]}" for digits in (6, 10, 16))]
        given[candidate.id] = next(text for text in spellings if (candidate.repo, text) not in taken)
        taken.add((candidate.repo, given[candidate.id]))
    return given


# Records


def record(site: Site, candidate: Candidate, slug: str) -> dict[str, object]:
    """Make the record, its fields in the schema's order."""
    sha, repo = candidate.scan.sha, candidate.repo
    known = prose.facts(site, candidate.id, repo.partition("/")[2])
    fields = prose.prose(known)
    lines = f"#L{site.start}-L{site.end}"
    return {
        "id": candidate.id,
        "repo": repo,
        "slug": slug,
        "errorCode": site.code,
        "errorMessage": site.message,
        "messagePattern": site.pattern,
        "errorType": prose.error_type(site),
        "errorClass": site.error_class,
        "httpStatus": site.status,
        "severity": prose.severity(known),
        "filePath": site.path,
        "lineNumber": site.line,
        "sourceCode": site.excerpt,
        "sourceCodeStart": site.start,
        "sourceCodeEnd": site.end,
        "githubUrl": f"https://github.com/{repo}/blob/{sha}/{quote(site.path)}{lines}",
        **fields,
        "analyzedSha": sha,
        "analyzedAt": _analyzed_at(sha),
        "schemaVersion": 2,
    }


def _analyzed_at(sha: str) -> str:
    """A time of the year before `DATASET_VERSION`, from the commit alone."""
    time = FIRST_ANALYSIS + timedelta(milliseconds=int(sha[:16], 16) % (365 * 86_400_000))
    return f"{time:%Y-%m-%dT%H:%M:%S}.{time.microsecond // 1000:03}Z"


def records(chosen: Sequence[Candidate]) -> Iterator[tuple[str, list[dict[str, object]]]]:
    """Yield each repository with its records, sorted by id; one repository is held in memory at a time."""
    given = slugs(chosen)
    for repo, group in groupby(sorted(chosen, key=lambda candidate: (candidate.repo, candidate.id)), _repo):
        by_scan: defaultdict[Path, dict[int, Candidate]] = defaultdict(dict)
        for candidate in group:
            by_scan[candidate.scan.path][candidate.index] = candidate
        made = [
            record(site, wanted[index], given[wanted[index].id])
            for wanted in by_scan.values()
            for index, site in enumerate(next(iter(wanted.values())).scan.sites())
            if index in wanted
        ]
        yield repo, sorted(made, key=lambda fields: str(fields["id"]))


def _repo(candidate: Candidate) -> str:
    return candidate.repo


# Writing


def write(repo: str, made: Sequence[dict[str, object]], output: Path, form: str) -> int:
    """Write a repository's records in their envelopes below `output`, and return the number of bytes."""
    envelopes = [{"record": fields, "datasetVersion": DATASET_VERSION} for fields in made]
    if form == "json":
        folder = output / repo
        folder.mkdir(parents=True)
        return sum(
            (folder / f"{fields['id']}.json").write_bytes(f"{_json(envelope, indent=2)}\n".encode())
            for fields, envelope in zip(made, envelopes, strict=True)
        )
    lines = "".join(f"{_json(envelope)}\n" for envelope in envelopes).encode()
    path = output / f"{repo}.{form}"
    path.parent.mkdir(parents=True, exist_ok=True)
    return path.write_bytes(gzip.compress(lines, mtime=0) if form == "jsonl.gz" else lines)


def _json(value: object, indent: int | None = None) -> str:
    return json.dumps(value, ensure_ascii=False, indent=indent, separators=None if indent else (",", ":"))


# The command


def main(arguments: Sequence[str] | None = None) -> int:
    """Make the corpus that the command line asks for; 0 if it was made, 1 if something is wrong, 2 for usage."""
    options = _parser().parse_args(arguments)
    try:
        count, size = make(options)
    except CorpusError as error:
        print(f"corpus: {error}", file=sys.stderr)
        return 1
    print(f"{count:,} records, {size:,} bytes in {options.output}")
    return 0


def make(options: argparse.Namespace) -> tuple[int, int]:
    """Scan, choose and write; the number of records and of bytes."""
    output: Path = options.output
    if output.exists() and any(output.iterdir()):
        raise CorpusError(f"{output} is not empty; give an empty folder")
    packages = _packages(options)
    scans = [_told(package, options.cache) for package in packages]
    chosen = choose(candidates(scans), options.count)
    size = sum(write(repo, made, output, options.format) for repo, made in records(chosen))
    return len(chosen), size


def _packages(options: argparse.Namespace) -> list[Package]:
    if options.installed is not None:
        return installed(options.installed)
    folder: Path = options.wheels or options.cache / "wheels"
    if options.wheels is None and missing(folder):
        download(folder)
    found = wheels(folder)
    if not found:
        raise CorpusError(f"no wheels in {folder}; leave --wheels out to download them")
    return found


def _told(package: Package, cache: Path) -> Scan:
    print(f"{package.name} {package.version}", file=sys.stderr)
    return scan(package, cache)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.corpus", description="Make benchmark records.")
    parser.add_argument("--count", type=_positive, required=True, metavar="N", help="how many records")
    parser.add_argument("--output", type=Path, required=True, metavar="DIR", help="an empty or new folder")
    source = parser.add_mutually_exclusive_group()
    source.add_argument(
        "--installed", nargs="*", metavar="NAME", help="read the packages of this environment, all or these"
    )
    source.add_argument("--wheels", type=Path, metavar="DIR", help="read these wheels; left out: download packages.txt")
    parser.add_argument(
        "--cache", type=Path, default=Path(".errordex/corpus"), metavar="DIR", help="default: %(default)s"
    )
    parser.add_argument("--format", choices=("json", "jsonl", "jsonl.gz"), default="json", help="default: %(default)s")
    return parser


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("must be 1 or more")
    return number


if __name__ == "__main__":
    sys.exit(main())
