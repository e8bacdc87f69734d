/**
 * Coverage-guided fuzzing of modules as they are shipped, with Node.js alone: no dependency, no build, no loader.
 *
 *     node engine.mjs TARGET.mjs --seconds 20 --modules infograph/web/ --artifacts DIR [--seed 1] FOLDER…
 *
 * Why not Jazzer.js: its release for ES modules (4.0) is a binary for glibc 2.38 and later, which Debian 12 does not
 * have, and earlier ones do not instrument ES modules. V8 counts how often each part of a script ran
 * (`Profiler.takePreciseCoverage`, a quarter of a millisecond), which is all that libFuzzer's search needs: an input is
 * kept when a part ran for the first time, or for the first time in this order of magnitude.
 *
 * A target exports `check(data)`, which throws where something is wrong, and may export `mutate(data, random)` for
 * mutations that keep the structure of its inputs. The last line of the output is JSON: executions, share of the text
 * that ran, …; exit status 1 is a crash.
 */

import { createHash } from "node:crypto";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { Worker } from "node:worker_threads";

/** Milliseconds that one input may take. */
const SLOWEST = 10_000;
/** Most bytes of a generated input; seeds may be larger. */
const LARGEST = 4096;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: "string", default: "20" },
    seed: { type: "string", default: "1" },
    modules: { type: "string" },
    artifacts: { type: "string", default: "." },
    dictionary: { type: "string" },
  },
});
const [path, ...folders] = positionals;
const random = generator(Number(values.seed));
const watched = new SharedArrayBuffer(16 + (1 << 20));
const words = values.dictionary ? dictionary(readFileSync(values.dictionary, "latin1")) : [];

const session = new Session();
session.connect();
await session.post("Profiler.enable");
await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
const modules = pathToFileURL(resolve(values.modules)).href;
const target = await import(pathToFileURL(resolve(path)).href);

const watchdog = new Worker(new URL("watchdog.mjs", import.meta.url), {
  workerData: { watched, milliseconds: SLOWEST, file: join(values.artifacts, "slow-input") },
});
watchdog.unref();
let unhandled = null;
process.on("unhandledRejection", (error) => (unhandled ??= error));

/** For each function, the orders of magnitude in which each of its characters ran, as bits. */
const seen = new Map();
const kept = [];
let executions = 0;
let slowest = 0;

/** Runs one input; returns whether it reached anything new. */
async function tried(data) {
  announce(data);
  const begun = performance.now();
  try {
    await target.check(data);
    await new Promise(setImmediate); // by then Node.js has reported unhandled rejections
    if (unhandled) throw unhandled;
  } catch (error) {
    const file = join(values.artifacts, `crash-${createHash("sha256").update(data).digest("hex").slice(0, 16)}`);
    writeFileSync(file, data);
    console.error(`${file}\n`, error);
    report("crash");
    process.exit(1);
  }
  slowest = Math.max(slowest, performance.now() - begun);
  executions++;
  const { result } = await session.post("Profiler.takePreciseCoverage");
  const scripts = result.filter(({ url }) => url.startsWith(modules));
  return scripts.map(({ url, functions }) => functions.map((each) => counted(url, each)).some(Boolean)).some(Boolean);
}

/**
 * Records how often each part of a function ran; returns whether that is new. A block with the count of the enclosing
 * one has no range of its own, so that counts are recorded by character.
 */
function counted(url, { ranges }) {
  const [{ startOffset: start, endOffset: end }] = ranges;
  const key = `${url}:${start}:${end}`;
  const bits = new Uint8Array(end - start);
  for (const { startOffset, endOffset, count } of ranges) {
    bits.fill(count && 1 << Math.min(7, Math.floor(Math.log2(count))), startOffset - start, endOffset - start);
  }
  const before = seen.get(key) ?? seen.set(key, new Uint8Array(end - start)).get(key);
  let fresh = false;
  bits.forEach((bit, i) => {
    if (!(bit & ~before[i])) return;
    before[i] |= bit;
    fresh = true;
  });
  return fresh;
}

