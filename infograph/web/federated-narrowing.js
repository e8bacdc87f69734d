/**
 * A filter and facets over the sites of a federation: each site's columns say which of its chunks are allowed. And a path
 * there, which begins with the name of a site. The same answers as `search/reading/federated_filtering.py`; loaded by
 * `federation.js` for such a search alone.
 */

import { nearest, shown, wrong } from "./filters.js";
import { BY_COLUMNS_ALONE, mostFrequent } from "./narrowing.js";
import { InfographError } from "./site.js";

/** Most sites that an error names. */
const SITES_NAMED = 10;

/**
 * What `narrowed` in narrowing.js gives, for the sites of a federation. Null where no site can decide the filter; what
 * one cannot decide is noted as missing, and none of its chunks is allowed.
 * @param {Map<number, object | null>} found what `narrowed` gives for each site, by number
 * @param {(chunk: number) => [number, number]} placed the number of a chunk's site, and the chunk as that site has it
 * @param {(hit: object) => number} numberOf a hit's site
 */
export function joined(found, placed, numberOf, remarks) {
  const decided = new Map([...found].filter(([, own]) => own));
  if (found.size && !decided.size) return null;
  const some = [...decided.values()];
  remarks.notes.push(...absentEverywhere(some));
  if (some.some((own) => own.alone)) remarks.notes.push(BY_COLUMNS_ALONE);
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

/** Refuses the path of a folder or a document that begins with no site's name: nothing can lie there. */
export function refuseOtherSite(path, ids) {
  const [name] = path.split("/").filter((part) => part && part !== ".");
  if (name === undefined || ids.includes(name)) return;
  const near = nearest(name, ids);
  const more = ids.length > SITES_NAMED ? ` and ${ids.length - SITES_NAMED} more` : "";
  const there = `There are: ${ids.slice(0, SITES_NAMED).join(", ")}${more}`;
  const hint = `A path begins with the name of a site. ${near && `Did you mean ${near}? `}${there}`;
  throw wrong("path", `the federation has no site ${shown(name)}`, hint);
}

/** The error of a field or value that a site does not have, with the site. */
export function ofSite(error, id) {
  const { place, reason, hint } = error;
  return error instanceof InfographError && place ? wrong(place, `${reason}, in the site ${id}`, hint) : error;
}

/** Notes of the values that no chunk of any site has: what none has in one of them, those of another may. */
function absentEverywhere([first, ...others]) {
  const keys = [...(first?.absent.keys() ?? [])].filter((key) => others.every(({ absent }) => absent.has(key)));
  return new Set(keys.map((key) => first.absent.get(key).note));
}
