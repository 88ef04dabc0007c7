// What is searched for, and the address that says so: every state of the page is one address.
export const FILTERS = ["repository", "class", "severity", "family", "type"];
const SHORT = { repository: "repo" }; // as addresses spell it
export const PAGE = 10;

const spelt = (name) => SHORT[name] ?? name;

// The state that an address has.
export function read(address) {
  const params = new URL(address).searchParams;
  const chosen = {};
  for (const name of FILTERS) {
    const values = [...new Set(params.getAll(spelt(name)).filter(Boolean))];
    if (values.length) chosen[name] = values;
  }
  const shown = Number.parseInt(params.get("n"), 10);
  return {
    text: params.get("q") ?? "",
    chosen,
    sort: params.get("sort") === "date" ? "date" : "",
    shown: Number.isSafeInteger(shown) && shown > PAGE ? Math.min(shown, 500) : PAGE,
  };
}

// The address of a state on the page at `address`.
export function spell(state, address) {
  const params = new URLSearchParams();
  if (state.text) params.set("q", state.text);
  for (const name of FILTERS) for (const value of state.chosen[name] ?? []) params.append(spelt(name), value);
  if (state.sort) params.set("sort", state.sort);
  if (state.shown > PAGE) params.set("n", state.shown);
  const url = new URL(address);
  url.search = params;
  url.hash = "";
  return url.href;
}

// `chosen` with the value of a filter added, or taken away.
export function toggled(chosen, name, value) {
  const values = chosen[name] ?? [];
  const next = values.includes(value) ? values.filter((other) => other !== value) : [...values, value];
  const others = Object.fromEntries(Object.entries(chosen).filter(([other]) => other !== name));
  return next.length ? { ...others, [name]: next } : others;
}

// Whether there is enough to search for: a filter, three characters, or fewer that are a code or of another script.
export function askable({ text, chosen }) {
  const bare = text.trim();
  return Object.keys(chosen).length > 0 || [...bare].length >= 3 || /[\d_]|[^\u0000-\u024f]/.test(bare);
}
