// What the index keeps of a message: its program, its class, the records that raise it; as generator/lookup/entries.py.
import { segments } from "./frames.js";
import { specificity } from "./programs.js";

// The entries of a shard's JSON: [[branches, holes, class, sites, mark], …].
export function decode(rows) {
  return rows.map(([branches, holes, errorClass, sites, mark]) => {
    const names = typeof holes === "number" ? Array(holes).fill(null) : holes;
    const program = { branches: branches.map((branch) => branch.map(unpacked)), holes: names };
    return {
      program,
      errorClass,
      sites: sites.map(([id, page, file, line]) => ({ id, page, file, line, segments: segments(file) })),
      needsFrame: Boolean(mark),
      specificity: specificity(program),
      identity: sites[0][0],
      wording: JSON.stringify([branches, errorClass]),
    };
  });
}

// A number is the most frequent gap, any number of any characters: that of its hole, or -1.
function unpacked(piece) {
  if (typeof piece === "number") return ["gap", 0, null, [true, []], piece < 0 ? null : piece];
  if (piece[0] === "or" && Array.isArray(piece)) return ["or", piece[1].map((way) => way.map(unpacked)), piece[2], piece[3]];
  return piece;
}
