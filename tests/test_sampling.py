"""A few pages by both roads in every build: what parts them is found and named, and no record's syntax acts."""

import logging
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from generator import builds, escape, sampling
from generator.problems import ErrordexError
from tests import samples, sites

SHIPPED = yaml.safe_load((sites.ROOT / "mkdocs.yml").read_text("utf-8"))["markdown_extensions"]


class Listener(logging.Handler):
    """Keeps what MkDocs and its plugins warn of."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.records: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.records.append(record)


@pytest.fixture
def warned() -> Iterator[list[logging.LogRecord]]:
    listener = Listener()
    logging.getLogger("mkdocs").addHandler(listener)
    yield listener.records
    logging.getLogger("mkdocs").removeHandler(listener)


def project(folder: Path, *extensions: Any, **settings: Any) -> Path:
    samples.tree(folder / "records", *(samples.record(number) for number in range(1, 4)))
    return sites.small(folder, markdown_extensions=[*SHIPPED, *extensions], **settings)


ACTING: dict[str, Any] = {
    "smarty": "smarty",
    "pymdownx.smartsymbols": "pymdownx.smartsymbols",
    "pymdownx.emoji": "pymdownx.emoji",
    "pymdownx.magiclink": "pymdownx.magiclink",
    "pymdownx.mark": "pymdownx.mark",
    "pymdownx.snippets": "pymdownx.snippets",
    "pymdownx.arithmatex": "pymdownx.arithmatex",
    "abbr": {"abbr": {"glossary": {"setting": "A choice."}}},
}


LIVELY = '"It\'s" --> (c) :smile: https://example.org ==mark== $x$ a setting'


@pytest.mark.parametrize("name", ACTING)
def test_an_extension_that_acts_on_text_is_named(name: str, tmp_path: Path, warned: list[logging.LogRecord]) -> None:
    config = project(tmp_path, ACTING[name])
    samples.tree(tmp_path / "records", samples.record(1, documentation=LIVELY))
    site = sites.built(config)
    assert [(record.name, f"the cause is {name}, " in record.getMessage()) for record in warned] == [
        ("mkdocs.plugins.errordex", True)
    ]
    page = (site / "errors/acme/tool/error-1/index.html").read_text("utf-8")
    assert escape.html(LIVELY) in page, "the stencil is kept"


HARMLESS = ("nl2br", "sane_lists", "md_in_html", "admonition", "footnotes", "def_list", "abbr", "pymdownx.details")


def test_extensions_that_act_on_none_are_not_named(tmp_path: Path, warned: list[logging.LogRecord]) -> None:
    sites.built(project(tmp_path, *HARMLESS, {"toc": {"permalink": True}}), strict=True)
    assert warned == []


def test_two_that_act_are_both_named(tmp_path: Path, warned: list[logging.LogRecord]) -> None:
    sites.built(project(tmp_path, "smarty", "footnotes", "pymdownx.emoji"))
    assert "the cause is smarty, pymdownx.emoji, which" in warned[0].getMessage()


def test_strict_fails_each_time_and_publishes_nothing(tmp_path: Path) -> None:
    site = sites.built(project(tmp_path))
    whole = sites.contents(site)
    config = project(tmp_path, "smarty")
    for _ in range(2):
        with pytest.raises(ErrordexError, match="1 warnings in strict mode"):
            builds.build(config, strict=True)
        assert sites.contents(site) == whole
    builds.build(config)
    with pytest.raises(ErrordexError, match="1 warnings in strict mode"):
        builds.build(config, strict=True)


@pytest.mark.parametrize("program", ["generator", "mkdocs", "properdocs"])
def test_every_command_warns_and_is_strict(program: str, tmp_path: Path) -> None:
    config = project(tmp_path, "smarty")
    if program == "properdocs":
        config = config.rename(config.with_name("properdocs.yml"))
    for options, status in (([], 0), (["--strict"], 1)):
        done = subprocess.run(
            [sys.executable, "-m", program, "build", "--config-file", str(config), *options],
            cwd=sites.ROOT,
            capture_output=True,
            text=True,
            env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
            check=False,
        )
        assert (done.returncode, done.stderr.count("the cause is smarty")) == (status, 1)


def test_quiet_is_strict_too(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "generator", "build", "--strict", "--quiet", "--config-file"]
    done = subprocess.run([*command, project(tmp_path, "smarty")], cwd=sites.ROOT, capture_output=True, check=False)
    assert (done.returncode, b"WARNING" in done.stderr) == (1, False)
    assert not (tmp_path / "site").exists()


def test_the_shipped_settings_are_silent(tmp_path: Path, warned: list[logging.LogRecord]) -> None:
    sites.build(tmp_path, sites.ROOT / "records", strict=True)
    assert warned == []


def test_the_shipped_settings_are_those_that_are_known() -> None:
    names = {name for one in SHIPPED for name in ([one] if isinstance(one, str) else one)}
    assert names | {"fenced_code"} == set(sampling.SHIPPED)


HOOK = """
seen = []

