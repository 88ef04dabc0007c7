// Folds characters that pasting, printing and copying change; as generator/lookup/characters.py.
import { characters as table } from "./tables.js";

const RULES = table.RULES.map(([pattern, replacement]) => [new RegExp(pattern, "g"), replacement]);
const MARKDOWN = table.MARKDOWN.map(([pattern, replacement]) => [new RegExp(pattern, "g"), replacement]);
const ENTITY = new RegExp(table.ENTITY, "g");
const ESCAPED = new RegExp(table.ESCAPED, "g");
const PATH = new RegExp(table.PATH);
const PAIR = /[\ud800-\udbff][\udc00-\udfff]/g;
const HALF = /[\ud800-\udfff]/g;
const UNKNOWN = "\ufffd";

const single = new Map(table.REMOVED.map((code) => [String.fromCharCode(code), ""]));
for (const [folded, chars] of Object.entries(table.REPLACED)) for (const char of chars) single.set(char, folded);
const SINGLE = new RegExp(`[${[...single.keys()].map((char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`).join("")}]`, "g");

// A text with its characters folded; each has one UTF-16 unit then.
export const fold = (text) => foldUnits(text.replace(PAIR, UNKNOWN));

// The same for a text out of escapes, of which each half of a pair counts.
export function foldUnits(text) {
  for (const [pattern, replacement] of RULES) text = text.replace(pattern, replacement);
  text = text.replace(ENTITY, character).replace(HALF, UNKNOWN).replace(SINGLE, (char) => single.get(char));
  for (const [pattern, replacement] of MARKDOWN) text = text.replace(pattern, replacement);
  if (!text.includes("\\")) return text;
  return text.split("\n").map((line) => (PATH.test(line) ? line : line.replace(ESCAPED, "$1"))).join("\n");
}

function character(_, decimal, hexadecimal, name) {
  if (name) return table.NAMED[name];
  const code = decimal ? parseInt(decimal, 10) : parseInt(hexadecimal, 16);
  return code <= 0xffff ? String.fromCharCode(code) : UNKNOWN;
}

// A folded text with each run of spaces made one, and none at its ends.
export const squeezed = (text) => text.split(" ").filter(Boolean).join(" ");

// A text without those characters at its start, or at its end.
export function stripStart(text, chars = " ") {
  let at = 0;
  while (at < text.length && chars.includes(text[at])) at++;
  return text.slice(at);
}

export function stripEnd(text, chars = " ") {
  let end = text.length;
  while (end > 0 && chars.includes(text[end - 1])) end--;
  return text.slice(0, end);
}
