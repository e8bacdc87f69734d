/** A share of diversity in a ranking, by the chunks' vectors. Loaded when it is asked for. */

import { Cursor } from "./bytes.js";
import { PAGE } from "./ranking.js";

/** Hits that are put into another order: a number of its own, so that pages of an answer fit together. */
export const DIVERSIFIED = 32;

/**
 * Hits, the first of them in an order that has more in it.
 * @param {import("./bundle.js").Bundle} bundle
 */
export async function mixed(bundle, hits, share, remarks) {
  const pool = hits.slice(0, DIVERSIFIED);
  const vectors = await Promise.all(pool.map((hit) => vectorOf(bundle, bundle.chunks.get(hit), remarks)));
  const scores = pool.map(({ score }) => score);
  return [...diversified(scores, vectors, share).map((place) => pool[place]), ...hits.slice(DIVERSIFIED)];
}

export async function vectorOf(bundle, chunk, remarks) {
  if (bundle.vectorOf) return bundle.vectorOf(chunk, remarks);
  const { block: size, vectors, vector_shards: table } = bundle.manifest;
  const [slot, index] = [Math.floor(chunk / PAGE), chunk % PAGE];
  const name = await bundle.blockFile(table, chunk, remarks);
  const data = await bundle.available(name, remarks);
  try {
    return readVectors(data ?? [], slot, Math.floor(index / size), vectors.dimension)[index % size] ?? [];
  } catch (error) {
    remarks.missing[name] = error.message;
    return [];
  }
}

/**
 * Places of the scores in the order of maximal marginal relevance (Carbonell and Goldstein, 1998).
 * @param {number[]} scores
 * @param {ArrayLike<number>[]} vectors one for each; empty where there is none: it is near nothing
 * @param {number} share of diversity, 0 to 1
 */
export function diversified(scores, vectors, share) {
  const norms = vectors.map((vector) => Math.sqrt(product(vector, vector)));
  const best = Math.max(0, ...scores);
  const nearest = scores.map(() => 0);
  const left = new Set(scores.keys());
  const order = [];
  const worth = (n) => (1 - share) * (best > 0 ? scores[n] / best : 0) - share * nearest[n];
  while (left.size) {
    const chosen = [...left].reduce((a, b) => (worth(b) > worth(a) ? b : a));
    left.delete(chosen);
    order.push(chosen);
    for (const n of left) {
      const both = norms[n] * norms[chosen];
      nearest[n] = Math.max(nearest[n], both ? product(vectors[n], vectors[chosen]) / both : 0);
    }
  }
  return order;
}

function product(a, b) {
  let sum = 0;
  for (let i = 0; i < Math.min(a.length, b.length); i++) sum += a[i] * b[i];
  return sum;
}

/**
 * The vectors of a block in a vector shard; none where it has no such block. A RangeError where the shard is cut off.
 * @param {Uint8Array} data
 * @returns {Int8Array[]}
 */
export function readVectors(data, slot, block, dimension) {
  for (const cursor = new Cursor(data); !cursor.done;) {
    const [ofSlot, ofBlock] = [cursor.number(), cursor.number()];
    const rows = cursor.bytes(cursor.number() * dimension);
    if (ofSlot !== slot || ofBlock !== block) continue;
    return Array.from({ length: rows.length / dimension }, (_, i) =>
      Int8Array.from(rows.subarray(i * dimension, (i + 1) * dimension)),
    );
  }
  return [];
}
