/**
 * The text that a language model should read for a question, within a number of tokens: the same as infograph's client
 * in Python gives (infograph/client/retrieve.py, budget.py).
 */

import { read as chunkOf } from "./chunk.js";
import { check, chosen } from "./options.js";
import { PAGE } from "./ranking.js";
import { cut } from "./terms.js";
import { unfound } from "./words.js";

/** Most hits that are considered, and texts that are read at the same time. */
const [CANDIDATES, AT_ONCE] = [40, 8];
/** Least share of the best score that a chunk must have; one that a walk along the graph led to. */
const [RELEVANT, WALKED] = [0.6, 0.3];
/** Least tokens of an excerpt; most chunks of a parent that is joined. */
const [SMALLEST_EXCERPT, LARGEST_PARENT] = [64, 8];
/** Words in a run by which texts are compared, and the least resemblance of near-duplicates. */
const [SHINGLE, SAME] = [4, 0.7];
const LEFT_OUT = "…";
/** Languages whose sites are searched by single characters. */
const BY_CHARACTER = ["ja", "ko", "zh"];
const UNSPACED =
  "\\u0e00-\\u0eff\\u1000-\\u109f\\u1780-\\u17ff\\u3005-\\u3007\\u3040-\\u30ff\\u31f0-\\u31ff\\u3400-\\u4dbf\\u4e00-\\u9fff\\uac00-\\ud7af\\uf900-\\ufaff\\u{20000}-\\u{3ffff}";

/**
 * What answers `Client.retrieve`.
 * @returns {(bundle: import("./bundle.js").Bundle, remarks: import("./bundle.js").Remarks) => Promise<object>}
 */
export function retrieve(query, options) {
  const { max_tokens = 2000, path, filters, rerank, exact, graph, prompts } = options;
  check({ max_tokens });
  return async (bundle, remarks) => {
    const plain = { limit: CANDIDATES, offset: 0, onePerPage: false };
    const how = await chosen(query, plain, { path, filters, rerank, exact, graph, prompts });
    const { hits, total } = await bundle.find(query, how, remarks);
    if (!hits[0]) unfound({ hits, total, ...remarks }, how);
    delete remarks.confidence;
    const packer = new Packer(bundle, [query, ...Object.values(remarks.corrected)].join(" "), max_tokens, remarks);
    const best = hits[0]?.score ?? 0;
    await packer.take(hits.filter(({ score, path: walked }) => score >= Math.min(best, (walked ? WALKED : RELEVANT) * best)));
    await packer.join();
    const passages = inOrder(packer.kept.map(({ piece }) => piece)).map(passage);
    const tokens = passages.reduce((sum, { tokens: own }) => sum + own, 0);
    return { passages, tokens, more: [...packer.more.values()] };
  };
}

/** Fills one token budget with chunks. */
class Packer {
  /** Chunks that were taken: `{number, piece, runs}`. */
  kept = [];
  /** Hits that did not fit, by number of the chunk. */
  more = new Map();
  #files = new Map();

  constructor(bundle, query, room, remarks) {
    this.bundle = bundle;
    this.room = room;
    this.remarks = remarks;
    this.query = new Set([...cut(query, bundle.language)].flatMap(({ whole, parts }) => [whole, ...parts]).filter(Boolean));
  }

