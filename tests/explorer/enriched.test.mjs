// The explorer over a site of which language models have said something: of a chunk's text, and of the image it shows.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { test } from "node:test";

import { PHONE, client, explorer, server, texts } from "./browser.mjs";

const AXE = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const PUMP = { hash: "#chunk=_chunks/pump-0.md" };
const MODULE = "/infograph/explorer/enriched.js";
const section = (page) => page.locator("section[aria-labelledby=enriched]");
const requested = (page) => {
  const asked = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  return asked;
};

test("what the image shows stands beside the text, with its link and who wrote it", () =>
  explorer(async (page) => {
    const said = section(page);
    assert.equal(await said.locator("h2").textContent(), "What a model says of it");
    const note = await said.locator(".note").textContent();
    assert.equal(note, "Written by a language model, not by the page's authors: a-reader, a-seer");
    const shown = said.locator("h3", { hasText: "What its images show" }).locator("+ p");
    assert.equal(await shown.textContent(), "pump.png: A pump whose two gears turn each other.");
    const image = shown.locator("a.image");
    assert.equal(await image.evaluate(({ href }) => href), `${server.origin}img/pump.png`);
    assert.ok(!(await page.locator(".prose").textContent()).includes("turn each other"));
    assert.equal(await page.locator("img").count(), 0);
  }, PUMP));

test("what was said of the text is there, and each question leads to its answers", () =>
  explorer(async (page) => {
    const said = section(page);
    assert.equal(await said.locator("h3:text-is('Summary') + p").textContent(), "How a pump moves water.");
    assert.deepEqual(await texts(page, "section.enriched h3:text-is('Names') + ul li"), ["pump (TECH)"]);
    const questions = "section.enriched h3:text-is('Questions that it answers') + ul a";
    assert.deepEqual(await texts(page, questions), ["What does the pump turn?"]);
    await page.locator(questions).click();
    await page.waitForSelector(".result");
    assert.equal(await page.locator("#search").inputValue(), "What does the pump turn?");
  }, PUMP));

test("a chunk of which nobody said anything has no such part, and loads nothing for it", () =>
  explorer(async (page) => {
    const asked = requested(page);
    await page.reload();
    await page.waitForSelector(".prose");
    assert.equal(await section(page).count(), 0);
    assert.ok(!asked.includes(MODULE));
    await page.goto(`${server.origin}explorer.html${PUMP.hash}`);
    await section(page).waitFor();
    assert.ok(asked.includes(MODULE));
  }, { hash: "#chunk=_chunks/plain-0.md" }));

test("a file that lies shows what it says as text, and leads nowhere", async () => {
  const { documents } = await client().topic("");
  const { href } = Object.values(documents).find(({ source }) => source === "pump.md").items[0];
  const path = new URL(href, server.origin).pathname;
  const file = await readFile(join(process.env.SITE, path), "utf8");
  const forged = file
    .replace(/^enriched_images: .*$/m, 'enriched_images: ["<img src=x onerror=alert(1)> (javascript:alert(1))", "x ()"]')
    .replace(/^enriched_questions: .*$/m, "enriched_questions: <b>none</b>")
    .replace(/^enriched_entities: .*$/m, "enriched_summary: [a, list]");
  assert.notEqual(forged, file);
  server.pages = { [path]: forged };
  try {
    await explorer(async (page) => {
      const rows = await texts(page, "section.enriched h3:text-is('What its images show') ~ p");
      assert.deepEqual(rows, ["javascript:alert(1): <img src=x onerror=alert(1)>", "image: x"]);
      assert.equal(await section(page).locator("a[href]").count(), 0);
      assert.equal(await section(page).locator("img, b").count(), 0);
    }, PUMP);
  } finally {
    server.pages = {};
  }
});

for (const [where, viewport] of [["a desk", undefined], ["a phone", PHONE]]) {
  for (const colorScheme of ["light", "dark"]) {
    test(`axe-core finds nothing on ${where}, ${colorScheme}, and nothing is wider than the page`, () =>
      explorer(
        async (page) => {
          await section(page).waitFor();
          await page.evaluate(AXE);
          const { violations } = await page.evaluate(() => axe.run());
          assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`), []);
          assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
        },
        { ...PUMP, viewport, colorScheme },
      ));
  }
}
