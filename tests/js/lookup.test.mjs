import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { fragment, textOf } from "../../overrides/assets/js/lookup/address.js";
import { told } from "../../overrides/assets/js/lookup/answer.js";
import { decoded } from "../../overrides/assets/js/lookup/files.js";
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

test("an answer has the message's values in their places", async () => {
  const index = await open(bytesOf(files));
  const [found] = await find("OSError: cannot open the archive a.zip: its header has 3 bytes", index);
  const { message, sites } = told(found);
  assert.deepEqual(message.map(([text, isValue]) => (isValue ? `<${text}>` : text)).join(""), "cannot open the archive <a.zip>: its header has <3> bytes");
  assert.equal(sites.length, 4);
  const [long] = await find(`OSError: cannot open the archive ${"a".repeat(5000)}: its header has 3 bytes`, index);
  assert.ok(told(long).message.map(([text]) => text).join("").length < 300);
});

test("a text as a fragment and back", () => {
  globalThis.document = { getElementById: (id) => (id === "__main" ? {} : null) };
  for (const text of ["100% #?&", "größe\n\t模型 😀"]) assert.equal(textOf(fragment(text)), text);
  assert.equal(fragment("a".repeat(8001)), "");
  assert.equal(fragment("\ud83d"), "");
  assert.equal(textOf("#100%"), "100%");
  assert.equal(textOf("#__main"), null);
  delete globalThis.document;
});

test("files are UTF-8, or UTF-16 where they say so", () => {
  const bytes = (...values) => Uint8Array.from(values).buffer;
  assert.equal(decoded(bytes()), "");
  assert.equal(decoded(bytes(0xc3, 0xb6)), "ö");
  assert.equal(decoded(bytes(0xff, 0xfe, 0xf6, 0)), "ö");
  assert.equal(decoded(bytes(0xfe, 0xff, 0, 0xf6)), "ö");
});

test("time grows in proportion to the text", async () => {
  const index = await open(bytesOf(files));
  const once = async (text) => {
    const began = performance.now();
    await find(text, index);
    return performance.now() - began;
  };
  const least = async (size) => {
    const text = `ValueError: ${"cannot open the archive a: its header has ".repeat(size)}\n`.repeat(20);
    return Math.min(await once(text), await once(text), await once(text));
  };
  await least(200);
  const [one, sixteen] = [await least(500), await least(8000)];
  assert.ok(sixteen < 100 * one, `${one} ms, then ${sixteen} ms`); // a square would be 256 times
});
