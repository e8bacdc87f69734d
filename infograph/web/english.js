/**
 * The Snowball stemmer for English (Porter 2) as of Snowball 3.1, https://snowballstem.org/algorithms/english/stemmer.html
 *
 * For lower-case words without apostrophes, which is what search terms and question hashes are made of.
 * R1 is what follows the first consonant after a vowel, R2 the same within R1. Until the end, `Y` is a consonant.
 */

const pairs = (text) => new Map(text.match(/\S+ \S+/g).map((pair) => pair.split(" ")));
const EXCEPTIONS = pairs("early earli gently gentl idly idl only onli singly singl skies sky skis ski ugly ugli");
for (const word of "andes atlas bias cosmos howe news sky".split(" ")) EXCEPTIONS.set(word, word);

const REGION = /[aeiouy][^aeiouy]/;
/** Beginnings after which R1 starts wherever their vowels are. */
const REGION_PREFIX = /^(?:arsen|commun|emerg|gener|inter|later|organ|past|univers)/;
const SHORT_END = /[^aeiouy][aeiouy][^aeiouywxY]$|^[aeiouy][^aeiouy]$|past$/;

/** Each suffix with what stands in its place, the longest first; in R1. */
const STEP_2 = suffixes(
  "ization ize ational ate fulness ful ousness ous iveness ive tional tion biliti ble lessli less " +
    "entli ent ation ate alism al aliti al ousli ous iviti ive fulli ful ogist og " +
    "enci ence anci ance abli able izer ize ator ate alli al bli ble",
);
const STEP_3 = suffixes("ational ate tional tion alize al icate ic iciti ic ical ic");
const STEP_4 = /(?:ement|ance|ence|able|ible|ment|ant|ent|ism|ate|iti|ous|ive|ize|ic|al|er|(?<=[st])ion)$/;

function suffixes(text) {
  const to = pairs(text);
  return { to, pattern: new RegExp(`(?:${[...to.keys()].join("|")})$`) };
}

/** @param {string} word in lower case */
export function stemEnglish(word) {
  if (word.length < 3) return word;
  const exception = EXCEPTIONS.get(word);
  if (exception) return exception;
  word = word.replace(/^y/, "Y").replace(/([aeiouy])y/g, "$1Y");
  const r1 = REGION_PREFIX.exec(word)?.[0].length ?? after(word, 0);
  const r2 = after(word, r1);

  word = step1b(step1a(word), r1).replace(/(?<=.[^aeiouy])[yY]$/, "i");
  word = replaced(word, STEP_2, r1, (rest) =>
    ending(rest, /(?<=l)ogi$/, r1)
      ? rest.slice(0, -1)
      : ending(rest, /(?<=[cdeghkmnrt])li$/, r1)
        ? rest.slice(0, -2)
        : rest,
  );
  word = replaced(word, STEP_3, r1, (rest) => {
    if (ending(rest, /ative$/, r1)) return ending(rest, /ative$/, r2) ? rest.slice(0, -5) : rest;
    return ending(rest, /(?:ful|ness)$/, r1) ? rest.replace(/(?:ful|ness)$/, "") : rest;
  });
  if (ending(word, STEP_4, r2)) word = word.replace(STEP_4, "");
  word = step5(word, r1, r2);
  return word.replaceAll("Y", "y");
}

/** Where the next region begins. */
function after(word, start) {
  const found = REGION.exec(word.slice(start));
  return found ? start + found.index + 2 : word.length;
}

/** Whether the word ends so, and the ending lies in the region. */
function ending(word, pattern, region) {
  const found = pattern.exec(word);
  return found !== null && found.index >= region;
}

/** The longest suffix of a step replaced, where it lies in the region; `otherwise` for a word with none of them. */
function replaced(word, { to, pattern }, region, otherwise) {
  const found = pattern.exec(word);
  if (!found) return otherwise(word);
  return found.index >= region ? word.slice(0, found.index) + to.get(found[0]) : word;
}

/** Plurals. */
function step1a(word) {
  if (word.endsWith("sses")) return word.slice(0, -2);
  if (/ie[sd]$/.test(word)) return word.slice(0, word.length > 4 ? -2 : -1);
  return /[aeiouy].+(?<![us])s$/.test(word) ? word.slice(0, -1) : word;
}

/** Past tenses and participles. */
function step1b(word, r1) {
  const [suffix] = /(?:eedly|ingly|edly|eed|ing|ed)$/.exec(word) ?? [""];
  const stem = word.slice(0, word.length - suffix.length);
  if (suffix.startsWith("eed")) return stem.length < r1 || /^(?:succ|proc|exc)$/.test(stem) ? word : `${stem}ee`;
  if (suffix === "ing") {
    if (/^[^aeiouy]y$/.test(stem)) return `${stem[0]}ie`;
    if (/^(?:even|cann|inn|earr|herr|out)$/.test(stem)) return word;
  }
  if (!suffix || !/[aeiouy]/.test(stem)) return word;
  if (/(?:at|bl|iz)$/.test(stem)) return `${stem}e`;
  if (/([bdfgmnprt])\1$/.test(stem)) return /^[aeo]..$/.test(stem) ? stem : stem.slice(0, -1);
  return stem.length === r1 && SHORT_END.test(stem) ? `${stem}e` : stem;
}

function step5(word, r1, r2) {
  const stem = word.slice(0, -1);
  if (word.endsWith("e")) return stem.length >= r2 || (stem.length >= r1 && !SHORT_END.test(stem)) ? stem : word;
  return word.endsWith("ll") && stem.length >= r2 ? stem : word;
}
