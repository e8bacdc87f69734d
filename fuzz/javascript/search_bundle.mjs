/**
 * Fuzzes infograph.js with one arbitrary file in a bundle: an InfographError with a known code, or an answer whose hits
 * are as `infograph.d.ts` declares them. Inputs and seeds are those of targets/search_bundle.py.
 */

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { deflateSync } from "node:zlib";

import { Client, InfographError } from "../../infograph/web/infograph.js";

const SEEDS = new URL("../corpus/search_bundle/", import.meta.url);
/** Kinds of files; each names only files of the kinds before it. */
const KINDS = "pdvwblnxym";
const BASE = "https://docs.example/";
const QUERY = "clear the cache";
const CODES = ["outside", "missing", "broken", "large", "version", "timeout", "unknown"];
const TEXTS = ["page", "page_title", "page_url", "title", "anchor", "snippet", "href", "sha256", "simhash", "url"];

/** The contents of a complete bundle by kind, from the seeds. */
export const whole = Object.fromEntries([...KINDS].map((kind) => [kind, readFileSync(new URL(`whole-${kind}`, SEEDS)).subarray(1)]));

/** The files of a bundle by address, each with the digest of its bytes in its name. */
export function packed(contents) {
  const names = {};
  const files = new Map();
  for (const kind of KINDS) {
    const text = Buffer.from(contents[kind]).toString("latin1");
    const data = Buffer.from(text.replace(/([pdvwblnxy])-\1{16}/g, (found, of) => names[of] ?? found), "latin1");
    if (kind === "m") files.set(`${BASE}_search/manifest.json`, data);
    else {
      const file = deflateSync(data, { level: 1 });
      names[kind] = `${kind}-${createHash("sha256").update(file).digest("hex").slice(0, 16)}`; // as a list has it
      files.set(`${BASE}_search/${names[kind]}.z`, file);
    }
  }
  return files;
}

/** A `fetch` that serves these files and no others. */
export function served(files) {
  return async (address) => {
    assert(address.startsWith(BASE), address);
    const file = files.get(address);
    return file ? new Response(file) : new Response(null, { status: 404 });
  };
}

/**
 * Asserts what must hold for any input.
 *
 * @param {Uint8Array} data
 */
export async function check(data) {
  const kind = String.fromCharCode(data[0]);
  const contents = data.subarray(1);
  if (kind !== "q" && !KINDS.includes(kind)) return;
  const files = packed(kind === "q" ? whole : { ...whole, [kind]: contents });
  const query = kind === "q" ? new TextDecoder().decode(contents) : QUERY;
  const client = new Client(BASE, { fetch: served(files) });
  await answered(client.search(query, { limit: 5, diversity: 0.5 }));
  await answered(client.pages(query, { limit: 5, filters: { page: "guide/cache.md" } }));
  for (const asked of [client.complete(query.slice(0, 3)), client.correct(query.slice(0, 5))]) {
    for (const [term, chunks] of (await answered(asked))?.terms ?? []) {
      assert.equal(typeof term, "string");
      assert.equal(typeof chunks, "number");
    }
  }
}

/** The answer of a call, after its types are checked; null where the call fails with a known code. */
async function answered(call) {
  let answer;
  try {
    answer = await call;
  } catch (error) {
    if (!(error instanceof InfographError)) throw error;
    assert(CODES.includes(error.code));
    return null;
  }
  for (const hit of answer.hits ?? []) sound(hit);
  for (const reason of Object.values(answer.missing)) assert(typeof reason === "string" && reason);
  return answer;
}

/** Asserts that a hit has fields of the right types. */
function sound(hit) {
  for (const field of TEXTS) assert.equal(typeof hit[field], "string", `${field}: ${hit[field]}`);
  assert.match(hit.simhash, /^[0-9a-f]{16}$/i);
  assert(Array.isArray(hit.section_path) && hit.section_path.every((heading) => typeof heading === "string"));
  for (const field of ["index", "tokens", "score"]) assert.equal(typeof hit[field], "number", field);
  hit.duplicates.forEach(sound);
}

const HOSTILE = [
  ...[null, true, -1, 0.5, 1e308, 2 ** 53, "", "\ud800", "__proto__", "constructor", [], {}, [[]], [null]],
  ...[..."pdvwblnxy"].map((kind) => `${kind}-${kind.repeat(16)}.z`),
];

/** Removes, copies or replaces one value of a JSON file; null where the input is not JSON. */
export function mutate(data, random) {
  if (!"dwblnxym".includes(String.fromCharCode(data[0]))) return null;
  let root;
  try {
    root = JSON.parse(new TextDecoder().decode(data.subarray(1)));
  } catch {
    return null;
  }
  const places = [];
  const visit = (value) => {
    if (value === null || typeof value !== "object") return;
    for (const key of Object.keys(value)) {
      places.push([value, key]);
      visit(value[key]);
    }
  };
  const box = [root];
  visit(box);
  const [holder, key] = places[random(places.length)];
  const [other, otherKey] = places[random(places.length)];
  const copy = () => JSON.parse(JSON.stringify(other[otherKey] ?? null));
  const how = random(4);
  if (how === 0) delete holder[key];
  else if (how === 1) holder[key] = HOSTILE[random(HOSTILE.length)];
  else if (how === 2) holder[key] = copy();
  else if (Array.isArray(holder)) holder.splice(Number(key), 0, copy());
  else holder[String(random(100))] = copy();
  const text = Buffer.from(JSON.stringify(box[0] ?? null));
  return new Uint8Array(Buffer.concat([data.subarray(0, 1), text]));
}
