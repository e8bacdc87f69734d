/** Cuts a query into terms, exactly as the index was: "Terms" on the page "Search bundle" of the guide. */

export const LONGEST_TERM = 64;
const MOST_PARTS = 8;

/** Thai and Lao, Burmese, Khmer, Japanese kana, Han, Hangul: written without spaces. */
export const UNSPACED =
  /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\u{20000}-\u{3ffff}]+/gu;
export const COMPOUND = /[\p{L}\p{M}\p{N}_]+(?:(?:[.'-]|::)[\p{L}\p{M}\p{N}_]+)*/gu;
const JOINT = /[._-]+|::/;
export const HUMP = /(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z]{2})/;

/**
 * @typedef {{stem: (word: string) => string, stopWords: Set<string>, elides?: boolean}} Language
 *     elides: an apostrophe separates words: l'eau, dell'acqua
 * @typedef {{whole: string, parts: string[], identifier?: boolean}} Terms  what a word or compound gives; one of the two
 *     may be empty. An identifier is joined by anything but hyphens
 */

/**
 * The terms of a text, in its order.
 * @param {string} text
 * @param {Language} language
 * @returns {Generator<Terms>}
 */
export function* cut(text, language) {
  text = text.replace(/(\p{M}{128})\p{M}+/gu, "$1").normalize("NFKC").replaceAll("’", "'");
  let start = 0;
  for (const run of text.matchAll(UNSPACED)) {
    yield* spaced(text.slice(start, run.index), language);
    const characters = [...run[0]];
    for (let i = 0; i < Math.max(1, characters.length - 1); i++) {
      yield { whole: characters.slice(i, i + 2).join(""), parts: [] };
    }
    start = run.index + run[0].length;
  }
  yield* spaced(text.slice(start), language);
}

function* spaced(text, language) {
  if (language.elides) text = text.replaceAll("'", " ");
  for (const [compound] of text.matchAll(COMPOUND)) {
    const terms = termsOf(compound, language);
    if (terms.whole || terms.parts.length) yield terms;
  }
}

function termsOf(compound, language) {
  const bare = compound.replace(/'[sS]$/, "").replaceAll("'", "");
  const words = bare
    .split(JOINT)
    .filter(Boolean)
    .map((word) => word.split(HUMP));
  const pieces = words.flat();
  if (pieces.length === 1) return { whole: simple(pieces[0], language), parts: [] };
  const parts = [];
  for (const word of words) {
    if (word.length > 1 && word.length < pieces.length) parts.push(joined(word, language));
    parts.push(...word.filter((piece) => longer(piece, 1)).map((piece) => simple(piece, language)));
  }
  return { whole: joined(pieces, language), parts: parts.filter(Boolean), identifier: !compound.includes("-") };
}

function joined(pieces, language) {
  const whole = lower(pieces.join(""));
  const isTerm = pieces.length >= 2 && pieces.length <= MOST_PARTS && !longer(whole, LONGEST_TERM);
  return isTerm ? stemmed(whole, language) : "";
}

/** The dotted capital of Turkish as the small letter that is typed, not as `i` and a dot. */
function lower(text) {
  return text.toLowerCase().replaceAll("i\u0307", "i");
}

function simple(piece, language) {
  const word = lower(piece);
  return language.stopWords.has(word) || longer(word, LONGEST_TERM) ? "" : stemmed(word, language);
}

function stemmed(word, language) {
  return /\p{Nd}/u.test(word) ? word : language.stem(word);
}

/** Whether a text has more than so many characters; a character may be two of JavaScript's. */
function longer(text, most) {
  return text.length > most && (text.length > 2 * most || [...text].length > most);
}
