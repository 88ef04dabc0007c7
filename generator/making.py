"""One build, step by step: load, find what changed, render it, publish, remember. Knows no MkDocs."""

import gc
from array import array
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import chain
from typing import Any

from generator import assemble, cache, export, permalinks, planning, publish, sampling, standing, words, workers
from generator.about import CARD
from generator.assemble import Job, PageJob, Plan
from generator.cache import Exported, Made, Manifest, Outline
from generator.dataset import Dataset, Entry, Item
from generator.files import File, size
from generator.lookup import messages
from generator.lookup.index import FOLDER, Remade
from generator.lookup.messages import Group
from generator.lookup.pairs import State
from generator.planning import Request
from generator.problems import Problem
from generator.publish import Published, Workspace
from generator.sampling import Sample
from generator.search import indexing
from generator.search.opensearch import open_search
from generator.stencil import Shape, Stencil
from generator.workers import Crew, Task

ALONE = 400
"""Up to this many pages to make, workers cost more than they gain."""

JOBS_KEPT = 20_000
"""Up to this many pages to make are planned once: a job has 1 KB."""

TOGETHER = 20_000
"""Up to this many records the lookup's index is made by a worker, beside the pages; of more it takes 200 MB."""

LOOKED_OVER = 4_500_000
"""From so large a manifest on, of some 30,000 pages, a worker looks whether they stand as they were published."""

