"""Addresses that outlive slugs, names and records: which ones are kept alive, and the pages that redirect them."""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from generator import escape, hubs, ledger, urls
from generator.dataset import Dataset, Entry
from generator.files import File
from generator.hubs import Hub, Index
from generator.ledger import Ledger
from generator.problems import Problem
from generator.words import say

TITLE_CHARACTERS = 120

MENDED, GONE = "notice_mended", "notice_gone"
"""Keys of the titles of pages that stand in the place of a record's."""

_REDIRECT = """<!doctype html>
<html lang="{language}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="robots" content="noindex">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'self'">
<meta http-equiv="refresh" content="1; url={target}">
{canonical}<title>{title}</title>
<script src="{script}"></script>
<p>{moved}</p>
"""


class Redirect(NamedTuple):
    """A former address, the page that it leads to, and that page's title."""

    uri: str
    target: str
    title: str


class RedirectJob(NamedTuple):
    """Redirects to make together: few enough that one more costs little, many enough that keeping them does."""

    uri: str
    redirects: tuple[Redirect, ...]


class Gone(NamedTuple):
    """A page whose record is gone; `record_id` is that of the permalink that leads there, or empty."""

    uri: str
    record_id: str


@dataclass(frozen=True, slots=True)
class Kept:
    """What keeps published addresses alive that no page has: all sorted by address."""

    redirects: tuple[Redirect, ...] = ()
    gone: tuple[Gone, ...] = ()
    empty: tuple[str, ...] = ()


def redirect(uri: str, target: str, title: str, site_url: str = "") -> File:
    """A page at `uri` that leads to the page at `target`; works without JavaScript, and with it keeps the fragment."""
    canonical = f'<link rel="canonical" href="{escape.attribute(site_url + target)}">\n' if site_url else ""
    address, name = escape.attribute(urls.relative(target, uri)), escape.attribute(title)
    page = _REDIRECT.format(
        language=say("language"),
        target=address,
        title=name,
        moved=say("notice_moved", link=f'<a href="{address}">{name}</a>'),
        script=urls.relative("assets/js/redirect.js", uri),
        canonical=canonical,
    )
    return File(urls.html(uri), page.encode())


def record(record_id: str, uri: str, message: str, site_url: str = "") -> File:
    """The permalink of a record whose page is at `uri`."""
    return redirect(urls.permalink(record_id), uri, escape.shortened(message, TITLE_CHARACTERS), site_url)


def jobs(redirects: Iterable[Redirect]) -> Iterator[RedirectJob]:
    """Redirects in up to 256 groups, by a digest of their addresses."""
    groups: defaultdict[str, list[Redirect]] = defaultdict(list)
    for one in redirects:
        groups[hashlib.sha256(one.uri.encode()).hexdigest()[:2]].append(one)
    for name, group in sorted(groups.items()):
        yield RedirectJob(f"redirects/{name}", tuple(group))


def files(job: RedirectJob, site_url: str = "") -> Iterator[File]:
    """A group's pages."""
    for one in job.redirects:
        yield redirect(*one, site_url)


def lists(dataset: Dataset, listed: Ledger) -> tuple[tuple[Hub, ...], tuple[Index, ...]]:
    """A dataset's lists and their indexes; an address that the ledger spells in another case stays as it is there."""
    found = hubs.hubs(dataset)
    if listed.lists:
        found = tuple(sorted((_spelt(hub, listed.spellings) for hub in found), key=lambda hub: hub.uri))
    return found, hubs.indexes(dataset, found)


def _spelt(hub: Hub, spellings: Mapping[str, str]) -> Hub:
    published = spellings.get(hub.uri.casefold(), hub.uri)
    return hub if published == hub.uri or hub.kind == "repository" else replace(hub, uri=published)


Target = tuple[str, str]
"""A page's address and its title."""


