/** From a query's postings to ranked chunks: "Score" on the page "Search bundle" of the guide. */

/** A chunk is one number: slot × PAGE + index. */
export const PAGE = 2 ** 20;
/** Chunks that are looked through for near-duplicates and for what a filter lets pass; how many at a time for that. */
export const MOST_EXAMINED = 2048;
export const EXAMINED_AT_ONCE = 64;

/**
 * @typedef {{chunks: Float64Array, impacts: Uint16Array}} Postings
 * @typedef {{df: number, postings: Postings, weight: number}} Entry  weight: how much the term counts in a query
 * @typedef {[chunk: number, score: number]} Ranked
 */

/**
 * The entry of a term.
 * @param {import("./bytes.js").Cursor} cursor at the entry's numbers
 * @returns {Entry}
 */
export function readEntry(cursor) {
  const [df, count] = [cursor.number(), cursor.number()];
  return { df, postings: readPostings(cursor, count) };
}

function readPostings(cursor, count) {
  if (3 * count > cursor.data.length - cursor.at) throw new RangeError(`${count} postings are cut off`);
  const chunks = new Float64Array(count);
  for (let i = 0; i < count; i++) chunks[i] = cursor.number();
  let [slot, index] = [0, 0];
  for (let i = 0; i < count; i++) {
    const [gap, step] = [chunks[i], cursor.number()];
    index = gap || !i ? step : index + step + 1;
    slot += gap;
    chunks[i] = slot * PAGE + index;
  }
  const [low, fields] = [cursor.bytes(count), cursor.bytes((count + 3) >> 2)];
  return { chunks, impacts: Uint16Array.from(low, (byte, i) => byte | (((fields[i >> 2] >> (2 * (i & 3))) & 3) << 8)) };
}

/** Whether the site has a word of a query: as a whole, or all of its parts. */
export function isKnown({ whole, parts }, known) {
  return known.has(whole) || (parts.length > 0 && parts.every((term) => known.has(term)));
}

/**
 * Every chunk in a list of the terms, best first; equal scores in the order of slot and index.
 * @param {Entry[]} entries of the query's terms
 * @param {Float64Array} saturation the part of a term for each impact of a posting
 * @param {{chunks: number, bm25: {k1: number, fields: number[]}, neighbour: number}} manifest
 * @returns {Ranked[]}
 */
export function rank(entries, saturation, { chunks, bm25: { k1, fields }, neighbour }) {
  /** @type {Map<number, number>} */
  const own = new Map();
  let most = 0;
  for (const { df, postings, weight } of entries) {
    const rarity = weight * Math.log(1 + (chunks - df + 0.5) / (df + 0.5));
    most += rarity;
    postings.chunks.forEach((chunk, i) => {
      own.set(chunk, (own.get(chunk) ?? 0) + rarity * saturation[postings.impacts[i]]);
    });
  }
  /** @type {Ranked[]} */
  const ranked = [];
  for (const [chunk, score] of own) {
    const around = Math.max(own.get(chunk - 1) ?? 0, own.get(chunk + 1) ?? 0);
    ranked.push([chunk, score + neighbour * around]);
  }
  // What a chunk would score that says every word without end.
  ranked.most = most * (k1 + 1 + Math.max(...fields)) * (1 + neighbour);
  return ranked.sort(([a, x], [b, y]) => y - x || a - b);
}

/** Bits, of 64, that the SimHashes of near-duplicates may differ in. */
const NEAR = 8;

/** Those that are near none before them; those that are, become `duplicates` of it. */
export function collapse(hits) {
  const sections = {};
  return hits.filter((hit) => {
    hit.duplicates = [];
    const same = (sections[JSON.stringify([hit.title, hit.section_path])] ??= []);
    const best = same.find(({ page, simhash }) => page !== hit.page && distance(simhash, hit.simhash) <= NEAR);
    (best?.duplicates ?? same).push(hit);
    return !best;
  });
}

function distance(a, b) {
  let bits = 0;
  for (let both = BigInt(`0x${a}`) ^ BigInt(`0x${b}`); both; both >>= 1n) bits += Number(both & 1n);
  return bits;
}

/**
 * How many chunks to look at for so many hits. Versions of a chunk mostly have its index, and slots in its group: so
 * no more files are fetched than there are pairs of these; half as many again where two share one, as versions do.
 */
export function reach(ranked, wanted, group) {
  const places = new Set();
  let most = wanted;
  const end = ranked.findIndex(([chunk]) => {
    const place = `${Math.floor(chunk / PAGE / group)} ${chunk % PAGE}`;
    if (places.has(place)) most = wanted + Math.floor(wanted / 2);
    return places.add(place).size > most;
  });
  return end < 0 ? ranked.length : end;
}
