"""Writes the prose fields of benchmark records.

These are benchmark texts, not analyses: sentences put together by rule from facts of the raise site (function, guard,
class, arguments), so that pages have the length and variety of real ones. Nobody has read the code they speak of.
"""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from generator.raise_sites import Site

# Families: the first row that fits the class or the message is the record's; the expression reads "class: message".

FAMILIES = tuple(
    (tag, re.compile(expression, re.IGNORECASE))
    for tag, expression in (
        ("cuda-graph-capture-precondition-failed", r"cuda ?graph"),
        ("missing-optional-dependency", r"^(import|modulenotfound)error|pip install|not installed|please install"),
        ("feature-not-implemented", r"^notimplemented|not (yet )?(implemented|supported)|unsupported"),
        (
            "mutually-exclusive-arguments",
            r"mutually exclusive|not both|cannot (both|be used (together|with))|either .* or",
        ),
        ("shape-mismatch", r"\b(shapes?|ndim|dimensions?|same (length|size)|rank \d)\b"),
        ("index-out-of-range", r"^indexerror|out of (range|bounds)|must be (in|between)"),
        (
            "file-not-found",
            r"^(filenotfound|notadirectory)|no such (file|directory)|(file|path|directory).* (not|exist)",
        ),
        ("permission-denied", r"^permission|permission|denied|forbidden|not allowed to"),
        ("authentication-failed", r"^auth|credential|token|password|login|unauthori[sz]ed"),
        ("timeout-exceeded", r"timeout|timed out|deadline"),
        ("connection-failed", r"^(connection|socket|network)|connect(ion)?\b|unreachable|refused"),
        ("parse-error", r"^(parse|syntax|json|xml|yaml|toml)\w*error|unexpected (token|character|end)|malformed|parse"),
        ("encoding-error", r"^unicode|encod|decod|charset|utf-?8"),
        ("duplicate-definition", r"duplicate|already (defined|registered|exists?|been)"),
        (
            "object-not-initialized",
            r"not (been )?(initiali[sz]ed|fitted|started|connected|loaded|opened?)|before calling",
        ),
        ("invalid-state-transition", r"already|closed|finished|cannot .* (after|while|during)|in progress"),
        ("limit-exceeded", r"exceed|too (many|large|long|big|deep)|at most|maximum|greater than"),
        ("device-mismatch", r"\b(device|gpu|cuda|cpu|dtype)\b"),
        ("version-incompatible", r"version|incompatible|deprecat|no longer|removed in"),
        ("configuration-invalid", r"config|setting|improperly|option|environment variable"),
        ("missing-required-argument", r"required?\b|missing|must (provide|specify|be (given|set|provided))|is none"),
        ("key-not-found", r"^(key|lookup|doesnotexist|notfound)|not found|no such|does not exist|could not find"),
        (
            "unknown-option-value",
            r"unknown|unrecogni[sz]ed|invalid (value|choice)|must be one of|valid (values|options)",
        ),
        (
            "invalid-argument-type",
            r"^typeerror|expected .* (type|instance)|must be (an? )?(str|int|list|dict|callable)",
        ),
        ("internal-invariant-violated", r"^assertionerror|internal error|should (never|not)|bug|unreachable"),
        ("invalid-argument-value", r"invalid|must be|should be|has to be|wrong|illegal"),
    )
)

_NETWORK = re.compile(r"timeout|connection|network|http|socket|request|unavailable|retry", re.IGNORECASE)
_VALIDATION = re.compile(r"Value|Type|Key|Index|Attribute|Assertion|Valid|Argument|Config|Parameter|Usage|Lookup")
_CRITICAL = re.compile(r"^(Memory|System|Runtime|Fatal|Internal|OS|IO)|corrupt|deadlock|fatal|out of memory")
_KEYWORDS = re.compile("all|and|any|cls|dict|else|for|from|hasattr|int|isinstance|len|list|not|self|set|str|type")
_SLOT = re.compile(r"<([a-z]+)>")
_WORDS = re.compile(r"[A-Za-z][A-Za-z0-9]{2,}")
_STOP_WORDS = re.compile(
    "and|any|are|been|but|can|cannot|could|does|for|from|had|has|have|init|into|its|main|must|not|only|other|should|such"
    "|than|that|the|their|them|then|there|they|this|use|used|using|values?|was|were|when|where|which|will|with|your?"
)


