"""The schema of a record, version 2: types, and what each field means.

Decoding, validation and the published JSON Schema all come from these definitions. A field's text is
kept as it was given; nothing here changes a character.
"""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

SCHEMA_VERSION = 2

Severity = Literal["critical", "error", "warning", "info"]
SEVERITIES: tuple[Severity, ...] = ("critical", "error", "warning", "info")
"""Most severe first: the order of every list that sorts by severity."""

MAX_RECORD_BYTES = 1 << 20
"""Of a document as it lies in a file, and of its published form."""

MAX_ITEMS = 100
MAX_LINE = 10_000_000
MAX_SHORT, MAX_TEXT, MAX_CODE, MAX_PATH, MAX_URL = 500, 65_536, 262_144, 1_000, 2_000
"""Characters of fields by their kind."""

MAX_VERSION_CHARACTERS = 500

Short = Annotated[str, Meta(max_length=MAX_SHORT)]
Text = Annotated[str, Meta(max_length=MAX_TEXT)]
Code = Annotated[str, Meta(max_length=MAX_CODE)]
Line = Annotated[int, Meta(ge=1, le=MAX_LINE)]
Items = Annotated[list[Text], Meta(max_length=MAX_ITEMS)]
Words = Annotated[list[Short], Meta(max_length=MAX_ITEMS)]


class Withdrawn(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A record that no longer holds: its permalink says so for ever."""

    time: Annotated[Short, Meta(description="When it was withdrawn, RFC 3339.")]
    reason: Annotated[Text, Meta(description="Why, in a sentence.")]
    replacement: Annotated[Short | None, Meta(description="The id of the record to read instead, or null.")] = None


class Record(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename="camel"):
    """One error at one raise site."""

    id: Annotated[Short, Meta(description="16 lower-case hexadecimal digits, unique, never used again.")]
    repo: Annotated[Short, Meta(description="The GitHub repository, owner/name.")]
    slug: Annotated[Short, Meta(description="The page's last path segment, unique within the repository.")]
    error_code: Annotated[Short | None, Meta(description="The code that the program prints, such as E0277.")]
    error_message: Annotated[Text, Meta(description="The whole message; {placeholders} stand for values.")]
    message_pattern: Annotated[
        Text,
        Meta(description="The message as a pattern of literals and gaps; it is never run as a regular expression."),
    ]
    error_type: Annotated[Short, Meta(description="The kind of failure: validation, exception, network …")]
    error_class: Annotated[Short, Meta(description="The class or type that is raised.")]
    http_status: Annotated[
        Annotated[int, Meta(ge=100, le=599)] | None, Meta(description="The HTTP status it answers with.")
    ]
    severity: Annotated[Severity, Meta(description="critical, error, warning or info.")]
    file_path: Annotated[
        Annotated[str, Meta(max_length=MAX_PATH)], Meta(description="The raising file, from the repository's root.")
    ]
    line_number: Annotated[Line, Meta(description="The 1-based line of the raise, within the excerpt.")]
    source_code: Annotated[Code, Meta(description="The excerpt, lines sourceCodeStart to sourceCodeEnd.")]
    source_code_start: Annotated[Line, Meta(description="The excerpt's first line, 1-based.")]
    source_code_end: Annotated[Line, Meta(description="The excerpt's last line, inclusive.")]
    github_url: Annotated[
        Annotated[str, Meta(max_length=MAX_URL)],
        Meta(description="https://github.com/<repo>/blob/<checkedSha or analyzedSha>/<filePath>#L<start>-L<end>"),
    ]
    documentation: Annotated[Text, Meta(description="What the error means.")]
    trigger_scenarios: Annotated[Text, Meta(description="What triggers it.")]
    common_situations: Annotated[Text, Meta(description="When people meet it.")]
    solutions: Annotated[Items, Meta(description="What to do, best first.")]
    example_fix: Annotated[Code | None, Meta(description="Code before and after the fix.")]
    handling_strategy: Annotated[Short, Meta(description="How to guard against it: validation, retry …")]
    validation_code: Annotated[Code | None, Meta(description="Code that checks before the call.")]
    type_guard: Annotated[Code | None, Meta(description="Code that narrows a type before the call.")]
    try_catch_pattern: Annotated[Code | None, Meta(description="Code that catches it well.")]
    prevention_tips: Annotated[Items, Meta(description="How to keep it from happening.")]
    tags: Annotated[Words, Meta(description="Topics, lower-case words joined by hyphens.")]
    background_tag: Annotated[Short | None, Meta(description="The family: a failure class that repositories share.")]
    analyzed_sha: Annotated[Short, Meta(description="The commit that was analysed, 40 hexadecimal digits.")]
    analyzed_at: Annotated[Short, Meta(description="When it was analysed, RFC 3339.")]
    schema_version: Annotated[Literal[2], Meta(description="The schema's version, 2.")]
    withdrawn: Annotated[Withdrawn | None, Meta(description="Set when the record no longer holds.")] = None
    reviewed_by: Annotated[Short | None, Meta(description="Who reviewed the analysis.")] = None
    updated_at: Annotated[Short | None, Meta(description="When the record last changed, RFC 3339.")] = None
    change_note: Annotated[Text | None, Meta(description="What changed last, in a sentence.")] = None
    aliases: Annotated[Words, Meta(description="Former pages, owner/name/slug.")] = msgspec.field(default_factory=list)
    checked_sha: Annotated[
        Short | None, Meta(description="A later commit that still raises it, whose lines the excerpt has; 40 digits.")
    ] = None
    draft: Annotated[bool, Meta(description="True while it is written: it is checked, and never published.")] = False


class Envelope(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename="camel"):
    """What the API answers and what files hold: the record and the dataset it came with."""

    record: Record
    dataset_version: str


FIELDS = {field.encode_name: field for field in msgspec.structs.fields(Record)}
"""By JSON name, in the schema's order."""
