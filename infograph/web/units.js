/**
 * Units: what is read together, as ordered slices of one document; and searches that list them. The same as in Python
 * (infograph/client/units.py, parents.py and summaries.py, which say how).
 */

import { sha256 } from "./bytes.js";
import { check } from "./options.js";
import { PAGE } from "./ranking.js";
import { need } from "./site.js";

/** Most chunks of a section that stands in the place of its hits; chunks on either side that tell how far it goes. */
const [LARGEST_PARENT, AROUND] = [8, 8];
/** Hex digits of a chunk's digest that a unit's is made of; hits that are looked at for each that is wanted. */
const [DIGITS, AHEAD] = [32, 3];
/** Fewest hits that are looked at. */
const LEAST = 30;
/** Types of units of which each lies within another or apart from it: what is read around a chunk. */
const NESTED = ["document", "section", "parent"];
const DERIVED = ["section", "key", "proposition"];
const LEFT_OUT = "…";
const ROWS = "rows";

/**
 * The units of a document: the document, its sections of two chunks or more, larger ones first where they begin with the
 * same chunk, its keys of two chunks or more, its propositions, and those that an index lists.
 * @param {string} document its path, or whatever else tells it from others
 * @param {object[]} items all of its chunks, in order: the `items` of a document of a topic
 * @param {object[]} groups its `units`, as the topic has them
 */
export async function unitsOf(document, items, groups = []) {
  if (!items.length) return [];
  const said = new Map();
  for (const [at, { enriched }] of items.entries()) {
    for (const { chunks, summary } of enriched?.sections ?? []) said.set(`${at} ${at + chunks}`, summary);
  }
  const listed = groups.flatMap(({ type, level, slices = [], names = [] }) =>
    slices.map((own, at) => ({ type, level, slices: own, key: names[at] })),
  );
  for (const { type, slices } of listed) {
    if (DERIVED.includes(type)) throw new RangeError(`a ${type} follows from the chunks, and has no slices of its own`);
    const wrong = misplaced(slices, items.length);
    if (wrong) throw new RangeError(`${document}: a unit of type '${type}' ${wrong}`);
  }
  const placed = [...derived(items), ...listed].map(async (own) => {
    const unit = await placedUnit(document, own, items);
    const summary = NESTED.includes(unit.type) && said.get(unit.slices[0].join(" "));
    return { ...unit, summary: own.claim ?? (summary || "") };
  });
  // All at once: one that rejects while another is waited for would end the process.
  const [whole, ...others] = await Promise.all([unitOf(document, 0, [0, items.length], items), ...placed]);
  return [{ ...whole, summary: said.get(`0 ${items.length}`) ?? "" }, ...others];
}

/** The units that follow from what an index says of chunks, by where they stand. */
function derived(items) {
  const found = sections(items.map(pathOf)).map(([level, ...own]) => ({ type: "section", level, slices: [own] }));
  const members = new Map();
  for (const [at, { enriched }] of items.entries()) {
    if (enriched?.key) members.set(enriched.key, [...(members.get(enriched.key) ?? []), at]);
  }
  for (const [key, places] of members) {
    const level = common(places.map((at) => pathOf(items[at]))).length;
    if (places.length > 1) found.push({ type: "key", level, slices: runs(places), key });
  }
  for (const [at, item] of items.entries()) {
    for (const { claim, start, end } of item.enriched?.propositions ?? []) {
      const level = pathOf(item).length;
      if (start < end) found.push({ type: "proposition", level, slices: [[at, start, end]], claim });
    }
  }
  return found;
}

async function placedUnit(document, { type, level, slices, key = "" }, items) {
  if (type === "section") return unitOf(document, level, slices[0], items.slice(...slices[0]));
  const covered = slices.flatMap(([first, ...rest]) => (rest.length > 1 ? [first] : range(first, rest[0])));
  const members = [...new Set(covered)].sort((a, b) => a - b);
  const chunks = members.map((at) => items[at]);
  const path = common(chunks.map(pathOf));
  const named = type === ROWS ? slices.slice(-1) : slices;
  const name = named.map((own) => (own.length > 2 ? `${own[0]}:${own[1]}-${own[2]}` : own.join("-"))).join(",");
  const unit = await unitOf(document, path.length, [members[0], members.at(-1) + 1], chunks);
  const spans = slices.filter((own) => own.length > 2);
  return { ...unit, id: `${document}#${name}.${type}`, type, level, slices: runs(members), key, spans };
}

/** What is wrong with the slices of a unit, by the numbers alone; empty where nothing is. */
function misplaced(slices, chunks) {
  if (!slices.length) return "has no slice";
  let before = [0, 0];
  for (const own of slices) {
    const shown = `[${own.join(", ")}]`;
    if (!own.every(Number.isSafeInteger)) return `${shown} is not made of whole numbers`;
    const isSpan = own.length === 3;
    if (!isSpan && own.length !== 2) return `${shown} is neither a range of chunks nor one of bytes in a chunk`;
    const start = [own[0], isSpan ? own[1] : 0];
    const end = isSpan ? [own[0], own[2]] : [own[1], 0];
    if (!(own[0] >= 0 && own[0] < chunks) || (isSpan ? own[1] < 0 : own[1] > chunks)) {
      return `${shown} lies outside of the ${chunks} chunks`;
    }
    if (!isBefore(start, end)) return `${shown} is empty`;
    if (isBefore(start, before)) return `${shown} is not behind the slice before it`;
    before = end;
  }
  return "";
}

