"""Addresses that outlive slugs: `/e/<id>/` goes to the record's page, for ever."""

from generator import escape, urls
from generator.files import File

_REDIRECT = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="robots" content="noindex">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'self'">
<meta http-equiv="refresh" content="1; url={target}">
{canonical}<title>{title}</title>
<script src="{script}"></script>
<p>This page is at <a href="{target}">{title}</a>.</p>
"""


def redirect(uri: str, target: str, title: str, site_url: str = "") -> File:
    """A page at `uri` that leads to the page at `target`; works without JavaScript, and with it keeps the fragment."""
    canonical = f'<link rel="canonical" href="{escape.attribute(site_url + target)}">\n' if site_url else ""
    page = _REDIRECT.format(
        target=escape.attribute(urls.relative(target, uri)),
        title=escape.attribute(title),
        script=urls.relative("assets/js/redirect.js", uri),
        canonical=canonical,
    )
    return File(urls.html(uri), page.encode())


def record(record_id: str, uri: str, message: str, site_url: str = "") -> File:
    """The permalink of a record whose page is at `uri`."""
    return redirect(urls.permalink(record_id), uri, escape.shortened(message, 120), site_url)
