// Makes elements; text goes in as text.
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children);
  return element;
}

export function fill(template, ...values) {
  let next = 0;
  return template.replace(/\{\}/g, () => values[next++]);
}
