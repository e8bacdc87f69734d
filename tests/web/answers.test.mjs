// Over a whole site: the answers of the Python reader, and what only clients do.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { Client, InfographError } from "../../infograph/web/infograph.js";
import { MeasuredClient } from "../../infograph/web/stats.js";

const expected = JSON.parse(readFileSync(new URL("../fixtures/queries.json", import.meta.url), "utf8"));
const SITE = `${process.env.SERVER}site/`;
/** Of a busy machine. */
const timeout = 60_000;
const client = new Client(SITE, { timeout });
const NO_WORDS = "the query has no words to search for";
const TOO_COMMON = "the words of the query are too common, or too long, to search for";
const COMMON = ["the of and", "what it does", "how, use, it"];
const whole = process.env.SHARE === "all";
/** What is compared in a quick run: each sixth. */
const some = (all) => Object.entries(all).filter((_, i) => whole || i % 6 === 0);
const sum = (numbers) => numbers.reduce((all, own) => all + own, 0);
const close = (a, b) => Math.abs(a - b) <= 0.01;

for (const how of ["search", "pages"]) {
  test(`${how}: the same chunks with the same scores`, async () => {
    for (const [query, hits] of some(expected[how])) {
      const answer = await client[how](query, { limit: 5 });
      assert.deepEqual(
        answer.hits.map(({ page, index }) => `${page}#${index}`),
        hits.map(([id]) => id),
        query,
      );
      assert.ok(
        hits.every(([, score], i) => close(score, answer.hits[i].score)),
        query,
      );
      assert.deepEqual([answer.missing, answer.notes], [{}, COMMON.includes(query) ? [TOO_COMMON] : ["…", ""].includes(query) ? [NO_WORDS] : []]);
      assert.deepEqual(answer.corrected, expected.corrected[query]);
    }
  });
}

test("stats: requests and bytes are those that were fetched, call by call, and the answer is the same", async () => {
  const seen = [];
  const fetch = async (address, options) => {
    const response = await globalThis.fetch(address, options);
    const data = await response.arrayBuffer();
    seen.push(data.byteLength);
    return new Response(data, { status: response.status });
  };
  const measured = new MeasuredClient(SITE, { fetch });
  const calls = ["clear the cache", "stripe order", "clear the cache"];
  const answers = await Promise.all(calls.map((query) => measured.search(query, { texts: true })));
  const sums = answers.map(({ stats }) => [stats.requests, stats.bytes]);
  assert.deepEqual([sum(sums.map(([own]) => own)), sum(sums.map(([, own]) => own))], [seen.length, sum(seen)]);
  assert.deepEqual(Object.keys(answers[0].stats.milliseconds).sort(), ["computing", "manifest", "search", "texts"]);
  const { stats, ...again } = answers[2];
  assert.deepEqual(again, await client.search(calls[2], { texts: true }));
  assert.ok(stats.milliseconds.manifest === undefined && stats.requests < sums[0][0]);
  assert.ok(Array.isArray(await measured.topics()));
  await assert.rejects(measured.search(7), { code: "unknown" });
  measured.refresh();
  assert.ok((await measured.complete("ca")).stats.requests > 0);
});

test("exact: the words as they are", async () => {
  for (const [query, hits] of Object.entries(expected.exact)) {
    const answer = await client.search(query, { limit: 5, exact: true });
    assert.deepEqual(
      answer.hits.map(({ page, index }) => `${page}#${index}`),
      hits.map(([id]) => id),
      query,
    );
    assert.deepEqual(answer.corrected, {});
  }
});

test("links: what led to each hit, and the search without them", async () => {
  for (const [query, hits] of Object.entries(expected.alone)) {
    const answer = await client.search(query, { limit: 5, links: false });
    assert.deepEqual(answer.hits.map(({ page, index }) => `${page}#${index}`), hits.map(([id]) => id), query); // prettier-ignore
    const led = (await client.search(query)).hits.filter(({ hops }) => hops);
    assert.deepEqual(
      led.map(({ page, index, via }) => [`${page}#${index}`, `${via.page}#${via.index}`, via.evidence, via.back]),
      expected.led[query],
      query,
    );
  }
});

