// Strings in lines of JSON: logs keep messages in them, escaped; as generator/lookup/quoted.py.
import { quoted as table } from "./tables.js";

const KEYED = new RegExp(table.KEYED);
const HEXADECIMAL = /^[0-9a-fA-F]{4}$/;

// The values with a space in them, unescaped; nothing unless the line holds a key with a string.
export function* strings(line) {
  if (!line.includes('"') || !KEYED.test(line)) return;
  let at = line.indexOf('"');
  while (at >= 0) {
    const end = endOf(line, at + 1);
    if (end < 0) return;
    const after = line.slice(end + 1, end + 3).replace(/^ +/, "").slice(0, 1);
    const value = line.slice(at + 1, end);
    if (after !== ":" && value.includes(" ")) yield unescaped(value);
    at = line.indexOf('"', end + 1);
  }
}

// Where the string that began before `at` ends; -1 if it does not.
function endOf(line, at) {
  for (;;) {
    const quote = line.indexOf('"', at);
    if (quote < 0) return -1;
    const slash = line.slice(at, quote).indexOf("\\");
    if (slash < 0) return quote;
    at += slash + 2;
  }
}

// `text` with the escapes of JSON and Python resolved.
export function unescaped(text) {
  const parts = [];
  let at = 0;
  for (let slash; (slash = text.indexOf("\\", at)) >= 0; ) {
    parts.push(text.slice(at, slash));
    const code = text.slice(slash + 1, slash + 2);
    at = slash + 2;
    const digits = text.slice(at, at + 4);
    if (code === "u" && HEXADECIMAL.test(digits)) {
      parts.push(String.fromCharCode(parseInt(digits, 16)));
      at += 4;
    } else {
      parts.push(table.ESCAPES[code] ?? code);
    }
  }
  return parts.join("") + text.slice(at);
}
