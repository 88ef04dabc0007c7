"""Lookup: from a pasted message, traceback or log to the records that it comes from.

    from generator.lookup import Index, find

    index = Index.of_site("https://errordex.github.io/errordex/")   # or of_dataset, of_records
    for found in find(text, index):
        print(found.kind, found.score, found.sites[0].page, found.values)

`find` says what was found, best first; `index_files` makes the index. A pattern is never run as a regular
expression: its program is looked for with substring search, in time proportional to the text.
"""

from generator.lookup.entries import Site
from generator.lookup.finding import find
from generator.lookup.index import index_files
from generator.lookup.matching import Found, Kind, Value
from generator.lookup.reader import Index

__all__ = ["Found", "Index", "Kind", "Site", "Value", "find", "index_files"]
