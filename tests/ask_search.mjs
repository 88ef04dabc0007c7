// Asks the search of a built site as the page does, without a browser: `node tests/ask_search.mjs SITE < QUESTIONS`.
// QUESTIONS is a JSON list of texts; the answer is a list of {urls, total, ms, corrected, dropped}.
import { existsSync, readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { answer, shown } from "../overrides/assets/js/search/answer.js";
import { openIndex } from "../overrides/assets/js/search/index.js";

const site = pathToFileURL(`${process.argv[2]}/`);

globalThis.fetch = async (input) => {
  const url = new URL(input, "file:");
  url.search = "";
  return existsSync(url) ? new Response(readFileSync(url)) : new Response("", { status: 404 });
};

const index = await openIndex(new URL("search/", site));
const answers = [];
for (const text of JSON.parse(readFileSync(0, "utf-8"))) {
  const start = performance.now();
  const found = await answer(index, { text, chosen: {}, sort: "", shown: 10 });
  const first = await shown(found.items, 10);
  answers.push({
    urls: first.map(({ page }) => page.raw_url),
    total: found.total,
    ms: Math.round(performance.now() - start),
    corrected: found.corrected,
    dropped: found.dropped,
  });
}
process.stdout.write(JSON.stringify(answers));
