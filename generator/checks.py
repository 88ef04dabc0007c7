"""The rules that a single record must keep, as a table: code, sentence, fields, function.

Each rule is a small generator; its docstring is the rule. It yields what breaks it, all of it. Rules
on several records are in `dataset`; what is wrong with the bytes or the types is found by `decode`.
"""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from urllib.parse import unquote

from generator import patterns, times
from generator.problems import UsageError
from generator.records import Record

MAX_NAME, MAX_TAG = 200, 100
"""Characters of a name, and of a family's tag."""

_OWNER = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,98}[A-Za-z0-9])?\Z")
_NAME = re.compile(r"(?!\.{1,2}\Z)[A-Za-z0-9._-]{1,100}\Z")
_ID = re.compile(r"[0-9a-f]{16}\Z")
_SHA = re.compile(r"[0-9a-f]{40}\Z")
_FAMILY = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*\Z")
_UNSAFE = re.compile(r"[\x00-\x20\x7f-\xa0/\\]")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")


@dataclass(frozen=True, slots=True)
class Fault:
    """One broken rule: its code, the JSON field, what is wrong (with the value), and what to do."""

    code: str
    field: str
    wrong: str
    remedy: str


def shown(value: object, limit: int = 60) -> str:
    """`value` as one short line of JSON, for a message; nothing in it can act on a terminal."""
    try:
        text = json.dumps(value, ensure_ascii=True)
    except RecursionError:
        return "nested too deep to show"
    return text if len(text) <= limit else f"{text[: limit - 1]}…"


def is_repo(text: str) -> bool:
    """Whether `text` is a GitHub repository, owner/name."""
    owner, slash, name = text.partition("/")
    return bool(slash and _OWNER.match(owner) and _NAME.match(name))


def asked_repo(text: str) -> str:
    """`text`, the repository that somebody asks for; `UsageError` if it is none."""
    if not is_repo(text):
        raise UsageError(f"{shown(text)} is not owner/name; give the repository as GitHub spells it [EDX011]")
    return text


def is_id(text: str) -> bool:
    """Whether `text` is a record's id: 16 lower-case hexadecimal digits."""
    return bool(_ID.match(text))


def is_commit(text: str) -> bool:
    """Whether `text` is a whole commit id: 40 lower-case hexadecimal digits."""
    return bool(_SHA.match(text))


def is_path(text: str) -> bool:
    """Whether `text` is a file's path from a repository's root, and stays in it."""
    return bool(text.strip()) and not ({"", ".", ".."} & set(text.split("/")) or _CONTROL.search(text) or "\\" in text)


def is_slug(text: str) -> bool:
    """Whether `text` can stand in a URL as one segment, once `urls` has spelt it."""
    return bool(text) and not _UNSAFE.search(text) and text.strip(".") != ""


def repo_form(record: Record) -> Iterator[Fault]:
    """`repo` is a GitHub repository, owner/name."""
    if not is_repo(record.repo):
        yield Fault(
            "EDX011", "repo", f"repo is {shown(record.repo)}, not owner/name", "give the repository as GitHub spells it"
        )


def id_form(record: Record) -> Iterator[Fault]:
    """`id` is 16 lower-case hexadecimal digits."""
    if not is_id(record.id):
        yield Fault(
            "EDX012",
            "id",
            f"id is {shown(record.id)}, not 16 lower-case hexadecimal digits",
            "give a new id of that form",
        )


def slug_form(record: Record) -> Iterator[Fault]:
    """`slug` is one path segment: no space, slash or control character."""
    if not is_slug(record.slug):
        yield Fault(
            "EDX013",
            "slug",
            f"slug is {shown(record.slug)}, not one path segment",
            "use lower-case letters, digits and hyphens",
        )


def line_in_excerpt(record: Record) -> Iterator[Fault]:
    """`lineNumber` lies within the excerpt."""
    start, end, line = record.source_code_start, record.source_code_end, record.line_number
    if start <= end and not start <= line <= end:
        yield Fault(
            "EDX014",
            "lineNumber",
            f"lineNumber is {line}, outside the excerpt's lines {start}–{end}",
            "give the line of the raise, or widen sourceCodeStart and sourceCodeEnd",
        )


