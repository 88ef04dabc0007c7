// The keys that open the search from anywhere: /, s, and Ctrl or Command with K. Loads nothing of it.
const link = document.querySelector(".edx-find");
const box = document.querySelector(".edx-search #edx-q");

function typing({ target }) {
  return target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
}

function wanted(event) {
  const held = event.ctrlKey || event.metaKey;
  if (event.key === "k" || event.key === "K") return held && !event.altKey && !event.shiftKey;
  return (event.key === "/" || event.key === "s") && !held && !event.altKey && !typing(event);
}

document.addEventListener("keydown", (event) => {
  if (!link || event.isComposing || event.defaultPrevented || event.repeat || !wanted(event)) return;
  event.preventDefault();
  if (box) {
    box.focus();
    box.select();
  } else {
    location.assign(link.href);
  }
});
