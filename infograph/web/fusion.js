/** Scores from words and cosines: "Fusion" on the page "Search bundle" of the guide. Loaded where a site says how. */

import { InfographError } from "./site.js";

/** Best chunks by either score that features are taken from; smoothing of reciprocal ranks. */
const [POOL, K] = [10, 60];
const QUESTION_WORDS = new Set(["who", "what", "where", "when", "why", "how"]);
const FEATURES = { ridge: 4, trees: 2 * POOL + 5 };

/**
 * The value of each chunk of a head, 0 to 1.
 * @param {import("./bundle.js").Bundle} bundle
 * @param {number[]} words scores, not below 0
 * @param {number[]} cosines
 * @returns {Promise<number[] | null>} null for a sum, which is also what counts where the trees cannot be had
 */
export async function values(bundle, query, words, cosines, remarks) {
  const { fusion } = bundle.manifest;
  const { kind = "sum", alpha = 0.5, weights = [], bias = 0, features = [], file = "" } = fusion;
  if (kind === "sum") return null;
  if (kind === "rrf") return reciprocalRanks(words, cosines);
  const known = kind === "tm2c2" || (FEATURES[kind] === features.length && [...weights, bias].every(Number.isFinite));
  if (!known) throw new InfographError("broken", `_search/manifest.json: there is no fusion ${JSON.stringify(kind)}`);
  const [scaledWords, scaledCosines] = [scaled(words, 0), scaled(cosines, 1)];
  let share = alpha;
  if (kind === "ridge") {
    share = queryFeatures(query).reduce((sum, value, i) => sum + value * weights[i], bias);
  } else if (kind === "trees") {
    const trees = await bundle.available(file, remarks);
    if (!trees) return null;
    try {
      share = sumOfTrees(trees, allFeatures(query, scaledWords, scaledCosines));
    } catch (error) {
      remarks.missing[file] = error.message;
      return null;
    }
  }
  share = Math.min(1, Math.max(0, share));
  return scaledWords.map((own, i) => share * scaledCosines[i] + (1 - share) * own);
}

/** Number of words; whether there is a digit, a word that asks, an acronym. */
export function queryFeatures(query) {
  const words = query.match(/[\p{L}\p{N}_]+/gu) ?? [];
  const asks = words.some((word) => QUESTION_WORDS.has(word.toLowerCase()));
  return [words.length, +/[0-9]/.test(query), +asks, +/[A-Z]{2}/.test(query)];
}

/** All 25 features; 0 in place of chunks that there are not. */
export function allFeatures(query, words, cosines) {
  const [byWords, byCosine] = [best(words), best(cosines)];
  const ten = (places, scores) => Array.from({ length: POOL }, (_, i) => (i < places.length ? scores[places[i]] : 0));
  const both = byWords.filter((place) => byCosine.includes(place)).length;
  return [...queryFeatures(query), ...ten(byCosine, cosines), ...ten(byWords, words), both];
}

/** A sum of leaves, in floats of 32 bits. */
export function sumOfTrees({ base, trees }, features) {
  const row = features.map(Math.fround);
  let total = Math.fround(base);
  for (const tree of trees) {
    let place = 0;
    for (let steps = 0; tree.features[place] !== -1; steps++) {
      if (!(tree.features[place] in row) || steps > tree.features.length) throw new RangeError("a tree is cut off");
      place = row[tree.features[place]] < Math.fround(tree.numbers[place]) ? place + 1 : tree.right[place];
    }
    total = Math.fround(total + Math.fround(tree.numbers[place]));
  }
  if (!Number.isFinite(total)) throw new RangeError("the trees give no number");
  return total;
}

function scaled(scores, lift) {
  const most = Math.max(...scores) + lift;
  return scores.map((score) => (most > 0 ? (score + lift) / most : 0));
}

/** Places, the best score first; of equal ones the earlier. */
const order = (scores) => scores.map((_, place) => place).sort((a, b) => scores[b] - scores[a]);
const best = (scores) => order(scores).slice(0, POOL);

function reciprocalRanks(...ways) {
  const sums = ways[0].map(() => 0);
  for (const scores of ways) order(scores).forEach((place, i) => (sums[place] += (K + 1) / 2 / (K + i + 1)));
  return sums;
}
