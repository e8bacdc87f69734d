/** The text of a chunk, from its file. Loaded when one is read: a page shows texts far more often than topics. */

import { sha256 } from "./bytes.js";
import { InfographError, need } from "./site.js";

const LARGEST_CHUNK = 1 << 24;
const DASHES = new TextEncoder().encode("\n---\n");
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * A chunk, which has to be the one that its digest says. Where it is gone or another, what else the client remembers of
 * the site is from before it, too, and is forgotten.
 * @param {import("./site.js").Site} site
 */
export async function read(site, what, signal, client) {
  signal?.throwIfAborted();
  const { href, sha256: digest = "" } = typeof what === "string" ? { href: what } : (what ?? {});
  need(typeof digest === "string", "sha256", "a text", digest);
  const accept = async (data) => {
    const wanted = (reason) => new InfographError("broken", `${href}: ${reason}`);
    const [head, body] = divided(data);
    const own = /^sha256: "?([0-9a-f]{64})"?$/m.exec(head)?.[1];
    if (!own || (await sha256(body)) !== own) throw wanted("no chunk, or not the whole of it");
    if (digest && !own.startsWith(digest)) throw wanted("the chunk has changed: look for it again");
    return {
      href,
      sha256: own,
      front_matter: head,
      text: decoder.decode(body),
      readable: readable(head, body, href),
      ...(head.includes("\nenriched_") && (await import("./said.js")).saidOf(head, href)),
    };
  };
  try {
    return await site.get(site.resolve(href), LARGEST_CHUNK, accept);
  } catch (error) {
    if (["missing", "broken"].includes(error.code)) client.refresh();
    throw error;
  }
}

/**
 * The text of a chunk as a reader sees it: `edits` in its front matter says what stands in the place of ranges of bytes.
 * @param {string} head
 * @param {Uint8Array} body
 * @param {string} href for the error
 */
function readable(head, body, href) {
  const line = /^edits: (.*)$/m.exec(head)?.[1];
  if (line === undefined) return decoder.decode(body);
  const broken = new InfographError("broken", `${href}: \`edits\` is not a list of edits`);
  let edits;
  try {
    edits = JSON.parse(line);
  } catch {
    throw broken;
  }
  if (!Array.isArray(edits)) throw broken;
  let text = "";
  let at = 0;
  for (const edit of edits) {
    const [start, end, instead] = Array.isArray(edit) ? edit : [];
    const whole = Number.isInteger(start) && Number.isInteger(end) && typeof instead === "string";
    if (!whole || start < at || end < start || end > body.length) throw broken;
    text += decoder.decode(body.subarray(at, start)) + instead;
    at = end;
  }
  return text + decoder.decode(body.subarray(at));
}

/** Front matter and body of a chunk file. */
function divided(data) {
  const starts = String.fromCharCode(...data.subarray(0, 4)) === "---\n";
  for (let at = data.indexOf(10, 3); starts && at >= 0; at = data.indexOf(10, at + 1)) {
    if (DASHES.every((byte, i) => data[at + i] === byte)) {
      return [new TextDecoder().decode(data.subarray(4, at + 1)), data.subarray(at + DASHES.length)];
    }
  }
  return ["", data];
}
