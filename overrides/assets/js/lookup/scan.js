// A text, and how single pieces of a program move sets of positions forward in it; as generator/patterns/scan.py.
import * as intervals from "./intervals.js";

const WORD = /[A-Za-z0-9_]/;

// Where `literal` stands, found within the text from `low` up to `stop`; -1 if nowhere.
function find(text, literal, low, stop) {
  if (stop >= text.length) return text.indexOf(literal, low);
  const at = text.slice(low, stop).indexOf(literal);
  return at < 0 ? -1 : low + at;
}

// Where `literal` stands from `low` to `high`, in linear time also where it repeats itself.
function* places(text, literal, low, high) {
  const size = literal.length;
  const stop = high + size;
  let at = find(text, literal, low, stop);
  while (at >= 0) {
    yield at;
    let after = find(text, literal, at + 1, stop);
    const period = after - at;
    if (after >= 0 && 2 * period <= size) {
      const tail = literal.slice(-period);
      while (at + period <= high && text.startsWith(tail, at + size)) {
        at += period;
        yield at;
      }
      after = find(text, literal, at + size - period + 1, stop);
    }
    at = after;
  }
}

export const isAny = ([negated, ranges]) => negated && !ranges.length;

export class Scan {
  constructor(text) {
    this.text = text;
  }

  // The ends of `literal` where it stands at one of `positions`; if `first` only the first end.
  afterLiteral(literal, positions, first) {
    const size = literal.length;
    const low = positions[0][0];
    const high = positions.at(-1)[1];
    const each = size * positions.length <= high - low;
    let starts = [];
    for (const span of each ? positions : [[low, high]]) {
      for (const at of places(this.text, literal, ...span)) {
        intervals.add(starts, at, at);
        if (first) return [[at + size, at + size]];
      }
    }
    if (!each) starts = intervals.intersection(starts, positions);
    return starts.map(([from, to]) => [from + size, to + size]);
  }

  at(place, positions) {
    const end = this.text.length;
    const high = place === "^" ? 0 : end;
    const low = place === "$" && this.text.endsWith("\n") ? high - 1 : high;
    return intervals.intersection(positions, [[low, high]]);
  }

  // Those of `positions` that have the edge of a word `back` characters before.
  atEdge(back, positions) {
    const found = [];
    for (const [low, high] of positions) {
      for (let at = low; at <= high; at++) {
        if (this.#isWord(at - back) !== this.#isWord(at - back - 1)) intervals.add(found, at, at);
      }
    }
    return found;
  }

  #isWord(at) {
    return at >= 0 && at < this.text.length && WORD.test(this.text[at]);
  }

  // The stretches of a class that `positions` lie in: [end, positions].
  runs(chars, positions) {
    if (isAny(chars)) return [[this.text.length, positions]];
    const runs = [];
    let end = -1;
    for (const [low, high] of positions) {
      let at = low;
      while (at <= high) {
        if (at >= end) {
          at = this.skip(chars, at, high + 1, false);
          if (at > high || at >= this.text.length) break;
          end = this.skip(chars, at, this.text.length, true);
          runs.push([end, []]);
        }
        runs.at(-1)[1].push([at, Math.min(high, end - 1)]);
        at = end;
      }
    }
    return runs;
  }

  // The first position from `at` whose character is not `inside` the class; `stop` if none is.
  skip([negated, ranges], at, stop, inside) {
    const limit = Math.max(at, Math.min(stop, this.text.length));
    const wanted = inside === negated;
    if (wanted && ranges.length === 1 && ranges[0][0] === ranges[0][1]) {
      const found = ranges[0][0] > 0xffff ? -1 : find(this.text, String.fromCharCode(ranges[0][0]), at, limit);
      return found < 0 ? limit : found;
    }
    while (at < limit && intervals.holds(ranges, this.text.charCodeAt(at)) !== wanted) at++;
    return at;
  }
}
