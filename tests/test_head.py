"""What a page says of itself to machines, read back by real parsers."""

import io
import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from pyld import jsonld

from generator import dataset
from tests import sites
from tests.text import parse

SITE_URL = "https://host.example/some/path/"
HOSTILE = "</script><script>alert(1)</script> \"quoted\" 'single' & <!-- \u2028 ]]> \ue000id\ue001 {{ 7 * 7 }}"
RECORD = "b318b4f842689251"


def build(folder: Path, **settings: Any) -> tuple[Path, str]:
    """A site in which one message is hostile; its folder, and that page's address."""
    records = folder / "records"
    shutil.copytree(sites.ROOT / "records" / "sgl-project", records)
    path = next(records.rglob(f"{RECORD}.json"))
    document = json.loads(path.read_text("utf-8"))
    document["record"].update(errorMessage=HOSTILE, messagePattern=".+", documentation=HOSTILE)
    path.write_text(json.dumps(document), "utf-8")
    site = sites.build(folder, records, **settings)[1]
    return site, dataset.load_or_raise(records).by_id[RECORD].uri


@pytest.fixture(scope="module")
def site_and_uri(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    return build(tmp_path_factory.mktemp("head"), site_url=SITE_URL)


@pytest.fixture(scope="module")
def head(site_and_uri: tuple[Path, str]) -> Any:
    site, uri = site_and_uri
    return parse((site / uri / "index.html").read_text("utf-8")).find("head")


def named(head: Any, attribute: str) -> dict[str, str]:
    return {meta.get(attribute): meta.get("content") for meta in head.iter("meta") if meta.get(attribute)}


def linked(data: str) -> list[dict[str, Any]]:
    """The graph as a JSON-LD processor reads it; the vocabulary's own context is not fetched."""

    def loader(_url: str, _options: dict[str, Any]) -> dict[str, Any]:
        context = {"@context": {"@vocab": "https://schema.org/"}}
        return {"contentType": "application/ld+json", "contextUrl": None, "documentUrl": _url, "document": context}

    return list(jsonld.expand(json.loads(data), {"documentLoader": loader}))


def test_no_message_leaves_its_place(head: Any) -> None:
    scripts = [(script.get("type"), script.get("src")) for script in head.iter("script")]
    assert scripts == [
        (None, "../../../../assets/js/scheme.js"),
        ("module", "../../../../assets/js/page.js"),
        ("application/ld+json", None),
    ]
    shown = HOSTILE.replace("\u2028", "⟨U+2028⟩")
    assert head.findtext("title") == f"{shown} - Errordex"
    assert named(head, "property")["og:title"] == shown


def test_open_graph_and_canonical(head: Any, site_and_uri: tuple[Path, str]) -> None:
    canonical = [link.get("href") for link in head.iter("link") if link.get("rel") == "canonical"]
    properties = named(head, "property")
    assert canonical == [properties["og:url"]] == [SITE_URL + site_and_uri[1]]
    assert properties["og:type"] == "article"
    assert properties["og:image"] == f"{SITE_URL}assets/card.png"
    assert properties["og:description"] == named(head, "name")["description"]


def test_alternates_exist(head: Any, site_and_uri: tuple[Path, str]) -> None:
    site, uri = site_and_uri
    kinds = {link.get("type"): link.get("href") for link in head.iter("link") if link.get("rel") == "alternate"}
    assert kinds.keys() == {"application/json", "text/markdown", "application/atom+xml", "application/feed+json"}
    assert [href for href in kinds.values() if not (site / uri / href).resolve().is_file()] == []


def test_linked_data_says_what_the_page_is(head: Any, site_and_uri: tuple[Path, str]) -> None:
    text = next(script.text for script in head.iter("script") if script.get("type") == "application/ld+json")
    nodes = {node["@type"][0].rpartition("/")[2]: node for node in linked(text)}
    article = nodes["TechArticle"]
    vocabulary = "https://schema.org/"
    assert article[f"{vocabulary}headline"][0]["@value"].startswith("</script><script>alert(1)</script>")
    assert article[f"{vocabulary}dateModified"][0]["@value"] == "2026-08-28T05:10:05.995Z"
    assert article[f"{vocabulary}isBasedOn"][0]["@value"].startswith("https://github.com/sgl-project/sglang/blob/")
    assert len(nodes["BreadcrumbList"][f"{vocabulary}itemListElement"]) == 3


def test_the_picture_is_one(site_and_uri: tuple[Path, str]) -> None:
    content = (site_and_uri[0] / "assets/card.png").read_bytes()
    assert Image.open(io.BytesIO(content)).size == (1200, 630)


def test_a_site_without_an_address_has_relative_links_alone(tmp_path: Path) -> None:
    site, uri = build(tmp_path, site_url=None)
    found = parse((site / uri / "index.html").read_text("utf-8")).find("head")
    assert found is not None
    assert [link.get("href") for link in found.iter("link") if str(link.get("href")).startswith("http")] == []
    assert not (site / "sitemap.xml").exists()
