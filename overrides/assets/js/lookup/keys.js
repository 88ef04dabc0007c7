// Names of classes and files as the index has them; the part of generator/lookup/keys.py that a reader needs.
import { keys as table } from "./tables.js";
import { keyOf, lower } from "./tokens.js";

const NOT_LETTERS = new RegExp(table.NOT_LETTERS, "g");

// The last part of a class's name, in lower case.
export function lastName(errorClass) {
  const name = errorClass.replaceAll("::", ".").replaceAll("\\", ".");
  return lower(name.slice(name.lastIndexOf(".") + 1));
}

// A name's letters and digits, in lower case: `Value error` and `ValueError` have the same.
export const letters = (name) => lower(name.replace(NOT_LETTERS, ""));

// The key of a file: its name and the folder it is in; `segments` are the last first.
export const fileKey = (segments) => keyOf([segments[1] ?? "", segments[0] ?? "", "@"]);
