/**
 * Which chunks a filter allows, from the columns of its fields: before anything is ranked. Fields of hits that have no
 * column are looked at when a hit has been read. And facets, which count the values of the chunks that are ranked.
 */

import { ChunkSet, countNames, directoryOf, namesIn, numbersIn, textsIn } from "./columns.js";
import { Cursor } from "./bytes.js";
import { conditions, nearest, shown, wrong } from "./filters.js";
import { compare } from "./order.js";

const HIT_TEXTS = ["page", "page_title", "page_url", "title", "section_path", "anchor", "href", "sha256"];
const OF_HITS = new Map([...HIT_TEXTS.map((name) => [name, "text"]), ["index", "number"], ["tokens", "number"]]);
/** Decay of freshness a day; days since what has none at all; milliseconds of a day. */
const [DECAY, NEVER, DAY] = [0.01, -1e9, 86_400_000];
/** Values of a field that can be counted, and that an answer shows. */
const [MOST_COUNTED, FACET_VALUES] = [1000, 20];
const CURTAILED = "a word of the query stands in more chunks than the index lists: others may pass the filter, too";
export const BY_COLUMNS_ALONE = "facets count chunks outside of `path`, too, and those that fields of hits would keep out";

/**
 * How a search goes once its filter is worked out: `allows` and `passes` say which chunks and which hits may be in the
 * answer (null: any), `count` gives the facets, `fewer` says what it means that lists are cut, `absent` has the values that
 * no chunk has (with the most frequent ones), `alone` says whether facets count what does not pass. Null where a file is
 * missing that decides it, as the remarks then say.
 * @param {import("./bundle.js").Bundle} bundle
 * @param {{filter: import("./filters.js").Node | null, facets: string[], below: ((hit: object) => boolean) | null}} asked
 */
export async function narrowed(bundle, { filter, facets, below }, remarks) {
  const columns = await directory(bundle, remarks);
  if (!columns) return null;
  let [allows, passes] = [null, below];
  const absent = new Map();
  if (filter) {
    const node = { all: filter.all.map((part) => withDates(part, Date.now())) };
    const tests = await testsOf(bundle, columns, node, remarks, absent);
    if (!tests) return null;
    const isBefore = (part) => conditions(part).every((own) => tests.has(own));
    const [before, after] = [node.all.filter(isBefore), node.all.filter((part) => !isBefore(part))];
    if (before.length) allows = (chunk) => holds({ all: before }, chunk, null, tests);
    if (after.length) {
      const own = (hit) => holds({ all: after }, bundle.chunks.get(hit), hit, tests);
      passes = below ? (hit) => below(hit) && own(hit) : own;
    }
  }
  const counted = new Map();
  for (const name of new Set(facets)) {
    const sets = await allValues(bundle, columnOf(name, columns), remarks);
    if (!sets) return null;
    counted.set(name, sets);
  }
  const notes = Array.from(absent.values(), ({ note, frequent }) => `${note}; the most frequent: ${frequent}`);
  remarks.notes.push(...new Set(notes));
  const alone = Boolean(facets.length && passes);
  if (alone) remarks.notes.push(BY_COLUMNS_ALONE);
  const count = (chunks, most) => Object.fromEntries([...counted].map(([name, sets]) => [name, counts(sets, chunks, most)]));
  return { allows, passes, count, fewer: CURTAILED, absent, alone };
}

/** What the site says of its fields, by name; null where it cannot be had. */
async function directory(bundle, remarks) {
  const { fields: name = "" } = bundle.manifest;
  if (!name) return new Map();
  const value = await bundle.available(name, remarks);
  try {
    return value && directoryOf(value);
  } catch ({ message }) {
    remarks.missing[name] = `no directory of fields: ${message}`;
    return null;
  }
}

function withDates(node, now) {
  if (node.not) return { not: withDates(node.not, now) };
  if (node.all) return { all: node.all.map((part) => withDates(part, now)) };
  if (node.any) return { any: node.any.map((part) => withDates(part, now)) };
  const { field, values, ranges } = node;
  if (field !== "freshness") return node;
  if (values) throw wrong("filters.freshness", "is compared in ranges only: gt, gte, lt, lte");
  return { field: "created_at", ranges: ranges?.map(([how, bound]) => [how, dayOfFreshness(bound, now)]) };
}

/** The day since 1970-01-01, and parts of one, on which what has a freshness now was created. */
function dayOfFreshness(bound, now) {
  const value = typeof bound === "string" ? numberOf(bound) : bound;
  if (typeof value !== "number") throw wrong("filters.freshness", `has to be a number, not ${shown(bound)}`);
  return { day: Math.floor(now / DAY) + (value > 0 ? Math.log(value) / DECAY : NEVER) };
}