for (const how of ["complete", "correct"]) {
  test(`${how}: the same words`, async () => {
    for (const [word, terms] of Object.entries(expected[how])) {
      assert.deepEqual(await client[how](word), { terms, missing: {}, corrected: {}, notes: [] });
    }
    assert.deepEqual((await client[how]("")).terms, []);
  });
}

test("retrieve: the same passages, excerpts among them, and the same rest", async () => {
  for (const [key, [tokens, passages, more, plan]] of some(expected.retrieve)) {
    const budget = Number(key.split(" ", 1)[0]);
    const query = key.slice(key.indexOf(" ") + 1);
    const context = await client.retrieve(query, { max_tokens: budget });
    const ids = (hits) => hits.map(({ page, index }) => `${page}#${index}`);
    const digest = (text) => createHash("sha256").update(text).digest("hex").slice(0, 16);
    assert.deepEqual(
      context.passages.map(({ hits, tokens: own, text, excerpt }) => [ids(hits), own, digest(text), excerpt]),
      passages,
      key,
    );
    assert.deepEqual([context.tokens, ids(context.more), context.missing], [tokens, more, {}], key);
    assert.ok(context.tokens <= budget);
    assert.deepEqual(context.plan, plan, key);
  }
  assert.ok(Object.values(expected.retrieve).some(([, passages]) => passages.some(([, , , excerpt]) => excerpt)));
});

test("retrieve: a chunk that cannot be read is named, and what is left is read", async () => {
  const query = "clear the embedding cache";
  const whole = await client.retrieve(query);
  const [lost] = whole.passages[0].hits.filter(({ score }) => score > 0);
  const fetch = (address, options) =>
    address.endsWith(lost.href) ? new Response("", { status: 404 }) : globalThis.fetch(address, options);
  const context = await new Client(SITE, { fetch, timeout }).retrieve(query);
  assert.match(context.missing[lost.href], /answers 404/);
  const shown = context.passages.flatMap(({ hits }) => hits.map(({ href }) => href));
  assert.ok(shown.length > 0 && !shown.includes(lost.href));
  assert.ok(context.tokens <= 2000);
});

test("retrieve: that nothing fits is said, and what would", async () => {
  const { passages, more, notes } = await client.retrieve("Is the cache faster than the index?", { max_tokens: 1 });
  assert.ok(!passages.length && more.length);
  assert.deepEqual(notes, ["nothing that was found fits into 1 token; at the level `passages` parts of chunks may"]);
  const pieces = await client.retrieve("cache", { max_tokens: 1, level: "passages" });
  assert.deepEqual(pieces.notes, ["nothing that was found fits into 1 token"]);
});

test("retrieve: what is no budget or no option is refused", async () => {
  const ways = [{ question_class: "fact" }, { level: "section" }, { packing: "best" }, { split: 1 }, { sources: null }];
  for (const options of [...ways, { max_tokens: -1 }, { max_tokens: 0 }, { max_tokens: 1.5 }, { max_tokens: "9" }, { graph: 7 }, { path: 1 }]) {
    await assert.rejects(client.retrieve("build", options), { name: "InfographError", code: "unknown" });
  }
  const nothing = await client.retrieve("build", { path: "nowhere" });
  assert.deepEqual([nothing.passages, nothing.notes], [[], ["nothing that was found lies below the path"]]);
  assert.deepEqual((await client.search("…", { path: "nowhere" })).notes, [NO_WORDS]);
});

test("an option that there is not is refused, and those that there are are named", async () => {
  const slips = { search: "limt", pages: "colapse", retrieve: "max_token", match: "topics", complete: "limits", correct: "exact", communities: "path" };
  for (const [call, slip] of Object.entries(slips)) {
    const told = new RegExp(`^${slip}: is no option of ${call}; there are: .*(limit|max_tokens), .*signal, timeout$`);
    await assert.rejects(client[call]("build", { [slip]: 3 }), { code: "unknown", message: told });
  }
  const refused = { code: "unknown", message: 'options: has to be signal and timeout, not {"timeuot":5}' };
  const call = { timeuot: 5 };
  for (const asked of [
    () => client.topics("", call),
    () => client.topic("", call),
    () => client.sample("", 1, "technical", call),
    () => client.read("a.md", call),
    () => client.highlight("a", "a", call),
    () => client.passage("a", "a", call),
  ]) {
    await assert.rejects(asked(), refused);
  }
  assert.throws(() => new Client(SITE, { timeot: 5 }), { code: "unknown", message: /fetch, timeout and stemmers, not/ });
});

