{#- Opened from disk, a page can run no modules and fetch nothing: this says so, and leads links to files. -#}
{%- from "partials/words.html" import words -%}
function fromDisk() {
  for (const link of document.links) {
    if (link.protocol === "file:" && link.pathname.endsWith("/")) link.pathname += "index.html";
  }
  for (const form of [...document.forms]) {
    const note = document.createElement("p");
    note.className = "edx-disk";
    note.textContent = {{ words.disk | tojson }};
    form.replaceWith(note);
  }
}

if (document.readyState === "loading") addEventListener("DOMContentLoaded", fromDisk);
else fromDisk();
