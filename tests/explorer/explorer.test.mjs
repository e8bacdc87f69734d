// The explorer over the sample docs: what one does with it, by keyboard, at any width, and when files are missing.
import assert from "node:assert/strict";
import { test } from "node:test";

import { DESK, PHONE, client, explorer, go, pictured, server, shown, texts } from "./browser.mjs";

const NOT_FOUND = /Failed to load resource/;
/** Titles of hits by page, in the order of the best of each, as results are shown. */
const grouped = (hits) => {
  const pages = [...new Set(hits.map(({ page }) => page))];
  return pages.flatMap((page) => hits.filter((hit) => hit.page === page).map(({ title }) => title));
};
const focused = (page) => page.evaluate(() => document.activeElement.textContent);

test("highlight: words of a query by their stems, in compounds, in scripts without spaces", async () => {
  const site = client();
  const marked = async (query, text) =>
    (await site.highlight(query, text)).map(([start, end]) => text.slice(start, end));
  assert.deepEqual(await marked("clear caches", "Cache, clearing of .embedding-cache"), ["Cache", "clearing", "cache"]);
  assert.deepEqual(await marked("serializer", "JsonSerializerContext"), ["Serializer"]);
  assert.deepEqual(await marked("JsonSerializerContext", "json JSONSerializerContext"), [
    "json",
    "JSONSerializerContext",
  ]);
  assert.deepEqual(await marked("東京", "私は東京に"), ["東京"]);
  assert.deepEqual(await marked("the of and …", "the cache and"), []);
});

test("search by keyboard: type, choose, open, go back", () =>
  explorer(async (page) => {
    await page.keyboard.press("/");
    await page.keyboard.type("clear the embedding cache");
    // Not those of what was typed before.
    await page.getByRole("option", { name: "All results for “clear the embedding cache”" }).waitFor();
    const box = page.locator("#search");
    assert.equal(await box.getAttribute("aria-expanded"), "true");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    const active = page.locator(`#${await box.getAttribute("aria-activedescendant")}`);
    assert.equal(await active.getAttribute("aria-selected"), "true");
    const title = await active.locator(".option-title").textContent();
    assert.equal(await page.locator("[role=option][aria-selected=true]").count(), 1);
    await page.keyboard.press("Enter");
    await page.waitForSelector(".prose");
    assert.equal(await page.locator("h1").textContent(), title);
    assert.equal(await focused(page), title);
    await page.waitForSelector(".prose mark");
    assert.ok((await texts(page, ".prose mark")).some((word) => /embed|cache/i.test(word)));
    assert.equal(await page.locator("#suggestions").isHidden(), true);
    await page.goBack();
    await page.waitForSelector(".cards");
    assert.equal(await page.title(), "infograph user guide");
  }));

