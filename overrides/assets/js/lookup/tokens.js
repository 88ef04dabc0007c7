// Cuts a folded text into tokens, and hashes one to three of them to a key; as generator/lookup/tokens.py.
import { tokens as table } from "./tables.js";

const WORD = new RegExp(table.WORD, "g");
const DIGITS = /^[0-9]+$/;
const UPPER = /[A-Z]+/g;
const MOST_KEPT = 65536;
const encoder = new TextEncoder();
const hashes = new Map();

const CRC = Int32Array.from({ length: 256 }, (_, value) => {
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

// `word` cut to what counts, its ASCII letters in lower case.
export const lower = (word) => word.slice(0, table.MAX_TOKEN).replace(UPPER, (letters) => letters.toLowerCase());

export const isNumber = (word) => DIGITS.test(word);

// The tokens of a folded text, in order: text, start, end.
export function tokens(text) {
  const found = [];
  WORD.lastIndex = 0;
  for (let match; (match = WORD.exec(text)); ) {
    found.push({ text: lower(match[0]), start: match.index, end: WORD.lastIndex });
  }
  return found;
}

// The texts of the tokens.
export const words = (text) => (text.match(WORD) ?? []).map(lower);

// The hash of a token, 32 bits: the CRC-32 of its UTF-8.
export function hashed(word) {
  const known = hashes.get(word);
  if (known !== undefined) return known;
  let sum = -1;
  for (const byte of encoder.encode(word)) sum = CRC[(sum ^ byte) & 255] ^ (sum >>> 8);
  const value = ~sum >>> 0;
  if (hashes.size >= MOST_KEPT) hashes.clear();
  hashes.set(word, value);
  return value;
}

// The key of one to three hashed tokens, 32 bits.
export function key(values) {
  let total = table.SEEDS[values.length];
  values.forEach((value, index) => (total = (total + Math.imul(value, table.MULTIPLIERS[index])) | 0));
  return total >>> 0;
}

// The key of one to three tokens.
export const keyOf = (shingle) => key(shingle.map(hashed));

// 32 bits mixed so that each depends on all.
export function scrambled(value) {
  value ^= value >>> 16;
  value = Math.imul(value, 0x85ebca6b);
  value ^= value >>> 13;
  value = Math.imul(value, 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}
