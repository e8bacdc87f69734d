/** The words of a site, from the dictionary of its search bundle: completion, stems for want of a stemmer. */

import { compare } from "./order.js";
import { rowsOf } from "./rows.js";

/** Share of a word that stays through all inflection. */
const SHORTEST_STEM = 0.6;

/**
 * Terms of the site that begin with a text, in the most chunks first, each with its number of chunks; and the one that
 * the text itself is a form of, for terms are stems.
 * @param {import("./bundle.js").Bundle} bundle
 */
export async function complete(bundle, prefix, { limit = 10 }, remarks) {
  const word = prefix.toLowerCase();
  let rows = word ? await between(bundle, word, word, remarks) : [];
  const bare = word.normalize("NFD").replace(/\p{M}/gu, "").replaceAll("ß", "ss");
  if (!rows.length && bare !== word) rows = await between(bundle, bare, bare, remarks); // stemmers take marks away
  const stem = await stemOf(bundle, word, remarks);
  return mostFirst([...new Map(stem ? [...rows, stem] : rows)], limit);
}

/** Says why a query is not searched for, if it has words. */
export function unsearchable(query, { notes }) {
  if (/[\p{L}\p{N}]/u.test(query)) notes.push("the words of the query are too common, or too long, to search for");
}

/** The terms of a query in a language without its stemmer: each word as the longest term of the site that it begins with. */
export function stems(bundle, asked, remarks) {
  const { language } = bundle.manifest;
  remarks.notes.push(`no stemmer for ${JSON.stringify(language)} is at hand: words are matched by their beginnings`);
  const stem = async (word) => {
    return /\p{Nd}/u.test(word) ? word : ((await stemOf(bundle, word, remarks))?.[0] ?? word);
  };
  return Promise.all(
    asked.map(async ({ whole, parts }) => ({ whole: await stem(whole), parts: await Promise.all(parts.map(stem)) })),
  );
}

/** The row of the longest term of the site that a word begins with. */
async function stemOf(bundle, word, remarks) {
  if (word.length < 3) return undefined;
  const shortest = word.slice(0, Math.max(3, Math.ceil(word.length * SHORTEST_STEM)));
  return (await between(bundle, shortest, word, remarks)).filter(([term]) => word.startsWith(term)).at(-1);
}

/** Rows [term, chunks] that begin with `first`, from there up to those that begin with `last`. */
async function between(bundle, first, last, remarks) {
  const files = (await rowsOf(bundle, bundle.manifest.dictionary?.directory, "string", remarks)).filter(
    ([begin], i, rows) => {
      const next = rows[i + 1]?.[0];
      if (compare(begin.slice(0, last.length), last) > 0) return false;
      return next === undefined || compare(next.slice(0, first.length), first) >= 0;
    },
  );
  const lists = await Promise.all(files.map(([, name]) => rowsOf(bundle, name, "number", remarks)));
  return lists.flat().filter(([term]) => term.startsWith(first));
}

function mostFirst(rows, limit) {
  return rows.sort(([a, x], [b, y]) => y - x || compare(a, b)).slice(0, limit);
}
