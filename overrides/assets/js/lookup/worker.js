// Looks texts up away from the page, so that a log of megabytes does not freeze it.
// Asked {id, text} or {id, file}; answers {id, answers} or {id, failed: reason}.
// The modules behind `finding` are named here too, so that the browser loads all of them at once.
import "./tables.js";
import "./characters.js";
import "./tokens.js";
import "./keys.js";
import "./frames.js";
import "./prefixes.js";
import "./lines.js";
import "./quoted.js";
import "./paste.js";
import "./readings.js";
import "./intervals.js";
import "./scan.js";
import "./programs.js";
import "./similar.js";
import "./cutting.js";
import "./evidence.js";
import "./matching.js";
import "./probing.js";
import "./filters.js";
import "./entries.js";
import { told } from "./answer.js";
import { decoded } from "./files.js";
import { find } from "./finding.js";
import { fetcher, open } from "./reader.js";

const root = new URL("../../../", import.meta.url);
let opening = null;

// The index, opened once; a failure is tried again.
function index() {
  opening ??= open(fetcher(root)).catch((error) => {
    opening = null;
    throw error;
  });
  return opening;
}

// What every lookup needs first, before there is a text.
index().then((opened) => opened.first.filter()).catch(() => {});

self.addEventListener("message", async ({ data: { id, text, file } }) => {
  try {
    const asked = file ? decoded(await file.arrayBuffer()) : text;
    self.postMessage({ id, answers: (await find(asked, await index())).map(told) });
  } catch (error) {
    self.postMessage({ id, failed: error.reason ?? "broken", detail: String(error) });
  }
});
