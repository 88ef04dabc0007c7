"""Some of the kept pictures, compared; `make screens` compares all."""

import shutil
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Browser

from tests import sites
from tests.audit import screens
from tests.browser.conftest import serving

pytestmark = pytest.mark.browser

LOOKED_AT = (("record", 360, "light"), ("record", 1440, "dark"), ("not found", 360, "dark"), ("lookup", 768, "light"))


@pytest.mark.skipif(not shutil.which("fc-match"), reason="fontconfig is not installed")
def test_pages_look_as_kept(chromium: Browser, tmp_path: Path) -> None:
    if screens.fonts() != (screens.KEPT / "fonts.txt").read_text("utf-8"):
        pytest.skip("other fonts than those of the kept pictures")
    site = sites.build(tmp_path, screens.RECORDS, site_url=screens.SITE_URL)[1]
    with serving(site) as address:
        assert list(screens.compared(chromium, address, LOOKED_AT)) == []


def test_a_moved_line_counts_and_smoothing_does_not() -> None:
    kept = Image.open(screens.KEPT / "record-360-light.webp").convert("RGB")
    assert screens.difference(kept, kept.point(lambda value: max(0, value - 8))) == 0
    moved = Image.new("RGB", kept.size, "white")
    moved.paste(kept, (0, 24))
    assert screens.difference(kept, moved) > screens.TOLERANCE
