// The first page and its map, and the page that asks, over the sample docs.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";

import { PHONE, client, explorer, go, mapped, server, shown, texts } from "./browser.mjs";

const data = async (name) => JSON.parse(await readFile(join(process.env.SITE, "infograph/explorer", name), "utf8"));
/** What Chromium says of a test that looks at pixels. */
const READBACK = { expected: /willReadFrequently/ };
const NOT_FOUND = /Failed to load resource/;
/** Pixels of the map that are not those of its ground. */
const drawn = (page) =>
  page.evaluate(() => {
    const canvas = document.querySelector(".map-stage canvas");
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    let [any, strong] = [0, 0];
    for (let at = 3; at < data.length; at += 4) {
      any += data[at] > 0;
      strong += data[at] > 200;
    }
    return { any, strong };
  });

test("the first page: name, box, questions, figures, topics", () =>
  explorer(async (page) => {
    const start = await data("start.json");
    assert.equal(await page.locator("h1").textContent(), "infograph user guide");
    assert.deepEqual(await texts(page, ".examples a"), start.questions);
    assert.ok(start.questions.length > 2);
    assert.deepEqual(
      (await texts(page, ".facts dd")).slice(0, 2),
      [start.pages, start.chunks].map((number) => number.toLocaleString("en")),
    );
    assert.ok(start.bytes > 5_000 && start.bytes < 200_000, String(start.bytes));
    const { topics } = await client().topic("");
    assert.deepEqual(await texts(page, ".card strong"), topics.map(({ title }) => title));
    assert.equal(await page.locator(".hero #search").count(), 1);
    await page.locator(".examples a").first().click();
    await page.waitForSelector(".result");
    assert.equal(await page.locator("#search-place #search").count(), 1);
    assert.equal(await page.locator("#search").inputValue(), start.questions[0]);
    await page.goBack();
    await page.waitForSelector(".hero #search");
  }));

test("the map: every chunk, and what one means lights up while one types", () =>
  explorer(async (page) => {
    await mapped(page);
    const { chunks } = await data("start.json");
    const map = await data("map.json");
    assert.equal(map.pages.reduce((sum, [, size]) => sum + size, 0), chunks);
    const counts = (await texts(page, ".legend .chip-count")).map((text) => Number(text.replace(",", "")));
    assert.equal(counts.reduce((sum, count) => sum + count, 0), chunks);
    const before = await drawn(page);
    assert.ok(before.strong > 500, JSON.stringify(before));
    await page.locator("#search").fill("stripe_order");
    await page.waitForFunction(() => /^\d+ chunks? for “stripe_order/.test(document.querySelector(".map-status").textContent));
    const during = await drawn(page);
    assert.ok(during.strong > 0 && during.strong < before.strong / 2, JSON.stringify([before, during]));
    await page.locator("#search").press("Escape");
    await page.locator("#search").press("Escape");
    await page.waitForFunction(() => document.querySelector(".map-status").textContent.startsWith("Each point"));
    assert.deepEqual(await drawn(page), before);
  }, READBACK));

test("the map's light reads no document of the search", () =>
  explorer(async (page) => {
    await page.waitForSelector(".map-stage");
    const asked = [];
    page.on("request", (request) => asked.push(new URL(request.url()).pathname));
    const found = await page.evaluate(async () => {
      const { meant } = await import(new URL("infograph/explorer/lights.js", document.baseURI));
      return meant("clear the cache");
    });
    assert.ok(found.length > 3);
    assert.deepEqual(asked.filter((path) => /\/d-|_chunks/.test(path)), []);
    const site = client();
    const { hits } = await site.search("clear the cache", { limit: 5, links: false, collapse: false });
    const map = await data("map.json");
    const paths = new Map(map.pages.map(([path, , slot]) => [slot, path]));
    assert.deepEqual(
      found.slice(0, 5).map(([slot, index]) => `${paths.get(slot)}#${index}`),
      hits.map((hit) => `${hit.page}#${hit.index}`),
    );
  }));