def kept(dataset: Dataset, found: Iterable[Hub], indexes: Iterable[Index], listed: Ledger) -> Kept:
    """How each address lives on that an alias or the ledger names and no page has.

    A record's former pages lead to its present one. Where the record is gone, its pages and permalink lead to the
    record that has one of those pages now, as its own or as an alias; without one they say that it is gone. A list
    that is empty leads to that of the renamed repository, or says so. What differs from a page in case alone has
    no file: not every file system could hold both.
    """
    former, missing = _former(dataset, listed)
    names = {hub.uri: hub.title for hub in found} | {index.uri: index.title for index in indexes}
    empty = sorted(listed.lists - names.keys())
    if not former and not missing and not empty:
        return Kept()
    leads = _pages(dataset, [*former, *(uri for uris in missing.values() for uri in uris)])
    redirects = [*_present(former, _homes(dataset, set(former.values())), leads)]
    gone: dict[str, Gone] = {}
    for final in (False, True):  # who has an heir at once is settled first: that may give another one
        redirects += _missing(missing, leads, gone, final=final)
    redirects += _renamed(redirects, names)
    elsewhere = {one.uri.casefold() for one in redirects} | {uri.casefold() for uri in names}
    elsewhere |= {urls.hub("families", tag).casefold() for tag in dataset.articles}
    left = tuple(uri for uri in empty if uri.casefold() not in elsewhere)
    return Kept(tuple(sorted(redirects)), tuple(sorted(gone.values())), left)


def _former(dataset: Dataset, listed: Ledger) -> tuple[dict[str, str], dict[str, list[str]]]:
    """Former pages with the id of the record they lead to, and the addresses of each id without a record."""
    former = {ledger.former(alias): entry.id for entry in dataset.entries for alias in entry.aliases}
    missing: defaultdict[str, list[str]] = defaultdict(list)
    left_out = {one.id for one in dataset.left_out}
    for uri, ids in listed.records.items():
        for record_id in ids:
            entry = dataset.by_id.get(record_id)
            if entry is not None:
                if entry.uri != uri:
                    former.setdefault(uri, record_id)
            elif record_id in left_out:
                former.setdefault(uri, record_id)
            else:
                missing[record_id].append(uri)
    return dict(sorted(former.items())), {record_id: sorted(uris) for record_id, uris in sorted(missing.items())}


def _homes(dataset: Dataset, ids: set[str]) -> dict[str, Target]:
    """The page of each of these records."""
    mended = {one.id: (one.uri, say(MENDED)) for one in dataset.left_out if one.id in ids}
    return mended | {one: _target(dataset.by_id[one]) for one in ids if one in dataset.by_id}


def _pages(dataset: Dataset, addresses: Iterable[str]) -> dict[str, Target]:
    """The records' pages that are at one of these addresses, by case-folded address."""
    wanted = {uri.casefold() for uri in addresses}
    mended = {folded: (one.uri, say(MENDED)) for one in dataset.left_out if (folded := one.uri.casefold()) in wanted}
    return mended | {folded: _target(entry) for entry in dataset.entries if (folded := entry.uri.casefold()) in wanted}


def _target(entry: Entry) -> Target:
    return entry.uri, escape.shortened(entry.message, TITLE_CHARACTERS)


def _present(former: Mapping[str, str], homes: Mapping[str, Target], leads: dict[str, Target]) -> Iterator[Redirect]:
    """The redirects to records that there are; entered into `leads`, where each address leads."""
    for uri, record_id in former.items():
        if uri.casefold() not in leads:
            leads[uri.casefold()] = homes[record_id]
            yield Redirect(uri, *homes[record_id])


