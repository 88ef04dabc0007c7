// Text with marks in it, as nodes: Pagefind's excerpts, and titles with the words that were searched for.
import { folded, stem } from "./cut.js";
import { make } from "./dom.js";

const WORD = /[\p{L}\p{N}_][\p{L}\p{N}_-]*/gu;
const ENTITIES = { "&lt;": "<", "&gt;": ">" }; // the two that Pagefind writes, and no others

// Pagefind's excerpt of a page: text in which < and > are entities, and <mark> stands around words that match.
// Backticks, which mark code in prose, are left out.
export function excerpt(html, content) {
  const nodes = html.split(/(<mark>.*?<\/mark>)/su).map((piece) => {
    const marked = piece.match(/^<mark>(.*)<\/mark>$/su);
    const text = (marked ? marked[1] : piece).replace(/&[lg]t;/g, (entity) => ENTITIES[entity]);
    return marked ? make("mark", {}, text) : document.createTextNode(text);
  });
  const said = nodes.map(({ textContent }) => textContent).join("");
  for (const node of nodes) node.textContent = node.textContent.replaceAll("`", "");
  return [...(content.startsWith(said) ? [] : ["… "]), ...nodes, ...(content.endsWith(said) ? [] : [" …"])];
}

// A title with the words marked that begin as one of `words` does.
export function highlighted(title, words) {
  const nodes = [];
  let at = 0;
  for (const match of title.matchAll(WORD)) {
    if (!matches(match[0], words)) continue;
    nodes.push(document.createTextNode(title.slice(at, match.index)), make("mark", {}, match[0]));
    at = match.index + match[0].length;
  }
  return [...nodes, document.createTextNode(title.slice(at))];
}

function matches(word, words) {
  const forms = [word, ...word.split(/[_-]+|(?<=[a-z0-9])(?=[A-Z])/)].map(folded);
  return words.some((wanted) => forms.some((form) => form && form.startsWith(stem(wanted))));
}
