// Terms, hashes and stems as the fixtures that all clients share say them.
import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { Cursor, hash32, sha256 } from "../../infograph/web/bytes.js";
import { diversified, readVectors } from "../../infograph/web/diversity.js";
import { stemEnglish } from "../../infograph/web/english.js";
import { compare } from "../../infograph/web/order.js";
import { featureHash, keysOf, questionHash } from "../../infograph/web/question.js";
import { PAGE, collapse, reach } from "../../infograph/web/ranking.js";
import { cut } from "../../infograph/web/terms.js";

const fixture = (name) => JSON.parse(readFileSync(new URL(`../fixtures/${name}`, import.meta.url), "utf8"));

test("terms", () => {
  const { stop_words, cases } = fixture("search-terms.json");
  const language = { stem: stemEnglish, stopWords: new Set(stop_words.split(" ")) };
  for (const { text, terms } of cases) {
    const found = [...cut(text, language)].map(({ whole, parts }) => [whole, parts]);
    assert.deepEqual(found, terms, text);
  }
});

test("stems", () => {
  const { words } = JSON.parse(readFileSync(process.env.STEMS, "utf8"));
  for (const [word, stem] of words) assert.equal(stemEnglish(word), stem, word);
});

test("question hashes", () => {
  const { stop_words, turning_words, feature_hashes, questions } = fixture("simhash.json");
  for (const [feature, hash] of Object.entries(feature_hashes)) {
    assert.equal(featureHash(feature).toString(16).padStart(16, "0"), hash);
  }
  const stopWords = new Set(stop_words.en.map((word) => word.replaceAll("'", "")));
  for (const { question, language, hash } of questions.filter(({ language }) => language === "en")) {
    const halves = questionHash(question, { stem: stemEnglish, stopWords }, turning_words.en);
    assert.equal(halves.map((half) => half.toString(16).padStart(8, "0")).join(""), hash, `${language}: ${question}`);
  }
});

test("keys of questions", () => {
  const { stop_words, keys } = fixture("simhash.json");
  const language = { stem: stemEnglish, stopWords: new Set(stop_words.en.map((word) => word.replaceAll("'", ""))) };
  for (const { question, common, keys: own } of keys) {
    assert.deepEqual(keysOf(question, language, new Set(common)), own, question);
  }
});

test("SHA-256 is that of the platform, also where the page has none", async () => {
  const own = Object.getOwnPropertyDescriptor(globalThis, "crypto");
  for (const crypto of [globalThis.crypto, {}, undefined]) {
    Object.defineProperty(globalThis, "crypto", { value: crypto, configurable: true });
    for (const size of [0, 1, 54, 55, 56, 63, 64, 65, 119, 120, 100_000]) {
      const data = randomBytes(size + 3).subarray(3);
      assert.equal(await sha256(data), createHash("sha256").update(data).digest("hex"));
    }
  }
  Object.defineProperty(globalThis, "crypto", own);
});

test("hash32", () => {
  const { hashes } = JSON.parse(readFileSync(process.env.STEMS, "utf8"));
  for (const [text, hash] of hashes) assert.equal(hash32(text), hash, text);
});

test("numbers", () => {
  const cursor = new Cursor(Uint8Array.of(0, 127, 128, 1, 255, 255, 255, 255, 15));
  assert.deepEqual([cursor.number(), cursor.number(), cursor.number(), cursor.number()], [0, 127, 128, 2 ** 32 - 1]);
  assert.ok(cursor.done);
  assert.throws(() => cursor.number(), RangeError);
  assert.throws(() => new Cursor(new Uint8Array(20).fill(255)).number(), RangeError);
  assert.throws(() => new Cursor(new Uint8Array(3)).bytes(4), RangeError);
});

test("the order of UTF-8", () => {
  const words = ["", "a", "ab", "b", "é", "\uffee", "\u{10400}"];
  for (let i = 0; i < words.length; i++) {
    for (let j = 0; j < words.length; j++) {
      assert.equal(
        Math.sign(compare(words[i], words[j])),
        Math.sign(Buffer.compare(Buffer.from(words[i]), Buffer.from(words[j]))),
      );
    }
  }
});

test("near-duplicates collapse", () => {
  const hit = (page, bits, title = "Cache") => ({ page, title, section_path: [title], simhash: bits.padStart(16, "0") });
  const shown = (hits) => collapse(hits).map(({ page, duplicates }) => [page, duplicates.map((other) => other.page)]);
  assert.deepEqual(shown([hit("a", "0"), hit("b", "ff"), hit("c", "ffff"), hit("d", "1ff")]), [
    ["a", ["b"]],
    ["c", ["d"]],
  ]);
  assert.deepEqual(shown([hit("a", "0"), hit("a", "0"), hit("b", "0", "Models"), hit("c", "f000000000000000")]), [
    ["a", ["c"]],
    ["a", []],
    ["b", []],
  ]);
  assert.deepEqual(shown([]), []);
});

test("as many chunks are looked at as may be needed", () => {
  const ranked = [0, 1, 65, 64, 130, 3].map((slot) => [slot * PAGE + 7, 1]);
  assert.deepEqual([0, 1, 2, 3, 9].map((wanted) => reach(ranked, wanted, 64)), [0, 2, 6, 6, 6]);
});

test("maximal marginal relevance", () => {
  const vectors = [[1, 0], [1, 0], [0, 1], []].map((row) => Int8Array.from(row));
  assert.deepEqual(diversified([5, 4, 3, 2], vectors, 0), [0, 1, 2, 3]);
  assert.deepEqual(diversified([5, 4, 3, 2], vectors, 0.8), [0, 2, 3, 1]);
  assert.deepEqual(diversified([], [], 1), []);
});

test("vectors of a block", () => {
  const data = Uint8Array.of(5, 0, 1, 255, 2, 200, 1, 1, 2, 3, 4, 5, 128);
  assert.deepEqual(readVectors(data, 5, 0, 2), [Int8Array.of(-1, 2)]);
  assert.deepEqual(readVectors(data, 200, 1, 2), [Int8Array.of(3, 4), Int8Array.of(5, -128)]);
  assert.deepEqual(readVectors(data, 6, 0, 2), []);
  assert.throws(() => readVectors(data.subarray(0, 4), 6, 0, 2), RangeError);
});
