"""What hosts read: which type and headers a file is sent with, redirects, and who to write to.

One table, `RULES`, is the source: `_headers` (Cloudflare Pages, Netlify) is written from it, and `errordex
serve` asks it. Both hosts join the values of a header that two matching rules set, so no two rules that
match one address name the same header. Addresses in the files are relative to the folder that is
published, which is the site's root whatever sub-path it is served below.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from generator import times
from generator.about import About
from generator.files import File
from generator.problems import UsageError

Headers = tuple[tuple[str, str], ...]

MAX_RULES, MAX_LINE = 100, 1_000
"""Cloudflare Pages' limits: header rules, and characters of a redirect (its header lines may have 2,000)."""

MAX_STATIC, MAX_DYNAMIC = 2_000, 100
"""Cloudflare Pages' limits of redirects without and with a placeholder."""

POLICY = (
    "default-src 'none';script-src 'self' 'wasm-unsafe-eval';style-src 'self';img-src 'self' data:;font-src 'self';"
    "connect-src 'self';worker-src 'self';manifest-src 'self';base-uri 'none';form-action 'self';frame-ancestors 'none'"
)
"""What any page may do; a page's own policy is narrower, and both hold."""

_FOR_EVER = (("Cache-Control", "public, max-age=31536000, immutable"),)
_TEXT = (("Content-Type", "text/plain; charset=utf-8"),)

RULES: tuple[tuple[str, Headers], ...] = (
    (
        "/*",
        (
            ("X-Content-Type-Options", "nosniff"),
            ("Referrer-Policy", "strict-origin-when-cross-origin"),
            ("Content-Security-Policy", POLICY),
            ("Cross-Origin-Opener-Policy", "same-origin"),
            ("Permissions-Policy", "camera=(), geolocation=(), microphone=()"),
        ),
    ),
    ("/api/*", (("Access-Control-Allow-Origin", "*"),)),
    ("/api/errors/:id", (("Content-Type", "application/json"),)),
    ("/api/schema/:name", (("Content-Type", "application/schema+json"),)),
    ("/api/modified.csv", (("Content-Type", "text/csv; charset=utf-8"),)),
    ("/llms.txt", _TEXT),
    ("/llms/*", _TEXT),
    ("/.well-known/security.txt", _TEXT),
    ("/assets/stylesheets/*", _FOR_EVER),
    ("/search/pages/index/*", _FOR_EVER),
    ("/search/records/:part/index/*", _FOR_EVER),
    ("/search/records/:part/filter/*", _FOR_EVER),
)
"""By address, what is sent; `*` is anything, `:name` a segment. Kept for ever is what has a hash in its name."""

TYPES = {
    ".atom": "application/atom+xml",
    ".css": "text/css; charset=utf-8",
    ".csv": "text/csv; charset=utf-8",
    ".gz": "application/gzip",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".md": "text/markdown; charset=utf-8",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".wasm": "application/wasm",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
    ".xml": "application/xml",
}
"""Types by suffix, as the usual hosts have them too."""


@dataclass(frozen=True, slots=True)
class Security:
    """What `security.txt` says (RFC 9116): `contact` addresses (https, mailto, tel), best first; `expires`, a time."""

    contact: tuple[str, ...] = ()
    expires: str = ""
    policy: str = ""
    languages: tuple[str, ...] = ()


def files(
    about: About,
    *,
    security: Security | None = None,
    moved: Iterable[tuple[str, str]] = (),
    extensionless: bool = True,
    given: Collection[str] = (),
) -> Iterator[File]:
    """The files for hosts; those at a path in `given`, which the owner wrote by hand, are left alone.

    `moved` are redirects from an address to another, most wanted first: beyond the hosts' limits only
    the pages that redirect are left. Raises `UsageError` for a security contact or time that cannot be one.
    """
    made = [
        File(".nojekyll", b""),
        File("robots.txt", _robots(about).encode()),
        File("_headers", _headers().encode()),
        File("_redirects", _redirects(moved, extensionless).encode()),
    ]
    if security is not None and security.contact:
        made.append(File(".well-known/security.txt", _security(security, about).encode()))
    yield from (file for file in made if file.path not in given)


def headers(uri: str) -> dict[str, str]:
    """What is sent with the file at `uri`, relative to the root; its suffix tells its type where no rule does."""
    sent = {name: value for rule, named in RULES if _compiled(rule).fullmatch(f"/{uri}") for name, value in named}
    if "Content-Type" not in sent:
        name = uri.rpartition("/")[2] or "index.html"
        sent["Content-Type"] = TYPES.get(f".{name.rpartition('.')[2]}", "application/octet-stream")
    return sent


@cache
def _compiled(rule: str) -> re.Pattern[str]:
    """A rule as Cloudflare Pages reads it: `*` matches anything, a placeholder one segment."""
    return re.compile(re.sub(r":[A-Za-z]\w*", "[^/]+", re.escape(rule).replace(r"\*", ".*")))


def _robots(about: About) -> str:
    sitemap = f"\nSitemap: {about.address('sitemap.xml')}\n" if about.url else ""
    return f"User-agent: *\nAllow: /\n{sitemap}"


def _headers() -> str:
    blocks = ["\n".join([rule, *(f"  {name}: {value}" for name, value in named)]) for rule, named in RULES]
    return "\n\n".join(blocks) + "\n"


def _redirects(moved: Iterable[tuple[str, str]], extensionless: bool) -> str:
    """Moved pages, then, where there are no copies without a suffix, a rewrite of those addresses.

    Cloudflare asks the rules before the files, so addresses that have the suffix are rewritten to themselves first.
    """
    rows = [f"/{source} /{target} 301" for source, target in moved]
    kept = [row for row in rows if len(row) <= MAX_LINE][:MAX_STATIC]
    if not extensionless:
        kept += ["/api/errors/:id.json /api/errors/:id.json 200", "/api/errors/:id /api/errors/:id.json 200"]
    return "".join(f"{row}\n" for row in kept)


def _security(security: Security, about: About) -> str:
    for contact in security.contact:
        if not re.fullmatch(r"(?:https://|mailto:|tel:)[!-~]+", contact):
            raise UsageError(f"security contact {contact!a} is no https, mailto or tel address; give one [EDX053]")
    if times.normal(security.expires) is None:
        raise UsageError(
            f'security expires is {security.expires!a}, no RFC 3339 time; write it as "2027-12-31T00:00:00Z" [EDX053]'
        )
    canonical = [about.address(".well-known/security.txt")] if about.url else []
    return "".join(f"{name}: {value}\n" for name, values in _fields(security, canonical) for value in values if value)


def _fields(security: Security, canonical: list[str]) -> Iterator[tuple[str, Sequence[str]]]:
    yield "Contact", security.contact
    yield "Expires", (security.expires,)
    yield "Canonical", canonical
    yield "Policy", (security.policy,)
    yield "Preferred-Languages", (", ".join(security.languages),)
