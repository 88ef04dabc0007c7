// A Bloom filter of keys; as generator/lookup/filters.py.
import { filters as table } from "./tables.js";
import { scrambled } from "./tokens.js";

// Whether `key` may be in the set whose bits these bytes are.
export function mayHold(bytes, key) {
  const size = bytes.length * 8;
  if (!size) return false;
  let at = scrambled(key);
  const step = (scrambled(~key) | 1) >>> 0;
  for (let hash = 0; hash < table.HASHES; hash++, at += step) {
    const bit = at % size;
    if (!((bytes[Math.floor(bit / 8)] >> (bit & 7)) & 1)) return false;
  }
  return true;
}
