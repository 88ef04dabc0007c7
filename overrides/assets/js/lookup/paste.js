// A paste as lookup sees it: lines, errors, their frames and causes; as generator/lookup/paste.py.
import { fold, foldUnits } from "./characters.js";
import { lastName, letters } from "./keys.js";
import { Reader } from "./lines.js";
import { strings } from "./quoted.js";
import { paste as table } from "./tables.js";

const NEAR = 400;
const ENDS = new Set(["head", "trace", "chain", "frame", "source"]);

class Paste {
  constructor(lines) {
    this.lines = lines;
    const at = [...lines.keys()].filter((index) => lines[index].kind === "head");
    const depths = this.#depths(at);
    // The errors, in order: {line, end, name, frames, depth}.
    this.heads = at.map((line, order) => ({
      line,
      end: this.#messageEnd(line),
      name: lines[line].name,
      frames: this.#frames(line, order ? at[order - 1] : -1),
      depth: depths[order],
    }));
    // By line, the error whose message it is part of.
    this.headOf = new Map();
    for (const head of this.heads) for (let line = head.line; line < head.end; line++) this.headOf.set(line, head);
    this.names = new Set(lines.filter((line) => line.name).map((line) => letters(lastName(line.name))));
    this.frames = lines.filter((line) => line.frame).map((line) => line.frame).reverse();
    this.isShort = lines.filter((line) => line.kind !== "blank").length <= table.SHORT;
  }

  #messageEnd(line) {
    const head = this.lines[line];
    let end = line + 1;
    for (; end < Math.min(this.lines.length, line + table.MESSAGE_LINES); end++) {
      const other = this.lines[end];
      if (ENDS.has(other.kind) || other.told !== head.told) break;
      if ((other.stamped && !head.stamped) || (head.pytest && !other.pytest)) break;
    }
    while (end > line + 1 && ["blank", "mark"].includes(this.lines[end - 1].kind)) end--;
    return end;
  }

  #frames(line, previous) {
    const { lines } = this;
    const found = lines[line].frame ? [lines[line].frame] : [];
    for (let index = line - 1; index > Math.max(previous, line - NEAR); index--) {
      const { frame, kind } = lines[index];
      if (frame?.before && kind === "frame") found.push(frame);
      if (kind === "chain" || found.length >= table.MOST_FRAMES) break;
    }
    for (let index = line + 1; index < Math.min(line + NEAR, lines.length); index++) {
      const { frame, kind } = lines[index];
      if (["head", "trace", "chain"].includes(kind) || found.length >= table.MOST_FRAMES) break;
      if (frame && !frame.before) found.push(frame);
    }
    return found;
  }

  // Python prints the cause first and says so between; others print it after, and say so on its line.
  #depths(at) {
    const depths = at.map(() => 0);
    for (let order = 1; order < at.length; order++) {
      for (let line = at[order - 1] + 1; line < at[order]; line++) {
        if (this.lines[line].kind === "chain") {
          depths[order] = depths[order - 1] + 1;
          break;
        }
      }
    }
    for (let order = at.length - 1; order > 0; order--) {
      if (this.lines[at[order]].cause) depths[order - 1] = depths[order] + 1;
    }
    return depths;
  }
}

// Read a text as it was pasted, printed or logged.
export function read(text) {
  const reader = new Reader();
  for (const raw of fold(text).split("\n")) {
    reader.add(raw);
    for (const value of strings(raw)) for (const line of foldUnits(value).split("\n")) reader.add(line, true);
  }
  return new Paste(reader.lines);
}
