// The page that the guide offers to be copied, in Chromium, beside the graph that it searches.
import assert from "node:assert/strict";
import { test } from "node:test";

import { explorer, server, texts } from "./browser.mjs";

test("the guide's page searches, marks, leads to pages, and says what cannot be read", async () => {
  await explorer(
    async (page) => {
      await page.goto(`${server.origin}copied.html`);
      await page.fill("#query", "clear the cache");
      await page.waitForSelector("#results li");
      const found = await texts(page, "#results li");
      assert.ok(found.length > 3 && found.length <= 10);
      assert.ok((await texts(page, "mark")).includes("cache"));
      const address = await page.locator("#results a").first().getAttribute("href");
      assert.match(address, /^http:.*\.html(#[\w-]+)?$/);
      assert.equal(await page.textContent("#status"), "");

      await page.fill("#query", "");
      await page.waitForFunction(() => !document.querySelector("#results li"));

      server.refused = /_search\/d-/;
      await page.reload();
      await page.fill("#query", "clear the cache");
      await page.waitForFunction(() => document.getElementById("status").textContent.includes("cannot be read"));
      server.refused = null;
    },
    { expected: /404|favicon/ },
  );
});
