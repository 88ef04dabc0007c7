"""Files to a `Dataset`: an index of every record, sorted, or every problem at once.

The index holds what hubs, related errors and addresses need. Whole records are read again from their
files, one at a time, so that memory does not grow with their text.
"""

import hashlib
import json
import os
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from operator import attrgetter
from pathlib import Path
from sys import intern
from typing import Any, Protocol

import msgspec

from generator import decode, parts, sources, times, urls
from generator.checks import is_id, is_repo, is_slug, shown
from generator.decode import Decoded
from generator.problems import InvalidRecords, MachineError, Problem
from generator.records import MAX_SHORT, Record, Severity
from generator.sources import Document, Found, Source

MAX_RECORDS = 1_000_000


COVERED = (
    "documentation",
    "solutions",
    "exampleFix",
    "sourceCode",
    "validationCode",
    "typeGuard",
    "tryCatchPattern",
    "preventionTips",
)
"""Fields that may be empty, by JSON name, whose coverage is counted; at most eight, so that no number needs memory."""


RAW_BYTES = 8

POOL = 20_000
"""Texts and numbers that are looked through for one that an entry has too: records that say the same lie close by."""


class Entry(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """What the index keeps of a record: enough for lists and links.

    `analyzed` and `modified` are sortable UTC times, `modified` that of `updatedAt` where given; `day` is
    the date of analysis as it was given; `parts` are the bits of `parts.parts`; bit n of `filled` says that
    `COVERED`'s field n holds something. `digests` are `digest` and `raw_digest`. The document's file is `name`
    (empty for the id and `.json`) in `folder`, or `stored` where it was unpacked; there it has `offset` and `length`.
    """

    id: str
    repo: str
    slug: str
    message: str
    pattern: str
    error_class: str
    error_type: str
    severity: Severity
    error_code: str | None
    http_status: int | None
    file_path: str
    line: int
    tags: tuple[str, ...]
    family: str | None
    sha: str
    day: str
    analyzed: str
    modified: str
    reviewed: bool
    withdrawn: bool
    draft: bool
    replacement: str | None
    aliases: tuple[str, ...]
    version: str
    parts: int
    digests: bytes
    folder: str
    name: str
    stored: str
    offset: int
    length: int
    where_line: int
    filled: int = 0

    @property
    def uri(self) -> str:
        """The page's address, relative to the site's root."""
        return urls.page(self.repo, self.slug)

    @property
    def digest(self) -> bytes:
        """The SHA-256 of the mirror's bytes."""
        return self.digests[:-RAW_BYTES]

    @property
    def raw_digest(self) -> bytes:
        """8 bytes of BLAKE2b over the document as it was read."""
        return self.digests[-RAW_BYTES:]

    @property
    def where(self) -> str:
        """The document's file as people know it."""
        return f"{self.folder}{self.name or _usual_name(self.id)}"

    @property
    def source(self) -> Source:
        """The document's place."""
        return Source(self.stored or self.where, self.offset, self.length)


def _usual_name(record_id: str) -> str:
    return f"{record_id}.json"


@dataclass(frozen=True, slots=True, order=True)
class LeftOut:
    """A record that was left out for its faults, as far as it can be told: its address must live on."""

    repo: str
    slug: str
    id: str

    @property
    def uri(self) -> str:
        """The address that its page has once it is mended."""
        return urls.page(self.repo, self.slug)


@dataclass(frozen=True, slots=True)
class Family:
    """A failure class that repositories share: its tag, and its article's title (None without an article)."""

    tag: str
    title: str | None = None

    @property
    def name(self) -> str:
        """The article's title, or the tag in words."""
        return self.title or self.tag.replace("-", " ").capitalize()


@dataclass(frozen=True)
class Dataset:
    """All records' entries, sorted by repository and slug, and the families' articles' titles by tag.

    `left_out` are the faulty records whose pages no other record has. `drafts` are in no list of a site: nothing
    that publishes looks at them.
    """

    entries: tuple[Entry, ...]
    articles: Mapping[str, str] = field(default_factory=dict)
    left_out: tuple[LeftOut, ...] = ()
    drafts: tuple[Entry, ...] = ()

    @cached_property
    def by_id(self) -> dict[str, Entry]:
        """Entries by id."""
        return {entry.id: entry for entry in self.entries}

    @cached_property
    def in_order_of_id(self) -> list[Entry]:
        """All entries, sorted by id."""
        return sorted(self.entries, key=attrgetter("id"))

    @cached_property
    def newest(self) -> list[Entry]:
        """All entries, those that changed last first, ties by id."""
        return sorted(self.in_order_of_id, key=attrgetter("modified"), reverse=True)

    @cached_property
    def by_repository(self) -> dict[str, list[Entry]]:
        """All entries by repository, withdrawn ones included, in order."""
        return of_repositories(self.entries)

    @cached_property
    def by_family(self) -> dict[str, list[Entry]]:
        """The entries that have a family by its tag, withdrawn ones included, in order."""
        return groups(self.entries, lambda entry: (entry.family,) if entry.family else ())

    @cached_property
    def live(self) -> tuple[Entry, ...]:
        """The entries that are not withdrawn, in order: what lists show."""
        return tuple(entry for entry in self.entries if not entry.withdrawn)

    @cached_property
    def version(self) -> str:
        """The newest `datasetVersion`; empty without records."""
        return max((entry.version for entry in self.entries), default="")

    @cached_property
    def class_names(self) -> dict[str, str]:
        """By case-folded class, the spelling its hub has: that of the record analysed first."""
        return _spellings(self.live, lambda entry: (entry.error_class,))

    @cached_property
    def tag_names(self) -> dict[str, str]:
        """By case-folded tag, the spelling its hub has."""
        return _spellings(self.live, lambda entry: entry.tags)

    def family(self, tag: str) -> Family:
        """The family of that tag, with its article's title if it has one."""
        return Family(tag, self.articles.get(tag))

    def record(self, entry: Entry) -> Record:
        """The whole record, read again; `MachineError` when its file is not as it was."""
        return read(entry).record


def read(entry: Entry) -> Decoded:
    """Read a record again from its file.

    Raises `MachineError` when the file is gone or has changed since it was indexed.
    """
    return decode.reread(_raw(entry))


def form(entry: Entry) -> bytes:
    """The mirror's bytes of a record, read again; raises as `read` does."""
    return decode.form(_raw(entry))


def _raw(entry: Entry) -> bytes:
    try:
        raw = sources.read(entry.source)
    except OSError:
        raw = b""
    if _raw_digest(raw) != entry.raw_digest:
        raise MachineError(f"{entry.where}: changed while the site was built; build again [EDX052]")
    return raw


class Memory(Protocol):
    """What is known of record files from an earlier build."""

    def recall(self, files: list[Found]) -> Sequence[Sequence[Entry] | None]:
        """Of each file the entries if it is as it was, or None; these are all files that there are."""

    def keep(self, file: Found, entries: Sequence[Entry]) -> None:
        """Remember the entries of a file without faults that was not recalled."""


Item = Entry | LeftOut | Problem
Indexer = Callable[[Sequence[str]], Iterable[Sequence[Item]]]
"""Gives what `index` finds in each of these files, in their order."""


def load(
    root: Path,
    *,
    docs: Path | None = None,
    spool: Path | None = None,
    memory: Memory | None = None,
    only: Iterable[str] = (),
    indexer: Indexer | None = None,
) -> tuple[Dataset, tuple[Problem, ...]]:
    """Index the records under `root`, and the titles of the articles in `docs`/families.

    Faulty records are left out and their problems returned, sorted; of several records that claim one
    id or address, the first by file stays, and a published one before a draft. A compressed file is
    unpacked into `spool`; files that `memory` recalls are not read. With `only`, sound records of other
    repositories (`owner/name`, or `owner/*`) are as if they were not there. `indexer` may read many files at a time.
    """
    chosen = frozenset(name.casefold() for name in only)
    files, problems = sources.find(root)
    entries: list[Entry] = []
    faulty: list[LeftOut] = []
    recalled = memory.recall(files) if memory else [None] * len(files)
    unknown = [file.path for file, known in zip(files, recalled, strict=True) if known is None]
    fresh = iter(indexer(unknown) if indexer else (list(index(Path(path), spool)) for path in unknown))
    for file, known in zip(files, recalled, strict=True):
        sound = known
        if sound is None:
            found = next(fresh)
            sound = [_shared(item) for item in found if isinstance(item, Entry)]
            problems += [item for item in found if isinstance(item, Problem)]
            faulty += [item for item in found if isinstance(item, LeftOut)]
            if memory and len(sound) == len(found):
                memory.keep(file, sound)
        entries += [entry for entry in sound if _is_chosen(entry.repo, chosen)] if chosen else sound
        if len(entries) > MAX_RECORDS:
            text = f"holds over {MAX_RECORDS:,} records; make several sites of them"
            problems.append(Problem(str(root), 0, "", "", text, "EDX081"))
            break
    if not files and not problems:
        problems.append(Problem(str(root), 0, "", "", "holds no record; add one, or give another folder", "EDX041"))
    entries.sort(key=lambda entry: entry.draft)
    kept, clashes = _without_clashes(entries, {problem.record for problem in problems})
    kept.sort(key=lambda entry: f"{_page(entry)}\0{entry.id}")
    published = [entry for entry in kept if not entry.draft]
    if len(kept) < len(entries):
        held = {id(entry) for entry in kept}
        dropped = [entry for entry in entries if id(entry) not in held and not entry.draft]
        faulty += [LeftOut(entry.repo, entry.slug, entry.id) for entry in dropped]
    drafts = tuple(entry for entry in kept if entry.draft)
    found_all = Dataset(tuple(published), _titles(docs), _left_out(published, faulty), drafts)
    return found_all, tuple(sorted({*problems, *clashes}))


def of_repository(dataset: Dataset, name: str) -> bool:
    """Whether a record is of the repository `name`, or of any of an owner's (`owner/*`)."""
    return any(_is_chosen(entry.repo, frozenset({name.casefold()})) for entry in dataset.entries)


def _is_chosen(repo: str, chosen: frozenset[str]) -> bool:
    folded = repo.casefold()
    return not chosen or folded in chosen or f"{folded.partition('/')[0]}/*" in chosen


def _left_out(kept: Sequence[Entry], faulty: Iterable[LeftOut]) -> tuple[LeftOut, ...]:
    """The faulty records whose addresses no sound one has, each address once."""
    faulty = sorted(faulty, reverse=True)
    if not faulty:
        return ()
    pages, ids = {entry.uri.casefold() for entry in kept}, {entry.id for entry in kept}
    found = {one.uri.casefold(): one for one in faulty if one.uri.casefold() not in pages}
    return tuple(sorted(LeftOut(one.repo, one.slug, "" if one.id in ids else one.id) for one in found.values()))


def load_or_raise(root: Path, *, docs: Path | None = None, spool: Path | None = None) -> Dataset:
    """Like `load`, but any problem raises `InvalidRecords` with all of them."""
    dataset, problems = load(root, docs=docs, spool=spool)
    if problems:
        raise InvalidRecords(problems)
    return dataset


def index(path: Path, spool: Path | None = None) -> Iterator[Entry | LeftOut | Problem]:
    """The entries and problems of one file, in its order, and what is left out for them."""
    for document in sources.documents(path, spool):
        if isinstance(document, Problem):
            yield document
            continue
        decoded = decode.decode(document.raw, document.where, document.line)
        if isinstance(decoded, list):
            yield from decoded
            yield from _faulty(document.raw)
        else:
            yield _entry(decoded, document)


def _faulty(raw: bytes) -> Iterator[LeftOut]:
    """What a faulty document says of its address, if that much is sound."""
    try:
        document = json.loads(raw.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return
    fields = document.get("record", document) if isinstance(document, dict) else None
    if not isinstance(fields, dict) or fields.get("draft"):
        return
    found = [fields.get(name) for name in ("repo", "slug", "id")]
    repo, slug, record_id = (value if isinstance(value, str) else "" for value in found)
    if is_repo(repo) and is_slug(slug) and len(slug) <= MAX_SHORT:
        yield LeftOut(repo, slug, record_id if is_id(record_id) else "")


def _shared(entry: Entry) -> Entry:
    """The same entry, what many entries say held once: a hundred thousand of them take half of the memory."""
    if len(_pool) > POOL:
        _pool.clear()
    return msgspec.structs.replace(
        entry,
        repo=intern(entry.repo),
        message=_pool.setdefault(entry.message, entry.message),
        pattern=_pool.setdefault(entry.pattern, entry.pattern),
        error_class=intern(entry.error_class),
        error_type=intern(entry.error_type),
        severity=intern(entry.severity),
        file_path=intern(entry.file_path),
        line=_pool.setdefault(entry.line, entry.line),
        tags=_pool.setdefault(entry.tags, tuple(map(intern, entry.tags))),
        family=entry.family and intern(entry.family),
        sha=intern(entry.sha),
        day=intern(entry.day),
        analyzed=intern(entry.analyzed),
        modified=intern(entry.modified),
        version=intern(entry.version),
        parts=_pool.setdefault(entry.parts, entry.parts),
        folder=intern(entry.folder),
        name=intern(entry.name),
        stored=intern(entry.stored),
        length=_pool.setdefault(entry.length, entry.length),
    )


_pool: dict[Any, Any] = {}


def _entry(decoded: Decoded, document: Document) -> Entry:
    record = decoded.record
    analyzed = times.normal(record.analyzed_at) or ""
    name = document.where.rpartition(os.sep)[2]
    return Entry(
        id=record.id,
        repo=record.repo,
        slug=record.slug,
        message=record.error_message,
        pattern=record.message_pattern,
        error_class=record.error_class,
        error_type=record.error_type,
        severity=record.severity,
        error_code=record.error_code,
        http_status=record.http_status,
        file_path=record.file_path,
        line=record.line_number,
        tags=tuple(dict.fromkeys(record.tags)),
        family=record.background_tag,
        sha=record.analyzed_sha,
        day=times.day(record.analyzed_at),
        analyzed=analyzed,
        modified=times.normal(record.updated_at) or "" if record.updated_at else analyzed,
        reviewed=record.reviewed_by is not None,
        withdrawn=record.withdrawn is not None,
        draft=record.draft,
        replacement=record.withdrawn.replacement if record.withdrawn else None,
        aliases=tuple(record.aliases),
        version=decoded.version,
        parts=parts.parts(record),
        digests=hashlib.sha256(decoded.form).digest() + _raw_digest(document.raw),
        folder=document.where.removesuffix(name),
        name="" if name == _usual_name(record.id) else name,
        stored="" if document.source.path == document.where else document.source.path,
        offset=document.source.offset,
        length=document.source.length,
        where_line=document.line,
        filled=_filled(record),
    )


def _filled(record: Record) -> int:
    fields = (
        record.documentation,
        record.solutions,
        record.example_fix,
        record.source_code,
        record.validation_code,
        record.type_guard,
        record.try_catch_pattern,
        record.prevention_tips,
    )
    return sum(1 << bit for bit, value in enumerate(fields) if value)


def _raw_digest(raw: bytes) -> bytes:
    return hashlib.blake2b(raw, digest_size=RAW_BYTES).digest()


def _without_clashes(entries: list[Entry], faulty: set[str]) -> tuple[list[Entry], list[Problem]]:
    """The entries that break no rule, and every breach; `faulty` are the ids of records that could not be read.

    Each rule is asked of all entries, so that mending one breach does not bring another to light.
    """
    if _all_apart(entries):
        return entries, []
    clashes = [
        *_ids_once(entries),
        *_repos_spelt_alike(entries),
        *_pages_once(entries),
        *_aliases_free(entries),
        *_replacements_known(entries, faulty),
    ]
    dropped = {id(entry) for entry, _ in clashes}
    return [entry for entry in entries if id(entry) not in dropped], [problem for _, problem in clashes]


def _all_apart(entries: Sequence[Entry]) -> bool:
    """Whether no two entries share anything that the rules forbid, and none names another: quickly told."""
    ids = {entry.id for entry in entries}
    pages = set(map(_page, entries))
    repos = {entry.repo for entry in entries}
    return (
        len(ids) == len(pages) == len(entries)
        and len({repo.casefold() for repo in repos}) == len(repos)
        and not any(entry.aliases or entry.replacement for entry in entries)
    )


def _page(entry: Entry) -> str:
    """What hardly two pages have in common; sorts by repository and slug."""
    return f"{entry.repo}\0{entry.slug}".casefold()


Clash = tuple[Entry, Problem]


def _clash(entry: Entry, field_name: str, text: str, code: str) -> Clash:
    return entry, Problem(entry.where, entry.where_line, entry.id, field_name, text, code)


def _place(entry: Entry) -> str:
    return f"{entry.where}:{entry.where_line}" if entry.where_line else entry.where


def _repeated(entries: list[Entry], key: Callable[[Entry], str]) -> Iterator[tuple[Entry, Entry]]:
    """Each entry whose key an earlier one has, with that earlier one."""
    first: dict[str, Entry] = {}
    for entry in entries:
        earlier = first.setdefault(key(entry), entry)
        if earlier is not entry:
            yield entry, earlier


def _ids_once(entries: list[Entry]) -> Iterator[Clash]:
    """No two records have the same id."""
    for entry, earlier in _repeated(entries, lambda entry: entry.id):
        text = f"id {entry.id} is also that of {_place(earlier)}; remove one of them, or give it a new id"
        yield _clash(entry, "id", text, "EDX030")


def _pages_once(entries: list[Entry]) -> Iterator[Clash]:
    """Within a repository, no two slugs are the same once case is folded."""
    for entry, earlier in _repeated(entries, lambda entry: entry.uri.casefold()):
        if entry.id != earlier.id:
            text = f"slug {shown(entry.slug)} is also that of record {earlier.id}; append -{entry.id[:6]} to it"
            yield _clash(entry, "slug", text, "EDX031")


def _repos_spelt_alike(entries: list[Entry]) -> Iterator[Clash]:
    """A repository is spelt in one way."""
    spelt: dict[str, Entry] = {}
    for entry in entries:
        earlier = spelt.setdefault(entry.repo.casefold(), entry)
        if earlier.repo != entry.repo:
            text = (
                f"repo {shown(entry.repo)} is spelt {shown(earlier.repo)} by record {earlier.id}; spell it in one way"
            )
            yield _clash(entry, "repo", text, "EDX032")


def _aliases_free(entries: list[Entry]) -> Iterator[Clash]:
    """An alias is no record's page, and no other record's alias."""
    taken: dict[str, Entry] = {}
    for entry in entries:
        taken.setdefault(entry.uri.casefold(), entry)
    for entry in entries:
        for alias in entry.aliases:
            repo, _, slug = alias.rpartition("/")
            uri = urls.page(repo, slug).casefold()
            owner = taken.setdefault(uri, entry)
            if uri == entry.uri.casefold():
                text = f"alias {shown(alias)} is the record's own page; remove it"
                yield _clash(entry, "aliases", text, "EDX033")
            elif owner.id != entry.id:
                text = f"alias {shown(alias)} is a page of record {owner.id}; remove it from one of them"
                yield _clash(entry, "aliases", text, "EDX033")


def _replacements_known(entries: list[Entry], faulty: set[str]) -> Iterator[Clash]:
    """What replaces a withdrawn record is another record, and no draft, which has no page."""
    ids = {entry.id for entry in entries if not entry.draft} | faulty
    for entry in entries:
        if entry.replacement is not None and (entry.replacement not in ids or entry.replacement == entry.id):
            wrong = "the record itself" if entry.replacement == entry.id else "no record's id"
            text = f"replacement {shown(entry.replacement)} is {wrong}; name the record to read instead, or null"
            yield _clash(entry, "withdrawn", text, "EDX034")


def spelt(listed: Mapping[str, Iterable[Entry]], spellings: Sequence[str]) -> str:
    """Of spellings, each with what it lists, that of the entry analysed first; of one time, that of the smaller id."""
    if len(spellings) == 1:
        return spellings[0]
    return min(spellings, key=lambda name: (*min((entry.analyzed, entry.id) for entry in listed[name]), name))


def _spellings(entries: Iterable[Entry], names: Callable[[Entry], Iterable[str]]) -> dict[str, str]:
    """By case-folded name, how it is spelt."""
    listed = groups(entries, names)
    alike: defaultdict[str, list[str]] = defaultdict(list)
    for name in listed:
        alike[name.casefold()].append(name)
    return {folded: spelt(listed, spellings) for folded, spellings in alike.items()}


def _titles(docs: Path | None) -> dict[str, str]:
    folder = docs / "families" if docs else None
    if folder is None or not folder.is_dir():
        return {}
    return {
        path.stem: _title(path) or Family(path.stem).name
        for path in sorted(folder.glob("*.md"))
        if path.stem != "index"
    }


def _title(path: Path) -> str:
    for line in path.read_text("utf-8-sig", errors="replace").splitlines():
        if line.startswith("# "):
            return line[2:].strip()
    return ""


def of_repositories(entries: Iterable[Entry]) -> dict[str, list[Entry]]:
    """Entries by repository, repositories sorted, entries in their order."""
    grouped: defaultdict[str, list[Entry]] = defaultdict(list)
    for entry in entries:
        grouped[entry.repo].append(entry)
    return dict(sorted(grouped.items()))


def groups(entries: Iterable[Entry], key: Callable[[Entry], Iterable[str]]) -> dict[str, list[Entry]]:
    """Entries by each of their keys, keys sorted, entries in their order."""
    grouped: defaultdict[str, list[Entry]] = defaultdict(list)
    for entry in entries:
        for name in key(entry):
            grouped[name].append(entry)
    return dict(sorted(grouped.items()))
