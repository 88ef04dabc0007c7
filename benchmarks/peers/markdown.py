"""The Markdown of record pages and lists as Errordex publishes it, laid out for builders that read Markdown."""

import re
from pathlib import Path
from typing import Any

import yaml

from benchmarks.peers.peer import SITE, Ground

_TEMPLATE = re.compile(r"\A---\n(.*?)^template: ([^\n]*)\n", re.DOTALL | re.MULTILINE)
_LIST, _UNSEARCHED = "hub.html", "search:\n  exclude: true\n"

SETTINGS: dict[str, Any] = {
    "site_name": "Errors",
    "site_url": SITE,
    "theme": {"name": "material"},
    "plugins": ["search"],
    "nav": [{"Home": "index.md"}],
    "not_in_nav": "*",
    "markdown_extensions": [
        "attr_list",
        "tables",
        {"toc": {"permalink": False}},
        {
            "pymdownx.highlight": {
                "use_pygments": True,
                "guess_lang": False,
                "anchor_linenums": False,
                "linenums_style": "pymdownx-inline",
                "stripnl": False,
            }
        },
        {"pymdownx.superfences": {"preserve_tabs": True}},
    ],
}
"""Stock Material with its search. A nav of all pages would be repeated on each of them, so there is none."""


def lay_out(ground: Ground, *, lists_searched: bool = True) -> None:
    """Copy every `index.md`, without the name of our templates, and write the home page and mkdocs.yml.

    Without `lists_searched`, lists are left out of the builder's search.
    """
    docs = ground.project / "docs"
    for path in ground.published.rglob("index.md"):
        target = docs / path.relative_to(ground.published)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(without_template(path.read_text("utf-8"), lists_searched=lists_searched), "utf-8")
    (docs / "index.md").write_text(_home(docs), "utf-8")
    (ground.project / "mkdocs.yml").write_text(yaml.safe_dump(SETTINGS), "utf-8")


def without_template(page: str, *, lists_searched: bool = True) -> str:
    """`page` without the line of its front matter that names a template; a list may be left out of the search there."""
    return _TEMPLATE.sub(
        lambda match: f"---\n{match[1]}{'' if lists_searched or match[2] != _LIST else _UNSEARCHED}", page
    )


def _home(docs: Path) -> str:
    lists = sorted(path.parent.name for path in docs.glob("*/index.md"))
    return "# Errors\n\n" + "".join(f"- [{name}]({name}/index.md)\n" for name in lists)
