// The filters: a list of values with counts behind each name, and a chip for each value that is chosen.
import { fill, make } from "./dom.js";
import { FILTERS } from "./state.js";

const SHOWN = 12; // values of a filter before one narrows them

// Fills `place` with the filters. `load(name)` gives counts by value for the present search, `choose(name, value)` is
// called when a value is chosen or no longer is, `title(name, value)` is how a value reads.
export function facets(place, words, { load, choose, title }) {
  const opened = new Map();
  const groups = FILTERS.map((name) => {
    const list = make("ul", { role: "list" });
    const label = fill(words.narrow, words[name]);
    const narrow = make("input", { type: "search", "aria-label": label, placeholder: words.narrow_hint });
    const summary = make("summary", {}, words[name]);
    const group = make("details", { class: "edx-facet", "data-name": name }, summary, make("div", {}, narrow, list));
    narrow.addEventListener("input", () => show(name));
    narrow.hidden = true;
    group.addEventListener("toggle", () => {
      if (!group.open) return;
      for (const other of place.querySelectorAll("details[open]")) if (other !== group) other.open = false;
      refresh(name);
    });
    opened.set(name, { group, list, narrow, summary, counts: null });
    return group;
  });
  place.replaceChildren(...groups);
  document.addEventListener("click", (event) => {
    for (const group of groups) if (group.open && !group.contains(event.target)) group.open = false;
  });
  place.addEventListener("keydown", (event) => {
    const group = event.target.closest("details[open]");
    if (event.key !== "Escape" || !group) return;
    group.open = false;
    group.querySelector("summary").focus();
    event.stopPropagation();
  });

  let chosen = {};

  async function refresh(name) {
    const facet = opened.get(name);
    if (!facet.counts) facet.list.replaceChildren(make("li", { class: "edx-wait" }, words.loading));
    try {
      facet.counts = await load(name);
      show(name);
    } catch {
      facet.list.replaceChildren(make("li", {}, words.failed_counts));
    }
  }

  function show(name) {
    const { list, narrow, counts } = opened.get(name);
    if (!counts) return;
    const wanted = narrow.value.trim().toLowerCase();
    const active = chosen[name] ?? [];
    const there = Object.entries(counts).filter(([value, count]) => count || active.includes(value));
    const values = there.filter(([value]) => title(name, value).toLowerCase().includes(wanted)).sort(
      ([a, one], [b, other]) => active.includes(b) - active.includes(a) || other - one || (a < b ? -1 : 1));
    narrow.hidden = there.length <= SHOWN;
    const focused = list.contains(document.activeElement) ? document.activeElement.value : null;
    const rows = values.slice(0, SHOWN).map(([value, count]) => row(name, value, count, active.includes(value)));
    const more = values.length - SHOWN;
    if (more > 0) rows.push(make("li", {}, fill(words.more_values, more.toLocaleString())));
    list.replaceChildren(...(rows.length ? rows : [make("li", {}, words.no_values)]));
    if (focused !== null) [...list.querySelectorAll("input")].find((input) => input.value === focused)?.focus();
  }

  function row(name, value, count, checked) {
    const box = make("input", { type: "checkbox", value });
    box.checked = checked;
    box.addEventListener("change", () => choose(name, value));
    const said = [make("span", {}, title(name, value)), make("b", {}, count.toLocaleString())];
    return make("li", {}, make("label", {}, box, ...said));
  }

  // Shows what is chosen now, and counts anew behind the names that are open.
  function update(state) {
    chosen = state.chosen;
    for (const [name, facet] of opened) {
      const count = chosen[name]?.length ?? 0;
      facet.summary.replaceChildren(words[name], ...(count ? [" ", make("b", {}, String(count))] : []));
      if (facet.group.open) refresh(name);
    }
  }

  return { update };
}

// A chip for each value that is chosen, which takes it away.
export function chips(place, words, chosen, { choose, title }) {
  const values = FILTERS.flatMap((name) => (chosen[name] ?? []).map((value) => [name, value]));
  place.replaceChildren(...values.map(([name, value]) => {
    const label = fill(words.remove, `${words[name]}: ${title(name, value)}`);
    const shown = [make("span", {}, words[name]), " ", title(name, value)];
    const button = make("button", { type: "button", "aria-label": label }, ...shown);
    button.addEventListener("click", () => choose(name, value));
    return button;
  }));
  place.hidden = !values.length;
}