def on_page_markdown(markdown, page, **_):
    seen.append(markdown)
    return markdown.replace("{{ 7*7 }}", "49")
"""

HOSTILE = "{{ 1/0 }} {% include 'x' %} `{{ config }}` ${x} :bomb: $(rm)"


def test_a_plugin_is_named_and_meets_no_syntax_of_records(tmp_path: Path, warned: list[logging.LogRecord]) -> None:
    hook = tmp_path / "hook.py"
    hook.write_text(HOOK, "utf-8")
    texts = dict.fromkeys(("errorMessage", "documentation", "triggerScenarios", "handlingStrategy"), HOSTILE)
    code = '--8<-- "/etc/hostname"\n{{ 1/0 }}\n'
    codes = dict.fromkeys(("exampleFix", "validationCode", "typeGuard", "tryCatchPattern"), code)
    lists = {name: [HOSTILE] for name in ("solutions", "preventionTips")}
    record = samples.record(
        1, sourceCode=code * 2, messagePattern=samples.pattern_of(HOSTILE), **texts, **codes, **lists
    )
    samples.tree(tmp_path / "records", record)
    site = sites.built(sites.small(tmp_path, hooks=[str(hook)]))
    assert f"the cause is {hook}, which" in warned[0].getMessage()
    seen = "\n".join(sys.modules[str(hook)].seen)
    assert "=/=" in seen, "a sample went by"
    assert [part for part in ("1/0", "{%", "{{ config", ":bomb:", "rm)", "hostname") if part in seen] == []
    assert "{{ 1/0 }} {% include" in (site / "errors/acme/tool/error-1/index.html").read_text("utf-8")


def test_samples_leave_nothing_behind(tmp_path: Path) -> None:
    """With Material's search on, neither a sample nor a shape is found by it."""
    config = project(tmp_path, plugins=["search", {"errordex": {"records": str(tmp_path / "records")}}])
    built = builds.build(config)
    index = Path(built.site, "search/search_index.json").read_text("utf-8")
    assert "errors/" not in index
    assert sites.clean(config, tmp_path) == sites.contents(Path(built.site))


def test_long_records_are_not_sampled(tmp_path: Path) -> None:
    samples.tree(tmp_path / "records", samples.record(1, documentation="[" * 60_000))
    sites.built(sites.small(tmp_path), strict=True)


PAGES = (
    ("<p>a</p>", "<p>a</p>", False),
    ("<p>a &amp; b</p>", "<p>a &#38; b</p>", False),
    ('<p id="x" class="y">a<br></p>', "<p class='y' id=x>a<br /></p>", False),
    ("<p>a</p>", "<p>b</p>", True),
    ("<p>a</p>", "<p><b>a</b></p>", True),
    ('<p class="a">a</p>', "<p>a</p>", True),
    ("<p>a</p><p>", "<p>a</p>", True),
)


@pytest.mark.parametrize(("one", "other", "unlike"), PAGES)
def test_differ(one: str, other: str, unlike: bool) -> None:
    assert sampling.differ(one, other) is unlike
