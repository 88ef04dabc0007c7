"""What every producer yields: a file of the site, not yet written."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class File:
    """One file of the site. `path` is relative to the site's root, with `/`; `content` is what it holds."""

    path: str
    content: bytes