def excerpt_length(record: Record) -> Iterator[Fault]:
    """`sourceCode` holds the lines `sourceCodeStart` to `sourceCodeEnd`; a final newline may count as one more."""
    start, end = record.source_code_start, record.source_code_end
    if end < start:
        yield Fault(
            "EDX015",
            "sourceCodeEnd",
            f"sourceCodeEnd is {end}, before sourceCodeStart {start}",
            "give the excerpt's last line",
        )
        return
    lines = record.source_code.count("\n") + 1
    fits = {lines, lines - 1} if record.source_code.endswith("\n") else {lines}
    if end - start + 1 not in fits:
        yield Fault(
            "EDX015",
            "sourceCodeEnd",
            f"sourceCode has {min(fits)} lines, and {start}–{end} are {end - start + 1}",
            "make sourceCodeStart and sourceCodeEnd the first and last line of the excerpt",
        )


def url_host(record: Record) -> Iterator[Fault]:
    """`githubUrl` is https and shows a file of `repo` on github.com."""
    prefix = f"https://github.com/{record.repo}/blob/"
    if record.github_url.startswith(prefix):
        if unsafe := _UNSAFE.search(record.github_url.replace("/", "")):
            wrong = f"githubUrl has the character {shown(unsafe.group())} in it"
            yield Fault("EDX016", "githubUrl", wrong, "spell it as % and two hexadecimal digits")
    else:
        yield Fault(
            "EDX016",
            "githubUrl",
            f"githubUrl is {shown(record.github_url)}",
            f"give an address that starts with {shown(prefix)}",
        )


def url_pinned(record: Record) -> Iterator[Fault]:
    """`githubUrl` is pinned to `checkedSha` where that is given, else to `analyzedSha`."""
    prefix = f"https://github.com/{record.repo}/blob/"
    commit = record.github_url.removeprefix(prefix).split("/")[0]
    checked = getattr(record, "checked_sha", None)
    if record.github_url.startswith(prefix) and commit != (checked or record.analyzed_sha):
        yield Fault(
            "EDX017",
            "githubUrl",
            f"githubUrl points at {shown(commit)}, not at the {'checked' if checked else 'analysed'} commit",
            f"put {shown(checked or record.analyzed_sha)} there",
        )


def _after_host(record: Record) -> tuple[str, str] | None:
    """The file and the fragment that `githubUrl` names; None where it is no file of the repository."""
    prefix = f"https://github.com/{record.repo}/blob/"
    if not record.github_url.startswith(prefix):
        return None
    path, _, fragment = record.github_url.removeprefix(prefix).partition("/")[2].partition("#")
    return unquote(path), fragment


def url_path(record: Record) -> Iterator[Fault]:
    """`githubUrl` names `filePath`."""
    place = _after_host(record)
    if place and place[0] != record.file_path:
        wrong = f"githubUrl names the file {shown(place[0])}, not filePath {shown(record.file_path)}"
        yield Fault("EDX018", "githubUrl", wrong, "make them agree")


def url_lines(record: Record) -> Iterator[Fault]:
    """`githubUrl` ends in the excerpt's lines."""
    start, end = record.source_code_start, record.source_code_end
    expected = {f"L{start}-L{end}"} | ({f"L{start}"} if start == end else set())
    place = _after_host(record)
    if place and place[1] not in expected:
        found = f"ends in {shown('#' + place[1])}, not in the excerpt's lines" if place[1] else "ends without lines"
        wrong = f"githubUrl {found}"
        yield Fault("EDX018", "githubUrl", wrong, f"end it in #L{start}-L{end}")


def path_form(record: Record) -> Iterator[Fault]:
    """`filePath` is relative to the repository's root and stays in it."""
    if not is_path(record.file_path):
        yield Fault(
            "EDX019",
            "filePath",
            f"filePath is {shown(record.file_path)}, no path within the repository",
            "give it from the root, with /",
        )


def time_form(record: Record) -> Iterator[Fault]:
    """Times are RFC 3339, with a date that exists and a zone."""
    stamps = {"analyzedAt": getattr(record, "analyzed_at", None), "updatedAt": getattr(record, "updated_at", None)}
    if withdrawn := getattr(record, "withdrawn", None):
        stamps["withdrawn.time"] = withdrawn.time
    for field, stamp in stamps.items():
        if stamp is not None and times.normal(stamp) is None:
            yield Fault(
                "EDX020", field, f"{field} is {shown(stamp)}, no RFC 3339 time", 'write it as "2026-08-28T05:10:05Z"'
            )


def pattern_form(record: Record) -> Iterator[Fault]:
    """`messagePattern` has a form that lookup can search without running it."""
    try:
        patterns.compile(record.message_pattern)
    except patterns.PatternError as error:
        yield Fault(
            "EDX021", "messagePattern", f"messagePattern {shown(record.message_pattern)}: {error.reason}", error.remedy
        )


