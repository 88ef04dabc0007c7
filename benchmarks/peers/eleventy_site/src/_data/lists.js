import envelopes from "./envelopes.js";

const ROWS = 200;

/** What a record is listed under: kind, and keys. */
const KINDS = {
  errors: ({ record }) => [record.repo],
  classes: ({ record }) => [record.errorClass],
  severities: ({ record }) => [record.severity],
  families: ({ record }) => (record.backgroundTag ? [record.backgroundTag] : []),
  tags: ({ shown }) => shown.tags,
};

/** Lists by kind, and `pages`: each list cut at 200 rows. */
export default function () {
  const all = envelopes();
  const kinds = Object.entries(KINDS).map(([kind, keys]) => ({ kind, lists: grouped(kind, all, keys) }));
  return { kinds, pages: kinds.flatMap(({ lists }) => lists.flatMap(cut)) };
}

function grouped(kind, all, keys) {
  const found = new Map();
  for (const one of all) {
    for (const key of keys(one)) {
      if (!found.has(key)) found.set(key, { title: key, uri: `/${kind}/${key}/`, records: [] });
      found.get(key).records.push(one.record);
    }
  }
  return [...found.values()].sort((one, other) => (one.title < other.title ? -1 : 1));
}

function cut(list) {
  const count = Math.ceil(list.records.length / ROWS);
  const uri = (number) => (number === 1 ? list.uri : `${list.uri}page/${number}/`);
  return Array.from({ length: count }, (_, index) => ({
    title: list.title,
    count: list.records.length,
    uri: uri(index + 1),
    next: index + 1 < count ? uri(index + 2) : "",
    previous: index > 0 ? uri(index) : "",
    rows: list.records.slice(index * ROWS, (index + 1) * ROWS),
  }));
}
