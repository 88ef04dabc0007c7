// The texts in which a message is looked for at a line; as generator/lookup/readings.py.
import { squeezed } from "./characters.js";
import { unescaped } from "./quoted.js";
import { readings as table } from "./tables.js";

const { LONGEST } = table;
const ESCAPED = new RegExp(table.ESCAPED);

const reading = (text, line, joints = [], head = false, said = 0) => ({ text, line, joints, head, said });

// The readings of a paste's lines: {text, line, joints: [{at, hard}], head, said}.
export class Readings {
  #made = new Map();

  constructor(paste) {
    this.paste = paste;
  }

  // The readings at a line, those that say most clearly where the message ends first.
  *at(line, offset = 0) {
    const own = this.paste.lines[line];
    const begin = own.text.length > LONGEST ? Math.max(0, offset - LONGEST / 2) : 0;
    yield reading(own.text.slice(begin, begin + LONGEST), line, [], false, Math.max(0, own.said - begin));
    yield* this.#joined(line);
    if (own.whole !== own.text) yield reading(own.whole.slice(begin, begin + LONGEST), line);
  }

  // The whole of the message that a line is part of.
  message(line) {
    return this.#joined(line)[0] ?? this.at(line).next().value;
  }

  #around(line) {
    const { lines } = this.paste;
    let start = line;
    const first = Math.max(0, line - table.LINES_BEFORE);
    while (start > first && !lines[start].stamped && this.#goesOn(start - 1, line)) start--;
    let end = line + 1;
    const last = Math.min(lines.length, line + table.LINES_AFTER);
    while (end < last && !lines[end].stamped && this.#goesOn(end, line)) end++;
    return [start, end];
  }

  // Whether a line may be of one message with another, outside of an error.
  #goesOn(other, line) {
    const one = this.paste.lines[other];
    return one.kind === "text" && one.told === this.paste.lines[line].told && !this.paste.headOf.has(other);
  }

  #joined(line) {
    const head = this.paste.headOf.get(line);
    const [start, end] = head ? [head.line, head.end] : this.#around(line);
    const key = `${start} ${end} ${head !== undefined} ${end - start > 1 ? line : start}`;
    if (!this.#made.has(key)) this.#made.set(key, [...this.#join(start, end, head !== undefined)]);
    return this.#made.get(key);
  }

  *#join(start, end, head) {
    const lines = this.paste.lines.slice(start, end).filter((line) => line.text);
    if (!lines.length) return;
    const widest = Math.max(...lines.map((line) => line.width));
    const texts = [];
    const [{ said }] = lines;
    for (const cut of [false, true]) {
      let text = lines[0].text;
      const joints = [];
      for (let index = 1; index < lines.length; index++) {
        const before = lines[index - 1];
        if (!(cut && before.width === widest && widest >= table.WRAPPED)) text += " ";
        joints.push({ at: text.length, hard: before.width < table.FULL });
        text += lines[index].text;
        if (text.length > LONGEST) break;
      }
      text = text.slice(0, LONGEST);
      if (!texts.includes(text) && (joints.length || head)) {
        texts.push(text);
        yield reading(text, start, joints, head, said);
      }
    }
    if (head && ESCAPED.test(texts[0])) {
      yield reading(squeezed(unescaped(texts[0]).replaceAll("\n", " ")), start, [], head, said);
    }
  }
}
