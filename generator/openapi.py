"""`/api/openapi.json`: the mirror described as OpenAPI 3.1, with examples from the records.

The answers' schemas are those of `api` and `records`, the types that write and read them.
"""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from generator import api, schema, urls
from generator.about import About
from generator.dataset import Dataset, Entry
from generator.files import File

URI = "api/openapi.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Answer:
    """What a path answers: a type of `api` by its name, or text of a media type."""

    name: str
    summary: str
    type: str = ""
    media: str = "application/json"


PATHS = {
    "/api/version.json": _Answer(
        name="getVersion", summary="What this mirror is: versions, counts, licence.", type="Version"
    ),
    "/api/index.json": _Answer(
        name="getIndex",
        summary="What there is: repositories, families and, of a small dataset, all records.",
        type="Index",
    ),
    "/api/errors/{id}.json": _Answer(name="getRecord", summary="One record.", type="Envelope"),
    "/api/errors/{id}": _Answer(
        name="getRecordWithoutSuffix", summary="The same bytes, as the first API spelt the address.", type="Envelope"
    ),
    "/api/repos/{owner}/{name}.json": _Answer(
        name="getRepository", summary="The records of a repository.", type="RepositoryList"
    ),
    "/api/families/{tag}.json": _Answer(name="getFamily", summary="The records of a failure class.", type="FamilyList"),
    "/api/modified.csv": _Answer(
        name="getModified", summary="Id, time and SHA-256 of every record, newest first.", media="text/csv"
    ),
    "/api/bulk.json": _Answer(name="getBulk", summary="The bulk files, with their sizes and hashes.", type="Bulk"),
    f"/{schema.URI}": _Answer(
        name="getSchema", summary="The JSON Schema of a record.", media="application/schema+json"
    ),
    "/api/feeds/all.atom": _Answer(
        name="getAtomFeed", summary="The newest changes, as Atom.", media="application/atom+xml"
    ),
    "/api/feeds/all.json": _Answer(name="getJsonFeed", summary="The newest changes, as JSON Feed 1.1."),
    "/api/feeds/repos/{owner}/{name}.atom": _Answer(
        name="getRepositoryAtomFeed", summary="A repository's newest changes, as Atom.", media="application/atom+xml"
    ),
    "/api/feeds/repos/{owner}/{name}.json": _Answer(
        name="getRepositoryJsonFeed", summary="A repository's newest changes, as JSON Feed 1.1."
    ),
    "/errors/{owner}/{name}/{slug}/index.md": _Answer(
        name="getMarkdown", summary="A record's page as Markdown.", media="text/markdown"
    ),
}

_FEEDS = tuple(answer.name for answer in PATHS.values() if answer.name.endswith("Feed"))
_TYPES = (api.Version, api.Index, api.RepositoryList, api.FamilyList, api.Bulk)

PARAMETERS: dict[str, dict[str, str]] = {
    "id": {"description": "A record's id.", "pattern": "^[0-9a-f]{16}$"},
    "owner": {"description": "The repository's owner, as a path segment."},
    "name": {"description": "The repository's name, as a path segment."},
    "tag": {"description": "The family's tag.", "pattern": "^[a-z0-9]+(-[a-z0-9]+)*$"},
    "slug": {"description": "The record's slug, as a path segment."},
}


def description(dataset: Dataset, about: About, examples: Mapping[str, bytes], *, left_out: Iterable[str] = ()) -> File:
    """`/api/openapi.json`; `examples` are answers by type's name, `left_out` names operations that the site lacks."""
    types = schema.components("#/components/schemas/{name}", *_TYPES)
    entry = example(dataset)
    without = {*left_out, *(() if about.url else _FEEDS)}
    document = {
        "openapi": "3.1.0",
        "info": {
            "title": f"{about.title}: the API",
            "description": "Software errors as JSON, every response a static file. No key; GET and HEAD alone.",
            "version": str(api.API_VERSION),
            "license": _licence(about),
        },
        "jsonSchemaDialect": schema.DIALECT,
        "servers": [{"url": about.url.rstrip("/") or "..", "description": "The site's root."}],
        "paths": {
            path: {"get": _operation(path, answer, entry, examples)}
            for path, answer in PATHS.items()
            if answer.name not in without
        },
        "components": {"schemas": types},
    }
    return File(URI, json.dumps(document, ensure_ascii=False, indent=1).encode() + b"\n")


def example(dataset: Dataset) -> Entry | None:
    """The record that the examples are about: the first that holds and has a family, else the first."""
    return next((entry for entry in dataset.live if entry.family), next(iter(dataset.entries), None))


def _licence(about: About) -> dict[str, str]:
    return {"name": about.licence.name, **({"url": about.licence.url} if about.licence.url else {})}


def _operation(path: str, answer: _Answer, entry: Entry | None, examples: Mapping[str, bytes]) -> dict[str, Any]:
    refers = {"$ref": f"#/components/schemas/{answer.type}"} if answer.type else _untyped(answer.media)
    content: dict[str, Any] = {"schema": refers}
    if answer.type in examples:
        content["example"] = msgspec.json.decode(examples[answer.type])
    responses = {"200": {"description": answer.summary, "content": {answer.media: content}}}
    operation: dict[str, Any] = {"operationId": answer.name, "summary": answer.summary, "responses": responses}
    if names := re.findall(r"\{(\w+)\}", path):
        operation["parameters"] = [_parameter(name, entry) for name in names]
        responses["404"] = {"description": "There is none of that name."}
    return operation


def _untyped(media: str) -> dict[str, Any]:
    return {"type": "object"} if media.endswith("json") else {"type": "string"}


def _parameter(name: str, entry: Entry | None) -> dict[str, Any]:
    facts = PARAMETERS[name]
    pattern = {"pattern": facts["pattern"]} if "pattern" in facts else {}
    values = _values(entry) if entry else {}
    return {
        "name": name,
        "in": "path",
        "required": True,
        "description": facts["description"],
        "schema": {"type": "string", **pattern},
        **({"example": values[name]} if values.get(name) else {}),
    }


def _values(entry: Entry) -> dict[str, str]:
    _, owner, name, slug, _ = urls.page(entry.repo, entry.slug).split("/")
    return {"id": entry.id, "owner": owner, "name": name, "slug": slug, "tag": entry.family or ""}