test("the map by keyboard: from chunk to chunk, told, opened", () =>
  explorer(async (page) => {
    const stage = page.getByRole("application");
    await mapped(page);
    await stage.focus();
    await page.keyboard.press("ArrowRight");
    await page.waitForSelector(".map-tip strong");
    const first = await page.locator(".map-tip").textContent();
    await page.keyboard.press("ArrowLeft");
    await page.waitForFunction((first) => {
      const tip = document.querySelector(".map-tip");
      return tip.querySelector("strong") && tip.textContent !== first;
    }, first);
    const title = await page.locator(".map-tip strong").textContent();
    await page.keyboard.press("Escape");
    assert.equal(await page.locator(".map-tip").isHidden(), true);
    await page.keyboard.press("ArrowRight");
    await page.waitForSelector(".map-tip strong");
    assert.ok(title);
    const now = await page.locator(".map-tip strong").textContent();
    await page.keyboard.press("Enter");
    await page.waitForSelector(".prose");
    assert.equal(await page.locator("h1").textContent(), now);
  }));

test("the map by pointer, and one topic alone", () =>
  explorer(async (page) => {
    const stage = page.locator(".map-stage");
    await mapped(page);
    const box = await stage.boundingBox();
    const map = await data("map.json");
    const [a, b, c] = Buffer.from(map.places.slice(0, 4), "base64");
    const x = 14 + (((a << 4) | (b >> 4)) / 4095) * (box.width - 30) + 1;
    const y = 14 + (1 - (((b & 15) << 8) | c) / 4095) * (box.height - 30) + 1;
    await stage.hover({ position: { x, y } });
    await page.waitForSelector(".map-tip strong");
    assert.equal(await page.locator(".map-tip .map-path").textContent(), map.pages[0][0]);
    const chip = page.locator(".legend .chip").first();
    const before = await drawn(page);
    await chip.click();
    assert.equal(await chip.getAttribute("aria-pressed"), "true");
    assert.ok((await drawn(page)).strong < before.strong);
    await chip.click();
    assert.equal(await chip.getAttribute("aria-pressed"), "false");
  }, READBACK));

for (const [what, content] of [
  ["is missing", null],
  ["is not JSON", "<html>"],
  ["has other numbers", JSON.stringify({ pages: [["a.md", 3, 1]], places: "AAAA" })],
  ["has paths that are none", JSON.stringify({ pages: [[{}, 1, 1]], places: "AAAA" })],
]) {
  test(`a map that ${what}: the rest stands, with the reason`, async () => {
    const path = "/infograph/explorer/map.json";
    if (content === null) server.refused = /map\.json/;
    else server.pages[path] = content;
    try {
      await explorer(
        async (page) => {
          await page.waitForFunction(() => /The map cannot be read/.test(document.querySelector(".map-frame").textContent));
          await page.waitForSelector(".cards");
          await page.locator("#search").fill("cache");
          await page.waitForSelector("[role=option]");
        },
        { expected: NOT_FOUND },
      );
    } finally {
      server.refused = null;
      delete server.pages[path];
    }
  });
}

test("without figures, as of an older build, the first page stands", async () => {
  server.refused = /start\.json/;
  try {
    await explorer(
      async (page) => {
        await page.waitForSelector(".map-stage");
        assert.equal(await page.locator(".facts").count(), 0);
        assert.equal(await page.locator(".examples").count(), 0);
      },
      { expected: NOT_FOUND },
    );
  } finally {
    server.refused = null;
  }
});

test("ask: what the client gives, live, with what it cost", () =>
  explorer(
    async (page) => {
      const site = client();
      const same = async (query, budget) => {
        const context = await site.retrieve(query, { max_tokens: budget });
        await page.waitForFunction(
          (said) => document.querySelector(".ask-status").textContent.startsWith(said),
          `${context.tokens.toLocaleString("en")} of ${budget.toLocaleString("en")} tokens`,
        );
        assert.deepEqual(await texts(page, ".passage pre"), context.passages.map(({ text }) => text.trim()));
        assert.match(await page.locator(".ask-status").textContent(), /Answered from \d+ KB in \d+ files, no server, in [\d,]+ ms\.$/);
        return context;
      };
      await same("clear the cache", 1000);
      await page.getByRole("slider").fill("3000");
      await same("clear the cache", 3000);
      await page.waitForURL(/ask=clear\+the\+cache&budget=3000/);
      await page.locator("#question").fill("what is a stripe");
      const { passages } = await same("what is a stripe", 3000);
      await page.waitForSelector(".passage mark");
      await page.locator(".passage h2 a").first().click();
      await page.waitForURL(/chunk=/);
      await shown(page);
      assert.equal(await page.locator("h1").textContent(), passages[0].hits[0].title);
      await page.goBack();
      await page.waitForSelector(".passage");
      assert.equal(await page.locator("#question").inputValue(), "what is a stripe");
    },
    { hash: "#ask=clear the cache&budget=1000" },
  ));

