"""Addresses and path segments: what they may hold, that no two texts share one, and the way between pages."""

import re
from urllib.parse import unquote, urljoin, urlsplit

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from generator import urls
from tests import strategies

ROOT = "https://host.example/some/path/"

SPELT = {
    "ValueError": "ValueError",
    "next-token-logits": "next-token-logits",
    "a.b": "a.b",
    "": "~",
    ".": "~2E",
    "..": "~2E~2E",
    "...": "~2E.~2E",
    ".hidden": "~2Ehidden",
    "ends.": "ends~2E",
    "a b": "a~20b",
    "a/b": "a~2Fb",
    "~": "~7E",
    "std::runtime_error": "std~3A~3Aruntime_error",
    "é": "~C3~A9",
    "con": "~63on",
    "NUL.txt": "~4EUL.txt",
    "com1": "~63om1",
    "com10": "com10",
    "console": "console",
    "page": "~70age",
    "index.html": "~69ndex.html",
    "INDEX.MD": "~49NDEX.MD",
    "index": "index",
}
DEVICES = [
    "con",
    "prn",
    "aux",
    "nul",
    "conin$",
    "conout$",
    "clock$",
    *(f"{port}{n}" for port in ("com", "lpt") for n in range(10)),
]

segments = st.one_of(
    strategies.nasty_text,
    st.text("aA.~-_ E2", max_size=6),
    st.sampled_from([*SPELT, *DEVICES, "x" * 99, "x" * 100, "x" * 101, "é" * 40, "a." * 60]),
    st.text("xX", min_size=98, max_size=120),
)


@pytest.mark.parametrize(("text", "spelt"), SPELT.items(), ids=lambda value: value or "empty")
def test_segment(text: str, spelt: str) -> None:
    assert urls.segment(text) == spelt


@given(segments)
def test_segment_is_safe_on_every_file_system(text: str) -> None:
    spelt = urls.segment(text)
    assert re.fullmatch(r"[A-Za-z0-9._~-]+", spelt)
    assert len(spelt) <= urls.MAX_SEGMENT
    assert not spelt.startswith(".")
    assert not spelt.endswith(".")
    assert spelt.partition(".")[0].lower() not in DEVICES
    assert spelt.lower() not in {"page", "index.html", "index.md"}


@given(segments, segments)
@example("con", "~63on")
@example("a.", "a~2E")
@example("", "~")
@example("K", "\u212a")
@example("s", "ſ")
@example("x" * 101, "x" * 100)
def test_different_texts_never_share_a_segment_or_a_page(one: str, other: str) -> None:
    assume(ascii_folded(one) != ascii_folded(other))
    assert urls.segment(one).casefold() != urls.segment(other).casefold()
    assert urls.page("o/n", one).casefold() != urls.page("o/n", other).casefold()


@given(segments)
def test_a_short_segment_can_be_read_back(text: str) -> None:
    spelt = urls.segment(text)
    assume("~-" not in spelt and spelt != "~")
    assert unquote(spelt.replace("~", "%"), errors="strict") == text


@given(segments)
def test_a_page_is_one_folder_whose_name_has_no_suffix(slug: str) -> None:
    """Servers and MkDocs take what follows a dot for a file's type."""
    folder = urls.page("acme/tool", slug).removeprefix("errors/acme/tool/").removesuffix("/")
    assert folder
    assert not {"/", "."} & set(folder)
    assert len(folder) <= urls.MAX_SEGMENT


@pytest.mark.parametrize("slug", ["index", "Index", "api", "search", "sitemap.xml", "assets", "404", "tags", "page"])
def test_a_slug_never_takes_an_address_of_the_site(slug: str) -> None:
    page = urls.page("acme/tool", slug)
    assert page.startswith("errors/acme/tool/")
    assert page not in {urls.numbered(urls.repository("acme/tool"), 1), "errors/acme/tool/page/"}


@pytest.mark.parametrize("name", ["api", "search", "page", "index", "sitemap.xml", "con", ".github", "a.b"])
def test_a_repository_never_takes_an_address_of_the_site(name: str) -> None:
    hub = urls.repository(f"acme/{name}")
    assert re.fullmatch(r"errors/acme/[^/]+/", hub)
    assert hub != "errors/acme/page/"


uris = st.lists(st.sampled_from(["a", "b", "errors", "page", "2", "~C3~A9"]), max_size=4).map(
    lambda parts: "".join(f"{part}/" for part in parts)
)
files = st.builds("{}{}".format, uris, st.sampled_from(["", "index.md", "x.json", "a"]))


@given(files, files)
@example("", "")
@example("a/b", "a/b/")
@example("a/", "a")
def test_relative_is_the_inverse_of_joining(target: str, base: str) -> None:
    way = urls.relative(target, base)
    assert way
    assert not urlsplit(way).scheme
    assert not way.startswith("/")
    assert urljoin(ROOT + base, way) == ROOT + target


def test_the_first_page_of_a_hub_is_the_hub() -> None:
    hub = urls.hub("tags", "cuda")
    assert [urls.numbered(hub, number) for number in (1, 2)] == ["tags/cuda/", "tags/cuda/page/2/"]
    assert urls.hub("tags") == "tags/"


def ascii_folded(text: str) -> str:
    return re.sub("[A-Z]", lambda match: match.group().lower(), text)
