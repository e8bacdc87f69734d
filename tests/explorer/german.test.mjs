// The explorer over a site in German: its stemmer is the site's own, and the policy of the page lets it in.
import assert from "node:assert/strict";
import { test } from "node:test";

import { explorer, server, texts } from "./browser.mjs";

const MARKED = ".result mark, .snippet mark";

test("a word is found, and marked, by its stem", () =>
  explorer(
    async (page) => {
      await page.waitForSelector(MARKED);
      assert.equal((await texts(page, ".result h3"))[0], "Ein Haus bauen");
      assert.ok((await texts(page, MARKED)).includes("Haus"));
      assert.deepEqual(await texts(page, ".note"), []);
      assert.deepEqual(await page.evaluate(() => window.violations), []);
    },
    { hash: "#q=H%C3%A4user" },
  ));

test("without the stemmer the page says so, and finds what begins so", async () => {
  server.refused = /stemmer\.js$/;
  try {
    await explorer(
      async (page) => {
        assert.equal((await texts(page, ".result h3"))[0], "Ein Haus bauen");
        const note = 'No stemmer for "de" is at hand: words are matched by their beginnings.';
        assert.deepEqual(await texts(page, ".note"), [note]);
      },
      { hash: "#q=Hauses", expected: /Failed to load resource/ },
    );
  } finally {
    server.refused = null;
  }
});
