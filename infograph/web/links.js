/** Pages that the first ones lead to: "Links" on the page "Search bundle" of the guide. Loaded where a site has links. */

import { PAGE } from "./ranking.js";
import { whole } from "./site.js";

export const KINDS = ["link", "relation", "title", "identifier"];

/**
 * The ranking with the chunks that links raise or bring in; `led` gets what led to each of them.
 * @param {import("./bundle.js").Bundle} bundle
 * @param {import("./ranking.js").Ranked[]} ranking
 * @param {Map<number, {chunk: number, kind: number, back: boolean}>} led
 */
export async function linked(bundle, ranking, led, remarks) {
  const { share, leaders: most, after } = bundle.manifest.links;
  const leaders = leading(ranking, most);
  const lists = await (bundle.pageLists ? bundle.pageLists(leaders, remarks) : listsOf(bundle, leaders, remarks));
  if (!lists.flat().some((rows) => rows.length)) return ranking;
  const own = new Map(ranking);
  const best = new Map();
  for (const [chunk] of ranking) if (!best.has(slotOf(chunk))) best.set(slotOf(chunk), chunk);
  const highest = leaders[Math.min(after, leaders.length) - 1][1];
  const gains = new Map();
  leaders.forEach(([leader, score], i) => {
    const gain = (chunk, count, kind, back) => {
      const all = (own.get(chunk) ?? 0) + (share * score) / count;
      const bounded = Math.min(all, score, highest);
      const known = gains.get(chunk);
      if (bounded <= (own.get(chunk) ?? 0)) return;
      if (known && (bounded < known.score || (bounded === known.score && all <= known.all))) return;
      gains.set(chunk, { chunk, score: bounded, all, lead: { chunk: leader, kind, back } });
    };
    const [to, from] = lists[i];
    for (const [chunk, slot, head, kind] of to) {
      if (chunk === leader % PAGE) gain(best.get(slot) ?? slot * PAGE + head, 1, kind, false);
    }
    for (const [slot, chunk, kind] of from) gain(slot * PAGE + chunk, from.length, kind, true);
  });
  for (const [chunk, { lead }] of gains) led.set(chunk, lead);
  const waiting = [...gains.values()].sort((a, b) => a.score - b.score || a.all - b.all || b.chunk - a.chunk);
  const found = [];
  const take = () => {
    const { chunk, score } = waiting.pop();
    found.push([chunk, score]);
  };
  for (const item of ranking) {
    if (gains.has(item[0])) continue;
    while (waiting.length && waiting.at(-1).score > item[1]) take();
    found.push(item);
  }
  while (waiting.length) take();
  return found;
}

/** Says of hits that a link led to from where it did. */
export async function explain(bundle, hits, led, remarks) {
  const of = hits.map((hit) => hit && led.get(bundle.chunks.get(hit)));
  const leaders = [...new Set(of.filter(Boolean).map(({ chunk }) => chunk))];
  const shown = await bundle.hits(leaders.map((chunk) => [chunk, 0]), remarks); // prettier-ignore
  hits.forEach((hit, i) => {
    if (!of[i]) return;
    hit.hops = 1;
    const source = shown[leaders.indexOf(of[i].chunk)];
    if (!source) return;
    const { page, page_title, page_url, index } = source;
    hit.via = { page, page_title, page_url, index, evidence: KINDS[of[i].kind], back: of[i].back };
  });
}

const slotOf = (chunk) => Math.floor(chunk / PAGE);

/** The best chunk of each of the first pages whose score is above 0. */
function leading(ranking, most) {
  const found = new Map();
  for (const item of ranking) {
    if (found.size === most || item[1] <= 0) break;
    if (!found.has(slotOf(item[0]))) found.set(slotOf(item[0]), item);
  }
  return [...found.values()];
}

/** The links of the pages of chunks, by their places: lists of those that they lead to, and that lead to them. */
export async function listsOf(bundle, ranked, remarks) {
  const { links, group } = bundle.manifest;
  if (!links) return ranked.map(() => [[], []]);
  const keys = ranked.map(([chunk]) => `${Math.floor(slotOf(chunk) / group)}`);
  const files = await Promise.all(keys.map((key) => bundle.nameOf(links.shards, key, remarks)));
  const lists = await Promise.all(
    ranked.map(async ([chunk], i) => {
      const shard = await bundle.available(files[i], remarks);
      try {
        return !files[i] || files[i] in remarks.missing ? [[], []] : listsIn(shard, slotOf(chunk));
      } catch ({ message }) {
        remarks.missing[files[i]] = `malformed: ${message}`;
        return [[], []];
      }
    }),
  );
  // Of a malformed file nothing counts.
  lists.forEach((_, i) => files[i] in remarks.missing && (lists[i] = [[], []]));
  return lists;
}

/** A page's links in a shard. */
function listsIn(shard, slot) {
  if (shard?.constructor !== Object) throw new TypeError("not an object");
  const found = Object.hasOwn(shard, slot) ? shard[slot] : [[], []];
  if (!Array.isArray(found) || found.length !== 2) throw new TypeError(`${slot}: not two lists`);
  return [rows(found[0], 4, 1, slot), rows(found[1], 3, 0, slot)];
}

/** Rows of `width` numbers; that at `place` is a slot, written as the difference from the page's own. */
function rows(numbers, width, place, slot) {
  const found = [];
  const sound = Array.isArray(numbers) && numbers.length % width === 0 && whole(numbers, -(2 ** 50), 2 ** 50);
  if (!sound) throw new TypeError(`${slot}: not whole numbers, ${width} a link`);
  for (let at = 0; at < numbers.length; at += width) {
    found.push(numbers.slice(at, at + width).map((number, i) => (i === place ? number + slot : number)));
  }
  if (!whole(found.flat(), 0, 2 ** 50 - 1)) throw new TypeError(`${slot}: a number is out of bounds`);
  if (found.some((row) => row.at(-1) >= KINDS.length)) throw new TypeError(`${slot}: a kind that does not exist`);
  return found;
}
