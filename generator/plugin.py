"""MkDocs' side: renders shapes and hand-written pages, and hands the rest to `assemble`.

The only importer of mkdocs. `mkdocs build`, `serve` and `gh-deploy` and the command `errordex` all come
through here: MkDocs builds into the stage, one page a shape is taken out of it, the records' pages are
stamped beside, and the whole is published when MkDocs is done.
"""

import json
import logging
import pickle
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

import click
from jinja2 import Environment, FileSystemBytecodeCache
from jinja2.bccache import Bucket
from mkdocs.config import config_options as c
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import Abort
from mkdocs.livereload import LiveReloadServer
from mkdocs.plugins import BasePlugin, event_priority, get_plugin_logger
from mkdocs.structure.files import File, Files, InclusionLevel
from mkdocs.structure.nav import Navigation
from mkdocs.structure.pages import Page
from mkdocs.utils import CountHandler
from mkdocs.utils.templates import TemplateContext

from generator import assemble, cache, colours, highlight, publish, sampling, serving, statistics, stencil, urls, words
from generator.about import About
from generator.api import Licence
from generator.assemble import Article, Outputs
from generator.files import File as Made
from generator.hosting import Security
from generator.making import Making, Outcome
from generator.pages import Site
from generator.planning import Request
from generator.problems import ErrordexError, UsageError
from generator.sampling import Sample
from generator.settings import COPIES, Settings
from generator.stencil import Shape, Stencil
from generator.words import Words
from generator.workers import Engine

Result = TypeVar("Result")

log = get_plugin_logger("errordex")

SHAPING = (
    *("site_name", "site_url", "site_description", "site_author", "copyright", "repo_url", "repo_name", "edit_uri"),
    *("extra", "extra_css", "extra_javascript", "markdown_extensions", "mdx_configs", "use_directory_urls"),
)
"""MkDocs' settings that a page may show, or that make it what it is."""

UNSHAPING = ("jobs", "keep_going", "allow_delete")
"""Our own settings that change nothing in a site."""

STYLESHEET = "assets/errordex.css"


