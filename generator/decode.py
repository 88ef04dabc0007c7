"""Bytes to records, or every fault at once.

JSON is read strictly: UTF-8 alone (a byte order mark at the start is passed over), no duplicate key, no
NaN, no lone surrogate. A record that does not fit the schema is read again field by field, so that
every fault is named, and the rules whose fields are sound are still asked. A record of version 1 that
fits version 2 is read as one.
"""

import codecs
import json
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, cast, get_args, get_origin

import msgspec

from generator.checks import CHECKS, Fault, shown
from generator.problems import Problem
from generator.records import (
    FIELDS,
    MAX_ITEMS,
    MAX_RECORD_BYTES,
    MAX_VERSION_CHARACTERS,
    SCHEMA_VERSION,
    Record,
    Withdrawn,
)

OLDER_VERSION = 1
"""A version of the schema that is read as the present one where nothing speaks against it."""

_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")
_HALF = re.compile("[\ud800-\udfff]")
_STRING = re.compile(rb'"((?:[^"\\]++|\\.)*+)"(\s*+:)?', re.DOTALL)
_MISFITS = (msgspec.ValidationError, UnicodeEncodeError)  # the latter: half a surrogate pair in a key
_WORDS = {"str": "text", "int": "whole number", "float": "number", "bool": "true or false", "array": "list"}
_TYPES = re.compile(rf"\b(?:{'|'.join(_WORDS)})\b")
_ENVELOPE = ("record", "datasetVersion", "$schema")


@dataclass(frozen=True, slots=True)
class Decoded:
    """A sound record, `version`, its dataset's, and `form`.

    That is the API's bytes of both: compact, field order kept, UTF-8, no final newline.
    """

    record: Record
    form: bytes
    version: str


def reread(raw: bytes) -> Decoded:
    """What `decode` made of a sound document, without asking the rules again: a tenth of the time."""
    fields, version = _sound(raw)
    return Decoded(msgspec.convert(fields, Record), _form(fields, version), version)


def form(raw: bytes) -> bytes:
    """The `form` of a sound document alone."""
    return _form(*_sound(raw))


def _sound(raw: bytes) -> tuple[dict[str, Any], str]:
    fields, version = _unwrap(msgspec.json.decode(raw.removeprefix(codecs.BOM_UTF8)), [])
    return _upgraded(fields), version


def _form(fields: dict[str, Any], version: str) -> bytes:
    return msgspec.json.encode({"record": fields, "datasetVersion": version})


class _UnreadableError(Exception):
    """A fault after which nothing more can be asked."""

    def __init__(self, fault: Fault) -> None:
        self.fault = fault


def decode(raw: bytes, where: str, line: int = 0) -> Decoded | list[Problem]:
    """Read one JSON document: an envelope or a bare record. Of a faulty one, every problem, sorted.

    `where` and `line` are what its problems will say. A bare record's dataset version is its `analyzedAt`.
    """
    faults: list[Fault] = []
    try:
        given, version = _unwrap(_strict(raw, faults), faults)
        fields = _upgraded(given)
        record = _record(fields, faults)
        if record is not None and not faults:
            published = _form(fields, version)
            if len(published) <= MAX_RECORD_BYTES:  # a bare record grows by its envelope
                return Decoded(record, published, version)
            raise _UnreadableError(_too_large())
        if fields is not given:
            faults.append(_no_upgrade())
    except _UnreadableError as stop:
        faults.append(stop.fault)
    placed = not line and any(fault.field for fault in faults)
    record_id, lines = _record_id(raw), _lines_of_keys(raw) if placed else {}
    return sorted({_problem(fault, where, line, lines, record_id) for fault in faults})


