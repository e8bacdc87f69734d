/** The head of a ranking in the order that the query's own vector gives. Loaded when it is asked for. */

import { vectorOf } from "./diversity.js";
import { EXAMINED_AT_ONCE, MOST_EXAMINED, rank } from "./ranking.js";
import { InfographError } from "./site.js";

/** Chunks: "Reranking" on the page "Search bundle" of the guide. */
const RERANKED = 32;
/** Most that the length of a vector differs from 1 which is taken as it is. */
const UNIT = 0.001;
const [MAP_BITS, INPUT_BITS] = [8, 14];

/**
 * The ranking with a share of the cosine added to the scores of its first chunks that pass (with a share of what fields
 * add to these), those in their new order before all others; the ranking as it is where the map cannot be had.
 * @param {import("./bundle.js").Bundle} bundle
 * @param {import("./ranking.js").Entry[]} entries
 * @param {(query: string, model: string) => ArrayLike<number> | Promise<ArrayLike<number>>} embed
 * @param {import("./ranking.js").Ranked[]} ranked the ranking by words
 * @param {((hit: object) => boolean) | null} passes
 */
export async function reranked(bundle, entries, query, embed, ranked, passes, remarks) {
  const { model, map, dimension } = bundle.manifest.vectors;
  if (!map) throw new InfographError("unknown", "the site names no model: build it with a newer release");
  const mended = Object.keys(remarks.corrected).length > 0; // slips are no words of the model's
  const meant = mended ? (await import("./meant.js")).asMeant(query, remarks) : query;
  const vector = await embed(meant, model);
  const given = Array.from(vector ?? []);
  const length = Math.hypot(...given);
  if (!(length > 0) || !given.every(Number.isFinite)) {
    throw new InfographError("unknown", "rerank has to give a vector, a list of finite numbers that are not all 0");
  }
  const data = await bundle.available(map, remarks);
  if (!data) return ranked;
  if (data.length !== 4 * dimension * (vector.length + 1)) {
    const inputs = data.length / 4 / dimension - 1;
    remarks.missing[map] = `maps vectors of ${inputs} numbers, not of ${vector.length}`;
    return ranked;
  }
  const unit = Math.abs(length - 1) < UNIT ? given : given.map((own) => own / length);
  const own = project(data, unit, dimension);
  const head = passes ? await passing(bundle, ranked, passes, remarks) : ranked.slice(0, RERANKED);
  const vectors = await Promise.all(head.map(([chunk]) => vectorOf(bundle, chunk, remarks)));
  const words = new Map(rank(entries, bundle.saturate(bundle.manifest.vectors.fields ?? 1), bundle.manifest));
  const beside = head.map(([chunk]) => words.get(chunk));
  const scores = await fused(bundle, query, beside, vectors.map((other) => cosine(own, other)), remarks);
  const scored = head.map(([chunk], i) => [chunk, scores[i]]);
  const moved = new Set(head);
  return [...scored.sort(([, x], [, y]) => y - x), ...ranked.filter((item) => !moved.has(item))];
}

/** The score of each chunk of a head by its words and its cosine; the confidence of the best becomes a remark. */
async function fused(bundle, query, words, cosines, remarks) {
  const { vectors, fusion } = bundle.manifest;
  const lifted = vectors.weight * (Math.max(-1, ...cosines) + 1);
  const scale = Math.max(0, ...words) + lifted;
  const own = fusion && (await (await import("./fusion.js")).values(bundle, query, words, cosines, remarks));
  const sums = words.map((score, i) => score + vectors.weight * cosines[i]);
  // A sum is a convex sum of scaled scores, too.
  const values = own ?? sums.map((sum) => (scale > 0 ? (sum + vectors.weight) / scale : 0));
  remarks.confidence = Math.min(1, Math.max(0, ...values));
  return own ? own.map((value) => value * scale - vectors.weight) : sums;
}

/** The first of a ranking that pass, as many as are reranked: to rerank others would change nothing. */
async function passing(bundle, ranked, passes, remarks) {
  const found = [];
  for (let at = 0; at < Math.min(ranked.length, MOST_EXAMINED) && found.length < RERANKED; at += EXAMINED_AT_ONCE) {
    const some = ranked.slice(at, at + EXAMINED_AT_ONCE);
    const hits = await bundle.hits(some, remarks);
    found.push(...some.filter((_, i) => hits[i] && passes(hits[i])));
  }
  return found.slice(0, RERANKED);
}

/** A vector in the chunks' space, in whole numbers. */
function project(data, vector, dimension) {
  const map = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const sums = new Float64Array(dimension);
  for (let row = 0; row <= vector.length; row++) {
    const times = row < vector.length ? rounded(vector[row] * 2 ** INPUT_BITS) : 2 ** INPUT_BITS;
    for (let i = 0; i < dimension; i++) sums[i] += times * map.getInt32(4 * (row * dimension + i), true);
  }
  return sums.map((sum) => Math.max(-127, Math.min(127, rounded(sum / 2 ** (INPUT_BITS + MAP_BITS)))));
}

/** The nearest whole number; of two that are as near, the even one. */
function rounded(value) {
  const up = Math.round(value);
  return up - value === 0.5 && up % 2 ? up - 1 : up;
}

function cosine(a, b) {
  const product = (x, y) => y.reduce((sum, value, i) => sum + x[i] * value, 0);
  const lengths = b.length ? Math.sqrt(product(a, a)) * Math.sqrt(product(b, b)) : 0;
  return lengths ? product(a, b) / lengths : 0;
}
