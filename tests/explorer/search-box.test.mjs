// The search box in a page of its own: by keyboard, for those who hear it, in other directions, when the server fails.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { afterEach, test } from "node:test";

import { PHONE, client, server, visit } from "./browser.mjs";

const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
/** Modules that mend what is shown already. */
const PASSAGES = /\/(?:chunk|passage|said)\.js$/;
const NOT_FOUND = /Failed to load resource|<infograph-search>/;
const page = (box, { head = "", html = 'lang="en"', script = "infograph-search.js" } = {}) =>
  `<!doctype html><html ${html}><head><meta charset="utf-8"><title>A page</title>${head}
  <link rel="icon" href="data:,"><script type="module" src="/${script}"></script></head>
  <body><main><h1>A page</h1><p><a href="#other">A link</a> <input aria-label="Another"></p>${box}</main></body></html>`;

/** Opens a page that has nothing but the box. */
function box(markup, use, { head, html, script, ...options } = {}) {
  server.pages["/page.html"] = page(markup, { head, html, script });
  return visit("page.html", use, options);
}

const BOX = "<infograph-search></infograph-search>";
const input = (page) => page.locator("infograph-search #input");
const options = (page) => page.locator("infograph-search [role=option]");
const isOpen = (page) => dialog(page).evaluate((element) => element.open);
const dialog = (page) => page.locator("infograph-search dialog");
const status = (page) => page.locator("infograph-search [role=status]");
const titles = (page) => page.locator("infograph-search .title").allTextContents();

async function search(page, query) {
  if (!(await isOpen(page))) await page.keyboard.press("Control+k");
  await input(page).fill(query);
  await page.waitForSelector("infograph-search [role=option] .title");
  await settled(page);
}

/** Waits until the answer is there, whole. */
const settled = (page) => page.waitForSelector("infograph-search [role=listbox]:not([aria-busy])", { state: "attached" });

/** Waits until all is there that is loaded when somebody is about to search. */
async function prefetched(page) {
  const box = await (await fetch(`${server.origin}infograph-search.js`)).text();
  const names = [...box.matchAll(/const (?:MODULES|MORE) = "([a-z ]+)"/g)].flatMap(([, names]) => names.split(" "));
  assert.ok(names.includes("order"), names);
  const files = ["_search/manifest.json", ...["infograph", ...names].map((name) => `infograph/${name}.js`)];
  await page.getByRole("button", { name: "Search" }).focus();
  await page.waitForFunction(
    (files) => files.every((name) => performance.getEntriesByName(new URL(name, location.origin).href).length),
    files,
  );
}

async function accessible(page, what) {
  await page.addScriptTag({ path: AXE });
  const { violations } = await page.evaluate(() => axe.run("infograph-search"));
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
  assert.deepEqual(found, [], what);
}

afterEach(() => {
  server.refused = null;
  server.headers = {};
  for (const held of server.held.splice(0)) held.letGo();
});

test("by keyboard: opened, searched, chosen, opened at the heading", () =>
  box(BOX, async (page) => {
    await page.keyboard.press("Control+k");
    assert.equal(await input(page).getAttribute("aria-expanded"), "false");
    await page.keyboard.type("clear the embedding cache");
    await options(page).first().waitFor();
    await settled(page);
    assert.equal(await input(page).getAttribute("aria-expanded"), "true");
    assert.equal(await input(page).getAttribute("aria-activedescendant"), null);
    assert.match(await status(page).textContent(), /^Results: \d+$/);
    assert.ok((await page.locator("infograph-search mark").allTextContents()).some((word) => /cache/i.test(word)));
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    const active = page.locator(`infograph-search #${await input(page).getAttribute("aria-activedescendant")}`);
    assert.equal(await active.getAttribute("aria-selected"), "true");
    assert.equal(await page.locator("infograph-search [aria-selected=true]").count(), 1);
    const { hits } = await client().search("clear the embedding cache", { limit: 12 });
    const addresses = hits.map(({ url }) => url);
    const href = await active.getAttribute("href");
    assert.ok(addresses.includes(href), `${href} among ${addresses}`);
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("ArrowUp");
    assert.equal(await options(page).last().getAttribute("aria-selected"), "true", "from the first to the last");
    await page.keyboard.press("ArrowDown");
    const first = await options(page).first().getAttribute("href");
    await page.keyboard.press("Enter");
    await page.waitForURL(first);
  }, { expected: NOT_FOUND })); // the pages themselves are not there

