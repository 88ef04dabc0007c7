"""The plugin's settings in mkdocs.yml: their types, defaults, and why a value is refused."""

import re

from mkdocs.config import config_options as c
from mkdocs.config.base import Config, ValidationError

from generator import colours
from generator.pages import SECTIONS

COPIES = ("extensionless", "markdown", "permalinks")
"""Copies of a record's page that can be left out."""


class Accent(c.OptionallyRequired[str]):
    """A colour for links and buttons, legible in its scheme."""

    def __init__(self, scheme: str) -> None:
        super().__init__(default="")
        self.scheme = scheme

    def run_validation(self, value: object) -> str:
        """The colour; `ValidationError` says why it cannot be one."""
        if value and (fault := colours.fault(str(value), self.scheme)):
            raise ValidationError(fault)
        return str(value or "")


class Address(c.OptionallyRequired[str]):
    """Where readers report to: a form or a mailbox."""

    def run_validation(self, value: object) -> str:
        """The address; `ValidationError` where it is none."""
        if value and not str(value).startswith(("https://", "http://", "mailto:")):
            raise ValidationError(f"{value!a} is no address; write https://… or mailto:…")
        return str(value or "")


class Script(c.OptionallyRequired[str]):
    """A script of the site's own, since its pages load none from elsewhere."""

    def run_validation(self, value: object) -> str:
        """The script's path in docs/; `ValidationError` where it is none."""
        if value and (str(value).startswith("/") or ":" in str(value) or not str(value).endswith(".js")):
            raise ValidationError(f"{value!a} is no script of this site; put it into docs/ and give its path there")
        return str(value or "")


class Repository(c.OptionallyRequired[str]):
    """A repository, or all of an owner."""

    def run_validation(self, value: object) -> str:
        """The name; `ValidationError` where it is none."""
        if not re.fullmatch(r"[\w.-]+/([\w.-]+|\*)", str(value)):
            raise ValidationError(f"{value!a} is no repository; write owner/name, or owner/* for all of an owner")
        return str(value)


class ColourSettings(Config):  # type: ignore[no-untyped-call]
    """The accent: links, buttons, marks."""

    light = Accent("light")
    """In the light scheme."""

    dark = Accent("dark")
    """In the dark scheme."""


class LicenceSettings(Config):  # type: ignore[no-untyped-call]
    """The licence of the data, named in every list of the JSON export."""

    name = c.Type(str, default="")
    """Its name, such as `CC BY 4.0`."""

    url = c.Type(str, default="")
    """Where it can be read."""


class SecuritySettings(Config):  # type: ignore[no-untyped-call]
    """What `/.well-known/security.txt` says; without a contact there is none."""

    contact = c.ListOfItems(c.Type(str), default=[])
    """Addresses to report to: `https:`, `mailto:` or `tel:`."""

    expires = c.Type(str, default="")
    """Until when this holds, RFC 3339."""

    policy = c.Type(str, default="")
    """The address of the policy."""

    languages = c.ListOfItems(c.Type(str), default=[])
    """Languages that are understood."""


class Settings(Config):  # type: ignore[no-untyped-call]
    """The plugin's settings in mkdocs.yml."""

    records = c.Type(str, default="records")
    """The folder of records, relative to mkdocs.yml."""

    branch = c.Type(str, default="main")
    """The branch of `repo_url` that holds the records; "edit this record" leads there."""

    outputs = c.ListOfItems(c.Choice(COPIES), default=list(COPIES))
    """Copies made besides the pages: `/api/errors/<id>` without a suffix, Markdown, permalinks."""

    jobs = c.Type(int, default=0)
    """Worker processes; 0 means one a core."""

    keep_going = c.Type(bool, default=False)
    """Leave faulty records out and publish the rest; the command still fails."""

    allow_delete = c.Type(bool, default=False)
    """Publish even if more than a fifth of the pages would go."""

    search = c.Type(bool, default=True)
    """Make the full-text search; without it the page `/search/` has nothing to ask."""

    repositories = c.ListOfItems(Repository(), default=[])
    """Which repositories' records are published, `owner/name` or `owner/*`; none named means all."""

    sections = c.ListOfItems(c.Choice(SECTIONS), default=list(SECTIONS))
    """The parts of a record's page, in order; those not named are left out."""

    colours = c.SubConfig(ColourSettings)
    """The accent in the `light` and in the `dark` scheme."""

    report = Address(default="")
    """Where readers report what is wrong; empty means the issues of `repo_url`."""

    analytics = Script(default="")
    """A script in docs/ that every page runs, such as one that counts visits; empty means none."""

    licence = c.SubConfig(LicenceSettings)
    """The licence of the data: `name` and `url`."""

    security = c.SubConfig(SecuritySettings)
    """Whom to tell of a weakness: `contact`, `expires`, `policy`, `languages`."""
