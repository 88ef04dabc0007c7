"""The picture that other sites show beside a link to this one: one for the whole site, drawn at build time."""

import io
from functools import cache

from PIL import Image, ImageDraw, ImageFont

from generator.about import CARD, About
from generator.files import File

SIZE = (1200, 630)
"""Pixels, the ratio that Open Graph's readers crop least (1.91 to 1)."""

_MARGIN = 96
_INK, _PAPER, _QUIET, _ACCENT = "#14171c", "#ffffff", "#4a5260", "#1d57c8"


def card(about: About) -> File:
    """The site's name, and what it is, as a PNG; equal settings give equal bytes."""
    image = Image.new("RGB", SIZE, _PAPER)
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, 0, 24, SIZE[1]), fill=_ACCENT)
    bottom = _write(draw, about.title, 200, 92, _INK, lines=1)
    _write(draw, about.description, bottom + 28, 40, _QUIET, lines=4)
    content = io.BytesIO()
    image.save(content, "PNG", optimize=True)
    return File(CARD, content.getvalue())


def _write(draw: ImageDraw.ImageDraw, text: str, top: int, size: int, colour: str, lines: int) -> int:
    """Write `text` from `top` on, wrapped, at most so many lines; where it ends."""
    for line in _wrapped(draw, text, size)[:lines]:
        draw.text((_MARGIN, top), line, font=_font(size), fill=colour)
        top += round(size * 1.35)
    return top


def _wrapped(draw: ImageDraw.ImageDraw, text: str, size: int) -> list[str]:
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and draw.textlength(longer, font=_font(size)) > SIZE[0] - 2 * _MARGIN:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


@cache
def _font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size)
