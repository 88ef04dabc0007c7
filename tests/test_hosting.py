"""The files that hosts read, and the guide's nginx configuration in a real nginx."""

import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from urllib.robotparser import RobotFileParser

import pytest
from jinja2 import Environment, FileSystemLoader

from generator import hosting, permalinks
from generator.about import About
from generator.hosting import Security
from generator.problems import UsageError
from tests import mirrors

needs_nginx = pytest.mark.skipif(mirrors.nginx() is None, reason="nginx is not installed")
SECURITY = Security(
    contact=("mailto:security@e.example", "https://e.example/report"), expires="2099-12-31T00:00:00Z", languages=("en",)
)


def made(about: About = mirrors.ABOUT, **options: object) -> dict[str, str]:
    return {file.path: file.content.decode() for file in hosting.files(about, **options)}  # type: ignore[arg-type]


def test_robots_allows_all_and_names_the_sitemap() -> None:
    robots = RobotFileParser()
    robots.parse(made()["robots.txt"].splitlines())
    assert robots.site_maps() == [f"{mirrors.SITE}sitemap.xml"]
    assert robots.can_fetch("anyone", "/errors/a/b/c/")
    assert "Sitemap" not in made(About())["robots.txt"]


def test_what_the_owner_wrote_by_hand_is_left_alone() -> None:
    assert set(made(given={"robots.txt", "_headers"}, security=SECURITY)) == {
        ".nojekyll",
        "_redirects",
        ".well-known/security.txt",
    }


def test_security_txt_has_the_fields_of_rfc_9116() -> None:
    about = About(url="https://e.example/")
    assert made(about, security=SECURITY)[".well-known/security.txt"].splitlines() == [
        "Contact: mailto:security@e.example",
        "Contact: https://e.example/report",
        "Expires: 2099-12-31T00:00:00Z",
        "Canonical: https://e.example/.well-known/security.txt",
        "Preferred-Languages: en",
    ]
    assert ".well-known/security.txt" not in made()


@pytest.mark.parametrize(
    "security",
    [
        Security(contact=("a@b.example",), expires="2099-12-31T00:00:00Z"),
        Security(contact=("mailto:a@b.example\nContact: x",), expires="2099-12-31T00:00:00Z"),
        Security(contact=("mailto:a@b.example",)),
    ],
)
def test_security_settings_that_cannot_be_are_refused(security: Security) -> None:
    with pytest.raises(UsageError, match="security"):
        made(security=security)


def test_headers_are_within_the_hosts_limits_and_no_two_rules_set_one_header() -> None:
    blocks = made()["_headers"].strip().split("\n\n")
    assert len(blocks) == len(hosting.RULES) <= hosting.MAX_RULES
    assert all(len(line) <= 2_000 for block in blocks for line in block.splitlines())
    for rule, _ in hosting.RULES:
        assert rule.count("*") <= 1
        uri = re.sub(r":\w+|\*", "x", rule)
        names = [name for other, named in hosting.RULES if hosting._compiled(other).fullmatch(uri) for name, _ in named]
        assert len(names) == len(set(names)), uri


@pytest.mark.parametrize(
    ("uri", "type_"),
    [
        ("api/errors/b318b4f842689251", "application/json"),
        ("api/errors/b318b4f842689251.json", "application/json"),
        ("api/index.json", "application/json"),
        ("api/schema/record-2.json", "application/schema+json"),
        ("api/modified.csv", "text/csv; charset=utf-8"),
        ("api/feeds/all.atom", "application/atom+xml"),
        ("api/bulk/all/0-f.ndjson.gz", "application/gzip"),
        ("llms.txt", "text/plain; charset=utf-8"),
        ("llms/a/b.txt", "text/plain; charset=utf-8"),
        ("errors/a/b/c/", "text/html; charset=utf-8"),
        ("errors/a/b/c/index.md", "text/markdown; charset=utf-8"),
        ("", "text/html; charset=utf-8"),
        ("unknown", "application/octet-stream"),
    ],
)
def test_types(uri: str, type_: str) -> None:
    sent = hosting.headers(uri)
    assert sent["Content-Type"] == type_
    assert sent["X-Content-Type-Options"] == "nosniff"
    assert ("Access-Control-Allow-Origin" in sent) == uri.startswith("api/")


