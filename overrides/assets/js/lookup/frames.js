// Places in source that a stack trace names; as generator/lookup/frames.py.
import { frames as table } from "./tables.js";

const sticky = (pattern) => new RegExp(pattern, "y");
const BEFORE = table.BEFORE.map(sticky);
const AFTER = table.AFTER.map(sticky);
const LEADING = sticky(table.LEADING);
const UPPER = /[A-Z]+/g;

// The match of a sticky pattern at `at`; null if it does not match there.
export function matchAt(pattern, text, at = 0) {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

// The place that a line without prefixes names, if that is all it is for: {segments, line, before}.
export function frame(text) {
  if (text.length > table.LONGEST) return null;
  for (const before of [true, false]) {
    for (const pattern of before ? BEFORE : AFTER) {
      const found = matchAt(pattern, text);
      if (found) return { segments: segments(found[1]), line: Number(found[2] ?? 0), before };
    }
  }
  return null;
}

// The place that a line begins with, and where the message after it begins.
export function leading(text) {
  const found = text.length <= table.LONGEST ? matchAt(LEADING, text) : null;
  return found && { frame: { segments: segments(found[1]), line: Number(found[2]), before: false }, end: LEADING.lastIndex };
}

// A path's segments, the last first, ASCII letters in lower case; `/` and `\` part them alike.
export function segments(path) {
  const plain = path.replaceAll("\\", "/").replaceAll("**", "__").replace(/^ +| +$/g, "");
  const lower = plain.replace(UPPER, (letters) => letters.toLowerCase());
  return lower.split("/").reverse().filter((segment) => segment !== "" && segment !== "." && segment !== "~");
}

// How many segments two paths share from their ends.
export function shared(one, other) {
  let count = 0;
  while (count < Math.min(one.length, other.length) && one[count] === other[count]) count++;
  return count;
}