/** Tells the watchdog that an input begins, and its bytes. */
function announce(data) {
  const state = new Int32Array(watched, 0, 2);
  const size = Math.min(data.length, watched.byteLength - 16);
  new Uint8Array(watched, 16).set(data.subarray(0, size));
  Atomics.store(state, 1, size);
  Atomics.add(state, 0, 1);
}

/** An input with one mutation or more. */
function mutated(data) {
  let made = data;
  do {
    made = (target.mutate && random(2) && target.mutate(made, random)) || spliced(made);
  } while (random(2));
  return made.length > LARGEST ? made.subarray(0, LARGEST) : made;
}

/** An input with bytes changed, removed, repeated or inserted: random ones, of the dictionary, of another input. */
function spliced(data) {
  const at = random(data.length + 1);
  const size = Math.min(data.length - at, random(2) ? 1 + random(4) : random(data.length + 1));
  const other = kept.length ? kept[random(kept.length)] : data;
  const from = random(other.length + 1);
  const insertions = [
    () => Uint8Array.of(random(256)),
    () => Uint8Array.from({ length: 1 + random(4) }, () => random(256)),
    () => Uint8Array.of([0, 1, 127, 128, 255][random(5)]),
    () => new Uint8Array(0),
    () => Uint8Array.from(data.subarray(at, at + size), (byte) => byte ^ (1 << random(8))),
    () => Buffer.concat(Array(1 + random(8)).fill(data.subarray(at, at + size))),
    () => other.subarray(from, from + random(other.length - from + 1)),
    () => (words.length ? words[random(words.length)] : Uint8Array.of(random(256))),
    () => Buffer.from(String([0, -1, 2 ** 31, 2 ** 32, 2 ** 53, 1e308][random(6)])),
  ];
  const inserted = insertions[random(insertions.length)]();
  return new Uint8Array(Buffer.concat([data.subarray(0, at), inserted, data.subarray(at + (random(2) ? size : 0))]));
}

/** The words of a dictionary in libFuzzer's format: a quoted string in each line, bytes as \xNN. */
function dictionary(text) {
  const lines = text.split("\n").filter((line) => line.startsWith('"'));
  const unescaped = (line) =>
    line.slice(1, -1).replace(/\\(?:x([0-9a-fA-F]{2})|(.))/g, (_, hex, other) => (hex ? String.fromCharCode(parseInt(hex, 16)) : other));
  return lines.map((line) => new Uint8Array(Buffer.from(unescaped(line), "latin1")));
}

/** A generator of integers below a bound, the same for the same seed (mulberry32). */
function generator(state) {
  return (bound) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * bound);
  };
}

/** Prints the figures as JSON. */
function report(end) {
  const functions = [...seen.values()];
  const characters = functions.reduce((sum, each) => sum + each.length, 0);
  const covered = functions.reduce((sum, each) => sum + each.filter(Boolean).length, 0);
  const share = Math.round((1000 * covered) / Math.max(1, characters)) / 10;
  const figures = { executions, covered_percent: share, corpus: kept.length, slowest_ms: Math.round(slowest) };
  console.log(JSON.stringify({ end, ...figures }));
}

const seeds = folders.flatMap((folder) => readdirSync(folder).sort().map((name) => join(folder, name)));
for (const file of seeds) {
  const data = new Uint8Array(readFileSync(file));
  await tried(data);
  kept.push(data);
}
if (!kept.length) kept.push(new Uint8Array());
const end = performance.now() + 1000 * Number(values.seconds);
while (performance.now() < end) {
  const data = mutated(kept[random(2) ? random(kept.length) : kept.length - 1 - random(Math.min(kept.length, 16))]);
  if (await tried(data)) kept.push(data);
}
report("done");
process.exit(0);
