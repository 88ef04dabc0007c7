// Whether a message stands in a paste, how surely, and with which values; as generator/lookup/matching.py.
import { stripEnd, stripStart } from "./characters.js";
import * as cutting from "./cutting.js";
import * as evidence from "./evidence.js";
import { endsOpen, search } from "./programs.js";
import { Readings } from "./readings.js";
import { likeness } from "./similar.js";
import { matching as table } from "./tables.js";
import { words } from "./tokens.js";

const LOUD = new RegExp(table.LOUD);
const PLACEHOLDER = new RegExp(table.PLACEHOLDER);
const CODE = new RegExp(table.CODE);
const half = (number) => Math.floor(number / 2);
const clamp = (score, most) => Math.max(1, Math.min(most, score));

// Looks for entries in one paste.
export class Matcher {
  #words = new Map();

  constructor(paste) {
    this.paste = paste;
    this.readings = new Readings(paste);
  }

  // The entry's message at a line, if it stands there whole and says enough.
  match(entry, line, offset) {
    for (const reading of this.readings.at(line, offset)) {
      const match = firstMatch(entry, reading);
      const found = match && this.#found(entry, reading, match, line);
      if (found) return found;
    }
    return null;
  }

  #found(entry, reading, first, line) {
    const match = ended(entry, reading, first);
    const before = reading.text.slice(0, match.start);
    const after = reading.text.slice(match.end);
    if (crosses(reading, match) || isSource(match, before)) return null;
    const starts = startsAt(before, reading, match.start);
    const ends = endsAt(after, reading, match.end);
    const agrees = evidence.agreement(entry.errorClass, before, this.paste, line);
    const frames = this.#frames(line);
    const places = evidence.placed(entry.sites, frames);
    const claimed = claims(entry, agrees, places[0], frames.length > 0, starts, ends);
    if (!claimed && !(starts && this.#isLoud(line))) return null;
    const score = 40 + Math.min(30, half(entry.specificity)) + 8 * starts + 4 * ends + table.CLASS_POINTS[agrees] + places[0].points;
    return {
      kind: claimed ? "match" : "similar",
      whole: true,
      score: clamp(claimed ? score : half(score), 99),
      aside: this.#aside(line),
      depth: this.#depth(line),
      line,
      entry,
      ...decided(places),
      text: reading.text.slice(match.start, match.end),
      values: match.holes.map(({ name, value }) => ({ name, text: stripStart(stripEnd(value)) })),
      spans: match.holes.map((hole) => span(hole, match.start)),
      cut: false,
    };
  }

  // The entry, if a line breaks off within its message, or its words are much like it.
  similar(entry, line) {
    if (!this.#isLoud(line)) return null;
    const places = evidence.placed(entry.sites, this.#frames(line));
    const agrees = this.#classNear(entry, line);
    const raised = places[0].points >= evidence.RAISED_HERE && agrees === "agrees";
    if (entry.needsFrame && !raised) return null;
    const [share, cut] = this.#likeness(entry, line, raised ? table.LEAST_ALIKE_HERE : table.LEAST_ALIKE);
    if (share === 0) return null;
    const more = Math.min(10, Math.floor(entry.specificity / 10));
    return {
      kind: "similar",
      whole: false,
      score: clamp(half(share) + table.CLASS_POINTS[agrees] + places[0].points + more, 89),
      aside: this.#aside(line),
      depth: this.#depth(line),
      line,
      entry,
      ...decided(places),
      text: this.readings.message(line).text,
      values: [],
      spans: [],
      cut,
    };
  }

  // Percent of the message that is there, 0 if that says too little; and whether the text breaks off.
  #likeness(entry, line, least) {
    const held = Math.max(...this.#ends(line).map(([text, said]) => cutting.held(entry.program, text, said)));
    const here = least < table.LEAST_ALIKE;
    if (cutting.enough(held, entry.specificity) || (here && held >= cutting.LEAST_HELD_HERE)) {
      return [Math.min(95, 60 + held), true];
    }
    const like = likeness(entry.program, this.#message(line));
    return like && like.percent >= least ? [like.percent, like.cut] : [0, false];
  }

  // The texts at a line that may break off, and where their messages begin; `...` may say that they do.
  #ends(line) {
    const texts = [this.paste.lines[line], this.readings.message(line)].map(({ text, said }) => [text, said]);
    const dotted = texts.filter(([text]) => text.endsWith(table.DOTS));
    return [...texts, ...dotted.map(([text, said]) => [stripEnd(text.slice(0, -table.DOTS.length)), said])];
  }

  #classNear(entry, line) {
    const head = this.paste.headOf.get(line);
    return evidence.agreement(entry.errorClass, head?.name ? `${head.name}:` : "", this.paste, line);
  }

  #message(line) {
    if (!this.#words.has(line)) this.#words.set(line, words(this.readings.message(line).text));
    return this.#words.get(line);
  }

  #frames(line) {
    const head = this.paste.headOf.get(line);
    return head?.frames.length ? head.frames : this.paste.frames.slice(0, 20);
  }

  #aside(line) {
    const head = this.paste.headOf.get(line);
    return !head || head.name.endsWith("Warning");
  }