class ErrordexPlugin(BasePlugin[Settings]):  # type: ignore[no-untyped-call]
    """Records in, pages out, within a MkDocs build."""

    def __init__(self) -> None:
        self.failure: ErrordexError | None = None
        self.outcome: Outcome | None = None
        self.making: Making | None = None
        self.full = False
        self.engine: Engine | None = None
        self.progress: Callable[[str, int, int], None] = lambda _what, _done, _total: None
        self._stack = ExitStack()
        self._shapes: dict[str, Shape] = {}
        self._stencils: dict[Shape, Stencil] = {}
        self._held: dict[Any, Any] = {}
        self._articles: dict[str, Article] = {}
        self._texts: list[Made] = []
        self._documents: list[File] = []
        self._html: dict[str, str] = {}
        self._samples: dict[str, Sample] = {}
        self._targets: list[File] = []
        self._plain: dict[str, str] = {}

    def on_config(self, config: MkDocsConfig) -> MkDocsConfig:
        """Point MkDocs at the stage: it empties its `site_dir` next."""
        self._site_dir = Path(config.site_dir)
        self._project = Path(config.config_file_path or "mkdocs.yml").resolve().parent
        self._guarded(lambda: _refuse_files_for_pages(config))
        words.configure(self._guarded(lambda: _words(config)))
        self._stack.callback(words.configure, words.shipped())
        self._space = space = publish.workspace(self._project, self._site_dir)
        self._guarded(lambda: self._stack.enter_context(publish.opened(space)))
        config.site_dir = str(space.stage)
        if self.config.analytics:
            config.extra_javascript.append(_deferred(self.config.analytics))
        self._making = self.making = Making(self._request(config), space)
        self._stack.callback(self._making.close)
        self._guarded(self._making.look_over)
        return config

    def on_serve(self, server: LiveReloadServer, /, *, config: MkDocsConfig, builder: Any) -> LiveReloadServer:
        """Build again when a record changes, and send what a good host would."""
        server.watch(str(self._project / self.config.records))
        server.set_app(serving.with_headers(server.serve_request, server.mount_path))
        return server

    @event_priority(-100)
    def on_files(self, files: Files, /, *, config: MkDocsConfig) -> Files:
        """Index the records, and add a page for each shape that theirs have and no earlier build cut."""
        for file in [file for file in files if _unused(file)]:
            files.remove(file)
        given = {file.dest_uri for file in files}
        self._plan = self._guarded(lambda: self._making.load(given))
        self._make_way(files)
        self._colour(files, config)
        self._documents = list(files.documentation_pages())
        for number, shape in enumerate(sorted(self._guarded(self._making.needed_shapes))):
            uri = urls.markdown(shape.uri(number))
            file = File.generated(config, uri, content=stencil.sample(shape), inclusion=InclusionLevel.NOT_IN_NAV)
            self._shapes[file.src_uri] = shape
            files.append(file)
        self._add_samples(files, config)
        if self._making.reason:
            log.info("%s: building every page", self._making.reason)
        return files

    def _make_way(self, files: Files) -> None:
        """Leave out hand-written pages at the address of a list of lists: ours is there, and MkDocs' navigation too."""
        ours = {statistics.URI, *(index.uri for index in self._plan.indexes)}
        for file in [file for file in files.documentation_pages() if file.url in ours]:
            files.remove(file)
            log.warning("%s: a list of records is published at its address; move it", file.src_uri)

    def _colour(self, files: Files, config: MkDocsConfig) -> None:
        """Let the stylesheet end with the accent that the settings give."""
        rules = colours.rules(self.config.colours.light, self.config.colours.dark)
        sheet = files.get_file_from_path(STYLESHEET)
        if rules and sheet is not None:
            files.remove(sheet)
            files.append(File.generated(config, STYLESHEET, content=sheet.content_string + rules))

    def _add_samples(self, files: Files, config: MkDocsConfig) -> None:
        """Add the Markdown pages of a few records, and for as long as links are resolved, what they link to."""
        as_it_is = sampling.only_shipped(config.markdown_extensions, config.mdx_configs, config.plugins)
        for sample in self._guarded(lambda: self._making.samples(as_it_is=as_it_is)):
            uri = urls.markdown(sample.uri)
            if uri not in files.src_uris:
                self._samples[uri] = sample
                file = File.generated(config, uri, content=sample.markdown, inclusion=InclusionLevel.NOT_IN_NAV)
                files.append(file)
        for uri in sorted(set[str]().union(*(sample.targets for sample in self._samples.values()))):
            if uri not in files.src_uris:
                self._targets.append(_Target(uri, config))
                files.append(self._targets[-1])

    @event_priority(100)
    def on_env(self, env: Environment, /, *, config: MkDocsConfig, files: Files) -> Environment:
        """Take the targets away again before anything is written; keep compiled templates for the next build."""
        self._guarded(lambda: self._space.templates.mkdir(exist_ok=True))
        env.bytecode_cache = _Compiled(str(self._space.templates), "%s.bin")
        for target in self._targets:
            files.remove(target)
        return env

    def on_page_context(
        self, context: TemplateContext, /, *, page: Page, config: MkDocsConfig, nav: Navigation
    ) -> TemplateContext:
        """Give hand-written pages the dataset's counts and lists; records' pages must not depend on them."""
        if page.file.src_uri not in self._shapes.keys() | self._samples.keys():
            context["errordex"] = {**self._plan.summary, "report": self.config.report}  # type: ignore[typeddict-unknown-key]
        return context

    def on_page_markdown(self, markdown: str, /, *, page: Page, config: MkDocsConfig, files: Files) -> str:
        """Append the records of a family to its article; keep pages that are not written out of Material's search."""
        if page.file.src_uri in self._shapes.keys() | self._samples.keys():
            page.meta["search"] = {"exclude": True}
        article = assemble.article(self._plan, page.file.src_uri)
        if article is None:
            return markdown
        self._articles[page.file.src_uri] = article
        self._texts.append(article.markdown(markdown, str(page.meta.get("description", ""))))
        page.meta.update(article.meta)
        return f"{markdown}\n\n{stencil.sample(article.shape)}"

    def on_post_template(self, output: str, /, *, template_name: str, config: MkDocsConfig) -> str:
        """Leave MkDocs' sitemap out: ours has the records' pages."""
        return "" if template_name == "sitemap.xml" else output

    @event_priority(-100)
    def on_post_page(self, output: str, /, *, page: Page, config: MkDocsConfig) -> str:
        """Take a shape's page out of what MkDocs writes, and cut it."""
        uri = page.file.src_uri
        if uri in self._articles:
            article = self._articles[uri]
            cut = self._guarded(lambda: stencil.cut(output, article.shape))
            self._html[page.file.url] = stencil.stamp(cut, article.values)
            return self._html[page.file.url]
        if uri in self._samples:
            self._plain[self._samples[uri].uri] = output
            return ""
        if uri not in self._shapes:
            self._html[page.file.url] = output
            return output
        shape = self._shapes[uri]
        self._stencils[shape] = stencil.shared(self._guarded(lambda: stencil.cut(output, shape)), self._held)
        return ""

    def on_post_build(self, *, config: MkDocsConfig) -> None:
        """Stamp the records' pages into the stage, and publish it, unless MkDocs will fail for warnings."""
        documents = [(file.url, "") for file in self._documents]
        try:
            self._guarded(lambda: self._making.render(self._stencils, documents, self._texts, self._html))
            self._compare_roads(config)
            if not _too_strict(config):
                self.outcome = self._guarded(self._making.publish)
        finally:
            self.let_go()
            config.site_dir = str(self._site_dir)

    def on_build_error(self, *, error: Exception) -> None:
        """Let the workspace go; the site is as it was. What the machine refused MkDocs itself is said as ours is."""
        self.let_go()
        if isinstance(error, OSError) and error.errno in publish.REFUSALS:
            self.failure = publish.refusal(error)
            raise Refused(self.failure) from error

    def let_go(self) -> None:
        """Let the workspace go, once or more."""
        self._stack.close()

    def _compare_roads(self, config: MkDocsConfig) -> None:
        """Warn, once, where MkDocs' page of a record is not the stencil's, and name the settings behind it."""
        sample = self._making.parting(self._samples.values(), self._plain)
        if sample is not None:
            causes = sampling.suspects(sample, config.markdown_extensions, config.mdx_configs)
            log.warning(sampling.warning(sample, causes or [name for name in config.plugins if name != "errordex"]))

    def _guarded(self, step: Callable[[], Result]) -> Result:
        """Run a step; its deliberate error becomes MkDocs' own kind, and is kept for the command's exit status."""
        try:
            with publish.machine_errors():
                return step()
        except ErrordexError as error:
            self.failure = error
            raise Refused(error) from error

    def _about(self, config: MkDocsConfig) -> About:
        language = str(config.theme.get("language", "en"))
        return About(
            config.site_name, _base(config), config.site_description or "", language, _named(self.config.licence)
        )

    def _security(self) -> Security | None:
        chosen = self.config.security
        if not chosen.contact:
            return None
        return Security(tuple(chosen.contact), chosen.expires, chosen.policy, tuple(chosen.languages))

    def _request(self, config: MkDocsConfig) -> Request:
        settings, theme = self.config, _theme_folders(config)
        sections = tuple(dict.fromkeys(settings.sections))
        shaping = {
            "settings": _resolved(config),
            "branch": settings.branch,
            "sections": sections,
            "report": settings.report,
            "words": sorted(words.current().phrases.items()),
            "repositories": settings.repositories,
            "theme": _plain({name: config.theme[name] for name in sorted(config.theme)}),
            "own": _plain({name: settings[name] for name in sorted(settings) if name not in UNSHAPING}),
        }
        return Request(
            project=self._project,
            records=self._project / settings.records,
            docs=Path(config.docs_dir),
            site=Site(
                _base(config), (config.repo_url or "").rstrip("/"), settings.branch, settings.report or "", sections
            ),
            repositories=tuple(settings.repositories),
            outputs=Outputs(**{name: name in settings.outputs for name in COPIES}),
            highlight=_highlight_settings(config),
            about=self._about(config),
            security=self._security(),
            search=settings.search,
            fingerprint=cache.fingerprint(Path(config.config_file_path or "mkdocs.yml"), theme, shaping),
            jobs=settings.jobs,
            engine=self.engine,
            full=self.full,
            keep_going=settings.keep_going,
            allow_delete=settings.allow_delete,
            progress=self.progress,
        )


