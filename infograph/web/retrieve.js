/**
 * The text that a language model should read for a question, within a number of tokens: the same as infograph's client
 * in Python gives (infograph/client/retrieve.py, budget.py).
 */

import { read as chunkOf } from "./chunk.js";
import { check, chosen } from "./options.js";
import { MARKS, picked, pieces, shown as shownPieces, values } from "./packing.js";
import { MOST_CANDIDATES, planned } from "./plan.js";
import { PAGE } from "./ranking.js";
import { citations, headTokens, promptText } from "./sources.js";
import { margin, partTokens, weight, WEIGHT } from "./tokens.js";
import { cut } from "./terms.js";
import { unfound } from "./words.js";

/** Texts that are read at the same time; hits of the question itself that stand before those of its names. */
const [AT_ONCE, FIRST] = [8, 2];
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
  const { max_tokens = 2000, path, filters, rerank, exact, graph, prompts, sources = "numbers" } = options;
  check({ max_tokens, sources });
  const plan = planned(query, max_tokens, options);
  return async (bundle, remarks) => {
    const plain = { limit: MOST_CANDIDATES, offset: 0, onePerPage: false };
    const how = await chosen(query, plain, { path, filters, rerank, exact, graph, prompts });
    const { hits, total } = await bundle.find(query, how, remarks);
    if (!hits[0]) unfound({ hits, total, ...remarks }, how);
    delete remarks.confidence;
    const best = hits[0]?.score ?? 0;
    let ranked = hits.filter(({ score }) => score >= Math.min(best, plan.share * best));
    if (ranked.length && plan.names.length) ranked = withNamed(bundle, ranked, await named(bundle, plan, options, remarks));
    const searched = [query, ...Object.values(remarks.corrected)].join(" ");
    const packer = new Packer(bundle, searched, { max_tokens, sources }, remarks);
    await (plan.level === "passages" ? packer.takePieces(ranked, best, plan) : packer.take(ranked));
    await packer.join();
    const passages = inOrder(packer.kept.map(({ piece }) => piece)).map(passage);
    if (packer.more.size && !passages[0]) remarks.notes.push(nothingFits(max_tokens, plan.level));
    const { tokens } = packer;
    return {
      passages,
      text: promptText(passages, sources),
      citations: citations(passages, (hit) => packer.linesOf(hit)),
      tokens: Object.values(tokens).reduce((sum, own) => sum + own),
      more: [...packer.more.values()],
      plan: { ...plan, tokens },
    };
  };
}

/** The note of a context without a passage, though something was found. */
function nothingFits(tokens, level) {
  const wayOut = level === "passages" ? "" : "; at the level `passages` parts of chunks may";
  return `nothing that was found fits into ${tokens.toLocaleString("en")} token${tokens === 1 ? "" : "s"}${wayOut}`;
}

/** The best hit of each name of the question. */
async function named(bundle, { names }, { path, filters, exact }, remarks) {
  const found = [];
  for (const name of names) {
    const plain = { limit: FIRST, offset: 0, onePerPage: false };
    const how = await chosen(name, plain, { path, filters, exact, prompts: false });
    const told = { missing: {}, corrected: {}, notes: [] };
    const { hits } = await bundle.find(name, how, told);
    Object.assign(remarks.missing, told.missing);
    found.push(...hits.slice(0, 1));
  }
  return found;
}

/** A ranking with the best hits of the question's names behind its first ones, as good as the last of these. */
function withNamed(bundle, ranked, hits) {
  const first = ranked.slice(0, FIRST);
  const there = new Set(first.map((hit) => bundle.chunks.get(hit)));
  for (const hit of hits) {
    const number = bundle.chunks.get(hit);
    if (there.has(number)) continue;
    there.add(number);
    const own = { ...hit, score: first.at(-1).score };
    bundle.chunks.set(own, number);
    first.push(own);
  }
  return [...first, ...ranked.slice(FIRST).filter((hit) => !there.has(bundle.chunks.get(hit)))];
}

const tokensOf = (pieces) => pieces.reduce((sum, { tokens }) => sum + tokens, 0);

/** Fills one token budget with chunks. */
class Packer {
  /** Chunks that were taken: `{number, piece, runs}`. */
  kept = [];
  /** Hits that did not fit, by number of the chunk. */
  more = new Map();
  #files = new Map();
  /** What is left, with a line above each chunk: no more than there is, as chunks that follow each other share one. */
  #room;
  /** Tokens of excerpts. */
  #estimated = 0;
  /** Number of chunks that were taken before those around them. */
  #found = 0;

  constructor(bundle, query, budget, remarks) {
    this.bundle = bundle;
    this.budget = budget;
    this.#room = budget.max_tokens;
    this.remarks = remarks;
    this.query = new Set([...cut(query, bundle.language)].flatMap(({ whole, parts }) => [whole, ...parts]).filter(Boolean));
  }

