/** The files of `_search/`, read: the same answers as infograph's reader in Python gives. */

import { Cursor, frontDecoded, hash32, nameAt, sha256 } from "./bytes.js";
import { EXAMINED_AT_ONCE, MOST_EXAMINED, PAGE, collapse, isKnown, rank, reach, readEntry } from "./ranking.js";
import { InfographError, Memory, gather, json, whole } from "./site.js";
import { stemEnglish } from "./english.js";
import { cut } from "./terms.js";

const FORMAT = 1;
const MANIFEST = "_search/manifest.json";
const LARGEST_MANIFEST = 1 << 22;
/** Whatever a manifest says. */
const LARGEST_SHARD = 1 << 26;
/** Names in a directory. */
const DIRECTORY = 64;
const SHARDS_REMEMBERED = 512;
/** Distinct words of a query that are looked up. */
const MOST_WORDS = 64;

/**
 * What an answer goes without (file to reason), and what else to know of it.
 * @typedef {{missing: Record<string, string>, corrected: Record<string, string>, notes: string[]}} Remarks
 */

/** Whether there is a name for every shard of a table. */
export function isTable({ bits, names, directories }) {
  const files = names ? 2 + 16 * 2 ** bits : Math.ceil(2 ** bits / DIRECTORY);
  return whole([bits], 0, 32) && (names ?? directories).length === files && areTexts([names ?? directories].flat());
}

/** The search of a site as one manifest describes it. */
export class Bundle {
  #shards = new Memory(SHARDS_REMEMBERED);
  /** The chunk of each hit. */
  chunks = new WeakMap();

  /**
   * @param {import("./site.js").Site} site
   * @param {Record<string, (word: string) => string>} stemmers by language, beside those there are
   * @param {RequestCache} cache
   */
  static async open(site, stemmers, cache) {
    if (/federation.json$/.test(site.url)) return (await import("./federation.js")).open(site, stemmers, cache);
    const bundle = new Bundle(site, await site.get(site.resolve(MANIFEST), LARGEST_MANIFEST, json, cache), stemmers);
    if (bundle.stemless) await (await import("./languages.js")).giveStemmer(bundle);
    return bundle;
  }

  constructor(site, manifest, stemmers) {
    this.site = site;
    this.manifest = manifest;
    if (manifest?.format !== FORMAT) {
      const reason = `its format is ${manifest?.format}, not ${FORMAT}: update infograph.js, or build the site again`;
      throw new InfographError("version", `${MANIFEST}: ${reason}`);
    }
    try {
      const { bm25, chunks, neighbour, language } = manifest;
      const { k1, b, average_length: average, counts, lengths, fields, identifier = 1 } = bm25;
      /** The part of a term for each impact of a posting, with a share of what fields add. */
      this.saturate = (share) =>
        Float64Array.from({ length: 1024 }, (_, impact) => {
          const [gain, count, length] = [fields[impact >> 8], counts[(impact >> 5) & 7], lengths[impact & 31]];
          return share * gain + (count * (k1 + 1)) / (count + k1 * (1 - b + (b * length) / Math.max(1, average)));
        });
      this.saturation = this.saturate(1);
      const stem = { __proto__: null, en: stemEnglish, ...stemmers }[language];
      this.stemless = !stem;
      const elides = ["ca", "fr", "it"].includes(language);
      this.language = { stem: stem ?? String, stopWords: new Set(frontDecoded(manifest.stop_words)), elides };
      const { block, group, largest_shard: largest, vectors, postings, documents, vector_shards } = manifest;
      const { dimension, model = "", weight = 0, fields: beside = 1, map = "" } = vectors;
      const { dictionary = {}, fields: columns = "", links = { share: 0, leaders: 1, after: 1, shards: postings } } =
        manifest;
      const { directory = "", backwards = "", letters = "" } = dictionary;
      const { share, leaders, after, shards: lists } = links;
      const sound =
        [postings, documents, vector_shards, lists].every(isTable) &&
        dictionary.constructor === Object &&
        areTexts([language, model, map, directory, backwards, letters, columns]) &&
        counts.length + lengths.length + fields.length === 44 && // fewer of any would give no number above
        whole([chunks, largest]) &&
        whole([block, group, dimension, ...counts, ...lengths], 1) &&
        whole([leaders, after], 1, 64) &&
        [...this.saturation, ...fields, k1, b, average, neighbour, weight, beside, share, identifier].every(
          Number.isFinite,
        ) &&
        Math.min(k1, average, b, 1 - b, share, identifier) >= 0;
      if (!sound) throw new TypeError("its numbers do not fit");
    } catch ({ message }) {
      throw new InfographError("broken", `${MANIFEST}: malformed: ${message}`);
    }
  }

