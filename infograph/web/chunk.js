/** The text of a chunk, from its file. Loaded when one is read: a page shows texts far more often than topics. */

import { sha256 } from "./bytes.js";
import { InfographError, need } from "./site.js";

/** Codes of errors that a publication in between may have caused. */
const OUTDATED = ["missing", "broken"];
const LARGEST_CHUNK = 1 << 24;
/** How a link to a chunk ends that shares its file with others. */
const PACKED = /-\d+\.pack\.txt#\d{1,10}$/;
/** How one ends that leads to such a file, and to no chunk of it. */
const WHOLE = /-\d+\.pack\.txt(?:#.*)?$/;
const DASHES = new TextEncoder().encode("\n---\n");
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * A chunk, which has to be the one that its digest says. Where it is gone or another, what else the client remembers of
 * the site is from before it, too, and is forgotten; and what the indexes have in its place now is read: the chunk of the
 * digest, or without one that of the document and number.
 * @param {import("./site.js").Site} site
 */
export async function read(site, what, signal, client) {
  signal?.throwIfAborted();
  const { href, sha256: digest = "" } = typeof what === "string" ? { href: what } : (what ?? {});
  need(typeof digest === "string", "sha256", "a text", digest);
  if (/federation.json$/.test(site.url) && !site.federated) await client.highlight("", ""); // reads which sites there are
  try {
    return await chunkAt(site, href, digest);
  } catch (error) {
    if (!OUTDATED.includes(error.code) || isWhole(href)) throw error;
    client.refresh();
    const moved = await movedTo(client, href, digest, signal);
    if (!moved) throw error;
    return chunkAt(site, moved.href, moved.sha256);
  }
}

const isWhole = (href) => WHOLE.test(href) && !PACKED.test(href);

async function chunkAt(site, href, digest = "") {
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
  if (PACKED.test(href)) return (await import("./packs.js")).ofPack(site, href, digest, accept);
  if (isWhole(href)) return (await import("./packs.js")).refuseWhole(site, href);
  return site.get(site.resolve(href), LARGEST_CHUNK, accept);
}

/** The item of what is published now that stands for a chunk which is not there any more. */
async function movedTo(client, href, digest, signal) {
  const [, folder, name] = /^(.*?)\/?_chunks\/([^/]*)$/.exec(decoded(href)) ?? [];
  // Where the topic is gone, too, the reader hears of the chunk.
  const topic = name && (await client.topic(folder.replace(/^\.\//, ""), { signal }).catch(() => undefined));
  if (!topic) return undefined;
  const { stem, number } = placed(name);
  const items = Object.values(topic.documents).flatMap((document) => document.items);
  const own = items.filter((item) => placed(decoded(item.href).split("/").pop()).stem === stem);
  const found = digest
    ? [...own, ...items].filter((item) => item.sha256?.startsWith(digest))
    : own.filter((item) => item.index === number);
  return found.find((item) => item.href !== href);
}

/** An href with its bytes for percent signs, where that can be. */
function decoded(href) {
  try {
    return decodeURIComponent(href);
  } catch {
    return String(href);
  }
}

/** The stem of a document, without its version, and the number of the chunk, from the end of a link to it. */
function placed(name) {
  const [, stem = "", own, packed] =
    /^(.*?)(?:\.[0-9a-f]{10})?-(\d+)(?:\.md|\.pack\.txt#(\d{1,10}))$/.exec(name) ?? [];
  return { stem, number: Number(packed ?? own ?? -1) };
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