const isBefore = (one, other) => one[0] < other[0] || (one[0] === other[0] && one[1] < other[1]);

/** Ascending numbers as half-open ranges. */
function runs(numbers) {
  const found = [];
  for (const at of numbers) {
    if (found.at(-1)?.[1] === at) found.at(-1)[1] = at + 1;
    else found.push([at, at + 1]);
  }
  return found;
}

const range = (first, end) => Array.from({ length: end - first }, (_, at) => first + at);

/** The headings that all of some chunks stand below. */
function common([path, ...others]) {
  let level = 0;
  while (level < path.length && others.every((other) => starts(other, path, level + 1))) level++;
  return path.slice(0, level);
}

/**
 * The text of a unit, with `…` on a line of its own for what is left out between its slices, but for rows of one key.
 * @param {object} unit
 * @param {string[]} texts of its chunks, in the order of `hrefs`: their `readable`
 */
export function textOf({ type, slices, spans }, texts) {
  const numbers = slices.flatMap(([first, end]) => range(first, end));
  const whole = new Map(texts.map((text, place) => [numbers[place], new TextEncoder().encode(text)]));
  const parts = spans.length ? spans : numbers.map((at) => [at, 0, whole.get(at).length]);
  let [text, after] = ["", null];
  for (const [at, start, end] of parts) {
    if (type !== ROWS && after && (after[0] !== at || after[1] !== start)) text += `\n${LEFT_OUT}\n`;
    text += new TextDecoder("utf-8", { ignoreBOM: true }).decode(whole.get(at).subarray(start, end));
    after = end === whole.get(at).length ? [at + 1, 0] : [at, end];
  }
  return text;
}

const pathOf = ({ section_path = [] }) => section_path;

/** The smallest unit around a chunk, of those of its document. */
export function parentOf(units, index) {
  const holds = ({ type, slices }) => NESTED.includes(type) && slices.some(([first, end]) => first <= index && index < end);
  return units.filter(holds).sort((a, b) => sizeOf(a) - sizeOf(b) || b.level - a.level)[0];
}

/**
 * The answer of a search, with sections in the place of several of their chunks.
 * @param {import("./infograph.js").Client} client
 */
export async function withParents(client, opened, query, { limit, offset, onePerPage }, options) {
  const { mode, texts = false, ...others } = options;
  const alone = !onePerPage && (options.rerank_with ?? null) === null;
  need(alone, "mode", "`leaf`, but for `search` without `rerank_with`", mode);
  check({ texts });
  const begun = performance.now();
  const left = () => Math.max(1, options.timeout - (performance.now() - begun));
  const summaries = mode === "summary-first" && (await import("./summaries.js"));
  const enough = summaries ? limit : offset + limit;
  let [wanted, answer, parts] = [limit && Math.max(LEAST, AHEAD * enough)];
  if (summaries) wanted = Math.ceil(wanted / LEAST) * LEAST;
  for (;;) {
    answer = await client.search(query, { ...others, limit: wanted, offset: 0, timeout: left() });
    parts = await folded(await opened(), answer.hits, Boolean(summaries));
    if (!limit || parts.length >= enough || answer.hits.length < wanted) break;
    wanted *= 2;
  }
  let hits = parts.map(({ hit }) => hit);
  if (summaries) {
    const searched = [query, ...Object.values(answer.corrected)].join(" ");
    const call = { signal: options.signal, timeout: left() };
    hits = await summaries.bySummary(client, await opened(), parts, [searched, LEAST], call, answer.missing);
  }
  const { total, total_relation } = answer;
  answer.total = Math.max(hits.length, total - (answer.hits.length - hits.length));
  if (total_relation === "eq") answer.total_relation = "lte";
  if (summaries && limit) Object.assign(answer, { total: hits.length, total_relation: "eq" });
  answer.hits = hits.slice(offset, offset + limit);
  if (texts) {
    const call = { signal: options.signal, timeout: left() };
    await Promise.all(answer.hits.map((hit) => addText(client, hit, call, answer.missing)));
  }
  return answer;
}

/** Reads a hit, or all of its unit, into its text; an empty one where it cannot be read, which `missing` then names. */
async function addText(client, hit, call, missing) {
  const read = ({ href, sha256: digest }) =>
    client.read({ href, sha256: digest }, call).then(
      ({ readable }) => readable,
      (error) => {
        if (call.signal?.aborted) throw error;
        missing[href] = error.message;
        return null;
      },
    );
  const texts = await Promise.all((hit.unit?.hrefs.map((href) => ({ href })) ?? [hit]).map(read));
  hit.text = texts.includes(null) ? "" : texts.join("");
}

