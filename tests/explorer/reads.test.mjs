// What a page reads for a first search: on a site whose pages do not lead to each other nothing for links, and never a
// module that no option asks for.
import assert from "node:assert/strict";
import { test } from "node:test";

import { server, visit } from "./browser.mjs";

/** Paths that a page asks for when it searches with a new client, without digests; each once. */
async function read(page, options, { texts = false } = {}) {
  const asked = new Set();
  page.on("request", (request) => asked.add(request.url().slice(server.origin.length).replace(/-[0-9a-f]{16}\./, ".")));
  const found = await page.evaluate(
    async ([options, texts]) => {
      const { Client } = await import("./infograph.js");
      const client = new Client(".");
      const { hits } = await client.pages("machine", { limit: 3, ...options });
      if (texts) await Promise.all(hits.map((hit) => client.read(hit)));
      return hits.length;
    },
    [options, texts],
  );
  assert.equal(found, 3);
  page.removeAllListeners("request");
  return [...asked].sort();
}

server.pages = { "/blank.html": "<!doctype html><title>blank</title><link rel=icon href=data:,>" };
const SEARCH = ["_search/d.z", "_search/manifest.json", "_search/p.z", "infograph.js", "infograph/infograph.js"];
const LINKS = process.env.LINKED ? ["_search/l.z", "infograph/links.js"] : [];

test("a first search", () =>
  visit("blank.html", async (page) => assert.deepEqual(await read(page), [...SEARCH, ...LINKS].sort())));

test("the texts of what it found", () =>
  visit("blank.html", async (page) => {
    const asked = await read(page, {}, { texts: true });
    assert.deepEqual(
      asked.filter((path) => !path.endsWith(".md")),
      [...SEARCH, ...LINKS, "infograph/chunk.js"].sort(),
    );
    assert.equal(asked.filter((path) => path.endsWith(".md")).length, 3);
  }));

test("without links", () =>
  visit("blank.html", async (page) =>
    assert.deepEqual(await read(page, { links: false }), [...SEARCH, "infograph/options.js"].sort()),
  ));
