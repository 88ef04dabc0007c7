"""Pages in a real browser, with their policy on: nothing acts that should not, nothing is wider than the screen."""

import json
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Browser, expect

from tests import forms, samples, sites
from tests.browser.conftest import Visit, serving, visiting

pytestmark = pytest.mark.browser

RECORD = "errors/sgl-project/sglang/dspark-requires-explicit-layer-ids-for-aux-hidden-b318b4/"
KINDS = {
    "home": "",
    "record": RECORD,
    "repository": "errors/sgl-project/sglang/",
    "repositories": "errors/",
    "class": "classes/ValueError/",
    "article": "families/missing-required-argument/",
    "docs": "guide/",
    "settings": "guide/settings/",
    "not found": "nothing/here/",
}


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1440])
def test_no_page_is_wider_than_the_screen(width: int, scheme: str, chromium: Browser, own_site: str) -> None:
    with visiting(chromium, own_site, viewport={"width": width, "height": 800}, color_scheme=scheme) as visit:
        for kind, uri in KINDS.items():
            assert visit.go(uri).evaluate("document.documentElement.scrollWidth") <= width, kind
            if kind == "not found":
                visit.faults = [fault for fault in visit.faults if "404" not in fault]
            assert visit.faults == [], kind


def test_a_page_reads_without_scripts(chromium: Browser, own_site: str) -> None:
    with visiting(chromium, own_site, java_script_enabled=False) as visit:
        page = visit.go(RECORD)
        expect(page.get_by_role("heading", level=1)).to_have_text(
            "DSPARK requires explicit layer_ids for aux hidden capture."
        )
        expect(page.get_by_role("heading", name="Solutions")).to_be_visible()
        expect(page.get_by_text("Pass an explicit list of layer ids")).to_be_visible()
        expect(page.get_by_text("raise ValueError(")).to_be_visible()


def followed(visit: Visit, link: str) -> dict[str, list[str]]:
    """The fields of the address that the forge is asked for when a link of a record's page is followed."""
    visit.page.route("https://github.com/**", lambda route: route.abort())
    page = visit.go(RECORD)
    with page.expect_request("https://github.com/**") as asked:
        page.locator(".edx-provenance").get_by_role("link", name=link, exact=True).click()
    visit.faults = []
    return parse_qs(urlsplit(asked.value.url).query)


def test_a_report_is_filled_in_when_it_is_followed(chromium: Browser, own_site: str) -> None:
    message = "DSPARK requires explicit layer_ids for aux hidden capture."
    with visiting(chromium, own_site) as visit:
        query = followed(visit, "GitHub")
        assert query == {
            "template": ["record.yml"],
            "record": ["b318b4f842689251"],
            "title": [f"b318b4f842689251: {message}"],
            "page": [f"{own_site}{RECORD}"],
        }
        assert query.keys() - {"template", "title"} <= forms.ids("record.yml")
    with visiting(chromium, own_site, java_script_enabled=False) as visit:
        query = followed(visit, "GitHub")
        assert query == {"template": ["record.yml"], "record": ["b318b4f842689251"], "title": ["b318b4f842689251"]}
    with visiting(chromium, own_site) as visit:
        assert followed(visit, "Search sgl-project/sglang's issues") == {"q": [f'"{message}"']}


def test_the_fix_is_one_key_away_on_a_phone(chromium: Browser, own_site: str) -> None:
    with visiting(chromium, own_site, viewport={"width": 360, "height": 640}) as visit:
        page = visit.go(RECORD)
        page.get_by_role("link", name="Jump to the fix").press("Enter")
        expect(page.get_by_role("heading", name="Solutions")).to_be_in_viewport()


def test_the_message_is_copied(chromium: Browser, own_site: str) -> None:
    with visiting(chromium, own_site, permissions=["clipboard-read", "clipboard-write"]) as visit:
        page = visit.go(RECORD)
        page.get_by_role("button", name="Copy message").click()
        copied = page.evaluate("navigator.clipboard.readText()")
        assert copied.strip() == "DSPARK requires explicit layer_ids for aux hidden capture."


