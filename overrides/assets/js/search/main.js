// The search page: what is typed or chosen goes into the address, and what the address says is shown.
import { answer, counts, shown } from "./answer.js";
import { fill, make } from "./dom.js";
import { chips, facets } from "./facets.js";
import { openIndex } from "./index.js";
import { items, keys } from "./results.js";
import { filled } from "../reports.js";
import { PAGE, askable, read, spell, toggled } from "./state.js";

const PAUSE = 180; // milliseconds without a key after which one has typed enough to search
const SLOW = 250; // milliseconds after which it is said that the search is at work
const LATE = 30_000; // milliseconds after which one is offered another try; an answer that still comes is shown
const HALF = /[\ud800-\udfff]/gu; // half a character, which no address can hold
const RETRIES = [0, 400, 1500, 4000]; // milliseconds before each try once the browser says that it is online again
const SETTLED = 2000; // milliseconds after which what was shown is worth coming back to

const site = new URL("../../../", import.meta.url);
const words = JSON.parse(document.getElementById("edx-search-words").textContent);
const part = (name) => document.querySelector(`.edx-search [data-part="${name}"]`);
const box = document.getElementById("edx-q");
const list = part("results");
const status = part("status");

let state = read(location.href);
let opening = null;
let latest = 0;
let last = null;
let typed = 0;
let since = performance.now();

function index() {
  return (opening ??= openIndex(new URL("search/", site)));
}

const title = (name, value) => (name === "family" ? families[value] ?? value : value);
let families = {};

// Goes to another state; `keep` leaves the one before in the history.
function go(next, keep) {
  state = { shown: PAGE, ...next };
  history[keep ? "pushState" : "replaceState"](null, "", spell(state, location.href));
  since = performance.now();
  run();
}

const choose = (name, value) => go({ ...state, shown: PAGE, chosen: toggled(state.chosen, name, value) }, true);

async function run() {
  const mine = ++latest;
  part("report").href = report(state.text);
  part("lookup").href = `${new URL("lookup/", site)}#${encodeURIComponent(state.text.replace(HALF, "\ufffd"))}`;
  chips(part("chips"), words, state.chosen, { choose, title });
  part("sort").value = state.sort;
  if (!askable(state)) return show("intro");
  const slow = setTimeout(() => mine === latest && say(words.searching), SLOW);
  const late = setTimeout(() => mine === latest && giveUp(), LATE);
  document.body.classList.add("edx-asking");
  try {
    const opened = await index();
    families = opened.families;
    const found = await answer(opened, state);
    const first = await shown(found.items, state.shown);
    if (mine !== latest) return;
    last = found;
    chips(part("chips"), words, state.chosen, { choose, title });
    present(found, first.map(({ page }) => page));
  } catch (error) {
    opening = null; // an index of which a part is missing never mends itself
    if (mine === latest) fail(error);
  } finally {
    clearTimeout(slow);
    clearTimeout(late);
    if (mine === latest) document.body.classList.remove("edx-asking");
  }
}

function present(found, pages) {
  const focused = list.contains(document.activeElement) ? document.activeElement.href : "";
  list.replaceChildren(...items(pages, site, found.words, words));
  if (focused) [...list.querySelectorAll("a")].find((link) => link.href === focused)?.focus();
  part("notes").replaceChildren(...notes(found).map((text) => make("p", {}, text)));
  part("more").hidden = found.total <= state.shown;
  show(pages.length ? "found" : "none");
  say(counted(found.total));
  filters.update(state);
  const y = history.state?.y;
  if (y) {
    history.replaceState(null, "");
    scrollTo(0, y);
  }
}

function notes({ words: asked, corrected, dropped, missing }) {
  const quoted = (texts) => texts.map((text) => `“${text}”`).join(", ");
  return [
    ...corrected.map(({ from, to }) => fill(words.corrected, from, to)),
    ...(missing.length ? [fill(asked.length ? words.missing : words.missing_all, quoted(missing))] : []),
    ...(dropped.length ? [fill(words.dropped, quoted(dropped))] : []),
  ];
}

function counted(total) {
  return total === 1 ? words.one_result : fill(total ? words.results : words.no_results, total.toLocaleString());
}

// Shows one of the page's states: intro, found, none, failed.
function show(name) {
  for (const element of document.querySelectorAll(".edx-search [data-when]")) {
    element.hidden = !element.dataset.when.split(" ").includes(name);
  }
  part("widen").hidden = name !== "none" || !Object.keys(state.chosen).length;
  if (name === "found") return;
  list.replaceChildren();
  part("more").hidden = true;
  if (name !== "none") part("notes").replaceChildren();
  if (name === "intro") say("");
}

function say(text) {
  if (status.textContent !== text) status.textContent = text;
}

function fail(error) {
  console.warn("search:", error);
  const offline = navigator.onLine === false;
  show("failed");
  part("why").textContent = offline ? words.offline : words.failed;
  say(offline ? words.offline : words.failed);
}

function giveUp() {
  opening = null;
  fail(new Error("no answer yet"));
}

// Tries again after a failure: browsers say that they are online before every request succeeds.
async function recover() {
  for (const pause of RETRIES) {
    await new Promise((resolve) => setTimeout(resolve, pause));
    if (!part("why").offsetParent) return;
    await run();
  }
}

function report(text) {
  const link = part("report");
  if (!link.dataset.href) return link.href;
  const title = fill(words.report_title, [...text].slice(0, 200).join(""));
  return text ? filled(link.dataset.href, { title, error: text }) : link.dataset.href;
}

const filters = facets(part("facets"), words, {
  load: async (name) => counts(await index(), state, last.asked, name),
  choose,
  title,
});

box.value = state.text;
const begin = () => index().catch(() => (opening = null));
box.addEventListener("focus", begin, { once: true });
box.addEventListener("input", begin, { once: true }); // the box may have had the focus before this ran
box.addEventListener("input", () => {
  clearTimeout(typed);
  typed = setTimeout(() => {
    const keep = state.text !== "" && performance.now() - since > SETTLED;
    if (box.value !== state.text) go({ ...state, shown: PAGE, text: box.value }, keep);
  }, PAUSE);
});
box.form.addEventListener("submit", (event) => {
  event.preventDefault();
  clearTimeout(typed);
  if (box.value !== state.text) go({ ...state, shown: PAGE, text: box.value }, true);
  else if (part("retry").offsetParent) run();
});
part("sort").addEventListener("change", ({ target }) => go({ ...state, shown: PAGE, sort: target.value }, true));
part("more").addEventListener("click", () => {
  const before = list.children.length;
  go({ ...state, shown: state.shown + PAGE }, false);
  const grown = new MutationObserver(() => {
    grown.disconnect();
    list.querySelectorAll("h2 a")[before]?.focus();
  });
  grown.observe(list, { childList: true });
});
part("retry").addEventListener("click", run);
part("widen").addEventListener("click", () => go({ ...state, shown: PAGE, chosen: {} }, true));
addEventListener("online", recover);
addEventListener("popstate", () => {
  state = read(location.href);
  box.value = state.text;
  run();
});
addEventListener("pagehide", () => history.replaceState({ y: scrollY }, ""));
keys(box, list);
run();
