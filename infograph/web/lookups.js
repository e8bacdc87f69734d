/** What is looked up beside hits: words that complete or correct one, communities of entities, text for a model. */

import { check, refuseOthers } from "./options.js";
import { InfographError } from "./site.js";

const NAMES = { correct: "word", complete: "prefix", communities: "query", retrieve: "query", match: "question" };

/**
 * Checks a call's options and returns what answers it.
 * @param {keyof typeof NAMES} how
 */
export function lookup(how, what, options) {
  refuseOthers(how, options);
  const { limit = 0 } = options;
  check({ [NAMES[how]]: what, limit });
  return async (bundle, remarks) => {
    if (how === "retrieve") return (await import("./retrieve.js")).retrieve(what, options)(bundle, remarks);
    const module = await {
      correct: () => import("./slips.js"),
      complete: () => import("./words.js"),
      communities: () => import("./communities.js"),
      match: () => import("./question.js"),
    }[how]();
    const found = await module[how](bundle, what, options, remarks);
    return how in { communities: 1, match: 1 } ? { hits: found } : { terms: found };
  };
}

/** The hits of an answer of `match`, which has all that it looked for or is none. */
export function matches({ hits, missing }) {
  const [lost] = Object.keys(missing);
  if (lost) throw new InfographError("missing", `_search/${lost}: cannot be read (${missing[lost]})`);
  return hits;
}
