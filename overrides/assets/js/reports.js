// Issue forms by address: their fields filled in, within the length of an address that hosts accept.

const MOST = 7500; // bytes; GitHub refuses addresses of 8,192
const MESSAGE = 80;

const cost = (character) => new URLSearchParams({ "": character }).toString().length - 1;

// The end of a text, where errors stand, that takes up to `room` bytes in an address; never half a character.
export function fitted(text, room) {
  const characters = [...text].slice(-room);
  let at = characters.length;
  for (let left = room; at > 0 && (left -= cost(characters[at - 1])) >= 0; at--);
  return characters.slice(at).join("");
}

// The address of a form with its fields filled in; the last one is cut to what room is left.
export function filled(address, fields) {
  const url = new URL(address);
  for (const [name, text] of Object.entries(fields)) {
    url.searchParams.set(name, "");
    url.searchParams.set(name, fitted(text, MOST - url.href.length));
  }
  return url.href;
}

// On a record's page the link has the record's id; page and title are filled in when it is followed.
export function fillOnClick(page) {
  const link = page.querySelector('.edx-provenance a[href*="/issues/new?template=record.yml"]');
  link?.addEventListener("click", () => {
    const message = page.querySelector("h1")?.textContent ?? "";
    const title = `${new URL(link.href).searchParams.get("record")}: ${[...message.trim()].slice(0, MESSAGE).join("")}`;
    link.href = filled(link.href, { title, page: page.location.href.split("#")[0] });
  });
}