class Refused(Abort):
    """Ends MkDocs' build with a deliberate error: its report once, on stderr, and its exit status."""

    def __init__(self, error: ErrordexError) -> None:
        super().__init__(str(error))
        self.exit_code = error.exit_status  # type: ignore[misc]

    def show(self, *args: Any, **kwargs: Any) -> None:
        """Print the report as it is."""
        click.echo(self.format_message(), err=True)


class _Compiled(FileSystemBytecodeCache):
    """Compiled templates, of which one that is damaged counts as none."""

    def load_bytecode(self, bucket: Bucket) -> None:
        """Read a template's code, if it is sound."""
        try:
            super().load_bytecode(bucket)
        except (pickle.UnpicklingError, EOFError, ValueError, TypeError, AttributeError, ImportError, IndexError):
            bucket.reset()


class _Target(File):
    """A page that a sample links to: links to it are resolved, and MkDocs makes nothing of it."""

    def __init__(self, uri: str, config: MkDocsConfig) -> None:
        named = uri.removesuffix(".md") + ".html"
        super().__init__(uri, None, config.site_dir, config.use_directory_urls, dest_uri=named)
        self.inclusion = InclusionLevel.NOT_IN_NAV

    def is_documentation_page(self) -> bool:
        """No, or it would be read, rendered and written."""
        return False


