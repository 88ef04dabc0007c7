// How far a text says what a message says, word by word; as generator/lookup/similar.py.
import { similar as table, stopwords } from "./tables.js";
import { isNumber, words as wordsOf } from "./tokens.js";

const STOPWORDS = new Set(stopwords.STOPWORDS);
const known = new WeakMap();

const isMore = (one, other) => !other || one.percent > other.percent || (one.percent === other.percent && one.cut && !other.cut);

// How alike a text's words are to a message, of its branches the best: {percent, cut}, or null.
export function likeness(program, words) {
  let best = null;
  const listed = words.slice(0, table.MOST_WORDS);
  for (const branch of program.branches) {
    const like = ofBranch(branch, listed);
    if (like && isMore(like, best)) best = like;
  }
  return best;
}

// 1 for a stopword or a number, 3 for a long word, else 2.
function weight(word) {
  if (STOPWORDS.has(word) || isNumber(word)) return 1;
  return word.length > 7 ? 3 : 2;
}

// The words of a branch's literals, their weights, and how many holes there are.
function cut(branch) {
  if (!known.has(branch)) {
    const literals = branch.filter((piece) => typeof piece === "string");
    const wanted = literals.flatMap(wordsOf).slice(0, table.MOST_WORDS);
    known.set(branch, { wanted, weights: wanted.map(weight), holes: branch.length - literals.length });
  }
  return known.get(branch);
}

function ofBranch(branch, words) {
  const { wanted, weights, holes } = cut(branch);
  if (wanted.length < table.LEAST_WORDS) return null;
  const total = weights.reduce((sum, each) => sum + each, 0);
  const left = new Map();
  for (const word of words) left.set(word, (left.get(word) ?? 0) + 1);
  let held = 0;
  for (const [index, word] of wanted.entries()) {
    const count = left.get(word) ?? 0;
    if (count) {
      left.set(word, count - 1);
      held += weights[index];
    }
  }
  if (held * 100 < total * table.LEAST_CUT) return null;
  const rows = aligned(wanted, weights, words);
  const whole = held * 100 >= total * table.LEAST_SHARE ? wholeLike(wanted, weights, words, rows, total, holes) : null;
  const part = cutLike(weights, rows, total);
  return part && isMore(part, whole) ? part : whole;
}

// rows[i][j]: the weight of the best alignment of the first i wanted and the first j words.
function aligned(wanted, weights, words) {
  const rows = [new Int32Array(words.length + 1)];
  for (const [index, word] of wanted.entries()) {
    const above = rows[index];
    const row = new Int32Array(above.length);
    for (let column = 1; column < row.length; column++) {
      let best = Math.max(row[column - 1], above[column]);
      if (words[column - 1] === word) best = Math.max(best, above[column - 1] + weights[index]);
      row[column] = best;
    }
    rows.push(row);
  }
  return rows;
}

function wholeLike(wanted, weights, words, rows, total, holes) {
  const pairs = matched(wanted, words, rows);
  if (!enough(pairs.map(([row]) => weights[row]))) return null;
  const span = pairs[0][1] - pairs.at(-1)[1] + 1;
  const allowed = pairs.length + table.WORDS_A_HOLE * holes + Math.floor(wanted.length / 4);
  const excess = Math.max(0, span - allowed);
  const share = Math.floor((rows.at(-1).at(-1) * 100) / total);
  return { percent: share - Math.floor((excess * 100) / (4 * wanted.length)), cut: false };
}

// The pairs of the best alignment, the last first.
function matched(wanted, words, rows) {
  const pairs = [];
  let row = wanted.length;
  let column = words.length;
  while (row && column) {
    if (rows[row][column] === rows[row][column - 1]) column--;
    else if (rows[row][column] === rows[row - 1][column]) row--;
    else pairs.push([--row, --column]);
  }
  return pairs;
}

// The likeness to a beginning of the message that reaches the text's last words.
function cutLike(weights, rows, total) {
  let best = null;
  let soFar = 0;
  const width = rows[0].length;
  for (let row = 1; row <= weights.length; row++) {
    soFar += weights[row - 1];
    const last = rows[row];
    const reaches = last[width - 1] > rows[row - 1][width - 1] && last[width - 1] > last[Math.max(0, width - 3)];
    if (reaches && row < weights.length && soFar * 100 >= total * table.LEAST_CUT && enough(weights.slice(0, row))) {
      const like = { percent: Math.floor((last[width - 1] * 95) / soFar), cut: true };
      if (isMore(like, best)) best = like;
    }
  }
  return best;
}

function enough(weights) {
  return weights.length >= table.LEAST_WORDS && weights.filter((each) => each > 1).length >= table.LEAST_TELLING;
}
