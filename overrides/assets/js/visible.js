// Text as it may be shown: a stand-in for each character that would act or hide, as `generator/escape.py` has it.
const ACTING = /[\0-\x08\x0b-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufdd0-\ufdef\ufeff\uffa0\ufe00-\ufe0f\ufff0-\ufffb\ufffe\uffff\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}\ud800-\udfff]/gu;
const HEAPED = /(?<=\p{M}{8})\p{M}+/gu;
const SELECTOR = /[\ufe00-\ufe0f]/;
const acts = (char) => char !== "" && char.search(ACTING) === 0;

export const visible = (text) => text.replaceAll("\r\n", "\n").replace(ACTING, standIn).replace(HEAPED, (marks) => [...marks].map(spelt).join(""));

function standIn(char, at, text) {
  const before = last(text.slice(0, at));
  const after = String.fromCodePoint(text.codePointAt(at + char.length) ?? 0);
  if ((char === "\u200c" || char === "\u200d") && seen(before) && seen(after)) return char;
  if (SELECTOR.test(char) && !SELECTOR.test(before) && (seen(before) || /[0-9#*]/.test(before))) return char;
  if (char < " ") return String.fromCodePoint(0x2400 + char.charCodeAt(0));
  return char === "\x7f" ? "\u2421" : spelt(char);
}

const spelt = (char) => `\u27e8U+${char.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}\u27e9`;

const last = (text) => text.match(/.$/su)?.[0] ?? "";

// Whether it is a character beyond ASCII that is seen, or selects how one is.
const seen = (char) => char > "\x7f" && (SELECTOR.test(char) || !acts(char));
