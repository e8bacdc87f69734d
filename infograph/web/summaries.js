/**
 * Ranks sections by what their summaries say: the same as infograph's client in Python does
 * (infograph/client/summaries.py, which says how).
 */

import { pieces, values } from "./packing.js";
import { termsOf } from "./retrieve.js";
import { cut } from "./terms.js";

/** Characters of the first sentences that stand for a section of which nobody wrote a summary. */
const OPENING = 300;

/**
 * Hits in the order of the summaries of their sections, those of some ranks before those of the next.
 * @param {import("./infograph.js").Client} client
 * @param {{hit: object, opening: object, rank: number}[]} parts each with the first chunk of its section
 * @param {[string, number]} asked the query, with what is meant by its slips; and how many ranks are ordered at once
 */
export async function bySummary(client, bundle, parts, [searched, atOnce], call, missing) {
  const chunks = await Promise.all(
    parts.map(({ opening: { href, sha256 } }) =>
      client.read({ href, sha256 }, call).catch((error) => {
        if (call.signal?.aborted) throw error;
        missing[href] = error.message;
        return null;
      }),
    ),
  );
  const terms = parts.map(({ hit }, at) => {
    const { unit } = hit;
    const said = chunks[at] ? saidOf(chunks[at], unit) : "";
    if (unit) unit.summary = said;
    const sentences = said || (chunks[at] ? openingOf(chunks[at].readable) : "");
    return termsOf([hit.page_title, ...(unit ?? hit).section_path, sentences].join("\n"), bundle);
  });
  const best = Math.max(0, ...parts.map(({ hit }) => hit.score));
  const shares = parts.map(({ hit: { score } }) => (best > 0 ? Math.max(0, score / best) : 1));
  const asked = [...cut(searched, bundle.language)].flatMap(({ whole, parts: own }) => [whole, ...own]);
  const order = [];
  const last = parts.at(-1)?.rank ?? -1;
  for (let first = 0; first <= last; first += atOnce) {
    const own = [...parts.keys()].filter((at) => parts[at].rank >= first && parts[at].rank < first + atOnce);
    const of = (list) => own.map((at) => list[at]);
    const worth = values(of(shares), of(terms), new Set(asked.filter(Boolean)));
    order.push(...[...own.keys()].sort((a, b) => worth[b] - worth[a]).map((place) => own[place]));
  }
  return order.map((at) => parts[at].hit);
}

/** What a language model wrote of the section of a hit, in the section's first chunk, or of a hit alone. */
function saidOf({ enriched }, unit) {
  if (!unit) return enriched?.summary ?? "";
  const [[first, end]] = unit.slices;
  return enriched?.sections?.find(({ chunks }) => chunks === end - first)?.summary ?? "";
}

/** The first paragraph of a text with the headings above it, or the first sentences of it. */
const openingOf = (text) => pieces(text, OPENING).map(([start, end]) => text.slice(start, end))[0] ?? "";