@dataclass(frozen=True, slots=True)
class Facts:
    """What the sentences may speak of, free of backticks, each short enough to stand inside a line."""

    site: Site
    id: str
    package: str
    function: str
    module: str
    condition: str
    argument: str
    topic: str

    def pick(self, purpose: str, choices: Sequence[str]) -> str:
        """Choose by the record's id and `purpose`, and fill the facts in."""
        return self._fill(choices[self.number(purpose) % len(choices)])

    def some(self, purpose: str, choices: Sequence[str], count: int) -> list[str]:
        """Choose `count` different ones of `choices`, in an order of the record's own."""
        ranked = sorted(range(len(choices)), key=lambda index: self.number(f"{purpose}{index}"))
        return [self._fill(choices[index]) for index in ranked[:count]]

    def number(self, purpose: str) -> int:
        """A number from 0 to 2³²-1 that depends on the record's id and `purpose` alone."""
        return int.from_bytes(hashlib.sha256(f"{self.id}:{purpose}".encode()).digest()[:4])

    def chance(self, purpose: str, percent: int) -> bool:
        return self.number(purpose) % 100 < percent

    def _fill(self, sentence: str) -> str:
        known = {
            "function": self.function,
            "module": self.module,
            "package": self.package,
            "call": f"{self.function}({self.argument})",
            "condition": self.condition,
            "test": f"not {self.argument}" if self.condition.endswith("…") else self.condition,
            "argument": self.argument,
            "topic": self.topic,
            "error": self.site.error_class,
            "handling": _plain(self.site.handling or "the first error", 40),
            "hole": _plain(self.site.holes[0], 50) if self.site.holes else self.argument,
        }
        return _SLOT.sub(lambda slot: known[slot[1]], sentence)


def facts(site: Site, record_id: str, package: str) -> Facts:
    """Gather the facts of a site; `package` is the repository's name."""
    parts = site.function.split(".")
    name = parts[-2] if parts[-1] == "__init__" and len(parts) > 1 else parts[-1]
    path = PurePosixPath(site.path).with_suffix("")
    argument = _argument(site)
    return Facts(
        site=site,
        id=record_id,
        package=package,
        function=name or path.name,
        module=".".join(path.parts[-3:]),
        condition=_plain(site.condition or f"{argument} is not usable", 140),
        argument=argument,
        topic=" ".join(_words(_literal(site))[:3]) or argument,
    )


def prose(known: Facts) -> dict[str, object]:
    """Write the fields of a record that a person or a model would have written, keyed by the schema's names."""
    return {
        "documentation": _documentation(known),
        "triggerScenarios": " ".join(known.some("trigger", TRIGGERS, 2)),
        "commonSituations": " ".join(known.some("common", SITUATIONS, 2)),
        "solutions": known.some("solution", SOLUTIONS, 2 + known.number("solutions") % 3),
        "exampleFix": known.pick("fix", FIXES) if known.chance("has fix", 85) else None,
        "handlingStrategy": handling_strategy(known.site),
        "validationCode": known.pick("validation", VALIDATIONS) if known.chance("has validation", 80) else None,
        "typeGuard": known.pick("guard", GUARDS) if known.chance("has guard", 45) else None,
        "tryCatchPattern": known.pick("catch", CATCHES) if known.chance("has catch", 40) else None,
        "preventionTips": known.some("tip", TIPS, known.number("tips") % 4),
        "tags": tags(known),
        "backgroundTag": family(known),
    }


def family(known: Facts) -> str | None:
    """The failure class: the first row of `FAMILIES` that fits, left out for one record in four."""
    if known.chance("no family", 25):
        return None
    said = f"{known.site.error_class}: {_literal(known.site)}"
    return next((tag for tag, expression in FAMILIES if expression.search(said)), None)


def tags(known: Facts) -> list[str]:
    """Three to six tags from the message, the path and the class, in that order."""
    path = [part for part in _words(known.site.path.replace("_", " ")) if part not in ("src", "lib", "python")]
    spelled = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", known.site.error_class.strip("_")).lower()
    words = [*_words(_literal(known.site))[:3], *path[-2:], spelled, known.package.lower()]
    wanted = [tag for tag in dict.fromkeys(re.sub(r"[^a-z0-9]+", "-", word).strip("-") for word in words) if tag]
    padded = [*wanted, *(tag for tag in ("python", "exception", "runtime") if tag not in wanted)]
    return padded[: max(3, min(len(wanted), 3 + known.number("tags") % 4))]


def severity(known: Facts) -> str:
    """Mostly `error`; `critical` by class and words, and a few `warning` and `info` by chance."""
    if "Warning" in known.site.error_class or known.chance("warning", 4):
        return "warning"
    if known.chance("info", 1):
        return "info"
    said = f"{known.site.error_class} {known.site.message}"
    return "critical" if _CRITICAL.search(said) and known.chance("critical", 50) else "error"