def test_only_hashed_files_are_kept_for_ever() -> None:
    stylesheet = "assets/stylesheets/main.0123abcd.min.css"
    for uri in (stylesheet, "search/records/0a/index/en_0123abc.pf_index", "search/pages/index/en_0123abc.pf_index"):
        assert "immutable" in hosting.headers(uri)["Cache-Control"]
    part = "search/records/00/"
    fragment = f"{part}fragment/en_01234.pf_fragment"
    for uri in ("assets/errordex.css", "api/index.json", f"{part}pagefind.js", fragment, ""):
        assert "Cache-Control" not in hosting.headers(uri)


def test_the_policy_allows_what_the_pages_own_policies_do() -> None:
    template = Environment(loader=FileSystemLoader(mirrors.ROOT / "overrides")).get_template("partials/policy.html")
    assert f"{template.render(wasm=True)};frame-ancestors 'none'" == hosting.POLICY


def test_redirects_are_within_the_hosts_limits() -> None:
    moved = [(f"errors/a/b/old-{n}/", f"errors/a/b/new-{n}/") for n in range(3_000)]
    long = ("errors/a/b/" + "x" * 600 + "/", "errors/a/b/" + "y" * 600 + "/")
    lines = made(moved=[long, *moved], extensionless=False)["_redirects"].splitlines()
    static = [line for line in lines if ":" not in line]
    assert static[0] == "/errors/a/b/old-0/ /errors/a/b/new-0/ 301"
    assert len(static) == hosting.MAX_STATIC
    assert lines[len(static) :] == [
        "/api/errors/:id.json /api/errors/:id.json 200",
        "/api/errors/:id /api/errors/:id.json 200",
    ]
    assert made()["_redirects"] == ""


