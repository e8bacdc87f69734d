// The explorer over a site whose graph has what a language model said of two names: told from what pages say.
import assert from "node:assert/strict";
import { test } from "node:test";

import { explorer, texts } from "./browser.mjs";

test("a group of names says what a model said of them, and which model", () =>
  explorer(
    async (page) => {
      await page.locator(".cards .card").first().press("Enter");
      const said = "section[aria-labelledby=stated]";
      await page.waitForSelector(`${said} li`);
      const rows = await texts(page, `${said} li`);
      assert.deepEqual(rows.sort(), ["Alpha Works is owned by Beta Mill", "Beta Mill sells to Gamma Yard"]);
      const note = await page.locator(`${said} .note`).textContent();
      assert.equal(note, "Written by a language model, not by the pages’ authors: a-reader");
    },
    { hash: "#names=all" },
  ));

test("beside a name of a chunk stands what a model says that it is", () =>
  explorer(
    async (page) => {
      await page.waitForSelector("section[aria-labelledby=shared] tbody tr");
      const heads = await texts(page, "section[aria-labelledby=shared] tbody th");
      assert.ok(heads.includes("Alpha Works Firm Alpha Works. (says a-reader, a language model)"), heads);
    },
    { hash: "#chunk=_chunks/one-0.md" },
  ));
