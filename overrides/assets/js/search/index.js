// The index behind the search: loads Pagefind and the parts that a question needs, and asks them.
import { plan } from "./plan.js";
import { vocabulary } from "./vocabulary.js";

const RANKING = { termSimilarity: 1, pageLength: 0.3, termSaturation: 1.2, metaWeights: { title: 4, place: 2, more: 0.5 } };
const MOST_DROPPED = 3;

// `root` is the address of `search/`.
export async function openIndex(root) {
  const catalogue = await (await get(new URL("parts.json", root), { cache: "no-cache" })).json();
  const { createInstance } = await import(new URL(`${catalogue.pages.path}pagefind.js`, root));
  const options = { baseUrl: "/", excerptLength: 34, ranking: RANKING };
  const pagefind = createInstance({
    ...options, basePath: new URL(catalogue.pages.path, root).pathname, metaCacheTag: catalogue.pages.key,
  });
  const total = catalogue.parts.reduce((sum, { records }) => sum + records, 0);
  const known = vocabulary((name) => shardText(root, name, catalogue.words), catalogue.parts.length);
  const merged = new Map();
  const filters = new Set();

  function merge(where) {
    const needed = catalogue.parts.filter((part, number) => part.records && where & (1n << BigInt(number)));
    return Promise.all(needed.map((part) => {
      if (!merged.has(part)) {
        const path = new URL(part.path, root).pathname;
        const done = pagefind.mergeIndex(path, { ...options, metaCacheTag: part.key });
        done.catch(() => merged.delete(part));
        merged.set(part, done);
      }
      return merged.get(part);
    }));
  }

  const ask = (words, chosen) => pagefind.search(words.join(" ") || null, { filters: chosen });

  // Results for a text within `chosen` (values by filter), and how the text was read; with fewer words where all find nothing.
  async function search(text, chosen) {
    const read = await plan(text, known, total);
    if (!read.words.length && names(text)) return { read, found: nothing(), dropped: [] };
    await merge(read.words.length ? read.where || known.everywhere : known.everywhere);
    let found = await ask(read.words, chosen);
    const dropped = [];
    if (!found.results.length && read.terms.length > 1) {
      await merge(known.everywhere);
      found = await relaxed(read, chosen, dropped);
    }
    return { read, found, dropped };
  }

  // Drops one word, or as few as needed, so that something is found.
  async function relaxed(read, chosen, dropped) {
    let words = read.words;
    for (let round = 0; round < MOST_DROPPED && words.length > 1; round++) {
      const tries = await Promise.all(words.map(async (left) => ({
        left, found: await ask(words.filter((word) => word !== left), chosen),
      })));
      const best = tries.filter(({ found }) => found.results.length)
        .sort((a, b) => b.found.results[0].score - a.found.results[0].score)[0];
      const common = [...read.terms].filter(({ word }) => words.includes(word)).sort((a, b) => b.count - a.count)[0];
      const left = best?.left ?? common.word;
      dropped.push(left);
      words = words.filter((word) => word !== left);
      if (best) return best.found;
    }
    return nothing();
  }

  // Loads the counts of a filter's values; from then on results bring them.
  async function count(name) {
    if (filters.has(name)) return;
    await merge(known.everywhere);
    await pagefind.preload(null, { filters: { [name]: ["-"] } });
    filters.add(name);
  }

  return { search, count, ask, families: catalogue.families, total };
}

const nothing = () => ({ results: [], filters: {}, totalFilters: {} });
const names = (text) => /[\p{L}\p{N}]/u.test(text);

async function get(url, options) {
  const response = await fetch(url, options);
  if (!response.ok) throw new Error(`${url.pathname}: ${response.status}`);
  return response;
}

async function shardText(root, name, key) {
  const response = await fetch(new URL(`words/${encodeURIComponent(name)}.txt?k=${key}`, root));
  if (response.status === 404) return "";
  if (!response.ok) throw new Error(`${response.url}: ${response.status}`);
  return response.text();
}
