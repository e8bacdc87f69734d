/** Questions that chunks are known to answer (infograph/search/reading/questions.py): at most two files are read. */

import { areTexts, isTable } from "./bundle.js";
import { hash32 } from "./bytes.js";
import { check } from "./options.js";
import { compare } from "./order.js";
import { PAGE } from "./ranking.js";
import { InfographError, whole } from "./site.js";

/** Shards that a question stands in. */
const KEYS = 2;
/** Distinct stems of the longest question. */
const MOST_STEMS = 64;
/** Chunks that stand before all others, since people or a language model say that they answer a matched question. */
const PINNED = 3;
/** What a cosine of 1 adds to a score; the cosine that counts in the place of the last chunk's where there is one only. */
const RAISE = 10;
const FLOOR = 0.3;
/** Cosine of a chunk that holds the question, or of which a language model wrote it. */
const WRITTEN = 1;
/** Distinct stems below which all words are compared, and the least share of them that two questions have in common. */
const FEW = 3;
const ALIKE = 0.5;
const COSINE_SCALE = 1000;
const WORD = /[\p{L}\p{N}]+/gu;
const MASK = (1n << 64n) - 1n;

/** Hits that are known to answer a question like this one: what `Client.match` gives. */
export async function match(bundle, question, options, remarks) {
  const { topic = "", limit = 10, distance = null } = options;
  check({ question, topic, limit, distance });
  const passes = topic ? (await import("./filters.js")).within(topic) : null;
  await bundle.checkPath?.(topic);
  const said = bundle.manifest.questions;
  if (!said) return [];
  if (bundle.stemless) {
    const { language } = bundle.manifest;
    throw new InfographError("unknown", `questions are hashed by their stems: give a stemmer for ${language}`);
  }
  const known = await matchedChunks(bundle, question, distance ?? said.distance, remarks);
  const hits = await bundle.hits(Array.from(known, ([chunk, { match }]) => [chunk, match.similarity]), remarks); // prettier-ignore
  tell(bundle, hits, known);
  return hits.filter((hit) => hit && (!passes || passes(hit))).slice(0, limit);
}

/**
 * The chunks that are known to answer the query and that a filter allows, see `matchedChunks`.
 * @param {import("./bundle.js").Bundle} bundle
 */
export async function knownOf(bundle, query, remarks, allows) {
  const mended = Object.keys(remarks.corrected).length > 0; // by the look at the words
  const meant = mended ? (await import("./meant.js")).asMeant(query, remarks) : query;
  const known = await matchedChunks(bundle, meant, bundle.manifest.questions.distance, remarks);
  return new Map([...known].filter(([chunk]) => !allows || allows(chunk)));
}

/** A ranking by words in which known chunks gain what their cosines say. */
export function raised(ranked, known) {
  const scores = new Map(ranked);
  for (const [chunk, { gain }] of known) if (gain > 0) scores.set(chunk, (scores.get(chunk) ?? 0) + gain);
  const found = [...scores].sort(([a, x], [b, y]) => y - x || a - b);
  found.most = ranked.most;
  return found;
}

/** A ranking with the chunks that are said to answer a matched question before all others. */
export function pinned(ranked, known) {
  const own = new Map(ranked);
  const best = ranked[0]?.[1] ?? 0;
  const said = [...known].filter(([, { match }]) => match.similarity >= WRITTEN).slice(0, PINNED);
  const first = new Map(said.map(([chunk]) => [chunk, Math.max(best, own.get(chunk) ?? 0)]));
  return [...first, ...ranked.filter(([chunk]) => !first.has(chunk))];
}

/** Says of hits which question they are known to answer. */
export function tell(bundle, hits, known) {
  for (const hit of hits) {
    const found = hit && known.get(bundle.chunks.get(hit));
    if (found) hit.matched_question = found.match;
  }
}

/** The chunks that answer questions like this one, the nearest question first, and the best chunk of each first. */
export async function matchedChunks(bundle, question, most, remarks) {
  if (bundle.matched) return bundle.matched(question, most, remarks);
  const { shards, common, turning } = questionsOf(bundle.manifest);
  const asked = !bundle.stemless && isAsked(question, bundle.language);
  const keys = !asked ? [] : keysOf(question, bundle.language, new Set(common));
  if (!keys.length) return new Map();
  const [high, low] = questionHash(question, bundle.language, turning);
  const names = await Promise.all(keys.map((key) => bundle.nameOf(shards, key, remarks)));
  const found = new Map();
  for (const name of new Set(names)) {
    const shard = await bundle.available(name, remarks);
    if (!shard) continue;
    if (!sound(shard)) {
      remarks.missing[name] = "malformed: not rows of questions";
      continue;
    }
    for (const [hex, text, answers] of shard) {
      const distance = bits(parseInt(hex.slice(0, 8), 16) ^ high) + bits(parseInt(hex.slice(8), 16) ^ low);
      if (distance > most || !alike(question, text, bundle.language, turning)) continue;
      const cosines = answers.filter((_, i) => i % 3 === 2).map((value) => value / COSINE_SCALE);
      const floor = cosines.length > 1 ? Math.min(...cosines) : FLOOR;
      cosines.forEach((similarity, i) => {
        const chunk = answers[3 * i] * PAGE + answers[3 * i + 1];
        const one = { match: { text, distance, similarity }, gain: RAISE * Math.max(0, similarity - floor) };
        if (!found.has(chunk) || nearer(one, found.get(chunk)) < 0) found.set(chunk, one);
      });
    }
  }
  return new Map([...found].sort(([a, one], [b, other]) => nearer(one, other) || a - b));
}