/** What each condition that a column decides makes of a chunk; null where a file is missing. */
async function testsOf(bundle, columns, node, remarks, absent) {
  const leaves = [];
  for (const condition of conditions(node)) {
    const column = columns.get(condition.field);
    if (column) leaves.push(leafOf(condition, column));
    else checkHitField(condition, columns);
  }
  await Promise.all(
    leaves.map(async (leaf) => {
      const place = async (text) => [text, await bundle.nameOf(leaf.column.shards, text, remarks)];
      leaf.names = new Map(await Promise.all([...leaf.texts].map(place)));
    }),
  );
  const names = new Set(leaves.flatMap((leaf) => [...leaf.names.values(), ...leaf.files]).filter(Boolean));
  const read = async (name) => [name, await bundle.available(name, remarks)];
  const data = new Map(await Promise.all([...names].map(read)));
  const listed = leaves.flatMap(({ column }) => column.shards.directories ?? []);
  if ([...data.values()].includes(null) || listed.some((name) => name in remarks.missing)) return null;
  const tests = new Map();
  for (const leaf of leaves) {
    try {
      tests.set(leaf.condition, testOf(leaf, data, absent));
    } catch ({ message }) {
      remarks.missing[[...leaf.names.values(), ...leaf.files].find(Boolean)] = message;
      return null;
    }
  }
  return tests;
}

function holds(node, chunk, hit, tests) {
  if (node.not) return !holds(node.not, chunk, hit, tests);
  if (node.all) return node.all.every((part) => holds(part, chunk, hit, tests));
  if (node.any) return node.any.some((part) => holds(part, chunk, hit, tests));
  return tests.has(node) ? tests.get(node)(chunk) : hit !== null && ofHit(node, hit);
}

function ofHit(condition, hit) {
  const { field, values, ranges } = condition;
  const own = [hit[field]].flat();
  if (ranges) {
    const bounds = ranges.map(([how, bound]) => [how, asNumber(condition, bound)]);
    return own.every((value) => bounds.every(([how, bound]) => isWithin(value, how, bound)));
  }
  if (!values) return own.length > 1 || (own.length === 1 && own[0] !== "");
  const wanted = values.map((value) => as(condition, value, OF_HITS.get(field)));
  return own.some((value) => wanted.includes(value));
}

function isWithin(value, how, bound) {
  if (how.startsWith("g")) return value > bound || (how === "gte" && value === bound);
  return value < bound || (how === "lte" && value === bound);
}

function checkHitField(condition, columns) {
  const { field, values = [], ranges = [] } = condition;
  if (!OF_HITS.has(field)) {
    const fresh = columns.has("created_at") ? ["freshness"] : [];
    const known = [...new Set([...columns.keys(), ...OF_HITS.keys(), ...fresh])].sort(compare);
    const near = nearest(field, known);
    const hint = `${near && `Did you mean ${near}? `}There are: ${known.join(", ")}`;
    throw wrong("filters", `there is no field ${shown(field)}`, hint);
  }
  const kind = OF_HITS.get(field);
  if (ranges.length && kind !== "number") throw noRange(field, "text");
  for (const [, bound] of ranges) asNumber(condition, bound);
  for (const value of values) as(condition, value, kind);
}

/** A condition that a column decides, with the files that it needs beside those of its texts. */
function leafOf(condition, column) {
  const { field, values, ranges = [] } = condition;
  const leaf = { condition, column, texts: new Set(), names: new Map(), numbers: [], low: null, high: null, files: [] };
  if (ranges.length && column.isText) throw noRange(field, column.type);
  const wanted = (values ?? []).map((value) => as(condition, value, column.type));
  if (!column.chunks) return leaf;
  if (column.isText) leaf.texts = new Set(wanted);
  else leaf.numbers = wanted;
  for (const [how, given] of ranges) {
    const bound = as(condition, given, column.type);
    const edge = { bound, included: how.endsWith("e") };
    const isStricter = (side, sign) => {
      const gap = side ? sign * (bound - side.bound) : 1;
      return gap > 0 || (gap === 0 && !edge.included);
    };
    if (how.startsWith("g") && isStricter(leaf.low, 1)) leaf.low = edge;
    if (how.startsWith("l") && isStricter(leaf.high, -1)) leaf.high = edge;
  }
  const bounds = [leaf.low, leaf.high].filter(Boolean).map(({ bound }) => bound);
  leaf.files = [...leaf.numbers, ...bounds].map((bound) => fileOf(column, bound));
  if (!values && !leaf.high && !column.everywhere) leaf.files.push(column.exists || column.onlyFile);
  return leaf;
}