def error_type(site: Site) -> str:
    """`network`, or `validation` for what a caller handed over, or `exception` for the rest."""
    if _NETWORK.search(site.error_class):
        return "network"
    return "validation" if _VALIDATION.search(site.error_class) else "exception"


def handling_strategy(site: Site) -> str:
    """What a caller does about it: check before, try again, or catch."""
    return {"network": "retry", "validation": "validation"}.get(error_type(site), "try-catch")


def _documentation(known: Facts) -> str:
    opening = known.pick("opening", OPENINGS)
    reason = known.pick("reason", REASONS if known.site.condition else UNGUARDED)
    extra = [known.pick("handled", HANDLED)] if known.site.handling else []
    shown = [known.pick("shown", SHOWN)] if known.site.holes else []
    return " ".join([opening, reason, *extra, *shown, known.pick("closing", CLOSINGS)])


def _argument(site: Site) -> str:
    """The name that the guard or the message speaks of, a parameter if possible; an identifier."""
    named = [str(name) for name in re.findall(r"[A-Za-z_]\w*", f"{site.condition or ''} {' '.join(site.holes)}")]
    expected = [name for name in named if name in site.parameters]
    spoken = [name for name in named if name.islower() and not _KEYWORDS.fullmatch(name)]
    return next(iter((*expected, *spoken, *site.parameters)), "value")


def _literal(site: Site) -> str:
    text = site.message
    for hole in site.holes:
        text = text.replace(f"{{{hole}}}", " ", 1)
    return text


def _words(text: str) -> list[str]:
    found = dict.fromkeys(word.lower() for word in _WORDS.findall(text))
    return [word for word in found if not _STOP_WORDS.fullmatch(word)]


def _plain(text: str, limit: int) -> str:
    """One line of text that can stand in prose and in a comment: no backtick, at most `limit` characters."""
    line = " ".join(text.replace("`", "'").split())
    return line if len(line) <= limit else f"{line[: limit - 1].rstrip()}…"


# Sentences and pieces of code; <slots> are facts.


def _pieces(text: str) -> tuple[str, ...]:
    return tuple(piece.strip("\n") for piece in text.split("\n---\n"))


