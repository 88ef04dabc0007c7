"""Lists for programs that read text: `/llms.txt` (llmstxt.org) and, one a repository, `/llms/<owner>/<name>.txt`.

`llms.txt` stays small and leads to the lists; there is no file with everything.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from generator import escape, urls
from generator.about import About
from generator.dataset import Dataset, Entry, of_repositories
from generator.files import File

REPOSITORIES = 200
"""Repositories that `llms.txt` names, the largest; the API's index has all."""

LIST_BYTES = 8_000_000
"""Bytes of a list, beyond which it goes on in another file."""

MESSAGE_CHARACTERS = 200
_DESCRIPTION = "Software errors: what they mean, where they are raised, how to fix and prevent them."


class TextJob(NamedTuple):
    """A repository's list to make, of the records that hold.

    `uri` is its first file's. Links lead to records' Markdown pages, or without `markdown` to their JSON. Files
    at a path in `given`, which the owner wrote by hand, are left out.
    """

    uri: str
    repo: str
    markdown: bool
    given: tuple[str, ...]
    entries: tuple[Entry, ...]


def jobs(dataset: Dataset, *, markdown: bool = True, given: Iterable[str] = ()) -> Iterator[TextJob]:
    """A job for each repository's list."""
    ours = sorted(path for path in given if path.startswith("llms/"))
    for repo, entries in of_repositories(dataset.live).items():
        uri = repository_uri(repo)
        spared = tuple(path for path in ours if path.startswith(uri.removesuffix(".txt")))
        yield TextJob(uri, repo, markdown, spared, tuple(entries))


def lists(job: TextJob, about: About) -> Iterator[File]:
    """The files of a list, one at a time."""
    for file in _lists(job, about):
        if file.path not in job.given:
            yield file


def repository_uri(repo: str) -> str:
    """The list of a repository: `llms/<owner>/<name>.txt`."""
    return f"llms/{urls.repository(repo).removeprefix('errors/').rstrip('/')}.txt"


def overview(dataset: Dataset, about: About, *, markdown: bool = True) -> File:
    """`llms.txt`."""
    repositories = Counter(entry.repo for entry in dataset.live)
    return File("llms.txt", _overview(dataset, about, repositories, markdown).encode())


def _overview(dataset: Dataset, about: About, repositories: Mapping[str, int], markdown: bool) -> str:
    largest = sorted(repositories.items(), key=lambda item: (-item[1], item[0].casefold()))
    named = sorted(largest[:REPOSITORIES], key=lambda item: item[0].casefold())
    page = "`index.md` beside each page is its Markdown, and " if markdown else ""
    lines = [
        f"# {_text(about.title)}",
        "",
        f"> {_text(about.description or _DESCRIPTION)}",
        "",
        f"{len(dataset.live):,} errors of {len(repositories):,} repositories, one page each. A page's address is "
        f"`errors/<owner>/<name>/<slug>/` below {about.url or 'the root'}; {page}`api/errors/<id>.json` its record. "
        "`e/<id>/` never changes: cite that.",
        "",
        "## API",
        "",
        _link("Description", about.address("api/openapi.json"), "OpenAPI 3.1, with examples"),
        _link("Index", about.address("api/index.json"), "repositories, families and records"),
        _link("Record schema", about.address("api/schema/record-2.json"), "JSON Schema, what each field means"),
        _link("Changes", about.address("api/modified.csv"), "id, time and SHA-256 of every record, newest first"),
        _link("Bulk", about.address("api/bulk.json"), "all records as gzipped lines"),
        "",
        "## Repositories",
        "",
        *(_link(repo, about.address(repository_uri(repo)), _errors(errors)) for repo, errors in named),
    ]
    left = len(repositories) - len(named)
    more = [_link(f"{left:,} more", about.address("api/index.json"), "the index has every repository")] if left else []
    return "\n".join([*lines, *more]) + "\n"


def _errors(count: int) -> str:
    return "1 error" if count == 1 else f"{count:,} errors"


def _lists(job: TextJob, about: About) -> Iterator[File]:
    pages = list(_cut(_line(entry, about, job.markdown) for entry in job.entries))
    repo = _text(job.repo)
    for number, page in enumerate(pages, 1):
        title = f"# {repo}" if number == 1 else f"# {repo}, part {number}"
        summary = f"> {_errors(len(job.entries))} of {repo}; each line leads to an error's whole page."
        following = [_link("Next part", about.address(_numbered(job.uri, number + 1)))] if number < len(pages) else []
        text = "\n".join([title, "", summary, "", "## Errors", "", *page, *following]) + "\n"
        yield File(_numbered(job.uri, number), text.encode())


def _cut(lines: Iterable[str]) -> Iterator[list[str]]:
    page, size = list[str](), 0
    for line in lines:
        length = len(line.encode()) + 1
        if page and size + length > LIST_BYTES:
            yield page
            page, size = [], 0
        page.append(line)
        size += length
    yield page


def _numbered(uri: str, number: int) -> str:
    return uri if number == 1 else f"{uri.removesuffix('.txt')}~{number}.txt"


def _line(entry: Entry, about: About, markdown: bool) -> str:
    target = urls.markdown(entry.uri) if markdown else urls.mirror(entry.id)
    message = escape.shortened(entry.message, MESSAGE_CHARACTERS)
    note = f"{entry.error_class}: {message} ({entry.file_path}:{entry.line})"
    return _link(urls.segment(entry.slug), about.address(target), note)


def _link(title: str, target: str, note: str = "") -> str:
    return f"- [{title}]({target})" + (f": {_text(note)}" if note else "")


def _text(text: str) -> str:
    """Text on one visible line, kept as it is but for what would begin HTML; a message is found by searching for it."""
    return escape.line(text).replace("<", "\\<")