test("grouped by page, each hit once, in the order of the answer", () =>
  box(BOX, async (page) => {
    await search(page, "embedding?"); // a word that is finished
    const site = client();
    const { hits } = await site.search("embedding?", { limit: 12 });
    const pages = [...new Set(hits.map(({ page_title }) => page_title))];
    assert.deepEqual(await page.locator("infograph-search [role=group] .page").allTextContents(), pages);
    const grouped = [...new Set(hits.map(({ page }) => page))].flatMap((page) => hits.filter((hit) => hit.page === page));
    assert.deepEqual(await titles(page), grouped.map(({ title }) => title));
    await page.getByRole("option", { name: "More results" }).click();
    await page.waitForFunction(
      (count) => document.querySelector("infograph-search").shadowRoot.querySelectorAll(".title").length > count,
      hits.length,
    );
    await settled(page);
    const more = await site.search("embedding?", { limit: 24 });
    assert.equal((await titles(page)).length, more.hits.length);
    assert.equal(await input(page).evaluate((element) => element === element.getRootNode().activeElement), true);
  }));

test("what opens it, what closes it, and where the focus goes", () =>
  box(BOX, async (page) => {
    const focused = () => page.evaluate(() => document.activeElement.localName);
    await page.locator("a").focus();
    await page.keyboard.press("/");
    assert.equal(await isOpen(page), true);
    await page.keyboard.press("Escape");
    assert.equal(await isOpen(page), false);
    assert.equal(await focused(), "a");
    await page.locator("input").first().focus();
    await page.keyboard.type("a/b");
    assert.equal(await page.locator("input").first().inputValue(), "a/b", "no shortcut while one types");
    await page.keyboard.press("Control+k");
    assert.equal(await focused(), "infograph-search");
    await page.keyboard.press("Control+k");
    assert.equal(await focused(), "input");
    const trigger = page.getByRole("button", { name: "Search" });
    await trigger.focus();
    await page.keyboard.type("stripe");
    assert.equal(await input(page).inputValue(), "stripe", "what is typed on the button begins the query");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    assert.equal(await isOpen(page), false, "the close button");
    await trigger.click();
    await page.mouse.click(2, 2);
    assert.equal(await isOpen(page), false, "a click beside it");
  }));

test("a site that wants no shortcuts has none", () =>
  box('<infograph-search keys=""></infograph-search>', async (page) => {
    for (const key of ["/", "Control+k"]) await page.keyboard.press(key);
    assert.equal(await isOpen(page), false);
  }));

for (const colorScheme of ["light", "dark"]) {
  test(`for those who hear it and those who need contrast: ${colorScheme}`, () =>
    box(
      '<infograph-search sections="guide=Guide, reference=Reference"></infograph-search>',
      async (page) => {
        await accessible(page, "closed");
        await page.keyboard.press("Control+k");
        await accessible(page, "opened");
        await input(page).fill("embedidng cahce");
        await options(page).first().waitFor();
        await settled(page);
        await page.keyboard.press("ArrowDown");
        await accessible(page, "results, one of them chosen");
        assert.equal(await dialog(page).evaluate((element) => element.classList.contains("dark")), colorScheme === "dark");
        await input(page).fill("xyzzyqwv");
        await page.getByText("Nothing found for “xyzzyqwv”").first().waitFor();
        await accessible(page, "nothing");
        server.refused = /_search/;
        await page.evaluate(() => document.querySelector("infograph-search").setAttribute("root", "/nowhere/"));
        await input(page).fill("cache");
        await page.getByRole("alert").waitFor();
        await accessible(page, "an error");
        const tree = await page.locator("infograph-search dialog").ariaSnapshot();
        assert.match(tree, /combobox "Search the documentation"/);
      },
      { colorScheme, head: '<meta name="color-scheme" content="light dark">', expected: NOT_FOUND },
    ));
}

test("a slip: what was searched for instead, and the way back", () =>
  box(BOX, async (page) => {
    await search(page, "embedidng cahce");
    const notes = page.locator("infograph-search .notes");
    assert.match(await notes.textContent(), /Searched for embedding instead of embedidng\.Searched for cache instead of cahce\./);
    await page.getByRole("button", { name: "Search for what was typed" }).click();
    await page.getByText("Nothing found for “embedidng cahce”").first().waitFor();
    assert.equal(await input(page).inputValue(), "embedidng cahce");
    assert.match(await status(page).textContent(), /^Nothing found/);
    await page.getByRole("button", { name: "cache", exact: true }).click();
    await options(page).first().waitFor();
    assert.equal(await input(page).inputValue(), "cache");
  }));

