// Copies text, also where the clipboard's interface is missing (plain http), and says so to every reader.
import { words } from "./words.js";

const status = document.createElement("p");
status.setAttribute("role", "status");
status.className = "edx-status";
document.body.append(status);

async function write(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement("textarea");
    area.value = text;
    area.className = "edx-status";
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  }
}

// A button with the visible text `label`, read out as `name`, that copies what `text()` returns.
export function copyButton(label, name, text) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = label;
  button.setAttribute("aria-label", name);
  button.title = name;
  let timer;
  button.addEventListener("click", async () => {
    const done = await write(text());
    button.focus();
    button.textContent = done ? words.copied : label;
    button.classList.toggle("edx-done", done);
    status.textContent = done ? `${words.copied}: ${name}` : words.not_copied;
    clearTimeout(timer);
    timer = setTimeout(() => {
      button.textContent = label;
      button.classList.remove("edx-done");
      status.textContent = "";
    }, 2000);
  });
  return button;
}
