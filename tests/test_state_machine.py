"""Whatever happens to records, articles and settings between builds, the site is the one that a clean build makes.

Two short histories in the fast suite, many and longer ones by `make test-slow`.
"""

import itertools
import json
import os
import shutil
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    consumes,
    initialize,
    invariant,
    multiple,
    rule,
    run_state_machine_as_test,
)

from generator import builds, dataset, ledger, ledger_command
from generator.problems import InvalidRecords
from tests import samples, sites

MESSAGES = ("cannot open {path}", "no such key", "no such key", "`x` is < 0 & wrong", "a\nb")
FAMILIES = (None, "missing-required-argument", "lost-file", "Lost-File")
CHANGES: dict[str, st.SearchStrategy[Any]] = {
    "documentation": st.sampled_from(("", "One text.", "Two.\n\nParagraphs `of` it.")),
    "errorMessage": st.sampled_from(MESSAGES),
    "slug": st.sampled_from(("a", "b", "c", "page", "index")),
    "repo": st.sampled_from(("acme/tool", "acme/other")),
    "errorClass": st.sampled_from(("OpenError", "openerror", "KeyError")),
    "errorCode": st.sampled_from((None, "E1", "e1")),
    "httpStatus": st.sampled_from((None, 404)),
    "severity": st.sampled_from(("critical", "error", "info")),
    "tags": st.lists(st.sampled_from(("files", "Files", "keys")), max_size=2),
    "backgroundTag": st.sampled_from(FAMILIES),
    "solutions": st.lists(st.sampled_from(("Do this", "Or\n\nthat")), max_size=2),
    "exampleFix": st.sampled_from((None, "x = 1\n")),
    "analyzedAt": st.sampled_from(("2026-08-28T05:10:05.995Z", "2026-08-30T00:00:00+02:00")),
    "aliases": st.lists(st.sampled_from(("acme/tool/old", "acme/tool/older")), max_size=1),
}
SETTINGS: dict[str, st.SearchStrategy[Any]] = {
    "site_name": st.sampled_from(("Errors", "Faults & errors")),
    "site_url": st.sampled_from(("https://host.example/some/path/", "https://host.example/", None)),
    "repo_url": st.sampled_from(("https://github.com/acme/errors", None)),
    "plugin": st.sampled_from(({}, {"outputs": []}, {"outputs": ["permalinks"]}, {"branch": "trunk"})),
}


class Histories(RuleBasedStateMachine):
    """Records by number, as `samples` makes them; a build may be refused, but then leaves the site as it was."""

    numbers = Bundle("numbers")

    @initialize(target=numbers)
    def begin(self) -> Any:
        self.folder = Path(tempfile.mkdtemp())
        self.settings: dict[str, Any] = {"site_url": "https://host.example/"}
        self.count = itertools.count(1)
        self.made: dict[str, bytes] = {}
        return multiple(*(self.add() for _ in range(4)))

    def write(self, number: int, **changes: Any) -> None:
        """Change a record, or make it; its file has its number."""
        path = self.path(number)
        known = json.loads(path.read_bytes())["record"] if path.exists() else samples.record(number)
        record = {name: value for name, value in (known | changes).items() if (name, value) != ("withdrawn", None)}
        record |= {
            "messagePattern": samples.pattern_of(record["errorMessage"]),
            "githubUrl": samples.github_url(record),
        }
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(samples.raw(record))

    def path(self, number: int) -> Path:
        return self.folder / "records" / f"{number}.json"

    def add(self) -> int:
        number = next(self.count)
        self.write(number)
        return number

    @rule(target=numbers)
    def another(self) -> int:
        return self.add()

    @rule(number=consumes(numbers))
    def remove(self, number: int) -> None:
        self.path(number).unlink()

    @rule(number=numbers, change=st.sampled_from(sorted(CHANGES)), values=st.data())
    def change(self, number: int, change: str, values: st.DataObject) -> None:
        self.write(number, **{change: values.draw(CHANGES[change])})

    @rule(number=numbers, other=numbers, named=st.booleans())
    def withdraw(self, number: int, other: int, named: bool) -> None:
        replacement = f"{other:016x}" if named else None
        given = {"time": "2026-09-01T00:00:00Z", "reason": "Wrong.", "replacement": replacement}
        self.write(number, withdrawn=given)

    @rule(number=numbers)
    def restore(self, number: int) -> None:
        self.write(number, withdrawn=None)

    @rule(number=numbers)
    def touch(self, number: int) -> None:
        """The same record in another file, and older than it was."""
        content = self.path(number).read_bytes()
        self.path(number).unlink()
        self.path(number).write_bytes(content)
        os.utime(self.path(number), (0, 0))

    @rule(
        family=st.sampled_from(FAMILIES[1:]),
        text=st.sampled_from((None, "# A title\n\nText.\n", "# Another\n\n[Home](../index.md)\n")),
    )
    def article(self, family: str, text: str | None) -> None:
        path = self.folder / "docs" / "families" / f"{family}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        if text is not None:
            path.write_text(text, "utf-8")

    @rule(text=st.sampled_from((None, "# A page\n")))
    def page(self, text: str | None) -> None:
        path = self.folder / "docs" / "page.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        if text is not None:
            path.write_text(text, "utf-8")

    @rule(setting=st.sampled_from(sorted(SETTINGS)), values=st.data())
    def setting(self, setting: str, values: st.DataObject) -> None:
        self.settings[setting] = values.draw(SETTINGS[setting])

    @rule()
    def enter(self) -> None:
        """What there is now goes into the ledger, whoever had it before."""
        path = self.folder / ledger.NAME
        now = ledger_command.present(path, dataset.load(self.folder / "records")[0])
        path.write_bytes(ledger.written(now.listed | now.site))

    @rule()
    def build(self) -> None:
        config = sites.small(self.folder, **self.settings)
        refused = ""
        try:
            builds.build(config, allow_delete=True)
        except InvalidRecords as invalid:
            refused = str(invalid)
        found = sites.contents(self.folder / "site") if (self.folder / "site").exists() else {}
        try:
            self.made = sites.clean(config, self.folder)
        except InvalidRecords as invalid:
            assert str(invalid) == refused
        else:
            assert refused == ""
        differing = [path for path in found.keys() | self.made.keys() if found.get(path) != self.made.get(path)]
        assert sorted(differing) == []

    @invariant()
    def nothing_is_left_of_builds(self) -> None:
        workspaces = (self.folder / ".errordex").glob("*/*") if hasattr(self, "folder") else ()
        assert {path.name for path in workspaces} <= sites.KEPT

    def teardown(self) -> None:
        if hasattr(self, "folder"):
            self.build()
            shutil.rmtree(self.folder)


def histories(count: int, steps: int) -> settings:
    return settings(
        max_examples=count, stateful_step_count=steps, suppress_health_check=list(HealthCheck), print_blob=True
    )


TestHistories = Histories.TestCase
TestHistories.settings = histories(2, 14)


@pytest.mark.slow
def test_many_histories() -> None:
    run_state_machine_as_test(Histories, settings=histories(100, 20))
