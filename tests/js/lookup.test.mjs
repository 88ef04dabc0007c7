import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { find } from "../../overrides/assets/js/lookup/finding.js";
import { read } from "../../overrides/assets/js/lookup/paste.js";
import { search } from "../../overrides/assets/js/lookup/programs.js";
import { IndexError, open } from "../../overrides/assets/js/lookup/reader.js";
import { key, keyOf, scrambled } from "../../overrides/assets/js/lookup/tokens.js";

const vectors = (name) => JSON.parse(readFileSync(new URL(`../lookup/vectors/${name}.json`, import.meta.url)));
const { files, finds } = vectors("finds");

// The bytes of the files of an index that is kept as texts.
function bytesOf(kept, asked = []) {
  return async (path) => {
    asked.push(path);
    if (!(path in kept)) return null;
    return new Uint8Array(Buffer.from(kept[path], path.endsWith(".bin") ? "base64" : "utf8"));
  };
}

const spelt = (found) => ({
  kind: found.kind,
  score: found.score,
  aside: found.aside,
  depth: found.depth,
  line: found.line,
  class: found.entry.errorClass,
  sites: found.sites.map((site) => site.id),
  decided: found.decided,
  text: found.text,
  values: found.values.map((value) => [value.name, value.text]),
  spans: found.spans,
  cut: found.cut,
});

test("programs find what Python's find", () => {
  for (const { program, text, start, match } of vectors("programs")) {
    const found = search(program, text, start);
    const told = found && [found.start, found.end, found.holes.map((hole) => [hole.name, hole.start, hole.end])];
    assert.deepEqual(told, match, JSON.stringify({ program, text, start }));
  }
});

test("pastes are read as Python reads them", () => {
  for (const { text, lines } of vectors("lines")) {
    const told = read(text).lines.map((line) => [
      ...[line.kind, line.text, line.width, line.stamped, line.pytest, line.told, line.name, line.said, line.cause],
      line.frame && [...[...line.frame.segments].reverse(), line.frame.line],
    ]);
    assert.deepEqual(told, lines, text);
  }
});

test("pastes find what they find in Python", async () => {
  const index = await open(bytesOf(files));
  for (const { text, found } of finds) assert.deepEqual((await find(text, index)).map(spelt), found, text);
});

test("a file is asked for once, and one that failed again", async () => {
  const asked = [];
  const index = await open(bytesOf(files, asked));
  for (const { text } of finds) await find(text, index);
  assert.equal(new Set(asked).size, asked.length);

  let offline = true;
  const serve = bytesOf(files);
  const flaky = await open(async (path) => {
    if (offline && path.endsWith(".bin")) throw new IndexError("offline", path);
    return serve(path);
  });
  await assert.rejects(find(finds[0].text, flaky), { reason: "offline" });
  offline = false;
  assert.deepEqual((await find(finds[0].text, flaky)).map(spelt), finds[0].found);
});

test("what is no index says so", async () => {
  const reason = (kept) => open(bytesOf(kept)).then(() => "", (error) => error.reason);
  const manifest = "api/lookup/index.json";
  assert.equal(await reason({}), "missing");
  assert.equal(await reason({ [manifest]: "<!doctype html>" }), "broken");
  assert.equal(await reason({ [manifest]: '{"format":1}' }), "broken");
  assert.equal(await reason({ [manifest]: '{"format":2}' }), "newer");
});

test("keys are 32 bits", () => {
  assert.equal(key([]), 0);
  for (const shingle of [["a"], ["größe", "b"], ["模", "型", "c"]]) {
    const value = keyOf(shingle);
    assert.ok(Number.isInteger(value) && value >= 0 && value < 2 ** 32 && scrambled(value) < 2 ** 32 && scrambled(value) >= 0);
  }
});

test("twice the text takes no more than about twice the time", async () => {
  const index = await open(bytesOf(files));
  const took = async (size) => {
    const began = performance.now();
    await find(`ValueError: ${"cannot open the archive a: its header has ".repeat(size)}\n`.repeat(20), index);
    return performance.now() - began;
  };
  await took(200);
  const [one, two] = [await took(1000), await took(4000)];
  assert.ok(two < 16 * one + 100, `${one} ms, then ${two} ms`);
});
