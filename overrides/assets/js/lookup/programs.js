// Finds a program in a text, in time proportional to length of text times pieces; as generator/patterns/matching.py.
// A piece is a text, ["gap", min, max, chars, hole], ["or", alternatives, skip, hole], ["at", place] or ["edge", back].
import * as intervals from "./intervals.js";
import { Scan, isAny } from "./scan.js";

export const SPACE = " \t\n\r\f\v";

const isText = (piece) => typeof piece === "string";
const isGap = (piece) => !isText(piece) && piece[0] === "gap";
const isOr = (piece) => !isText(piece) && piece[0] === "or";
const isLoose = (piece) => piece !== undefined && isGap(piece) && piece[2] === null && isAny(piece[3]);
const mayBeEmpty = (piece) => (isGap(piece) && piece[1] === 0) || (isOr(piece) && piece[2]);

// A sequence of pieces on its way through a text.
class Path {
  constructor(scan, pieces) {
    this.scan = scan;
    this.pieces = pieces;
    this.reached = [];
    this.runs = [];
    this.inner = [];
    this.stays = [];
  }

  // The ends reached from `positions`; if `eager`, optional parts at the end are taken where they fit.
  forward(positions, outer, eager = false) {
    this.reached = [positions];
    let simple = outer;
    for (const [index, piece] of this.pieces.entries()) {
      if (isText(piece)) {
        simple = simple && isLoose(this.pieces[index + 1]);
        positions = this.scan.afterLiteral(piece, positions, simple);
      } else {
        simple = simple && isLoose(piece);
        const before = positions;
        positions = this.#after(index, piece, positions);
        if (eager && isOr(piece) && piece[2] && this.pieces.slice(index).every(mayBeEmpty)) {
          positions = this.#taken(index, before);
        }
      }
      this.reached.push(positions);
      if (!positions.length) {
        while (this.reached.length <= this.pieces.length) this.reached.push([]);
        break;
      }
    }
    return positions;
  }

  #after(index, piece, positions) {
    const [kind, what] = piece;
    if (kind === "gap") {
      this.runs[index] = this.scan.runs(piece[3], positions);
      const ends = afterGap(piece, this.runs[index]);
      return what === 0 ? intervals.union(positions, ends) : ends;
    }
    if (kind === "at") return this.scan.at(what, positions);
    if (kind === "edge") return this.scan.atEdge(what, positions);
    let ends = (this.stays[index] = piece[2] ? positions : []);
    this.inner[index] = what.map((alternative) => new Path(this.scan, alternative));
    for (const path of this.inner[index]) ends = intervals.union(ends, path.forward(positions, false));
    return ends;
  }

  // The ends of an optional part, or where it does not fit its beginnings.
  #taken(index, positions) {
    let begins = [];
    let ends = [];
    for (const path of this.inner[index]) {
      ends = intervals.union(ends, path.reached.at(-1));
      begins = intervals.union(begins, path.backward(path.reached.at(-1)));
    }
    this.stays[index] = intervals.difference(positions, begins);
    return intervals.union(ends, this.stays[index]);
  }

  // The positions of the beginning from which `ends`, some of those reached, are reached.
  backward(ends) {
    if (!ends.length) {
      this.reached = this.reached.map(() => []);
      return [];
    }
    this.reached[this.reached.length - 1] = ends;
    for (let index = this.pieces.length - 1; index >= 0; index--) {
      this.reached[index] = this.#before(index, this.pieces[index], this.reached[index + 1]);
    }
    return this.reached[0];
  }

  #before(index, piece, ends) {
    if (isText(piece)) return ends.map(([low, high]) => [low - piece.length, high - piece.length]);
    if (isGap(piece)) {
      const begins = piece[1] === 0 ? intervals.intersection(this.reached[index], ends) : [];
      return intervals.union(begins, beforeGap(piece, this.runs[index], ends));
    }
    if (!isOr(piece)) return ends;
    let begins = intervals.intersection(this.stays[index], ends);
    for (const path of this.inner[index]) {
      begins = intervals.union(begins, path.backward(intervals.intersection(path.reached.at(-1), ends)));
    }
    return begins;
  }

  // Go from `at`, which is in `reached[0]`, to the end; note in `spans` what the holes took.
  walk(at, spans) {
    for (const [index, piece] of this.pieces.entries()) {
      if (isText(piece)) at += piece.length;
      else if (isGap(piece)) at = noted(spans, piece[4], at, this.#gapEnd(index, piece, at));
      else if (isOr(piece)) at = this.#orEnd(index, piece, at, spans);
    }
    return at;
  }

  #gapEnd(index, [, min, max, chars], at) {
    const following = this.reached[index + 1];
    if (isAny(chars)) return intervals.firstFrom(following, at + min);
    const end = this.scan.skip(chars, at, this.scan.text.length, true);
    return intervals.lastUpTo(following, max === null ? end : Math.min(end, at + max));
  }

  #orEnd(index, piece, at, spans) {
    for (const path of this.inner[index]) {
      if (intervals.holds(path.reached[0], at)) return noted(spans, piece[3], at, path.walk(at, spans));
    }
    return at;
  }
}

