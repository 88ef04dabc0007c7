// The lookup page: answers as one pastes, drops a file, or comes with a text in the address.
import { carried, fragment, textOf } from "./lookup/address.js";
import { Asking } from "./lookup/asking.js";
import { decoded } from "./lookup/files.js";
import { items } from "./lookup/results.js";
import { filled } from "./reports.js";
import { fill, make } from "./search/dom.js";

const WAIT = 150;
const WHOLE = new Set(["insertFromPaste", "insertFromDrop"]); // such a text is complete: nothing is waited for
const SAY_BUSY = 400;
const IN_THE_BOX = 200_000;
const IN_A_TITLE = 120;

const root = new URL("../../", import.meta.url);
const words = JSON.parse(document.getElementById("edx-lookup-words").textContent);
const form = document.querySelector(".edx-paste");
const box = form.elements.q;
const part = (name) => document.querySelector(`#edx-answer [data-part="${name}"]`);
const [status, list, notes, none, failed] = ["status", "list", "notes", "none", "failed"].map(part);
const report = part("report");

let timer;
let busy;
let asked = null;
const asking = new Asking(show);

function say(text) {
  if (status.textContent !== text) status.textContent = text;
}

function show({ answers = [], failed: reason = "" }) {
  clearTimeout(busy);
  form.removeAttribute("aria-busy");
  list.replaceChildren(...items(answers, root, words));
  none.hidden = answers.length > 0 || reason !== "";
  failed.hidden = reason === "";
  if (reason) part("why").textContent = words[`failed_${reason}`] ?? words.failed_broken;
  say(reason ? words.failed : counted(answers));
  if (!none.hidden && report?.dataset.href) prefill(asked.text ?? "");
}

// How many there are, in words.
function counted(answers) {
  const matches = answers.filter((answer) => answer.kind === "match").length;
  const similar = answers.length - matches;
  const told = [];
  if (matches) told.push(matches === 1 ? words.one_match : fill(words.matches, matches));
  if (similar) told.push(similar === 1 ? words.one_similar : fill(words.similars, similar));
  return told.join(", ") || words.nothing;
}

function prefill(text) {
  const lines = text.split("\n").map((line) => line.trim()).filter(Boolean);
  const title = lines.findLast((line) => /error|exception|fatal|panic/i.test(line)) ?? lines[0] ?? "";
  const short = [...title].slice(0, IN_A_TITLE).join("");
  report.href = filled(report.dataset.href, { title: fill(words.report_title, short), error: text });
}

// Ask for {text} or {file}; nothing to ask clears the answer.
function ask(question) {
  clearTimeout(timer);
  clearTimeout(busy);
  asked = question;
  if (!question.file && !question.text.trim()) {
    asking.forget();
    form.removeAttribute("aria-busy");
    list.replaceChildren();
    none.hidden = failed.hidden = true;
    say("");
    return;
  }
  form.setAttribute("aria-busy", "true");
  busy = setTimeout(() => say(words.busy), SAY_BUSY);
  asking.ask(question);
}

// Ask for the box's text, and keep it in the address while it is short.
function askBox() {
  const { value } = box;
  keep(value);
  ask({ text: value });
}

function keep(text) {
  const hash = fragment(text);
  if (hash === location.hash && !location.search) return;
  try {
    history.replaceState(null, "", location.pathname + hash);
  } catch {
    // Too many changes in a short time: the next one is kept.
  }
}

function note(text) {
  notes.replaceChildren(...(text ? [make("p", {}, text)] : []));
}

async function openFile(file) {
  note("");
  if (file.size <= IN_THE_BOX) {
    box.value = decoded(await file.arrayBuffer());
    askBox();
    return;
  }
  box.value = "";
  keep("");
  note(fill(words.file, file.name, (file.size / 1e6).toLocaleString(undefined, { maximumFractionDigits: 1 })));
  ask({ file });
}

// The text that the reader comes with: in the address, or carried from another page.
function arrive() {
  const query = new URLSearchParams(location.search).get("q");
  const text = query ?? (textOf(location.hash) || carried());
  if (query !== null) note(words.sent);
  if (!text) {
    if (query !== null) keep("");
    if (box.value) askBox(); // kept by the browser over a reload
    return;
  }
  box.value = text;
  askBox();
}

box.addEventListener("input", (event) => {
  note("");
  clearTimeout(timer);
  timer = setTimeout(askBox, WHOLE.has(event.inputType) ? 0 : WAIT);
});

form.addEventListener("submit", (event) => {
  event.preventDefault();
  askBox();
});

part("retry").addEventListener("click", () => asked && ask(asked));

window.addEventListener("hashchange", () => {
  const text = textOf(location.hash);
  if (text === null || location.hash === fragment(box.value)) return;
  note("");
  box.value = text;
  ask({ text });
});

const picker = form.elements.file;
picker.addEventListener("change", () => {
  if (picker.files[0]) openFile(picker.files[0]);
  picker.value = "";
});
picker.parentElement.hidden = false;

const hasFile = (event) => event.dataTransfer?.types.includes("Files");
document.addEventListener("dragover", (event) => {
  if (!hasFile(event)) return;
  event.preventDefault();
  form.classList.add("edx-dropping");
});
document.addEventListener("dragleave", (event) => {
  if (!event.relatedTarget) form.classList.remove("edx-dropping");
});
document.addEventListener("drop", (event) => {
  if (!hasFile(event)) return;
  event.preventDefault();
  form.classList.remove("edx-dropping");
  if (event.dataTransfer.files[0]) openFile(event.dataTransfer.files[0]);
});

form.querySelector("#edx-q-hint").hidden = false;
arrive();
