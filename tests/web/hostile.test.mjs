// Bundles whose digests are right and whose contents are not: a lesser answer that says so, or an InfographError.
import assert from "node:assert/strict";
import { test } from "node:test";

import { Client } from "../../infograph/web/infograph.js";
import { packed, served, whole } from "../../fuzz/javascript/search_bundle.mjs";

const QUERY = "clear the cache";
const value = (kind) => JSON.parse(new TextDecoder().decode(whole[kind]));
/** A client of the bundle with one file that says something else. */
const client = (kind, contents) => {
  const text = typeof contents === "string" ? contents : JSON.stringify(contents);
  return new Client("https://docs.example/", { fetch: served(packed({ ...whole, [kind]: Buffer.from(text) })) });
};

test("the bundle as it is has an answer", async () => {
  const { hits, missing } = await client("m", value("m")).search(QUERY, { diversity: 0.5 });
  assert.ok(hits.length > 2);
  assert.deepEqual(missing, {});
});

const row = () => Object.values(value("d"))[0][3][0];
const withRow = (made) => Object.fromEntries(Object.entries(value("d")).map(([k, v]) => [k, [v[0], v[1], v[2], [made, made], v[4]]]));
const withBlock = (change) => Object.fromEntries(Object.entries(value("d")).map(([key, block]) => [key, change(block)]));
const withLists = (made) => Object.fromEntries(Object.keys(value("l")).map((slot) => [slot, made()]));
for (const [name, contents] of Object.entries({
  "no object": null,
  "a block that is a number": withBlock(() => 7),
  "rows that are text": withBlock(([a, b, c, , e]) => [a, b, c, "rows", e]),
  "a row that is a number": withRow(7),
  "a row of one": withRow(["title"]),
  "a title that is a list": withRow([["title"], ...row().slice(1)]),
  "a path that is text": withRow([row()[0], "path", ...row().slice(2)]),
  "a path of numbers": withRow([row()[0], [1, 2], ...row().slice(2)]),
  "tokens that are text": withRow([...row().slice(0, 4), "many", ...row().slice(5)]),
  "tokens below 0": withRow([...row().slice(0, 4), -1, ...row().slice(5)]),
  "no hashes": withBlock((block) => block.slice(0, 4)),
  "hashes that are none": withBlock((block) => [...block.slice(0, 4), "x".repeat(64)]),
  "hashes cut off": withBlock((block) => [...block.slice(0, 4), "ab"]),
  "a page that is a number": withBlock((block) => [7, ...block.slice(1)]),
})) {
  test(`documents with ${name}: missing`, async () => {
    await assert.rejects(client("d", contents).search(QUERY), { code: "missing", message: /\(has nothing of \d+\.\d+\)/ });
  });
}

for (const contents of [7, "text", { a: 1 }, [7], [null], [["a"]], [[1, 2]], [["cach", "1"]]]) {
  for (const kind of "wxby") {
    test(`${kind} is ${JSON.stringify(contents)}: missing`, async () => {
      for (const how of "wx".includes(kind) ? ["complete", "correct"] : ["correct"]) {
        const { terms, missing } = await client(kind, contents)[how]("cache");
        assert.deepEqual(terms, []);
        assert.equal(Object.keys(missing).length, 1);
      }
    });
  }
}

for (const links of [7, "text", null, [7], { a: 1 }, withLists(() => 7), withLists(() => [[1], []]), withLists(() => [[0, 1, 2, 9], []])]) {
  test(`links that are ${JSON.stringify(links)}: missing, or none`, async () => {
    const { hits, missing } = await client("l", links).search(QUERY);
    assert.ok(hits.length > 2 && hits.every(({ hops }) => hops === 0));
    assert.equal(Object.keys(missing).length, +(JSON.stringify(links) !== '{"a":1}'));
  });
}

const manifest = value("m");

test("a link raises a page, and the hit says from where", async () => {
  const links = { ...manifest.links, after: 1 };
  const [on, off] = await Promise.all(
    [true, false].map((how) => client("m", { ...manifest, links }).search(QUERY, { links: how })),
  );
  const { hops, via } = on.hits.find(({ page }) => page === "far.md");
  assert.deepEqual([hops, via.page, via.evidence, via.back], [1, "guide/cache.md", "link", false]);
  assert.ok(off.hits.every((hit) => hit.hops === 0 && !("via" in hit)));
});

for (const [name, change] of Object.entries({
  "no names of postings": { postings: { bits: 0 } },
  "no names of vectors": { vector_shards: { bits: 0 } },
  "no vectors": { vectors: null },
  "no dimension": { vectors: { dimension: "256" } },
  "no vector files": { vector_shards: null },
  "no files of links": { links: { share: 0.6, leaders: 8, after: 3 } },
  "links without a share": { links: { ...value("m").links, share: "0.6" } },
  "links that are text": { links: "links" },
  "questions without shards": { questions: { count: 1, distance: 12 } },
  "questions without a distance": { questions: { count: 1, shards: value("m").documents } },
  "questions that turn no words": { questions: { count: 1, distance: 12, shards: value("m").documents, turning: [] } },
})) {
  test(`a manifest with ${name} is refused`, async () => {
    const call = client("m", { ...manifest, ...change }).search(QUERY, { diversity: 0.5 });
    await assert.rejects(call, { name: "InfographError", code: "broken" });
  });
}

for (const language of ["constructor", "__proto__", "", "null", "EN"]) {
  test(`a language named ${JSON.stringify(language)} is one without a stemmer`, async () => {
    const { notes } = await client("m", { ...manifest, language }).search(QUERY);
    assert.match(notes.join(), /no stemmer/);
  });
}

for (const kind of ["postings", "documents", "vector_shards"]) {
  for (const other of "pdvwblnxy") {
    test(`${kind} found in a file of kind ${other}: missing, or nothing in it`, async () => {
      const table = { bits: 0, names: `${other}-${other.repeat(16)}` };
      const asked = client("m", { ...manifest, [kind]: table }).search(QUERY, { diversity: 0.5 });
      const answer = await asked.catch((error) => error);
      assert.ok(Array.isArray(answer.hits) || answer.code === "missing", answer.stack);
    });
  }
}
