// The index behind the search: opens the parts that a question needs, and asks them.
import { EVERYWHERE, plan } from "./plan.js";
import { FIRST, get, settings, started } from "./start.js";
import { vocabulary } from "./vocabulary.js";

const MOST_DROPPED = 3;

// `root` is the address of `search/`.
export async function openIndex(root) {
  const folder = (path) => new URL(path, root).pathname;
  const [pagefind, { parts, words, families }] = await started(root);
  const total = parts.reduce((sum, { records }) => sum + records, 0);
  const known = vocabulary((name) => shardText(root, name, words.key), words.files.split(" "));
  const merged = new Map([[FIRST, true]]);
  const filters = new Set();

  const chosenParts = (where) => parts.filter((_, number) => where & (1n << BigInt(number)));

  // Opens the indexes of some parts, which from then on are asked as well.
  function merge(where) {
    return Promise.all(chosenParts(where).map(({ path, key }) => {
      if (!merged.has(path)) {
        const done = pagefind.mergeIndex(folder(path), { ...settings(path), metaCacheTag: key });
        done.catch(() => merged.delete(path));
        merged.set(path, done);
      }
      return merged.get(path);
    }));
  }

  // What is found in the parts that have all words: Pagefind takes a word it does not know for the longest it does.
  function ask({ words, where }, chosen) {
    return pagefind.search(words.join(" ") || null, {
      filters: { ...chosen, part: { any: chosenParts(where).map(({ path }) => path) } },
    });
  }

  const question = (terms) => ({
    words: terms.map(({ word }) => word),
    where: terms.reduce((all, { where }) => all & where, EVERYWHERE),
  });

  // Results for a text within `chosen` (Pagefind's filters), how the text was read, and what was asked: with fewer
  // words where nothing has all.
  async function search(text, chosen) {
    const read = await plan(text, known, total);
    let asked = question(read.terms);
    const unknown = !read.terms.length && /[\p{L}\p{N}]/u.test(text);
    if (unknown) return { read, asked, found: nothing(), dropped: [] };
    await merge(asked.where);
    const found = await ask(asked, chosen);
    if (found.results.length || read.terms.length < 2) return { read, asked, found, dropped: [] };
    return { read, ...(await relaxed(read.terms, chosen)) };
  }

  // Drops one word, or as few as needed, so that something is found.
  async function relaxed(terms, chosen) {
    const dropped = [];
    while (terms.length > 1 && dropped.length < MOST_DROPPED) {
      const tries = await Promise.all(terms.map((left) => attempt(terms, left, chosen)));
      const [best] = tries.filter(({ found }) => found.results.length)
        .sort((a, b) => b.found.results[0].score - a.found.results[0].score);
      const left = best?.left ?? terms.reduce((most, term) => (term.count > most.count ? term : most));
      dropped.push(left.word);
      if (best) return { asked: best.asked, found: best.found, dropped };
      terms = terms.filter((term) => term !== left);
    }
    return { asked: question(terms), found: nothing(), dropped: [] };
  }

  async function attempt(terms, left, chosen) {
    const asked = question(terms.filter((term) => term !== left));
    await merge(asked.where);
    return { left, asked, found: await ask(asked, chosen) };
  }

  // Loads the counts of a filter's values; from then on results bring them.
  async function count(name) {
    if (filters.has(name)) return;
    await merge(EVERYWHERE);
    await pagefind.preload(null, { filters: { [name]: ["-"] } });
    filters.add(name);
  }

  return { search, count, ask, families, total };
}

const nothing = () => ({ results: [], filters: {}, totalFilters: {} });

async function shardText(root, name, key) {
  return (await get(new URL(`words/w${name}.txt?k=${key}`, root))).text();
}
