// Cuts what is searched for into names and phrases, as the builder cuts records (generator/search.py).
const CJK = "\\u2e80-\\ua4cf\\uac00-\\ud7ff\\uf900-\\ufaff";
const LETTER = `(?:(?![${CJK}])[\\p{L}\\p{N}])`;
const INNER = `(?:${LETTER}|_)`;
const NAME = new RegExp(`(?=[\\p{L}\\p{N}])[${CJK}]|${LETTER}(?:(?:${INNER}|-(?=${INNER}))*${LETTER})?`, "gu");
const CASES = /(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/;
const BREAKS = /[^\p{L}\p{N}]+/u;
const PHRASE = /["“”„]([^"“”„]+)["“”„]/gu;

// A name as the index has it: lower case, without accents and hyphens.
export function folded(name) {
  return name.replaceAll("-", "").toLowerCase().normalize("NFD").replace(/\p{M}/gu, "");
}

// The names of a text: what each looks like, its word in the index, and the words of its pieces.
export function names(text) {
  return [...text.normalize("NFC").matchAll(NAME)].map(([look]) => {
    const pieces = look.split(BREAKS).flatMap((run) => run.split(CASES)).filter(Boolean);
    const long = pieces.map(folded).filter((piece) => piece.length > 1);
    return { look, word: folded(look), pieces: pieces.length > 1 ? long : [] };
  }).filter(({ word }) => word);
}

// The words by which the builder lists a text: each once, in order.
export function words(text) {
  return [...new Set(names(text).flatMap(({ word, pieces }) => [word, ...pieces]))];
}

// What stands in quotes, in lower case and with single spaces.
export function phrases(text) {
  return [...text.matchAll(PHRASE)].map(([, phrase]) => flat(phrase)).filter(Boolean);
}

// A text as phrases are compared: one case, single spaces.
export function flat(text) {
  return text.toLowerCase().replace(/\s+/g, " ").trim();
}

// A word without its ending, roughly as the index takes forms of a word as one.
export function stem(word) {
  return word.length > 5 ? word.replace(/(?:ing|ed|es|s|e)$/, "") : word;
}

const ENDINGS = [
  "[ae]n(?:t|ts|ce|ces|cy|cies|tly)", "i(?:ty|ties|es|ed|er|zation)", "ments?", "at(?:ion|ions|or|e|ed)", "ions?",
  "ings?", "[ai]ble", "ive", "al", "ly", "ers?", "ed", "es", "s", "e", "y",
];
const ENDING = new RegExp(`(?:${ENDINGS.join("|")})$`);

// What words that may be forms of one have in common.
export function root(word) {
  return word.length > 6 ? word.replace(ENDING, "") : stem(word);
}