  /**
   * The best chunks, or the best chunk of each of the best pages; `passes` says which ones, or is null.
   * @param {Remarks} remarks
   */
  async find(query, how, remarks) {
    const { limit, offset, onePerPage, collapsed, diversity, rerank, links, graph, prompts, narrow } = how;
    const { allows, passes, count, fewer } = narrow ? ((await narrow(this, remarks)) ?? {}) : how;
    if ((how.undecided = Boolean(narrow && !count))) return { hits: [], total: 0, total_relation: "gte", facets: {} };
    const entries = await this.entries(query, how, remarks);
    const asking = prompts && "questions" in this.manifest && (await import("./question.js"));
    const known = asking && (await asking.knownOf(this, query, remarks, allows));
    const keep = (items) => (allows ? items.filter(([chunk]) => allows(chunk)) : items);
    let ranked = rank(entries, this.saturation, this.manifest);
    const { most: top } = ranked;
    if (asking && !rerank) ranked = asking.raised(ranked, known);
    ranked = keep(ranked);
    if (rerank) {
      ranked = await (await import("./reranking.js")).reranked(this, entries, query, rerank, ranked, passes, remarks);
    }
    const linking = graph ?? (links && this.manifest.links && (await import("./links.js")));
    const led = new Map();
    if (linking) ranked = keep(await linking.linked(this, ranked, led, remarks, keep));
    if (asking) ranked = asking.pinned(ranked, known);
    const curtailed = allows && entries.some(({ df, postings }) => df > postings.chunks.length);
    if (curtailed && ranked.length < offset + limit) remarks.notes.push(fewer);
    const facets = count?.(ranked.map(([chunk]) => chunk)) ?? {};
    const seen = new Set();
    const isNew = ([chunk]) => {
      const slot = Math.floor(chunk / PAGE);
      return !onePerPage || (!seen.has(slot) && seen.add(slot));
    };
    if (!passes) ranked = ranked.filter(isNew);
    const mixing = diversity ? await import("./diversity.js") : null;
    const end = offset + limit;
    const wanted = Math.max(end, mixing?.DIVERSIFIED ?? 0);
    const most = passes || collapsed || mixing ? Math.min(ranked.length, MOST_EXAMINED) : 0;
    const every = [];
    let [at, hits] = [0, []];
    while (at < most && hits.length < wanted && offset < ranked.length) {
      const left = ranked.slice(at, most);
      const size = passes ? EXAMINED_AT_ONCE : reach(left, wanted - hits.length, this.manifest.group);
      const some = await this.hits(left.slice(0, size), remarks);
      some.forEach((hit, i) => hit && (!passes || (passes(hit) && isNew(left[i]))) && every.push(hit));
      hits = collapsed ? collapse(every) : every;
      at += size;
    }
    if (mixing) hits = await mixing.mixed(this, hits, diversity, remarks);
    const best = hits[0]?.score ?? (!passes && ranked[0]?.[1]);
    remarks.confidence ??= Math.min(1, best / top) || 0;
    let total = hits.length;
    const shown = hits.slice(offset, end);
    if (!passes) {
      total += ranked.length - every.length;
      // What was not looked at is not collapsed.
      const [from, to] = [offset, end].map((place) => at + Math.max(0, place - hits.length));
      if (at >= most) shown.push(...(await this.hits(ranked.slice(from, to), remarks)));
    } else if (at >= MOST_EXAMINED && at < ranked.length) {
      remarks.notes.push(`only the best ${MOST_EXAMINED} of ${ranked.length} chunks were held against the filter`);
    }
    const lost = Object.keys(remarks.missing).length || curtailed;
    const unlike = lost || (passes && at < ranked.length) ? "gte" : "lte";
    const total_relation = unlike === "lte" && (!collapsed || at >= ranked.length) ? "eq" : unlike;
    if (linking) await linking.explain(this, shown, led, remarks);
    if (asking) asking.tell(this, shown, known);
    return { hits: shown.filter(Boolean), total, total_relation, facets };
  }

  async entries(query, { exact }, remarks) {
    const words = new Map();
    for (const terms of cut(query, this.language)) {
      const word = `${terms.whole} ${terms.parts}`;
      if (words.size === MOST_WORDS && !words.has(word)) {
        remarks.notes.push(`only the first ${MOST_WORDS} words of the query were looked up`);
        break;
      }
      if (!words.has(word)) words.set(word, terms);
    }
    const few = words.size < 2 && (!words.size || /[^\p{L}\p{N}]/u.test(query.trim())) && (await import("./words.js"));
    const heading = few && !this.stemless ? few.headingTerm(query, this.language) : "";
    let asked = [...words.values()];
    if (this.stemless) asked = await (await import("./words.js")).stems(this, asked, remarks);
    const found = new Map();
    const chosen = () => [...new Set(asked.flatMap(({ whole, parts }) => [whole, ...parts]).filter(Boolean))];
    await this.lookUp([...chosen(), heading].filter(Boolean), found, remarks);
    if (!words.size && !found.size) few.unsearchable(query, remarks);
    // Where a file is missing nobody knows which words the site has.
    const unsure = exact || this.stemless || Object.keys(remarks.missing).length;
    if (!unsure && !asked.every((terms) => isKnown(terms, found))) {
      asked = await (await import("./slips.js")).corrected(this, query, asked, found, remarks);
      await this.lookUp(chosen(), found, remarks);
    }
    const wholes = new Set(asked.filter(({ identifier }) => identifier).map(({ whole }) => whole));
    const { identifier = 1 } = this.manifest.bm25;
    const weighed = (term) => found.has(term) && { ...found.get(term), term, weight: wholes.has(term) ? identifier : 1 };
    return [heading, ...chosen()].map(weighed).filter(Boolean);
  }