/** What a condition makes of a chunk; its values that no chunk has are noted as absent. */
function testOf({ condition, column, texts, numbers, names, low, high }, data, absent) {
  if (!column.chunks) return () => false;
  if (column.isText && condition.values) {
    const sets = new Map();
    for (const name of new Set([...names.values()].filter(Boolean))) textsIn(data.get(name), texts, sets);
    for (const text of [...texts].filter((own) => !sets.has(own)).sort(compare)) {
      const frequent = column.frequent.map(({ value }) => value).join(", ");
      const note = `no chunk has the ${condition.field} ${shown(text)}`;
      absent.set(JSON.stringify([condition.field, text]), { note, frequent });
    }
    return (chunk) => [...sets.values()].some((own) => own.has(chunk));
  }
  const parts = (bound) => (fileOf(column, bound) ? numbersIn(data.get(fileOf(column, bound))) : { entries: [] });
  if (condition.values) {
    const equal = numbers.flatMap((value) => parts(value).entries.filter(([own]) => own === value));
    return (chunk) => equal.some(([, own]) => own.has(chunk));
  }
  const below = ({ bound, included }) => {
    const { below: lower, entries } = parts(bound);
    const found = entries.filter(([value]) => value < bound || (included && value === bound));
    return (chunk) => Boolean(lower?.has(chunk)) || found.some(([, own]) => own.has(chunk));
  };
  const everything = () => {
    if (column.everywhere) return () => true;
    const whole = data.get(column.exists || column.onlyFile);
    let sets = [];
    if (column.exists) sets = [new ChunkSet().add(new Cursor(whole))];
    else if (column.isText) sets = [...textsIn(whole, null, new Map()).values()];
    else sets = numbersIn(whole).entries.map(([, own]) => own);
    return (chunk) => sets.some((own) => own.has(chunk));
  };
  const upper = high ? below(high) : everything();
  if (!low) return upper;
  const tooLow = below({ bound: low.bound, included: !low.included });
  return (chunk) => upper(chunk) && !tooLow(chunk);
}

/** The name of the file that a number would be in; empty for one that is less than all. */
function fileOf({ files }, value) {
  return files.findLast(({ least }) => least <= value)?.name ?? "";
}

/** A value as a field of a type has it. */
function as(condition, value, kind) {
  if (kind === "number") return asNumber(condition, value);
  if (kind === "date") return typeof value === "object" ? value.day : asDay(condition, value);
  if (kind === "flag") {
    const text = String(value).toLowerCase();
    if (typeof value === "number" || !["true", "false"].includes(text)) throw unfit(condition, value, "true or false");
    return text;
  }
  if (typeof value !== "string") throw unfit(condition, value, "a text");
  return value;
}

function asNumber(condition, value) {
  const number = typeof value === "string" ? numberOf(value) : value;
  if (typeof number !== "number") throw unfit(condition, value, "a number");
  return number;
}

function asDay(condition, value) {
  const day = typeof value === "string" ? dayOf(value) : null;
  if (day === null) throw unfit(condition, value, "a date like 2024-01-31");
  return day;
}

function numberOf(text) {
  return /^[+-]?\d{1,15}(?:\.\d{1,15})?$/.test(text) ? Number(text) : null;
}

function dayOf(text) {
  const match = /^(\d{4}-\d\d-\d\d)(?:[T ]\d\d:\d\d[\d:.]*(?:Z| ?[+-]\d\d:?\d\d)?)?$/.exec(text);
  const day = match && Date.parse(`${match[1]}T00:00:00Z`) / DAY;
  // There are parsers that take the 31st of February for the 3rd of March.
  const isReal = Number.isFinite(day) && match && new Date(day * DAY).toISOString().startsWith(match[1]);
  return isReal && !match[1].startsWith("0000") ? day : null;
}

function unfit({ field }, value, wanted) {
  return wrong(`filters.${field}`, `has to be ${wanted}, not ${shown(value)}`);
}

function noRange(field, kind) {
  return wrong(`filters.${field}`, `is a ${kind}, and ranges are of numbers and dates`, "Give values");
}

/** The column of a facet. */
function columnOf(name, columns) {
  const known = [...columns.keys()].filter((own) => columns.get(own).isText).sort(compare);
  if (!known.includes(name)) {
    const near = nearest(name, known);
    const hint = `${near && `Did you mean ${near}? `}There are: ${known.join(", ") || "none"}`;
    throw wrong("facets", `'${name.slice(0, 80)}' is no field whose values are counted`, hint);
  }
  const { values } = columns.get(name);
  if (values > MOST_COUNTED) {
    const reason = `\`${name}\` has ${values.toLocaleString("en")} values, more than ${MOST_COUNTED.toLocaleString("en")}`;
    throw wrong("facets", reason, "Filter by it");
  }
  return columns.get(name);
}

/** The chunks of each value of a field; null where a file cannot be had. */
async function allValues(bundle, { chunks, shards }, remarks) {
  const found = new Map();
  if (!chunks) return found;
  const listed = await Promise.all((shards.directories ?? []).map((name) => bundle.available(name, remarks)));
  if (listed.some((names) => !(countNames(names) <= 64 && countNames(names) > 0))) return null;
  const names = [shards.names ?? "", ...listed].flatMap(namesIn).filter(Boolean);
  const files = await Promise.all(names.map((name) => bundle.available(name, remarks)));
  for (const [i, name] of names.entries()) {
    if (!files[i]) return null;
    try {
      textsIn(files[i], null, found);
    } catch ({ message }) {
      remarks.missing[name] = message;
      return null;
    }
  }
  return found;
}

function counts(sets, chunks, most) {
  return mostFrequent([...sets].map(([value, own]) => [value, chunks.filter((chunk) => own.has(chunk)).length]), most);
}

/** The values that a facet shows, with their numbers. */
export function mostFrequent(counted, most = FACET_VALUES) {
  const found = counted.filter(([, count]) => count);
  return found.sort(([a, x], [b, y]) => y - x || compare(a, b)).slice(0, most);
}
