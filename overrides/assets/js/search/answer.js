// Answers a state of the page: its results in order, and how the text was read.
import { load, ranked } from "./ranked.js";

// `index` as of index.js. Gives `items` (results, those that were read with their page), `total`, the `words` that were
// asked for, and what was corrected, left out or is in no record.
export async function answer(index, state) {
  const chosen = within(state.chosen);
  if (state.sort) await index.count("day");
  const { read, asked, found, dropped } = await index.search(state.text, chosen);
  const { words } = asked;
  const items = state.sort
    ? await newest(index, found, asked, chosen, state.shown)
    : await ranked(found.results, read.phrases.length || !dropped.length ? state.text : words.join(" "));
  const total = state.sort ? sum(found.filters.day) : read.phrases.length ? items.length : found.results.length;
  return { items, total, asked, words, dropped, corrected: read.corrected, missing: read.missing };
}

// The first `count` items with their pages read.
export function shown(items, count) {
  return Promise.all(items.slice(0, count).map((item) => (item.page ? item : load(item.result))));
}

// How many of the present results have each value of a filter, the filter itself left out of account.
export async function counts(index, state, asked, name) {
  await index.count(name);
  const others = Object.fromEntries(Object.entries(within(state.chosen)).filter(([other]) => other !== name));
  const found = await index.ask(asked, others);
  return found.filters[name] ?? {};
}

// Any of the values of each filter.
function within(chosen) {
  return Object.fromEntries(Object.entries(chosen).map(([name, values]) => [name, { any: values }]));
}

// Results day by day, the newest first; within a day the best first.
async function newest(index, found, asked, chosen, count) {
  const counted = Object.entries(found.filters.day ?? {}).filter(([, records]) => records);
  const days = counted.map(([day]) => day).sort().reverse();
  const items = [];
  for (const day of days) {
    if (items.length >= count) break;
    const { results } = await index.ask(asked, { ...chosen, day: { any: [day] } });
    items.push(...results.map((result) => ({ result })));
  }
  return items;
}

function sum(counts) {
  return Object.values(counts ?? {}).reduce((total, count) => total + count, 0);
}