function noted(spans, hole, start, end) {
  if (hole !== null && hole !== undefined) spans[hole] = [start, end];
  return end;
}

// Where a gap ends if it begins at a position of `runs`.
function afterGap([, min, max], runs) {
  const ends = [];
  for (const [end, begins] of runs) {
    for (const [low, high] of begins) {
      if (low + min <= end) intervals.add(ends, low + min, max === null ? end : Math.min(end, high + max));
    }
  }
  return ends;
}

// The positions of `runs` from which a gap reaches one of `ends`.
function beforeGap([, min, max], runs, ends) {
  const found = [];
  let index = 0;
  for (const [stop, begins] of runs) {
    const least = begins[0][0];
    while (index < ends.length && ends[index][1] < least + min) index++;
    const reaching = [];
    for (let at = index; at < ends.length && ends[at][0] <= stop; at++) {
      const [low, high] = ends[at];
      intervals.add(reaching, max === null ? least : low - max, Math.min(high, stop) - min);
    }
    found.push(...intervals.intersection(begins, reaching));
  }
  return found;
}

// The first match that begins at `start` or later: {start, end, holes}, or null.
export function search({ branches, holes }, text, start = 0) {
  const scan = new Scan(text);
  const from = Math.min(Math.max(0, start), text.length);
  let best = null;
  for (const branch of branches) {
    const begin = beginOf(scan, branch, from);
    if (begin !== null && (best === null || begin < best.begin)) best = { begin, branch };
  }
  const found = best && filled(scan, best.branch, best.begin);
  if (!found) return null;
  const named = Object.entries(found.spans).map(([index, [low, high]]) => {
    return { name: holes[index], start: low, end: high, value: text.slice(low, high) };
  });
  return { start: best.begin, end: found.end, holes: named };
}

// Where the first match of `branch` from `start` on begins.
function beginOf(scan, branch, start) {
  const { text } = scan;
  if (!branch.every((piece) => !isText(piece) || text.includes(piece, start))) return null;
  const path = new Path(scan, branch);
  const ends = path.forward([[start, text.length]], true);
  if (!ends.length) return null;
  const begin = path.backward(ends)[0][0];
  if (!isLoose(branch[0])) return begin;
  const rest = path.reached[1][0][0] - branch[0][1];
  return Math.max(begin, begin + text.slice(begin, Math.max(begin, rest)).lastIndexOf("\n") + 1);
}

// The match of `branch` from `begin` to the end that is chosen among those there are.
function filled(scan, branch, begin) {
  const path = new Path(scan, branch);
  const ends = path.forward([[begin, begin]], true, true);
  if (!ends.length) return null;
  const end = chosen(scan.text, ends, endsOpen(branch));
  path.backward([[end, end]]);
  const spans = {};
  path.walk(begin, spans);
  return { end, spans };
}

function chosen(text, ends, open) {
  let first = -1;
  for (const [low, high] of ends) {
    const line = open ? text.slice(low, high).indexOf("\n") : -1;
    const end = line < 0 ? high : low + line;
    if (end === text.length || (open ? "\n" : SPACE).includes(text[end])) return end;
    if (first < 0) first = end;
  }
  return first;
}

// Whether a match of `pieces` can end in any characters without limit.
export function endsOpen(pieces) {
  for (const piece of [...pieces].reverse()) {
    if (isText(piece)) return false;
    if (isGap(piece)) {
      if (isLoose(piece) || piece[1] > 0) return isLoose(piece);
    } else if (isOr(piece)) {
      if (piece[1].some(endsOpen)) return true;
      if (!piece[2]) return false;
    }
  }
  return false;
}

// Characters other than white space.
export function solid(text) {
  let count = 0;
  for (const char of text) if (!SPACE.includes(char)) count++;
  return count;
}

// How many characters other than white space every match must hold at given places.
export const specificity = ({ branches }) => Math.min(...branches.map(fixed));

function fixed(pieces) {
  let count = 0;
  for (const piece of pieces) {
    if (isText(piece)) count += solid(piece);
    else if (isGap(piece) && isSolid(piece[3])) count += piece[1];
    else if (isOr(piece) && !piece[2]) count += Math.min(...piece[1].map(fixed));
  }
  return count;
}

// Whether a class is of one character, and that no white space.
function isSolid([negated, ranges]) {
  const one = !negated && ranges.length === 1 && ranges[0][0] === ranges[0][1];
  return one && !SPACE.includes(String.fromCodePoint(ranges[0][0]));
}
