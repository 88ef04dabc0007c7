"""Records from source: a draft for each raise site that no record has.

A draft has what follows from the source (message, pattern, class, place, excerpt, link); its prose is empty, and its
field `draft` keeps it from being published until a person takes that out.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from generator import pairing, patterns, skeleton
from generator.checkout import Checkout
from generator.decode import decode
from generator.files import File
from generator.problems import Problem
from generator.raise_sites import Passed, Site
from generator.records import Record


@dataclass(frozen=True, slots=True)
class At:
    """The repository, the commit and the time that drafts are written for."""

    repo: str
    sha: str
    time: str


@dataclass(frozen=True, slots=True)
class Drafted:
    """What became of a checkout's raise sites.

    `files` are new records, by path below the folder of records; `known` counts the sites that records have,
    `reworded` those of them whose words are others now; `passed` are raises that no record can show.
    """

    files: tuple[File, ...]
    known: int
    reworded: int
    passed: tuple[Passed, ...]


def drafts(checkout: Checkout, at: At, records: Sequence[Record], taken: Iterable[str] = ()) -> Drafted:
    """Draft a record for each site that none of `records` has; the same sites give the same files.

    `records` are all there are, drafts included: their ids and slugs are taken, and so are the ids `taken`.
    """
    own = [record for record in records if record.repo.casefold() == at.repo.casefold()]
    fates = pairing.pair(own, checkout.sources)
    known = {(fate.path, fate.line) for fate in fates.values() if fate.state in ("there", "moved", "reworded")}
    ids = {*taken, *(record.id for record in records)}
    slugs = {record.slug.casefold() for record in own}
    files: list[File] = []
    passed = [found for source in checkout.sources.values() for found in source.passed]
    for site, identity in _identified(checkout, at.repo):
        if (site.path, site.line) in known:
            continue
        record_id = skeleton.free_id(identity, ids)
        made = _made(site, at, record_id, skeleton.slug(site.message, record_id, slugs))
        if isinstance(made, Passed):
            passed.append(made)
            continue
        ids.add(record_id)
        slugs.add(made["slug"])
        content = json.dumps(made, ensure_ascii=False, indent=2).encode() + b"\n"
        files.append(File(f"{at.repo}/{record_id}.json", content))
    reworded = sum(fate.state == "reworded" for fate in fates.values())
    return Drafted(tuple(files), len(known), reworded, tuple(sorted(passed, key=lambda one: (one.path, one.line))))


def _identified(checkout: Checkout, repo: str) -> Iterator[tuple[Site, tuple[str, ...]]]:
    """Each site with what its id is made of: no line, so that an id outlives an edit above it."""
    for path, source in sorted(checkout.sources.items()):
        seen = Counter[tuple[str, str]]()
        for site in source.sites:
            said = (site.error_class, site.message)
            yield site, (repo.casefold(), path, *said, str(seen[said]))
            seen[said] += 1


def _made(site: Site, at: At, record_id: str, slug: str) -> dict[str, Any] | Passed:
    """The draft's fields, or why there is none."""
    fields = _fields(site, at, record_id, slug)
    found = decode(json.dumps(fields).encode(), site.path)
    if isinstance(found, list):
        return Passed(site.path, site.line, _reason(found))
    if patterns.compile(site.pattern).is_weak:
        return Passed(site.path, site.line, "its message is nearly all placeholders")
    return fields


def _reason(problems: Iterable[Problem]) -> str:
    return "; ".join(f"{problem.text.partition(';')[0]} [{problem.code}]" for problem in problems)


def _fields(site: Site, at: At, record_id: str, slug: str) -> dict[str, Any]:
    empty = skeleton.fields(record_id, at.repo, slug, site.message)
    return empty | {
        "errorCode": site.code,
        "messagePattern": site.pattern,
        "errorClass": site.error_class,
        "httpStatus": site.status,
        "filePath": site.path,
        "lineNumber": site.line,
        "sourceCode": site.excerpt,
        "sourceCodeStart": site.start,
        "sourceCodeEnd": site.end,
        "githubUrl": pinned(at.repo, at.sha, site.path, site.start, site.end),
        "analyzedSha": at.sha,
        "analyzedAt": at.time,
        "draft": True,
    }


def pinned(repo: str, sha: str, path: str, start: int, end: int) -> str:
    """The address of a file's lines at a commit."""
    return f"https://github.com/{repo}/blob/{sha}/{quote(path, safe='/~-_.')}#L{start}-L{end}"
