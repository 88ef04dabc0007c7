import highlight from "@11ty/eleventy-plugin-syntaxhighlight";

export default function (config) {
  config.addPlugin(highlight, { alwaysWrapLineHighlights: true, trim: false });
  config.addPassthroughCopy({ "src/style.css": "style.css" });
  config.addFilter("language", (path) => ({ py: "python", js: "javascript", ts: "typescript" })[path.split(".").pop()] ?? "text");
  config.addFilter("marked", (record) => record.lineNumber - record.sourceCodeStart);
  config.addFilter("before", (fix) => fix.split("\n# after\n")[0]);
  config.addFilter("after", (fix) => fix.split("\n# after\n").slice(1).map((rest) => `# after\n${rest}`)[0] ?? "");
  config.addFilter("prose", prose);
  return { dir: { input: "src", output: "public" }, htmlTemplateEngine: "njk" };
}

const ESCAPES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Paragraphs, and code between backticks; nothing else is markup. */
function prose(text) {
  const escaped = text.replace(/[&<>"]/g, (character) => ESCAPES[character]);
  return escaped.replace(/`([^`]+)`/g, "<code>$1</code>").split(/\n\s*\n/).join("</p><p>");
}
