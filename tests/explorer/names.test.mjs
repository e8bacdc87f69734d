// The explorer over a site with a graph: groups of names, one group, a chunk's neighbourhood; by keyboard and by ear.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { test } from "node:test";

import { PHONE, explorer, texts } from "./browser.mjs";

const AXE = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

test("from the side to a group, and to a chunk of it", () =>
  explorer(async (page) => {
    await page.locator("#names a").click();
    await page.waitForSelector(".names-picture");
    assert.equal(await page.locator("h1").textContent(), "Names that belong together");
    const [circles, cards] = [page.locator(".names-picture a"), page.locator(".cards .card")];
    assert.equal(await circles.count(), await cards.count());
    // The picture says nothing that the list does not, so neither the Tab key nor a screen reader meets it.
    assert.equal(await page.locator(".names-picture").getAttribute("aria-hidden"), "true");
    assert.equal(await page.locator(".names-picture a:not([tabindex='-1'])").count(), 0);
    const name = await cards.first().locator("strong").textContent();
    await cards.first().press("Enter");
    await page.waitForSelector(".chips .chip");
    assert.equal(await page.locator("h1").textContent(), name);
    assert.ok((await texts(page, ".chips .chip")).length >= 3);
    assert.ok((await texts(page, ".related a")).every((title) => title && !title.includes("_chunks")));
    await page.locator(".related a").first().click();
    await page.waitForSelector(".prose");
    await page.goBack();
    await page.waitForSelector(".chips .chip");
    await page.locator(".crumbs a").first().click();
    await page.waitForSelector(".cards .card");
  }));

test("a circle leads where its card leads", () =>
  explorer(
    async (page) => {
      await page.waitForSelector(".names-picture a");
      const hrefs = (selector) => page.locator(selector).evaluateAll((all) => all.map((a) => a.getAttribute("href")));
      assert.deepEqual(await hrefs(".names-picture a"), await hrefs(".cards .card"));
    },
    { hash: "#names=all" },
  ));

test("a chunk names others with the same names, in a table", () =>
  explorer(
    async (page) => {
      const shared = "section[aria-labelledby=shared]";
      await page.waitForSelector(`${shared} tbody tr`);
      assert.deepEqual(await texts(page, `${shared} thead th`), ["Name", "Also in"]);
      const link = page.locator(`${shared} td a`).first();
      const title = (await link.textContent()).split(" › ").at(-1);
      await link.click();
      await page.waitForFunction((own) => document.querySelector("h1").textContent === own, title);
    },
    { hash: "#chunk=publishing/_chunks/hosts-0.md" },
  ));

test("a chunk shows its links both ways, with the evidence", () =>
  explorer(
    async (page) => {
      await page.waitForSelector("section[aria-labelledby=linked] tbody tr");
      const rows = page.locator("section[aria-labelledby=linked] tbody tr");
      const ways = await texts(page, "section[aria-labelledby=linked] tbody th");
      assert.ok(ways.includes("links to"), ways);
      assert.ok(ways.some((way) => way === "is linked from" || way === "is named in"), ways);
      const target = rows.first().locator("a");
      const title = (await target.textContent()).split(" › ").at(-1);
      await target.click();
      await page.waitForFunction((own) => document.querySelector("h1").textContent === own, title);
    },
    { hash: "#chunk=guide/_chunks/quick-start-1.md" },
  ));

test("on a phone nothing is wider than the page", () =>
  explorer(
    async (page) => {
      await page.waitForSelector(".cards .card");
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    },
    { hash: "#names=all", viewport: PHONE },
  ));

test("an id that is none leads to all groups", () =>
  explorer(
    async (page) => {
      await page.waitForSelector(".cards .card");
      assert.equal(await page.locator("h1").textContent(), "Names that belong together");
    },
    { hash: "#names=../../x" },
  ));

test("a group is shown by small files: no index of a topic is read for its titles", () =>
  explorer(
    async (page) => {
      const asked = [];
      page.on("request", (request) => asked.push(new URL(request.url()).pathname));
      await page.locator(".cards .card").first().click();
      await page.waitForSelector(".related a");
      assert.deepEqual(asked.filter((path) => path.endsWith("index.json")), []);
      assert.ok((await texts(page, ".related a")).every((title) => title && !title.includes("_chunks")));
    },
    { hash: "#names=all" },
  ));

test("on a phone the picture has fewer circles, and all groups are in the list", () =>
  explorer(
    async (page) => {
      await page.waitForSelector(".names-picture a");
      const [circles, cards] = [page.locator(".names-picture a"), page.locator(".cards .card")];
      assert.ok((await circles.count()) <= 14 && (await circles.count()) <= (await cards.count()));
      await cards.first().click();
      await page.waitForSelector(".chips .chip");
      assert.ok(!(await page.locator(".wheel").first().isVisible()));
      await page.locator("details summary").first().click();
      assert.ok((await texts(page, "details li")).length > 0);
    },
    { hash: "#names=all", viewport: PHONE },
  ));

for (const [where, viewport] of [["a desk", undefined], ["a phone", PHONE]]) {
  for (const colorScheme of ["light", "dark"]) {
    test(`axe-core finds nothing in the views of names on ${where}, ${colorScheme}`, () =>
      explorer(
        async (page) => {
          await page.waitForSelector(".cards .card");
          const violations = async () => {
            await page.evaluate(AXE);
            return (await page.evaluate(() => axe.run())).violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`);
          };
          assert.deepEqual(await violations(), []);
          await page.locator(".cards .card").first().click();
          await page.waitForSelector(".chips .chip");
          assert.deepEqual(await violations(), []);
        },
        { hash: "#names=all", viewport, colorScheme },
      ));
  }
}

test("what a model said of a group stands there under its name, as text", () =>
  explorer(
    async (page) => {
      await page.route(/\/_graph\/c-[0-9a-f]{16}[^/]*\.json$/, async (route) => {
        const response = await route.fetch();
        const said = { summary: "They <b>turn</b>.", key_entities: ["mill", 3], enriched_by: "a-model" };
        await route.fulfill({ response, json: { ...(await response.json()), ...said } });
      });
      await page.waitForSelector(".names-picture");
      await page.locator(".cards .card").first().press("Enter");
      await page.waitForSelector("section[aria-labelledby=summary]");
      assert.deepEqual(await texts(page, "section[aria-labelledby=summary] p"), [
        "They <b>turn</b>.",
        "mill",
        "Written by a language model, not by the pages’ authors: a-model",
      ]);
      assert.ok((await texts(page, "section[aria-labelledby=said] p")).length, "what the pages say stays");
    },
    { hash: "#names=all" },
  ));
