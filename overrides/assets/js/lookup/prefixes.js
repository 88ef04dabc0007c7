// What tools write before a line of somebody else's message, taken away; as generator/lookup/prefixes.py.
import { stripEnd } from "./characters.js";
import { matchAt } from "./frames.js";
import { prefixes as table } from "./tables.js";

const oneOf = (patterns) => new RegExp(`(?:${patterns.join("|")})`, "y");
const STAMP = oneOf(table.STAMPS);
const MARK = oneOf(table.MARKS);
const BETWEEN = oneOf(table.BETWEEN);

// Where the first of these patterns that matches at `at` ends; -1 if none does.
function endOf(patterns, line, at) {
  for (const pattern of patterns) if (matchAt(pattern, line, at)) return pattern.lastIndex;
  return -1;
}

// A folded line without prefixes and borders: {text, indent, stamped}.
export function cut(line) {
  let at = 0;
  let stamped = false;
  for (;;) {
    const end = at;
    while (line[at] === " ") at++;
    const isStamp = endOf([STAMP], line, at);
    if (isStamp >= 0) stamped = true;
    const next = isStamp >= 0 ? isStamp : endOf(end ? [MARK, BETWEEN] : [MARK], line, at);
    if (next < 0 || next === at) return { text: stripEnd(line.slice(at), table.BORDER), indent: at - end, stamped };
    at = next;
  }
}