test("recent searches: those that led somewhere, forgotten when one says so", () =>
  box(BOX, async (page) => {
    await page.evaluate(() => addEventListener("infograph-select", (event) => event.preventDefault()));
    for (const query of ["stripe order", "embedding cache"]) {
      await search(page, query);
      await page.keyboard.press("Enter");
      assert.equal(await isOpen(page), false);
    }
    assert.equal(new URL(page.url()).pathname, "/page.html", "what the site prevents does not happen");
    await page.keyboard.press("Control+k");
    await input(page).fill("");
    await page.getByRole("group", { name: "Recent searches" }).waitFor();
    assert.deepEqual(await options(page).allTextContents(), ["embedding cache", "stripe order"]);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.waitForSelector("infograph-search .title");
    assert.equal(await input(page).inputValue(), "stripe order");
    await input(page).fill("");
    await page.getByRole("button", { name: "Forget them" }).click();
    assert.equal(await options(page).count(), 0);
  }));

for (const [what, storage] of [
  ["forbidden", "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('no', 'SecurityError') } })"],
  ["full of something else", "localStorage.setItem('infograph-search ' + location.origin + '/', '{')"],
]) {
  test(`a storage that is ${what} costs the history and nothing else`, () =>
    box(BOX, async (page) => {
      await page.evaluate(storage);
      await page.evaluate(() => addEventListener("infograph-select", (event) => event.preventDefault()));
      await search(page, "stripe order");
      await page.keyboard.press("Enter");
      await page.keyboard.press("Control+k");
      await input(page).fill("");
      await page.waitForFunction(() => document.querySelector("infograph-search").shadowRoot.querySelector(".notes").textContent);
      await search(page, "cache");
    }));
}

test("sections: chosen by the reader, or given by the page", () =>
  box('<infograph-search sections="guide=The guide, reference=Reference"></infograph-search>', async (page) => {
    const site = client();
    await search(page, "embedding?"); // a word that is finished
    await page.getByLabel("Search in").selectOption({ label: "Reference" });
    await settled(page);
    const { hits } = await site.search("embedding?", { limit: 12, path: "reference" });
    await page.waitForFunction(
      (count) => document.querySelector("infograph-search").shadowRoot.querySelectorAll(".title").length === count,
      hits.length,
    );
    assert.deepEqual((await titles(page)).toSorted(), hits.map(({ title }) => title).toSorted());
    await input(page).fill("troubleshooting");
    await settled(page);
    await page.evaluate(() => {
      const element = document.querySelector("infograph-search");
      element.close();
      element.outerHTML = '<infograph-search sections="auto" path="publishing"></infograph-search>';
    });
    await page.keyboard.press("Control+k");
    const section = page.getByLabel("Search in");
    await section.waitFor();
    assert.equal(await section.inputValue(), "publishing");
    const { topics } = await site.topic("");
    assert.deepEqual(await section.locator("option").allTextContents(), ["Everything", ...topics.map(({ title }) => title)]);
  }));

test("from right to left, in the language of the page", () =>
  box(
    BOX,
    async (page) => {
      await page.keyboard.press("Control+k");
      assert.equal(await dialog(page).getAttribute("dir"), "rtl");
      assert.equal(await dialog(page).getAttribute("lang"), "ar");
      await page.locator('infograph-search input[placeholder="ابحث في الوثائق"]').waitFor();
      await input(page).fill("embedding cache");
      await options(page).first().waitFor();
      const [glass, field, close] = await Promise.all(
        [".head > svg", "input", "[part=close]"].map((part) => page.locator(`infograph-search ${part}`).boundingBox()),
      );
      assert.ok(close.x < field.x && field.x < glass.x, "mirrored");
      assert.equal(await page.locator("infograph-search .title").first().getAttribute("dir"), "auto");
      await accessible(page, "Arabic");
    },
    { html: 'lang="ar" dir="rtl"' },
  ));