def test_the_permalink_is_copied_and_leads_back(chromium: Browser, own_site: str) -> None:
    with visiting(chromium, own_site, permissions=["clipboard-read", "clipboard-write"]) as visit:
        page = visit.go(RECORD)
        page.get_by_role("button", name="Copy permalink").click()
        link = page.evaluate("navigator.clipboard.readText()")
        assert link.endswith("/e/b318b4f842689251/")
        page.goto(f"{own_site}e/b318b4f842689251/#solutions", wait_until="commit")
        page.wait_for_url(f"**/{RECORD}#solutions")


def test_a_permalink_works_without_scripts(chromium: Browser, own_site: str) -> None:
    with visiting(chromium, own_site, java_script_enabled=False) as visit:
        visit.page.goto(f"{own_site}e/b318b4f842689251/")
        visit.page.wait_for_url(f"**/{RECORD}")


def test_line_numbers_are_true_and_not_copied(chromium: Browser, own_site: str) -> None:
    with visiting(chromium, own_site) as visit:
        page = visit.go(RECORD)
        marked = page.locator(".hll .linenos")
        assert str(marked.get_attribute("data-linenos")).strip() == "2892"
        assert "2892" not in page.locator(".hll").inner_text()


def test_every_link_is_reached_by_keyboard(chromium: Browser, own_site: str) -> None:
    with visiting(chromium, own_site) as visit:
        page = visit.go(RECORD)
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.textContent") == "Skip to the content"
        reached = set()
        for _ in range(120):
            reached.add(page.evaluate("document.activeElement.href || document.activeElement.textContent"))
            page.keyboard.press("Tab")
        links = set(page.evaluate("[...document.links].filter(a => a.checkVisibility()).map(a => a.href)"))
        assert links <= reached


HOSTILE = [
    '<img src=x onerror="document.title=`owned`"><script>document.title="owned"</script>',
    "[click](javascript:alert(1)) <javascript:alert(2)>",
    "{{ 7 * 7 }} {% raw %} ${7*7}",
    "\u202egnp.exe\u2066 \u200bzero \ufeffbom",
    "x" * 12_000,
    "# heading\n---\ntitle: hacked\n---\n* list\n\n| a | b |\n| - | - |",
    '{: onclick=alert(1) #main .hidden } --8<-- "/etc/hostname"',
    "\x00\x1b[31mred\x07 \x7f",
]


@pytest.fixture(scope="module")
def hostile_site(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    folder = tmp_path_factory.mktemp("hostile")
    uris = []
    for number, text in enumerate(HOSTILE):
        record = samples.record(
            id=f"{number:016x}",
            slug=f"hostile-{number}",
            errorMessage=text,
            messagePattern=".+",
            documentation=text[:2000],
            solutions=[text[:2000]],
            exampleFix=text[:2000],
            preventionTips=[text[:2000]],
        )
        path = folder / "records" / record["repo"] / f"{record['id']}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(record), "utf-8")
        uris.append(f"errors/{record['repo']}/{record['slug']}/")
    return sites.build(folder, folder / "records")[1], [*uris, "errors/", ""]


def test_hostile_records_harm_nobody(chromium: Browser, hostile_site: tuple[Path, list[str]]) -> None:
    site, uris = hostile_site
    with serving(site) as address, visiting(chromium, address, viewport={"width": 360, "height": 800}) as visit:
        dialogs: list[str] = []
        visit.page.on("dialog", lambda dialog: dialogs.append(dialog.message))
        for uri in uris:
            page = visit.go(uri)
            assert page.title() != "owned"
            assert page.evaluate("document.documentElement.scrollWidth") <= 360
            assert page.locator("article script, article img, article [onclick], article [onerror]").count() == 0
            assert page.locator('a[href^="javascript"]').count() == 0
        assert dialogs == []