  /** Tokens of what was taken, by part. */
  get tokens() {
    const own = this.kept.map(({ piece }) => piece);
    const found = own.slice(0, this.#found);
    return {
      chunks: tokensOf(found.filter(({ excerpt }) => !excerpt)),
      excerpts: tokensOf(found.filter(({ excerpt }) => excerpt)),
      around: tokensOf(own.slice(this.#found)),
      sources: this.#sources(own),
    };
  }

  /** The first and last line of a chunk that was taken. */
  linesOf(hit) {
    return this.#files.get(this.#number(hit)).lines;
  }

  /** Takes the pieces of the best chunks that a packing chooses; a chunk of which it chooses all is whole. */
  async takePieces(hits, best, plan) {
    const read = [];
    const first = hits.slice(0, plan.candidates);
    for (let start = 0; start < first.length; start += AT_ONCE) {
      const batch = first.slice(start, start + AT_ONCE);
      const texts = await this.#texts(batch);
      for (const [at, hit] of batch.entries()) {
        if (texts[at] !== null) this.#read(read, hit, texts[at]);
        else {
          const other = await this.#readableDuplicate(hit);
          if (other) this.#read(read, ...other);
        }
      }
    }
    this.#pack(read, best, plan);
    for (const hit of hits.slice(plan.candidates)) this.more.set(this.#number(hit), hit);
  }

  /** Adds a chunk to those that were read, or to the near-duplicates of one of them. */
  #read(read, hit, text) {
    const runs = shingles(text);
    const same = read.find((kept) => resemblance(runs, kept.runs) >= SAME)?.piece;
    if (same) same.duplicates.push(hit, ...hit.duplicates);
    else read.push({ number: this.#number(hit), piece: pieceOf(hit, text, hit.tokens, hit.duplicates), runs });
  }

  /** Keeps what the packing chooses of the chunks that were read; names the others. */
  #pack(read, best, plan) {
    const [owners, ranges, shares, terms, costs] = [[], [], [], [], []];
    for (const [place, { piece }] of read.entries()) {
      const whole = weight(piece.text);
      for (const [start, end] of pieces(piece.text, plan.characters)) {
        const own = piece.text.slice(start, end);
        owners.push(place);
        ranges.push([start, end]);
        shares.push(best ? piece.hit.score / best : 1);
        terms.push(termsOf(own, this.bundle));
        const [all, letters] = weight(own);
        costs.push(partTokens([all + MARKS * WEIGHT, letters], piece.tokens, whole));
      }
    }
    const heads = read.map(({ piece }) => this.#head(piece.hit));
    const worth = values(shares, terms, this.query);
    let [room, over, packed] = [this.#room, 1];
    while (over > 0) {
      packed = new Map();
      const taken = picked(plan.packing, worth, costs, room, owners, heads);
      for (const place of new Set(taken.map((at) => owners[at]))) {
        const mine = taken.filter((at) => owners[at] === place).map((at) => ranges[at]);
        const isWhole = mine.length === owners.filter((own) => own === place).length;
        packed.set(place, isWhole ? read[place].piece : partOf(read[place].piece, mine));
      }
      const own = [...packed.values()];
      const used = tokensOf(own) + [...packed.keys()].reduce((sum, place) => sum + heads[place], 0);
      over = used + margin(tokensOf(own.filter(({ excerpt }) => excerpt))) - this.#room;
      room -= over;
    }
    for (const [place, { number, piece, runs }] of read.entries()) {
      if (packed.has(place)) this.#keep(number, packed.get(place), runs);
      else this.more.set(number, piece.hit);
    }
  }

  /** Takes the chunks that fit, best first. */
  async take(hits) {
    for (let start = 0; start < hits.length; start += AT_ONCE) {
      const batch = hits.slice(start, start + AT_ONCE);
      const wanted = batch.filter((hit) => this.#room >= this.#head(hit) + Math.min(hit.tokens, SMALLEST_EXCERPT));
      const read = await this.#texts(wanted);
      const texts = new Map(wanted.map((hit, i) => [hit, read[i]]));
      for (const hit of batch) {
        if (!texts.has(hit)) this.more.set(this.#number(hit), hit);
        else if (texts.get(hit) !== null) this.#take(hit, texts.get(hit));
        else {
          const other = await this.#readableDuplicate(hit);
          if (other) this.#take(...other);
        }
      }
    }
  }

  /** In place of a chunk that cannot be read its first near-duplicate that can, with its text. */
  async #readableDuplicate({ duplicates }) {
    for (const [place, hit] of duplicates.entries()) {
      const [text] = await this.#texts([hit]);
      if (text === null) continue;
      const own = { ...hit, duplicates: duplicates.slice(place + 1) };
      this.bundle.chunks.set(own, this.#number(hit));
      return [own, text];
    }
    return null;
  }

  /** Adds parents and neighbours of the chunks that were taken, those of the best first, as room allows. */
  async join() {
    this.#found = this.kept.length;
    const around = this.kept.filter(({ piece }) => !piece.excerpt).map(({ number }) => this.#around(number));
    const numbers = [...new Set(around.flat(2))];
    const shown = await this.bundle.hits(numbers.map((number) => [number, 0]), this.remarks); // prettier-ignore
    const found = numbers.map((number, i) => [number, shown[i]]).filter(([, hit]) => hit);
    const hits = new Map([...found, ...this.more]);
    const groups = this.#fitting(around, hits);
    const read = await this.#texts(groups.flat().map((number) => hits.get(number)));
    let at = 0;
    for (const group of groups) {
      const texts = read.slice(at, (at += group.length));
      if (texts.includes(null)) continue;
      const pieces = group.map((number, i) => pieceOf(hits.get(number), texts[i], hits.get(number).tokens));
      // Without a chunk that cannot be read, passages may lie apart that were one, each with a head of its own.
      if (this.#left([...this.kept.map(({ piece }) => piece), ...pieces]) < 0) continue;
      for (const [i, number] of group.entries()) {
        this.more.delete(number);
        this.kept.push({ number, piece: pieces[i], runs: shingles(texts[i]) });
      }
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
    const there = new Map(this.kept.map(({ number, piece }) => [number, piece]));
    const groups = [];
    const fits = (numbers) => {
      const wanted = numbers.filter((number) => !there.has(number));
      if (!wanted.every((number) => hits.has(number))) return false;
      const pieces = wanted.map((number) => pieceOf(hits.get(number), "", hits.get(number).tokens));
      if (this.#left([...there.values(), ...pieces]) < 0) return false;
      for (const [i, number] of wanted.entries()) there.set(number, pieces[i]);
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
    const room = this.#room - this.#head(hit);
    if (same) {
      same.duplicates.push(hit, ...hit.duplicates);
    } else if (hit.tokens <= room) {
      this.#keep(number, pieceOf(hit, text, hit.tokens, hit.duplicates), runs);
    } else {
      const terms = (part) => termsOf(part, this.bundle);
      const spared = margin(this.#estimated + room) - margin(this.#estimated);
      const [part, tokens] =
        room >= SMALLEST_EXCERPT ? excerpt(text, hit.tokens, room - spared, terms, this.query) : [""];
      if (part) this.#keep(number, { ...pieceOf(hit, part, tokens, hit.duplicates), excerpt: true }, runs);
      else this.more.set(number, hit);
    }
  }

  #keep(number, piece, runs) {
    this.kept.push({ number, piece, runs });
    this.#room -= piece.tokens + this.#head(piece.hit);
    if (!piece.excerpt) return;
    this.#room += margin(this.#estimated);
    this.#estimated += piece.tokens;
    this.#room -= margin(this.#estimated);
  }

  /** Tokens of the lines above a passage that begins with a chunk; of those above all passages that chunks give. */
  #head(hit) {
    return headTokens(hit, this.budget.sources);
  }

  #sources(pieces) {
    return inOrder(pieces).reduce((sum, [first]) => sum + this.#head(first.hit), 0);
  }

  /** The tokens that are left beside some chunks, what their excerpts may have more, and the lines above them. */
  #left(pieces) {
    const spared = margin(tokensOf(pieces.filter(({ excerpt }) => excerpt)));
    return this.budget.max_tokens - tokensOf(pieces) - spared - this.#sources(pieces);
  }

  /** The text of each chunk; null for a missing or broken one, which the remarks then name. */
  #texts(hits) {
    // The client has its own way to see a site that was published anew.
    const holder = { refresh() {}, topic: async () => undefined };
    return Promise.all(
      hits.map(async (hit) => {
        try {
          const { readable, front_matter: front } = await chunkOf(this.bundle.site, hit, undefined, holder);
          const [count, lines] = [wholeNumber(front, "count"), linesIn(front)];
          this.#files.set(this.#number(hit), { count, lines, parents: rangesIn(front) });
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

function linesIn(front) {
  const found = /^lines: \[(\d+), (\d+)\]$/m.exec(front);
  if (!found) throw new SyntaxError("`lines` is missing or no range");
  return [Number(found[1]), Number(found[2])];
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

/** Some ranges of a chunk as an excerpt. */
function partOf(piece, ranges) {
  const text = shownPieces(piece.text, ranges);
  return { ...piece, text, tokens: partTokens(weight(text), piece.tokens, weight(piece.text)), excerpt: true };
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
  const whole = weight(text);
  const size = (part) => partTokens(weight(part), tokens, whole);
  for (const parts of [paragraphs(text), text.split("\n"), text.split(/(?<=[.!?。！？])\s+/u)]) {
    const found = bestOf(parts, (part) => size(part) <= most, terms, query);
    if (found) return [found, size(found)];
  }
  return ["", 0];
}

function bestOf(parts, fits, terms, query) {
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
    if (fits(longer)) {
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
export function termsOf(text, { language, manifest }) {
  const found = [...cut(text, language)].flatMap(({ whole, parts }) => [whole, ...parts]).filter(Boolean);
  if (!BY_CHARACTER.includes(manifest.language)) return new Set(found);
  const word = "\\p{L}\\p{M}\\p{N}_";
  const alone = new RegExp(`(?<=[${UNSPACED}])[${word}]|[${word}](?=[${UNSPACED}])`, "gu");
  return new Set([...found, ...(text.normalize("NFKC").match(alone) ?? [])]);
}