def _missing(
    missing: dict[str, list[str]], leads: dict[str, Target], gone: dict[str, Gone], *, final: bool
) -> Iterator[Redirect]:
    """The redirects of records that are gone, to their heirs; with `final`, enters the rest into `gone`."""
    settled = []
    for record_id, uris in missing.items():
        heir = next((leads[uri.casefold()] for uri in uris if uri.casefold() in leads), None)
        if heir is not None:
            settled.append(record_id)
            yield Redirect(urls.permalink(record_id), *heir)
            for uri in uris:
                if uri.casefold() not in leads and uri.casefold() not in gone:
                    leads[uri.casefold()] = heir
                    yield Redirect(uri, *heir)
        elif final:
            mine = [uri for uri in uris if uri.casefold() not in gone]
            for uri in mine:
                gone[uri.casefold()] = Gone(uri, record_id if uri == mine[0] else "")
            if not mine:
                yield Redirect(urls.permalink(record_id), gone[uris[0].casefold()].uri, say(GONE))
    for record_id in settled:
        del missing[record_id]


def _renamed(redirects: Iterable[Redirect], names: Mapping[str, str]) -> Iterator[Redirect]:
    """The lists of repositories whose former pages all lead into one other repository."""
    there = {uri.casefold() for uri in names}
    targets: defaultdict[str, set[str]] = defaultdict(set)
    for one in redirects:
        if one.uri.startswith(urls.hub("errors")):
            targets[_repository(one.uri)].add(_repository(one.target))
    spelt = dict[str, str]()
    for uri, found in sorted(targets.items()):
        if len(found) == 1 and uri.casefold() not in there and spelt.setdefault(uri.casefold(), uri) == uri:
            (target,) = found
            if target in names:
                yield Redirect(uri, target, names[target])


def _repository(uri: str) -> str:
    """The list of the repository that a page's address begins with."""
    return "/".join(uri.split("/")[:3]) + "/"


def lost(published: Ledger, where: str, dataset: Dataset, site: Ledger, still: Kept) -> Iterator[Problem]:
    """A problem for each published address that the site would no longer answer as it should.

    `published` is what `where` lists, `site` what there is now, `still` what else is kept alive. A page that would
    only say that its record is gone counts as lost; a list that would say it is empty does not.
    """
    redirected = {one.uri for one in still.redirects}
    mended = {one.id for one in dataset.left_out} | {one.uri for one in dataset.left_out}
    for uri, ids in published.records.items():
        if uri in mended or mended.intersection(ids):
            continue
        if uri in redirected or set(site.records.get(uri, ())) & set(ids):
            ends = [one for one in ids if one not in dataset.by_id and urls.permalink(one) not in redirected]
            if not ends:
                continue
            entry, text = _removed(urls.permalink(ends[0]), ends[0])
        else:
            entry, text = _lost_page(uri, ids, dataset, site)
        place = (entry.where, entry.where_line, entry.id) if entry else (where, 0, "")
        yield Problem(*place, "", text, "EDX069")
    articles = {urls.hub("families", tag) for tag in dataset.articles}
    for uri in published.lists - site.lists - redirected - articles - set(still.empty):
        text = f"{uri} would be lost: it lists nothing now; before the change, run errordex ledger --write"
        yield Problem(where, 0, "", "", text, "EDX069")


def _lost_page(uri: str, ids: Sequence[str], dataset: Dataset, site: Ledger) -> tuple[Entry | None, str]:
    """What became of a page that is lost, and what to do; with the record to change, if there is one."""
    others = site.records.get(uri)
    if others:
        text = f"{uri} would be lost: it would show record {others[0]} in the place of {ids[0]}"
        return dataset.by_id[others[0]], f"{text}; give record {others[0]} another slug"
    moved = next((dataset.by_id[one] for one in ids if one in dataset.by_id), None)
    if moved is None:
        return _removed(uri, ids[0])
    text = f"{uri} would be lost: the page of record {moved.id} is now {moved.uri}"
    if uri.casefold() == moved.uri.casefold():
        return moved, f"{text}; spell repo and slug as before"
    return moved, f"{text}; add {ledger.alias(uri)} to its aliases"


def _removed(uri: str, record_id: str) -> tuple[Entry | None, str]:
    return None, f"{uri} would be lost: record {record_id} is gone; restore it, and set withdrawn"
