"""The accent of a site in its two schemes: refused where it would be hard to read, and as rules for the stylesheet."""

import re

GROUNDS = {"light": ("#ffffff", "#f5f7f9"), "dark": ("#14171c", "#1b2027")}
"""What stands behind links in each scheme: the stylesheet's `--edx-bg` and `--edx-soft`."""

CONTRAST = 4.5
"""The least contrast of text by WCAG 2.2, criterion 1.4.3."""

_COLOUR = re.compile(r"#[0-9a-fA-F]{6}")


def fault(colour: str, scheme: str) -> str:
    """Why `colour` cannot be the accent of `scheme`, and what to do; empty if it can."""
    if not _COLOUR.fullmatch(colour):
        return f'{colour!a} is no colour; write it as "#1f5ac6"'
    least = min(contrast(colour, ground) for ground in GROUNDS[scheme])
    if least < CONTRAST:
        other = "darker" if scheme == "light" else "lighter"
        return (
            f"{colour} has a contrast of {least:.1f} to the {scheme} page, and {CONTRAST} is needed; take a {other} one"
        )
    return ""


def contrast(one: str, other: str) -> float:
    """The contrast of two colours `#rrggbb`, 1 to 21, as WCAG 2.2 defines it."""
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: str) -> float:
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def rules(light: str, dark: str) -> str:
    """What the stylesheet ends with where the settings give an accent; a scheme without one keeps its own."""
    accent = f"light-dark({light or '#1f5ac6'}, {dark or '#8fb6ff'})"
    return f"\n:root {{ --edx-accent: {accent}; --edx-info: var(--edx-accent); }}\n" if light or dark else ""