/**
 * Hits with those of one section as one, where the best of them stood; each with the first chunk of its section, or
 * itself, and with its rank. With `every` each hit stands for its section, be there others of it or not. Whether others
 * were found is asked of so many hits that each part is the same of more.
 */
async function folded(bundle, hits, every) {
  const numbers = new Map(hits.map((hit) => [bundle.chunks.get(hit), hit]));
  const pages = new Map();
  for (const number of numbers.keys()) {
    const slot = Math.floor(number / PAGE);
    pages.set(slot, [...(pages.get(slot) ?? []), number]);
  }
  const around = new Set([...pages.values()].flatMap((own) => beside(own, every)));
  const wanted = [...around].filter((number) => !numbers.has(number)).sort((a, b) => a - b);
  const quiet = { missing: {}, corrected: {}, notes: [] };
  const rows = new Map(numbers);
  const shown = await bundle.hits(wanted.map((number) => [number, 0]), quiet); // prettier-ignore
  for (const [at, row] of shown.entries()) if (row) rows.set(wanted[at], row);
  const [found, taken] = [[], new Set()];
  const ranks = new Map([...numbers.keys()].map((number, rank) => [number, rank]));
  for (const [number, hit] of numbers) {
    if (taken.has(number)) continue;
    const rank = ranks.get(number);
    const seen = Math.max(LEAST, AHEAD * (found.length + 1), rank + 1);
    const isSeen = (other) => ranks.get(other) < seen;
    const near = every ? [number - 1, number + 1] : pages.get(Math.floor(number / PAGE)).filter(isSeen);
    const others = near.filter((other) => other !== number);
    let opening = hit;
    const section = sharedSection(rows, number, others, taken);
    if (section) {
      const [level, first, end] = section;
      const members = range(first, end);
      for (const member of members) taken.add(member);
      const chunks = members.map((member) => rows.get(member));
      hit.unit = await unitOf(hit.page, level, [first % PAGE, (first % PAGE) + end - first], chunks);
      [opening] = chunks;
    }
    taken.add(number);
    found.push({ hit, opening, rank });
  }
  return found;
}

/** The chunks around hits of one page that are near each other, or around every one. */
function beside(numbers, every) {
  const near = (number) => every || numbers.some((other) => other !== number && Math.abs(other - number) < LARGEST_PARENT);
  return numbers.filter(near).flatMap((number) => {
    const first = number - Math.min(AROUND, number % PAGE);
    return Array.from({ length: number + AROUND + 1 - first }, (_, at) => first + at);
  });
}

/** The smallest section around a chunk that has another one of a search: its level and its half-open range. */
function sharedSection(rows, number, others, taken) {
  const path = rows.get(number).section_path;
  const slot = Math.floor(number / PAGE);
  for (let level = path.length; level >= 0; level--) {
    const below = (near) => Math.floor(near / PAGE) === slot && rows.has(near) && starts(rows.get(near).section_path, path, level);
    let [first, end] = [number, number + 1];
    while (end - first <= LARGEST_PARENT && below(first - 1)) first--;
    while (end - first <= LARGEST_PARENT && below(end)) end++;
    if (end - first > LARGEST_PARENT) return null;
    const within = (near) => first <= near && near < end;
    if (others.some(within)) return [...taken].some(within) ? null : [level, first, end];
  }
  return null;
}

/** Whether the first headings of a path are those of another one. */
const starts = (path, other, level) => path.length >= level && other.slice(0, level).every((own, at) => own === path[at]);

/** The sections of two chunks or more, each as its level and its half-open range. */
function sections(paths) {
  const found = new Map();
  const deepest = Math.max(0, ...paths.map(({ length }) => length));
  for (let level = 1; level <= deepest; level++) {
    let first = 0;
    for (let end = 1; end <= paths.length; end++) {
      const goes = end < paths.length && same(paths[end], paths[first], level);
      if (goes) continue;
      if (paths[first].length >= level && end - first > 1) found.set(`${first} ${end}`, [level, first, end]);
      first = end;
    }
  }
  return [...found.values()].sort((a, b) => a[1] - b[1] || b[2] - a[2]);
}

/** Whether two paths have the same first headings, as many as there are. */
function same(path, other, level) {
  return JSON.stringify(path.slice(0, level)) === JSON.stringify(other.slice(0, level));
}

async function unitOf(document, level, [first, end], chunks) {
  const digests = chunks.map(({ sha256: digest }) => digest.slice(0, DIGITS)).join("");
  return {
    id: `${document}#${first}-${end}${level ? `.${level}` : ""}`,
    type: level ? "section" : "document",
    level,
    section_path: pathOf(chunks[0]).slice(0, level),
    slices: [[first, end]],
    hrefs: chunks.map(({ href }) => href),
    tokens: chunks.reduce((sum, { tokens }) => sum + (tokens ?? 0), 0),
    sha256: await sha256(new TextEncoder().encode(digests)),
    key: "",
    summary: "",
    spans: [],
  };
}

const sizeOf = ({ slices }) => slices.reduce((sum, [first, end]) => sum + end - first, 0);