def _refuse_files_for_pages(config: MkDocsConfig) -> None:
    """Raise `UsageError` where pages would not end in `/`: the ledger, the lookup and all links say that they do."""
    if not config.use_directory_urls:
        raise UsageError(
            f"{config.config_file_path}: use_directory_urls is false, and pages' addresses end in /; remove it [EDX053]"
        )


def _words(config: MkDocsConfig) -> Words:
    """The words, some of which a site's overrides may have in another language."""
    files = [Path(folder) / words.OWN for folder in config.theme.dirs]
    own = next((path for path in files if path.is_file()), None)
    return words.read(own) if own else words.shipped()


def _deferred(path: str) -> c.ExtraScriptValue:
    script = c.ExtraScriptValue(path)
    script.defer = True
    return script


def _too_strict(config: MkDocsConfig) -> bool:
    """Whether MkDocs will end this build for its warnings."""
    counters = [
        one for one in logging.getLogger(log.logger.name.partition(".")[0]).handlers if isinstance(one, CountHandler)
    ]
    return config.strict and any(counter.get_counts() for counter in counters)


def _resolved(config: MkDocsConfig) -> str:
    """The settings that shape pages as MkDocs resolved them, whatever file or variable they come from."""
    chosen: list[Any] = [{name: config[name] for name in SHAPING}]
    for name, plugin in config.plugins.items():
        if isinstance(plugin, ModuleType):
            chosen += [name, Path(str(plugin.__file__)).read_text("utf-8")]  # a hook
        elif name != "errordex":
            chosen += [name, dict(plugin.config)]
    return _plain(chosen)


def _plain(value: object) -> str:
    """Settings as text; of what has none, the kind."""
    return json.dumps(
        value, skipkeys=True, default=lambda one: dict(one) if isinstance(one, Mapping) else type(one).__qualname__
    )


def _named(choice: Any) -> Licence:
    return Licence(name=choice.name, url=choice.url or None) if choice.name else Licence()


def _theme_folders(config: MkDocsConfig) -> list[Path]:
    """The folders of overrides; the theme's own are known by its version."""
    return [Path(config.theme.custom_dir)] if config.theme.custom_dir else []


def _base(config: MkDocsConfig) -> str:
    return f"{config.site_url.rstrip('/')}/" if config.site_url else ""


def _unused(file: File) -> bool:
    """Whether a file of the theme serves nothing here: its bundle, its search and their source maps."""
    return file.src_uri.startswith("assets/javascripts/") or file.src_uri.endswith(".map")


def _highlight_settings(config: MkDocsConfig) -> dict[str, Any]:
    settings = dict(config.mdx_configs.get("pymdownx.highlight") or {})
    return {name: value for name, value in settings.items() if name in highlight.SETTINGS}
