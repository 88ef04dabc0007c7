"""What a site has: its records indexed, and the plan; from that of an earlier build where records were edited."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from generator import assemble, cache, dataset, ledger, publish, recollection, related
from generator.about import About
from generator.assemble import Outputs, Plan
from generator.cache import Outline
from generator.dataset import Dataset, Entry, Indexer
from generator.edits import Edit
from generator.hosting import Security
from generator.ledger import Ledger
from generator.pages import Site
from generator.problems import InvalidRecords, Problem, UsageError
from generator.publish import Workspace
from generator.recollection import Recollection
from generator.workers import Engine

EDITED = 400
"""Up to this many edited records only their pages and lists are looked at; of more, all are."""


@dataclass(frozen=True, slots=True)
class Request:
    """What is to be built: records and docs, and how; `fingerprint` is of all that shapes pages besides records."""

    project: Path
    records: Path
    docs: Path
    site: Site
    outputs: Outputs
    highlight: Mapping[str, Any]
    about: About
    fingerprint: str
    repositories: tuple[str, ...] = ()
    security: Security | None = None
    search: bool = True
    jobs: int = 0
    engine: Engine | None = None
    full: bool = False
    keep_going: bool = False
    allow_delete: bool = False
    progress: Callable[[str, int, int], None] = lambda _what, _done, _total: None


class Indexed(NamedTuple):
    """The records as they were found, what is wrong, and the ledger.

    `before` and `now` are the marks of the record files at the last build and at this one, `shown` that of the ids in
    their order; `edits` are what changed since, if that is no more than what records say of themselves.
    """

    found: Dataset
    problems: tuple[Problem, ...]
    listed: Ledger
    before: bytes
    now: bytes
    shown: bytes
    edits: list[Edit] | None


class Planned(NamedTuple):
    """A plan; its outline for the next build (none where records are left out); whether all words are as they were."""

    plan: Plan
    outline: Outline | None
    same_words: bool = False


def index(request: Request, space: Workspace, indexer: Indexer) -> Indexed:
    """Index the records and read the ledger; `InvalidRecords` unless `keep_going`."""
    code = cache.code_fingerprint()
    memory = Recollection(code, () if request.full else recollection.read(space.index, code))
    found, problems = dataset.load(
        request.records,
        docs=request.docs,
        spool=space.spool,
        memory=memory,
        only=request.repositories,
        indexer=indexer,
    )
    listed, faults = ledger.read(request.project / ledger.NAME)
    problems = (*problems, *faults)
    for number, part in memory.finish():
        publish.write_cache(space.index / recollection.name(number), cache.encoded(part))
    publish.forget_all(space.index, but=[recollection.name(number) for number in range(memory.count)])
    if found.drafts and not found.entries:
        problems += (_only_drafts(request.records, len(found.drafts)),)
    if problems and not (request.keep_going and found.entries):
        raise InvalidRecords(problems)
    _refuse_unknown(request, found)
    shown = cache.key([entry.id for entry in found.entries], [entry.id for entry in found.entries if entry.withdrawn])
    return Indexed(found, problems, listed, memory.mark, memory.now, shown, memory.edits)


def _only_drafts(root: Path, count: int) -> Problem:
    text = f"holds no record; add one, or give another folder: its {count:,} drafts are not published"
    return Problem(str(root), 0, "", "", text, "EDX041")


def _refuse_unknown(request: Request, found: Dataset) -> None:
    """Raise `UsageError` for repositories in the settings that no record is of."""
    chosen = [name for name in request.repositories if not dataset.of_repository(found, name)]
    if chosen:
        raise UsageError(
            f"mkdocs.yml: repositories names {', '.join(chosen)}, of which there is no record; "
            "mend the name, or add a record [EDX053]"
        )


def plan(
    request: Request, space: Workspace, indexed: Indexed, *, outline: bytes, stands: Callable[[], bool]
) -> Planned:
    """Choose what the site shows.

    `outline` is the key of the earlier build's outline, if its manifest holds; `stands` tells whether its pages are
    there as it left them.
    """
    planned = _revised(request, space, indexed, outline, stands) if outline else None
    if planned is not None:
        return planned
    found, problems = indexed.found, indexed.problems
    linked, key = _links(request, space, found)
    made = assemble.plan(found, request.site, request.project, request.records, indexed.listed, problems, linked)
    return Planned(made, None if problems else _outline(request, indexed, made, key))


def _revised(
    request: Request, space: Workspace, indexed: Indexed, outline: bytes, stands: Callable[[], bool]
) -> Planned | None:
    """The plan from the published site's outline, if records were edited since and no more."""
    found, edited = indexed.found, indexed.edits
    if indexed.problems or edited is None or len(edited) > EDITED:
        return None
    known = cache.read_outline(space.outline, outline)
    if known is None or outline != _outline_key(request, indexed, indexed.before):
        return None

    def linked(of: Sequence[Entry]) -> Mapping[str, tuple[str, ...]] | None:
        return cache.read_links(space.links, known.links, found.live, of)

    before = assemble.outlined(request.site, request.project, request.records, known.indexes, known.kept, known.held)
    made = assemble.revised(before, found, edited, linked)
    if made is None:
        return None
    after = _outline(request, indexed, made, known.links)
    if made.counted:
        made.statistics  # noqa: B018 - counted while a worker still looks at what stands
    return Planned(made, after, same_words=known.version == found.version) if stands() else None


def _links(request: Request, space: Workspace, found: Dataset) -> tuple[Mapping[str, tuple[str, ...]], bytes]:
    """The related errors, chosen anew only where what they depend on changed; and the key under which they are kept."""
    key = cache.key_of_all(chain([cache.code_fingerprint()], related.basis(found)))
    kept = None if request.full else cache.read_links(space.links, key, found.live)
    if kept is not None:
        return kept, key
    chosen, own = related.links(found, known={} if request.full else cache.read_own(space.links))
    publish.write_cache(space.links, cache.links(key, found.live, chosen, own))
    return chosen, key


def _outline(request: Request, indexed: Indexed, plan: Plan, links: bytes) -> Outline:
    key = _outline_key(request, indexed, indexed.now)
    return Outline(key, links, plan.dataset.version, plan.indexes, plan.kept, dict(plan.held))


def _outline_key(request: Request, indexed: Indexed, mark: bytes) -> bytes:
    """What the lists depend on: settings, record files, which records are shown, titles of articles, and the ledger."""
    path = request.project / ledger.NAME
    return cache.key(
        request.fingerprint,
        request.repositories,
        assemble.folder(request.project, request.records),
        mark,
        indexed.shown,
        sorted(indexed.found.articles.items()),
        path.read_bytes() if path.is_file() else b"",
    )
