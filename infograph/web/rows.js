/** What the files of a dictionary hold. In a file of its own: slips of the pen need no more of `words.js`. */

/** Pairs of a text and a value of a type; none where the file has others, or cannot be had. */
export async function rowsOf(bundle, name, type, remarks) {
  const rows = (await bundle.available(name, remarks)) ?? [];
  const sound = (row) => Array.isArray(row) && typeof row[0] === "string" && typeof row[1] === type;
  if (Array.isArray(rows) && rows.every(sound)) return rows;
  remarks.missing[name] = "not rows of a dictionary";
  return [];
}
