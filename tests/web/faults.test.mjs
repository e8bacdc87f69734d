// A server that does everything wrong: an error or a lesser answer in time, never a wrong chunk, never another server.
import assert from "node:assert/strict";
import { test } from "node:test";

import { Client } from "../../infograph/web/infograph.js";

const { SERVER, ELSEWHERE } = process.env;
const LINKS = process.env.LINKS.split(" ");
const QUERY = "how do I configure the cache?";
/** Of a call, where the server is slow; a file may take a quarter. */
const TIMEOUT = 10_000;

const at = (fault, file, options = {}) => {
  const timeout = ["trickle", "silent"].includes(fault) ? TIMEOUT : 60_000;
  return new Client(`${SERVER}${fault}~${file}/`, { timeout, ...options });
};
const asked = async (server = SERVER) => (await fetch(`${server}asked`)).json();
const ids = ({ hits }) => hits.map(({ page, index }) => `${page}#${index}`);
/** All of them, at once: a promise that nobody waits for yet must not count as forgotten. */
const refused = (calls, expected) => Promise.all(calls.map((call) => assert.rejects(call, expected)));
const right = await new Client(`${SERVER}site/`, { timeout: 60_000 }).search(QUERY, { limit: 100 });
const [, CHUNK] = (await new Client(`${SERVER}site/`, { timeout: 60_000 }).topic("guide")).documents.install.items;

