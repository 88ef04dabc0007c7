import assert from "node:assert/strict";
import test from "node:test";
import { fillOnClick, filled, fitted } from "../../overrides/assets/js/reports.js";

const FORM = "https://github.com/acme/errors/issues/new?template=missing.yml";
const spelt = (text) => new URLSearchParams({ a: text }).toString().length - 2;

test("what fits is kept whole", () => {
  assert.equal(fitted("a b\n&+%é😀", 100), "a b\n&+%é😀");
  assert.equal(fitted("", 100), "");
  assert.equal(fitted("x", 0), "");
  assert.equal(fitted("x", -5), "");
});

test("what does not fit loses its beginning, and no character its half", () => {
  assert.equal(fitted("abc", 2), "bc");
  for (const text of ["😀".repeat(50), "é".repeat(50), "a😀".repeat(50), "%".repeat(50), "\n \u{10ffff}".repeat(20)]) {
    for (let room = 0; room < 60; room++) {
      const kept = fitted(text, room);
      assert.ok(spelt(kept) <= room, `${room}`);
      assert.ok(text.endsWith(kept));
      assert.ok(kept.isWellFormed?.() ?? true);
      assert.equal(new URLSearchParams(`a=${new URLSearchParams({ a: kept }).toString().slice(2)}`).get("a"), kept);
    }
  }
});

test("a form is filled in within the length that hosts accept", () => {
  const line = "ValueError: \ud83d half a character, 100% of it & more #\n";
  for (const text of [line, line.repeat(5000), "😀".repeat(100_000), "\0".repeat(20_000)]) {
    const address = filled(FORM, { title: "Missing error: x & y", error: text });
    assert.ok(address.length <= 7500);
    const { searchParams } = new URL(address);
    assert.deepEqual([...searchParams.keys()], ["template", "title", "error"]);
    assert.equal(searchParams.get("title"), "Missing error: x & y");
    assert.ok(text.replaceAll(/\ud83d(?![\udc00-\udfff])/g, "\ufffd").endsWith(searchParams.get("error")));
    assert.ok(text.length < 100 || searchParams.get("error").length > 800);
  }
});

test("a form that has a field already has it once", () => {
  const { searchParams } = new URL(filled(`${FORM}&title=a`, { title: "b" }));
  assert.deepEqual(searchParams.getAll("title"), ["b"]);
});

test("on a page without a report nothing happens", () => {
  fillOnClick({ querySelector: () => null });
});