  // Whether a line is an error's or may be one: of a log's other lines only whole messages are worth saying.
  #isLoud(line) {
    return this.paste.headOf.has(line) || this.paste.isShort || LOUD.test(this.paste.lines[line].whole);
  }

  #depth(line) {
    return this.paste.headOf.get(line)?.depth ?? 0;
  }
}

// Where a value stands in a message that begins at `base`, without the spaces at its ends.
function span({ start, value }, base) {
  const from = start + value.length - stripStart(value).length;
  return [from - base, Math.max(from, start + stripEnd(value).length) - base];
}

// The first match after the class, or else anywhere.
function firstMatch({ program }, reading) {
  return search(program, reading.text, reading.said) ?? (reading.said ? search(program, reading.text) : null);
}

// A match whose last hole is open ends with its line.
function ended(entry, reading, match) {
  if (!match.holes.length || !entry.program.branches.some(endsOpen)) return match;
  const last = match.holes.reduce((most, hole) => (hole.end > most.end ? hole : most));
  const stop = reading.joints.find((joint) => joint.at > last.start && joint.hard)?.at;
  if (last.end !== match.end || stop === undefined || stop >= match.end) return match;
  const value = stripEnd(reading.text.slice(last.start, stop));
  const end = last.start + value.length;
  return { start: match.start, end, holes: match.holes.map((hole) => (hole === last ? { ...last, end, value } : hole)) };
}

// Whether, outside of an error's message, a value goes over lines that were not wrapped.
function crosses(reading, match) {
  if (reading.head) return false;
  return match.holes.some((hole) => reading.joints.some(({ at, hard }) => hard && hole.start < at && at < hole.end));
}

// Whether it is source that holds the message, not a message: its values are the placeholders.
function isSource(match, before) {
  if (match.holes.length && match.holes.every((hole) => PLACEHOLDER.test(hole.value))) return true;
  return before !== "" && CODE.test(before.slice(-60));
}

// Whether a message may begin there: at a line's start, or after a class or a mark.
function startsAt(before, reading, at) {
  const said = stripEnd(before);
  return !said || table.BEGINS.includes(said.at(-1)) || reading.joints.some((joint) => joint.at === at);
}

function endsAt(after, reading, at) {
  if (!stripStart(after, ".,;:!)\"'`]> ")) return true;
  if ([" [", " (", "\\n"].some((mark) => after.startsWith(mark))) return true;
  return reading.joints.some((joint) => joint.at - 1 <= at && at <= joint.at);
}

// The specificity from which a message is claimed: the more, the less else speaks for it.
function needed({ program }, agrees, frames, starts, ends) {
  const opens = program.branches.some((branch) => typeof branch[0] !== "string");
  const closes = program.branches.some((branch) => typeof branch.at(-1) !== "string");
  const least = table.NEEDED[agrees] + 6 * opens + 3 * closes + 8 * frames + 12 * !starts + 8 * !ends;
  return least - 6 * !program.holes.length;
}

// Whether a match says enough to name the entry.
function claims(entry, agrees, place, frames, starts, ends) {
  const passed = place.points >= evidence.PASSED_HERE && starts;
  if (entry.needsFrame) return passed && agrees !== "conflicts";
  return passed || entry.specificity >= needed(entry, agrees, frames && !place.points, starts, ends);
}

// The sites that the frames chose, or all of them.
function decided(places) {
  const [best] = places;
  if (best.points < evidence.PASSED_HERE) return { sites: places.map(({ site }) => site), decided: false };
  const least = best.points - evidence.SAME_LINE;
  const near = places.filter((place) => place.shared === best.shared && place.points >= least);
  return { sites: near.map(({ site }) => site), decided: true };
}
