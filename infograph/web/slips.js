/** Slips of the pen: what infograph's `search/reading/slips.py` says of them, in the same order. */

import { APART, bare, formsOf, rowsOf } from "./dictionary.js";
import { compare } from "./order.js";
import { isKnown } from "./ranking.js";
import { cut } from "./terms.js";

/** How many times more likely a letter is to be left out, or swapped with the next, than to be one certain wrong one. */
const LIKELY = 25;
/** How often a word counts that differs in nothing but marks: more than any number of chunks. */
const MARKED = 2 ** 40;
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
 *     form: as the site writes it; term: its stem; chunks: that have it, 0 for a stop word and for the word itself
 */

/**
 * Words of the site that a word may be a slip of, the likeliest first, each with the chunks that have its term. The word
 * is written as that of a query would be; of several, the last one.
 * @param {import("./bundle.js").Bundle} bundle
 */
export async function correct(bundle, word, { limit = 5 }, remarks) {
  const wholes = [...cut(word, { ...bundle.language, stem: String, stopWords: new Set() })].map(({ whole }) => whole);
  const words = wholes.filter((whole) => [...whole].length > 1).slice(-1);
  const found = await near(bundle, words, remarks);
  const rows = (found.get(words[0]) ?? []).filter(({ chunks }) => chunks);
  return rows.map(({ form, chunks }) => [form, chunks]).slice(0, limit);
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
  for (const { whole, parts } of cut(query, { ...bundle.language, stem: String })) {
    for (const word of [whole, ...parts]) {
      const { length } = [...word];
      if (length >= SHORTEST && length <= LONGEST && !/\p{Nd}/u.test(word)) {
        const term = stem(word);
        written.set(term, [...(written.get(term) ?? []), word]);
      }
    }
  }
  const isUnknown = (terms) => !isKnown(terms, known);
  const words = asked
    .filter(isUnknown)
    .flatMap(({ whole, parts }) => [whole, ...parts])
    .flatMap((term) => (known.has(term) ? [] : (written.get(term) ?? [])));
  const found = await near(bundle, [...new Set(words)].slice(0, MOST_CORRECTED), remarks);
  /** The best candidate of the first word of this stem that has one which is another word of the site, if any. */
  const mended = (term) => {
    for (const word of written.get(term) ?? []) {
      const [best] = found.get(word) ?? [];
      if (best?.chunks) {
        remarks.corrected[word] = best.form;
        return best.term;
      }
    }
    return "";
  };
  return asked.map((terms) => {
    if (!isUnknown(terms)) return terms;
    const whole = mended(terms.whole);
    return whole ? { whole, parts: [] } : { ...terms, parts: terms.parts.map((part) => mended(part) || part) };
  });
}

/**
 * The candidates of each word, best first. Stop words are among them, taken to be in every chunk, and the word itself,
 * where it is one of the language.
 * @returns {Promise<Map<string, Near[]>>}
 */
async function near(bundle, words, remarks) {
  const { manifest, language } = bundle;
  const { directory, backwards, letters = "" } = manifest.dictionary ?? {};
  if (!words.length || !backwards) return new Map();
  const lists = await Promise.all([directory, backwards].map((name) => rowsOf(bundle, name, "string", remarks)));
  const edits = new Map(words.map((word) => [word, edited([...word], [...letters].slice(0, LETTERS))]));
  const [late, early] = [words.map(language.stem), []];
  for (const list of edits.values()) {
    for (const [form, { after, before }] of list) {
      const term = language.stem(form);
      if (after) late.push(term);
      if (before) early.push(turned(term));
    }
  }
  const [forwards, back] = await Promise.all(
    [filesOf(lists[0], late), filesOf(lists[1], early)].map(async (names) =>
      (await Promise.all(names.map((name) => rowsOf(bundle, name, "number", remarks)))).flat(),
    ),
  );
  const rows = [...forwards, ...back.map(([term, ...rest]) => [turned(term), ...rest])];
  const known = rows.flatMap((row) => formsOf(row).map((form, place) => ({ form, plain: bare(form), place, row })));

  const found = new Map();
  for (const [word, list] of edits) {
    const [own, unmarked] = [language.stem(word), bare(word)];
    const all = [];
    const add = (weight, form, term, chunks) => all.push({ weight, form, term, chunks });
    for (const form of language.stopWords) {
      if (list.has(form)) add(list.get(form).times * manifest.chunks, form, form, 0);
    }
    for (const { form, plain, place, row } of known) {
      const [term, chunks, endings] = row;
      const times = plain === unmarked ? MARKED : list.get(form)?.times;
      if (chunks || !endings ? term === own : form === word) add(LIKELY * manifest.chunks + 1, word, own, 0);
      else if (times && chunks && !language.stopWords.has(form)) add((times * chunks) / (1 + place), form, term, chunks);
    }
    all.sort((a, b) => b.weight - a.weight || compare(a.term, b.term) || compare(a.form, b.form));
    const seen = new Set();
    found.set(word, all.filter(({ term }) => !seen.has(term) && seen.add(term)));
  }
  return found;
}

/**
 * What one edit makes of a word: how often a word so near counts, and whether the dictionary has it beside the word, and
 * that which is written backwards.
 */
function edited(word, letters) {
  const found = new Map();
  const whole = word.join("");
  const unmarked = bare(whole);
  const half = word.length >> 1;
  for (let at = 0; at <= word.length; at++) {
    const [head, tail] = [word.slice(0, at).join(""), word.slice(at)];
    const add = (middle, rest, times) => {
      const form = head + middle + tail.slice(rest).join("");
      if (form === whole || found.has(form)) return;
      const marks = bare(form) === unmarked; // there may be more of them that are missing
      const after = at >= half || (marks && at > 0);
      found.set(form, { times, after, before: at < half || (marks && at < word.length - 1) });
    };
    if (tail.length > 1) add(tail[1] + tail[0], 2, LIKELY);
    for (const letter of letters) add(letter, 0, LIKELY);
    if (tail.length) add("", 1, 1);
    for (const letter of tail.length ? letters : []) add(letter, 1, 1);
    const two = tail.slice(0, 2).join("");
    for (const letter of two.length > 1 ? letters : []) if (APART[letter] === two) add(letter, 2, LIKELY);
    if (APART[tail[0]]?.length > 1) add(APART[tail[0]], 1, LIKELY);
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
