"""Pictures of every kind of page at three widths in both schemes, made by one command and compared with kept ones.

    python -m tests.audit.screens [--bless] [--whole DIR] [--only NAME,NAME]

They show the five seed records, so that a new record changes none. Kept are small pictures; two of them differ where
more than `TOLERANCE` of their cells do. Fonts are the system's, so a machine with others compares nothing.
"""

import argparse
import io
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from pathlib import Path

from PIL import Image, ImageChops, ImageStat
from playwright.sync_api import Browser

from tests import kinds, sites
from tests.browser.conftest import MOUNT, launched, serving

KEPT = sites.ROOT / "tests" / "golden" / "screens"
RECORDS = sites.ROOT / "records" / "sgl-project"
WIDTHS, SCHEMES = (360, 768, 1440), ("light", "dark")
SITE_URL = "https://host.example" + MOUNT
TALLEST = 2600
"""Pixels of a page that are pictured, from its top."""

SCALE, CELL, LIGHTNESS, TOLERANCE = 0.4, 8, 20, 0.02
"""Of a kept picture: its size, the pixels of a cell's side, how far its lightness (of 255) may be off, how many may."""

PAGES = {name: uri for name, uri in kinds.PAGES.items() if name != "record with a code"}


Look = tuple[str, int, str]
"""What a picture shows: a kind of page, a width and a scheme."""


def looks(pages: Sequence[str]) -> Iterator[Look]:
    """Yield every look at these kinds of pages."""
    yield from product(pages, WIDTHS, SCHEMES)


def name(look: Look) -> str:
    """The name of a picture's file, without its suffix."""
    kind, width, scheme = look
    return f"{kind.replace(' ', '-')}-{width}-{scheme}"


def taken(browser: Browser, address: str, look: Look) -> Image.Image:
    """A picture of a page, as tall as the page or `TALLEST`."""
    kind, width, scheme = look
    context = browser.new_context(color_scheme=scheme, viewport={"width": width, "height": 900})  # type: ignore[arg-type]
    page = context.new_page()
    page.goto(address + PAGES[kind], wait_until="networkidle")
    height = min(TALLEST, max(900, page.evaluate("document.documentElement.scrollHeight")))
    clip = {"x": 0, "y": 0, "width": width, "height": height}
    shot = page.screenshot(full_page=True, clip=clip, animations="disabled", caret="hide")  # type: ignore[arg-type]
    context.close()
    return Image.open(io.BytesIO(shot)).convert("RGB")


def small(picture: Image.Image) -> Image.Image:
    """The picture as it is kept."""
    size = (round(picture.width * SCALE), round(picture.height * SCALE))
    return picture.resize(size, Image.Resampling.LANCZOS)


def difference(picture: Image.Image, other: Image.Image) -> float:
    """The share of cells in which two small pictures differ, 1 where their sizes do by more than a line of text."""
    if abs(picture.height - other.height) > 24 * SCALE or picture.width != other.width:
        return 1.0
    size = (picture.width // CELL, min(picture.height, other.height) // CELL)
    cells = [
        one.crop((0, 0, size[0] * CELL, size[1] * CELL)).convert("L").resize(size, Image.Resampling.BOX)
        for one in (picture, other)
    ]
    off = ImageChops.difference(*cells).point(lambda value: 255 if value > LIGHTNESS else 0)
    return ImageStat.Stat(off).mean[0] / 255


def fonts() -> str:
    """The fonts that this machine takes for the pages' text and code."""
    asked = [["fc-match", "-f", "%{family}\n", name] for name in ("system-ui", "monospace")]
    return "".join(subprocess.run(one, capture_output=True, text=True, check=True).stdout for one in asked)


def compared(browser: Browser, address: str, seen: Iterable[Look]) -> Iterator[str]:
    """Yield `name: what differs` for each picture that is not as kept."""
    for look in seen:
        kept = KEPT / f"{name(look)}.webp"
        if not kept.exists():
            yield f"{name(look)}: none is kept"
            continue
        share = difference(small(taken(browser, address, look)), Image.open(kept).convert("RGB"))
        if share > TOLERANCE:
            yield f"{name(look)}: {share:.0%} of it differs"


def main() -> int:
    """Take all pictures; 0 if they are as kept, or were asked to be kept."""
    options = _options()
    if not options.bless and not options.whole and fonts() != (KEPT / "fonts.txt").read_text("utf-8"):
        print("screens: other fonts than those of the kept pictures; nothing was compared")
        return 0
    pages = options.only or list(PAGES)
    with tempfile.TemporaryDirectory() as work, launched() as browser:
        site = sites.build(Path(work).resolve(), RECORDS, site_url=SITE_URL, plugin={"search": True})[1]
        with serving(site) as address:
            if options.bless or options.whole:
                _keep(browser, address, pages, options.whole, bless=options.bless)
                return 0
            differing = list(compared(browser, address, looks(pages)))
    for line in differing:
        print(line)
    print(f"{len(differing)} of {len(pages) * len(WIDTHS) * len(SCHEMES)} pictures differ")
    return int(bool(differing))


def _keep(browser: Browser, address: str, pages: Sequence[str], whole: Path | None, *, bless: bool) -> None:
    for folder in filter(None, (whole, KEPT if bless else None)):
        folder.mkdir(parents=True, exist_ok=True)
    for look in looks(pages):
        picture = taken(browser, address, look)
        if whole:
            picture.save(whole / f"{name(look)}.png")
        if bless:
            small(picture).save(KEPT / f"{name(look)}.webp", quality=40, method=6)
    if bless:
        (KEPT / "fonts.txt").write_text(fonts(), "utf-8")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.audit.screens", description="Compare pictures of pages.")
    parser.add_argument("--bless", action="store_true", help="keep the pictures; look at them before you commit")
    parser.add_argument("--whole", type=Path, help="write the pictures in full size into this folder")
    parser.add_argument("--only", type=lambda text: text.split(","), help=f"of {','.join(PAGES)}")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
