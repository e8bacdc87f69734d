// Walks a published tree with ketting, which knows nothing of infograph, and prints what it saw.
// usage: node ketting.mjs ROOT_INDEX_URL
import { createHash } from "node:crypto";
import { Ketting } from "ketting";

const warnings = [];
console.warn = (...words) => warnings.push(words.join(" "));

const topics = {};
const chunks = {};
const waiting = [new Ketting(process.argv[2]).go()];
while (waiting.length > 0) {
  const resource = waiting.shift();
  // Not get(): a child topic is embedded in short, as HAL allows, and ketting keeps that as the resource's state.
  const state = await resource.refresh();
  if (state.uri in topics) continue;
  const embedded = state.getEmbedded();
  const documents = embedded.find((one) => one.uri.endsWith("#chunks"));
  topics[state.uri] = {
    title: state.data.title,
    relations: [...new Set(state.links.getAll().map((link) => link.rel))].sort(),
    documents: Object.keys(documents.data),
    children: embedded.filter((one) => one !== documents).map((one) => one.data.title),
    orders: Object.values(documents.data).map((one) => one.stripe_order),
  };
  for (const link of state.links.getMany("item")) {
    const response = await resource.go(link.href).fetch();
    const body = Buffer.from(await response.arrayBuffer());
    chunks[response.url] = createHash("sha256").update(body).digest("hex");
  }
  for (const relation of ["topics", "next", "related", "parent"]) {
    waiting.push(...state.followAll(relation));
  }
}
console.log(JSON.stringify({ topics, chunks, warnings }));
