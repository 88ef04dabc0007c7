// Lists: a box that filters the rows of the page, and headers that sort them. What is chosen stands in the fragment.
import { words } from "./words.js";

const article = document.querySelector("article");
const table = [...article.querySelectorAll("table")].filter((one) => one.tHead && !one.closest("figure")).at(-1);
const RANKS = ["critical", "error", "warning", "info"];
const FEW = 5; // rows that need no filter
const compare = new Intl.Collator(document.documentElement.lang, { numeric: true, sensitivity: "base" }).compare;

const site = new URL("../../", import.meta.url);
const FILTERS = { errors: "repo", classes: "class", severities: "severity", families: "family" };

// The search among all rows of the list, as far as its address says what they share.
function elsewhere() {
  const [folder, ...rest] = location.pathname.slice(site.pathname.length).split(/\/(?:page\/|$)/)[0].split("/");
  const key = rest.join("/");
  const search = new URL("search/", site);
  if (FILTERS[folder] && key && !key.includes("~")) search.searchParams.set(FILTERS[folder], key);
  return search.href;
}

function made(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

// The filter and the order that the fragment asks for; other fragments name a heading.
function state() {
  const asked = new URLSearchParams(location.hash.slice(1));
  const sort = asked.get("sort") ?? "";
  return { find: asked.get("find") ?? "", column: sort.replace(/^-/, ""), down: sort.startsWith("-") };
}

function keep({ find, column, down }) {
  const asked = new URLSearchParams();
  if (find) asked.set("find", find);
  if (column) asked.set("sort", (down ? "-" : "") + column);
  history.replaceState(null, "", asked.size ? `#${asked}` : location.pathname + location.search);
}

function enhance() {
  const body = table.tBodies[0];
  const rows = [...body.rows];
  const heads = [...table.tHead.rows[0].cells];
  const names = heads.map((head) => head.textContent.trim());
  const texts = rows.map((row) => row.textContent.toLowerCase());
  const order = new Map(rows.map((row, place) => [row, place]));
  const chosen = { find: "", column: "", down: false };

  const box = made("input", { type: "search", id: "edx-find", autocomplete: "off", spellcheck: "false" });
  const count = made("output", { for: "edx-find", role: "status" });
  const bar = made("div", { class: "edx-filter" }, made("label", { for: "edx-find" }, words.filter), box, count);
  const paged = article.querySelector(".edx-pages");
  if (paged) bar.append(made("p", {}, `${words.filter_page} `, made("a", { href: elsewhere() }, words.filter_elsewhere)));
  table.before(bar);
  table.classList.add("edx-sortable");

  function value(row, column) {
    const text = row.cells[column].textContent.trim();
    const rank = RANKS.indexOf(text);
    return rank < 0 ? text : String(rank);
  }

  const numbers = heads.map((_, column) => rows.every((row) => /^[\d,]+$/.test(value(row, column))));

  function difference(one, other, column) {
    const [a, b] = [value(one, column), value(other, column)];
    return numbers[column] ? a.replaceAll(",", "") - b.replaceAll(",", "") : compare(a, b);
  }

  function show() {
    const wanted = chosen.find.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    rows.forEach((row, place) => {
      row.hidden = !wanted.every((word) => texts[place].includes(word));
      if (!row.hidden) shown += 1;
    });
    const said = wanted.length ? words.filter_found : rows.length === 1 ? words.filter_one : words.filter_all;
    count.textContent = said.replace("{}", shown.toLocaleString()).replace("{}", rows.length.toLocaleString());
    const column = names.indexOf(chosen.column);
    const sorted = [...rows].sort((one, other) => {
      const found = column < 0 ? 0 : difference(one, other, column);
      return (chosen.down ? -found : found) || order.get(one) - order.get(other);
    });
    body.append(...sorted);
    heads.forEach((head, place) => {
      if (place === column) head.setAttribute("aria-sort", chosen.down ? "descending" : "ascending");
      else head.removeAttribute("aria-sort");
    });
  }

  // A column goes up, down, and back to the order of the page; numbers begin with the largest.
  function sort(column) {
    const first = numbers[column];
    if (chosen.column !== names[column]) Object.assign(chosen, { column: names[column], down: first });
    else if (chosen.down === first) chosen.down = !first;
    else Object.assign(chosen, { column: "", down: false });
    keep(chosen);
    show();
  }

  heads.forEach((head, column) => {
    const button = made("button", { type: "button" }, head.textContent);
    head.replaceChildren(button);
    button.addEventListener("click", () => sort(column));
  });

  box.addEventListener("input", () => {
    chosen.find = box.value;
    keep(chosen);
    show();
  });
  box.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !box.value) return;
    event.preventDefault();
    box.value = chosen.find = "";
    keep(chosen);
    show();
  });

  function follow(moving) {
    if (location.hash && !location.hash.includes("=")) return;
    Object.assign(chosen, state());
    box.value = chosen.find;
    show();
    if (moving && chosen.find) {
      bar.scrollIntoView();
      box.focus({ preventScroll: true });
    }
  }

  addEventListener("hashchange", () => follow(true));
  show();
  follow(Boolean(location.hash));
}

// The map: a place, by its name in the table or by a click on the drawing, filters the list.
function links() {
  const places = [...article.querySelectorAll(".edx-places tbody tr")];
  for (const row of places) {
    const address = `#find=${row.dataset.find}`;
    if (row.dataset.find) row.cells[0].replaceChildren(made("a", { href: address }, row.cells[0].textContent));
  }
  article.querySelectorAll(".edx-map > svg > svg").forEach((cell, place) => {
    const find = places[place]?.dataset.find;
    if (!find) return;
    cell.classList.add("edx-map-link");
    cell.addEventListener("click", () => {
      location.hash = `find=${find}`;
    });
  });
}

if (table?.tBodies[0].rows.length > FEW) {
  enhance();
  links();
}
