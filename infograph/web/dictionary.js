/** The rows of the dictionary of a search bundle. */

/** Rows of a text, a value of a type, and perhaps another text; none where the file has others, or cannot be had. */
export async function rowsOf(bundle, name, type, remarks) {
  const rows = (await bundle.available(name, remarks)) ?? [];
  const kinds = ["string", type, "string"];
  const sound = (row) => Array.isArray(row) && kinds.every((kind, i) => typeof [...row, ""][i] === kind);
  if (Array.isArray(rows) && rows.every(sound)) return rows;
  remarks.missing[name] = "not rows of a dictionary";
  return [];
}

/** Letters that are no others with marks, as those write them who have no key for them. */
export const APART = { ß: "ss", æ: "ae", œ: "oe", ø: "o", đ: "d", ł: "l", ı: "i" };

/** Without marks, and with `APART`, as many stemmers leave a word. */
export function bare(word) {
  const unmarked = word.normalize("NFD").replace(/\p{M}/gu, "");
  return unmarked.replace(/[ßæœøđłı]/g, (letter) => APART[letter]);
}

/**
 * What the site writes a term as, the most frequent first: what is to be put in place of its end, after how many
 * characters are to be taken away.
 */
export function formsOf([term, , endings = ""]) {
  const characters = [...term];
  return endings.split(" ").map((ending) => {
    const [, away, rest] = /^([0-9]{0,2})(.*)/s.exec(ending);
    return characters.slice(0, Math.max(0, characters.length - away)).join("") + rest;
  });
}
