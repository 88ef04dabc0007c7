// An answer as plain values that a worker can hand over and a page can show.

const MOST = 600;
const MOST_VALUE = 120;

// `message` are its parts in order, [text, isValue, name]; `sites` those that answer.
export function told(found) {
  const { kind, whole, score, aside, depth, cut, decided, entry } = found;
  const message = whole ? filled(found) : wording(entry.program);
  const sites = found.sites.map(({ id, page, file, line }) => ({ id, page, file, line }));
  return { kind, whole, score, aside, depth, cut, decided, errorClass: entry.errorClass, message: shortened(message), sites };
}

// The message as it stands in the text.
function filled({ text, spans, values }) {
  const parts = [];
  let at = 0;
  const holes = spans.map((span, index) => ({ span, name: values[index].name })).sort((one, other) => one.span[0] - other.span[0]);
  for (const { span: [start, end], name } of holes) {
    if (start < at || start === end) continue;
    parts.push([text.slice(at, start), false, null], [text.slice(start, end), true, name]);
    at = end;
  }
  parts.push([text.slice(at), false, null]);
  return parts.filter(([part]) => part);
}

// The message as the record words it: its holes by their names, or as dots. A word that follows one is parted from it,
// since the index leaves out a second space.
function wording({ branches: [branch], holes }) {
  return branch.flatMap((piece, index) => {
    if (typeof piece === "string") return [[index > 1 && /^[A-Za-z0-9]/.test(piece) ? ` ${piece}` : piece, false, null]];
    if (piece[0] === "gap") {
      const name = holes[piece[4]];
      return [[name ? `{${name}}` : "…", true, null]];
    }
    return piece[0] === "or" ? wording({ branches: [piece[1][0] ?? []], holes }) : [];
  });
}

// No more than a page can show: long values lose their middle, the whole its end.
function shortened(parts) {
  const shown = [];
  let left = MOST;
  for (const [text, isValue, name] of parts) {
    const part = isValue && text.length > MOST_VALUE ? `${text.slice(0, MOST_VALUE - 20)}…${text.slice(-20)}` : text;
    shown.push([part.length > left ? `${part.slice(0, left)}…` : part, isValue, name]);
    left -= part.length;
    if (left <= 0) break;
  }
  return shown;
}
