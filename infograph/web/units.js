/**
 * Units: what is read together, as ordered slices of one document; and searches that list them. The same as in Python
 * (infograph/client/units.py and parents.py, which say how).
 */

import { sha256 } from "./bytes.js";
import { check } from "./options.js";
import { PAGE } from "./ranking.js";
import { need } from "./site.js";

/** Most chunks of a section that stands in the place of its hits; chunks on either side that tell how far it goes. */
const [LARGEST_PARENT, AROUND] = [8, 8];
/** Hex digits of a chunk's digest that a unit's is made of; hits that are looked at for each that is wanted. */
const [DIGITS, AHEAD] = [32, 3];

/**
 * The units of a document: the document, its sections of two chunks or more, larger ones first where they begin with the
 * same chunk, and its keys of two chunks or more.
 * @param {string} document its path, or whatever else tells it from others
 * @param {object[]} items all of its chunks, in order: the `items` of a document of a topic
 */
export async function unitsOf(document, items) {
  if (!items.length) return [];
  const said = new Map();
  for (const [at, { enriched }] of items.entries()) {
    for (const { chunks, summary } of enriched?.sections ?? []) said.set(`${at} ${at + chunks}`, summary);
  }
  const ranges = [[0, 0, items.length], ...sections(items.map(pathOf))];
  const nested = ranges.map(async ([level, first, end]) => {
    const unit = await unitOf(document, level, [first, end], items.slice(first, end));
    return { ...unit, summary: said.get(`${first} ${end}`) ?? "" };
  });
  return Promise.all([...nested, ...keys(document, items)]);
}

/** The units of chunks that have one key. */
function keys(document, items) {
  const members = new Map();
  for (const [at, { enriched }] of items.entries()) {
    if (enriched?.key) members.set(enriched.key, [...(members.get(enriched.key) ?? []), at]);
  }
  const several = [...members].filter(([, places]) => places.length > 1);
  return several.map(async ([key, places]) => {
    const chunks = places.map((at) => items[at]);
    const [path, ...others] = chunks.map(pathOf);
    let level = 0;
    while (level < path.length && others.every((other) => starts(other, path, level + 1))) level++;
    const slices = [];
    for (const at of places) {
      if (slices.at(-1)?.[1] === at) slices.at(-1)[1] = at + 1;
      else slices.push([at, at + 1]);
    }
    const id = `${document}#${slices.map((own) => own.join("-")).join(",")}.key`;
    return { ...(await unitOf(document, level, slices[0], chunks)), id, type: "key", slices, key };
  });
}

const pathOf = ({ section_path = [] }) => section_path;

/** The smallest unit around a chunk, of those of its document. */
export function parentOf(units, index) {
  const holds = ({ type, slices }) => type !== "key" && slices.some(([first, end]) => first <= index && index < end);
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
  let [wanted, answer, hits] = [limit && AHEAD * (offset + limit)];
  for (;;) {
    answer = await client.search(query, { ...others, limit: wanted, offset: 0, timeout: left() });
    hits = await folded(await opened(), answer.hits);
    if (!limit || hits.length >= offset + limit || answer.hits.length < wanted) break;
    wanted *= 2;
  }
  const { total, total_relation } = answer;
  answer.total = Math.max(hits.length, total - (answer.hits.length - hits.length));
  if (total_relation === "eq") answer.total_relation = "lte";
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

/** Hits with those of one section as one, where the best of them stood. */
async function folded(bundle, hits) {
  const numbers = new Map(hits.map((hit) => [bundle.chunks.get(hit), hit]));
  const pages = new Map();
  for (const number of numbers.keys()) {
    const slot = Math.floor(number / PAGE);
    pages.set(slot, [...(pages.get(slot) ?? []), number]);
  }
  const around = new Set([...pages.values()].flatMap(beside));
  const wanted = [...around].filter((number) => !numbers.has(number)).sort((a, b) => a - b);
  const quiet = { missing: {}, corrected: {}, notes: [] };
  const rows = new Map(numbers);
  const shown = await bundle.hits(wanted.map((number) => [number, 0]), quiet); // prettier-ignore
  for (const [at, row] of shown.entries()) if (row) rows.set(wanted[at], row);
  const [found, taken] = [[], new Set()];
  for (const [number, hit] of numbers) {
    if (taken.has(number)) continue;
    const others = pages.get(Math.floor(number / PAGE)).filter((other) => other !== number);
    const section = sharedSection(rows, number, others, taken);
    if (section) {
      const [level, first, end] = section;
      const members = Array.from({ length: end - first }, (_, at) => first + at);
      for (const member of members) taken.add(member);
      const chunks = members.map((member) => rows.get(member));
      hit.unit = await unitOf(hit.page, level, [first % PAGE, (first % PAGE) + end - first], chunks);
    }
    found.push(hit);
  }
  return found;
}

/** The chunks around hits of one page that are near each other. */
function beside(numbers) {
  const near = (number) => numbers.some((other) => other !== number && Math.abs(other - number) < LARGEST_PARENT);
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
  };
}

const sizeOf = ({ slices }) => slices.reduce((sum, [first, end]) => sum + end - first, 0);
