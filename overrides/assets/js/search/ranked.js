// The first results in full, those before the rest that have the words just as they were typed.
import { flat, phrases } from "./cut.js";

const LOOKED_AT = 12; // results whose text is read to order them
const SEARCHED = 60; // results whose text is read for a quoted phrase

// Puts `results` (of Pagefind) in order for `text`: what is quoted must stand in a result, and the first are read.
export async function ranked(results, text) {
  const quoted = phrases(text);
  const read = await Promise.all(results.slice(0, quoted.length ? SEARCHED : LOOKED_AT).map(load));
  const fit = read.filter(({ page }) => quoted.every((phrase) => wholeOf(page).includes(phrase)));
  const wanted = flat(text);
  const scored = fit.map((item) => ({ ...item, likeness: likeness(item.page, wanted) }));
  scored.sort((a, b) => b.likeness - a.likeness);
  return quoted.length ? scored : [...scored, ...results.slice(LOOKED_AT).map((result) => ({ result }))];
}

// A result with its page read.
export async function load(result) {
  return { result, page: await result.data() };
}

function wholeOf(page) {
  return flat(`${page.meta.title}\n${page.meta.place ?? ""}\n${page.raw_content ?? page.content}`);
}

function likeness({ meta }, wanted) {
  const title = flat(meta.title ?? "");
  if (title === wanted) return 3;
  if (title.includes(wanted)) return 2;
  return flat(meta.place ?? "").includes(wanted) ? 1 : 0;
}
