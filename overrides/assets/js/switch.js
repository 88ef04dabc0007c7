// The switch of colour schemes: as the system, light, dark, and round again.
import { words } from "./words.js";
import { keep } from "./store.js";

const schemes = ["auto", "light", "dark"];
const root = document.documentElement;
const button = document.createElement("button");
button.type = "button";
button.className = "edx-switch";

function show() {
  const name = words.scheme.replace("{}", words[`scheme_${root.dataset.scheme}`]);
  button.setAttribute("aria-label", name);
  button.title = name;
}

button.addEventListener("click", () => {
  const next = schemes[(schemes.indexOf(root.dataset.scheme) + 1) % schemes.length];
  root.dataset.scheme = next;
  keep("scheme", next === "auto" ? "" : next);
  show();
});

show();
document.querySelector(".edx-header nav")?.append(button);
