// Decides what to ask the index: which words, and which of its parts can answer.
import { names, phrases } from "./cut.js";

const MOST_NAMES = 40; // of a text that long the rest is left unread: a log is for the lookup
const MOST_WORDS = 10; // rarer ones say more, and every word costs a file
export const EVERYWHERE = -1n; // all bits
const COMMON = 0.4; // a word in more than this share of the records says nothing beside others
const TELLING = /(error|exception|warning)$/;

// `text` as typed; `vocabulary` as of vocabulary.js; `total` records. Gives the words to ask for, the
// indexes that have them all as bits, phrases, what was read otherwise than typed, and what no record has.
export async function plan(text, vocabulary, total) {
  const found = [...new Map(names(text).map((name) => [name.word, name])).values()].slice(0, MOST_NAMES);
  const several = found.length > 1;
  const looked = await Promise.all(found.map((name) => look(name, several, vocabulary)));
  const terms = unique(looked.flatMap(({ terms }) => terms));
  const kept = telling(terms, total);
  return {
    words: kept.map(({ word }) => word),
    where: kept.map(({ where }) => where).reduce((all, where) => all & where, EVERYWHERE),
    corrected: looked.flatMap(({ corrected }) => corrected ?? []),
    missing: looked.flatMap(({ missing }) => missing ?? []),
    phrases: phrases(text),
    terms: kept,
  };
}

// A name as one word where the index has it or something that begins so, or as its pieces, or as what was meant.
async function look({ look, word, pieces }, several, vocabulary) {
  if (several && word.length < 2 && word < "\u0080") return { terms: [] };
  const whole = await vocabulary.find(word);
  if (whole) return { terms: [{ word, ...whole, name: look }] };
  const parts = pieces.length ? pieces : [word];
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
  const rare = terms.filter(({ word, name, count }) =>
    count <= total * COMMON || name !== name.toLowerCase() || TELLING.test(word));
  const kept = rare.length ? rare : byCount(terms).slice(0, 2);
  const chosen = new Set(byCount(kept).slice(0, MOST_WORDS));
  return kept.filter((term) => chosen.has(term));
}

function byCount(terms) {
  return [...terms].sort((a, b) => a.count - b.count);
}
