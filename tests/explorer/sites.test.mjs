// The search box on a site that a generator built: it stands in the place of the generator's own, and every result leads to
// a page of the site that has the heading. START is the first page, OWN the selector of the generator's own search.
import assert from "node:assert/strict";
import { test } from "node:test";

import { DESK, PHONE, client, server, visit } from "./browser.mjs";

const { START, OWN, QUERIES, TREE, WORD } = process.env;
const EXPECTED = new RegExp(process.env.EXPECTED || "^$");

async function search(page, query) {
  // A generator may put it into the page when that is loaded.
  await page.locator("infograph-search [part=trigger]").waitFor({ state: "attached" });
  await page.keyboard.press("Control+k");
  await page.locator("infograph-search #input").fill(query);
  await page.waitForSelector("infograph-search [role=option] .title");
  await page.waitForSelector("infograph-search [role=listbox]:not([aria-busy])");
}

for (const [name, viewport] of Object.entries({ desk: DESK, phone: PHONE })) {
  test(`it stands in the place of the site's own: ${name}`, () =>
    visit(
      START,
      async (page) => {
        if (process.env.MENU && name === "phone") await page.locator(process.env.MENU).click();
        const trigger = page.locator("infograph-search [part=trigger]");
        await trigger.waitFor();
        assert.equal(await trigger.count(), 1);
        if (OWN) assert.equal(await page.locator(OWN).locator("visible=true").count(), 0);
        await trigger.click();
        await page.locator("infograph-search #input").fill(WORD);
        await page.locator("infograph-search [role=option] .title").first().waitFor();
        if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${process.env.NAME}-${name}.png` });
      },
      { viewport, expected: EXPECTED },
    ));
}

test("by keyboard to a heading of another page", () =>
  visit(
    START,
    async (page) => {
      await search(page, WORD);
      let href;
      do {
        await page.keyboard.press("ArrowDown");
        href = await page.locator("infograph-search [aria-selected=true]").getAttribute("href");
      } while (!new URL(href).hash); // the beginning of a page may have none
      await page.keyboard.press("Enter");
      await page.waitForURL(href, { waitUntil: "commit" });
      const { hash } = new URL(href);
      await page.locator(`[id=${JSON.stringify(decodeURIComponent(hash.slice(1)))}]`).waitFor({ state: "attached" });
    },
    { expected: EXPECTED },
  ));

test("every result leads to its heading", () =>
  visit(
    START,
    async (page) => {
      const site = client(TREE);
      const links = new Map();
      for (const query of JSON.parse(QUERIES)) {
        for (const hit of (await site.search(query, { limit: 50 })).hits) {
          const url = new URL(hit.url);
          links.set(url.pathname + url.hash, hit.title);
        }
      }
      const wrong = await page.evaluate(async (links) => {
        const pages = new Map();
        const wrong = [];
        for (const link of links) {
          const url = new URL(link, location.origin);
          const { hash } = url;
          url.hash = "";
          if (!pages.has(url.href)) {
            const response = await fetch(url);
            const isPage = response.headers.get("Content-Type") === "text/html"; // and no chunk
            const text = response.ok && isPage ? await response.text() : "";
            pages.set(url.href, new DOMParser().parseFromString(text, "text/html"));
          }
          const found = pages.get(url.href);
          const isThere = found.body.childElementCount > 0;
          if (!isThere || (hash && !found.getElementById(decodeURIComponent(hash.slice(1))))) wrong.push(link);
        }
        return wrong;
      }, [...links.keys()]);
      console.log(`${process.env.NAME}: ${links.size - wrong.length} of ${links.size} results lead to their heading`, wrong);
      for (const start of JSON.parse(process.env.LEADS || "[]")) {
        assert.ok([...links.keys()].some((link) => link.startsWith(start)), start);
      }
      assert.ok(links.size > Number(process.env.LEAST));
      assert.ok(wrong.length <= links.size / 100, wrong.join("\n"));
    },
    { expected: EXPECTED },
  ));
