// Follows every chunk and source link of one index with nothing but fetch, and prints status and hash of each.
// usage: node fetch.mjs INDEX_URL
import { createHash } from "node:crypto";

const start = process.argv[2];
const { _links: links } = await (await fetch(start)).json();
const seen = {};
for (const { href } of [...links.item, ...links.source]) {
  const response = await fetch(new URL(href, start));
  const body = Buffer.from(await response.arrayBuffer());
  seen[href] = [response.status, createHash("sha256").update(body).digest("hex")];
}
console.log(JSON.stringify(seen));