test("match: the same chunks", async () => {
  for (const [question, found] of Object.entries(expected.match)) {
    const items = await client.match(question);
    assert.deepEqual(
      items.map(({ matched_question, href }) => [matched_question.distance, href]),
      found,
      question,
    );
  }
  assert.deepEqual(await client.match("How do I install infograph?", { topic: "reference" }), []);
});

test("a hit says where it is read and where it is rendered", async () => {
  const [hit] = (await client.search("github pages underscore folders")).hits;
  assert.equal(hit.url, `${SITE}${hit.page_url}#${hit.anchor}`);
  const chunk = await client.read(hit);
  assert.ok(chunk.sha256.startsWith(hit.sha256));
  assert.match(chunk.front_matter, /^title: /m);
  assert.equal((await client.read(hit.href)).text, chunk.text);
});

test("offset goes on where limit ended", async () => {
  for (const how of ["search", "pages"]) {
    const { hits: all, total } = await client[how]("build", { limit: 9 });
    const { hits: rest } = await client[how]("build", { limit: 5, offset: 4 });
    assert.deepEqual(rest, all.slice(4));
    assert.ok(total >= 9);
    assert.deepEqual((await client[how]("build", { offset: 10_000 })).hits, []);
  }
});

test("Infinity is all there is", async () => {
  const { hits, total, total_relation } = await client.search("build", { limit: Infinity });
  assert.deepEqual([hits.length, total_relation], [total, "eq"]);
  assert.deepEqual(await client.sample("guide", Infinity), await client.sample("guide", 1000));
});

test("diversity and collapse change no hit but its place", async () => {
  const ids = ({ hits }) => hits.map(({ href }) => href);
  const plain = await client.search("build", { limit: 40 });
  const mixed = await client.search("build", { limit: 40, diversity: 0.6 });
  assert.notDeepEqual(ids(mixed), ids(plain));
  assert.deepEqual(ids(mixed).sort(), ids(plain).sort());
  assert.equal(mixed.hits[0].href, plain.hits[0].href);
  assert.deepEqual(ids(mixed).slice(32), ids(plain).slice(32));
  assert.deepEqual(ids(await client.search("build", { offset: 4, limit: 6, diversity: 0.6 })), ids(mixed).slice(4, 10));
  assert.deepEqual(ids(await client.search("build", { limit: 40, collapse: false })).slice(0, 5), ids(plain).slice(0, 5));
});

test("a query's own vector orders the best chunks anew", async () => {
  for (const [query, { vector, hits }] of Object.entries(expected.rerank)) {
    const asked = [];
    const rerank = async (...given) => asked.push(given) && Float32Array.from(vector);
    const found = await client.search(query, { limit: 5, rerank });
    assert.equal(asked[0][0], query);
    assert.match(asked[0][1], /^static-256@[0-9a-f]{12}$/);
    assert.deepEqual(
      found.hits.map(({ page, index }) => `${page}#${index}`),
      hits.map(([id]) => id),
    );
    assert.ok(hits.every(([, score], i) => close(score, found.hits[i].score)));
    assert.deepEqual(found.missing, {});
  }
  const typed = [];
  await client.search("claer the Cahce, constructor", { rerank: (query) => typed.push(query) && [1] });
  assert.deepEqual(typed, ["clear the cache, constructor"], "slips are no words of the model's");
  for (const rerank of [true, () => null, () => undefined, () => ({ data: [1] }), () => [NaN], () => ["x"]]) {
    await assert.rejects(client.search("cache", { rerank }), (error) => error instanceof InfographError);
  }
  const { hits, missing } = await client.search("cache", { rerank: () => [1] });
  assert.deepEqual(
    hits.map(({ href }) => href),
    (await client.search("cache")).hits.map(({ href }) => href),
  );
  assert.match(Object.values(missing)[0], /maps vectors of 256 numbers, not of 1$/);
});

