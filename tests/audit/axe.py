"""axe-core on a page in the browser: rules of WCAG 2.2 AA and good practice that it breaks."""

from functools import cache
from importlib.resources import files

from playwright.sync_api import Page

TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]

_RUN = """async (tags) => {
  const rules = { "target-size": { enabled: true } };
  const { violations } = await axe.run(document, { runOnly: { type: "tag", values: tags }, rules });
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, any }) => `${id}: ${help}: ${target.join(" ")} ${any.map((one) => one.message).join("; ")}`));
}"""


@cache
def _source() -> str:
    return (files("axe_playwright_python") / "axe.min.js").read_text("utf-8")


def violations(page: Page) -> list[str]:
    """Each rule that an element of the page breaks, with the way to the element."""
    page.evaluate(_source())
    found: list[str] = page.evaluate(_RUN, TAGS)
    return found
