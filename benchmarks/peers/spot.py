"""Spot checks: whether a builder did the work that its time is for. Each problem names a page and what it lacks."""

import json
import re
from collections.abc import Iterator, Sequence
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from generator import urls

SAMPLE = 25
"""Records that are looked at, spread evenly over the ids."""

PAGES = "errors/*/*/*/index.html"


def records(root: Path) -> list[dict[str, Any]]:
    """The envelopes of `SAMPLE` records below `root`, or of all where there are fewer, by id."""
    paths = sorted(root.rglob("*.json"), key=lambda path: path.name)
    step = max(1, len(paths) // SAMPLE)
    return [json.loads(path.read_bytes()) for path in paths[::step][:SAMPLE]]


def problems(site: Path, count: int, sample: Sequence[dict[str, Any]], highlighted: str, mirror: str) -> Iterator[str]:
    """Yield what `site` lacks: record pages to make `count`, and of each sampled record's page, lists and JSON.

    `highlighted` is a regular expression of highlighted code, `mirror` the JSON's path as `Peer` gives it.
    """
    found = sum(1 for _ in site.glob(PAGES))
    if found != count:
        yield f"{found:,} record pages, not {count:,}"
    for envelope in sample:
        record = envelope["record"]
        yield from _page_problems(site, record, highlighted)
        yield from _list_problems(site, record)
        if mirror:
            yield from _mirror_problems(site / mirror.format(**record), envelope)


def _page_problems(site: Path, record: dict[str, Any], highlighted: str) -> Iterator[str]:
    uri = urls.page(record["repo"], record["slug"])
    path = site / urls.html(uri)
    if not path.is_file():
        yield f"{uri}: no page"
        return
    page = path.read_text("utf-8")
    seen = text(page)
    raised = record["sourceCode"].split("\n")[record["lineNumber"] - record["sourceCodeStart"]]
    wanted = {
        "the message": record["errorMessage"],
        "the meaning": record["documentation"].replace("`", "")[:40],
        "the last solution": record["solutions"][-1].replace("`", "")[:40],
        "the line of the raise": raised,
    }
    yield from (f"{uri}: lacks {what}" for what, words in wanted.items() if _squeezed(words) not in seen)
    if len(re.findall(highlighted, page)) < 3:
        yield f"{uri}: its code is not highlighted"


def _list_problems(site: Path, record: dict[str, Any]) -> Iterator[str]:
    """The lists of the record's repository, class, severity and family must link its page, on one of their pages."""
    keys = {"classes": record["errorClass"], "severities": record["severity"], "families": record["backgroundTag"]}
    lists = [urls.repository(record["repo"]), *(urls.hub(kind, key) for kind, key in keys.items() if key)]
    link = f"/{record['slug']}/"
    own = f'"{record["slug"]}/'
    for uri in lists:
        pages = [site / uri / "index.html", *(site / uri).glob("page/*/index.html")]
        shown = [page.read_text("utf-8") for page in pages if page.is_file()]
        if not any(link in page or own in page for page in shown):
            yield f"{uri}: does not list {record['id']}"


def _mirror_problems(path: Path, envelope: dict[str, Any]) -> Iterator[str]:
    try:
        same = json.loads(path.read_bytes()) == envelope
    except (OSError, ValueError):
        same = False
    if not same:
        yield f"{envelope['record']['id']}: no JSON that equals the record"


def text(page: str) -> str:
    """What a page shows, without any white space, which builders wrap as they like."""
    reader = _Text()
    reader.feed(page)
    reader.close()
    return _squeezed("".join(reader.pieces))


class _Text(HTMLParser):
    """Collects the text between tags, that of scripts and styles left out."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.pieces: list[str] = []
        self._hidden = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002 - HTMLParser names the arguments
        self._hidden = tag in ("script", "style")

    def handle_endtag(self, tag: str) -> None:  # noqa: ARG002
        self._hidden = False

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            self.pieces.append(data)


def _squeezed(words: str) -> str:
    return "".join(words.split())
