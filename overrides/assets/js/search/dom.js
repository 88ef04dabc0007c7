// Makes elements; text goes in as text, with a stand-in for what would act or hide.
import { visible } from "../visible.js";

export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    element.setAttribute(name, value === true ? "" : name === "title" ? visible(value) : value);
  }
  element.append(...children.map(shown));
  return element;
}

function shown(child) {
  if (typeof child === "string") return visible(child);
  if (child.nodeType === Node.TEXT_NODE) child.data = visible(child.data);
  return child;
}

export function fill(template, ...values) {
  let next = 0;
  return template.replace(/\{\}/g, () => values[next++]);
}
