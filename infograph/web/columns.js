/** The columns of a site's fields, as bytes ("Columns" on the page "Search bundle" of the guide). */

import { Cursor, nameAt } from "./bytes.js";
import { PAGE } from "./ranking.js";
import { whole } from "./site.js";

const TYPES = ["text", "number", "date", "flag"];
const decoder = new TextDecoder();

/** A union of sets of chunks, as they were read. */
export class ChunkSet {
  #masks = new Map();

  has(chunk) {
    const [slot, index] = [Math.floor(chunk / PAGE), chunk % PAGE];
    return (this.#masks.get(slot) ?? []).some((mask) => {
      const place = Math.floor(index / 7);
      const isWhole = mask.length === 1 && mask[0] === 0;
      return isWhole || (place < mask.length && (mask[place] >> (index % 7)) & 1);
    });
  }

  /** Reads a set and adds its chunks. */
  add(cursor) {
    const slots = [];
    let slot = 0;
    for (let left = cursor.number(); left > 0; left--) slots.push((slot += cursor.number()));
    for (const own of slots) {
      const start = cursor.at;
      while (cursor.bytes(1)[0] & 128);
      const mask = cursor.data.subarray(start, cursor.at);
      if (this.#masks.has(own)) this.#masks.get(own).push(mask);
      else this.#masks.set(own, [mask]);
    }
    return this;
  }
}

/** The chunks that have a value, of which `has` tells each. */
function valueSet(cursor) {
  const count = cursor.number();
  const [inverted, listed] = [count % 2 === 1, new ChunkSet().add(cursor)];
  return { has: (chunk) => listed.has(chunk) !== inverted };
}

/** The chunks of the wanted values in a shard, or of all of them, put into `found`. */
export function textsIn(data, wanted, found) {
  for (const cursor = new Cursor(data); !cursor.done;) {
    const value = decoder.decode(cursor.bytes(cursor.number()));
    const rest = cursor.bytes(cursor.number());
    if (!wanted || wanted.has(value)) found.set(value, valueSet(new Cursor(rest)));
  }
  return found;
}

/** The chunks below the values of a file of numbers, and its values with their chunks. */
export function numbersIn(data) {
  const cursor = new Cursor(data);
  const below = new ChunkSet().add(cursor);
  const entries = [];
  while (!cursor.done) {
    const bytes = cursor.bytes(8);
    const value = new DataView(bytes.buffer, bytes.byteOffset, 8).getFloat64(0, true);
    entries.push([value, valueSet(new Cursor(cursor.bytes(cursor.number())))]);
  }
  return { below, entries };
}

/** How many names a list has that is one text; -1 of what is none. */
export function countNames(joined) {
  return /^[a-z-]-([0-9a-f]{16}|-{16})*$/.test(joined) ? (joined.length - 2) / 16 : -1;
}

/** The names of such a list. */
export function namesIn(joined) {
  return Array.from({ length: Math.max(0, countNames(joined)) }, (_, number) => nameAt(joined, number));
}

/** What the directory of fields says of each, by name. */
export function directoryOf(value) {
  const found = new Map();
  for (const [name, given] of Object.entries(value.fields)) {
    const { type, values = 0, chunks = 0, everywhere = false, exists = "", frequent = [], files = [] } = given;
    const { bits = 0, names = "", directories = [] } = given.shards ?? {};
    const isText = type === "text" || type === "flag";
    const table = names ? countNames(names) === 2 ** bits : directories.length === Math.ceil(2 ** bits / 64);
    const sound =
      TYPES.includes(type) &&
      whole([values, chunks]) &&
      whole([bits], 0, 32) &&
      (!isText || !values || table) &&
      [exists, names, ...directories, ...files.map(({ name: own }) => own)].every((own) => typeof own === "string") &&
      files.every(({ least }) => Number.isFinite(least)) &&
      frequent.every(({ value: own }) => typeof own === "string");
    if (!sound) throw new TypeError(`${JSON.stringify(name)} is not described as fields are`);
    const shards = names ? { bits, names } : { bits, directories };
    const all = isText ? namesIn(names).filter(Boolean) : files.map(({ name: own }) => own);
    const onlyFile = all.length === 1 && !directories.length ? all[0] : "";
    found.set(name, { type, values, chunks, everywhere, exists, shards, frequent, files, isText, onlyFile });
  }
  return found;
}
