"""What the settings say of the site as a whole, for those who fetch it without seeing it."""

from dataclasses import dataclass, field

from generator.api import Licence

CARD = "assets/card.png"
"""Where the picture lies that other sites show beside a link to this one."""


@dataclass(frozen=True, slots=True)
class About:
    """The site's name, description and address (`url` ends in `/`; empty where it has none), and the data's licence."""

    title: str = "Errordex"
    url: str = ""
    description: str = ""
    language: str = "en"
    licence: Licence = field(default_factory=Licence)

    def address(self, uri: str) -> str:
        """The whole address of `uri`, or without a `url` the way to it from the root."""
        return f"{self.url}{uri}"
