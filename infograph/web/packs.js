/**
 * Chunks that share a file, a pack: `infograph/formats/pack.py` says what it holds. Loaded when a link leads to one: to
 * `_chunks/start-0.pack.txt#3`, whose fragment is the number of the chunk in its document.
 */

import { InfographError } from "./site.js";

const FORMAT = 1;
const MOST_CHUNKS = 4096;
const LARGEST = 16_000_000;
const LARGEST_TABLE = 1 << 16;
/** Bytes of packs that are kept of a site, the most recently read ones. */
const MOST_KEPT = 1 << 24;
/** The packs that were read of each site, by address. */
const kept = new WeakMap();

/**
 * What `accept` makes of a chunk's bytes. A pack is fetched once for all of its chunks; once more, past all caches, where
 * one of them is refused, since what was kept may be of an earlier publication.
 * @template T
 * @param {import("./site.js").Site} site
 * @param {string} href of the chunk
 * @param {string} digest of the chunk; without one, what is kept is of no use
 * @param {(data: Uint8Array) => Promise<T>} accept
 * @returns {Promise<T>}
 */
export async function ofPack(site, href, digest, accept) {
  const address = site.resolve(href);
  const number = Number(href.slice(href.lastIndexOf("#") + 1));
  const packs = kept.get(site) ?? new Packs();
  kept.set(site, packs);
  const where = site.relative(address);
  const own = async (reading) => {
    const chunk = await accept(fileIn(await reading, number, where));
    const said = /^index: (\d+)$/m.exec(chunk.front_matter)?.[1];
    if (said === undefined || Number(said) === number) return chunk;
    throw new InfographError("broken", `${where}: is damaged: its chunk ${number} is the chunk ${said}`);
  };
  const first = (digest && packs.get(address)) || packs.read(site, address, "default");
  try {
    return await own(first);
  } catch (error) {
    if (error.code !== "broken") throw error;
    const newer = packs.get(address);
    return own(newer && newer !== first ? newer : packs.read(site, address, "reload"));
  }
}

/**
 * Refuses a link to a pack that names none of its chunks: it says which there are.
 * @returns {Promise<never>}
 */
export async function refuseWhole(site, href) {
  const address = site.resolve(href);
  const { first, ends } = await site.get(address, LARGEST, (data) => parsed(data, site.relative(address)));
  const last = first + ends.length - 2;
  throw new InfographError("unknown", `${href}: holds the chunks ${first} to ${last}`);
}

class Packs {
  #readings = new Map();
  #sizes = new Map();

  get(address) {
    return this.#readings.get(address);
  }

  read(site, address, cache) {
    const where = site.relative(address);
    const reading = site.get(address, LARGEST, (data) => parsed(data, where), cache);
    this.#readings.set(address, reading);
    reading.then(
      ({ data }) => this.#keep(address, reading, data.length),
      () => this.#readings.get(address) === reading && this.#drop(address),
    );
    return reading;
  }

  #keep(address, reading, size) {
    if (this.#readings.get(address) !== reading) return;
    this.#drop(address); // the newest is the last
    this.#readings.set(address, reading);
    this.#sizes.set(address, size);
    let sum = 0;
    for (const own of this.#sizes.values()) sum += own;
    for (const [oldest, own] of this.#sizes) {
      if (sum <= MOST_KEPT) break;
      this.#drop(oldest);
      sum -= own;
    }
  }

  #drop(address) {
    this.#readings.delete(address);
    this.#sizes.delete(address);
  }
}

/** The number of the first chunk of a pack, and where each ends. */
function parsed(data, where) {
  const broken = (reason) => new InfographError("broken", `${where}: ${reason}`);
  const head = new TextDecoder("latin1").decode(data.subarray(0, LARGEST_TABLE));
  const form = /^infograph pack ([1-9]\d{0,8})\n/.exec(head);
  const mark = `infograph pack ${FORMAT}\n`;
  const cutOff = `is cut off: it ends at byte ${data.length}, before its first chunk`;
  const lacks = (reason, least) =>
    data.length < least && head.split("\n").length < 3 ? cutOff : `is none of infograph's: ${reason}`;
  if (!form) throw broken(mark.startsWith(head) ? cutOff : lacks("no file of chunks", 0));
  if (Number(form[1]) !== FORMAT) throw broken(`is a file of chunks in an unknown form, ${form[1]}`);
  const table = /^chunks (0|[1-9]\d{0,9}):((?: [1-9]\d{0,9})+)\n/.exec(head.slice(form[0].length));
  if (!table) throw broken(lacks("its table of chunks cannot be read", LARGEST_TABLE));
  const sizes = table[2].trim().split(" ").map(Number);
  if (sizes.length > MOST_CHUNKS) throw broken(`has ${sizes.length} chunks, and ${MOST_CHUNKS} are the most`);
  const ends = [form[0].length + table[0].length];
  for (const size of sizes) ends.push(ends.at(-1) + size);
  if (ends.at(-1) !== data.length) {
    const told = data.length < ends.at(-1) ? "is cut off" : "goes on behind its last chunk";
    throw broken(`${told}: it has ${data.length} bytes of ${ends.at(-1)}`);
  }
  return { data, first: Number(table[1]), ends };
}

function fileIn({ data, first, ends }, number, where) {
  const at = number - first;
  if (at >= 0 && at < ends.length - 1) return data.subarray(ends[at], ends[at + 1]);
  throw new InfographError("broken", `${where}: has the chunks ${first} to ${first + ends.length - 2} and not ${number}`);
}
