// The page for unknown addresses: a permalink that was spelt otherwise goes where it should, and is offered meanwhile.
import "./paste.js";
import { fill, make } from "./search/dom.js";

const root = new URL("../../", import.meta.url);
const words = JSON.parse(document.getElementById("edx-lookup-words").textContent);
const found = location.pathname.match(/\/e\/([0-9a-f]{16})(?![0-9a-f])/i);

if (found) {
  const id = found[1].toLowerCase();
  const target = new URL(`e/${id}/`, root);
  const says = document.querySelector(".edx-lead");
  if (target.pathname === location.pathname) {
    says.before(make("p", {}, fill(words.no_such_id, id)));
  } else {
    says.before(make("p", {}, words.meant, " ", make("a", { href: target.href }, `/e/${id}/`)));
    location.replace(target.href + location.hash);
  }
}
