// The paste box elsewhere than on the lookup page: it goes there, and no request has the text.
import { go } from "./lookup/address.js";

const form = document.querySelector(".edx-paste");
const box = form.elements.q;

form.addEventListener("submit", (event) => {
  event.preventDefault();
  go(form.action, box.value);
});

box.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) form.requestSubmit();
});

form.querySelector("#edx-q-hint").hidden = false;