test("path and filters choose among the same hits in the same order", async () => {
  const { hits: all } = await client.search("build a graph", { limit: 200 });
  for (const path of ["guide", "/guide/", "reference/formats", "guide/builds.md", "nowhere", "gui"]) {
    const folder = path.replaceAll(/^\/|\/$/g, "");
    const wanted = all.filter(({ page }) => page === folder || page.startsWith(`${folder}/`));
    assert.deepEqual((await client.search("build a graph", { path, limit: 200 })).hits, wanted);
    const { hits } = await client.search("build a graph", { path, limit: 3, offset: 1 });
    assert.deepEqual(hits, wanted.slice(1, 4));
  }
  const filters = { page_title: ["Builds", "Hosts"], index: 0 };
  const { hits } = await client.search("build a graph", { filters, limit: 200 });
  assert.deepEqual(
    hits,
    all.filter(({ page_title, index }) => index === 0 && ["Builds", "Hosts"].includes(page_title)),
  );
  const inPath = await client.pages("build a graph", { path: "guide", limit: 200 });
  assert.equal(new Set(inPath.hits.map(({ page }) => page)).size, inPath.hits.length);
  await assert.rejects(client.search("build", { filters: { colour: "red" } }), { code: "unknown" });
});

test("topics", async () => {
  const topics = await client.topics();
  assert.deepEqual(
    topics.map(({ id }) => id),
    ["guide", "publishing", "reference", "reference/formats"],
  );
  assert.deepEqual(
    (await client.topics("reference")).map(({ id }) => id),
    ["reference/formats"],
  );
  for (const { id, href, chunks, topics: below } of topics) {
    const topic = await client.topic(id);
    assert.deepEqual([topic.id, topic.href], [id, href]);
    const items = Object.values(topic.documents).flatMap((document) => document.items);
    if (!below) assert.equal(items.length, chunks);
    for (const item of items) assert.equal((await client.read(item)).sha256, item.sha256);
  }
  await assert.rejects(client.topic("guide/none"), { code: "unknown" });
});

test("a sample begins with baselines and takes the documents in turn", async () => {
  const { documents } = await client.topic("reference");
  for (const [order, baseline, stripes] of [
    ["conceptual", "baseline_conceptual", "stripe_order"],
    ["technical", "baseline_technical", "stripe_order_technical"],
  ]) {
    const all = await client.sample("reference", 1000, order);
    for (const [name, document] of Object.entries(documents)) {
      const own = all.filter((item) => item.document === name).map(({ index }) => index);
      assert.deepEqual(own, document[stripes] ? [document[baseline], ...document[stripes]] : []);
    }
    const few = await client.sample("reference", 4, order);
    assert.deepEqual(few, all.slice(0, 4));
    const ordered = Object.values(documents).filter((document) => document[stripes]).length;
    assert.equal(new Set(few.map(({ document }) => document)).size, Math.min(4, ordered));
  }
  await assert.rejects(client.sample("reference", 3, "random"), { code: "unknown" });
});

test("any query has an answer, and asks for few files", { skip: !whole }, async () => {
  const asked = async () => (await (await fetch(`${process.env.SERVER}asked`)).json()).length;
  const queries = {
    "one word": "cache ".repeat(17_000),
    "many words": Array.from({ length: 15_000 }, (_, i) => `word${i}`).join(" "),
    "no space": "x".repeat(100_000),
    "one compound": "a.b-c_".repeat(17_000),
    "stop words": "the of and a in to ".repeat(5_000),
    "control characters": "\0\x01\x1b\x7f\u0085\u2028".repeat(17_000),
    "unknown script": "ሰላም ልዑል ".repeat(10_000),
    "without spaces": "東京タワーに行く".repeat(12_500),
    "lone surrogates": "\ud800\udfff\udc00".repeat(30_000),
    marks: "e\u0301\u0302".repeat(30_000),
    quotes: "''''s ".repeat(20_000),
  };
  for (const [name, query] of Object.entries(queries)) {
    const before = await asked();
    const { hits, notes } = await new Client(SITE, { timeout }).search(query, { limit: 5 });
    assert.ok(Array.isArray(hits));
    assert.ok((await asked()) - before <= 80, `${name}: ${(await asked()) - before} files`);
    const unsearchable = ["no space", "one compound", "stop words", "marks"].includes(name);
    const wordless = ["control characters", "lone surrogates"].includes(name);
    const expectedNotes = unsearchable ? [TOO_COMMON] : wordless ? [NO_WORDS] : [];
    if (name === "many words") expectedNotes.push("only the first 64 words of the query were looked up");
    assert.deepEqual(notes, expectedNotes, name);
  }
  assert.ok((await client.search("cache ".repeat(17_000))).hits.length > 0);
});

