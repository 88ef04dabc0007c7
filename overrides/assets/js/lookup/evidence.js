// What speaks for an entry besides its words: the class before, the file of a frame; as generator/lookup/evidence.py.
import { stripEnd } from "./characters.js";
import { shared } from "./frames.js";
import { lastName, letters } from "./keys.js";
import { evidence as table } from "./tables.js";

export const { RAISED_HERE, PASSED_HERE, SAME_LINE } = table;

const COMMON_NAMES = new Set(table.COMMON_NAMES);
const FAR = -(10 ** 8);

// Whether `before`, what stands before the message, ends with the class.
export function agreement(errorClass, before, paste, line) {
  const wanted = letters(lastName(errorClass));
  const said = stripEnd(before, " \"'`(");
  if (/[:,]$/.test(said) && wanted && letters(said.slice(-200)).endsWith(wanted)) return "agrees";
  const head = paste.headOf.get(line);
  const named = head ? letters(lastName(head.name)) : "";
  if (named === wanted || paste.names.has(wanted)) return "elsewhere";
  return named && said.endsWith(":") ? "conflicts" : "unknown";
}

// The sites by how near the frames are, nearest first, then by id: {points, shared, near, site}.
export function placed(sites, frames) {
  const places = sites.map((site) => place(site, frames));
  return places.sort((one, other) => compared(other, one) || order(one.site, other.site));
}

const compared = (one, other) => one.points - other.points || one.shared - other.shared || one.near - other.near;
const order = (one, other) => (one.id < other.id ? -1 : one.id > other.id ? 1 : 0);

function place(site, frames) {
  const { segments } = site;
  let best = { points: 0, shared: 0, near: FAR, site };
  for (const [index, frame] of frames.entries()) {
    const count = shared(segments, frame.segments);
    let points;
    if (count >= table.SAME_FILE || (count && count === segments.length)) {
      points = index === 0 ? RAISED_HERE : PASSED_HERE;
      if (frame.line === site.line) points += SAME_LINE;
    } else if (count && !COMMON_NAMES.has(segments[0])) {
      points = table.SAME_NAME;
    } else {
      continue;
    }
    const other = { points, shared: count, near: -Math.abs(frame.line - site.line), site };
    if (compared(other, best) > 0) best = other;
  }
  return best;
}
