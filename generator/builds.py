"""Runs a MkDocs build or its live server for the command; with `plugin`, the only importer of mkdocs."""

import gc
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from generator import workers
from generator.making import Outcome
from generator.problems import ErrordexError, Interrupted, Problem, UsageError
from generator.workers import Engine

os.environ.setdefault("NO_MKDOCS_2_WARNING", "1")

from click import ClickException
from mkdocs.commands import build as mkdocs_build
from mkdocs.commands import serve as mkdocs_serve
from mkdocs.config import load_config
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import Abort, ConfigurationError

from generator.plugin import ErrordexPlugin


@dataclass(frozen=True, slots=True)
class Built:
    """A finished build: where the site is, what it has, why all was made (or empty), and what was left out and why."""

    site: str
    outcome: Outcome
    reason: str
    problems: tuple[Problem, ...]


def build(
    config_file: Path,
    output: Path | None = None,
    *,
    jobs: int | None = None,
    full: bool = False,
    keep_going: bool = False,
    allow_delete: bool = False,
    strict: bool = False,
    executor: str = "local",
    scheduler: str | None = None,
    progress: Callable[[str, int, int], None] | None = None,
) -> Built:
    """Build the site of `config_file` into `output`, or its `site_dir`.

    Raises `ErrordexError` with a report, exit status within; `UsageError` for settings that do not hold.
    """
    config = _config(config_file, output, strict)
    plugin = _plugin(config)
    plugin.config.jobs = jobs or plugin.config.jobs
    plugin.config.keep_going = keep_going or plugin.config.keep_going
    plugin.config.allow_delete = allow_delete or plugin.config.allow_delete
    plugin.full, plugin.progress = full, progress or plugin.progress
    plugin.engine = _engine(executor, scheduler)
    gc.set_threshold(*workers.SELDOM)
    try:
        mkdocs_build.build(config)
    except KeyboardInterrupt:
        raise Interrupted("interrupted; the site is whole, so build again when you like") from None
    except Abort as error:
        raise plugin.failure or ErrordexError(
            f"{config_file}: {error.message}; mend what is named above [EDX056]"
        ) from None
    finally:
        plugin.let_go()
        config.plugins.on_shutdown()
    if plugin.outcome is None or plugin.making is None:
        raise ErrordexError(
            f"{config_file}: MkDocs did not finish the build; run it with --verbose to see why [EDX056]"
        )
    return Built(str(config.site_dir), plugin.outcome, plugin.making.reason, plugin.making.problems)


def _engine(executor: str, scheduler: str | None) -> Engine | None:
    """What runs the workers, where it is not processes of this machine."""
    if (executor == "dask") != bool(scheduler):
        raise UsageError("--executor dask and --scheduler ADDRESS go together; give both, or neither [EDX053]")
    return workers.dask(scheduler) if scheduler else None


def site_url(config_file: Path) -> str:
    """The address that the settings give the site; empty where they give none."""
    return _config(config_file, None, strict=False).site_url or ""


def serve(config_file: Path, address: str) -> None:
    """Build, show on `address` (host:port), and build again on every change, until interrupted."""
    _plugin(_config(config_file, None, strict=False))
    try:
        mkdocs_serve.serve(str(config_file), dev_addr=address, livereload=True)
    except Abort as error:
        raise ErrordexError(f"{config_file}: {error.message}; mend what is named above [EDX056]") from None


def _config(config_file: Path, output: Path | None, strict: bool) -> MkDocsConfig:
    overrides = {"site_dir": str(output.resolve())} if output else {}
    try:
        config = load_config(str(config_file), strict=strict or None, **overrides)
        config.plugins.on_startup(command="build", dirty=False)
    except (ConfigurationError, ClickException, Abort) as error:
        raise UsageError(
            f"{config_file}: MkDocs refuses the settings ({error.format_message()}); mend what it names above [EDX053]"
        ) from None
    return config


def _plugin(config: MkDocsConfig) -> ErrordexPlugin:
    plugin = config.plugins.get("errordex")
    if not isinstance(plugin, ErrordexPlugin):
        raise UsageError(f"{config.config_file_path}: the plugin errordex is not on; add it under plugins [EDX053]")
    return plugin
