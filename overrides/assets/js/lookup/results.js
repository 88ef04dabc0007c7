// The list of answers; every text goes in as text.
import { fill, make } from "../search/dom.js";

const MOST_SITES = 8;
const DETAILED = 3;
const records = new Map();

// The items of a list of answers, of the site at `root`.
export const items = (answers, root, words) => answers.map((answer, order) => item(answer, root, words, order < DETAILED));

const pageOf = (site, root) => new URL(`errors/${site.page}/`, root).href;
const repoOf = (site) => site.page.split("/").slice(0, 2).join("/");

function item(answer, root, words, detailed) {
  const { kind, errorClass, message, sites } = answer;
  const about = make("p", { class: "edx-answer-about" },
    make("span", { class: `edx-kind edx-kind-${kind}` }, kind === "match" ? words.match : words.similar),
    make("code", {}, errorClass));
  if (answer.depth) about.append(make("span", {}, words.wraps));
  const title = make("h2", {}, make("a", { href: pageOf(sites[0], root) }, ...message.map(part)));
  const element = make("li", { class: `edx-answer-${kind}` }, about, title, ...places(answer, root, words));
  if (kind === "similar") {
    const why = answer.whole ? words.similar_whole : answer.cut ? words.similar_cut : words.similar_note;
    title.after(make("p", { class: "edx-answer-note" }, why));
  }
  if (detailed) detail(sites[0], root, about, title, words);
  return element;
}

function part([text, isValue, name]) {
  return isValue ? make("mark", { title: name }, text) : text;
}

// Where it is raised: one place, or all that share the message.
function places({ sites, decided }, root, words) {
  const [first] = sites;
  if (sites.length === 1) return [make("p", { class: "edx-answer-place" }, `${repoOf(first)} · `, place(first))];
  const all = sites.map((site) => make("li", {}, make("a", { href: pageOf(site, root) }, place(site)), ` ${repoOf(site)}`));
  const lead = fill(decided ? words.sites_near : words.sites, sites.length);
  const shown = [make("p", { class: "edx-answer-place" }, lead), make("ul", { class: "edx-answer-sites" }, ...all.slice(0, MOST_SITES))];
  if (all.length > MOST_SITES) {
    const more = make("summary", {}, fill(words.more_sites, all.length - MOST_SITES));
    shown.push(make("details", {}, more, make("ul", { class: "edx-answer-sites" }, ...all.slice(MOST_SITES))));
  }
  return shown;
}

const place = ({ file, line }) => make("code", {}, `${file}:${line}`);

// How severe it is and what it means, from the record itself; without it the answer stands as it is.
async function detail(site, root, about, title, words) {
  if (!records.has(site.id)) records.set(site.id, recordOf(site, root));
  const record = await records.get(site.id);
  if (!record) {
    records.delete(site.id);
    return;
  }
  const { severity, documentation } = record;
  if (words.severities.includes(severity)) {
    about.firstChild.after(make("span", { class: `edx-severity edx-severity-${severity}` }, severity));
  }
  if (documentation) title.parentElement.append(make("p", { class: "edx-answer-meaning" }, documentation.replaceAll("`", "")));
}

async function recordOf(site, root) {
  try {
    const answer = await fetch(new URL(`api/errors/${site.id}.json`, root));
    return answer.ok ? (await answer.json()).record : null;
  } catch {
    return null; // No network, or no mirror: the page that the answer links to has it all.
  }
}
