import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { flat, phrases, words } from "../../overrides/assets/js/search/cut.js";
import { plan } from "../../overrides/assets/js/search/plan.js";
import { askable, read, spell, toggled } from "../../overrides/assets/js/search/state.js";
import { beginning, distance, vocabulary } from "../../overrides/assets/js/search/vocabulary.js";

const cases = JSON.parse(readFileSync(new URL("../fixtures/search_words.json", import.meta.url)));

for (const [text, expected] of cases) {
  test(`words of ${JSON.stringify(text)}`, () => assert.deepEqual(words(text), expected));
}

test("phrases", () => {
  assert.deepEqual(phrases('a "Two  Words" b “three”'), ["two words", "three"]);
  assert.deepEqual(phrases('an "open quote'), []);
  assert.equal(flat(" A\n b "), "a b");
});

test("distance", () => {
  const pairs = [["token", "token", 0], ["tokn", "token", 1], ["toekn", "token", 1], ["tokens", "token", 1], ["abcd", "dcba", 3]];
  for (const [from, to, slips] of pairs) assert.equal(Math.min(distance(from, to, 2), 3), slips, `${from} ${to}`);
});

test("beginnings name files", () => {
  assert.equal(beginning("token", 2), "to");
  assert.equal(beginning("a", 3), "a__");
  assert.equal(beginning("模型", 2), `~${"模".codePointAt(0) % 61}~${"型".codePointAt(0) % 61}`);
});

const LISTS = {
  to: "token\t30\t3\ntokenizer\t5\t2\n",
  ne: "next_token_logits\t1\t1\n",
  lo: "logits\t4\t1\n",
  hi: "hidden\t9\t3\nhide\t20\t3\n",
  th: "the\t900\t3\n",
  va: "valueerror\t800\t3\nvalue\t850\t3\n",
};
const known = vocabulary(async (name) => LISTS[name], Object.keys(LISTS));
const planned = async (text) => {
  const { terms, corrected, missing } = await plan(text, known, 1000);
  return { words: terms.map(({ word }) => word), where: terms.map(({ where }) => where), corrected, missing };
};

test("a name that is there is one word, another its pieces", async () => {
  assert.deepEqual((await planned("next_token_logits")).words, ["next_token_logits"]);
  assert.deepEqual((await planned("next_token_log")).words, ["next_token_log"]);
  assert.deepEqual((await planned("token_logits")).words, ["token", "logits"]);
});

test("parts are those that have a word that begins so", async () => {
  assert.deepEqual((await planned("token logits")).where, [3n, 1n]);
});

test("slips are read as what was meant", async () => {
  assert.deepEqual((await planned("hiden tokn")).corrected, [{ from: "hiden", to: "hidden" }, { from: "tokn", to: "token" }]);
  assert.deepEqual((await planned("token zzzzzz")).missing, ["zzzzzz"]);
});

test("words that are nearly everywhere fall away beside others", async () => {
  assert.deepEqual((await planned("the token")).words, ["token"]);
  assert.deepEqual((await planned("the")).words, ["the"]);
  assert.deepEqual((await planned("value token")).words, ["token"]);
  assert.deepEqual((await planned("ValueError token")).words, ["valueerror", "token"]);
});

test("every state is an address, and back", () => {
  const states = [
    { text: "", chosen: {}, sort: "", shown: 10 },
    { text: "a & b “c”", chosen: { repository: ["x/y", "x/z"], family: ["a-b"] }, sort: "date", shown: 30 },
    { text: "", chosen: { class: ["A&B=C"] }, sort: "", shown: 10 },
  ];
  for (const state of states) assert.deepEqual(read(spell(state, "https://host/sub/search/?q=old#x")), state);
  assert.equal(spell(states[0], "https://host/sub/search/?q=old"), "https://host/sub/search/");
});

test("addresses by hand", () => {
  assert.deepEqual(read("https://host/?n=-3&sort=worst&repo=&repo=a/b&repo=a/b"),
    { text: "", chosen: { repository: ["a/b"] }, sort: "", shown: 10 });
  assert.equal(read("https://host/?n=99999").shown, 500);
});

test("values toggle", () => {
  assert.deepEqual(toggled({}, "class", "A"), { class: ["A"] });
  assert.deepEqual(toggled({ class: ["A"], type: ["b"] }, "class", "A"), { type: ["b"] });
});

test("three characters ask, and fewer that stand for something", () => {
  const asks = (text, chosen = {}) => askable({ text, chosen });
  assert.deepEqual(["to", " a ", "", "tok", "E2", "权", "#"].map((text) => asks(text)), [false, false, false, true, true, true, false]);
  assert.equal(asks("", { class: ["A"] }), true);
});
