"""The OpenSearch 1.1 description, by which a browser offers to search the site from its address bar."""

from xml.sax.saxutils import escape

from generator.files import File
from generator.search.documents import plain

PATH = "opensearch.xml"
MAX_NAME, MAX_DESCRIPTION = 16, 1024
"""Characters, as the format bounds them."""


def open_search(name: str, description: str, site_url: str) -> File:
    """The description of the site at `site_url`, which is absolute and ends in a slash."""
    url = escape(site_url, {'"': "&quot;"})
    content = (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">\n'
        f"<ShortName>{escape(plain(name)[:MAX_NAME])}</ShortName>\n"
        f"<Description>{escape(plain(description)[:MAX_DESCRIPTION])}</Description>\n"
        "<InputEncoding>UTF-8</InputEncoding>\n"
        f'<Image type="image/svg+xml">{url}assets/favicon.svg</Image>\n'
        f'<Url type="text/html" method="get" template="{url}search/?q={{searchTerms}}"/>\n'
        f'<Url type="application/opensearchdescription+xml" rel="self" template="{url}{PATH}"/>\n'
        "</OpenSearchDescription>\n"
    )
    return File(PATH, content.encode())
