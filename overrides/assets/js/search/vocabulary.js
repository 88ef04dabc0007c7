// The words of the index, fetched by their first characters: which there are, where, and what comes near one.
import { root, stem } from "./cut.js";

// The beginning of a word as files are named (generator/search/lists.py).
export function beginning(word, length) {
  return [...word].slice(0, length).concat("_", "_", "_").slice(0, length)
    .map((char) => (char < "\u0080" ? char : `~${char.codePointAt(0) % 61}`)).join("");
}

// `load(name)` gives the text of a file; `names` are the files: words stand by two characters, or where many share them
// by three.
export function vocabulary(load, names) {
  const shards = new Map();
  const files = new Set(names);

  function shard(word) {
    return [beginning(word, 3), beginning(word, 2)].find((name) => files.has(name)) ?? "";
  }

  async function entries(name) {
    if (!name) return [];
    if (!shards.has(name)) {
      const rows = load(name).then((text) => text.split("\n").filter(Boolean).map((line) => {
        const [word, count, where] = line.split("\t");
        return { word, count: Number(count), where: BigInt(`0x${where}`) };
      }));
      rows.catch(() => shards.delete(name));
      shards.set(name, rows);
    }
    return shards.get(name);
  }

  // How many records have the word, one that begins with it or another form of it, as the index takes them for one; and
  // the parts that may answer; null where no word begins so.
  async function find(word) {
    const rows = await entries(shard(word));
    const found = rows.filter((row) => row.word.startsWith(word));
    if (!found.length) return null;
    const [begun, rooted] = [stem(word), root(word)];
    const alike = (row) => row.word.startsWith(rooted) && root(row.word) === rooted;
    const near = rows.filter((row) => row.word.startsWith(begun) || alike(row));
    return {
      count: near.filter((row) => row.word.startsWith(word) || alike(row)).reduce((sum, { count }) => sum + count, 0),
      where: near.reduce((all, { where }) => all | where, 0n),
    };
  }

  // The word that was most likely meant, or null: one slip in a short word, two in a long one.
  async function nearest(word) {
    if (word.length < 4 || /^\d+$/.test(word)) return null;
    const most = word.length < 8 ? 1 : 2;
    const starts = [word, ...[0, 1, 2].map((at) => swapped(word, at)), ...[0, 1, 2].map((at) => without(word, at))];
    const lists = await Promise.all([...new Set(starts.map(shard))].map(entries));
    let best = null;
    for (const row of lists.flat()) {
      if (Math.abs(row.word.length - word.length) > most) continue;
      const slips = distance(word, row.word, most);
      if (slips > most) continue;
      const found = { word: row.word, order: [slips, single(row.word) === single(word) ? 0 : 1, -row.count] };
      if (!best || before(found.order, best.order)) best = found;
    }
    return best?.word ?? null;
  }

  return { find, nearest };
}

const swapped = (word, at) => word.slice(0, at) + word[at + 1] + word[at] + word.slice(at + 2);
const without = (word, at) => word.slice(0, at) + word.slice(at + 1);
const single = (word) => word.replace(/(.)\1+/g, "$1"); // double letters are what one most often gets wrong

function before(one, other) {
  const at = one.findIndex((value, index) => value !== other[index]);
  return at >= 0 && one[at] < other[at];
}

// Letters to add, drop, change or swap with the next (Damerau's distance, as optimal string alignment), up to `most`.
export function distance(from, to, most) {
  let before = [];
  let last = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i++) {
    const row = [i];
    for (let j = 1; j <= to.length; j++) {
      const same = from[i - 1] === to[j - 1];
      row[j] = Math.min(row[j - 1] + 1, last[j] + 1, last[j - 1] + (same ? 0 : 1));
      if (i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]) {
        row[j] = Math.min(row[j], before[j - 2] + 1);
      }
    }
    if (Math.min(...row) > most) return most + 1;
    [before, last] = [last, row];
  }
  return last[to.length];
}
