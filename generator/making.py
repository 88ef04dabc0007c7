"""One build, step by step: load, find what changed, render it, publish, remember. Knows no MkDocs."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from generator import assemble, cache, card, dataset, export, publish, sampling, workers
from generator.about import About
from generator.assemble import Job, Outputs, PageJob, Plan
from generator.cache import Exported, Made, Manifest, Recollection
from generator.dataset import Dataset, Entry
from generator.files import File
from generator.hosting import Security
from generator.lookup.index import FOLDER, index_files
from generator.lookup.messages import raised
from generator.pages import Site
from generator.problems import InvalidRecords, Problem, UsageError
from generator.publish import Published, Workspace
from generator.sampling import Sample
from generator.search import indexing
from generator.search.opensearch import open_search
from generator.stencil import Shape, Stencil
from generator.workers import Task

Result = TypeVar("Result")

ALONE = 400
"""Up to this many pages to make, workers cost more than they gain."""


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
    full: bool = False
    keep_going: bool = False
    allow_delete: bool = False
    progress: Callable[[str, int, int], None] = lambda _what, _done, _total: None


@dataclass(frozen=True, slots=True)
class Outcome:
    """A published site: its pages of ours, its files and their bytes; what this build made, changed and deleted."""

    pages: int
    files: int
    size: int
    made: int
    changed: int
    deleted: int


@dataclass
class Making:
    """A build at work in a held workspace. The steps are called in the order in which they stand."""

    request: Request
    space: Workspace
    problems: tuple[Problem, ...] = ()
    reason: str = ""
    _pages: dict[str, Made] = field(default_factory=dict)
    _changed: set[str] = field(default_factory=set)
    _fresh: list[Entry] = field(default_factory=list)
    _stencils: dict[Shape, Stencil] = field(default_factory=dict)
    _exports: dict[str, Exported] = field(default_factory=dict)
    _exported: set[str] = field(default_factory=set)
    _searched: tuple[str, ...] = ()

    def load(self) -> Plan:
        """Index the records and choose what the site shows; `InvalidRecords` unless `keep_going`."""
        request = self.request
        code = cache.code_fingerprint()
        before = cache.Index(code) if request.full else cache.read_index(self.space.index, code)
        memory = Recollection(before)
        found, self.problems = dataset.load(
            request.records, docs=request.docs, spool=self.space.spool, memory=memory, only=request.repositories
        )
        known = memory.finish()
        if memory.changed:
            publish.write_cache(self.space.index, cache.encoded(known))
        if self.problems and not request.keep_going:
            raise InvalidRecords(self.problems)
        self._refuse_unknown(found)
        self.plan = assemble.plan(found, request.site, request.project, request.records)
        return self.plan

    def _refuse_unknown(self, found: Dataset) -> None:
        """Raise `UsageError` for repositories in the settings that no record is of."""
        chosen = [name for name in self.request.repositories if not dataset.of_repository(found, name)]
        if chosen:
            raise UsageError(
                f"mkdocs.yml: repositories names {', '.join(chosen)}, of which there is no record; "
                "mend the name, or add a record [EDX053]"
            )

    def needed_shapes(self) -> set[Shape]:
        """Find the pages whose inputs changed, and the shapes that they need and no earlier build cut."""
        self._recall()
        for job in self._jobs():
            uri, inputs = assemble.identity(job)
            key = cache.key(inputs)
            earlier = self._manifest.pages.get(uri)
            if earlier is not None and earlier.key == key and earlier.state == self._state(uri, earlier)[0] != b"":
                self._pages[uri] = earlier
            else:
                self._pages[uri] = Made(key, b"", 0, *assemble.kept_as(job))
                self._changed.add(uri)
                if isinstance(job, PageJob):
                    self._fresh.append(job.entry)
        found = set[Shape]().union(*self._spread(partial(workers.shapes, self._task), "shapes"))
        return found - self._stencils.keys()

    def samples(self, *, as_it_is: bool) -> list[Sample]:
        """Choose the pages that are made on both roads; `as_it_is` leaves their records' syntax to MkDocs."""
        return list(sampling.choose(self.plan, self._fresh, as_it_is=as_it_is))

    def parting(self, samples: Iterable[Sample], plain: Mapping[str, str]) -> Sample | None:
        """The first sample that MkDocs' page by its address does not match; once `render` has all stencils."""
        return sampling.parting(samples, plain, self._stencils)

    def _recall(self) -> None:
        request = self.request
        if request.full:
            self._manifest = Manifest(request.fingerprint)
        else:
            self._manifest, self.reason = cache.read_manifest(self.space.manifest, request.fingerprint)
        self._stencils = dict(self._manifest.stencils)
        self._task = Task(self.space.stage, self.space.workers, request.site, request.outputs, request.highlight)

    def _jobs(self) -> Iterator[Job]:
        yield from assemble.page_jobs(self.plan)
        yield from assemble.hub_jobs(self.plan)
        yield from assemble.notice_jobs(self.plan)

    def _spread(self, function: Callable[[list[Job]], Result], what: str) -> Iterator[Result]:
        total = len(self._changed)
        jobs = (job for job in self._jobs() if assemble.identity(job)[0] in self._changed) if total else iter(())
        count = 1 if total <= ALONE else self.request.jobs or workers.default_jobs()
        for number, result in enumerate(workers.spread(function, jobs, self._task, count), 1):
            self.request.progress(what, min(number * workers.CHUNK, total), total)
            yield result

    def render(
        self,
        stencils: Mapping[Shape, Stencil],
        documents: Sequence[tuple[str, str]],
        given: Collection[str],
        texts: Iterable[File],
        pages: Mapping[str, str],
    ) -> None:
        """Make what changed, and the files about the whole site.

        `documents` are the pages of others, (address, date or empty); `given` the paths that the owner wrote by hand;
        `texts` the Markdown of families' articles; `pages` the HTML of what is not a record's, by address.
        """
        about = self.request.about
        self._stencils |= stencils
        for _ in self._spread(partial(workers.render, self._task, self._stencils), "pages"):
            pass
        self._export()
        publish.write_all(self.space.stage, assemble.site_files(self.plan, documents))
        publish.write_all(self.space.stage, self._answers(given))
        if card.PATH not in given:
            publish.write(self.space.stage, card.card(about))
        if about.url:
            publish.write(self.space.stage, open_search(about.title, about.description, about.url))
        if self.request.outputs.markdown:
            publish.write_all(self.space.stage, texts)
        self.plan = Plan(self.plan.dataset, site=self.plan.site)  # what the lookup's index does not need is let go
        self._lookup()
        self._search(pages)

    def _search(self, pages: Mapping[str, str]) -> None:
        """Have the parts of the full-text search made whose records changed."""
        if not self.request.search:
            return
        built = indexing.build(
            self.plan.dataset,
            pages,
            stage=self.space.stage,
            site=self.space.site,
            full=not self._manifest.pages,
            progress=self.request.progress,
        )
        self._searched = built.kept

    def _export(self) -> None:
        """Make the parts of the export whose records changed."""
        request, changed = self.request, []
        for job in export.jobs(self.plan.dataset, request.about):
            if not self._kept(job.uri, export.key(job)):
                changed.append(job)
        function = partial(workers.write_export, self._task, request.about)
        count = 1 if len(self.plan.dataset.entries) <= ALONE else request.jobs or workers.default_jobs()
        for done in workers.spread(function, changed, self._task, count, chunk=1):
            for uri, key, paths, part in done:
                self._exports[uri] = Exported(key, paths, part)
                self._exported.add(uri)

    def _kept(self, uri: str, key: bytes) -> bool:
        """Whether an export stands published as it would be made, and so is kept."""
        earlier = self._manifest.exports.get(uri)
        if (
            earlier is None
            or earlier.key != key
            or earlier.state != self._state_of(earlier.paths)[0]
            or not earlier.state
        ):
            return False
        self._exports[uri] = earlier
        return True

    def _lookup(self) -> None:
        """Make the lookup's index, unless all that it says of the records is as it was."""
        digest = cache.Digest(self.plan.dataset.version)
        for message in raised(self.plan.dataset):
            digest.add(message)
        if self._kept(FOLDER, digest.key):
            return
        paths = []
        for file in index_files(self.plan.dataset):
            publish.write(self.space.stage, file)
            paths.append(file.path)
        self._exports[FOLDER] = Exported(digest.key, tuple(paths), None)
        self._exported.add(FOLDER)

    def _answers(self, given: Collection[str]) -> Iterator[File]:
        outputs = self.request.outputs
        return export.files(
            self.plan.dataset,
            self.request.about,
            [made.part for made in self._exports.values() if made.part is not None],
            extensionless=outputs.extensionless,
            markdown=outputs.markdown,
            security=self.request.security,
            moved=assemble.moved(self.plan),
            given=given,
        )

    def publish(self) -> Outcome:
        """Bring what was made to the site, delete what is no longer made, and remember what there is."""
        publish.forget(self.space.manifest)
        done = publish.publish(
            self.space, self._stale(), pages=len(self._manifest.pages), allow_delete=self.request.allow_delete
        )
        ours = {path for uri in self._changed for path in self._paths(uri, self._pages[uri])}
        ours |= {path for uri in self._exported for path in self._exports[uri].paths}
        others = {path: size for path, size in self._manifest.others.items() if path.startswith(self._searched)}
        others |= {path: size for path, size in done.staged.items() if path not in ours}
        self._settle()
        self._remember(others)
        return self._outcome(done, others)

    def _settle(self) -> None:
        """Note the state of what was made, now that it is published."""
        for uri in self._changed:
            made = self._pages[uri]
            state, size = self._state(uri, made)
            self._pages[uri] = Made(made.key, state, size, made.record_id, made.mirrored)
        for uri in self._exported:
            exported = self._exports[uri]
            self._exports[uri] = Exported(exported.key, exported.paths, exported.part, *self._state_of(exported.paths))

    def _outcome(self, done: Published, others: Mapping[str, int]) -> Outcome:
        files = sum(1 for uri, made in self._pages.items() for _ in self._paths(uri, made))
        files += sum(len(exported.paths) for exported in self._exports.values()) + len(others)
        size = sum(made.size for made in self._pages.values()) + sum(others.values())
        size += sum(exported.size for exported in self._exports.values())
        return Outcome(len(self._pages), files, size, len(self._changed), done.changed, done.deleted)

    def _stale(self) -> list[str] | None:
        """The files to delete that the earlier build made; None without one, when all that is not staged goes."""
        before = self._manifest
        if not before.pages:
            return None
        gone = [
            path for uri in before.pages.keys() - self._pages.keys() for path in self._paths(uri, before.pages[uri])
        ]
        kept = {path for uri, made in self._pages.items() for path in self._paths(uri, made)} if gone else set()
        exported = {path for made in self._exports.values() for path in made.paths}
        parts = [path for made in before.exports.values() for path in made.paths if path not in exported]
        others = [path for path in before.others if not path.startswith(self._searched)]
        return [path for path in (*gone, *parts, *others) if path not in kept]

    def _remember(self, others: Mapping[str, int]) -> None:
        stencils = tuple(sorted(self._stencils.items()))
        manifest = Manifest(self.request.fingerprint, self._pages, self._exports, dict(others), stencils)
        publish.write_cache(self.space.manifest, cache.encoded(manifest))

    def _paths(self, uri: str, made: Made) -> Iterator[str]:
        return assemble.paths(uri, made.record_id, made.mirrored, self.request.outputs)

    def _state(self, uri: str, made: Made) -> tuple[bytes, int]:
        return self._state_of(self._paths(uri, made))

    def _state_of(self, paths: Iterable[str]) -> tuple[bytes, int]:
        return cache.state(f"{self.space.site}/{path}" for path in paths)
