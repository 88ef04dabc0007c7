// From a paste to the entries that answer it; as generator/lookup/finding.py.
import { Matcher } from "./matching.js";
import { read } from "./paste.js";
import { ofFrames, ofLines, tiers, unfiltered } from "./probing.js";
import { finding as table } from "./tables.js";

// Up to `limit` entries that a text answers to, best first.
export async function find(text, index, limit = table.LIMIT) {
  const paste = read(text);
  const matcher = new Matcher(paste);
  const [errors, cries, others] = tiers(paste);
  const first = new Turn(matcher, index.first);
  const wider = new Turn(matcher, index.wider);
  const loud = [...errors, ...cries];
  let found = await first.answers([ofFrames(paste), ofLines(paste, loud)]);
  if (!isClaimed(found) && others.length) found = found.concat(await first.answers([ofLines(paste, others)]));
  const claimed = isClaimed(found);
  if (!claimed || (errors.length && found.every((each) => each.kind !== "match" || each.aside))) {
    const lines = claimed ? errors : loud.length ? loud : others;
    found = found.concat(await wider.answers([ofLines(paste, lines)]));
    found = found.concat(await wider.answers([unfiltered(paste, lines)], false));
    for (const turn of [first, wider]) found = found.concat(await turn.similar(new Set(lines)));
  }
  return best(found).slice(0, limit);
}

const isClaimed = (found) => found.some((each) => each.kind === "match");

// Asks one set of keys for the entries of probes.
class Turn {
  #places = new Map();

  constructor(matcher, keys) {
    this.matcher = matcher;
    this.keys = keys;
    this.most = Math.max(table.LINES_A_SHARD, Math.floor(table.LINES / 2 ** keys.bits));
  }

  async answers(probes, filtered = true) {
    const shards = this.#ask(probes, filtered ? await this.keys.filter() : null);
    const found = [];
    for (const [shard, entries] of await this.#loaded(shards)) {
      for (const entry of entries) {
        for (const { line, offset } of this.#places.get(shard)) {
          const each = this.matcher.match(entry, line, offset);
          if (each) found.push(each);
        }
      }
    }
    return found;
  }

  // The entries of shards, all asked for at once.
  #loaded(shards) {
    return Promise.all(shards.map(async (shard) => [shard, await this.keys.entries(shard)]));
  }

  // The shards that these probes lead to, in order; at most so many that were not asked before.
  #ask(several, filter) {
    const asked = new Set();
    let fresh = 0;
    for (const probes of several) {
      for (const probe of probes) {
        if (filter && !this.keys.mayHold(filter, probe.key)) continue;
        const shard = this.keys.shard(probe.key);
        if (!this.#places.has(shard)) {
          if (fresh === table.MOST_SHARDS) continue;
          fresh++;
          this.#places.set(shard, []);
        }
        const places = this.#places.get(shard);
        if (places.length < this.most && places.every((place) => place.line !== probe.line)) {
          places.push(probe);
          asked.add(shard);
        }
      }
    }
    return [...asked];
  }

  // What is like one of these lines among the entries that were asked for.
  async similar(lines) {
    const found = [];
    for (const [shard, entries] of await this.#loaded([...this.#places.keys()])) {
      for (const entry of entries) {
        for (const { line } of this.#places.get(shard)) {
          const each = lines.has(line) && this.matcher.similar(entry, line);
          if (each) found.push(each);
        }
      }
    }
    return found;
  }
}

// Each entry once, ranked; beside a match only what is similar to an error of the paste, and very much.
function best(found) {
  const claimed = isClaimed(found);
  let kept = found.filter((each) => each.kind === "match" || !claimed || (!each.aside && each.score >= table.ALIKE));
  if (kept.some((each) => each.kind === "match" && !each.aside)) kept = kept.filter((each) => each.kind === "match");
  const once = new Map();
  for (const each of kept.sort(ranked)) if (!once.has(each.entry.wording)) once.set(each.entry.wording, each);
  return [...once.values()];
}

function rank({ kind, aside, depth, score, line, entry }) {
  const similar = kind !== "match";
  return [aside && !similar, similar, depth, -score, -entry.specificity, line, entry.identity];
}

function ranked(one, other) {
  const theirs = rank(other);
  for (const [index, value] of rank(one).entries()) {
    if (value < theirs[index]) return -1;
    if (value > theirs[index]) return 1;
  }
  return 0;
}
