// Versions of pages by their folders, and results in which the newest comes first. Needs no browser but for the last.
import assert from "node:assert/strict";
import { test } from "node:test";

import { newestFirst, versionOf } from "../../infograph/web/explorer/versions.js";
import { explorer, texts } from "./browser.mjs";

test("folders that are versions, and those that are none", () => {
  for (const [path, key, version] of [
    ["docs/7.5/a.md", "docs/*/a.md", "7.5"],
    ["v2/a.md", "*/a.md", "v2"],
    ["v1.2.x/a.md", "*/a.md", "v1.2.x"],
    ["reference/python-3.11/a.md", "reference/*/a.md", "python-3.11"],
    ["latest/guide/a.md", "*/guide/a.md", "latest"],
    ["next/a.md", "*/a.md", "next"],
    ["guide/a.md", "guide/a.md", ""],
    ["step-2/a.md", "step-2/a.md", ""],
    ["7.5.md", "7.5.md", ""],
    ["guide/1.0/2.0/a.md", "guide/*/2.0/a.md", "1.0"],
  ]) {
    const found = versionOf(path);
    assert.deepEqual([found.key, found.version], [key, version], path);
    assert.equal(found.numbers === null, version === "");
  }
});

test("the newest first: by number, not by letter; what is not out yet last", () => {
  const order = ["next", "v9", "7.10", "latest", "7.9", "v10"].map((name) => versionOf(`${name}/a.md`)).sort(newestFirst);
  assert.deepEqual(order.map(({ version }) => version), ["latest", "v10", "v9", "7.10", "7.9", "next"]);
});

test("results: one page for all its versions, the newest with its sections, the others folded", () =>
  explorer(
    async (page) => {
      assert.deepEqual(await texts(page, ".page-head h2"), ["Turning lamps on", "Other lamps"]);
      assert.deepEqual(await texts(page, ".page-head .version"), ["10.0"]);
      const group = page.locator(".page-group").first();
      assert.match(await group.locator("h3 a").first().getAttribute("href"), /10\.0\//);
      const folded = group.locator(".versions");
      assert.equal(await folded.locator("summary").textContent(), "In 2 other versions");
      await folded.locator("summary").click();
      assert.deepEqual((await texts(page, ".versions .version")).sort(), ["9.1", "9.2"]);
      await folded.locator("a").first().click();
      await page.waitForURL(/chunk=.*9\.\d/);
    },
    { hash: "#q=turn a lamp on" },
  ));
