// Sets of positions as sorted intervals [low, high] that do not touch; as generator/patterns/intervals.py.

// Add an interval that begins no earlier than the last one does.
export function add(positions, low, high) {
  const last = positions.at(-1);
  if (last && low <= last[1] + 1) {
    if (high > last[1]) positions[positions.length - 1] = [last[0], high];
  } else {
    positions.push([low, high]);
  }
}

export function union(one, other) {
  if (!one.length || !other.length) return one.length ? one : other;
  const merged = [];
  let i = 0;
  let j = 0;
  while (i < one.length || j < other.length) {
    const first = j >= other.length || (i < one.length && one[i][0] <= other[j][0]);
    add(merged, ...(first ? one[i++] : other[j++]));
  }
  return merged;
}

export function intersection(one, other) {
  const common = [];
  let i = 0;
  let j = 0;
  while (i < one.length && j < other.length) {
    const low = Math.max(one[i][0], other[j][0]);
    const high = Math.min(one[i][1], other[j][1]);
    if (low <= high) common.push([low, high]);
    if (one[i][1] < other[j][1]) i++;
    else j++;
  }
  return common;
}

// The positions of `one` that are not in `other`.
export function difference(one, other) {
  const rest = [];
  let index = 0;
  for (const [low, high] of one) {
    while (index < other.length && other[index][1] < low) index++;
    let begin = low;
    for (let at = index; at < other.length && other[at][0] <= high; at++) {
      if (begin < other[at][0]) rest.push([begin, other[at][0] - 1]);
      begin = other[at][1] + 1;
    }
    if (begin <= high) rest.push([begin, high]);
  }
  return rest;
}

// The index of the last interval that begins at `at` or before; -1 if there is none.
function indexOf(positions, at) {
  let low = 0;
  let high = positions.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (positions[middle][0] <= at) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

export function holds(positions, at) {
  const index = indexOf(positions, at);
  return index >= 0 && at <= positions[index][1];
}

// The first position from `at` on, and the last up to it; there is one.
export const firstFrom = (positions, at) => (holds(positions, at) ? at : positions[indexOf(positions, at) + 1][0]);
export const lastUpTo = (positions, at) => Math.min(at, positions[indexOf(positions, at)][1]);
