"""The design's promises about the code itself: which way imports go, and who may write, print or know MkDocs."""

import ast
import re
from pathlib import Path

import pytest

from tests import sites

PACKAGE = sites.ROOT / "generator"
TABLE = sites.ROOT / "docs" / "contributing" / "design.md"


def modules() -> dict[str, list[Path]]:
    """The package's modules, a subpackage counting as one, with their files."""
    found: dict[str, list[Path]] = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        name = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
        found.setdefault(name, []).append(path)
    return found


def imports(paths: list[Path]) -> set[str]:
    """What these files import, dotted, imports within functions included."""
    names: set[str] = set()
    for path in paths:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                names |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                names |= {f"{node.module}.{alias.name}" for alias in node.names} | {node.module}
    return names


def ours(paths: list[Path]) -> set[str]:
    return {name.split(".")[1] for name in imports(paths) if name.startswith("generator.")} & modules().keys()


def order() -> list[str]:
    """The modules as the design's table lists them: each imports only from rows above its own, or its own."""
    rows = [row for row in TABLE.read_text("utf-8").splitlines() if row.startswith("| `")]
    return [name for row in rows for name in re.findall(r"`([a-z_]+)/?`", row.split("|")[1])]


def test_the_table_lists_every_module_once() -> None:
    listed = [name for name in order() if name != "templates"]
    assert sorted(listed) == sorted(modules().keys() - {"__init__", "__main__"})


@pytest.mark.parametrize("module", sorted(modules().keys() - {"__init__", "__main__"}))
def test_imports_go_one_way(module: str) -> None:
    rows = [row for row in TABLE.read_text("utf-8").splitlines() if row.startswith("| `")]
    row_of = {name: index for index, row in enumerate(rows) for name in re.findall(r"`([a-z_]+)/?`", row.split("|")[1])}
    late = {name for name in ours(modules()[module]) if row_of.get(name, -1) > row_of[module]}
    assert late == set()


def test_only_mkdocs_side_knows_mkdocs() -> None:
    knowing = {
        name for name, paths in modules().items() if any(used.split(".")[0] == "mkdocs" for used in imports(paths))
    }
    assert knowing == {"settings", "plugin", "builds"}


def test_workers_need_no_mkdocs() -> None:
    reached, todo = set[str](), ["workers"]
    while todo:
        name = todo.pop()
        if name not in reached:
            reached.add(name)
            todo += ours(modules()[name])
    assert reached.isdisjoint({"plugin", "builds", "cli"})


def test_no_module_is_called_utils() -> None:
    assert not modules().keys() & {"utils", "helpers", "common", "base", "misc"}