test("a language without a stemmer is matched by the beginnings of words, and says so", async () => {
  const changed = async (input, init) => {
    const response = await fetch(input, init);
    if (!String(input).endsWith("manifest.json")) return response;
    return Response.json({ ...(await response.json()), language: "de" });
  };
  const german = new Client(SITE, { fetch: changed, timeout });
  const { hits, notes } = await german.search("configuration");
  assert.match(notes.join(), /no stemmer for "de"/);
  assert.ok(hits.length > 0);
  await assert.rejects(german.match("Wie?"), { code: "unknown" });
  const given = new Client(SITE, { fetch: changed, timeout, stemmers: { de: (word) => word } });
  assert.deepEqual((await given.search("cache")).notes, []);
});

test("the types name what there is", () => {
  const types = readFileSync(new URL("../../infograph/web/infograph.d.ts", import.meta.url), "utf8");
  const [body] = /export class Client {[^]*?\n}/.exec(types);
  const named = [...body.matchAll(/^ {2}(\w+)\(/gm)].map(([, name]) => name);
  assert.deepEqual(named.sort(), Object.getOwnPropertyNames(Client.prototype).sort());
});

test("files are fetched once", async () => {
  const asked = [];
  const counting = (input, init) => (asked.push(String(input)), fetch(input, init));
  const own = new Client(SITE, { fetch: counting, timeout });
  await Promise.all([own.search("cache"), own.search("cache"), own.pages("cache")]);
  await own.search("cache");
  assert.equal(new Set(asked).size, asked.length);
  own.refresh();
  await own.search("cache");
  assert.ok(asked.length > new Set(asked).size);
});

test("a chunk that is gone or another has the client look anew", async () => {
  const asked = [];
  const own = new Client(SITE, { fetch: (input, init) => (asked.push(String(input)), fetch(input, init)), timeout });
  const [hit] = (await own.search("cache")).hits;
  await own.topic("guide");
  for (const [what, code] of [[{ ...hit, sha256: "0".repeat(32) }, "broken"], ["_chunks/none-0.md", "missing"]]) {
    asked.length = 0;
    await assert.rejects(own.read(what), { code });
    await own.search("cache");
    await own.topic("guide");
    const plain = asked.map((url) => url.replace(/\.[0-9a-f]{10}\.json$/, ".json"));
    for (const href of ["_search/manifest.json", "index.json", "guide/index.json"]) {
      assert.equal(plain.filter((url) => url === SITE + href).length, 1, href);
    }
  }
});

test("a caller can give up", async () => {
  await assert.rejects(client.search("cache", { signal: AbortSignal.abort(new Error("enough")) }), /enough/);
  const controller = new AbortController();
  const search = new Client(SITE, { timeout }).search("cache", { signal: controller.signal });
  controller.abort();
  await assert.rejects(search, { name: "AbortError" });
});

test("a folder may be given without its slash, and by its index", async () => {
  for (const url of [SITE.slice(0, -1), `${SITE}index.json`, `${SITE}?a=b#c`, new URL(SITE)]) {
    assert.equal((await new Client(url, { timeout }).search("cache")).hits.length, 10);
  }
});

test("only http and https are addresses of a site", () => {
  for (const url of ["file:///tmp/", "data:text/plain,x", "javascript:x", "nope", "", null, undefined, 7, {}]) {
    assert.throws(
      () => new Client(url),
      (error) => error instanceof InfographError && error.code === "outside",
      url,
    );
  }
});

test("the plain name of a chunk means the newest, and a text is found where it has moved to", async () => {
  const own = new Client(SITE, { timeout });
  const [first, second] = (await own.topic("guide")).documents.install.items;
  const plain = second.href.replace(/\.[0-9a-f]{10}(?=-1\.md$)/, "");
  assert.notEqual(plain, second.href);
  assert.deepEqual(await own.read(plain), await own.read(second));
  assert.deepEqual(await own.read({ href: plain, sha256: first.sha256 }), await own.read(first));
  await assert.rejects(own.read({ href: plain, sha256: "0".repeat(32) }), { code: "missing" });
});
