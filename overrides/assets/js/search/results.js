// The list of results: one link each, with what kind of page it is and where the words stand.
import { make } from "./dom.js";
import { excerpt, highlighted } from "./marks.js";

// Items for pages (Pagefind's data) that stand below `site`; `words` are marked in titles.
export function items(pages, site, words, label) {
  return pages.map((page) => item(page, site, words, label));
}

function item(page, site, words, label) {
  const { title, place } = page.meta;
  const [severity] = page.filters.severity ?? [];
  const href = new URL(page.raw_url.replace(/^\/+/, ""), site);
  const link = make("a", { href: href.href }, ...highlighted(shortened(title ?? page.raw_url), words));
  const about = severity ? record(page.filters, place, severity, words) : [make("span", {}, label.guide)];
  return make("li", {},
    make("h2", {}, link),
    make("p", { class: "edx-about" }, ...about),
    make("p", { class: "edx-excerpt" }, ...excerpt(page.excerpt, page.content)));
}

function record(filters, place, severity, words) {
  const [repository] = filters.repository ?? [""];
  const [error] = filters.class ?? [""];
  const path = place?.split(" ").slice(2).join(" ") ?? "";
  return [
    make("span", { class: `edx-severity edx-severity-${severity}` }, severity),
    make("code", {}, ...highlighted(error, words)),
    make("span", {}, repository),
    make("span", { class: "edx-path" }, ...highlighted(path, words)),
  ];
}

function shortened(title) {
  return title.length > 300 ? `${title.slice(0, 300).replace(/[\ud800-\udbff]$/, "")}…` : title;
}

// Arrow keys go from the box through the results and back; Home and End to the first and last.
export function keys(box, list) {
  const links = () => [...list.querySelectorAll("h2 a")];
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || event.isComposing) return;
    const all = links();
    const at = all.indexOf(document.activeElement);
    const inBox = document.activeElement === box;
    if (!inBox && at < 0) return;
    const target = next(event.key, at, inBox, all, box);
    if (!target) return;
    event.preventDefault();
    target.focus();
    target.scrollIntoView({ block: "nearest" });
  });
}

function next(key, at, inBox, all, box) {
  if (key === "ArrowDown") return all[at + 1];
  if (inBox) return null;
  if (key === "ArrowUp") return at > 0 ? all[at - 1] : box;
  if (key === "Home") return all[0];
  if (key === "End") return all.at(-1);
  return key === "Escape" ? box : null;
}
