/**
 * Several published trees as one, which `federation.json` names: the same answers as `search/reading/federation.py`.
 * Loaded for such an address alone. It is the only way that another place is asked than the one that was given: the sites
 * of that file, each below its own address.
 */

import { Bundle, areTexts } from "./bundle.js";
import { sha256 } from "./bytes.js";
import { PAGE, rank } from "./ranking.js";
import { InfographError, Site, json, whole } from "./site.js";

const FORMAT = 1;
const MANIFEST = "federation.json";
const FOLDER = "_federation/";
const LARGEST_MANIFEST = 1 << 22;
const MOST_SITES = 1024;
/** Chunks that a site has room for: those of 2^23 slots. */
const SITE = PAGE * 2 ** 23;
/** Steps of a bound, and what slots have beside the bits of the number of pages. */
const [STEPS, SPARE_BITS] = [1023, 5];
/** Average length of a chunk by which the strongest postings are chosen. */
const REFERENCE_LENGTH = 150;
/** Sites that are read at the same time; chunks that a ranking is sure of. */
const [AT_ONCE, SURE] = [8, 128];
const AGAIN = "make it again: `infograph federate`";

/**
 * The bundles of the sites of a federation as one.
 * @param {Site} site whose links lead to the sites from then on
 * @param {RequestCache} cache
 */
export async function open(site, stemmers, cache) {
  const manifest = await read(site, cache);
  const places = placesOf(site, manifest.sites);
  lead(site, places);
  const bundle = new FederatedBundle(site, manifest, stemmers);
  bundle.begin([...places.values()], cache);
  if (bundle.stemless) await (await import("./languages.js")).giveStemmer(bundle);
  if (cache === "reload") await bundle.reopen(site.federated);
  site.federated = bundle;
  return bundle;
}

/** The manifest, whose sites can be told apart. */
async function read(site, cache) {
  const accept = (data) => {
    const found = json(data);
    if (!Number.isInteger(found?.federation)) throw new InfographError("broken", `${MANIFEST}: no federation: ${AGAIN}`);
    if (found.federation !== FORMAT) {
      const reason = `its format is ${found.federation}, and this release of infograph knows ${FORMAT}`;
      throw new InfographError("version", `${MANIFEST}: ${reason}: update infograph.js`);
    }
    const { sites, neighbour, bm25, most_postings: most = 0 } = found;
    const isSite = ({ id, href, title = "", build, chunks, pages = 0 }) =>
      areTexts([id, href, title, build]) &&
      /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(id) &&
      /^[0-9a-f]{32}$/.test(build) &&
      isSiteHref(href) &&
      whole([chunks, pages]);
    const all = Array.isArray(sites) && sites.length && sites.length <= MOST_SITES && sites.every((own) => own && isSite(own));
    if (!all || !bm25 || !Number.isFinite(neighbour) || !whole([most])) {
      throw new InfographError("broken", `${MANIFEST}: its sites or its numbers are none: ${AGAIN}`);
    }
    const names = new Set([...sites.map(({ id }) => id.toLowerCase()), ...sites.map(({ href }) => `${href} `)]);
    if (names.size < 2 * sites.length) {
      throw new InfographError("broken", `${MANIFEST}: two sites have one name or one address: ${AGAIN}`);
    }
    return found;
  };
  return site.get(Site.prototype.resolve.call(site, MANIFEST), LARGEST_MANIFEST, accept, cache);
}

const NAME = "(?!\\.{1,2}/)[A-Za-z0-9._~%!$&'()*+,;=@-]+/";
const HREF = new RegExp(`^(?:\\./|(?:${NAME})+|https?://[A-Za-z0-9.:\\[\\]-]+/(?:${NAME})*)$`);

/** Whether a text is an address of a folder, below that of the federation or absolute, without anything hidden in it. */
function isSiteHref(href) {
  return href.length <= 2048 && HREF.test(href) && !/%(?:2e|2f|5c|00)/i.test(href);
}

/** The place of each site, by id. */
function placesOf(site, sites) {
  const places = new Map();
  const bases = new Map();
  for (const { id, href } of sites) {
    let place;
    try {
      place = placeOf(site, href);
    } catch ({ message }) {
      throw new InfographError("outside", `${MANIFEST}: the address of ${id}: ${message}`);
    }
    if (bases.has(place.base)) {
      throw new InfographError("broken", `${MANIFEST}: ${bases.get(place.base)} and ${id} have one address`);
    }
    bases.set(place.base, id);
    places.set(id, place);
  }
  return places;
}

