/** What a caller asks for: refused alike in the client in Python (infograph/client/options.py). Loaded when needed. */

import { InfographError, isPlain, need, whole } from "./site.js";

const ORDERS = ["conceptual", "technical"];
const CLASSES = ["factoid", "analytical", "comparative", "exploratory", "multi-hop"];
const LEVELS = ["passages", "chunks"];
const PACKINGS = ["greedy", "ratio", "knapsack"];
const MODES = ["leaf", "parent", "summary-first"];
const SOURCES = ["numbers", "titles", "urls"];
/** Bits of a question's hash. */
const BITS = 64;
/** Steps along the graph of entities. */
const MOST_HOPS = 2;

/** What any call takes, and what a search does beside it. */
const CALL = ["signal", "timeout"];
const SEARCH = [
  ...["limit", "offset", "path", "filters", "facets", "collapse", "diversity", "rerank", "rerank_with", "exact"],
  ...["graph", "links", "prompts", "texts", "mode"],
];
/** By method: the names of its options. Methods that are not here take what any call does. */
export const OPTIONS_OF = {
  search: [...SEARCH, ...CALL],
  pages: [...SEARCH, ...CALL],
  retrieve: [
    ...["max_tokens", "path", "filters", "rerank", "exact", "graph", "prompts", "question_class", "level", "packing"],
    ...["sources", "split", ...CALL],
  ],
  match: ["topic", "limit", "distance", ...CALL],
  complete: ["limit", ...CALL],
  correct: ["limit", ...CALL],
  communities: ["limit", ...CALL],
};

const isText = (value) => typeof value === "string";
const text = [isText, "a text"];
const count = [(value) => whole([value], 0, Infinity), "a whole number, 0 at the least"];
const oneOf = (names) => [(value) => (value ?? null) === null || names.includes(value), `one of ${names.join(", ")}, or null`];
const answer = [(value) => typeof value === "boolean", "true or false"];
/** By name: whether an option takes a value, and how those are called that it takes. */
const OPTIONS = {
  query: text,
  prefix: text,
  word: text,
  text,
  question: text,
  id: text,
  topic: text,
  path: text,
  sha256: text,
  limit: count,
  offset: count,
  max_tokens: [(value) => whole([value], 1, Infinity), "a whole number, 1 at the least"],
  n: count,
  collapse: answer,
  exact: answer,
  links: answer,
  prompts: answer,
  texts: answer,
  mode: [(value) => MODES.includes(value), `one of ${MODES.join(", ")}`],
  split: answer,
  question_class: oneOf(CLASSES),
  level: oneOf(LEVELS),
  packing: oneOf(PACKINGS),
  sources: [(value) => SOURCES.includes(value), `one of ${SOURCES.join(", ")}`],
  rerank: [(value) => (value ?? false) === false || typeof value === "function", "a function"],
  rerank_with: [(value) => (value ?? null) === null || typeof value === "function", "a function"],
  graph: [(value) => (value ?? null) === null || whole([value], 0, MOST_HOPS), "0, 1 or 2"],
  distance: [(value) => (value ?? null) === null || whole([value], 0, BITS), `a whole number from 0 to ${BITS}`],
  diversity: [(value) => Number.isFinite(value) && value >= 0 && value <= 1, "a number from 0 to 1"],
  order: [(value) => ORDERS.includes(value), `one of ${ORDERS.join(", ")}`],
  facets: [(value) => Array.isArray(value) && value.every(isText), "a list of fields"],
  filters: [
    (value) => (value ?? null) === null || isPlain(value),
    "fields with their values",
  ],
};
/**
 * Refuses options that are not what they have to be.
 * @param {{[name in keyof typeof OPTIONS]?: unknown}} options
 */
export function check(options) {
  for (const [name, value] of Object.entries(options)) checkAs(OPTIONS[name], name, value);
}

/**
 * Refuses options that a method does not have, which would do nothing: slips of the pen.
 * @param {keyof typeof OPTIONS_OF} call
 */
export function refuseOthers(call, options) {
  const known = OPTIONS_OF[call];
  const other = Object.keys(options).find((name) => !known.includes(name));
  if (other === undefined) return;
  throw new InfographError("unknown", `${other}: is no option of ${call}; there are: ${known.join(", ")}`);
}

/**
 * How a search goes that asks for more than its first hits.
 * @param {object} how what it is by default
 */
export async function chosen(query, how, options) {
  refuseOthers(how.onePerPage ? "pages" : "search", options);
  const { path = "", filters, collapse = true, diversity = 0, exact = false, links = true, graph: hops = null } = options;
  const { rerank, rerank_with, prompts = true, texts = false, facets = [], mode = "leaf" } = options;
  const { limit, offset } = how;
  check({ query, limit, offset, path, filters, collapse, diversity, rerank, rerank_with, exact, links, graph: hops });
  check({ prompts, texts, facets, mode });
  if (texts || rerank_with || mode !== "leaf") {
    const answered = await answering(texts, mode);
    const answers = (client, opened, signal, timeout) =>
      answered(client, opened, query, how, { ...options, signal, timeout });
    return { answers };
  }
  const { within, parsed } = path || filters ? await import("./filters.js") : {};
  const [passes, filter] = [path ? within(path) : null, filters ? parsed(filters) : null];
  const asked = (filter || facets.length) && { filter, facets, below: passes };
  const narrow = asked && (async (...to) => (await import("./narrowing.js")).narrowed(to[0], asked, to[1]));
  const graph = hops === null ? null : (await import("./walk.js")).walking(query, hops, links);
  return { ...how, path, passes, narrow, collapsed: collapse, diversity, rerank, exact, links, graph, prompts };
}

/** What answers a search that reads more than the bundle, or lists something else than chunks. */
async function answering(texts, mode) {
  if (mode !== "leaf") return (await import("./units.js")).withParents;
  return texts ? (await import("./texts.js")).withTexts : (await import("./judging.js")).judged;
}

function checkAs([takes, wanted], name, value) {
  need(takes(value), name, wanted, value);
}