def _strict(raw: bytes, faults: list[Fault]) -> Any:
    """The document; what is wrong with it, but can be passed over, is added to `faults`."""
    if len(raw) > MAX_RECORD_BYTES:
        raise _UnreadableError(_too_large())
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        offset = error.start + len(raw) - len(error.object)  # the byte order mark is not in the object
        wrong = f"byte {raw[offset]:#04x} at offset {offset} is not UTF-8"
        raise _UnreadableError(Fault("EDX001", "", wrong, "save the file as UTF-8")) from None
    twice: set[str] = set()

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        members = dict(pairs)
        if len(members) < len(pairs):
            twice.update(key for key, count in Counter(key for key, _ in pairs).items() if count > 1)
        return members

    try:
        document = json.loads(text, object_pairs_hook=unique, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        wrong = f"not JSON: {error.msg.lower().removesuffix(' at')} at line {error.lineno}, column {error.colno}"
        raise _UnreadableError(Fault("EDX002", "", wrong, "mend the syntax there")) from None
    except (RecursionError, ValueError):
        wrong = "not JSON: nested too deep, or a number too long to be one"
        raise _UnreadableError(Fault("EDX002", "", wrong, "mend the syntax")) from None
    faults += [Fault("EDX003", key, f"the key {shown(key)} stands twice", "keep one of them") for key in twice]
    if _SURROGATE.search(raw):
        faults += _surrogate_faults(document)
    return document


def _too_large() -> Fault:
    return Fault("EDX010", "", f"the record has over {MAX_RECORD_BYTES:,} bytes", "shorten its fields")


def _refuse_constant(name: str) -> Any:
    wrong = f"not JSON: {name} is no JSON number"
    raise _UnreadableError(Fault("EDX002", "", wrong, "give a number, or null where it is allowed"))


def _surrogate_faults(document: Any) -> Iterator[Fault]:
    pending = [("", document)]
    while pending:
        path, value = pending.pop()
        if isinstance(value, dict):
            for key, member in value.items():
                pending.append((f"a key of {path or 'the document'}", key))
                name = key if key.isidentifier() and key.isascii() else shown(key)
                pending.append((name if path in ("", "record") else f"{path}.{name}", member))
        elif isinstance(value, list):
            pending += [(f"{path}[{index}]", member) for index, member in enumerate(value)]
        elif isinstance(value, str) and _HALF.search(value):
            wrong = f"{path or 'the document'} holds half a surrogate pair"
            yield Fault("EDX004", path, wrong, "replace it by the character that was meant, or U+FFFD")


def _unwrap(document: Any, faults: list[Fault]) -> tuple[dict[str, Any], str]:
    """The record's fields and its dataset's version."""
    if not isinstance(document, dict):
        raise _UnreadableError(Fault("EDX005", "", "the document is no JSON object", "give a record or its envelope"))
    if "record" not in document:
        version = document.get("analyzedAt")
        return _without_schema(document), version if isinstance(version, str) else ""
    faults += [
        Fault("EDX007", key, f"the envelope has an unknown key {shown(key)}", "remove it")
        for key in document
        if key not in _ENVELOPE
    ]
    fields, version = document["record"], document.get("datasetVersion")
    if not isinstance(version, str) or not version.strip() or len(version) > MAX_VERSION_CHARACTERS:
        found = (
            f"{shown(version)}, no text of 1 to {MAX_VERSION_CHARACTERS} characters"
            if "datasetVersion" in document
            else "missing"
        )
        wrong = f"datasetVersion is {found}"
        remedy = "give the dataset's version, such as the time of its export"
        faults.append(Fault("EDX005", "datasetVersion", wrong, remedy))
    if not isinstance(fields, dict):
        raise _UnreadableError(Fault("EDX005", "record", "record is no JSON object", "give the record's fields in it"))
    return _without_schema(fields), cast(str, version)


def _without_schema(fields: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in fields.items() if key != "$schema"} if "$schema" in fields else fields


def _upgraded(fields: dict[str, Any]) -> dict[str, Any]:
    """A record of the older version as one of the present version; any other as it is.

    What the present version calls null, or an empty list, may have been left out; nothing else is guessed.
    """
    version = fields.get("schemaVersion")
    if version != OLDER_VERSION or type(version) is not int:
        return fields
    absent = {name: empty for name, empty in _EMPTY.items() if name not in fields}
    return fields | {"schemaVersion": SCHEMA_VERSION} | absent


def _empty_values() -> Iterator[tuple[str, Any]]:
    """By name, what a field that must be there holds where a record says nothing."""
    for name, field in FIELDS.items():
        if field.required:
            empties: tuple[Any, ...] = (None, [])
            for empty in empties:
                with suppress(msgspec.ValidationError):
                    yield name, msgspec.convert(empty, field.type)


_EMPTY = dict(_empty_values())


def _no_upgrade() -> Fault:
    wrong = f"schemaVersion is {OLDER_VERSION}, and this Errordex reads {SCHEMA_VERSION}"
    return Fault("EDX009", "schemaVersion", wrong, f"export it in version {SCHEMA_VERSION}, or mend what else is named")


def _record(fields: dict[str, Any], faults: list[Fault]) -> Record | None:
    version = fields.get("schemaVersion")
    if isinstance(version, int) and not isinstance(version, bool) and version != SCHEMA_VERSION:
        wrong = f"schemaVersion is {shown(version)}, and this Errordex reads {SCHEMA_VERSION}"
        remedy = "upgrade Errordex" if version > SCHEMA_VERSION else f"export the record in version {SCHEMA_VERSION}"
        raise _UnreadableError(Fault("EDX009", "schemaVersion", wrong, remedy))
    try:
        record = msgspec.convert(fields, Record)
    except _MISFITS:
        faults += _field_faults(fields)
        return None
    faults += [fault for check in CHECKS for fault in check.function(record)]
    return record


def _field_faults(fields: dict[str, Any]) -> Iterator[Fault]:
    sound: dict[str, Any] = {}
    for name, field in FIELDS.items():
        if name not in fields:
            if field.required:
                yield Fault("EDX006", name, f"{name} is missing", f"add it: {_meaning(name)}")
            continue
        try:
            sound[field.name] = msgspec.convert(fields[name], field.type)
        except _MISFITS as error:
            yield from list(_item_faults(name, fields[name])) or [_type_fault(name, name, fields[name], error)]
    for name in fields.keys() - FIELDS.keys():
        yield Fault("EDX007", name, f"{shown(name)} is no field of a record", "remove it, or mend its spelling")
    partial = cast(Record, SimpleNamespace(**sound))
    for check in CHECKS:
        if sound.keys() >= set(check.fields):
            yield from check.function(partial)


def _item_faults(name: str, value: Any) -> Iterator[Fault]:
    """What is wrong with the single items of a list, or the members of `withdrawn`."""
    parts: list[tuple[str, Any, Any]] = []
    if isinstance(value, list) and (item := _item_type(name)):
        parts = [(f"{name}[{index}]", item, part) for index, part in enumerate(value[:MAX_ITEMS])]
    elif isinstance(value, dict) and name == "withdrawn":
        known = {field.encode_name: field for field in msgspec.structs.fields(Withdrawn)}
        parts = [(f"{name}.{key}", known[key].type, part) for key, part in value.items() if key in known]
        for key in [key for key, field in known.items() if field.required and key not in value]:
            yield Fault("EDX006", f"{name}.{key}", f"{name}.{key} is missing", "add it")
        for key in value.keys() - known.keys():
            yield Fault(
                "EDX007", f"{name}.{key}", f"{shown(key)} is no field of {name}", "remove it, or mend its spelling"
            )
    for path, kind, part in parts:
        try:
            msgspec.convert(part, kind)
        except _MISFITS as error:
            yield _type_fault(name, path, part, error)


def _item_type(name: str) -> Any:
    """The type of the items of a list field; None for other fields."""
    kind = get_args(FIELDS[name].type)[0]
    return get_args(kind)[0] if get_origin(kind) is list else None


def _type_fault(name: str, path: str, value: Any, error: Exception) -> Fault:
    reason = str(error)
    code = "EDX010" if "length <=" in reason else "EDX008"
    expected = _TYPES.sub(lambda match: _WORDS[match.group()], reason.partition(" - at")[0].replace("`", ""))
    if not expected.startswith("Expected"):
        expected = "no value that it may have"  # msgspec quotes the value, and it may act on a terminal
    return Fault(code, path, f"{path} is {shown(value)}, {expected.lower()}", f"mend it: {_meaning(name)}")


def _meaning(name: str) -> str:
    description = str(msgspec.inspect.type_info(FIELDS[name].type).__getattribute__("extra_json_schema")["description"])
    return (
        description[0].lower() + description[1:].removesuffix(".")
        if description[1:2].islower()
        else description.removesuffix(".")
    )


def _record_id(raw: bytes) -> str:
    found = re.search(rb'"id"\s*:\s*"([0-9a-zA-Z_-]{1,64})"', raw[:100_000])
    return found.group(1).decode() if found else ""


def _lines_of_keys(raw: bytes) -> dict[bytes, int]:
    """The line, 1-based, on which each key of a JSON text stands first."""
    lines: dict[bytes, int] = {}
    line, done = 1, 0
    for match in _STRING.finditer(raw):
        if match.group(2):
            line += raw.count(b"\n", done, match.start())
            done = match.start()
            lines.setdefault(match.group(1), line)
    return lines


def _problem(fault: Fault, where: str, line: int, lines: dict[bytes, int], record_id: str) -> Problem:
    field = fault.field if fault.field.isascii() and fault.field.isprintable() else shown(fault.field)
    line = line or lines.get(re.split(r"[.\[]", field)[0].encode(), 0)
    return Problem(where, line, record_id, field, f"{fault.wrong}; {fault.remedy}", fault.code)