test.after(async () => {
  assert.deepEqual(await asked(ELSEWHERE), [], "another server was asked");
  const outside = (await asked()).filter((path) => !/^\/[a-z-]+(~[a-z0-9.-]*)?\//.test(path));
  assert.deepEqual(outside, [], "something outside of the base path was asked for");
});

for (const [fault, code] of [
  ["trickle", "timeout"],
  ["silent", "timeout"],
  ["truncated", "missing"],
  ["half", "broken"],
  ["unavailable", "missing"],
  ["page", "broken"],
  ["gzip-bomb", "large"],
  ["redirected", "outside"],
  ["redirected-here", "outside"],
  ["newer", "version"],
]) {
  test(`manifest ${fault}: ${code}`, async () => {
    const client = at(fault, "manifest");
    const calls = [client.search(QUERY), client.pages(QUERY), client.complete("ca"), client.match("How?")];
    await refused(calls, { name: "InfographError", code, message: /^_search\/manifest\.json: / });
  });
}

const SHARD_FAULTS = ["truncated", "half", "unavailable", "page", "wrong", "gzip-bomb", "redirected", "trickle"];

for (const kind of ["n-", "w-"]) {
  for (const fault of SHARD_FAULTS) {
    test(`shards ${kind} ${fault}: the answer says what is missing`, async () => {
      const answer = await at(fault, kind).complete("ca");
      assert.ok(Object.keys(answer.missing).length > 0);
      assert.ok(Object.keys(answer.missing).every((name) => name.startsWith(kind)));
      assert.ok(Object.values(answer.missing).every((reason) => typeof reason === "string" && reason));
      assert.deepEqual(answer.terms, []);
    });
  }
}

for (const kind of ["n-", "w-"]) {
  test(`a slip that cannot be mended for want of ${kind} is an error`, async () => {
    const message = new RegExp(`^_search/${kind}[0-9a-f]+\\.z: cannot be read \\(.+\\)`);
    await refused([at("unavailable", kind).search("cachhe")], { name: "InfographError", code: "missing", message });
    if (kind === "n-") return; // they name the files of words, too
    assert.deepEqual((await at("unavailable", kind).search("cachhe", { exact: true })).hits, []);
  });
}

for (const kind of ["p-", "d-"]) {
  for (const fault of SHARD_FAULTS) {
    test(`all shards ${kind} ${fault}: no empty answer but an error`, async () => {
      const client = at(fault, kind);
      const message = new RegExp(`^_search/${kind}[0-9a-f]+\\.z: cannot be read \\(.+\\)`);
      const calls = [client.search(QUERY), client.pages(QUERY, { offset: 0 }), client.search(QUERY, { path: "guide" })];
      // One batch after the other that trickles may take the whole of the call's time.
      const late = ({ code }) => fault === "trickle" && code === "timeout";
      const missing = ({ name, code, message: said }) => name === "InfographError" && code === "missing" && message.test(said);
      await refused(calls, (error) => late(error) || missing(error));
    });
  }
}

test("nothing asked for is no error, whatever is missing", async () => {
  const { hits, missing } = await at("unavailable", "p-").search(QUERY, { limit: 0 });
  assert.deepEqual([hits, Object.keys(missing).length > 0], [[], true]);
});

test("one shard of many is missing", async () => {
  const [lost] = (await asked()).map((path) => path.split("/").pop()).filter((name) => name.startsWith("d-"));
  const how = { limit: 100, collapse: false }; // or near-duplicates come in the place of what is lost
  const answer = await at("unavailable", lost.slice(0, -2)).search(QUERY, how);
  assert.deepEqual(Object.keys(answer.missing), [lost]);
  const whole = await new Client(`${SERVER}site/`, { timeout: 60_000 }).search(QUERY, how);
  assert.ok(answer.hits.length > 0 && answer.hits.length < whole.hits.length);
  const left = new Set(ids(answer));
  assert.deepEqual(
    ids(answer),
    ids(whole).filter((id) => left.has(id)),
  );
});

test("a file that is wrong once is fetched again", async () => {
  for (const kind of ["p-", "d-"]) {
    const answer = await at("wrong-once", kind).search(QUERY, { limit: 100 });
    assert.deepEqual([answer.missing, ids(answer)], [{}, ids(right)]);
  }
});

test("a manifest whose shards are gone is fetched again", async () => {
  const answer = await at("stale-once", "manifest").search(QUERY, { limit: 100 });
  assert.deepEqual([answer.missing, ids(answer)], [{}, ids(right)]);
});

test("a shard that inflates without end is missing", async () => {
  await assert.rejects(at("shard-bomb", "manifest").search(QUERY), { code: "missing", message: /more than 65536 bytes/ });
});

test("names of shards that lead elsewhere are not asked for", async () => {
  await assert.rejects(at("other-names", "manifest").search(QUERY), { code: "missing", message: /no name of a shard/ });
});

for (const [fault, code] of [
  ["trickle", "timeout"],
  ["truncated", "missing"],
  ["half", "broken"],
  ["unavailable", "missing"],
  ["page", "broken"],
  ["wrong", "broken"],
  ["gzip-bomb", "large"],
  ["redirected", "outside"],
]) {
  test(`index and chunk ${fault}: ${code}`, async () => {
    const calls = [
      at(fault, "index.json").topics(),
      at(fault, "index.json").topic("guide"),
      at(fault, "index.json").sample("guide", 3),
      at(fault, "install.").read(CHUNK),
      at(fault, "install.").read(CHUNK.href),
    ];
    const message = /^(guide\/)?(index\.json|_chunks\/install\.[0-9a-f]{10}-\d\.md): /;
    await refused(calls, { name: "InfographError", code, message });
  });
}

test("an index and a chunk that are wrong once are fetched again", async () => {
  assert.equal((await at("wrong-once", "index.json").topics()).length, 4);
  const hit = right.hits[0];
  const name = hit.href.split("/").pop().split(".")[0];
  assert.ok((await at("wrong-once", name).read(hit)).sha256.startsWith(hit.sha256));
});

test("a chunk that is another than the one that was found is refused", async () => {
  const [hit, other] = right.hits;
  const client = new Client(`${SERVER}site/`, { timeout: 60_000 });
  await assert.rejects(client.read({ href: hit.href, sha256: other.sha256 }), { code: "broken" });
});

for (const link of LINKS) {
  test(`a link ${link} is not followed`, async () => {
    const client = at(link, "index.json");
    const calls = [client.topics(), client.topic("guide"), client.sample("guide", 1)];
    await refused(calls, { name: "InfographError", code: "outside" });
  });
}

test("topics that lead in a circle are refused", async () => {
  const calls = [at("circle", "index.json").topics(), at("circle", "index.json").topic("more/more")];
  await refused(calls, { name: "InfographError", code: "broken" });
});

test("no address but that of the tree is read", async () => {
  const client = new Client(`${SERVER}site/`, { timeout: 60_000 });
  const elsewhere = ELSEWHERE.split("/")[2];
  for (const href of [
    `//${elsewhere}/x`,
    `\\\\${elsewhere}\\x`,
    `/\\${elsewhere}/x`,
    `${ELSEWHERE}x`,
    "file:///etc/passwd",
    "../x",
    "/x",
    "%2e%2e/x",
    ".%2e/x",
    "a/%2e%2e/%2e%2e/x",
    "a%2f..%2f..%2fx",
    "..%5cx",
    "a/..%5c..%5cx",
    "\t/x",
    "a\0b",
    "",
    7,
    null,
    "http:x",
    "http:/x",
    "https:x",
    "blob:x",
    `http://user@${elsewhere}/x`,
    "..\u2215x/../../x",
    "//",
    "http://[",
  ]) {
    await assert.rejects(
      client.read(typeof href === "string" ? href : { href }),
      { name: "InfographError" },
      String(href),
    );
  }
});

test("a call ends in time, whatever the server does", async () => {
  for (const file of ["manifest", "p-", "d-", "index.json"]) {
    const client = at("silent", file, { timeout: 400 });
    await Promise.allSettled([client.search(QUERY), client.topics(), client.read("_chunks/index-0.md")]);
  }
  await assert.rejects(at("silent", "manifest").search(QUERY, { timeout: 50 }), { code: "timeout" });
});
