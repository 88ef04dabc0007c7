// Which keys a paste may hold, the lines of its errors first; as generator/lookup/probing.py.
import { fileKey, lastName } from "./keys.js";
import { probing as table, readings } from "./tables.js";
import { hashed, key, keyOf, lower, tokens } from "./tokens.js";

const CRIES = new RegExp(table.CRIES);

// Lines to ask for, in three turns: errors, the last first; lines that cry; the others.
export function tiers(paste) {
  const errors = [];
  for (const head of [...paste.heads].sort((one, other) => other.line - one.line)) {
    for (let line = head.line; line < head.end; line++) errors.push(line);
  }
  const cries = [];
  const others = [];
  const seen = new Set(errors.map((number) => paste.lines[number].text));
  for (const [number, line] of paste.lines.entries()) {
    if (line.kind !== "text" || paste.headOf.has(number) || seen.has(line.text)) continue;
    seen.add(line.text);
    (paste.isShort || line.told || CRIES.test(line.whole) ? cries : others).push(number);
  }
  return [errors, cries, others];
}

// The keys of the files that frames name, once each. A probe is {key, line, offset}.
export function* ofFrames(paste) {
  const seen = new Set();
  for (const head of [...paste.heads].reverse()) {
    for (const frame of head.frames.slice(0, table.FRAMES)) {
      const file = fileKey(frame.segments);
      if (!seen.has(file)) yield { key: file, line: head.line, offset: 0 };
      seen.add(file);
    }
  }
}

// For a few lines the keys of what they begin with, errors after their class, and of the file that raised.
export function* unfiltered(paste, numbers) {
  const asked = new Set();
  for (const number of numbers) {
    const line = paste.lines[number];
    const head = paste.headOf.get(number);
    if (asked.has(line.text) || (head && number !== head.line)) continue;
    if (asked.size === table.BEGINNINGS) return;
    asked.add(line.text);
    const probe = (value) => ({ key: value, line: number, offset: line.said });
    if (head?.frames.length) yield probe(fileKey(head.frames[0].segments));
    const words = tokens(line.text.slice(line.said, line.said + 300)).slice(0, 3).map((token) => token.text);
    if (line.name && words.length) yield probe(keyOf([lastName(line.name), words[0]]));
    for (const size of [2, 3]) if (words.length >= size) yield probe(keyOf(words.slice(0, size)));
  }
}

// The keys of lines' words, in the lines' order; a message may go over from a line to the next.
export function* ofLines(paste, numbers) {
  const seen = new Set();
  for (const number of numbers) {
    const line = paste.lines[number];
    if (seen.has(line.text)) continue;
    seen.add(line.text);
    yield* ofLine(paste, number, line);
  }
}

function* ofLine(paste, number, line) {
  const cut = tokens(line.text);
  const hashes = cut.map((token) => hashed(token.text));
  if (line.kind === "head" && line.name) {
    const name = hashed(lastName(line.name));
    const begin = Math.max(0, cut.findIndex((token) => token.start >= line.said));
    for (let order = begin; order < Math.min(hashes.length, begin + 30); order++) {
      yield { key: key([name, hashes[order]]), line: number, offset: cut[order].start };
      if (order + 1 < hashes.length) {
        yield { key: key([name, hashes[order], hashes[order + 1]]), line: number, offset: cut[order].start };
      }
    }
  }
  yield* shingles(number, hashes, cut.map((token) => token.start), 0);
  const before = previous(paste, number);
  if (before === null || !cut.length) return;
  const last = tokens(paste.lines[before].text.slice(-200)).slice(-2);
  const ahead = last.map((token) => hashed(token.text));
  yield* shingles(number, [...ahead, ...hashes.slice(0, 2)], [0, 0, 0, 0], ahead.length);
  if (last.length && paste.lines[before].width >= readings.WRAPPED) {
    const joined = [...last.slice(0, -1).map((token) => token.text), lower(last.at(-1).text + cut[0].text)];
    yield* shingles(number, [...joined.map(hashed), ...hashes.slice(1, 3)], [0, 0, 0, 0], 0);
  }
}

// Keys of two and three neighbours; if `crossing`, those that begin before that place and end after.
function* shingles(number, hashes, starts, crossing) {
  for (let start = 0; start < hashes.length - 1; start++) {
    for (const size of [2, 3]) {
      const end = start + size;
      if (end > hashes.length || (crossing && !(start < crossing && crossing < end))) continue;
      yield { key: key(hashes.slice(start, end)), line: number, offset: starts[start] };
    }
  }
}

// The line of words before a line, if nothing but blanks is between.
function previous(paste, number) {
  for (let before = number - 1; before > Math.max(-1, number - 4); before--) {
    const { kind } = paste.lines[before];
    if (kind === "text" || kind === "head") return before;
    if (kind !== "blank") return null;
  }
  return null;
}
