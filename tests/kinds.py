"""One page of every kind that this repository's own site has, by a name, for those who look at all of them."""

RECORD = "errors/sgl-project/sglang/dspark-requires-explicit-layer-ids-for-aux-hidden-b318b4/"
CODED = "errors/errordex/errordex/field-holds-half-a-surrogate-pair-replace-it-by-t/"

PAGES = {
    "home": "",
    "record": RECORD,
    "record with a code": CODED,
    "repositories": "errors/",
    "repository": "errors/sgl-project/sglang/",
    "classes": "classes/",
    "class": "classes/ValueError/",
    "families": "families/",
    "family": "families/missing-required-argument/",
    "tags": "tags/",
    "severity": "severities/error/",
    "statistics": "statistics/",
    "lookup": "lookup/",
    "lookup answered": "lookup/#DSPARK%20requires%20explicit%20layer_ids%20for%20aux%20hidden%20capture.",
    "lookup without an answer": "lookup/#nothing%20like%20this",
    "search": "search/",
    "search answered": "search/?q=layer",
    "docs": "guide/",
    "settings": "guide/settings/",
    "records": "records/",
    "about": "about/",
    "not found": "nothing/here/",
}
"""Names to addresses from the site's root."""
