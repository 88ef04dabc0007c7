"""The other road to a page: plain MkDocs, without this plugin, builds the published Markdown itself."""

import shutil
from pathlib import Path
from typing import Any

import yaml
from mkdocs.commands.build import build
from mkdocs.config import load_config

from tests import sites


def plain(folder: Path, site: Path, **settings: Any) -> Path:
    """Build every `index.md` of a published site with plain MkDocs and this repository's theme; the new site."""
    docs = folder / "docs"
    for path in site.rglob("index.md"):
        target = docs / path.relative_to(site)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)
    (docs / "index.md").write_text("---\ntitle: Home\n---\n", "utf-8")
    config = yaml.safe_load((sites.ROOT / "mkdocs.yml").read_text("utf-8"))
    config["theme"]["custom_dir"] = str(sites.ROOT / "overrides")
    config.update(docs_dir=str(docs), site_dir=str(folder / "site"), plugins=[], nav=[{"Home": "index.md"}], **settings)
    (folder / "mkdocs.yml").write_text(yaml.safe_dump(config), "utf-8")
    build(load_config(str(folder / "mkdocs.yml")))
    return folder / "site"