test("texts: by language, by attribute, by property", () =>
  box('<infograph-search lang="pt-BR" strings=\'{"search": "Achar"}\'></infograph-search>', async (page) => {
    const label = () => page.locator("infograph-search [part=label]").textContent();
    await page.locator("infograph-search").getByText("Achar").waitFor();
    assert.equal(await page.locator("infograph-search [part=close]").getAttribute("aria-label"), "Fechar");
    await page.evaluate(() => (document.querySelector("infograph-search").strings = { search: "<b>Find</b>" }));
    assert.equal(await label(), "<b>Find</b>");
    await page.evaluate(() => {
      const element = document.querySelector("infograph-search");
      element.lang = "tlh";
      element.strings = {};
      element.setAttribute("strings", "no JSON");
    });
    assert.equal(await label(), "Search", "an unknown language is English");
  }, { expected: /the attribute strings is no JSON/ }));

test("a language is loaded where the page has it, and its loss is no loss of the search", async () => {
  const html = 'lang="de"';
  const asked = (page) => page.evaluate(() => performance.getEntriesByType("resource").map(({ name }) => new URL(name).pathname));
  await box(BOX, async (page) => {
    await page.getByRole("button", { name: "Suchen" }).getByText("Suchen").waitFor();
    assert.deepEqual((await asked(page)).filter((name) => name.startsWith("/infograph/")), ["/infograph/box/de.js"]);
  }, { html });
  server.refused = /^\/infograph\/box\//;
  await box(BOX, async (page) => {
    await page.getByRole("button", { name: "Search" }).getByText("Search").waitFor();
    await search(page, "cache");
    assert.equal(await input(page).getAttribute("placeholder"), "Search the documentation");
  }, { html, expected: NOT_FOUND });
});

test("the site's own colours, and the theme of the page", () =>
  box(BOX, async (page) => {
    await search(page, "cache");
    const colour = () => page.locator("infograph-search .title").first().evaluate((node) => getComputedStyle(node).color);
    assert.equal(await colour(), "rgb(11, 99, 206)");
    await page.evaluate(() => document.documentElement.style.setProperty("--infograph-accent", "rgb(120, 0, 90)"));
    assert.equal(await colour(), "rgb(120, 0, 90)");
    await page.keyboard.press("Escape");
    await page.evaluate(() => (document.body.style = "background: #123; color: #eee"));
    await page.keyboard.press("Control+k");
    assert.equal(await dialog(page).evaluate((element) => element.classList.contains("dark")), true);
  }));

test("a header that keeps its text on one line cuts nothing off", () =>
  box(`<nav style="white-space: nowrap">${BOX}</nav>`, async (page) => {
    await search(page, "cache");
    const spaces = (nodes) => nodes.map((node) => getComputedStyle(node).whiteSpace);
    const found = await page.locator("infograph-search .snippet").evaluateAll(spaces);
    assert.deepEqual([...new Set(found)], ["normal"]);
  }));

test("a telephone: the button is an icon, the dialog is the screen", () =>
  box(
    BOX,
    async (page) => {
      assert.equal(await page.locator("infograph-search [part=label]").isVisible(), false);
      await page.getByRole("button", { name: "Search" }).click();
      await input(page).fill("cache");
      await options(page).first().waitFor();
      const { width, height } = await dialog(page).boundingBox();
      assert.deepEqual([width, height], [PHONE.width, PHONE.height]);
    },
    { viewport: PHONE },
  ));

test("nothing is loaded before it is wanted; what a search needs is, before a key is pressed", () =>
  box(BOX, async (page) => {
    const asked = () => page.evaluate(() => performance.getEntriesByType("resource").map(({ name }) => new URL(name).pathname));
    await page.waitForLoadState("networkidle");
    assert.deepEqual((await asked()).filter((name) => name.endsWith(".js") || name.startsWith("/_")), ["/infograph-search.js"]);
    await prefetched(page);
    const before = await asked();
    for (const name of ["/infograph/infograph.js", "/_search/manifest.json"]) assert.ok(before.includes(name), name);
    assert.equal(before.filter((name) => name === "/_search/manifest.json").length, 1);
    await search(page, "clear the embedding cache");
    const modules = (await asked()).filter((name) => name.endsWith(".js") && !before.includes(name) && !PASSAGES.test(name));
    assert.deepEqual(modules, [], "no module is waited for while one types");
  }));

