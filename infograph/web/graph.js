/** The graph of `index.json` files: topics, their chunks and samples. */

import { sha256 } from "./bytes.js";
import { check } from "./options.js";
import { compare } from "./order.js";
import { InfographError, Memory, json } from "./site.js";

const LARGEST_FILE = 1 << 24;
const INDEXES_REMEMBERED = 256;
/** Files read at the same time. */
const AT_ONCE = 8;
/** Files of one topic. */
const MOST_PAGES = 10_000;
/** What an index file's own digest leaves out. */
const BUILD_ID_LINE = /^ {2}"build_id": "([0-9a-f]{16})",\n/m;
/** Names in a list of documents that are HAL's: the only ones that are no documents. */
const HAL_RESERVED = new Set(["_links", "_embedded", "_templates"]);
const ORDERS = {
  conceptual: ["baseline_conceptual", "stripe_order"],
  technical: ["baseline_technical", "stripe_order_technical"],
};

/** Codes of errors that a publication in between may have caused. */
const OUTDATED = ["missing", "broken"];

const encoder = new TextEncoder();

export class Graph {
  #site;
  #indexes = new Memory(INDEXES_REMEMBERED);
  #remembers = false;

  /** @param {import("./site.js").Site} site */
  constructor(site) {
    this.#site = site;
    if (!/federation.json$/.test(site.url)) return;
    const browsing = import("./federation.js").then((module) => module.browsing(site, (place) => new Graph(place)));
    for (const how of ["topics", "topic", "sample"]) this[how] = async (...to) => (await browsing)[how](...to);
  }

  /** Every topic below one, in the order of the index, each before its own. */
  topics(id, signal) {
    return this.#anew(() => this.#topics(id, signal));
  }

  async #topics(id, signal) {
    const below = async (entries) => {
      const lists = await mapped(entries, async (entry) => {
        if (!entry.topics) return [entry];
        return [entry, ...(await below((await this.#read(entry, signal)).topics))];
      });
      return lists.flat();
    };
    return below((await this.#topic(id, signal)).topics);
  }

  /** One topic with all its pages. */
  topic(id, signal) {
    return this.#anew(() => this.#topic(id, signal));
  }

  /** Work that starts again from the root where an index that is remembered leads to what is no longer there. */
  async #anew(work) {
    const remembered = this.#remembers;
    this.#remembers = true;
    try {
      return await work();
    } catch (error) {
      if (!remembered || !OUTDATED.includes(error.code)) throw error;
      this.#indexes = new Memory(INDEXES_REMEMBERED);
      return work();
    }
  }

  async #topic(id, signal) {
    check({ id });
    let topic = await this.#read({ id: "", href: "index.json" }, signal);
    while (topic.id !== id) {
      const next = topic.topics.find((child) => child.id === id || id.startsWith(`${child.id}/`));
      if (!next) throw new InfographError("unknown", `there is no topic ${JSON.stringify(id)}`);
      topic = await this.#read(next, signal);
    }
    return topic;
  }

  /** The first `n` items of a topic's documents taken in turn, each with its baseline first and then in its order. */
  async sample(id, n, order, signal) {
    check({ topic: id, n, order });
    const [baseline, stripes] = ORDERS[order];
    const queues = Object.values((await this.topic(id, signal)).documents)
      .sort((a, b) => compare(a.source, b.source)) // as in the index: an object puts names such as `10` first
      .filter((document) => document[baseline] !== undefined && document[stripes])
      .map((document) => {
        const byIndex = new Map(document.items.map((item) => [item.index, item]));
        return [document[baseline], ...document[stripes]].map((index) => byIndex.get(index)).filter(Boolean);
      });
    const found = [];
    for (let turn = 0; found.length < n && queues.some((queue) => turn < queue.length); turn++) {
      found.push(...queues.map((queue) => queue[turn]).filter(Boolean));
    }
    return found.slice(0, n);
  }

  /** A topic of all files that its first one leads to. */
  async #read({ id, href }, signal) {
    const seen = new Set();
    let whole;
    for (let at = href; at && !seen.has(at) && seen.size < MOST_PAGES;) {
      signal?.throwIfAborted();
      seen.add(at);
      const page = await this.#page(at);
      if (page.id !== id) throw new InfographError("broken", `${at}: not the index of ${JSON.stringify(id)}`);
      const topics = [...(whole?.topics ?? []), ...page.topics];
      whole = { ...(whole ?? page), topics, documents: { ...whole?.documents, ...page.documents } };
      at = page.next;
    }
    delete whole.next;
    return whole;
  }

  #page(href) {
    const address = this.#site.resolve(href);
    return this.#indexes.get(address, () =>
      this.#site.get(
        address,
        LARGEST_FILE,
        async (data) => {
          try {
            return this.#pageOf(await parsed(data), href, address);
          } catch (error) {
            if (!(error instanceof TypeError)) throw error;
            throw new InfographError("broken", `${href}: a field is missing or of another kind: ${error.message}`);
          }
        },
        "no-cache",
      ),
    );
  }

  /** What a client needs of an index file, with links relative to the base. */
  #pageOf({ id, title, description, build_id, _links: links, _embedded: { topics, chunks } }, href, address) {
    const link = (to) => this.#site.relative(this.#site.resolve(to, address));
    const withLinks = ([name, document]) => {
      const to = (href) => link(href) + fragmentOf(href);
      const items = document.items.map((item) => ({ topic: id, document: name, ...item, href: to(item.href) }));
      return [name, { ...document, items }];
    };
    const found = Object.entries(chunks).filter(([name]) => !HAL_RESERVED.has(name));
    // Topics that lead back to themselves would never end.
    const stray = topics.find((child) => !child.id.startsWith(id && `${id}/`) || child.id === id);
    if (stray) throw new InfographError("broken", `${href}: ${JSON.stringify(stray.id)} is no topic below it`);
    return {
      id,
      title,
      description,
      build_id,
      href,
      topics: topics.map(({ _links, ...entry }) => ({ ...entry, href: link(_links.self.href) })),
      documents: Object.fromEntries(found.map(withLinks)),
      related: (links.related ?? []).map((edge) => ({ ...edge, href: link(edge.href) })),
      communities: links["infograph:community"] && link(links["infograph:community"].href),
      next: links.next && link(links.next.href),
    };
  }
}

/** What the link to a chunk of a pack has behind the address of the file; empty for other links. */
export const fragmentOf = (href) => /-\d+\.pack\.txt(#\d{1,10})$/.exec(href)?.[1] ?? "";

/** An index file's JSON, which has to have the digest that it says: not half of a publish. */
async function parsed(data) {
  const text = new TextDecoder().decode(data);
  const said = BUILD_ID_LINE.exec(text)?.[1];
  if (said && (await sha256(encoder.encode(text.replace(BUILD_ID_LINE, "")))).slice(0, 16) !== said) {
    throw new InfographError("broken", "the index is not whole: its build_id is another");
  }
  return json(data);
}

/** Results in order, of a few calls at a time. */
async function mapped(list, call) {
  const results = [];
  for (let at = 0; at < list.length; at += AT_ONCE) {
    results.push(...(await Promise.all(list.slice(at, at + AT_ONCE).map(call))));
  }
  return results;
}