test("ask: the same question costs the same the second time; copied is what is shown, with its sources", () =>
  explorer(
    async (page) => {
      const cost = async () => /from (\d+ KB in \d+ files)/.exec(await page.locator(".ask-status").textContent())[1];
      const first = await cost();
      await page.getByRole("slider").fill("250");
      await page.waitForFunction(() => /of 250 tokens/.test(document.querySelector(".ask-status").textContent));
      await page.getByRole("slider").fill("2000");
      await page.waitForFunction(() => /of 2,000 tokens/.test(document.querySelector(".ask-status").textContent));
      assert.equal(await cost(), first);
      await page.getByRole("button", { name: "Copy all" }).click();
      await page.getByRole("button", { name: "Copied" }).waitFor();
      const copied = await page.evaluate(() => navigator.clipboard.readText());
      for (const text of await texts(page, ".passage pre")) assert.ok(copied.includes(text));
      for (const title of await texts(page, ".passage h2")) assert.ok(copied.includes(`# ${title}\n<http`));
    },
    { hash: "#ask=how do I clear the cache", permissions: ["clipboard-read", "clipboard-write"] },
  ));

test("ask: nothing typed, nothing found, files that are missing", async () => {
  await explorer(
    async (page) => {
      assert.equal(await page.locator(".passage").count(), 0);
      assert.equal(await page.getByRole("button", { name: "Copy all" }).isHidden(), true);
      await go(page, "#ask=xylophonzzz");
      assert.match(await page.locator(".ask-status").textContent(), /Nothing of this site/);
      server.refused = /_search\/d-/;
      await go(page, "#ask=stripe");
      assert.match(await page.locator(".message.error").textContent(), /_search\/d-.*answers 404/);
    },
    { hash: "#ask=", expected: NOT_FOUND },
  ).finally(() => (server.refused = null));
});

test("light and dark: chosen, remembered, as the system has it before", async () => {
  for (const [colorScheme, chosen] of [["light", "dark"], ["dark", "light"]]) {
    await explorer(
      async (page) => {
        const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
        const before = await ground();
        const button = page.getByRole("button", { name: "Dark colours" });
        assert.equal(await button.getAttribute("aria-pressed"), String(colorScheme === "dark"));
        await button.click();
        // The dark style may still be on its way.
        await page.waitForFunction((before) => getComputedStyle(document.body).backgroundColor !== before, before);
        assert.equal(await button.getAttribute("aria-pressed"), String(chosen === "dark"));
        const after = await ground();
        await page.reload();
        await shown(page);
        assert.equal(await ground(), after);
        assert.equal(await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme), chosen);
      },
      { colorScheme },
    );
  }
});

test("a topic lists its documents, says what a sample is, and draws its neighbours", () =>
  explorer(
    async (page) => {
      const { documents, related } = await client().topic("reference/formats");
      assert.deepEqual(
        await texts(page, ".documents .number"),
        Object.values(documents).map(({ count, units = [] }) => {
          const of = (type) => units.filter((own) => own.type === type).reduce((sum, own) => sum + own.count, 0);
          const counts = [...new Set(["chunk", ...units.map(({ type }) => type)])].map((type) => [type, of(type) || count]);
          return counts.map(([type, own]) => `${own} ${type}${own === 1 ? "" : "s"}`).join(" · ");
        }),
      );
      assert.deepEqual(
        await texts(page, ".documents a"),
        Object.values(documents).map(({ items }) => items[0].title),
      );
      assert.match((await texts(page, ".picture-legend li")).join("|"), /overview of a document\|stripe 1.*\|filled: in the sample\|hollow: not in it/);
      assert.equal(await page.locator(".relations a").count(), related.length);
      await page.locator(".relations a").first().click();
      await page.waitForURL((url) => !url.hash.includes("reference/formats"));
    },
    { hash: "#topic=reference/formats" },
  ));

test("on a phone: the box above the map, nothing wider than the screen", () =>
  explorer(
    async (page) => {
      for (const hash of ["#", "#ask=clear the cache"]) {
        await go(page, hash);
        const [wide, screen] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
        assert.ok(wide <= screen, `${hash}: ${wide} > ${screen}`);
      }
    },
    { viewport: PHONE, hasTouch: true },
  ));
