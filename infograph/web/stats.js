/**
 * What answers cost, as the client in Python says it: a client whose answers have `stats`. Only who measures loads it.
 *
 *     import { MeasuredClient } from "./infograph/stats.js";
 *     const { hits, stats } = await new MeasuredClient("https://example.org/docs/").search("clear the cache");
 */

import { Client } from "./infograph.js";

export class MeasuredClient {
  constructor(url, options = {}) {
    const meter = new Meter(options.fetch ?? globalThis.fetch);
    const client = new Client(url, { ...options, fetch: meter.fetch });
    let last = Promise.resolve();
    for (const name of Object.getOwnPropertyNames(Client.prototype)) {
      if (name === "constructor") continue;
      // Calls wait for each other: a request does not say which of them it is made for.
      this[name] = (...given) => (last = last.catch(() => {}).then(() => meter.measured(() => client[name](...given))));
    }
    this.refresh = () => client.refresh();
  }
}

/** Counts the requests of one call at a time, and the time in which some are under way. */
class Meter {
  constructor(fetch) {
    this.fetch = async (address, options) => {
      const stage = stageOf(address);
      const done = () => this.#under(stage, -1);
      this.requests++;
      this.#under(stage, 1);
      try {
        const { status, ok, redirected, type, body } = await fetch(address, options);
        if (!body) done();
        return { status, ok, redirected, type, body: body && this.#counted(body, done) };
      } catch (error) {
        done();
        throw error;
      }
    };
  }

  /** What a call answers, with its `stats` where it comes from the search bundle. */
  async measured(call) {
    this.requests = this.bytes = 0;
    this.running = {};
    this.spent = {};
    const begun = (this.since = performance.now());
    const answer = await call();
    if (!answer?.missing) return answer;
    this.#under("", 0);
    const reading = Object.values(this.spent).reduce((sum, own) => sum + own, 0);
    const milliseconds = { ...this.spent, computing: this.since - begun - reading };
    return { ...answer, stats: { requests: this.requests, bytes: this.bytes, milliseconds } };
  }

  /** A stream whose bytes are counted, and that says when it ends. */
  #counted(stream, done) {
    const reader = stream.getReader();
    return new ReadableStream({
      pull: async (to) => {
        const part = await reader.read().catch((error) => {
          done();
          throw error;
        });
        this.bytes += part.value?.length ?? 0;
        if (!part.done) return to.enqueue(part.value);
        done();
        to.close();
      },
      cancel: (reason) => {
        done();
        return reader.cancel(reason);
      },
    });
  }

  /** Counts the time until now as that of the stages that are under way, in equal parts; `change`: of requests. */
  #under(stage, change) {
    const now = performance.now();
    const stages = Object.keys(this.running).filter((name) => this.running[name] > 0);
    for (const name of stages) this.spent[name] = (this.spent[name] ?? 0) + (now - this.since) / stages.length;
    this.since = now;
    if (stage) this.running[stage] = Math.max(0, (this.running[stage] ?? 0) + change);
  }
}

function stageOf(address) {
  const path = new URL(address).pathname;
  if (/\/_(?:search|graph)\/manifest[^/]*\.json$/.test(path)) return "manifest";
  if (/\/_(?:search|graph)\/[^/]+\.z$/.test(path)) return "search";
  return /\.(?:md|pack\.txt)$/.test(path) ? "texts" : "indexes";
}
