/** The words of a site, from the dictionary of its search bundle: completion, stems for want of a stemmer. */

import { bare, formsOf, rowsOf } from "./dictionary.js";
import { compare } from "./order.js";
import { InfographError } from "./site.js";
import { COMPOUND, LONGEST_TERM, cut } from "./terms.js";

const NOTHING_ASKED = "the words of the query are too common, or too long, to search for";
const NO_WORDS = "the query has no words to search for";
/** Share of a word that stays through all inflection. */
const SHORTEST_STEM = 0.6;

/**
 * Words of the site that begin with a text, in the most chunks first, each with the number of chunks that have its term;
 * and the one that the text itself is a form of. Terms are stems: stemmers of many languages take marks away, and some
 * write another script.
 * @param {import("./bundle.js").Bundle} bundle
 */
export async function complete(bundle, prefix, { limit = 10 }, remarks) {
  const word = prefix.toLowerCase();
  if ([...word].length > LONGEST_TERM) return [];
  let rows = [];
  const [{ whole = "" } = {}] = cut(word, bundle.language);
  for (const begin of new Set([word, bare(word), whole])) {
    if (begin && !rows.length) rows = await between(bundle, begin, begin, remarks);
  }
  const stem = await stemOf(bundle, word, remarks);
  if (stem && !rows.includes(stem)) rows.push(stem);
  return rows
    .sort(([a, x], [b, y]) => y - x || compare(a, b))
    .slice(0, limit)
    .map((row) => {
      const forms = formsOf(row);
      return [forms.find((form) => form.startsWith(word)) ?? forms[0], row[1]];
    });
}

/** The term of the whole heading that a query of stop words and at most one other word is; empty for any other. */
export function headingTerm(query, language) {
  const { stem, elides } = language;
  let text = query.replace(/(\p{M}{128})\p{M}+/gu, "$1").normalize("NFKC").replaceAll("’", "'");
  if (elides) text = text.replaceAll("'", " ");
  const words = Array.from(text.matchAll(COMPOUND), ([compound]) => {
    const word = compound.replaceAll("'", "").toLowerCase().replaceAll("i\u0307", "i");
    return `:${/\p{Nd}/u.test(word) ? word : stem(word)}`;
  });
  const term = words.join("");
  const others = [...cut(query, language)].length;
  return others > 1 || words.length <= others || [...term].length > LONGEST_TERM ? "" : term;
}

/** Says why a query is not searched for. */
export function unsearchable(query, { notes }) {
  const common = /[\p{L}\p{N}]/u.test(query);
  notes.push(common ? NOTHING_ASKED : NO_WORDS);
}

/** The terms of a query in a language without its stemmer: each word as the longest term of the site that it begins with. */
export function stems(bundle, asked, remarks) {
  const { language } = bundle.manifest;
  remarks.notes.push(`no stemmer for ${JSON.stringify(language)} is at hand: words are matched by their beginnings`);
  const stem = async (word) => {
    return /\p{Nd}/u.test(word) ? word : ((await stemOf(bundle, word, remarks))?.[0] ?? word);
  };
  return Promise.all(
    asked.map(async ({ whole, parts, identifier }) => {
      return { whole: await stem(whole), parts: await Promise.all(parts.map(stem)), identifier };
    }),
  );
}

/** The row of the longest term of the site that a word begins with, or else the word without its marks. */
async function stemOf(bundle, word, remarks) {
  for (const whole of new Set([word, bare(word)])) {
    const shortest = whole.slice(0, Math.max(3, Math.ceil(whole.length * SHORTEST_STEM)));
    const rows = whole.length < 3 ? [] : await between(bundle, shortest, whole, remarks);
    const found = rows.filter(([term]) => whole.startsWith(term)).at(-1);
    if (found) return found;
  }
  return undefined;
}

/** Rows [term, chunks, endings] that begin with `first`, from there up to those that begin with `last`. */
async function between(bundle, first, last, remarks) {
  const files = (await rowsOf(bundle, bundle.manifest.dictionary?.directory, "string", remarks)).filter(
    ([begin], i, rows) => {
      const next = rows[i + 1]?.[0];
      if (compare(begin.slice(0, last.length), last) > 0) return false;
      return next === undefined || compare(next.slice(0, first.length), first) >= 0;
    },
  );
  const lists = await Promise.all(files.map(([, name]) => rowsOf(bundle, name, "number", remarks)));
  return lists.flat().filter(([term, chunks]) => chunks && term.startsWith(first));
}

/**
 * Refuses an answer without hits where files cannot be read that have words or sections, or by which a slip is mended or a
 * filter decides: then it is not known that the site has nothing. Those of links, vectors and known questions are noted;
 * so is a path below which there is nothing.
 */
export function unfound({ total, missing, notes }, { limit, offset, undecided, passes }) {
  if (!undecided && (!limit || (offset && total))) return;
  const lost = Object.keys(missing).filter((name) => undecided || !/(?:^|\/)[lvmfq]-[^/]*$/.test(name));
  if (!lost.length) {
    if (passes && !notes.includes(NO_WORDS) && !notes.includes(NOTHING_ASKED)) notes.push("nothing that was found lies below the path");
    return;
  }
  const more = lost[1] ? `, nor can ${lost.length - 1} more` : "";
  const reason = `cannot be read (${missing[lost[0]]})${more}`;
  const hint = "Nothing was found without them, which does not say that there is nothing: try again";
  const file = lost[0].includes("/") ? lost[0] : `_search/${lost[0]}`;
  throw new InfographError("missing", `${file}: ${reason}. ${hint}`);
}