test("Enter shows all results, Escape closes and then clears", () =>
  explorer(async (page) => {
    const box = page.locator("#search");
    await box.fill("stripe_order");
    await page.waitForSelector("[role=option]");
    await box.press("Escape");
    assert.equal(await page.locator("#suggestions").isHidden(), true);
    await box.press("Enter");
    await page.waitForSelector(".result");
    await page.waitForURL(/#q=stripe_order$/);
    assert.equal(await page.locator("h1 q").textContent(), "stripe_order");
    await box.focus();
    await page.waitForSelector("[role=option]");
    await box.press("Escape");
    assert.equal(await box.inputValue(), "stripe_order");
    await box.press("Escape");
    assert.equal(await box.inputValue(), "");
  }));

test("a word that is not finished finds what it begins", () =>
  explorer(async (page) => {
    await page.locator("#search").fill("confi");
    await page.waitForSelector("[role=option] mark");
    assert.ok((await texts(page, ".option-title")).includes("Configuration"));
  }));

test("a slip: what was searched for instead, marked, and the way to search for what was typed", () =>
  explorer(
    async (page) => {
      assert.match(await page.locator(".note").textContent(), /^Searched for embedding instead of embedidng, cache instead of cahce\./);
      await page.waitForSelector(".snippet mark");
      assert.ok((await texts(page, "mark")).some((word) => /embedding/i.test(word)));
      await page.getByRole("link", { name: "Search for exactly what was typed" }).click();
      await page.waitForURL(/exact=1/);
      await shown(page);
      assert.match(await page.locator("h1").textContent(), /^Nothing for/);
      assert.equal(await page.locator("#search").inputValue(), "embedidng cahce");
      await page.getByRole("link", { name: "cache", exact: true }).click();
      await page.waitForSelector(".result");
    },
    { hash: "#q=embedidng+cahce" },
  ));

test("the passage that answers, and the question that a section is known to answer", () =>
  explorer(
    async (page) => {
      const site = client();
      const { hits } = await site.search("How do I install infograph?", { limit: 10 });
      const known = hits.find((hit) => hit.matched_question);
      await page.getByText(`Known to answer ${known.matched_question.text}`).first().waitFor();
      const { readable } = await site.read(known);
      await page.getByText(await site.passage("How do I install infograph?", readable)).first().waitFor();
    },
    { hash: "#q=How+do+I+install+infograph%3F" },
  ));

test("a slip in the box finds what was meant", () =>
  explorer(async (page) => {
    await page.locator("#search").fill("confgiuration");
    await page.waitForSelector("[role=option] mark");
    assert.ok((await texts(page, ".option-title")).includes("Configuration"));
  }));

test("results: those of the client, marked, more of them, in a part of the tree", () =>
  explorer(
    async (page) => {
      const site = client();
      const { hits } = await site.search("watch a folder", { limit: 20 });
      assert.deepEqual(
        await texts(page, ".result h3"),
        grouped(hits.slice(0, 10)),
      );
      await page.waitForSelector(".snippet mark");
      assert.equal(await page.getByText("Open the page").first().getAttribute("href"), hits[0].url);
      await page.getByRole("button", { name: "More" }).click();
      await page.waitForFunction(() => document.querySelectorAll(".result").length === 20);
      assert.deepEqual(await texts(page, ".result h3"), grouped(hits));
      assert.deepEqual(await texts(page, ".page-head h2"), [...new Set(hits.map((hit) => hit.page_title))]);
      assert.equal(await focused(page), hits[10].title);
      await page.locator("#scope").selectOption("reference");
      await page.waitForURL(/in=reference/);
      await shown(page);
      const inPart = await site.search("watch a folder", { path: "reference" });
      assert.deepEqual(await texts(page, ".result h3"), grouped(inPart.hits));
    },
    { hash: "#q=watch a folder" },
  ));

for (const [hash, note, message] of [
  ["#q=the+of+and", ["The words of the query are too common, or too long, to search for."], "Add a word that says what you look for."],
  ["#q=the&in=guide", ["The words of the query are too common, or too long, to search for."], "Add a word that says what you look for."],
  ["#q=%E2%80%A6", ["The query has no words to search for."], "Add a word that says what you look for."],
]) {
  test(`a query without a word to search for, ${hash}: the reason, and no other words`, () =>
    explorer(
      async (page) => {
        assert.match(await page.locator("h1").textContent(), /^Nothing for/);
        assert.deepEqual(await texts(page, ".note"), note);
        assert.deepEqual(await texts(page, "section.message"), [message]);
      },
      { hash },
    ));
}

test("nothing found: words that are close, of those that are searched for", () =>
  explorer(
    async (page) => {
      assert.ok((await page.locator(".chip").count()) > 0);
      const terms = await texts(page, ".chip");
      assert.ok(!terms.some((term) => term.startsWith("the")), terms.join());
    },
    { hash: "#q=the+chuhk&exact=1" },
  ));

test("nothing found: words that are close", () =>
  explorer(
    async (page) => {
      assert.match(await page.locator("h1").textContent(), /^Nothing for/);
      await page.getByRole("link", { name: "chunk", exact: true }).click();
      await page.waitForSelector(".result");
    },
    { hash: "#q=chuhk&exact=1" },
  ));

test("the picture is the order: place, similarity, stripe, sample", () =>
  explorer(
    async (page) => {
      const site = client();
      const topic = await site.topic("reference");
      const { items, stripe_order: order, stripe_factor: factor } = topic.documents.cli;
      const points = page.locator(".point");
      assert.equal(await points.count(), items.length);
      const drawn = await points.evaluateAll((all) =>
        all.map((point) => ({
          href: decodeURIComponent(point.getAttribute("href")),
          x: Number(point.querySelector(".dot").getAttribute("cx")),
          y: Number(point.querySelector(".dot").getAttribute("cy")),
          stripe: Number(/stripe-(\d+)/.exec(point.getAttribute("class"))?.[1] ?? -1),
        })),
      );
      assert.deepEqual(
        drawn.map(({ href }) => href),
        [0, ...order].map((index) => `#chunk=${items[index].href}`),
      );
      assert.deepEqual(
        drawn.map(({ x }) => x),
        drawn.map(({ x }) => x).sort((a, b) => a - b),
      );
      const higher = (i, j) => drawn[i].y - drawn[j].y;
      const similar = [0, ...order].map((index) => items[index].similarity_conceptual);
      similar.slice(1).forEach((value, i) => assert.equal(Math.sign(similar[i] - value), Math.sign(-higher(i, i + 1))));
      // A stripe falls; where the next begins, similarity rises again.
      assert.equal(new Set(drawn.map(({ stripe }) => stripe)).size, factor + 1);
      for (let i = 2; i < drawn.length; i++) {
        if (drawn[i].stripe === drawn[i - 1].stripe) assert.ok(higher(i, i - 1) >= 0);
        else assert.ok(higher(i, i - 1) < 0);
      }
    },
    { hash: "#topic=reference&document=cli" },
  ));

test("the slider: filled points, listed chunks, tokens, address", () =>
  explorer(
    async (page) => {
      const slider = page.getByRole("slider");
      const sampled = page.locator(".point.sampled");
      await slider.fill("5");
      assert.equal(await sampled.count(), 5);
      assert.equal(await page.locator(".chunk-row").count(), 5);
      await slider.press("ArrowRight");
      assert.equal(await sampled.count(), 6);
      const site = client();
      const wanted = await site.sample("guide", 6);
      assert.deepEqual(
        await texts(page, ".chunk-row > a"),
        wanted.map(({ title }) => title),
      );
      const tokens = wanted.reduce((sum, item) => sum + item.tokens, 0).toLocaleString("en");
      const all = await page.locator(".point").count();
      assert.equal(await page.locator("output").textContent(), `6 of ${all} chunks · ${tokens} tokens`);
      await page.waitForURL(/width=6/);
      await page.reload();
      await shown(page);
      assert.equal(await sampled.count(), 6);
      await page.goBack();
      assert.equal(page.url(), "about:blank"); // moving the slider left no trail of entries
    },
    { hash: "#topic=guide" },
  ));

test("the picture by keyboard", () =>
  explorer(
    async (page) => {
      await pictured(page);
      await page.locator(".point").first().focus();
      await page.keyboard.press("ArrowRight");
      await page.keyboard.press("ArrowRight");
      assert.match(await page.locator(".readout").textContent(), /^3\. .+: overview of its document$/);
      assert.equal(await page.locator(".point[tabindex='0']").count(), 1);
      await page.keyboard.press("End");
      const [title] = (await page.locator(".readout").textContent()).match(/(?<=\. ).+(?=: stripe)/);
      await page.keyboard.press("Enter");
      await page.waitForSelector(".prose");
      assert.equal(await page.locator("h1").textContent(), title);
    },
    { hash: "#topic=guide" },
  ));

test("both orders, one document or all", () =>
  explorer(
    async (page) => {
      await page.locator(".segments").getByRole("link", { name: "Reference", exact: true }).click();
      await page.waitForURL(/order=technical/);
      await shown(page);
      const { documents } = await client().topic("reference");
      const technical = Object.values(documents).filter((document) => document.stripe_order_technical);
      const wanted = technical.flatMap((document) => document.stripe_order_technical).length + technical.length;
      assert.equal(await page.locator(".point").count(), wanted);
    },
    { hash: "#topic=reference" },
  ));

test("the keyword filter", () =>
  explorer(
    async (page) => {
      const site = client();
      const items = await site.sample("guide", Infinity);
      const has = ({ keywords = [] }) => keywords.some(({ name }) => name === "stripe_order");
      await page.locator("#keyword").fill("STRIPE_o");
      const offered = await page.locator(".chip > :first-child").allTextContents();
      assert.ok(offered.length && offered.every((name) => name.includes("stripe_o")));
      await page.locator(".chip").first().click();
      assert.equal(await page.locator(".point").count(), items.filter(has).length);
      await page.waitForURL(/keyword=stripe_order/);
      await page.getByRole("slider").press("End");
      assert.deepEqual(
        await texts(page, ".chunk-row > a"),
        items.filter(has).map(({ title }) => title),
      );
      await page.locator(".chip[aria-pressed=true]").click();
      assert.equal(await page.locator(".point").count(), items.length);
    },
    { hash: "#topic=guide" },
  ));

test("the tree of topics by keyboard", () =>
  explorer(async (page) => {
    await page.locator("[role=treeitem]").first().focus();
    await page.keyboard.press("End");
    await page.keyboard.press("ArrowRight");
    await page.waitForSelector("[role=group] [role=treeitem]");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    await page.waitForURL(/topic=reference\/formats/);
    await shown(page);
    assert.equal(await page.locator("h1").textContent(), "File formats");
    const current = page.locator("[role=treeitem][aria-current=page]");
    assert.match(await current.textContent(), /^File formats/);
    await current.focus();
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowLeft");
    assert.equal(await page.locator("[role=group] [role=treeitem]").first().isHidden(), true);
  }));

/** The address of a chunk, in a file of its own or in one with others. */
const chunkOfBuilds = (number) =>
  new RegExp(`builds(\\.[0-9a-f]{10})?-(?:${number}\\.md|0\\.pack\\.txt%23${number})(?:&|$)`);

test("a chunk: its neighbours, its page, links between sources", () =>
  explorer(
    async (page) => {
      const { hits } = await client().search("Builds", {
        filters: { page: "guide/builds.md", index: 0 },
      });
      const [{ url }] = hits;
      assert.match(url, /guide\/builds/);
      await page.getByRole("link", { name: "Open the page" }).waitFor();
      assert.equal(await page.getByRole("link", { name: "Open the page" }).getAttribute("href"), url);
      for (const next of [1, 2, 3]) {
        await page.getByRole("link", { name: /^After/ }).click();
        await page.waitForURL(chunkOfBuilds(next));
        await page.getByText(`Chunk ${next + 1} of`).waitFor();
      }
      await shown(page);
      await page.getByRole("link", { name: "Reading a graph" }).click();
      await page.waitForURL(/chunk=guide\/_chunks\/clients[.-]/);
      await shown(page);
      assert.ok(await page.locator(".prose").innerText());
      await page.goBack();
      await page.waitForURL(chunkOfBuilds(3));
    },
    { hash: "#chunk=guide/_chunks/builds-0.md" },
  ));

test("the back button leads to where one was", () =>
  explorer(
    async (page) => {
      await page.evaluate(() => scrollTo(0, 300));
      await page.waitForFunction(() => scrollY > 200); // passages that come later move it
      await page
        .locator(".result h3 a")
        .nth(5)
        .evaluate((link) => link.click()); // a click of the driver scrolls
      await page.waitForSelector(".prose");
      assert.equal(await page.evaluate(() => scrollY), 0);
      await page.goBack();
      await page.waitForSelector(".results");
      await page.waitForFunction(() => scrollY > 200);
    },
    { hash: "#q=build" },
  ));

test("no shards of the sections: an error, and no “Nothing for”", async () => {
  server.refused = /_search\/d-/;
  try {
    await explorer(
      async (page) => {
        assert.match(await page.getByRole("alert").textContent(), /could not be read.*_search\/d-.*answers 404/s);
        server.refused = null;
        await page.getByRole("button", { name: "Try again" }).click();
        await page.waitForSelector(".result");
        assert.equal(await page.locator(".result").count(), 10);
      },
      { hash: "#q=build", expected: NOT_FOUND },
    );
  } finally {
    server.refused = null;
  }
});

test("missing shards: the rest answers, and it says what is missing", async () => {
  server.refused = /_search\/l-/;
  try {
    await explorer(
      async (page) => {
        assert.match(
          await page.locator(".message.warning").textContent(),
          /may be incomplete: \d+ files? of the index/,
        );
        server.refused = null;
        await page.getByRole("button", { name: "Try again" }).click();
        await page.waitForSelector(".message.warning", { state: "detached" });
        assert.equal(await page.locator(".result").count(), 10);
      },
      { hash: "#q=build", expected: NOT_FOUND },
    );
  } finally {
    server.refused = null;
  }
});

test("no index: the reason, and what to do", async () => {
  server.refused = /index\.json/;
  try {
    await explorer(
      async (page) => {
        assert.match(
          await page.getByRole("alert").textContent(),
          /could not be read.*index\.json: the server answers 404/s,
        );
        server.refused = null;
        await page.getByRole("button", { name: "Try again" }).click();
        await page.waitForSelector(".cards");
        await page.waitForSelector("[role=treeitem]");
      },
      { expected: NOT_FOUND },
    );
  } finally {
    server.refused = null;
  }
});

test("what is not there", () =>
  explorer(
    async (page) => {
      for (const hash of [
        "#topic=nowhere",
        "#chunk=guide/_chunks/none-0.md",
        "#page=guide/none.md",
        "#topic=__proto__",
      ]) {
        await go(page, hash);
        assert.equal(await page.getByRole("alert").count(), 1, hash);
      }
      await go(page, "#constructor=1&__proto__=2&order=constructor&width=-3&document=nothing&topic=guide");
      await page.waitForSelector(".sample");
    },
    { expected: NOT_FOUND },
  ));

test("at phone width nothing is wider than the screen, and topics are a menu", () =>
  explorer(
    async (page) => {
      for (const hash of ["#", "#topic=reference", "#q=clear the cache", "#chunk=reference/_chunks/cli-1.md"]) {
        await go(page, hash);
        const [wide, screen] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
        assert.ok(wide <= screen, `${hash}: ${wide} > ${screen}`);
      }
      const menu = page.getByRole("button", { name: "Topics" });
      assert.equal(await page.getByRole("tree").isVisible(), false);
      await menu.click();
      await page.getByRole("treeitem", { name: /^Guide/ }).click();
      await page.waitForURL(/topic=guide/);
      await shown(page);
      assert.equal(await page.getByRole("tree").isVisible(), false);
    },
    { viewport: PHONE, hasTouch: true },
  ));

test("the picture is as wide as its place", () =>
  explorer(
    async (page) => {
      for (const viewport of [PHONE, DESK]) {
        await page.setViewportSize(viewport);
        await pictured(page);
      }
    },
    { hash: "#topic=guide" },
  ));
