"""The JSON Schema of records, made from the types that decode them, so that the two cannot part.

What the types leave to rules (the form of ids, times and commits) is added here, as far as a schema
can say it; the rules between fields are `checks`' alone.
"""

import json
from typing import Any

import msgspec

from generator.about import About
from generator.files import File
from generator.records import SCHEMA_VERSION, SEVERITIES, Envelope

URI = f"api/schema/record-{SCHEMA_VERSION}.json"
DIALECT = "https://json-schema.org/draft/2020-12/schema"

FORMS: dict[str, dict[str, Any]] = {
    "id": {"pattern": "^[0-9a-f]{16}$", "maxLength": 16},
    "repo": {"pattern": "^[A-Za-z0-9](?:[A-Za-z0-9-]{0,98}[A-Za-z0-9])?/(?!\\.{1,2}$)[A-Za-z0-9._-]{1,100}$"},
    "slug": {"pattern": "^[^\\u0000-\\u0020\\u007f-\\u00a0/\\\\]+$"},
    "githubUrl": {"pattern": "^https://github\\.com/", "format": "uri"},
    "analyzedSha": {"pattern": "^[0-9a-f]{40}$", "maxLength": 40},
    "checkedSha": {"pattern": "^[0-9a-f]{40}$", "maxLength": 40},
    "analyzedAt": {"format": "date-time"},
    "updatedAt": {"format": "date-time"},
    "severity": {"enum": list(SEVERITIES)},
}
"""By field, what `checks` asks of its text and a schema can say."""

_EDITORS = {"type": "string", "description": "Where this schema is, for editors; not published."}


def record(about: About) -> File:
    """`/api/schema/record-2.json`: what a file of records may hold, an envelope or a bare record.

    Its `$id` is its own address; there is none where the site has no address.
    """
    types = components("#/$defs/{name}")
    for name in ("Record", "Envelope"):
        types[name]["properties"]["$schema"] = _EDITORS
    document = {
        "$schema": DIALECT,
        **({"$id": about.address(URI)} if about.url else {}),
        "title": f"A record of Errordex, schema version {SCHEMA_VERSION}",
        "description": "One software error at one raise site, bare or in the envelope that the API answers with.",
        "type": "object",
        "if": {"required": ["record"]},
        "then": {"$ref": "#/$defs/Envelope"},
        "else": {"$ref": "#/$defs/Record"},
        "$defs": types,
    }
    return File(URI, json.dumps(document, ensure_ascii=False, indent=1).encode() + b"\n")


def components(ref: str, *more: type[msgspec.Struct]) -> dict[str, dict[str, Any]]:
    """The schemas of a record, its envelope and `more` types, by name; `ref`, with `{name}`, is how they refer."""
    _, types = msgspec.json.schema_components([Envelope, *more], ref_template=ref)
    fields = types["Record"]["properties"]
    for name, form in FORMS.items():
        _narrow(fields[name], form)
    _narrow(types["Withdrawn"]["properties"]["time"], {"format": "date-time"})
    return dict(types)


def _narrow(schema: dict[str, Any], form: dict[str, Any]) -> None:
    """Add `form` to a schema, or to the one that is not null where null is allowed."""
    options = [option for option in schema.get("anyOf", ()) if option != {"type": "null"}]
    (options[0] if options else schema).update(form)
