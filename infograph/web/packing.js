/**
 * Chooses pieces of texts for a token budget: the same as infograph's client in Python does
 * (infograph/client/packing.py, which says how).
 */

/** Number of the marks for what is left out that a piece may add. */
export const MARKS = 2;
/** Weight of the question's words that a piece has, beside the rank of its chunk; what a value of 1 is as a number. */
const [COVERED, UNIT] = [3, 1_000_000];
/** Most pieces, and most tokens, that the exact packing takes. */
const [KNAPSACK_PIECES, KNAPSACK_TOKENS] = [50, 8000];
const LEFT_OUT = "…";
/** Far below any sum of values. */
const NEVER = -(2 ** 52);

/** Characters as Python counts them. */
export function lengthOf(text) {
  let pairs = 0;
  for (let at = 0; at < text.length; at++) if (text.codePointAt(at) > 0xffff) pairs++;
  return text.length - pairs;
}

/** The pieces of a text as ranges, which together are all of it. */
export function pieces(text, characters) {
  const fits = ([start, end]) => lengthOf(text.slice(start, end)) <= characters;
  return paragraphs(text).flatMap((range) => (fits(range) ? [range] : joined(cut(text, range, fits), fits)));
}

/** The value of each piece, by the share of the best score that its chunk has and by the terms in it. */
export function values(shares, terms, query) {
  const weights = new Map();
  for (const term of query) {
    const count = terms.filter((own) => own.has(term)).length;
    if (count) weights.set(term, Math.sqrt(terms.length / count));
  }
  let total = 0;
  for (const weight of weights.values()) total += weight;
  return shares.map((share, piece) => {
    let had = 0;
    for (const [term, weight] of weights) if (terms[piece].has(term)) had += weight;
    return Math.floor(share * Math.sqrt(share) * (1 + COVERED * (had / (total || 1))) * UNIT + 0.5);
  });
}

/**
 * Which pieces to take, in ascending order; their costs, and those of the heads of their chunks, are never more than
 * `room` together. `owners` is the chunk of each piece, in ascending order.
 */
export function picked(packing, worth, costs, room, owners, heads) {
  const order = worth.map((_, piece) => piece).sort((a, b) => worth[b] - worth[a]);
  if (packing === "knapsack" && room > 0 && room <= KNAPSACK_TOKENS) {
    const best = order.slice(0, KNAPSACK_PIECES).sort((a, b) => a - b);
    return knapsack(byChunk(best, owners), worth, costs, room, heads);
  }
  const ratio = (piece) => worth[piece] / Math.max(1, costs[piece]);
  if (packing !== "greedy") order.sort((a, b) => a - b).sort((a, b) => ratio(b) - ratio(a));
  const found = [];
  const opened = new Set();
  for (const piece of order) {
    const price = costs[piece] + (opened.has(owners[piece]) ? 0 : heads[owners[piece]]);
    if (price > room) continue;
    found.push(piece);
    opened.add(owners[piece]);
    room -= price;
  }
  return found.sort((a, b) => a - b);
}

/** The ranges of a text, in order, with a mark for what is left out between and beside them. */
export function shown(text, ranges) {
  const parts = [];
  let after = 0;
  for (const [start, end] of runs(ranges)) {
    if (start > after) parts.push(LEFT_OUT);
    parts.push(text.slice(start, end).replace(/^[\r\n]+/, "").replace(/[ \t\r\n]+$/, "")); // prettier-ignore
    after = end;
  }
  if (after < text.length) parts.push(LEFT_OUT);
  return parts.join("\n\n");
}

function runs(ranges) {
  const found = [];
  for (const [start, end] of ranges) {
    if (found.at(-1)?.[1] === start) found.at(-1)[1] = end;
    else found.push([start, end]);
  }
  return found;
}

function paragraphs(text) {
  const found = [];
  let [start, begin, fences] = [0, 0, 0];
  for (const end of [...ends(/\n[ \t\r]*\n/g, text), text.length]) {
    const own = text.slice(begin, end);
    fences += own.match(/(?<![^\n]) {0,3}(?:```|~~~)/g)?.length ?? 0;
    begin = end;
    const isHeading = /^[ \t\r\n]*#[^\n]*[ \t\r\n]*$/.test(own);
    if (end !== text.length && (fences % 2 || isHeading)) continue;
    if (end > start) found.push([start, end]);
    [start, fences] = [end, 0];
  }
  return found;
}

/** Cuts a paragraph at its lines, and lines that are too long at their sentences. */
function cut(text, range, fits) {
  const sentence = /(?<=[.!?])[ \n]+|(?<=[。！？])/g;
  return between(/\n/g, text, range).flatMap((line) => (fits(line) ? [line] : between(sentence, text, line)));
}

function between(mark, text, [start, end]) {
  const found = [];
  const first = start;
  for (const at of ends(mark, text.slice(first, end))) {
    if (first + at <= start || first + at >= end) continue;
    found.push([start, first + at]);
    start = first + at;
  }
  return [...found, [start, end]];
}

/** Where the matches of a pattern end. */
function ends(pattern, text) {
  return Array.from(text.matchAll(pattern), ({ 0: { length }, index }) => index + length);
}

/** Joins neighbours as long as they fit together. */
function joined(ranges, fits) {
  const found = [];
  for (const [start, end] of ranges) {
    if (found.length && fits([found.at(-1)[0], end])) found.at(-1)[1] = end;
    else found.push([start, end]);
  }
  return found;
}

function byChunk(candidates, owners) {
  const found = new Map();
  for (const piece of candidates) {
    if (!found.has(owners[piece])) found.set(owners[piece], []);
    found.get(owners[piece]).push(piece);
  }
  return found;
}

/** The candidates with the greatest sum of values in a room, by dynamic programming over chunks and their pieces. */
function knapsack(candidates, worth, costs, room, heads) {
  const best = new Array(room + 1).fill(0);
  const steps = [];
  for (const [chunk, own] of candidates) {
    const head = heads[chunk];
    const opened = best.map((_, tokens) => (tokens < head ? NEVER : best[tokens - head]));
    const taken = own.map((piece) => [piece, marked(opened, worth[piece], costs[piece])]);
    const entered = new Uint8Array(room + 1);
    for (let tokens = 0; tokens <= room; tokens++) {
      if (opened[tokens] <= best[tokens]) continue;
      best[tokens] = opened[tokens];
      entered[tokens] = 1;
    }
    steps.push([chunk, entered, taken]);
  }
  const found = [];
  for (const [chunk, entered, taken] of steps.reverse()) {
    if (!entered[room]) continue;
    for (const [piece, marks] of taken.reverse()) {
      if (!marks[room]) continue;
      found.unshift(piece);
      room -= costs[piece];
    }
    room -= heads[chunk];
  }
  return found;
}

/** Where a piece is taken, since the sum of values becomes greater by it, which this changes. */
function marked(best, value, size) {
  const marks = new Uint8Array(best.length);
  for (let tokens = best.length - 1; tokens >= size; tokens--) {
    const other = best[tokens - size] + value;
    if (other <= best[tokens]) continue;
    best[tokens] = other;
    marks[tokens] = 1;
  }
  return marks;
}
