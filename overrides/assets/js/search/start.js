// Fetches what every search needs. Where the address has a question this begins before the rest of the page is there.
import { askable, read } from "./state.js";

export const FIRST = "records/00/"; // the part that every search opens, with Pagefind's own scripts

const RANKING = {
  termSimilarity: 1,
  pageLength: 0.3,
  termSaturation: 1.2,
  metaWeights: { title: 4, place: 2, more: 0.5 },
};

let failures = 0; // how often Pagefind's script could not be had: browsers keep a failed import under its address
let begun = null;

if (typeof document !== "undefined" && askable(read(location.href))) {
  begun = start(new URL("../../../search/", import.meta.url));
  begun.catch(() => {}); // said where it is waited for
}

// Pagefind with its first part, and the list of parts and words; `root` is the address of `search/`. What began with the
// page is given once, so that a failure is followed by another try.
export function started(root) {
  const first = begun ?? start(root);
  begun = null;
  return first;
}

function start(root) {
  return Promise.all([pagefind(root), catalogue(root)]);
}

// In this page and not in a worker of Pagefind's, which would be a script and a start more before the first request.
async function pagefind(root) {
  const basePath = new URL(FIRST, root).pathname;
  const tag = `${Date.now()}`; // so that the part's list of files is never an old one
  preload(new URL(`${FIRST}pagefind-entry.json?ts=${tag}`, root));
  preload(new URL(`${FIRST}wasm.en.pagefind`, root));
  const { createInstance } = await script(root);
  return createInstance({ ...settings(FIRST), basePath, metaCacheTag: tag, noWorker: true });
}

// How Pagefind opens the part at `path`.
export function settings(path) {
  return { baseUrl: "/", excerptLength: 34, ranking: RANKING, mergeFilter: { part: path } };
}

// Requests what Pagefind will fetch, while its script is on its way.
function preload(url) {
  if (typeof document === "undefined") return;
  const link = document.createElement("link");
  Object.assign(link, { rel: "preload", as: "fetch", crossOrigin: "anonymous", fetchPriority: "high", href: url.href });
  document.head.append(link);
}

async function script(root) {
  try {
    return await import(new URL(`${FIRST}pagefind.js${failures ? `?again=${failures}` : ""}`, root));
  } catch (error) {
    failures += 1;
    throw error;
  }
}

async function catalogue(root) {
  return (await get(new URL("parts.json", root), { cache: "no-cache" })).json();
}

// A file of the search, or an error that names it.
export async function get(url, options) {
  const response = await fetch(url, options);
  if (!response.ok) throw new Error(`${url.pathname}: ${response.status}`);
  return response;
}
