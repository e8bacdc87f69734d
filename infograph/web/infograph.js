/**
 * Reads a tree that `infograph build` published: search, topics, samples, chunks. No dependencies, no build step.
 *
 *     import { Client } from "./infograph.js";
 *     const { hits } = await new Client("https://example.org/docs/").search("how do I clear the cache?");
 *
 * It fetches nothing from elsewhere, follows no redirect and checks what it reads. `infograph.d.ts` has the rest.
 */

import { Bundle } from "./bundle.js";
import { InfographError, Site, isPlain, need, soon, whole } from "./site.js";

export { InfographError };

export class Client {
  #site;
  #timeout;
  #stemmers;
  #bundle;
  #graph;

  constructor(url, options = {}) {
    const { fetch = globalThis.fetch, timeout = 10_000, stemmers = {}, ...more } = given(options);
    given(more, "fetch, timeout and stemmers");
    const sound = isPlain(stemmers) && Object.values(stemmers).every((stem) => typeof stem === "function");
    need(sound, "stemmers", "functions by language", stemmers);
    // A file may take a quarter of the time, so that an answer without it can still be given.
    this.#site = new Site(url, { fetch, timeout: soon(timeout) / 4 });
    this.#timeout = timeout;
    this.#stemmers = stemmers;
  }

  search(query, options = {}) {
    return this.#find(query, options, false);
  }

  pages(query, options = {}) {
    return this.#find(query, options, true);
  }

  complete(prefix, options = {}) {
    return this.#words("complete", prefix, options);
  }

  correct(word, options = {}) {
    return this.#words("correct", word, options);
  }

  communities(query = "", options = {}) {
    return this.#words("communities", query, options);
  }

  retrieve(query, options = {}) {
    return this.#words("retrieve", query, options);
  }

  topics(id = "", call = {}) {
    return this.#browse(call, (graph, signal) => graph.topics(id, signal));
  }

  topic(id, call = {}) {
    return this.#browse(call, (graph, signal) => graph.topic(id, signal));
  }

  sample(id, n, order = "conceptual", call = {}) {
    return this.#browse(call, (graph, signal) => graph.sample(id, n, order, signal));
  }

  async match(question, options = {}) {
    const answer = await this.#words("match", question, options);
    return (await import("./lookups.js")).matches(answer);
  }

  read(what, call = {}) {
    return this.#within(call, async (signal) => (await import("./chunk.js")).read(this.#site, what, signal, this));
  }

  highlight(query, text, call = {}) {
    return this.#within(call, async () => (await import("./highlight.js")).spans(query, text, () => this.#opened()));
  }

  passage(query, text, call = {}) {
    return this.#within(call, async () => (await import("./passage.js")).passage(query, text, () => this.#opened()));
  }

  refresh() {
    this.#bundle = this.#graph = undefined;
  }

  async #find(query, options, onePerPage) {
    const { limit = 10, offset = 0, signal, timeout, ...more } = given(options);
    let how = { limit, offset, onePerPage, collapsed: true, links: true, graph: null, prompts: true };
    if (typeof query !== "string" || !whole([limit, offset], 0, Infinity) || Object.keys(more).length) {
      how = await (await import("./options.js")).chosen(query, how, more);
      if (how.answers) return how.answers(this, () => this.#opened(), signal, timeout ?? this.#timeout);
    }
    const answer = await this.#answer({ signal, timeout }, (bundle, remarks) => bundle.find(query, how, remarks));
    if (!answer.hits[0]) (await import("./words.js")).unfound(answer, how);
    return answer;
  }

  async #words(how, word, options) {
    const { signal, timeout } = given(options);
    const { lookup } = await import("./lookups.js");
    return this.#answer({ signal, timeout }, lookup(how, word, options));
  }

  /** What the bundle answers; once more by a new manifest where files of the old one are gone. */
  #answer(call, ask) {
    const asked = async (bundle) => {
      const remarks = { missing: {}, corrected: {}, notes: [] };
      return { ...(await ask(bundle, remarks)), ...remarks };
    };
    return this.#within(call, async () => {
      const bundle = await this.#opened();
      const answer = await asked(bundle);
      if (!Object.keys(answer.missing).length) return answer;
      const newer = await Bundle.open(this.#site, this.#stemmers, "reload").catch(() => bundle);
      if (JSON.stringify(newer.manifest) === JSON.stringify(bundle.manifest)) return answer;
      this.#bundle = Promise.resolve(newer);
      return asked(newer);
    });
  }

  #opened() {
    const opening = (this.#bundle ??= Bundle.open(this.#site, this.#stemmers, "no-cache"));
    opening.catch(() => this.#bundle === opening && (this.#bundle = undefined));
    return opening;
  }

  #browse(call, ask) {
    return this.#within(call, async (signal) => {
      // Not at the top: a page that only searches need not load it.
      this.#graph ??= import("./graph.js").then(({ Graph }) => new Graph(this.#site));
      return ask(await this.#graph, signal);
    });
  }

  /** Work that is given up when its time is over or its caller says so. */
  #within(options, work) {
    return new Promise((resolve, reject) => {
      const { signal, timeout = this.#timeout, ...more } = given(options);
      given(more, "signal and timeout");
      need((signal ?? null) === null || signal.throwIfAborted, "signal", "an AbortSignal", signal);
      const most = soon(timeout);
      signal?.throwIfAborted();
      const call = new AbortController();
      const stop = (reason) => {
        call.abort(reason);
        reject(reason);
      };
      const aborted = () => stop(signal.reason);
      const timer = setTimeout(() => stop(new InfographError("timeout", `no answer within ${timeout} ms`)), most);
      signal?.addEventListener("abort", aborted);
      work(call.signal).then(resolve, reject).finally(() => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", aborted);
      });
    });
  }
}

/** What a call was given beside its arguments; nothing more than is `wanted`. */
function given(options, wanted) {
  need(isPlain(options) && !(wanted && Object.keys(options).length), "options", wanted ?? "an object", options);
  return options;
}
