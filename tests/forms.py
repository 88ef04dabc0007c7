"""The issue forms of this repository, as tests ask them."""

from typing import Any

import yaml

from tests import sites


def ids(name: str) -> set[str]:
    """The ids of a form's fields: what an address may fill in, besides the title."""
    text = (sites.ROOT / ".github" / "ISSUE_TEMPLATE" / name).read_text("utf-8")
    document: dict[str, Any] = yaml.safe_load(text)
    return {part["id"] for part in document["body"]}
