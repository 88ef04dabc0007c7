"""`llms.txt` and the repositories' lists, read by a parser that is not ours."""

from pathlib import Path
from typing import Any

import pytest
from llms_txt import parse_llms_file

from generator import agents
from generator.about import About
from tests import mirrors


def parsed(text: bytes) -> Any:
    return parse_llms_file(text.decode())


def test_llms_txt_is_small_and_leads_to_the_lists_and_they_to_the_pages() -> None:
    files = mirrors.files(mirrors.seeds())
    overview = parsed(files["llms.txt"])
    assert overview.title == "Errordex"
    assert overview.summary == "Errors & what they mean."
    assert [link.title for link in overview.sections["Repositories"]] == ["sgl-project/sglang"]
    for section in overview.sections.values():
        for link in section:
            assert link.url.removeprefix(mirrors.SITE) in files
    listed = parsed(files["llms/sgl-project/sglang.txt"]).sections["Errors"]
    assert [link.url for link in listed] == [f"{mirrors.SITE}{entry.uri}index.md" for entry in mirrors.seeds().entries]
    assert all(entry.message[:60] in link.desc for entry, link in zip(mirrors.seeds().entries, listed, strict=True))


def test_without_markdown_pages_links_lead_to_json_and_without_an_address_from_the_root() -> None:
    files = mirrors.files(mirrors.seeds(), About(), markdown=False)
    urls = [link.url for link in parsed(files["llms/sgl-project/sglang.txt"]).sections["Errors"]]
    assert urls == [f"api/errors/{entry.id}.json" for entry in mirrors.seeds().entries]


def test_hostile_messages_stay_one_line_and_no_html(tmp_path: Path) -> None:
    message = "a\n## Errors\n- [x](http://evil.example)\u202e<script>alert(1)</script> `"
    slug = "](http://evil.example)"
    mirrors.write(tmp_path, mirrors.variant(1, errorMessage=message, messagePattern="a", slug="x"))
    mirrors.write(tmp_path, mirrors.variant(2, slug="a](b)[c"))
    del slug
    text = mirrors.files(mirrors.load(tmp_path))["llms/acme/tool.txt"]
    listed = parsed(text).sections["Errors"]
    assert [link.url.startswith(mirrors.SITE) for link in listed] == [True, True]
    assert b"\n## Errors" in text and text.count(b"\n## Errors") == 1
    assert b"\n<" not in text and b" <script" not in text and "\u202e".encode() not in text


def test_many_repositories_and_long_lists_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(agents, "REPOSITORIES", 2)
    monkeypatch.setattr(agents, "LIST_BYTES", 500)
    mirrors.write(tmp_path, *(mirrors.variant(n, repo=f"acme/tool-{n % 4 % 3}") for n in range(9)))
    files = mirrors.files(mirrors.load(tmp_path))
    named = [link.title for link in parsed(files["llms.txt"]).sections["Repositories"]]
    assert named == ["acme/tool-0", "acme/tool-1", "1 more"]
    parts = [path for path in files if path.startswith("llms/acme/tool-0")]
    assert parts[:2] == ["llms/acme/tool-0.txt", "llms/acme/tool-0~2.txt"]
    assert all(len(content) < 900 for path, content in files.items() if path in parts)
    links = [link for path in parts for link in parsed(files[path]).sections["Errors"]]
    assert sum(link.title.startswith("error-") for link in links) == 5
