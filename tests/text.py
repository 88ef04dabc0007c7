"""The text that a reader of a page sees, by a real HTML parser."""

import re
from collections.abc import Iterator
from xml.etree.ElementTree import Element

import html5lib

UNSEEN = {"script", "style", "template", "head"}


def parse(html: str) -> Element:
    """The document's tree, as a browser builds it."""
    tree: Element = html5lib.parse(html, treebuilder="etree", namespaceHTMLElements=False)
    return tree


def visible_text(html: str) -> str:
    """The text of the body, white space collapsed."""
    body = parse(html).find("body")
    assert body is not None
    return re.sub(r"\s+", " ", "".join(pieces(body))).strip()


def pieces(element: Element) -> Iterator[str]:
    """The text within an element; block elements part words."""
    if element.tag in UNSEEN or not isinstance(element.tag, str):
        return
    inline = element.tag in {"a", "b", "code", "em", "span", "strong"}
    yield "" if inline else " "
    yield element.text or ""
    for child in element:
        yield from pieces(child)
        yield child.tail or ""
    yield "" if inline else " "