test("the passage that answers, of the results that are seen", () =>
  box(BOX, async (page) => {
    const query = "why is a document's first line left out?";
    const site = client();
    const { hits } = await site.search(query, { limit: 12 });
    const passages = await Promise.all(hits.map(async (hit) => site.passage(query, (await site.read(hit)).readable)));
    assert.ok(passages.some((text) => text.startsWith("… ")));
    const grouped = [...new Set(hits.map(({ page }) => page))].flatMap((page) => hits.filter((hit) => hit.page === page));
    const snippets = () => page.locator("infograph-search .snippet").allTextContents();
    /** The chunks of the results that are in sight. */
    const inSight = async () => {
      const numbers = await options(page).evaluateAll((all) => new Promise((resolve) => {
        const seen = (entries) => resolve(entries.flatMap(({ isIntersecting }, i) => (isIntersecting ? [i] : [])));
        const observer = new IntersectionObserver(seen);
        for (const option of all) observer.observe(option);
      }));
      return numbers.filter((i) => i < grouped.length).map((i) => `/${grouped[i].href}`);
    };
    const held = server.hold(/_chunks/);
    await search(page, query);
    assert.deepEqual(await snippets(), grouped.map(({ snippet }) => snippet), "beginnings, at once");
    const seen = await inSight();
    assert.ok(seen.length > 0 && seen.length < hits.length, `${seen.length} of ${hits.length} are seen`);
    assert.ok(seen.includes(await held.first()));
    held.letGo();
    await page.waitForFunction(() =>
      [...document.querySelector("infograph-search").shadowRoot.querySelectorAll(".snippet")].some(({ textContent }) => textContent.startsWith("… ")),
    );
    for (const text of await snippets()) assert.ok(passages.includes(text) || hits.some(({ snippet }) => snippet === text), text);
    assert.deepEqual(held.asked.filter((path) => !seen.includes(path)), [], "only what is seen is read");
    const others = server.hold(/_chunks/);
    await page.keyboard.press("ArrowUp");
    const path = await others.first((path) => !seen.includes(path));
    assert.ok((await inSight()).includes(path), path);
    others.letGo();
    server.refused = /_chunks/;
    const said = page.waitForEvent("console", (message) => message.text().includes("<infograph-search>"));
    await search(page, "stripe order of a topic");
    await said;
    assert.ok((await snippets()).every((text) => text), "the beginning stays");
  }, { expected: NOT_FOUND }));

test("quiet lines: the question that a result is known to answer, the page that led to it", () =>
  box(BOX, async (page) => {
    const site = client();
    const lines = (part) => page.locator(`infograph-search [part=${part}]`).allTextContents();
    const question = "How do I install infograph?";
    const known = (await site.search(question, { limit: 12 })).hits.map((hit) => hit.matched_question?.text).filter(Boolean);
    await search(page, question);
    assert.deepEqual((await lines("known")).toSorted(), known.map((text) => `Answers: ${text}`).toSorted());
    assert.ok(known.length);
    const linked = "what is a stripe?";
    const ways = (await site.search(linked, { limit: 12 })).hits.map(({ via }) => via?.page_title).filter(Boolean);
    await search(page, linked);
    assert.deepEqual((await lines("via")).toSorted(), ways.map((title) => `By way of ${title}`).toSorted());
    assert.ok(ways.length);
  }));

test("nothing in a section: the whole is a press away", () =>
  box('<infograph-search sections="publishing=Publishing, reference=Reference" path="publishing"></infograph-search>', async (page) => {
    await page.keyboard.press("Control+k");
    await input(page).fill("jsonschema?");
    await page.getByRole("button", { name: "Search everything" }).click();
    await page.waitForSelector("infograph-search .title");
    assert.equal(await page.getByLabel("Search in").inputValue(), "");
  }));

test("without a connection it says so", () =>
  box(BOX, async (page) => {
    await prefetched(page);
    await page.context().setOffline(true);
    await page.keyboard.press("Control+k");
    await input(page).fill("cache");
    await page.getByText("There is no connection to the internet.").waitFor();
    await page.context().setOffline(false);
    await page.getByRole("button", { name: "Try again" }).click();
    await options(page).first().waitFor();
  }, { expected: NOT_FOUND }));

test("closed and opened again at once, it answers", () =>
  box(BOX, async (page) => {
    await page.evaluate(() => {
      const element = document.querySelector("infograph-search");
      element.open("cache");
      element.close(); // which is told later
      element.open("clear the embedding cache");
    });
    await options(page).first().waitFor();
    assert.equal(await input(page).inputValue(), "clear the embedding cache");
  }));