  /** Takes the chunks that fit, best first. */
  async take(hits) {
    for (let start = 0; start < hits.length; start += AT_ONCE) {
      const batch = hits.slice(start, start + AT_ONCE);
      const wanted = batch.filter(({ tokens }) => this.room >= Math.min(tokens, SMALLEST_EXCERPT));
      const read = await this.#texts(wanted);
      const texts = new Map(wanted.map((hit, i) => [hit, read[i]]));
      for (const hit of batch) {
        if (!texts.has(hit)) this.more.set(this.#number(hit), hit);
        else if (texts.get(hit) !== null) this.#take(hit, texts.get(hit));
        else await this.#takeDuplicate(hit);
      }
    }
  }

  /** Takes, in place of a chunk that cannot be read, its first near-duplicate that can. */
  async #takeDuplicate({ duplicates }) {
    for (const [place, hit] of duplicates.entries()) {
      const [text] = await this.#texts([hit]);
      if (text === null) continue;
      const own = { ...hit, duplicates: duplicates.slice(place + 1) };
      this.bundle.chunks.set(own, this.#number(hit));
      this.#take(own, text);
      return;
    }
  }

  /** Adds parents and neighbours of the chunks that were taken, those of the best first, as room allows. */
  async join() {
    const around = this.kept.filter(({ piece }) => !piece.excerpt).map(({ number }) => this.#around(number));
    const numbers = [...new Set(around.flat(2))];
    const shown = await this.bundle.hits(numbers.map((number) => [number, 0]), this.remarks); // prettier-ignore
    const hits = new Map(numbers.map((number, i) => [number, shown[i]]).filter(([, hit]) => hit));
    const groups = this.#fitting(around, hits);
    const read = await this.#texts(groups.flat().map((number) => hits.get(number)));
    let at = 0;
    for (const group of groups) {
      const texts = read.slice(at, (at += group.length));
      if (texts.includes(null)) continue;
      group.forEach((number, i) => {
        const hit = this.more.get(number) ?? hits.get(number);
        this.more.delete(number);
        this.#keep(number, pieceOf(hit, texts[i], hit.tokens), shingles(texts[i]));
      });
    }
  }

  /** The chunks of the nearest parent, and the neighbours. */
  #around(number) {
    const { count, parents } = this.#files.get(number);
    const index = number % PAGE;
    const [first, end] = parents.find(
      ([from, to]) => from <= index && index < to && to <= Math.min(count, from + LARGEST_PARENT),
    ) ?? [0, 0];
    const base = number - index;
    const beside = [index + 1, index - 1].filter((near) => near >= 0 && near < count);
    return [Array.from({ length: end - first }, (_, i) => base + first + i), beside.map((near) => base + near)];
  }

  /** The groups to add, each whole or not at all: parents where there is room, else neighbours. */
  #fitting(around, hits) {
    const there = new Set(this.kept.map(({ number }) => number));
    const groups = [];
    let { room } = this;
    const fits = (numbers) => {
      const wanted = numbers.filter((number) => !there.has(number));
      const tokens = wanted.reduce((sum, number) => sum + (hits.get(number)?.tokens ?? 0), 0);
      if (!wanted.every((number) => hits.has(number)) || tokens > room) return false;
      room -= tokens;
      for (const number of wanted) there.add(number);
      groups.push(wanted);
      return true;
    };
    for (const [parent, beside] of around) {
      if (!(parent.length && fits(parent))) beside.forEach((number) => fits([number]));
    }
    return groups;
  }

  #take(hit, text) {
    const runs = shingles(text);
    const number = this.#number(hit);
    const same = this.kept.find((kept) => resemblance(runs, kept.runs) >= SAME)?.piece;
    if (same) {
      same.duplicates.push(hit, ...hit.duplicates);
    } else if (hit.tokens <= this.room) {
      this.#keep(number, pieceOf(hit, text, hit.tokens, hit.duplicates), runs);
    } else {
      const terms = (part) => termsOf(part, this.bundle);
      const [part, tokens] =
        this.room >= SMALLEST_EXCERPT ? excerpt(text, hit.tokens, this.room, terms, this.query) : [""];
      if (part) this.#keep(number, { ...pieceOf(hit, part, tokens, hit.duplicates), excerpt: true }, runs);
      else this.more.set(number, hit);
    }
  }

  #keep(number, piece, runs) {
    this.kept.push({ number, piece, runs });
    this.room -= piece.tokens;
  }

  /** The text of each chunk; null for a missing or broken one, which the remarks then name. */
  #texts(hits) {
    // The client has its own way to see a site that was published anew.
    const holder = { refresh() {}, topic: async () => undefined };
    return Promise.all(
      hits.map(async (hit) => {
        try {
          const { readable, front_matter: front } = await chunkOf(this.bundle.site, hit, undefined, holder);
          this.#files.set(this.#number(hit), { count: wholeNumber(front, "count"), parents: rangesIn(front) });
          return readable;
        } catch (error) {
          this.remarks.missing[hit.href] = error.message;
          return null;
        }
      }),
    );
  }

  #number(hit) {
    return this.bundle.chunks.get(hit);
  }
}

function wholeNumber(front, key) {
  const found = new RegExp(`^${key}: (\\d+)$`, "m").exec(front);
  if (!found) throw new SyntaxError(`\`${key}\` is missing or no number`);
  return Number(found[1]);
}

/** Chunks that belong to a parent, as ranges of numbers. */
function rangesIn(front) {
  const line = /^parents: (.*)$/m.exec(front)?.[1] ?? "[]";
  if (!/^\[(?:\[\d+, \d+\](?:, \[\d+, \d+\])*)?\]$/.test(line)) throw new SyntaxError("`parents` is no list of ranges");
  return JSON.parse(line);
}

function pieceOf(hit, text, tokens, duplicates = []) {
  return { hit, text, tokens, excerpt: false, duplicates: [...duplicates] };
}

/** @param {object[]} run pieces that follow each other */
function passage(run) {
  return {
    text: run.map(({ text }) => text).join(""),
    tokens: run.reduce((sum, { tokens }) => sum + tokens, 0),
    excerpt: run[0].excerpt,
    hits: run.map(({ hit }) => hit),
    duplicates: run.flatMap(({ duplicates }) => duplicates),
  };
}