/** The place that an address means: below the federation's, or of the web and no nearer to this machine. */
function placeOf(site, href) {
  const refuse = (reason) => new InfographError("outside", reason);
  const how = { fetch: site.fetch, timeout: site.timeout };
  if (!/^https?:\/\//.test(href)) return new Site(Site.prototype.resolve.call(site, href), how);
  const url = new URL(href);
  const own = new URL(site.base);
  if (own.protocol === "https:" && url.protocol !== "https:") throw refuse("is http, and the federation https");
  if (isPrivate(url.hostname) && !isPrivate(own.hostname)) {
    throw refuse("is of this machine or its network, and the federation is not");
  }
  return new Site(url.href, how);
}

/** Whether the name of a host, as URL has it, says that it is this machine, or one of its network. */
export function isPrivate(host) {
  const name = host.replace(/\.$/, "");
  if (name === "localhost" || name === "localhost.localdomain" || name.endsWith(".localhost")) return true;
  if (name.startsWith("[")) return !/^\[[23][0-9a-f]{3}:/.test(name) || /^\[(?:2002|2001:(?:db8|[01]?[0-9a-f]{0,2})):/.test(name);
  if (!/^\d+(?:\.\d+){3}$/.test(name)) return false;
  const [a, b] = name.split(".").map(Number);
  if ([0, 10, 127].includes(a) || a >= 224) return true;
  return (a === 100 && b >= 64 && b < 128) || (a === 169 && b === 254) || (a === 172 && b >= 16 && b < 32) || (a === 192 && [0, 168].includes(b)) || (a === 198 && [18, 19, 51].includes(b)) || (a === 203 && b === 0);
}

/** Lets what begins with the id of a site be below the site's address, and files of the search those of the federation. */
function lead(site, places) {
  const { resolve, relative } = Site.prototype;
  site.resolve = (href, from) => {
    const [, id, rest] = (from === undefined && /^(?:\.\/)?([^/]+)\/(.*)$/s.exec(href)) || [];
    if (places.has(id)) return places.get(id).resolve(rest || ".");
    return resolve.call(site, id === "_search" ? FOLDER + rest : href, from ?? site.base);
  };
  site.relative = (address) => {
    let [best, found] = ["", ""];
    for (const [id, { base }] of places) if (address.startsWith(base) && base.length > best.length) [best, found] = [base, id];
    if (found) return `${found}/${address.slice(best.length)}`;
    return address.startsWith(site.base) ? relative.call(site, address) : address;
  };
}

class FederatedBundle extends Bundle {
  #opened = new Map();
  #read = new WeakMap();
  #pruned = new WeakSet();

  begin(places, cache) {
    this.places = places;
    this.cache = cache;
    this.builds = {};
  }

  /** Reads the manifests again of the sites that were read of another: so it is known whether they are others now. */
  async reopen(before) {
    if (!before) return;
    await this.#open(Object.keys(before.builds).map(Number), { missing: {}, notes: [] });
    const others = JSON.stringify(this.builds) !== JSON.stringify(before.builds);
    if (others) this.manifest = { ...this.manifest, builds: this.builds }; // as `Client` compares them
  }

  /** Refuses a path that begins with no site's name. */
  async checkPath(path) {
    if (!path) return;
    const { refuseOtherSite } = await import("./federated-narrowing.js");
    refuseOtherSite(path, this.manifest.sites.map(({ id }) => id)); // prettier-ignore
  }

  async find(query, how, remarks) {
    await this.checkPath(how.path);
    const own = { ...how, narrow: how.narrow && ((_, said) => this.#narrowed(query, how, said)) };
    const answer = await super.find(query, own, remarks);
    how.undecided = own.undecided;
    if (this.#pruned.has(remarks)) answer.total_relation = "gte";
    return answer;
  }

  /** The postings of the terms of a query in the sites that have one, or in the one that its path names. */
  async entries(query, how, remarks) {
    const found = await super.entries(query, how, remarks);
    const { passes, narrow, limit = 0, offset = 0 } = how;
    const sure = passes || narrow ? Infinity : Math.max(SURE, offset + limit);
    const gains = this.#gains(found);
    const left = this.#promising(gains, how);
    const merged = found.map((entry) => ({ ...entry, postings: { chunks: [], impacts: [] } }));
    const read = this.#read.get(remarks) ?? [];
    this.#read.set(remarks, read);
    while (left.length) {
      const some = left.splice(0, AT_ONCE);
      await this.#open(some, remarks);
      const asked = some.map((number) => [number, found.filter(({ postings }) => postings.chunks.includes(number * PAGE))]);
      const had = await this.#each(new Map(asked), remarks, async (bundle, entries, own) => {
        const terms = new Map();
        await bundle.lookUp(entries.map(({ term }) => term), terms, own); // prettier-ignore
        return terms;
      });
      read.push(...had.keys());
      for (const [number, terms] of had) this.#merge(merged, number, terms, remarks);
      if (left.length && gains.get(left[0]) < this.#least(merged, sure)) {
        this.#pruned.add(remarks);
        break;
      }
    }
    return this.#strongest(merged);
  }

  /** The sites of these gains, or the one that a path names, the most promising first. */
  #promising(gains, { path }) {
    const [only] = (path ?? "").split("/").filter((part) => part && part !== ".");
    const numbers = [...gains.keys()].sort((a, b) => gains.get(b) - gains.get(a) || a - b);
    return only ? numbers.filter((number) => this.manifest.sites[number].id === only) : numbers;
  }

  /** What a filter and facets make of the chunks of the sites that have a term. */
  async #narrowed(query, how, remarks) {
    const { joined, ofSite } = await import("./federated-narrowing.js");
    const unsaid = { missing: {}, corrected: {}, notes: [] };
    const numbers = this.#promising(this.#gains(await super.entries(query, how, unsaid)), how);
    const found = new Map();
    while (numbers.length) {
      const some = numbers.splice(0, AT_ONCE);
      await this.#open(some, remarks);
      const asked = await this.#each(new Map(some.map((number) => [number, number])), remarks, async (bundle, number, own) => {
        return how.narrow(bundle, own).catch((error) => {
          throw ofSite(error, this.manifest.sites[number].id);
        });
      });
      asked.forEach((decided, number) => found.set(number, decided));
    }
    // Where no site has a word, the fields of all sites still say whether there is such a one at all.
    if (!found.size && this.manifest.fields) return how.narrow(this, remarks);
    const placed = (chunk) => [Math.floor(chunk / SITE), chunk % SITE];
    return joined(found, placed, (hit) => placed(this.chunks.get(hit))[0], remarks);
  }

  /** The most that a chunk of each site can score, by number of the site. */
  #gains(found) {
    const { chunks, neighbour, bm25, sites } = this.manifest;
    const most = bm25.k1 + 1 + Math.max(...bm25.fields);
    const gains = new Map();
    for (const { df, weight, postings } of found) {
      const rarity = weight * Math.log(1 + (chunks - df + 0.5) / (df + 0.5)) * (1 + neighbour);
      postings.chunks.forEach((place, i) => {
        const number = Math.floor(place / PAGE);
        if (number >= sites.length) return;
        gains.set(number, (gains.get(number) ?? 0) + rarity * ((postings.impacts[i] * most) / STEPS));
      });
    }
    return gains;
  }

  /** The score of the last chunk that a ranking has to be sure of; 0 where there are fewer. */
  #least(merged, sure) {
    return rank(this.#strongest(merged), this.saturation, this.manifest)[sure - 1]?.[1] ?? 0;
  }

  /** The strongest postings of all sites, as many as one bundle of all would have kept. */
  #strongest(merged) {
    const { most_postings: most = 0, bm25 } = this.manifest;
    const { k1, b, counts, lengths, fields } = bm25;
    const strength = (impact) => {
      const [gain, count, length] = [fields[impact >> 8], counts[(impact >> 5) & 7], lengths[impact & 31]];
      return gain + (count * (k1 + 1)) / (count + k1 * (1 - b + (b * length) / REFERENCE_LENGTH));
    };
    return merged.map((entry) => {
      const { chunks, impacts } = entry.postings;
      if (!most || chunks.length <= most) return entry;
      const strengths = impacts.map(strength);
      const best = [...chunks.keys()].sort((i, j) => strengths[j] - strengths[i] || chunks[i] - chunks[j]).slice(0, most);
      best.sort((i, j) => chunks[i] - chunks[j]);
      return { ...entry, postings: { chunks: best.map((i) => chunks[i]), impacts: best.map((i) => impacts[i]) } };
    });
  }

  #merge(merged, number, terms, remarks) {
    for (const { term, postings } of merged) {
      const own = terms.get(term)?.postings;
      if (!own) continue;
      if (own.chunks.some((chunk) => chunk >= SITE)) {
        remarks.missing[this.#named(number, `postings of ${term}`)] = "a slot that a site of a federation has not";
        continue;
      }
      own.chunks.forEach((chunk) => postings.chunks.push(number * SITE + chunk));
      postings.impacts.push(...own.impacts);
    }
  }

  #named(number, name) {
    return `${this.manifest.sites[number].id}/_search/${name}`;
  }

  /** Reads the manifests of sites; one that cannot be read, or does not fit in, is noted as missing. */
  async #open(numbers, remarks) {
    await Promise.all(numbers.filter((number) => !this.#opened.has(number)).map((number) => this.#openOne(number, remarks)));
    for (const number of numbers) {
      const { id, build } = this.manifest.sites[number];
      if (!this.#opened.has(number) || this.builds[number] === build) continue;
      const note = `${id} was published after the federation was made: words that are new in it are not found there`;
      if (!remarks.notes.includes(note)) remarks.notes.push(note);
    }
  }

  async #openOne(number, remarks) {
    const place = this.places[number];
    const accept = async (data) => [json(data), (await sha256(data)).slice(0, 32)];
    try {
      const address = place.resolve("_search/manifest.json");
      const [manifest, build] = await place.get(address, LARGEST_MANIFEST, accept, this.cache);
      const bundle = new Bundle(place, manifest, {});
      const reason = unfit(manifest, this.manifest);
      if (reason) throw new Error(reason);
      bundle.language = this.language;
      this.#opened.set(number, bundle);
      this.builds[number] = build;
    } catch ({ message }) {
      remarks.missing[this.#named(number, "manifest.json")] = message;
    }
  }

  /** Asks several sites at the same time; what one of them cannot read is noted with its id. By number: what they say. */
  async #each(parts, remarks, ask) {
    const asked = [...parts].filter(([number]) => this.#opened.has(number));
    const found = await Promise.all(
      asked.map(async ([number, part]) => {
        const own = { missing: {}, corrected: {}, notes: [] };
        return [number, await ask(this.#opened.get(number), part, own), own.missing];
      }),
    );
    for (const [number, , missing] of found) {
      for (const [name, reason] of Object.entries(missing)) remarks.missing[this.#named(number, name)] = reason;
    }
    return new Map(found);
  }

  /** Chunks by the number of their site, each as its site has it, with their places in the list. */
  #parts(chunks) {
    const parts = new Map();
    chunks.forEach((chunk, i) => {
      const number = Math.floor(chunk / SITE);
      if (!parts.has(number)) parts.set(number, []);
      parts.get(number).push([chunk % SITE, i]);
    });
    return parts;
  }

  /** What is shown of chunks with their scores; page and href begin with the id of the site. */
  async hits(ranked, remarks) {
    const parts = this.#parts(ranked.map(([chunk]) => chunk));
    const shown = ranked.map(() => null);
    await this.#each(parts, remarks, async (bundle, part, own) => {
      const hits = await bundle.hits(part.map(([chunk, i]) => [chunk, ranked[i][1]]), own); // prettier-ignore
      part.forEach(([, i], at) => (shown[i] = hits[at]));
    });
    shown.forEach((hit, i) => {
      if (!hit) return;
      const [chunk] = ranked[i];
      hit.site = this.manifest.sites[Math.floor(chunk / SITE)].id;
      hit.page = `${hit.site}/${hit.page}`;
      hit.href = `${hit.site}/${hit.href.replace(/^\.\//, "")}`;
      this.chunks.set(hit, chunk);
    });
    return shown;
  }

  async vectorOf(chunk, remarks) {
    const { vectorOf } = await import("./diversity.js");
    const number = Math.floor(chunk / SITE);
    const found = await this.#each(new Map([[number, chunk % SITE]]), remarks, vectorOf);
    return found.get(number) ?? [];
  }

  /** The links of the pages of chunks, as `listsOf` gives them; they lead to pages of the same site. */
  async pageLists(ranked, remarks) {
    const { listsOf } = await import("./links.js");
    const lists = ranked.map(() => [[], []]);
    await this.#each(this.#parts(ranked.map(([chunk]) => chunk)), remarks, async (bundle, part, own) => {
      const found = await listsOf(bundle, part, own);
      part.forEach(([, i], at) => {
        const lift = (slot) => Math.floor(ranked[i][0] / SITE) * (SITE / PAGE) + slot;
        const [to, from] = found[at];
        const inside = (slot) => slot < SITE / PAGE;
        lists[i] = [
          to.filter(([, slot]) => inside(slot)).map(([chunk, slot, ...rest]) => [chunk, lift(slot), ...rest]),
          from.filter(([slot]) => inside(slot)).map(([slot, ...rest]) => [lift(slot), ...rest]),
        ];
      });
    });
    return lists;
  }

  /** The chunks that are known to answer a question, of the sites that were read, or that have its words. */
  async matched(question, most, remarks) {
    const { matchedChunks, nearer } = await import("./question.js");
    if (!this.#read.has(remarks)) await this.entries(question, { passes: true }, remarks);
    const numbers = this.#read.get(remarks).map((number) => [number, null]);
    const found = await this.#each(new Map(numbers), remarks, (bundle, _, own) => {
      return "questions" in bundle.manifest ? matchedChunks(bundle, question, most, own) : new Map();
    });
    const known = [...found].flatMap(([number, own]) => [...own].map(([chunk, what]) => [number * SITE + chunk, what]));
    return new Map(known.sort(([a, one], [b, other]) => nearer(one, other) || a - b));
  }

  /** What a file holds: maps and trees, in which all sites agree, are those of the first that was read. */
  available(name, remarks) {
    const [first] = this.#opened.values();
    return /^[mf]-/.test(name) && first ? first.available(name, remarks) : super.available(name, remarks);
  }
}

