/**
 * A filter and facets over the sites of a federation: each site's columns say which of its chunks are allowed. The same
 * answers as `search/reading/federated_filtering.py`; loaded by `federation.js` for such a search alone.
 */

import { wrong } from "./filters.js";
import { MOST_FREQUENT, mostFrequent } from "./narrowing.js";
import { InfographError } from "./site.js";

/**
 * What `narrowed` in narrowing.js gives, for the sites of a federation. Null where no site can decide the filter; what
 * one cannot decide is noted as missing, and none of its chunks is allowed.
 * @param {Map<number, object | null>} found what `narrowed` gives for each site, by number
 * @param {string[][]} notes of each site
 * @param {(chunk: number) => [number, number]} placed the number of a chunk's site, and the chunk as that site has it
 * @param {(hit: object) => number} numberOf a hit's site
 */
export function joined(found, notes, placed, numberOf, remarks) {
  const decided = new Map([...found].filter(([, own]) => own));
  if (found.size && !decided.size) return null;
  remarks.notes.push(...common(notes));
  const some = [...decided.values()];
  const allows = (chunk) => {
    const [number, own] = placed(chunk);
    const site = decided.get(number);
    return Boolean(site && (!site.allows || site.allows(own)));
  };
  const passes = (hit) => Boolean(decided.get(numberOf(hit))?.passes?.(hit));
  const count = (chunks) => {
    const parts = new Map([...decided.keys()].map((number) => [number, []]));
    for (const chunk of chunks) {
      const [number, own] = placed(chunk);
      parts.get(number)?.push(own);
    }
    const totals = new Map();
    for (const [number, site] of decided) {
      for (const [name, counts] of Object.entries(site.count(parts.get(number), Infinity))) {
        const total = totals.get(name) ?? totals.set(name, new Map()).get(name);
        for (const [value, times] of counts) total.set(value, (total.get(value) ?? 0) + times);
      }
    }
    return Object.fromEntries([...totals].map(([name, total]) => [name, mostFrequent([...total])]));
  };
  return {
    allows: some.some((own) => own.allows) ? allows : null,
    passes: some.some((own) => own.passes) ? passes : null,
    count,
    fewer: some[0]?.fewer,
  };
}

/** The error of a field or value that a site does not have, with the site. */
export function ofSite(error, id) {
  const { place, reason, hint } = error;
  return error instanceof InfographError && place ? wrong(place, `${reason}, in the site ${id}`, hint) : error;
}

/** The notes that all sites make: what no chunk has in one of them, those of another may. */
function common(notes) {
  const heads = notes.map((own) => own.map((note) => note.split(MOST_FREQUENT)[0]));
  return [...new Set(heads[0])].filter((note) => heads.every((own) => own.includes(note)));
}
