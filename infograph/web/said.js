/** What a language model said of a chunk, from its file. Loaded for a chunk of which one has. */

import { InfographError } from "./site.js";

/** What a language model may have said of a chunk. */
const SAID = new Set(
  ("by title summary context key related_keys keywords entities questions queries propositions sections images").split(" "),
);
/** An item of a list in a front matter. */
const LIST_ITEM = /("(?:[^"\\]|\\.)*"|[^",[\]]+)(?:, |$)/g;

/**
 * What a language model said of a chunk, by the lines of its front matter: `{ enriched }`, or nothing.
 * @param {string} head
 * @param {string} href for the error
 */
export function saidOf(head, href) {
  const found = {};
  const scalar = (text) => (text.startsWith('"') ? JSON.parse(text) : text);
  try {
    for (const [, name, value] of head.matchAll(/^enriched_([a-z_]+): (.*)$/gm)) {
      if (!SAID.has(name)) continue;
      const values = value.startsWith("[") && [...value.slice(1, -1).matchAll(LIST_ITEM)].map(([, item]) => scalar(item));
      found[name] = values || scalar(value);
    }
  } catch {
    throw new InfographError("broken", `${href}: what a model said of it is not to be read`);
  }
  if (!Object.keys(found).length) return {};
  if (!found.by) throw new InfographError("broken", `${href}: \`enriched_by\` is missing`);
  if (found.entities) {
    found.entities = found.entities.map((entity) => {
      const at = entity.lastIndexOf(" (");
      return { name: entity.slice(0, at), type: entity.slice(at + 2, -1) };
    });
  }
  if (found.propositions) {
    found.propositions = found.propositions.map((text) => {
      const at = text.lastIndexOf(" (");
      const [start, end] = text.slice(at + 2, -1).split("-").map(Number);
      return { claim: text.slice(0, at), start, end };
    });
  }
  if (found.sections) {
    found.sections = found.sections.map((section) => {
      const at = section.lastIndexOf(" (");
      return { chunks: Number(section.slice(at + 2, -1)), summary: section.slice(0, at) };
    });
  }
  if (found.images) {
    found.images = found.images.map((shown) => {
      const at = shown.lastIndexOf(" (");
      return { image: shown.slice(at + 2, -1), description: shown.slice(0, at) };
    });
  }
  return { enriched: found };
}
