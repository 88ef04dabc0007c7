// Whether a text breaks off within a message; as generator/lookup/cutting.py.
import { solid } from "./programs.js";
import { cutting as table } from "./tables.js";

// How many of a message's characters a text holds that breaks off; 0 if it does not.
export const held = (program, text, said) => Math.max(0, ...program.branches.map((branch) => ofBranch(branch, text, said)));

export const { LEAST_HELD_HERE } = table;

// Whether so many say which message it is.
export function enough(count, specificity) {
  return count >= table.LEAST_HELD && (count >= table.MANY || count * 100 >= table.LEAST_PERCENT * specificity);
}

function ofBranch(branch, text, said) {
  let at = said;
  let count = 0;
  for (const [index, piece] of branch.entries()) {
    if (typeof piece !== "string") continue;
    const start = at > text.length ? -1 : text.indexOf(piece, at);
    if (start < 0) return count + tail(piece, text, at, index === 0 ? table.LEAST_ALONE : 1);
    at = start + piece.length;
    count += solid(piece);
  }
  return 0;
}

// How much of a literal's beginning the text ends with, from `at` on.
function tail(literal, text, at, least) {
  for (let size = Math.min(literal.length - 1, text.length - at); size >= least; size--) {
    if (text.endsWith(literal.slice(0, size))) return solid(literal.slice(0, size));
  }
  return 0;
}
