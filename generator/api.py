"""The answers of the JSON API as types: the mirror writes them, the client reads them, OpenAPI describes them.

Within one `API_VERSION` members may be added, and none changes its meaning or goes; so readers pass over
members that they do not know. Addresses are relative to the site's root, which `site` names where the
site knows it.
"""

from typing import Annotated

import msgspec
from msgspec import Meta

from generator.records import Severity

API_VERSION = 1
"""Raised only by a change that a reader of the version before could not read."""

RecordId = Annotated[
    str, Meta(description="A record's id: 16 lower-case hexadecimal digits.", pattern="^[0-9a-f]{16}$")
]
Digest = Annotated[
    str,
    Meta(description="SHA-256 of the file's bytes, lower-case hexadecimal.", pattern="^[0-9a-f]{64}$"),
]
Time = Annotated[
    str,
    Meta(
        description="RFC 3339 in UTC with nine decimals: sorted as text, times are in order.",
        extra_json_schema={"format": "date-time"},
    ),
]
Count = Annotated[int, Meta(ge=0)]
Uri = Annotated[str, Meta(description="An address relative to the site's root, which the member site names.")]


class Licence(msgspec.Struct, frozen=True, kw_only=True):
    """Under which terms the records may be used."""

    name: Annotated[str, Meta(description="An SPDX identifier, or the terms in words.")] = "not stated"
    url: Annotated[str | None, Meta(description="Where the terms stand, or null.")] = None


class _Head(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    dataset_version: Annotated[str, Meta(description="The newest dataset version of the records.")]
    total: Annotated[Count, Meta(description="How many records this is about, over all pages of the list.")]
    site: Annotated[str | None, Meta(description="The site's root, an absolute address that ends in a slash, or null.")]
    license: Annotated[Licence, Meta(description="The licence of the data.")]


class Row(msgspec.Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """A record in a list."""

    id: RecordId
    repo: Annotated[str, Meta(description="The GitHub repository, owner/name.")]
    slug: Annotated[str, Meta(description="The page's last path segment, unique within the repository.")]
    error_class: Annotated[str, Meta(description="The class or type that is raised.")]
    severity: Severity
    error_message: Annotated[str, Meta(description="The whole message.")]
    message_pattern: Annotated[str, Meta(description="The message as a pattern of literals and gaps.")]
    url: Annotated[Uri, Meta(description="The record's page, relative to the site's root.")]
    modified: Time
    sha256: Digest
    withdrawn: Annotated[bool, Meta(description="Whether the record no longer holds; absent means false.")] = False


class RepositoryLink(msgspec.Struct, frozen=True, kw_only=True):
    """A repository in the index."""

    repo: Annotated[str, Meta(description="The GitHub repository, owner/name.")]
    records: Count
    url: Annotated[Uri, Meta(description="Its list of records, relative to the site's root.")]


class FamilyLink(msgspec.Struct, frozen=True, kw_only=True):
    """A family in the index: a failure class that repositories share."""

    tag: Annotated[str, Meta(description="The records' backgroundTag.")]
    name: Annotated[str, Meta(description="What people call it.")]
    records: Count
    url: Annotated[Uri, Meta(description="Its list of records, relative to the site's root.")]


class Index(_Head, frozen=True, kw_only=True, rename="camel"):
    """What there is; `records` is absent where that would be too large, and the repositories' lists have them."""

    repositories: list[RepositoryLink]
    families: list[FamilyLink]
    records: list[Row] | msgspec.UnsetType = msgspec.UNSET


class RepositoryList(_Head, frozen=True, kw_only=True, rename="camel"):
    """The records of a repository, or one page of them."""

    repo: Annotated[str, Meta(description="The GitHub repository, owner/name.")]
    page: Annotated[str, Meta(description="The repository's page, relative to the site's root.")]
    next: Annotated[str | None, Meta(description="The next page of this list, or null.")]
    records: list[Row]


class FamilyList(_Head, frozen=True, kw_only=True, rename="camel"):
    """The records of a family, or one page of them."""

    tag: Annotated[str, Meta(description="The records' backgroundTag.")]
    name: Annotated[str, Meta(description="What people call it.")]
    page: Annotated[str, Meta(description="The family's page, relative to the site's root.")]
    next: Annotated[str | None, Meta(description="The next page of this list, or null.")]
    records: list[Row]


class Part(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A bulk file: gzipped lines, each a record's file, sorted by id."""

    url: Uri
    first: Annotated[str, Meta(description="Ids from those that begin with this …")]
    last: Annotated[str, Meta(description="… to those that begin with this are in it.")]
    records: Count
    bytes: Annotated[int, Meta(ge=0, description="The file's size.")]
    uncompressed_bytes: Annotated[int, Meta(ge=0, description="The size of its lines.")]
    sha256: Digest


class RepositoryParts(msgspec.Struct, frozen=True, kw_only=True):
    """The bulk files of one repository."""

    repo: Annotated[str, Meta(description="The GitHub repository, owner/name.")]
    parts: list[Part]


class Bulk(_Head, frozen=True, kw_only=True, rename="camel"):
    """The bulk files: `parts` together have every record once, and so have `repositories`."""

    parts: list[Part]
    repositories: list[RepositoryParts]


class Counts(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """How much there is."""

    records: Count
    withdrawn: Annotated[Count, Meta(description="How many of the records no longer hold.")]
    repositories: Count
    families: Count


class Version(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """What this mirror is."""

    api_version: Annotated[int, Meta(ge=1, description="Raised only by a change that breaks readers.")]
    schema_version: Annotated[int, Meta(description="The schema version of the records.")]
    generator: Annotated[str, Meta(description="What made it: name and version.")]
    dataset_version: Annotated[str, Meta(description="The newest dataset version of the records.")]
    site: Annotated[str | None, Meta(description="The site's root, an absolute address that ends in a slash, or null.")]
    license: Licence
    counts: Counts


class Change(msgspec.Struct, frozen=True, kw_only=True, order=True):
    """A line of `modified.csv`."""

    id: RecordId
    time: Time
    sha256: Digest
