// What the reader chose, kept in this browser; forgotten where storage is refused.
export function keep(name, value) {
  try {
    if (value) localStorage.setItem(`errordex.${name}`, value);
    else localStorage.removeItem(`errordex.${name}`);
  } catch {
    // The choice lasts for this page.
  }
}