OPENINGS = (
    "Raised by <function> in <module> when its check on <topic> fails.",
    "<function> refuses to go on: what it was given for <argument> does not meet what <package> expects of <topic>.",
    "This <error> comes from <module>: a problem with <topic> that <function> noticed before doing any work.",
    "<package> raises this <error> in <function> so that a wrong <argument> is seen at once and not in a later step.",
    "The message belongs to the part of <package> that deals with <topic>; the raise itself is in <function>.",
    "<function> stops with <error> as soon as it finds that <topic> cannot be handled the way the caller asked for.",
    "A guard in <module> protects <function> against a <argument> that would lead to wrong results further on.",
    "When <function> runs, it first looks at <argument>; this error is its answer to a state that it cannot work with.",
)
REASONS = (
    "The guard is `<condition>`: whenever it holds, the function raises instead of returning.",
    "It is reached when `<condition>` is true, which the code takes for a mistake of the caller that it cannot repair.",
    "The branch taken is the one for `<condition>`, and nothing that was done before it is undone.",
    "What decides is `<condition>`; if you can make that false before the call, the error does not occur.",
    "The check reads `<condition>` and looks only at this call, so the same input gives the same error again.",
    "Once `<condition>` holds there is no fallback in <module>, since guessing a <argument> would hide the cause.",
)
UNGUARDED = (
    "No condition stands right before the raise: the function arrives there when every earlier return was passed.",
    "The raise ends its block, so it means that none of the cases handled above applied to <argument>.",
    "The path to it is unconditional within the block, which points at a method that a subclass has to replace.",
    "It marks the end of a chain of attempts in <function>; all of them were made, and none gave a usable <argument>.",
)
HANDLED = (
    "It replaces <handling>, which was caught just before, so look at the chained traceback for the first cause.",
    "The handler for <handling> turns the low-level failure into this one and keeps the original as its context.",
    "It is raised while <handling> is being handled, so the traceback has two parts, and the upper one matters more.",
)
SHOWN = (
    "The text includes the value of <hole>, which is the quickest hint at what went wrong.",
    "In the message, <hole> is filled in when it is raised; compare it with what you meant to pass.",
    "The part of the message that varies is <hole>; everything around it stays the same from run to run.",
    "Read the value shown for <hole> first: in most reports it differs from what the caller believed it to be.",
)
CLOSINGS = (
    "The object is left as it was, so a corrected call can follow.",
    "Nothing has been written or sent when it is raised.",
    "Code that calls <function> in a loop meets it at the first faulty item and leaves the others untouched.",
    "It does not depend on timing and can be reproduced with the same arguments.",
    "Callers that pass <argument> through from a configuration see it far from where the value was written.",
    "Subclasses inherit the check, so it can also appear under the name of a class that never mentions <topic>.",
)
TRIGGERS = (
    "Calling <function> with a <argument> for which `<condition>` holds.",
    "Passing <argument> through several layers of <package> until <module> is the first to look at it.",
    "Running <function> before the part of <package> that prepares <topic> has finished its work.",
    "Handing over a <argument> that was read from a file or from the environment without converting it.",
    "Leaving <argument> at its default where <package> needs an explicit choice about <topic>.",
    "A subclass or plug-in that overrides a neighbour of <function> and returns something <module> does not expect.",
    "Reusing an object of <package> for a second run although its state already belongs to the first.",
    "An empty collection or None given as <argument> where at least one entry is needed.",
)
SITUATIONS = (
    "After an upgrade of <package>, when a check on <topic> became stricter than it was in the release used before.",
    "Code copied from an older tutorial that names <argument> differently or in another order.",
    "Tests that build a minimal object by hand and skip the step that sets <argument>.",
    "A configuration shared between two environments of which only one provides what <topic> needs.",
    "Data that was clean during development and holds the first odd <argument> in production.",
    "A wrapper around <function> that forwards keyword arguments without looking at them.",
    "Two versions of <package> installed side by side, with the wrong one first on the path.",
    "Optional parts of <package> that are missing on a build server but present on a developer's machine.",
    "Long pipelines in which <argument> is computed early and used only by <module>.",
)
SOLUTIONS = (
    "Print <argument> right before the call to <function> and compare it with what the message reports.",
    "Make sure that `<condition>` cannot hold: correct <argument> where it is first set, not where it is used.",
    "Pass <argument> explicitly to <function> rather than relying on its default.",
    "Read the signature of <function> in the installed release of <package> and adapt the call to it.",
    "Convert or validate <argument> at the border of your program, before <package> sees it.",
    "If the value comes from a configuration, check its spelling and its type there, and reload it.",
    "Update <package> to a release in which <module> handles this case, or pin the one that your code was written for.",
    "Follow the excerpt upwards from the raise: the lines before it show which earlier step left <topic> incomplete.",
    "Catch <error> around the smallest possible block and report <argument> together with it.",
)
FIXES = _pieces("""
# before
result = <call>
# after
if <argument> is None:
    <argument> = default_<argument>
result = <call>
---
# before
<call>

# after
checked = validate(<argument>)
<function>(checked)
---
# before
<argument> = settings.get("<argument>")
<call>
# after
<argument> = settings["<argument>"]  # fails early, and names the key
<call>
---
# before
for <argument> in candidates:
    <call>
# after
for <argument> in candidates:
    if not usable(<argument>):
        continue
    <call>
---
# before
output = <call>
# after
# <condition>
output = <function>(<argument>=prepare(<argument>))
""")
VALIDATIONS = _pieces("""
if <test>:
    raise SystemExit("check <argument> before calling <function>")
---
assert <argument> is not None, "<function> needs <argument>"
---
problems = [name for name, given in options.items() if given is None]
assert not problems, f"not set: {problems}"
---
# refuse early what <function> would refuse late
if <test>:
    report("<argument>", <argument>)
    return None
---
<argument> = load_<argument>()
assert isinstance(<argument>, expected_type), type(<argument>).__name__
""")
GUARDS = _pieces("""
def is_usable_<argument>(<argument>: object) -> bool:
    return <argument> is not None and not isinstance(<argument>, Exception)
---
def has_<argument>(options: dict[str, object]) -> bool:
    return options.get("<argument>") is not None
---
def accepts(<argument>) -> bool:
    # the opposite of: <condition>
    return bool(<argument>)
---
def checked(<argument>: T | None) -> TypeGuard[T]:
    return <argument> is not None
""")
CATCHES = _pieces("""
try:
    <call>
except <error> as error:
    logger.error("<function> failed: %s", error)
    raise
---
try:
    result = <call>
except <error>:
    result = None  # decide here what a missing result means
---
from contextlib import suppress

with suppress(<error>):
    <call>
---
for attempt in range(3):
    try:
        <call>
        break
    except <error>:
        if attempt == 2:
            raise
""")
TIPS = (
    "Validate <argument> where it enters the program",
    "Pin the release of <package> and read its changes before moving on",
    "Add a test that calls <function> with an empty and with a missing <argument>",
    "Log the value of <argument> together with every failure of <function>",
    "Give <argument> a type annotation and let a type checker look at the callers",
    "Keep the defaults for <topic> in one place",
    "Run one small case of <function> at start-up before the long job begins",
    "Document which part of the program owns <topic>",
)
