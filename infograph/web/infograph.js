/**
 * Reads a tree that `infograph build` published: search, topics, samples, chunks. No dependencies, no build step.
 *
 *     import { Client } from "./infograph.js";
 *     const { hits } = await new Client("https://example.org/docs/").search("how do I clear the cache?");
 *
 * It fetches nothing from elsewhere, follows no redirect and checks what it reads. `infograph.d.ts` has the rest.
 */

import { Bundle } from "./bundle.js";
import { InfographError, Site, soon, whole } from "./site.js";

export { InfographError };

export class Client {
  #site;
  #timeout;
  #stemmers;
  #bundle;
  #graph;

  constructor(url, { fetch = globalThis.fetch, timeout = 10_000, stemmers = {} } = {}) {
    // A file may take a quarter of the time, so that an answer without it can still be given.
    this.#site = new Site(url, { fetch, timeout: timeout / 4 });
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

  topics(id = "", call = {}) {
    return this.#browse(call, (graph, signal) => graph.topics(id, signal));
  }

  topic(id, call = {}) {
    return this.#browse(call, (graph, signal) => graph.topic(id, signal));
  }

  sample(id, n, order = "conceptual", call = {}) {
    return this.#browse(call, (graph, signal) => graph.sample(id, n, order, signal));
  }

  match(question, options = {}) {
    return this.#browse(options, async (graph, signal) => {
      const [{ matching }, bundle] = await Promise.all([import("./question.js"), this.#opened()]);
      return matching(graph, bundle, question, options, signal);
    });
  }

  read(what, call = {}) {
    return this.#browse(call, (graph, signal) => graph.read(what, signal, this));
  }

  highlight(query, text, call = {}) {
    return this.#within(call, async () => {
      const [{ spans }, bundle] = await Promise.all([import("./highlight.js"), this.#opened()]);
      return spans(query, text, bundle.language);
    });
  }

  refresh() {
    this.#bundle = this.#graph = undefined;
  }

  async #find(query, options, onePerPage) {
    const { limit = 10, offset = 0, path = "", filters, collapse = true, diversity = 0, rerank, exact, ...call } = options;
    if (typeof query !== "string" || !whole([limit, offset], 0, Infinity)) {
      const { check } = await import("./options.js");
      check("text", { query });
      check("count", { limit, offset });
    }
    const chosen = path !== "" || (filters ?? null) !== null;
    const passes = chosen ? (await import("./filters.js")).filter(path, filters ?? {}) : null;
    const how = { limit, offset, onePerPage, passes, collapsed: collapse, diversity, rerank, exact };
    return this.#answer(call, (bundle, remarks) => bundle.find(query, how, remarks));
  }

  #words(how, word, options) {
    return this.#answer(options, async (bundle, remarks) => {
      const { limit = 0 } = options;
      const { check } = await import("./options.js");
      check("text", { [how === "correct" ? "word" : "prefix"]: word });
      check("count", { limit });
      const words = await (how === "correct" ? import("./slips.js") : import("./words.js"));
      return { terms: await words[how](bundle, word, options, remarks) };
    });
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
  #within({ signal, timeout = this.#timeout }, work) {
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const call = new AbortController();
      const stop = (reason) => {
        call.abort(reason);
        reject(reason);
      };
      const aborted = () => stop(signal.reason);
      const timer = setTimeout(() => stop(new InfographError("timeout", `no answer within ${timeout} ms`)), soon(timeout));
      signal?.addEventListener("abort", aborted);
      const done = () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", aborted);
      };
      work(call.signal).then(resolve, reject).finally(done);
    });
  }
}