  /** Puts the entries of terms into `found`, where there are any. */
  async lookUp(terms, found, remarks) {
    const shards = new Map();
    const place = async (term) => {
      const name = await this.nameOf(this.manifest.postings, term, remarks);
      shards.set(name, (shards.get(name) ?? new Set()).add(term));
    };
    await Promise.all(terms.filter((term) => !found.has(term)).map(place));
    await Promise.all(
      [...shards].map(async ([name, wanted]) => {
        const data = await this.available(name, remarks);
        try {
          for (const cursor = new Cursor(data ?? []); !cursor.done;) {
            const term = decoder.decode(cursor.bytes(cursor.number()));
            const rest = cursor.bytes(cursor.number());
            if (wanted.has(term)) found.set(term, readEntry(new Cursor(rest)));
          }
        } catch (error) {
          remarks.missing[name] = error.message;
        }
      }),
    );
  }

  /** What is shown of chunks with their scores; null for one that cannot be had. */
  hits(ranked, remarks) {
    return Promise.all(
      ranked.map(async ([chunk, score]) => {
        const [index, size] = [chunk % PAGE, this.manifest.block];
        const key = `${Math.floor(chunk / PAGE)}.${Math.floor(index / size)}`;
        const name = await this.blockFile(this.manifest.documents, chunk, remarks);
        const shard = await this.available(name, remarks);
        try {
          const [page, page_title, page_url, rows, hashes] = shard[key];
          const [title, section_path, anchor, snippet, tokens, href, sha256] = rows[index % size];
          const simhash = hashes.slice(16 * (index % size)).slice(0, 16);
          const texts = [page, page_title, page_url, title, anchor, snippet, href, sha256, ...section_path];
          const sound = Array.isArray(section_path) && whole([tokens]) && /^[0-9a-f]{16}$/.test(simhash);
          if (sound && areTexts(texts)) {
            const url = page_url ? this.#open(page_url, anchor) : this.#open(href);
            const hit = {
              page, page_title, page_url, index, title, section_path, anchor, snippet, tokens, href, sha256, score,
              simhash, url, duplicates: [], hops: 0,
            }; // prettier-ignore
            this.chunks.set(hit, chunk);
            return hit;
          }
        } catch {
          // There is no such row.
        }
        if (name) remarks.missing[name] ??= `has nothing of ${key}`;
        return null;
      }),
    );
  }

  /** Address of the rendered page at the heading, or of the chunk: a link, which may lead anywhere. */
  #open(pageUrl, anchor) {
    try {
      const url = new URL(pageUrl, this.site.base);
      if (anchor) url.hash = anchor;
      return /^https?:$/.test(url.protocol) ? url.href : "";
    } catch {
      return "";
    }
  }

  /** The file of a chunk's block. */
  blockFile(table, chunk, remarks) {
    const group = Math.floor(chunk / PAGE / this.manifest.group);
    return this.nameOf(table, `${group}.${Math.floor((chunk % PAGE) / this.manifest.block)}`, remarks);
  }

  async nameOf(table, key, remarks) {
    const number = table.bits ? hash32(key) >>> (32 - table.bits) : 0;
    if (table.names) return nameAt(table.names, number);
    const names = await this.available(table.directories[Math.floor(number / DIRECTORY)], remarks);
    return typeof names === "string" ? nameAt(names, number % DIRECTORY) : "";
  }

  /** What a shard holds: bytes of postings and vectors, the value of others. Null where it cannot be had. */
  async available(name, remarks) {
    if (!name || name in remarks.missing) return null;
    try {
      return await this.#shards.get(name, () => this.#load(name));
    } catch (error) {
      remarks.missing[name] = error.message;
      return null;
    }
  }

  /** A shard, whose name has to be its digest: not another build's, not half of it. */
  async #load(name) {
    if (!/^[a-z]-[0-9a-f]{16}\.z$/.test(name)) throw new InfographError("broken", "no name of a shard");
    const most = Math.min(this.manifest.largest_shard, LARGEST_SHARD);
    const folder = "egkr".includes(name[0]) ? "_graph/" : "_search/";
    return this.site.get(this.site.resolve(folder + name), most, async (packed) => {
      if ((await sha256(packed)).slice(0, 16) !== name.slice(2, 18)) {
        throw new InfographError("broken", `${name}: not the file of its name`);
      }
      const data = await gather(
        new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate")),
        most,
        name,
      );
      return "pvmc".includes(name[0]) ? data : json(data);
    });
  }
}

const decoder = new TextDecoder();
export const areTexts = (values) => values.every((value) => typeof value === "string");