/** What the manifest says of questions; an error where it is malformed. */
export function questionsOf({ questions }) {
  try {
    const { count, distance, shards, common = [], turning = {} } = questions;
    const lists = [common, ...Object.values(turning)];
    const numbers = whole([count], 1) && whole([distance], 0, 64);
    const texts = turning.constructor === Object && lists.every(Array.isArray) && areTexts(lists.flat());
    if (numbers && texts && isTable(shards)) return { shards, common, turning };
  } catch {} // a field is missing or of another kind
  throw new InfographError("broken", "_search/manifest.json: what it says of questions does not belong together");
}

export function nearer({ match: one }, { match: other }) {
  return one.distance - other.distance || other.similarity - one.similarity || compare(one.text, other.text);
}

function sound(shard) {
  const isRow = (row) => {
    const [hex, text, answers] = Array.isArray(row) && row.length === 3 ? row : [];
    if (!/^[0-9a-f]{16}$/.test(hex) || typeof text !== "string" || !Array.isArray(answers)) return false;
    const numbers = answers.every((value, i) => whole([i % 3 === 2 ? Math.abs(value) : value]));
    return numbers && answers.length % 3 === 0;
  };
  return Array.isArray(shard) && shard.every(isRow);
}

/** Whether a text may be a question: it has so many stems, or a stop word as questions have them, or their mark. */
function isAsked(question, { stem, stopWords }) {
  const words = said(question);
  const content = new Set(words.filter((word) => !stopWords.has(word)).map((word) => stem(word)));
  return content.size >= FEW || question.trimEnd().endsWith("?") || words.some((word) => stopWords.has(word));
}

/** Whether two questions of near hashes have so many words in common that they may be the same. */
function alike(question, other, language, turning) {
  const texts = [question, other];
  let [own, others] = texts.map((text) => new Set(stemsOf(text, language)));
  if (own.size < FEW || others.size < FEW) {
    const turns = new Set(Object.values(turning).flat()); // which the hashes have compared
    const words = (text) => said(text).filter((word) => !turns.has(word));
    [own, others] = texts.map((text) => new Set(words(text).map((word) => language.stem(word))));
  }
  const both = [...own].filter((word) => others.has(word)).length;
  return both >= ALIKE * (own.size + others.size - both);
}

/** The keys of a question: those of its stems whose hashes are the smallest, but for those that many questions have. */
export function keysOf(question, language, common) {
  const distinct = [...new Set(stemsOf(question, language))].sort(compare);
  if (distinct.length > MOST_STEMS) return [];
  const keys = smallest(distinct.filter((stem) => !common.has(stem)));
  const often = distinct.filter((stem) => common.has(stem));
  if (keys.length < KEYS && often.length) {
    let pairs = often.flatMap((a, i) => often.slice(i + 1).map((b) => `${a} ${b}`));
    if (!pairs.length) pairs = keys.length ? [] : often;
    keys.push(...smallest(pairs).slice(0, KEYS - keys.length));
  }
  return keys;
}

function smallest(keys) {
  const hashed = keys.map((key) => [hash32(`~${key}`), key]);
  return hashed.sort(([x, a], [y, b]) => x - y || compare(a, b)).slice(0, KEYS).map(([, key]) => key); // prettier-ignore
}

function said(question) {
  const text = question.replace(/(\p{M}{128})\p{M}+/gu, "$1").normalize("NFC").toLowerCase().replace(/['’]/g, "");
  return text.match(WORD) ?? [];
}

function stemsOf(question, { stem, stopWords }) {
  const words = said(question);
  const content = words.filter((word) => !stopWords.has(word));
  return (content.length ? content : words).map((word) => stem(word));
}

/**
 * High and low 32 bits of the SimHash; both 0 for a question without a letter or number.
 * @param {string} question
 * @param {import("./terms.js").Language} language
 * @param {Record<string, string[]>} turning groups of words that turn a question around, by name
 * @returns {[number, number]}
 */
export function questionHash(question, language, turning) {
  const stems = stemsOf(question, language);
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
  const half = (from) => sums.slice(from, from + 32).reduce((bits, sum, bit) => bits | (+(2 * sum > total) << bit), 0);
  if (!total) return [0, 0];
  const words = new Set(said(question));
  const groups = Object.entries(turning).filter(([, group]) => group.some((word) => words.has(word)));
  const turns = groups.map(([name]) => halves(featureHash(`~${name}`)));
  return [0, 1].map((i) => turns.reduce((value, turn) => value ^ turn[i], half(32 * i)) >>> 0);
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

/** How many bits of 32 are 1. */
function bits(value) {
  let count = 0;
  for (; value; value &= value - 1) count++;
  return count;
}
