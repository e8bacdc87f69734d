/** The SimHash of a question, as infograph hashes the questions that chunks answer (infograph/topic/question_hash.py). */

import { check } from "./options.js";
import { InfographError } from "./site.js";

/** Bits between the hashes of two questions that are taken for one. */
const SAME_QUESTION = 12;
const WORD = /[\p{L}\p{N}]+/gu;
const MASK = (1n << 64n) - 1n;

/**
 * Items with a question like this one: what `Client.match` gives.
 * @param {import("./graph.js").Graph} graph
 * @param {() => Promise<import("./bundle.js").Bundle>} opened
 */
export async function matching(graph, opened, question, options, signal) {
  const { topic = "", limit = 10, distance = SAME_QUESTION } = options;
  check({ question, topic, limit, distance });
  const bundle = await opened();
  if (bundle.stemless) {
    const { language } = bundle.manifest;
    throw new InfographError("unknown", `questions are hashed by their stems: give a stemmer for ${language}`);
  }
  const hash = questionHash(question, bundle.language);
  return hash[0] || hash[1] ? graph.match(hash, { topic, limit, distance }, signal) : [];
}

/**
 * High and low 32 bits; both 0 for a question without a letter or number.
 * @param {string} question
 * @param {import("./terms.js").Language} language
 * @returns {[number, number]}
 */
export function questionHash(question, language) {
  const text = question.replace(/(\p{M}{128})\p{M}+/gu, "$1").normalize("NFC").toLowerCase().replace(/['’]/g, "");
  const words = text.match(WORD) ?? [];
  const content = words.filter((word) => !language.stopWords.has(word));
  const stems = (content.length ? content : words).map(language.stem);
  const weights = new Map(stems.map((stem) => [stem, 2]));
  // A pair has a space in it and so is never a stem as well.
  stems.slice(1).forEach((stem, i) => weights.set(`${stems[i]} ${stem}`, 1));

  const sums = new Int32Array(64);
  let total = 0;
  for (const [feature, weight] of weights) {
    total += weight;
    halves(featureHash(feature)).forEach((half, i) => {
      for (let bit = 0; bit < 32; bit++) sums[32 * i + bit] += ((half >>> bit) & 1) * weight;
    });
  }
  const half = (from) =>
    sums.slice(from, from + 32).reduce((bits, sum, bit) => bits | (+(2 * sum > total) << bit), 0) >>> 0;
  return [half(0), half(32)];
}

/**
 * FNV-1a, 64 bits, over the UTF-8 bytes, mixed by murmur3's finaliser.
 * @param {string} feature
 * @returns {bigint}
 */
export function featureHash(feature) {
  let value = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(feature)) value = ((value ^ BigInt(byte)) * 0x100000001b3n) & MASK;
  value = ((value ^ (value >> 33n)) * 0xff51afd7ed558ccdn) & MASK;
  value = ((value ^ (value >> 33n)) * 0xc4ceb9fe1a85ec53n) & MASK;
  return value ^ (value >> 33n);
}

function halves(value) {
  return [Number(value >> 32n), Number(value & 0xffffffffn)];
}