/** Why a site cannot be ranked with the others; empty where it can. */
function unfit(own, all) {
  if (own.language !== all.language) return `its language is ${own.language}, and that of the federation ${all.language}`;
  const pages = own.pages ?? 0;
  if (pages && Math.floor(Math.log2(pages)) + 1 + SPARE_BITS > 24) {
    return `it has ${pages.toLocaleString("en")} pages, more than a site of a federation may have`;
  }
  const numbers = ({ bm25, neighbour, block, group }) => {
    const { k1, b, counts, lengths, fields, identifier = 1 } = bm25;
    return JSON.stringify([k1, b, counts, lengths, fields, identifier, neighbour, block, group]);
  };
  return numbers(own) === numbers(all) ? "" : "it is of another release than the federation, and its numbers mean something else";
}

/**
 * What browses a federation: each site is a topic below the root.
 * @param {Site} site
 * @param {(site: Site) => import("./graph.js").Graph} graphOf
 */
export async function browsing(site, graphOf) {
  const { sites } = await read(site, "no-cache");
  const places = placesOf(site, sites);
  const graphs = new Map([...places].map(([id, place]) => [id, graphOf(place)]));
  const of = async (id, ask, put) => {
    const [own, ...rest] = id.split("/");
    if (!graphs.has(own)) (await import("./federated-narrowing.js")).refuseOtherSite(id, [...graphs.keys()]);
    return put(`${own}/`, await ask(graphs.get(own), rest.join("/")));
  };
  const entry = (own) => (topic) => ({ ...topic, id: own + topic.id, href: own + topic.href });
  const item = (own) => (one) => ({ ...one, topic: (own + one.topic).replace(/\/$/, ""), href: own + one.href });
  const document = (own) => (one) => ({ ...one, source: own + one.source, items: one.items.map(item(own)) });
  const whole = (own, topic) => ({
    ...topic,
    id: (own + topic.id).replace(/\/$/, ""),
    href: own + topic.href,
    topics: topic.topics.map(entry(own)),
    documents: Object.fromEntries(Object.entries(topic.documents).map(([name, one]) => [name, document(own)(one)])),
    related: topic.related.map((edge) => ({ ...edge, href: own + edge.href })),
    communities: topic.communities && own + topic.communities,
  });
  const topics = sites.map(({ id, title, pages: documents = 0, chunks }) => {
    return { id, title: title || id, documents, chunks, href: `${id}/index.json` };
  });
  const root = { id: "", title: "", href: MANIFEST, topics, documents: {}, related: [] };
  return {
    topics: async (id, signal) =>
      id ? of(id, (graph, rest) => graph.topics(rest, signal), (own, list) => list.map(entry(own))) : topics, // prettier-ignore
    topic: async (id, signal) => (id ? of(id, (graph, rest) => graph.topic(rest, signal), whole) : root),
    sample: async (id, n, order, signal) =>
      id ? of(id, (graph, rest) => graph.sample(rest, n, order, signal), (own, list) => list.map(item(own))) : [], // prettier-ignore
  };
}