test("a div and one line", async () => {
  await box('<div id="search"></div>', async (page) => {
    await search(page, "cache");
    assert.equal(await page.locator("#search > infograph-search").count(), 1);
  }, { script: "infograph-search.js?into=%23search" });
  server.pages["/own.js"] = 'import { attach } from "/infograph-search.js"; attach("#search", { path: "guide", lang: "de" });';
  await box('<div id="search"></div>', async (page) => {
    await page.getByRole("button", { name: "Suchen" }).click();
    await input(page).fill("cache");
    await options(page).first().waitFor();
  }, { script: "own.js" });
});

test("a server that fails: said, with a way on", () =>
  box(BOX, async (page) => {
    server.refused = /manifest/;
    await page.keyboard.press("Control+k");
    await input(page).fill("cache");
    const alert = page.getByRole("alert");
    await alert.waitFor();
    assert.match(await alert.textContent(), /^The search cannot be read just now\./);
    assert.equal(await page.getByRole("button", { name: "Load the page again" }).count(), 0);
    server.refused = null;
    await page.getByRole("button", { name: "Try again" }).click();
    await options(page).first().waitFor();
    assert.equal(await alert.count(), 0);
    server.refused = /_search\/d-/;
    await input(page).fill("watch");
    await alert.waitFor();
    assert.match(await alert.textContent(), /^The answer may be incomplete\./);
    server.refused = null;
    await page.getByRole("button", { name: "Try again" }).click();
    await options(page).first().waitFor();
  }, { expected: NOT_FOUND }));

test("a client that cannot be loaded: the page has to be loaded again", () =>
  box(BOX, async (page) => {
    server.refused = /^\/infograph\/infograph\.js$/;
    await page.keyboard.press("Control+k");
    await input(page).fill("cache");
    await page.getByRole("alert").waitFor();
    server.refused = null;
    await page.getByRole("button", { name: "Load the page again" }).click();
    await page.waitForFunction(() => performance.getEntriesByType("navigation")[0].type === "reload");
    await search(page, "cache");
  }, { expected: NOT_FOUND }));

test("an index of another release: the page is the older one", () =>
  box(BOX, async (page) => {
    server.pages["/_search/manifest.json"] = '{"format": 99}';
    await page.keyboard.press("Control+k");
    await input(page).fill("cache");
    await page.getByText("The search index is newer than this page.").waitFor();
    delete server.pages["/_search/manifest.json"];
  }, { expected: NOT_FOUND }));

test("answers that come late: the box takes what is typed, and only the last one's are shown", () =>
  box(BOX, async (page) => {
    const site = client();
    const [early, late] = await Promise.all(
      ["troubleshooting", "stripe"].map(async (query) => (await site.search(query, { limit: 1 })).hits[0].title),
    );
    assert.notEqual(early, late);
    await page.getByRole("button", { name: "Search" }).focus();
    await page.waitForFunction(() =>
      performance.getEntriesByType("resource").some(({ name }) => name.endsWith("manifest.json")),
    );
    await page.keyboard.press("Control+k");
    await page.evaluate(() => {
      const root = document.querySelector("infograph-search").shadowRoot;
      window.seen = new Set();
      const look = () => root.querySelectorAll(".title").forEach(({ textContent }) => window.seen.add(textContent));
      new MutationObserver(look).observe(root, { subtree: true, childList: true });
    });
    const held = server.hold(/^\/_search\/p-/);
    await input(page).fill("troubleshooting");
    await page.getByText("Searching …").waitFor();
    await held.first();
    await input(page).fill("stripe");
    assert.equal(await input(page).inputValue(), "stripe");
    await page.keyboard.press("Enter"); // before there is an answer: opens the first result, when it is there
    await page.evaluate(() => {
      addEventListener("infograph-select", (event) => {
        event.preventDefault();
        window.chosen = event.detail;
      });
    });
    held.letGo();
    await page.waitForFunction(() => window.chosen);
    const { query, hit } = await page.evaluate(() => window.chosen);
    assert.deepEqual([query, hit.title], ["stripe", late]);
    assert.equal(await isOpen(page), false);
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve))); // what was asked for first is there, too
    const seen = await page.evaluate(() => [...window.seen]);
    assert.ok(seen.includes(late) && !seen.includes(early), seen.join());
  }));