RECORDS_A_PAGE = 8
"""Records that an export takes in the time of a page."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """A published site: its pages of ours, its files and their bytes; what this build made, changed and deleted."""

    pages: int
    files: int
    size: int
    made: int
    changed: int
    deleted: int


def _lookup_key(found: Dataset, groups: Mapping[int, Group]) -> bytes:
    return cache.key(found.version, array("Q", groups).tobytes())


@contextmanager
def _without_search_for_cycles() -> Iterator[None]:
    """An index and a plan are millions of values and no cycle; to look for one took a tenth of the time.

    Nor is one looked for among them later, until `gc.unfreeze`.
    """
    searched = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        if searched:
            gc.enable()


@dataclass
class Making:
    """A build at work in a held workspace. The steps are called in the order in which they stand."""

    request: Request
    space: Workspace
    problems: tuple[Problem, ...] = ()
    reason: str = ""
    _pages: dict[str, Made] = field(default_factory=dict)
    _changed: set[str] = field(default_factory=set)
    _kept_jobs: list[Job] = field(default_factory=list)
    _fresh: list[Entry] = field(default_factory=list)
    _stencils: dict[Shape, Stencil] = field(default_factory=dict)
    _exports: dict[str, Exported] = field(default_factory=dict)
    _exported: set[str] = field(default_factory=set)
    _searched: tuple[str, ...] = ()
    _crew: Crew = field(init=False)
    _watch: Crew = field(init=False)
    _looking: Iterable[list[str]] = ()
    _outline: Outline | None = None
    _same_words: bool = False
    _given: Collection[str] = ()
    _lookups: Iterable[tuple[list[str], bytes, bytes]] = ()
    _exporting: list[Iterator[list[tuple[str, bytes, tuple[str, ...], Any]]]] = field(default_factory=list)

    def __post_init__(self) -> None:
        request, space = self.request, self.space
        task = Task(
            space.stage, space.workers, request.site, request.outputs, request.highlight, request.about, words.current()
        )
        self._crew = Crew(task, 1, request.engine)
        self._watch = Crew(task, 1)

    def look_over(self) -> None:
        """Have a worker look at what stands published, if that is much, while records are looked for."""
        kept = self.space.manifest
        if not self.request.full and self._count > 1 and kept.is_file() and kept.stat().st_size > LOOKED_OVER:
            self._watch.count = self._count
            job = workers.Census(kept, self.request.fingerprint, self.space.site)
            self._looking = self._watch.spread(workers.damaged, [job])

    @_without_search_for_cycles()
    def load(self, given: Collection[str] = ()) -> Plan:
        """Index the records and choose what the site shows; `InvalidRecords` unless `keep_going`.

        `given` are the paths of the owner's files, which MkDocs writes into the stage in each build.
        """
        self._given = given
        self._recall()
        indexed = planning.index(self.request, self.space, self._indexed)
        self.problems = indexed.problems
        self._begin_lookup(indexed.found)
        if not self._manifest.exports:  # all are to be made, so workers need not wait for the plan
            self._hand_out(export.jobs(indexed.found, self.request.about), len(indexed.found.entries))
        pages = self._manifest.pages.keys()
        planned = planning.plan(
            self.request,
            self.space,
            indexed,
            outline=self._manifest.outline,
            stands=lambda: self._damaged.isdisjoint(pages),
        )
        self.plan, self._outline, self._same_words = planned
        if self.plan.edited is not None:
            gone = set(assemble.former_pages(self.plan, pages))
            self._pages = {uri: made for uri, made in self._manifest.pages.items() if uri not in gone}
        return self.plan

    def _indexed(self, paths: Sequence[str]) -> Iterator[Sequence[Item]]:
        """What is in record files, in their order; of many it is read by workers, who make pages later."""
        if len(paths) > ALONE:
            self._crew.count = self._count
        found: dict[str, Sequence[Item]] = {}
        ahead = iter(paths)
        path = next(ahead, None)
        for done in self._crew.spread(partial(workers.index, self.space.spool), paths):
            found.update(done)
            while path in found:
                yield found.pop(path)
                path = next(ahead, None)

    @property
    def _count(self) -> int:
        return self.request.jobs or workers.default_jobs()

    @_without_search_for_cycles()
    def needed_shapes(self) -> set[Shape]:
        """Find the pages whose inputs changed, and the shapes that they need and no earlier build cut.

        What the export still lacks needs no shape, so workers begin with it here.
        """
        shapes: dict[object, Shape] = {}
        for job in self._jobs():
            uri, inputs = assemble.identity(job)
            key = cache.key(inputs)
            earlier = self._manifest.pages.get(uri)
            if earlier is not None and earlier.key == key and uri not in self._damaged:
                self._pages[uri] = earlier
                continue
            self._pages[uri] = Made(key, b"", 0, *assemble.kept_as(job))
            self._changed.add(uri)
            if len(self._changed) <= JOBS_KEPT:
                self._kept_jobs.append(job)
            if isinstance(job, PageJob):
                self._fresh.append(job.entry)
            alike = assemble.alike(job, self.request.site)
            if alike not in shapes:
                shapes[alike] = assemble.made(job, self.request.site).shape
        if len(self._changed) > JOBS_KEPT:
            self._kept_jobs.clear()
        self.request.progress("shapes", len(self._changed), len(self._changed))
        if self._manifest.exports:
            self._hand_out(export.jobs(self.plan.dataset, self.request.about), len(self._changed))
        moved = assemble.redirects(self.plan, self.request.outputs)
        self._hand_out(permalinks.jobs(moved), len(self._changed))
        return set(shapes.values()) - self._stencils.keys()

    def samples(self, *, as_it_is: bool) -> list[Sample]:
        """Choose the pages that are made on both roads; `as_it_is` leaves their records' syntax to MkDocs."""
        return list(sampling.choose(self.plan, self._fresh, as_it_is=as_it_is))

    def parting(self, samples: Iterable[Sample], plain: Mapping[str, str]) -> Sample | None:
        """The first sample that MkDocs' page by its address does not match; once `render` has all stencils."""
        return sampling.parting(samples, plain, self._stencils)

    def _recall(self) -> None:
        request = self.request
        self._manifest, self.reason = cache.read_manifest(self.space.manifest, request.fingerprint)
        if request.full:
            self._manifest, self.reason = Manifest(request.fingerprint, others=self._manifest.others), ""
        self._stencils = dict(self._manifest.stencils)

    @cached_property
    def _damaged(self) -> frozenset[str]:
        """The addresses of what does not stand as it was published."""
        site, outputs = self.space.site, self.request.outputs
        found = self._looking or [list(standing.damaged(self._manifest, str(site), outputs))]
        overlaid = standing.overlaid(self._manifest, self._given, outputs)
        damaged = frozenset(chain(chain.from_iterable(found), overlaid))
        self._watch.dismiss()
        return damaged

    def _jobs(self) -> Iterator[Job]:
        yield from assemble.page_jobs(self.plan)
        yield from assemble.hub_jobs(self.plan)
        yield from assemble.notice_jobs(self.plan)

    def _hand_out(self, jobs: Iterable[export.Job], pages: int) -> None:
        """Hand out the parts of the export whose records changed, beside so many pages to make."""
        about = self.request.about
        changed = [job for job in jobs if not self._kept(job.uri, export.key(job, about))]
        if pages + sum(map(export.weight, changed)) // RECORDS_A_PAGE > ALONE:
            self._crew.count = self._count
        self._exporting.append(self._crew.spread(workers.write_export, changed, chunk=1, ahead=len(changed)))

    def _render_pages(self) -> None:
        content = cache.encoded(tuple(sorted(self._stencils.items())))
        publish.write_cache(self.space.stencils, content)
        function = partial(workers.render, workers.Stencils(self.space.stencils, cache.key(content)))
        total = len(self._changed)
        jobs: Iterable[Job] = self._kept_jobs
        if total > len(self._kept_jobs):
            jobs = (job for job in self._jobs() if assemble.identity(job)[0] in self._changed)
        done = 0
        for pages in self._crew.spread(function, jobs, weigh=assemble.weight):
            done += pages
            self.request.progress("pages", done, total)

    def close(self) -> None:
        """End the workers, once or more."""
        self._crew.close()
        self._watch.close()
        gc.unfreeze()

    def render(
        self,
        stencils: Mapping[Shape, Stencil],
        documents: Sequence[tuple[str, str]],
        texts: Iterable[File],
        pages: Mapping[str, str],
    ) -> None:
        """Make what changed, and the files about the whole site.

        `documents` are the pages of others, (address, date or empty); `texts` the Markdown of families' articles;
        `pages` the HTML of what is not a record's, by address.
        """
        about = self.request.about
        self._stencils |= stencils
        self._render_pages()
        self._take_exports()
        self._take_lookup()
        self.close()
        self._lists(documents)
        publish.write_all(self.space.stage, self._answers())
        if CARD not in self._given:
            self._card()
        if about.url:
            publish.write(self.space.stage, open_search(about.title, about.description, about.url))
        if self.request.outputs.markdown:
            publish.write_all(self.space.stage, texts)
        self.plan = Plan(self.plan.dataset, site=self.plan.site)  # what the lookup's index does not need is let go
        if FOLDER not in self._exported:
            self._lookup()
        self._search(pages)

    def _card(self) -> None:
        """Have the site's picture drawn where it is not there yet."""
        key = cache.key(self.request.about.title, self.request.about.description)
        if self._kept(CARD, key):
            return
        from generator import card  # noqa: PLC0415 - imports a library of pictures, seldom needed

        publish.write(self.space.stage, card.card(self.request.about))
        self._take(CARD, Exported(key, (CARD,), None))

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

    def _take_exports(self) -> None:
        for done in chain.from_iterable(self._exporting):
            for uri, key, paths, part in done:
                self._take(uri, Exported(key, paths, part))

    def _take(self, uri: str, made: Exported) -> None:
        """Note an export that this build made."""
        self._exports[uri] = made
        self._exported.add(uri)

    def _kept(self, uri: str, key: bytes) -> bool:
        """Whether an export stands published as it would be made, and so is kept."""
        earlier = self._manifest.exports.get(uri)
        if earlier is None or earlier.key != key or uri in self._damaged:
            return False
        self._exports[uri] = earlier
        return True

    def _begin_lookup(self, found: Dataset) -> None:
        """Hand the lookup's index out where all of it is made, of so few records that a worker has room for it."""
        if self._manifest.exports or not ALONE < len(found.entries) <= TOGETHER or self._count <= 1:
            return
        self._crew.count = self._count
        key = _lookup_key(found, messages.of_dataset(found))
        job = workers.LookupJob(tuple(messages.raised(found)), found.version, key)
        self._lookups = self._crew.spread(workers.write_lookup, [job])

    def _take_lookup(self) -> None:
        for paths, state, key in self._lookups:
            self._keep_lookup(key, paths, state)

    def _keep_lookup(self, key: bytes, paths: Iterable[str], state: bytes) -> None:
        publish.write_cache(self.space.lookup, state)
        self._take(FOLDER, Exported(key, tuple(sorted(paths)), None))

    def _lookup(self) -> None:
        """Make the lookup's index where it says another thing of the records than before."""
        kept = self._manifest.exports.get(FOLDER)
        if self._same_words and kept is not None and self._kept(FOLDER, kept.key):
            return
        groups = messages.of_dataset(self.plan.dataset)
        key = _lookup_key(self.plan.dataset, groups)
        if self._kept(FOLDER, key):
            return
        before = self._lookup_before()
        paths = set(self._manifest.exports[FOLDER].paths if before.key else ())
        remade = Remade(before, groups, self.plan.dataset.version)
        if remade.anew:
            paths.clear()
        for path, content in remade.files():
            if content is None:
                paths.discard(path)
            else:
                publish.write(self.space.stage, File(path, content))
                paths.add(path)
        state = remade.state(key)
        del remade, groups  # three times what the state takes
        self._keep_lookup(key, paths, cache.encoded(state))

    def _lookup_before(self) -> State:
        """What is known of the index that stands published, if all its files are as they were."""
        earlier = self._manifest.exports.get(FOLDER)
        if earlier is None or FOLDER in self._damaged:
            return State()
        return cache.read_lookup(self.space.lookup, earlier.key)

    def _lists(self, documents: Iterable[tuple[str, str]]) -> None:
        """Make the lists and sitemaps that say another thing than before.

        Done here, since a list's records take a worker longer to receive than to list.
        """
        about, plan = self.request.about, self.plan
        lists = export.lists(plan.dataset, markdown=self.request.outputs.markdown, given=self._given)
        for job in chain(lists, assemble.sitemaps(plan, documents)):
            key = export.key(job, about)
            if self._kept(job.uri, key):
                continue
            paths = []
            for file in export.pages(job, about):
                publish.write(self.space.stage, file)
                paths.append(file.path)
            self._take(job.uri, Exported(key, tuple(paths), None))

    def _answers(self) -> Iterator[File]:
        outputs = self.request.outputs
        return export.files(
            self.plan.dataset,
            self.request.about,
            [made.part for made in self._exports.values() if made.part is not None],
            extensionless=outputs.extensionless,
            markdown=outputs.markdown,
            security=self.request.security,
            moved=assemble.moved(self.plan),
            given=self._given,
        )

    def publish(self) -> Outcome:
        """Bring what was made to the site, delete what is no longer made, and remember what there is."""
        done = publish.publish(
            self.space,
            self._stale(),
            made=self._manifest.others.keys(),
            pages=len(self._manifest.pages),
            allow_delete=self.request.allow_delete,
        )
        self._settle(done)
        others = {path: size for path, size in self._manifest.others.items() if path.startswith(self._searched)}
        others |= {path: size(look) for path, look in done.staged.items()}
        done.staged.clear()  # a hundred megabytes, before as much is encoded
        self._remember(others)
        return self._outcome(done, others)

    def _settle(self, done: Published) -> None:
        """Note the state of what was made, now that it is published; leave in `done` what others staged."""
        for uri in self._changed:
            made = self._pages[uri]
            state, size = self._settled(list(self._paths(uri, made)), done)
            self._pages[uri] = Made(made.key, state, size, made.record_id, made.mirrored)
        for uri in self._exported:
            exported = self._exports[uri]
            self._exports[uri] = Exported(
                exported.key, exported.paths, exported.part, *self._settled(exported.paths, done)
            )

    def _settled(self, paths: Sequence[str], done: Published) -> tuple[bytes, int]:
        """The state of published files. They are looked at again, unless the whole stage was moved."""
        looks = [look for path in paths if (look := done.staged.pop(path, None)) is not None]
        if done.whole and len(looks) == len(paths):
            return cache.state_of(looks)
        return standing.state(str(self.space.site), paths)

    def _outcome(self, done: Published, others: Mapping[str, int]) -> Outcome:
        kinds = ((made.record_id, made.mirrored) for made in self._pages.values())
        files = assemble.count(kinds, self.request.outputs)
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
            path
            for uri, made in before.pages.items()
            if not made.has_files_of(self._pages.get(uri))
            for path in self._paths(uri, made)
        ]
        kept = {path for uri, made in self._pages.items() for path in self._paths(uri, made)} if gone else set()
        exported = {path for made in self._exports.values() for path in made.paths}
        parts = [path for made in before.exports.values() for path in made.paths if path not in exported]
        others = [path for path in before.others if not path.startswith(self._searched)]
        return [path for path in (*gone, *parts, *others) if path not in kept]

    def _remember(self, others: Mapping[str, int]) -> None:
        outline = self._outline.key if self._outline else b""
        if self._outline:
            publish.write_cache(self.space.outline, cache.encoded(self._outline))
        else:
            publish.forget(self.space.outline)
        stencils = tuple(sorted(self._stencils.items()))
        manifest = Manifest(self.request.fingerprint, self._pages, self._exports, dict(others), stencils, outline)
        publish.write_cache(self.space.manifest, cache.encoded(manifest))

    def _paths(self, uri: str, made: Made) -> Iterator[str]:
        return standing.paths(uri, made, self.request.outputs)
