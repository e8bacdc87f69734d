/** Slips of the pen: what infograph's `search/slips.py` says of them, in the same order. */

import { compare } from "./order.js";
import { rowsOf } from "./rows.js";
import { cut } from "./terms.js";

/** How many times more likely a letter is to be left out, or swapped with the next, than to be one certain wrong one. */
const LIKELY = 25;
/** Letters of a word that is taken for a slip: a shorter one is seldom one, and next to everything. */
const SHORTEST = 4;
/** Letters of a word that is taken for a slip: of a longer one there are thousands of forms to stem. */
const LONGEST = 32;
/** Whatever a manifest says. */
const LETTERS = 64;
/** Words of a query. */
const MOST_CORRECTED = 8;

/**
 * What the site has that a word may be a slip of.
 * @typedef {{weight: number, form: string, term: string, chunks: number}} Near
 *     form: one edit away from the word; term: its stem; chunks: that have the term, 0 for a stop word
 */

/**
 * Terms of the site that a word may be a slip of, the likeliest first, each with its number of chunks. The word is
 * written as that of a query would be; of several, the last one.
 * @param {import("./bundle.js").Bundle} bundle
 */
export async function correct(bundle, word, { limit = 5 }, remarks) {
  const wholes = [...cut(word, { ...bundle.language, stem: String, stopWords: new Set() })].map(({ whole }) => whole);
  const words = wholes.filter((whole) => [...whole].length > 1).slice(-1);
  const found = await near(bundle, words, remarks);
  const rows = (found.get(words[0]) ?? []).filter(({ chunks }) => chunks);
  return rows.map(({ term, chunks }) => [term, chunks]).slice(0, limit);
}

/**
 * The terms of a query, with the best candidate in place of each word that is not known and has one: of a compound as
 * a whole, or else of its parts. The remarks say which.
 * @param {import("./bundle.js").Bundle} bundle
 * @param {import("./terms.js").Terms[]} asked
 * @param {{has(term: string): boolean}} known
 */
export async function corrected(bundle, query, asked, known, remarks) {
  const { stem } = bundle.language;
  const written = new Map();
  for (const { whole, parts } of cut(query, { ...bundle.language, stem: (word) => word })) {
    for (const word of [whole, ...parts]) {
      const { length } = [...word];
      if (length >= SHORTEST && length <= LONGEST && !/\p{Nd}/u.test(word)) written.set(stem(word), word);
    }
  }
  const isUnknown = ({ whole, parts }) =>
    !known.has(whole) && !(parts.length ? parts : [whole]).every((term) => known.has(term));
  const words = asked
    .filter(isUnknown)
    .flatMap(({ whole, parts }) => [whole, ...parts])
    .filter((term) => written.has(term) && !known.has(term))
    .map((term) => written.get(term));
  const found = await near(bundle, [...new Set(words)].slice(0, MOST_CORRECTED), remarks);
  /** The best candidate, or nothing where that is a stop word. */
  const mended = (term) => {
    const word = written.get(term);
    const [best] = found.get(word) ?? [];
    if (!best?.chunks) return "";
    remarks.corrected[word] = best.form;
    return best.term;
  };
  return asked.map((terms) => {
    if (!isUnknown(terms)) return terms;
    const whole = mended(terms.whole);
    return whole ? { whole, parts: [] } : { ...terms, parts: terms.parts.map((part) => mended(part) || part) };
  });
}

/**
 * The candidates of each word, best first. Stop words are among them: taken to be in every chunk, if likely.
 * @returns {Promise<Map<string, Near[]>>}
 */
async function near(bundle, words, remarks) {
  const { manifest, language } = bundle;
  const { directory, backwards, letters } = manifest.dictionary ?? {};
  if (!words.length || !backwards) return new Map();
  const lists = await Promise.all([directory, backwards].map((name) => rowsOf(bundle, name, "string", remarks)));
  const forms = new Map(words.map((word) => [word, edited([...word], [...letters].slice(0, LETTERS), language.stem)]));
  const all = [...forms.values()].flat();
  const files = [
    filesOf(lists[0], all.filter(({ late }) => late).map(({ term }) => term)),
    filesOf(lists[1], all.filter(({ late }) => !late).map(({ term }) => turned(term))),
  ];
  const [forwards, back] = await Promise.all(
    files.map(async (names) => (await Promise.all(names.map((name) => rowsOf(bundle, name, "number", remarks)))).flat()),
  );
  const counts = new Map([...forwards, ...back.map(([term, count]) => [turned(term), count])]);

  const found = new Map();
  for (const [word, list] of forms) {
    const best = new Map();
    const own = language.stem(word);
    for (const { form, term, likely } of list) {
      const common = language.stopWords.has(form);
      const chunks = common ? 0 : (counts.get(term) ?? 0);
      const times = likely ? LIKELY : +!common;
      const weight = (times * (common ? manifest.chunks : chunks) * [...term].length ** 2) / [...form].length ** 2;
      if (weight > 0 && term !== own && !(best.get(term)?.weight >= weight)) best.set(term, { weight, form, term, chunks });
    }
    found.set(word, [...best.values()].sort((a, b) => b.weight - a.weight || compare(a.term, b.term)));
  }
  return found;
}

/** What one edit makes of a word: whether its second half stays, and whether the edit mends a likely slip. */
function edited(word, letters, stem) {
  const seen = new Set([word.join("")]);
  const found = [];
  for (let at = 0; at <= word.length; at++) {
    const [head, tail] = [word.slice(0, at).join(""), word.slice(at)];
    const add = (middle, rest, likely) => {
      const form = head + middle + tail.slice(rest).join("");
      if (seen.has(form)) return;
      seen.add(form);
      found.push({ form, term: stem(form), late: at >= word.length >> 1, likely });
    };
    if (tail.length > 1) add(tail[1] + tail[0], 2, true);
    for (const letter of letters) add(letter, 0, true);
    if (tail.length) add("", 1, false);
    for (const letter of tail.length ? letters : []) add(letter, 1, false);
  }
  return found;
}

/** The files that terms are in, if any file has them. */
function filesOf(directory, terms) {
  const names = new Set();
  for (const term of terms) {
    let [low, high] = [0, directory.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (compare(directory[middle][0], term) > 0) high = middle;
      else low = middle + 1;
    }
    if (low) names.add(directory[low - 1][1]);
  }
  return [...names];
}

function turned(term) {
  return [...term].reverse().join("");
}
