/** Local search: from a ranking's first chunks along the graph of entities ("Graph" in the formats of the guide). */

import { isTable } from "./bundle.js";
import { sha256 } from "./bytes.js";
import { PAGE } from "./ranking.js";
import { InfographError, json, whole } from "./site.js";

const MANIFEST = "_graph/manifest.json";
/** What a bundle's manifest says of the graph that was published with it. */
const HREF = /^\.\.\/(_graph\/manifest\.[0-9a-f]{10}\.json)$/;
const FORMAT = 1;
const LARGEST_MANIFEST = 1 << 22;
/** Words of a query that entities are looked for in; of a key; characters of one. */
const MOST_QUERY_WORDS = 64;
const MOST_WORDS = 6;
const LONGEST_KEY = 80;
/** Chunks of an entity up to which it is followed. */
const MOST_CHUNKS = 16;
const WORD = /[\p{L}\p{N}]+[+#]*/gu;

/** Words of a text as keys of entities have them. */
export function wordsOf(text) {
  const folded = text.normalize("NFC").toUpperCase().toLowerCase().normalize("NFC");
  return folded.replace(/['’]s(?![\p{L}\p{N}_])/gu, "").match(WORD) ?? [];
}

/** The key of some words; empty for what is none. */
export function joined(words) {
  if (!words.length || words.length > MOST_WORDS) return "";
  const key = [...words.slice(0, -1), singular(words.at(-1))].join(" ");
  return [...key].length <= LONGEST_KEY ? key : "";
}

function singular(word) {
  if (word.length < 4 || !/^[ -~]+$/.test(word) || !/[^siu]s$/.test(word)) return word;
  if (word.endsWith("ies") && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(?:x|ch|sh|ss)es$/.test(word)) return word.slice(0, -2);
  return word.slice(0, -1);
}

/**
 * The manifest of the graph that was published with the bundle: in another one, the places are those of other chunks.
 * Null where it is missing or broken, which is noted; an error where the site has none.
 */
export async function graphOf(bundle, remarks) {
  const { href, sha256: digest } = bundle.manifest.graph ?? {};
  const path = HREF.exec(href)?.[1];
  if (!path) {
    const hint = "was the site built with `graph.entities`, by this release?";
    throw new InfographError("missing", `${MANIFEST}: the search bundle leads to no graph; ${hint}`);
  }
  bundle.graph ??= opened(bundle.site, path, digest);
  try {
    return await bundle.graph;
  } catch (error) {
    bundle.graph = undefined;
    if (!["missing", "broken"].includes(error.code)) throw error;
    remarks.missing[path] = error.message;
    return null;
  }
}

function opened(site, path, digest) {
  return site.get(site.resolve(path), LARGEST_MANIFEST, async (data) => {
    if ((await sha256(data)) !== digest) throw new InfographError("broken", `${path}: not the file that the bundle names`);
    return checked(json(data));
  });
}

function checked(manifest) {
  if (manifest?.format !== FORMAT) {
    const reason = `its format is ${manifest?.format}, and this release of infograph.js knows ${FORMAT}`;
    throw new InfographError("version", `${MANIFEST}: ${reason}; update infograph.js, or build the site again`);
  }
  try {
    const { walk, entity_shards, chunk_shards, said_shards, block, group, table } = manifest;
    const every = [entity_shards, chunk_shards, said_shards ?? chunk_shards];
    const tables = every.every((own) => typeof own.names === "string" && isTable(own));
    const numbers = whole([block, group, walk.leads, walk.after], 1) && whole([walk.entities, walk.asked]);
    if (!tables || !numbers || !Number.isFinite(walk.weight + (walk.related ?? 0)) || table !== `${table}`) throw new TypeError("not as it was");
  } catch ({ message }) {
    throw new InfographError("broken", `${MANIFEST}: a field is missing or of another kind: ${message}`);
  }
  return manifest;
}

/** Keys that a query may name entities by, the longest first and then in its order. */
function queryKeys(words) {
  const found = new Set();
  for (let length = Math.min(MOST_WORDS, words.length); length > 0; length--) {
    for (let start = 0; start + length <= words.length; start++) found.add(joined(words.slice(start, start + length)));
  }
  found.delete("");
  return [...found];
}

const lastWord = (key) => key.slice(key.lastIndexOf(" ") + 1);

/** What a search follows in place of links alone. */
export function walking(query, hops, links) {
  return {
    linked: (bundle, ranking, told, remarks, keep) => linked(bundle, ranking, told, remarks, keep, query, hops, links),
    explain,
  };
}

/**
 * The ranking with the chunks that the links of pages, where they are to be followed, and the graph raise or bring in.
 * `told` gets the way to each of the latter.
 * @param {import("./bundle.js").Bundle} bundle
 * @param {import("./ranking.js").Ranked[]} ranking
 * @param {Map<number, {hops: number, path: string[]}>} told
 */
async function linked(bundle, ranking, told, remarks, keep, query, hops, links) {
  if (links && bundle.manifest.links) {
    told.links = await import("./links.js");
    told.leads = new Map();
    ranking = keep(await told.links.linked(bundle, ranking, told.leads, remarks));
  }
  const manifest = await graphOf(bundle, remarks);
  if (!manifest) return ranking;
  const { walk: said } = manifest;
  const graph = new Reader(bundle, manifest, remarks);
  const own = new Map(ranking);
  let leads = firstLeads(ranking, Math.max(said.leads, said.after));
  // Of a ranking that something else has put in order, too, such as a vector: there the last is not the least.
  const most = Math.min(...leads.slice(0, said.after).map(({ score }) => score));
  leads = leads.slice(0, said.leads);
  const words = wordsOf(query);
  const keys = queryKeys(words.slice(0, MOST_QUERY_WORDS));
  const asked = await graph.asked(keys, words, said.asked);
  const found = ofQuery(asked, own, leads, said.weight, most);
  const passed = new Set([...keys, ...asked.map(({ key }) => key)]);
  const related = leads.length && hops && said.related > 0 ? (await graph.said(asked)).filter(({ rows }) => rows.length) : [];
  for (let hop = 1; hop <= hops; hop++) {
    const entities = await graph.ofChunks(leads.map(({ chunk }) => chunk));
    if (hop === 1) {
      const starts = related.map(({ key, rows }, i) => {
        const lead = { chunk: (-2 - i) * PAGE, score: leads[0].score, path: [key], share: said.related };
        entities.set(lead.chunk, rows.map((row) => [row.key, row.chunks])); // prettier-ignore
        return lead;
      });
      leads = [...starts, ...leads];
    }
    const taken = steps(leads, entities, passed, said.weight, Math.floor(said.entities / hop));
    taken.forEach(({ key }) => passed.add(key));
    await graph.read(taken.map(({ key }) => key));
    const fresh = reached(own, taken, (key) => graph.known.get(key)?.places ?? [], most, hop);
    for (const [chunk, way] of fresh) {
      if (found.has(chunk) && way.score <= found.get(chunk).score) fresh.delete(chunk);
      else found.set(chunk, way);
    }
    leads = sorted(fresh)
      .slice(0, Math.max(1, Math.floor(said.leads / (hop + 1))))
      .map(([chunk, { score, path }]) => ({ chunk, score, path }));
  }
  for (const [chunk, way] of found) {
    const path = way.path.map((key) => graph.known.get(key)?.name ?? key);
    const row = related.find(({ key }) => key === way.path[0])?.rows.find(({ key }) => key === way.path[1]);
    const [source, target] = row?.isSource ? path : [path[1], path[0]];
    const relation = row && { source, relation: row.relation, target, by: row.models };
    told.set(chunk, { hops: way.hops, path, ...(row && { relation }) });
  }
  return inserted(ranking, found);
}

/** Puts the way into each hit that has one, and into its duplicates. */
async function explain(bundle, hits, told, remarks) {
  await told.links?.explain(bundle, hits, told.leads, remarks);
  const every = hits.filter(Boolean);
  for (const hit of [...every, ...every.flatMap(({ duplicates }) => duplicates)]) {
    Object.assign(hit, told.get(bundle.chunks.get(hit)));
  }
}

function firstLeads(ranking, count) {
  const found = new Map();
  for (const [chunk, score] of ranking) {
    if (found.size === count || !(score > 0)) break;
    const slot = Math.floor(chunk / PAGE);
    if (!found.has(slot)) found.set(slot, { chunk, score, path: [] });
  }
  return [...found.values()];
}

function steps(leads, entities, passed, weight, most) {
  const found = new Map();
  for (const lead of leads) {
    for (const [key, chunks] of entities.get(lead.chunk) ?? []) {
      if (passed.has(key) || chunks > MOST_CHUNKS) continue;
      const gain = (weight * (lead.share ?? 1) * lead.score) / Math.sqrt(Math.max(1, chunks - 1));
      if (!found.has(key) || gain > found.get(key).gain) found.set(key, { key, gain, lead });
    }
  }
  return [...found.values()].sort((x, y) => y.gain - x.gain || byCodePoint(x.key, y.key)).slice(0, most);
}

function reached(own, taken, placesOf, most, hops) {
  const found = new Map();
  for (const { key, gain, lead } of taken) {
    for (const chunk of placesOf(key)) {
      if (Math.floor(chunk / PAGE) === Math.floor(lead.chunk / PAGE)) continue;
      const before = own.get(chunk) ?? 0;
      const all = before + gain;
      const score = Math.min(all, lead.score, most);
      const known = found.get(chunk);
      if (score > before && (!known || score > known.score || (score === known.score && all > known.whole))) {
        found.set(chunk, { score, whole: all, hops, path: [...lead.path, key] });
      }
    }
  }
  return found;
}

function ofQuery(asked, own, leads, weight, most) {
  if (!leads.length) {
    const found = new Map();
    for (const { key, places } of asked) {
      for (const chunk of places) found.set(chunk, { score: 1, whole: 1, hops: 0, path: [key] });
    }
    return found;
  }
  const start = { chunk: -PAGE, score: leads[0].score, path: [] };
  const entities = new Map([[start.chunk, asked.map(({ key, chunks }) => [key, chunks])]]);
  const taken = steps([start], entities, new Set(), weight, asked.length);
  const places = new Map(asked.map(({ key, places }) => [key, places.filter((chunk) => !(own.get(chunk) > 0))]));
  return reached(own, taken, (key) => places.get(key), most, 0);
}

function sorted(found) {
  return [...found].sort(([c, x], [d, y]) => y.score - x.score || y.whole - x.whole || c - d);
}

function inserted(ranking, gains) {
  const waiting = sorted(gains).reverse();
  const found = [];
  for (const [chunk, score] of ranking) {
    if (gains.has(chunk)) continue;
    while (waiting.length && waiting.at(-1)[1].score > score) {
      const [raised, gain] = waiting.pop();
      found.push([raised, gain.score]);
    }
    found.push([chunk, score]);
  }
  return [...found, ...waiting.reverse().map(([chunk, { score }]) => [chunk, score])];
}

/** The order of Python, where a letter beyond the basic plane comes after all others. */
function byCodePoint(x, y) {
  const [a, b] = [[...x], [...y]];
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const difference = a[i].codePointAt(0) - b[i].codePointAt(0);
    if (difference) return difference;
  }
  return a.length - b.length;
}

/**
 * The names that stand in a chunk, each with the number of all its chunks, the hits of some others, and what a language
 * model says that it is, where one did.
 * @param {import("./bundle.js").Bundle} bundle
 * @param {number} chunk
 */
export async function sharing(bundle, chunk, most, remarks) {
  const manifest = await graphOf(bundle, remarks);
  if (!manifest) return [];
  const graph = new Reader(bundle, manifest, remarks);
  const rows = (await graph.ofChunks([chunk])).get(chunk) ?? [];
  await graph.read(rows.map(([key]) => key));
  const entities = rows.map(([key]) => graph.known.get(key)).filter((own) => typeof own === "object");
  const about = new Map((await graph.said(entities)).map((own) => [own.key, own]));
  return Promise.all(
    entities.map(async ({ key, name, chunks, places }) => {
      const others = places.filter((place) => place !== chunk).slice(0, most);
      const hits = await bundle.hits(others.map((place) => [place, 0]), remarks); // prettier-ignore
      const { description, models } = about.get(key) ?? {};
      return { name, chunks, hits: hits.filter(Boolean), description, models };
    }),
  );
}

/** Reads entities of one graph. */
class Reader {
  known = new Map();

  constructor(bundle, manifest, remarks) {
    this.bundle = bundle;
    this.manifest = manifest;
    this.remarks = remarks;
  }

  /** The entities that a query names, the longest names first; a name within a longer one does not count. */
  async asked(keys, words, most) {
    const { stopWords } = this.bundle.language;
    const wanted = new Set(words.filter((word) => !stopWords.has(word)).map(singular));
    const few = new Set([...wanted].slice(0, most));
    const lookedUp = keys.filter((key) => few.has(lastWord(key)));
    await this.read(lookedUp);
    const [found, taken] = [new Map(), []];
    for (const key of lookedUp) {
      let entity = this.known.get(key);
      if (entity === undefined || taken.some((longer) => ` ${longer} `.includes(` ${key} `))) continue;
      taken.push(key);
      if (typeof entity === "string") {
        await this.read([entity]);
        entity = this.known.get(entity);
      }
      if (typeof entity === "object" && !found.has(entity.key)) found.set(entity.key, entity);
    }
    return [...found.values()];
  }

  /** Reads entities, or what a key stands for, into `known`. */
  async read(keys) {
    await Promise.all(
      keys.filter((key) => !this.known.has(key)).map(async (key) => {
        const name = await this.bundle.nameOf(this.manifest.entity_shards, lastWord(key), this.remarks);
        const shard = await this.bundle.available(name, this.remarks);
        const row = isObject(shard) && Object.hasOwn(shard, key) ? shard[key] : null;
        if (row === null) return;
        const entity = entityOf(key, row);
        if (entity) this.known.set(key, entity);
        else this.remarks.missing[name] = `'${key}' is no entity there`;
      }),
    );
  }

  /** What a language model said of entities: what each is, and what it is related to. */
  async said(asked) {
    const table = this.manifest.said_shards;
    if (!table) return [];
    const found = await Promise.all(
      asked.map(async ({ key }) => {
        const name = await this.bundle.nameOf(table, lastWord(key), this.remarks);
        const shard = await this.bundle.available(name, this.remarks);
        const row = isObject(shard) && Object.hasOwn(shard, key) ? shard[key] : null;
        const rows = row !== null && relatedOf(row);
        if (row !== null && !rows) this.remarks.missing[name] = `'${key}' is nothing that was said of an entity`;
        return rows && { key, rows, description: row[0], models: row[1] };
      }),
    );
    return found.filter(Boolean);
  }

  /** The entities of chunks. */
  async ofChunks(chunks) {
    const { group, block, chunk_shards } = this.manifest;
    const found = new Map();
    await Promise.all(
      chunks.map(async (chunk) => {
        const [slot, index] = [Math.floor(chunk / PAGE), chunk % PAGE];
        const key = `${Math.floor(slot / group)}.${Math.floor(index / block)}`;
        const name = await this.bundle.nameOf(chunk_shards, key, this.remarks);
        const shard = await this.bundle.available(name, this.remarks);
        if (shard === null) return;
        const row = chunkRow(shard, `${slot}.${Math.floor(index / block)}`, index % block);
        if (row) found.set(chunk, row);
        else this.remarks.missing[name] = `has no entities of ${key}`;
      }),
    );
    return found;
  }
}

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

function entityOf(key, row) {
  if (typeof row === "string") return row;
  if (!Array.isArray(row) || row.length !== 7) return null;
  const [name, , chunks, , , , flat] = row;
  if (typeof name !== "string" || !Array.isArray(flat) || flat.length % 2 || !whole([chunks, ...flat])) return null;
  const places = [];
  for (let i = 0; i < flat.length; i += 2) places.push(flat[i] * PAGE + flat[i + 1]);
  return { key, name: name || key, places, chunks };
}

function relatedOf(row) {
  const [, models, stated] = Array.isArray(row) && row.length === 3 ? row : [];
  if (typeof models !== "string" || !Array.isArray(stated) || !stated.every((own) => Array.isArray(own))) return null;
  const found = stated.map(([direction, relation, key, chunks]) => ({ isSource: direction === 1, relation, key, chunks, models }));
  const sound = ({ relation, key, chunks }) => [relation, key].every((own) => typeof own === "string") && whole([chunks], 1);
  return found.every(sound) ? found : null;
}

function chunkRow(shard, key, place) {
  if (!isObject(shard)) return null;
  const block = Object.hasOwn(shard, key) ? shard[key] : [];
  if (!Array.isArray(block)) return null;
  const flat = block[place] ?? [];
  if (!Array.isArray(flat) || flat.length % 2) return null;
  const pairs = [];
  for (let i = 0; i < flat.length; i += 2) pairs.push([flat[i], flat[i + 1]]);
  return pairs.every(([key, count]) => typeof key === "string" && whole([count], 1)) ? pairs : null;
}
