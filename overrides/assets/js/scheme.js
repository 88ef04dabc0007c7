// Runs before the first paint, as a classic script: the reader's colour scheme, kept from the last visit.
// Its attribute also tells the stylesheet that the modules below will run, which they do not from disk.
if (location.protocol === "file:") {
  const script = document.createElement("script");
  script.src = document.currentScript.src.replace("scheme.js", "disk.js");
  document.head.append(script);
} else {
  let kept = null;
  try {
    kept = localStorage.getItem("errordex.scheme");
    if (localStorage.getItem("errordex.wrap")) document.documentElement.dataset.wrap = "";
  } catch {
    // Storage is refused: the system's scheme it is.
  }
  document.documentElement.dataset.scheme = kept === "light" || kept === "dark" ? kept : "auto";
}
