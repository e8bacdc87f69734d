/** Files of the tree, read for the explorer: those that never change once, whoever asks; and what an answer costs. */

import { Site } from "../site.js";

/** Names of these are their digests, and chunks are checked against theirs: a second reader may have the same bytes. */
const LASTING = /\/(?:_search\/[a-z]-[0-9a-f]{16}\.z|_chunks\/[^/]+\.(?:md|pack\.txt))$/;
/** Files that are remembered, and bytes of the largest. */
const [MOST, LARGEST] = [400, 1 << 18];
/** Milliseconds for one file. */
const TIMEOUT = 10_000;
const had = new Map();

/** What `fetch` gives, from memory where a lasting file was read before. */
export async function kept(address, options = {}) {
  const isLasting = LASTING.test(address) && options.cache !== "reload";
  if (isLasting && had.has(address)) return new Response(had.get(address));
  const response = await fetch(address, options);
  const size = Number(response.headers.get("Content-Length") ?? LARGEST + 1);
  if (!isLasting || !response.ok || response.redirected || size > LARGEST) return response;
  const data = await response.arrayBuffer();
  had.set(address, data);
  if (had.size > MOST) had.delete(had.keys().next().value);
  return new Response(data);
}

/** The next read of anything is from the server again. */
export function forget() {
  had.clear();
}

/** A `fetch` that adds up what is read with it, from memory or not: `sizes` has the bytes of each address. */
export function metered() {
  const sizes = new Map();
  const read = async (address, options) => {
    const response = await kept(address, options);
    if (!response.ok || !response.body) return response;
    let size = 0;
    const count = new TransformStream({
      transform(part, controller) {
        size += part.byteLength;
        sizes.set(address, size);
        controller.enqueue(part);
      },
    });
    return new Response(response.body.pipeThrough(count), response);
  };
  return { read, sizes };
}

/** The tree that this page lies in. */
export function here() {
  return new Site(new URL(".", document.baseURI), { fetch: kept, timeout: TIMEOUT });
}
