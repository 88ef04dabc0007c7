"""The text of hand-written pages, for the list of words."""

from html.parser import HTMLParser

HIDDEN = frozenset({"script", "style", "template", "noscript"})


def text_of(html: str) -> str:
    """All text of a page; the frame's few words are taken along, which does no harm in a list of words."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    return " ".join(reader.found)


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[str] = []
        self._hidden = 0

    def handle_starttag(self, tag: str, attrs: object) -> None:  # noqa: ARG002 - the parser's signature
        self._hidden += tag in HIDDEN

    def handle_endtag(self, tag: str) -> None:
        self._hidden -= tag in HIDDEN

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            self.found.append(data)
