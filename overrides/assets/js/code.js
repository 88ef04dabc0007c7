// Code blocks: copy, wrap or scroll, and scrolling by keyboard.
import { words } from "./words.js";
import { copyButton } from "./clipboard.js";
import { keep } from "./store.js";

const root = document.documentElement;
const site = new URL("../../", import.meta.url);
const wraps = [];

const times = new Map();

// What a block is called: the heading above it, its own title where it has one, and its number where that is not enough.
function nameOf(block) {
  const title = block.querySelector(".filename")?.textContent;
  let heading = block;
  while (heading && !/^H[1-6]$/.test(heading.tagName)) heading = heading.previousElementSibling ?? heading.parentElement;
  const parts = [heading?.textContent || words.code, title].filter(Boolean);
  const name = parts.map((part) => part[0].toLocaleLowerCase() + part.slice(1)).join(", ");
  times.set(name, (times.get(name) ?? 0) + 1);
  return times.get(name) > 1 ? `${name} ${times.get(name)}` : name;
}

function scrollable(pre, name) {
  const needed = pre.scrollWidth > pre.clientWidth;
  if (needed) {
    pre.tabIndex = 0;
    pre.setAttribute("role", "group");
    pre.setAttribute("aria-label", name);
  } else {
    for (const attribute of ["tabindex", "role", "aria-label"]) pre.removeAttribute(attribute);
  }
}

function wrapButton(name) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = words.wrap;
  button.setAttribute("aria-label", words.wrap_what.replace("{}", name));
  button.setAttribute("aria-pressed", "wrap" in root.dataset);
  button.addEventListener("click", () => {
    const wrap = root.toggleAttribute("data-wrap");
    keep("wrap", wrap ? "yes" : "");
    for (const other of wraps) other.setAttribute("aria-pressed", wrap);
  });
  wraps.push(button);
  return button;
}

// The permalink of a record: its id stands in the address of its JSON.
function permalink() {
  const json = document.querySelector('link[rel=alternate][type="application/json"]');
  const id = json?.href.match(/([^/]+)\.json$/)?.[1];
  return id && new URL(`e/${id}/`, site).href;
}

const resized = new ResizeObserver((entries) => {
  for (const { target } of entries) scrollable(target, target.dataset.name);
});

for (const pre of document.querySelectorAll(".edx-main .highlight > pre")) {
  const block = pre.parentElement;
  const code = pre.querySelector("code");
  const message = block.classList.contains("edx-message");
  const name = nameOf(block);
  const tools = document.createElement("div");
  tools.className = "edx-tools";
  if (message) {
    tools.append(copyButton(words.copy_message, words.copy_message, () => code.textContent.replace(/\n$/, "")));
    const link = permalink();
    if (link) tools.append(copyButton(words.copy_permalink, words.copy_permalink, () => link));
  } else {
    if (pre.scrollWidth > pre.clientWidth || "wrap" in root.dataset) tools.append(wrapButton(name));
    tools.append(copyButton(words.copy, words.copy_what.replace("{}", name), () => code.textContent));
    pre.dataset.name = name;
    resized.observe(pre);
  }
  block.append(tools);
}

// A table that is wider than its place scrolls, so it must be reached by keyboard.
for (const table of document.querySelectorAll(".edx-main table")) {
  if (table.scrollWidth > table.clientWidth) table.tabIndex = 0;
}