/** The runs of words of a text; for one with fewer words, all of them as one run. */
export function shingles(text) {
  const words = (text.match(/[\p{L}\p{N}_]+/gu) ?? []).map((word) => word.toLowerCase());
  const runs = new Set();
  for (let at = 0; at + SHINGLE <= words.length; at++) runs.add(words.slice(at, at + SHINGLE).join(" "));
  return runs.size ? runs : new Set([words.join(" ")]);
}

/** 0 for nothing in common, 1 for the same runs. */
export function resemblance(a, b) {
  let both = 0;
  for (const run of a) both += b.has(run);
  return both / (a.size + b.size - both);
}

/** Runs of whole neighbours: the page with the best chunk first, each page in its own order. */
export function inOrder(pieces) {
  const pages = new Map();
  for (const piece of [...pieces].sort((a, b) => b.hit.score - a.hit.score)) {
    pages.set(piece.hit.page, [...(pages.get(piece.hit.page) ?? []), piece]);
  }
  const runs = [];
  for (const page of pages.values()) {
    let last;
    for (const piece of page.sort((a, b) => a.hit.index - b.hit.index)) {
      const joins = last && piece.hit.index === last.hit.index + 1 && !last.excerpt && !piece.excerpt;
      if (joins) runs.at(-1).push(piece);
      else runs.push([piece]);
      last = piece;
    }
  }
  return runs;
}

/**
 * The parts of a text with most of the query's terms, in no more than `most` tokens, and their number; empty where
 * nothing of it fits.
 * @param {(text: string) => Set<string>} terms
 * @returns {[string, number]}
 */
export function excerpt(text, tokens, most, terms, query) {
  const each = tokens / Math.max(1, lengthOf(text));
  const room = each ? Math.floor(most / each) : lengthOf(text);
  for (const parts of [paragraphs(text), text.split("\n"), text.split(/(?<=[.!?。！？])\s+/u)]) {
    const found = bestOf(parts, room, terms, query);
    if (found) return [found, Math.ceil(lengthOf(found) * each)];
  }
  return ["", 0];
}

/** Characters as Python counts them. */
function lengthOf(text) {
  let pairs = 0;
  for (let at = 0; at < text.length; at++) if (text.codePointAt(at) > 0xffff) pairs++;
  return text.length - pairs;
}

function bestOf(parts, room, terms, query) {
  const found = new Map();
  parts.forEach((part, place) => {
    const own = new Set([...terms(part)].filter((term) => query.has(term)));
    if (own.size) found.set(place, own);
  });
  const chosen = new Set();
  const covered = new Set();
  let best = "";
  while (found.size) {
    const worth = (place) => [[...found.get(place)].filter((term) => !covered.has(term)).length, found.get(place).size];
    const place = [...found.keys()].reduce((a, b) => {
      const [x, y] = [worth(a), worth(b)];
      return y[0] - x[0] || y[1] - x[1] ? (y[0] > x[0] || (y[0] === x[0] && y[1] > x[1]) ? b : a) : Math.min(a, b);
    });
    const longer = shown(parts, new Set([...chosen, place]));
    if (lengthOf(longer) <= room) {
      best = longer;
      chosen.add(place);
      for (const term of found.get(place)) covered.add(term);
    }
    found.delete(place);
  }
  return best;
}

function shown(parts, chosen) {
  const lines = [];
  let last = -1;
  for (const place of [...chosen].sort((a, b) => a - b)) {
    if (place !== last + 1) lines.push(LEFT_OUT);
    lines.push(parts[place].replace(/^[\r\n]+/, "").trimEnd());
    last = place;
  }
  if (last !== parts.length - 1) lines.push(LEFT_OUT);
  return lines.join("\n\n");
}

/** A text cut at blank lines; a fence stays whole, and a heading stays with what follows. */
function paragraphs(text) {
  const parts = [];
  let open = "";
  for (const part of text.split(/\n[ \t\r]*\n/)) {
    open = open ? `${open}\n\n${part}` : part;
    const isHeading = part.trimStart().startsWith("#") && !part.trim().includes("\n");
    const fences = open.match(/^ {0,3}(?:```|~~~)/gm)?.length ?? 0;
    if (fences % 2 === 0 && !isHeading) {
      parts.push(open);
      open = "";
    }
  }
  return open ? [...parts, open] : parts;
}

/** The terms that the index has of a text: wholes and parts alike, and single characters of scripts without spaces. */
function termsOf(text, { language, manifest }) {
  const found = [...cut(text, language)].flatMap(({ whole, parts }) => [whole, ...parts]).filter(Boolean);
  if (!BY_CHARACTER.includes(manifest.language)) return new Set(found);
  const word = "\\p{L}\\p{M}\\p{N}_";
  const alone = new RegExp(`(?<=[${UNSPACED}])[${word}]|[${word}](?=[${UNSPACED}])`, "gu");
  return new Set([...found, ...(text.normalize("NFKC").match(alone) ?? [])]);
}
