// Reads a site's lookup index; what it is asked for twice is read once. As generator/lookup/reader.py.
import { decode } from "./entries.js";
import { mayHold } from "./filters.js";
import { index as table } from "./tables.js";
import { scrambled } from "./tokens.js";

// What went wrong when a file was asked for: `offline`, `missing`, `newer`, or `broken`.
export class IndexError extends Error {
  constructor(reason, path) {
    super(`${reason}: ${path}`);
    this.reason = reason;
  }
}

// Keeps what `make` gives for a name, but not its failures: those are tried again.
function keeper() {
  const kept = new Map();
  return (name, make) => {
    if (!kept.has(name)) {
      const made = make();
      kept.set(name, made);
      made.catch(() => kept.delete(name));
    }
    return kept.get(name);
  };
}

// One of an index's sets of keys; `fetchBytes(path)` gives the bytes of a file, or null if there is none.
class KeySet {
  #keep = keeper();

  constructor(fetchBytes, name, bits) {
    this.fetchBytes = fetchBytes;
    this.name = name;
    this.bits = bits;
  }

  // The bytes of its filter.
  filter() {
    return this.#keep("filter", async () => (await this.fetchBytes(`${table.FOLDER}${this.name}.bin`)) ?? new Uint8Array());
  }

  mayHold(filter, key) {
    return mayHold(filter, key);
  }

  // The number of the shard that has the entries of `key`, and others.
  shard(key) {
    return this.bits ? scrambled(key) >>> (32 - this.bits) : 0;
  }

  entries(shard) {
    return this.#keep(shard, async () => {
      const path = `${table.FOLDER}${this.name}/${shard.toString(16)}.json`;
      const bytes = await this.fetchBytes(path);
      return bytes ? decode(parsed(bytes, path)) : [];
    });
  }
}

function parsed(bytes, path) {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    throw new IndexError("broken", path);
  }
}

// The index of a site, by what gives the bytes of its files.
export async function open(fetchBytes) {
  const path = `${table.FOLDER}index.json`;
  const bytes = await fetchBytes(path);
  if (!bytes) throw new IndexError("missing", path);
  const manifest = parsed(bytes, path);
  if (manifest.format > table.FORMAT) throw new IndexError("newer", path);
  const bits = [manifest.first?.shardBits, manifest.wider?.shardBits];
  if (!bits.every(Number.isInteger)) throw new IndexError("broken", path);
  return { first: new KeySet(fetchBytes, "first", bits[0]), wider: new KeySet(fetchBytes, "wider", bits[1]) };
}

// The bytes of the files below a site's root.
export function fetcher(root) {
  return async (path) => {
    try {
      const answer = await fetch(new URL(path, root));
      if (answer.status === 404) return null;
      if (answer.ok) return new Uint8Array(await answer.arrayBuffer());
    } catch {
      // No network, or the answer broke off.
    }
    throw new IndexError("offline", path);
  };
}
