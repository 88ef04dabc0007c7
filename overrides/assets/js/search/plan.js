// Decides what to ask the index: which words, and which of its parts can answer.
import { names, phrases } from "./cut.js";

const MOST_NAMES = 40; // of a text that long the rest is left unread: a log is for the lookup
const FEW_WORDS = 5; // so many are all asked for, where one part of the index can answer
const RAREST = 4; // of more the rarest, which say most: every word costs a file of each part
const MOST_WORDS = 7; // and of the others those that no more than this share of the records has
const RARE = 0.02;
const COMMON = 0.25; // a word in more than this share of the records, and in many, says nothing beside others
const MANY_RECORDS = 500;
const NAME = /[a-z][A-Z]|[A-Z]{2}|[_\d]|(?:[Ee]rror|[Ee]xception|[Ww]arning)$/; // says something however common it is
const FILLING = new Set(
  ("a all an and are as at be been but by can do does for from had has have if in into is it its may must no not of "
    + "on or should so such than that the their then there these they this to was were when which will with would you "
    + "your")
    .split(" "));

export const EVERYWHERE = -1n; // all bits

// `text` as typed; `vocabulary` as of vocabulary.js; `total` records. Gives the words to ask for with the indexes that
// have each as bits, the phrases, what was read otherwise than typed, and what no record has.
export async function plan(text, vocabulary, total) {
  const found = chosen(unique(names(text)));
  const looked = await Promise.all(found.map((name) => look(name, found.length > 1, vocabulary)));
  return {
    terms: telling(unique(looked.flatMap(({ terms }) => terms)), total),
    corrected: looked.flatMap(({ corrected }) => corrected ?? []),
    missing: looked.flatMap(({ missing }) => missing ?? []),
    phrases: phrases(text),
  };
}

// The names that are looked for: not all of a long text, and without words that only fill it, unless it has no others.
function chosen(found) {
  const full = found.filter(({ look }) => !FILLING.has(look.toLowerCase()));
  return (full.length ? full : found).slice(0, MOST_NAMES);
}

// A name as one word where the index has it or something that begins so, or as its pieces, or as what was meant.
async function look({ look, word, pieces }, several, vocabulary) {
  if (several && word.length < 2 && word < "\u0080") return { terms: [] };
  const whole = await vocabulary.find(word);
  if (whole) return { terms: [{ word, ...whole, name: look }] };
  const telling = pieces.filter((piece) => !FILLING.has(piece));
  const parts = telling.length ? telling : [word];
  const answers = await Promise.all(parts.map((piece) => near(piece, vocabulary)));
  return {
    terms: answers.filter(({ word }) => word).map((answer) => ({ ...answer, name: answer.word })),
    corrected: answers.filter(({ from, word }) => from && word).map(({ from, word }) => ({ from, to: word })),
    missing: answers.filter(({ word }) => !word).map(({ from }) => from),
  };
}

async function near(piece, vocabulary) {
  const found = await vocabulary.find(piece);
  if (found) return { word: piece, ...found };
  const meant = await vocabulary.nearest(piece);
  return meant ? { from: piece, word: meant, ...(await vocabulary.find(meant)) } : { from: piece };
}

function unique(terms) {
  return [...new Map(terms.map((term) => [term.word, term])).values()];
}

// Without words that are nearly everywhere, unless there are no others; of many the rarest, in their order.
function telling(terms, total) {
  const rare = terms.filter(({ name, count }) => count <= Math.max(MANY_RECORDS, total * COMMON) || NAME.test(name));
  const sorted = byCount(rare.length ? rare : byCount(terms).slice(0, 2));
  const few = sorted.length <= (several(sorted) ? RAREST : FEW_WORDS);
  const kept = sorted.filter(({ count }, place) =>
    few || place < RAREST || (place < MOST_WORDS && count <= total * RARE));
  return terms.filter((term) => kept.includes(term));
}

// Whether more than one part has all of the terms.
function several(terms) {
  const where = terms.reduce((all, term) => all & term.where, EVERYWHERE);
  return (where & (where - 1n)) !== 0n;
}

function byCount(terms) {
  return [...terms].sort((a, b) => a.count - b.count);
}