/** A stand-in of the interface that agents in the browser call, as the draft has it; runs in the page. */
function standIn(place) {
  const tools = new Map();
  const context = {
    async registerTool(tool, { signal } = {}) {
      if (tools.has(tool.name)) throw new DOMException(`there is a tool ${tool.name}`, "InvalidStateError");
      tools.set(tool.name, tool);
      signal?.addEventListener("abort", () => tools.delete(tool.name));
    },
  };
  Object.defineProperty(place === "document" ? Document.prototype : Navigator.prototype, "modelContext", {
    get: () => context,
    configurable: true,
  });
  window.toolNames = () => [...tools.keys()];
  window.callTool = async (name, input) => JSON.parse(JSON.stringify(await tools.get(name).execute(input)));
  window.toolOf = (name) => JSON.parse(JSON.stringify(tools.get(name)));
}

/** Opens a page with the box in which the interface stands from the beginning. */
const withAgents = (markup, place, use) =>
  box(markup, use, { head: `<script>(${standIn})(${JSON.stringify(place)})</script>` });
const offeredTools = (page) => page.waitForFunction(() => window.toolNames().length === 2);

for (const place of ["document", "navigator"]) {
  test(`agents: tools of the ${place}'s interface search and read`, () =>
    withAgents(BOX, place, async (page) => {
      await offeredTools(page);
      const loaded = await page.evaluate(() => performance.getEntriesByType("resource").map(({ name }) => name));
      assert.ok(!loaded.some((name) => name.endsWith("/infograph.js")), "nothing is read before a tool is called");
      const { inputSchema, annotations, description } = await page.evaluate(() => window.toolOf("search_docs"));
      assert.deepEqual([inputSchema.required, annotations], [["query"], { readOnlyHint: true }]);
      assert.ok(description.includes(new URL(server.origin).host));
      const found = await page.evaluate(() => window.callTool("search_docs", { query: "embedding cache", limit: 2 }));
      const ids = [...found.content[0].text.matchAll(/^id: (\S+) /gm)].map(([, id]) => id);
      const site = client();
      const { hits } = await site.search("embedding cache", { limit: 2 });
      assert.deepEqual(ids, hits.map(({ href }) => href)); // prettier-ignore
      const text = await page.evaluate((id) => window.callTool("read_docs", { id }), ids[0]);
      assert.equal(text.content[0].text, (await site.read(hits[0])).readable);
      const rest = await page.evaluate((id) => window.callTool("read_docs", { id, offset: 5 }), ids[0]);
      assert.equal(rest.content[0].text, text.content[0].text.slice(5));
      for (const [name, input] of [["search_docs", {}], ["read_docs", { id: "https://elsewhere.example/a.md" }]]) {
        const refused = await page.evaluate(([name, input]) => window.callTool(name, input), [name, input]);
        assert.ok(refused.isError && refused.content[0].text.startsWith("Error: "), name);
      } // prettier-ignore
    }));
}

test("agents: two boxes offer the tools once, the other one when one goes, and one that comes when both are gone", () =>
  withAgents(BOX + BOX, "document", async (page) => {
    await offeredTools(page);
    const removed = () => page.evaluate(() => document.querySelector("infograph-search").remove());
    await removed();
    await offeredTools(page);
    const found = await page.evaluate(() => window.callTool("search_docs", { query: "embedding cache", limit: 1 }));
    assert.match(found.content[0].text, /^id: /m);
    await removed();
    assert.deepEqual(await page.evaluate(() => window.toolNames()), []);
    await page.evaluate(() => document.querySelector("main").append(document.createElement("infograph-search")));
    await offeredTools(page);
  }));

test("agents: no tools where the box says so, and no module where no browser offers them", async () => {
  await withAgents('<infograph-search tools="off"></infograph-search>', "document", async (page) => {
    await page.locator("infograph-search .trigger").waitFor();
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
    assert.deepEqual(await page.evaluate(() => window.toolNames()), []);
  });
  await box(BOX, async (page) => {
    await search(page, "cache");
    const loaded = await page.evaluate(() => performance.getEntriesByType("resource").map(({ name }) => name));
    assert.ok(loaded.some((name) => name.endsWith("/infograph.js")));
    assert.ok(!loaded.some((name) => name.endsWith("/webmcp.js")));
  });
});
