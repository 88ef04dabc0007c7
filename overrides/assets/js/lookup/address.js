// The text in the page's address: in the fragment, which browsers keep to themselves.

const MOST = 8000;
const MOST_CARRIED = 2_000_000;
const CARRIED = "errordex.paste";

// The text as a fragment with its `#`; empty if there is none, or if it is too long.
export function fragment(text) {
  if (!text || text.length > MOST) return "";
  try {
    return `#${encodeURIComponent(text)}`;
  } catch {
    return ""; // half a character
  }
}

// The text of a fragment; null if it names a part of the page.
export function textOf(hash) {
  const spelt = hash.replace(/^#/, "");
  if (document.getElementById(spelt)) return null;
  try {
    return decodeURIComponent(spelt);
  } catch {
    return spelt;
  }
}

// Go to the lookup page at `address` with a text: in the fragment, or if it is long by this tab's storage.
export function go(address, text) {
  const url = new URL(address);
  url.hash = fragment(text);
  if (!url.hash) {
    try {
      sessionStorage.setItem(CARRIED, text.slice(-MOST_CARRIED));
    } catch {
      url.hash = fragment(text.slice(-MOST)); // storage is refused: the end, where errors stand
    }
  }
  location.assign(url);
}

// The text that `go` carried here; empty if none.
export function carried() {
  try {
    const text = sessionStorage.getItem(CARRIED) ?? "";
    sessionStorage.removeItem(CARRIED);
    return text;
  } catch {
    return "";
  }
}
