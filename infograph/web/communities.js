/** Global search: the communities of entities that a question is about (infograph/search/reading/communities.py). */

import { whole } from "./site.js";
import { cut } from "./terms.js";
import { graphOf } from "./walk.js";

/**
 * @param {import("./bundle.js").Bundle} bundle
 * @param {string} query
 * @param {{limit?: number}} options
 */
export async function communities(bundle, query, { limit = 10 }, remarks) {
  const { table } = (await graphOf(bundle, remarks)) ?? {};
  if (!table) return [];
  const rows = rowsOf(table, (await bundle.available(table, remarks)) ?? [], remarks);
  if (!/[\p{L}\p{N}]/u.test(query)) return rows.slice(0, limit);
  const { k1, b } = bundle.manifest.bm25;
  const termsOf = (text) => [...cut(text, bundle.language)].flatMap(({ whole, parts }) => [whole, ...parts]).filter(Boolean);
  const texts = rows.map(({ keywords, sentences }) => counted(termsOf([...keywords, ...sentences].join("\n"))));
  const lengths = texts.map((counts) => [...counts.values()].reduce((sum, count) => sum + count, 0));
  const average = Math.max(1, lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length));
  for (const term of new Set(termsOf(query))) {
    const df = texts.filter((counts) => counts.has(term)).length;
    const rarity = Math.log(1 + (rows.length - df + 0.5) / (df + 0.5));
    rows.forEach((row, i) => {
      const count = texts[i].get(term);
      if (count) row.score += rarity * ((count * (k1 + 1)) / (count + k1 * (1 - b + (b * lengths[i]) / average)));
    });
  }
  return rows.filter(({ score }) => score > 0).sort((x, y) => y.score - x.score).slice(0, limit);
}

function counted(terms) {
  const counts = new Map();
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  return counts;
}

function rowsOf(name, found, remarks) {
  try {
    return found.map((row) => {
      const [file, level, , size, title, keywords, sentences, , enriched_by = ""] = row;
      const sound = [file, title, ...keywords, ...sentences, enriched_by].every((text) => typeof text === "string");
      if (row.length < 8 || row.length > 9 || !sound || !whole([level, size])) throw new TypeError("a value is of another kind");
      const [id] = file.split("."); // with --out a version follows
      return { id, title, level, size, keywords, sentences, href: `_graph/c-${file}.json`, score: 0, enriched_by };
    });
  } catch ({ message }) {
    remarks.missing[name] = `not rows of communities: ${message}`;
    return [];
  }
}