def pattern_matches(record: Record) -> Iterator[Fault]:
    """`messagePattern` matches the record's own message."""
    try:
        program = patterns.compile(record.message_pattern)
    except patterns.PatternError:
        return
    if program.search(record.error_message) is None:
        yield Fault(
            "EDX022",
            "messagePattern",
            f"messagePattern {shown(record.message_pattern)} does not match errorMessage",
            "write the message with its special characters escaped and .+ for each placeholder",
        )


def message_given(record: Record) -> Iterator[Fault]:
    """`errorMessage` says something."""
    if not record.error_message.strip():
        yield Fault("EDX023", "errorMessage", "errorMessage is blank", "give the message as the program prints it")


def names_form(record: Record) -> Iterator[Fault]:
    """Names (class, code, kind, reviewer, tags) are one line of text, and not blank."""
    names = [
        ("errorClass", getattr(record, "error_class", None)),
        ("errorType", getattr(record, "error_type", None)),
        ("errorCode", getattr(record, "error_code", None)),
        ("reviewedBy", getattr(record, "reviewed_by", None)),
        *(("tags", tag) for tag in getattr(record, "tags", ())),
    ]
    for field, name in names:
        if name is None:
            continue
        if not name.strip() or name != name.strip() or _CONTROL.search(name) or len(name) > MAX_NAME:
            yield Fault(
                "EDX024",
                field,
                f"{field} is {shown(name)}",
                f"give one line of 1 to {MAX_NAME} characters, not blank, without spaces around it",
            )


def family_form(record: Record) -> Iterator[Fault]:
    """`backgroundTag` is lower-case words joined by hyphens: it names a file and a page."""
    tag = record.background_tag
    if tag is not None and (not _FAMILY.match(tag) or len(tag) > MAX_TAG):
        yield Fault(
            "EDX025",
            "backgroundTag",
            f"backgroundTag is {shown(tag)}",
            "give lower-case words joined by hyphens, or null",
        )


def aliases_form(record: Record) -> Iterator[Fault]:
    """Each alias is a former page, owner/name/slug."""
    for alias in getattr(record, "aliases", ()):
        repo, _, slug = alias.rpartition("/")
        if not is_repo(repo) or not is_slug(slug):
            yield Fault("EDX026", "aliases", f"aliases has {shown(alias)}", "give former pages as owner/name/slug")


def sha_form(record: Record) -> Iterator[Fault]:
    """`analyzedSha`, and `checkedSha` where given, is a whole commit id."""
    commits = {"analyzedSha": record.analyzed_sha, "checkedSha": getattr(record, "checked_sha", None)}
    for field, commit in commits.items():
        if commit is not None and not is_commit(commit):
            wrong = f"{field} is {shown(commit)}"
            yield Fault("EDX027", field, wrong, "give all 40 hexadecimal digits, lower-case")


@dataclass(frozen=True, slots=True)
class Check:
    """One rule: the code of its faults, the generator that asks it, and the `Record` attributes it can't do without."""

    code: str
    fields: tuple[str, ...]
    function: Callable[[Record], Iterator[Fault]]

    @property
    def sentence(self) -> str:
        """The rule, as its function's docstring says it."""
        return (self.function.__doc__ or "").strip()


CHECKS = (
    Check("EDX011", ("repo",), repo_form),
    Check("EDX012", ("id",), id_form),
    Check("EDX013", ("slug",), slug_form),
    Check("EDX014", ("line_number", "source_code_start", "source_code_end"), line_in_excerpt),
    Check("EDX015", ("source_code", "source_code_start", "source_code_end"), excerpt_length),
    Check("EDX016", ("repo", "github_url"), url_host),
    Check("EDX017", ("repo", "github_url", "analyzed_sha"), url_pinned),
    Check("EDX018", ("repo", "github_url", "file_path"), url_path),
    Check("EDX018", ("repo", "github_url", "source_code_start", "source_code_end"), url_lines),
    Check("EDX019", ("file_path",), path_form),
    Check("EDX020", (), time_form),
    Check("EDX021", ("message_pattern",), pattern_form),
    Check("EDX022", ("message_pattern", "error_message"), pattern_matches),
    Check("EDX023", ("error_message",), message_given),
    Check("EDX024", (), names_form),
    Check("EDX025", ("background_tag",), family_form),
    Check("EDX026", (), aliases_form),
    Check("EDX027", ("analyzed_sha",), sha_form),
)
