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
 * Hits in the order of the summaries of their sections.
 * @param {import("./infograph.js").Client} client
 * @param {{hit: object, opening: object}[]} parts each with the first chunk of its section
 * @param {string} searched the query, with what is meant by its slips
 */
export async function bySummary(client, bundle, parts, searched, call, missing) {
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
  const worth = values(shares, terms, new Set(asked.filter(Boolean)));
  const order = parts.map((_, at) => at).sort((a, b) => worth[b] - worth[a]);
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
