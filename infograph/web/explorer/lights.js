/** Which chunks a query means, by number, and what a chunk is called: for the map, which shows all of them. */

import { Bundle } from "../bundle.js";
import { PAGE } from "../ranking.js";
import { here } from "./files.js";

/** Chunks that light up, and the least share of the best score that one must have. */
const [MOST, SHARE] = [150, 0.35];
let opening;

function opened() {
  opening ??= Bundle.open(here(), {}, "default");
  opening.catch(() => (opening = undefined));
  return opening;
}

const remarks = () => ({ missing: {}, corrected: {}, notes: [] });

/** The hit of a chunk; undefined where it cannot be read. */
export async function hitOf(slot, index) {
  const [hit] = await (await opened()).hits([[slot * PAGE + index, 0]], remarks());
  return hit ?? undefined;
}

/** Slot and index of the chunks that a query means, the best first; reads no document. */
export async function meant(query) {
  const { manifest, language, stemless } = await opened();
  const bundle = Object.assign(new Bundle(here(), manifest), { language, stemless });
  let found = [];
  // Only what is shown of a hit lies in documents: numbers are enough.
  bundle.hits = async (ranked) => {
    found = ranked;
    return [];
  };
  await bundle.find(query, { limit: MOST, offset: 0, links: false, exact: true }, remarks());
  const likely = found.filter(([, score]) => score >= SHARE * found[0][1]);
  return likely.map(([chunk]) => [Math.floor(chunk / PAGE), chunk % PAGE]);
}
