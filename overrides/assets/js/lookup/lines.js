// Reads a paste into lines: what each says, and what kind of line it is; as generator/lookup/lines.py.
import { squeezed, stripEnd, stripStart } from "./characters.js";
import { frame as frameOf, leading, matchAt } from "./frames.js";
import { cut } from "./prefixes.js";
import { lines as table } from "./tables.js";

const sticky = (pattern) => new RegExp(pattern, "y");
const TRACE = new RegExp(table.TRACE);
const ENDING = new RegExp(table.ENDING);
const CAMEL = new RegExp(table.CAMEL);
const PARTS = new RegExp(table.PARTS);
const CHAIN = sticky(table.CHAIN);
const MARK = sticky(table.MARK);
const NUMBERED = sticky(table.NUMBERED);
const POINTED = sticky(table.POINTED);
const CAUSE = sticky(table.CAUSE);
const HEAD = sticky(table.HEAD);
const PLAIN_HEAD = sticky(table.PLAIN_HEAD);

// Reads lines one after the other; what a line is depends on those before.
export class Reader {
  lines = [];
  // Indent of the frame whose source may follow; null where none may.
  #under = null;
  #source = 0;

  // Read the next line of a folded text; `told` says that it came out of another, a JSON string.
  add(raw, told = false) {
    const { text: bare, indent, stamped } = cut(raw);
    let text = squeezed(bare);
    const whole = squeezed(raw);
    let [kind, frame] = this.#kind(raw, text, indent);
    if (frame && kind === "text") text = text.slice(leading(text)?.end ?? 0);
    const head = kind === "text" ? headOf(text, this.#under !== null) : null;
    if (head) kind = "head";
    else if (kind === "text" && this.#under !== null && !this.#source && !frame) kind = "source";
    if (kind === "frame" && frame?.before) this.#under = indent;
    else if (kind !== "source" && kind !== "mark") this.#under = null;
    this.#source = kind === "source" ? this.#source + 1 : 0;
    const { name, said, cause } = head ?? { name: "", said: 0, cause: false };
    const width = stripEnd(raw).length;
    const pytest = stripStart(raw).startsWith("E   ");
    this.lines.push({ text, whole, kind, width, stamped, pytest, frame, name, cause, told, said });
  }

  // What kind of line it is, a head still being text, and the place that it names.
  #kind(raw, text, indent) {
    if (!text) return ["blank", null];
    if (TRACE.test(text)) return ["trace", null];
    if (matchAt(CHAIN, text)) return ["chain", null];
    const frame = frameOf(text);
    if (frame) return ["frame", frame];
    if (matchAt(MARK, text)) return ["mark", null];
    const below = this.#under !== null && indent > this.#under;
    if (matchAt(NUMBERED, raw) || matchAt(POINTED, raw) || below) return ["source", null];
    return ["text", leading(text)?.frame ?? null];
  }
}

// The class that a line names before its message, where the message begins, and whether it is another's cause.
function headOf(text, afterSource) {
  const found = matchAt(HEAD, text);
  if (found) {
    const end = HEAD.lastIndex;
    if (isName(found[2], end === text.length && !text.endsWith(":"), afterSource)) {
      return { name: found[2], said: end, cause: Boolean(found[1] && matchAt(CAUSE, found[1])) };
    }
  }
  return matchAt(PLAIN_HEAD, text) ? { name: "", said: PLAIN_HEAD.lastIndex, cause: false } : null;
}

function isName(name, ends, afterSource) {
  const last = name.split(PARTS).at(-1);
  const capital = last[0] >= "A" && last[0] <= "Z";
  if (ENDING.test(last) || (afterSource && capital)) return true;
  return !ends && (CAMEL.test(last) || (last !== name && capital));
}
