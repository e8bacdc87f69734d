/**
 * What a search is narrowed to, as the client in Python takes it (infograph/search/format/filters.py has the grammar).
 * Loaded when it is asked for.
 */

import { compare } from "./order.js";
import { InfographError, isPlain } from "./site.js";

const [MOST_CONDITIONS, MOST_VALUES, MOST_DEPTH] = [64, 256, 8];
export const RANGES = ["gt", "gte", "lt", "lte"];

/**
 * A condition has a `field` and `values`, or `ranges`, or neither: any value will do.
 * @typedef {{field: string, values?: unknown[], ranges?: [string, unknown][]}} Condition
 * @typedef {Condition | {all: Node[]} | {any: Node[]} | {not: Node}} Node
 */

/** An error of a filter that is malformed, or that names what the site does not have. */
export function wrong(place, reason, hint = "") {
  const error = new InfographError("unknown", `${place}: ${reason}${hint && `. ${hint}`}`);
  return Object.assign(error, { place, reason, hint });
}

/** The conditions of a filter, from left to right. */
export function conditions(node) {
  if (node.not) return conditions(node.not);
  const parts = node.all ?? node.any;
  return parts ? parts.flatMap(conditions) : [node];
}

/** The test that hits must pass which lie below a folder, or are of a document; null where there is none. */
export function within(path) {
  const folder = path.split("/").filter((part) => part && part !== ".").join("/"); // people write `./guide/`
  return folder ? ({ page }) => page === folder || page.startsWith(`${folder}/`) : null;
}

/**
 * A filter as it is worked out; null for one that lets everything pass.
 * @returns {Node | null}
 */
export function parsed(given) {
  if (!given || !Object.keys(given).length) return null;
  const found = filter("filters", given, 1);
  const leaves = conditions(found);
  if (leaves.length > MOST_CONDITIONS) {
    throw wrong("filters", `${leaves.length} conditions, more than ${MOST_CONDITIONS}`, "Give fewer");
  }
  const values = leaves.reduce((sum, leaf) => sum + (leaf.values?.length ?? 0), 0);
  if (values > MOST_VALUES) throw wrong("filters", `${values} values, more than ${MOST_VALUES}`, "Give fewer");
  return found;
}

function filter(place, given, depth) {
  if (!isPlain(given)) throw refused(place, given, "fields with their values");
  checkDepth(depth);
  const parts = Object.entries(given).map(([name, value]) => {
    if (name === "not") return { not: filter(`${place}.not`, value, depth + 1) };
    if (name !== "any" && name !== "all") return condition(`${place}.${name}`, name, value, depth + 1);
    if (!Array.isArray(value)) throw refused(`${place}.${name}`, value, "a list of filters");
    return { [name]: value.map((own) => filter(`${place}.${name}`, own, depth + 1)) };
  });
  return { all: parts };
}

function condition(place, field, value, depth) {
  if (!isPlain(value)) return { field, values: listed(place, value) };
  checkDepth(depth);
  const [parts, ranges] = [[], []];
  for (const [key, own] of Object.entries(value)) {
    if (RANGES.includes(key)) {
      if (!isValue(own) || typeof own === "boolean") throw refused(`${place}.${key}`, own, "a number or a date");
      ranges.push([key, own]);
    } else if (key === "exists") {
      if (typeof own !== "boolean") throw refused(`${place}.exists`, own, "true or false");
      parts.push(own ? { field } : { not: { field } });
    } else if (key === "not") {
      parts.push({ not: condition(`${place}.not`, field, own, depth + 1) });
    } else {
      throw refused(place, key, `made of ${RANGES.join(", ")}, exists and not`);
    }
  }
  if (ranges.length) parts.push({ field, ranges });
  if (!parts.length) throw refused(place, value, "a value, a list of values or a condition");
  return parts.length === 1 ? parts[0] : { all: parts };
}

function checkDepth(depth) {
  if (depth > MOST_DEPTH) throw wrong("filters", `nested deeper than ${MOST_DEPTH}`, "Give a flatter one");
}

function listed(place, value) {
  const some = Array.isArray(value) ? value : [value];
  if (!some.every(isValue)) throw refused(place, value, "a text, a number, true or false, or a list of these");
  return some;
}

const isValue = (value) => typeof value === "string" || typeof value === "boolean" || Number.isFinite(value);

function refused(place, value, wanted) {
  return wrong(place, `has to be ${wanted}, not ${shown(value)}`);
}

/** A value in an error or a note. */
export function shown(value) {
  try {
    return [...(JSON.stringify(value) ?? String(value))].slice(0, 80).join("");
  } catch {
    return typeof value;
  }
}

/** The name that is the likeliest to be meant; empty where none is near: two letters, or a third, may differ. */
export function nearest(name, names) {
  const cut = [...name].slice(0, 80);
  let [best, found] = [cut.length, ""];
  for (const own of [...names].sort(compare)) {
    const edits = distance([...cut.join("").toLowerCase()], [...own.toLowerCase()]);
    if (edits < best) [best, found] = [edits, own];
  }
  return best <= Math.max(2, Math.floor(cut.length / 3)) ? found : "";
}

function distance(first, second) {
  const row = Array.from({ length: second.length + 1 }, (_, i) => i);
  first.forEach((letter, i) => {
    let before = row[0];
    row[0] = i + 1;
    second.forEach((other, j) => {
      const above = row[j + 1];
      row[j + 1] = Math.min(above + 1, row[j] + 1, before + (letter !== other));
      before = above;
    });
  });
  return row[second.length];
}