@pytest.fixture(scope="module", params=["", "reference/"], ids=["root", "sub-path"])
def site(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A small site with one file of every kind, served by nginx; its address."""
    folder = tmp_path_factory.mktemp("hosting")
    root = mirrors.export_to(folder / "root" / request.param, mirrors.seeds(), security=SECURITY)
    entry = mirrors.seeds().entries[0]
    texts = {
        "index.html": "home",
        "404.html": "no such page here",
        "assets/stylesheets/main.0123abcd.min.css": "a{}",
        "assets/errordex.css": "a{}",
        "assets/js/redirect.js": "1",
        "search/records/00/index/en_a.pf_index": "x",
        f"{entry.uri}index.html": "page",
        f"{entry.uri}index.md": "# Page ü",
    }
    for path, text in texts.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, "utf-8")
    with mirrors.served(folder / "root", folder / "nginx", request.param) as address:
        yield address


ENTRY = mirrors.seeds().entries[0]
SERVED = [
    "",
    ENTRY.uri,
    f"{ENTRY.uri}index.md",
    f"e/{ENTRY.id}/",
    f"api/errors/{ENTRY.id}",
    f"api/errors/{ENTRY.id}.json",
    "api/index.json",
    "api/modified.csv",
    "api/schema/record-2.json",
    "api/openapi.json",
    "api/feeds/all.atom",
    "api/feeds/all.json",
    "api/bulk/all/0-f.ndjson.gz",
    "assets/stylesheets/main.0123abcd.min.css",
    "assets/errordex.css",
    "assets/js/redirect.js",
    "search/records/00/index/en_a.pf_index",
    "llms.txt",
    "llms/sgl-project/sglang.txt",
    "robots.txt",
    ".well-known/security.txt",
]


@needs_nginx
@pytest.mark.parametrize("uri", SERVED)
def test_nginx_sends_what_the_table_says(uri: str, site: str) -> None:
    status, headers, content = mirrors.answer(f"{site}{uri}")
    assert status == 200
    for name, value in hosting.headers(uri).items():
        assert headers[name.lower()] == value, name
    assert ("access-control-allow-origin" in headers) == uri.startswith("api/")
    assert headers["cache-control"] == hosting.headers(uri).get("Cache-Control", "no-cache")
    again, _, _ = mirrors.answer(f"{site}{uri}", **{"If-None-Match": headers["etag"]})
    assert again == 304
    assert content


@needs_nginx
def test_nginx_answers_without_the_copies_that_have_no_suffix(site: str, tmp_path: Path) -> None:
    root = mirrors.export_to(tmp_path / "root", mirrors.seeds(), extensionless=False)
    assert not (root / "api/errors" / ENTRY.id).exists()
    with mirrors.served(root, tmp_path / "nginx") as address:
        status, headers, content = mirrors.answer(f"{address}api/errors/{ENTRY.id}")
        assert (status, headers["content-type"]) == (200, "application/json")
        assert content == (root / f"api/errors/{ENTRY.id}.json").read_bytes()


@needs_nginx
@pytest.mark.parametrize(
    "uri",
    [
        "none",
        "errors/none/",
        "api/errors/0000000000000000",
        "api/none.json",
        "api/",
        "_headers",
        "_redirects",
        ".nojekyll",
    ],
)
def test_nginx_shows_the_page_for_what_is_not_there(uri: str, site: str) -> None:
    status, headers, content = mirrors.answer(f"{site}{uri}")
    assert (status, content) == (404, b"no such page here")
    assert headers["x-content-type-options"] == "nosniff"


@needs_nginx
def test_nginx_permalinks_lead_to_the_page(site: str) -> None:
    status, _, content = mirrors.answer(f"{site}e/{ENTRY.id}")
    assert status == 200, "the slash is added"
    assert content == permalinks.record(ENTRY.id, ENTRY.uri, ENTRY.message, mirrors.SITE).content
    found = re.search(r'url=([^"]+)"', content.decode())
    assert found
    assert mirrors.answer(f"{site}e/{ENTRY.id}/{found[1]}")[2] == b"page"


@needs_nginx
def test_nginx_answers_what_a_page_elsewhere_asks_before_it_reads(site: str) -> None:
    status, headers, _ = mirrors.answer(f"{site}api/index.json", "OPTIONS", Origin="https://other.example")
    assert status == 204
    assert headers["access-control-allow-origin"] == headers["access-control-allow-headers"] == "*"
    assert "GET" in headers["access-control-allow-methods"]
    assert mirrors.answer(f"{site}api/index.json", "POST")[0] == 405


@needs_nginx
def test_nginx_packs_text_and_leaves_packed_files_alone(site: str) -> None:
    for uri, packed in (("api/index.json", True), ("api/bulk/all/0-f.ndjson.gz", False)):
        headers = mirrors.answer(f"{site}{uri}", **{"Accept-Encoding": "gzip"})[1]
        assert (headers.get("content-encoding") == "gzip") == packed


def recipes() -> list[str]:
    """The shell recipes of the guides that ask the site."""
    guides = sorted((mirrors.ROOT / "docs" / "programs").glob("*.md"))
    blocks = [
        block for guide in guides for block in re.findall(r"```sh\n(.*?)```", guide.read_text("utf-8"), re.DOTALL)
    ]
    return [block for block in blocks if "curl" in block]


@needs_nginx
@pytest.mark.skipif(not all(map(shutil.which, ("bash", "curl", "jq", "sha256sum"))), reason="needs bash, curl and jq")
@pytest.mark.parametrize("recipe", recipes(), ids=lambda text: re.sub(r"\W+", "-", text)[:50])
def test_each_recipe_of_the_guides_works(recipe: str, site: str) -> None:
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", recipe],
        env={"SITE": site.rstrip("/"), "PATH": "/usr/bin:/bin:/usr/local/bin"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.strip()


def test_the_container_s_recipe_names_what_there_is() -> None:
    guide = (mirrors.ROOT / "docs" / "programs" / "hosting.md").read_text("utf-8")
    recipe = re.search(r"```dockerfile\n(.*?)```", guide, re.DOTALL)
    assert recipe
    [lock] = re.findall(r"--requirement (\S+)", recipe[1])
    assert "--hash=sha256:" in (mirrors.ROOT / lock).read_text("utf-8")
    assert "COPY --from=build /work/site /srv/errordex\n" in recipe[1], "where the configuration looks"
    assert re.search(r"root /srv/errordex;", mirrors.configuration(Path("/srv/errordex"), 8080))
