// The search box over pages that attack, in a page with a strict policy: text stays text, links lead to the web.
import assert from "node:assert/strict";
import { test } from "node:test";

import { server, visit } from "./browser.mjs";

const STRICT =
  "default-src 'none'; script-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; " +
  "require-trusted-types-for 'script'; trusted-types 'none'";
const QUERIES = [
  "payload",
  "payload script onerror",
  "links payload",
  "<img src=x onerror=window.pwned=1>",
  "<script>window.pwned=1</script> pyload",
  "'\"><svg onload=window.pwned=1>",
];
const MINE = ["a", "button", "dialog", "div", "input", "kbd", "mark", "option", "p", "path", "q", "select", "span", "strong", "svg"];

async function harmless(page, what) {
  const found = await page.evaluate((mine) => {
    const all = [...document.querySelector("infograph-search").shadowRoot.querySelectorAll("*")];
    const isBad = (name) => (name.startsWith("on") && name !== "on") || ["style", "srcdoc", "src"].includes(name);
    return {
      pwned: window.pwned,
      violations: window.violations,
      elements: all.map(({ localName }) => localName).filter((name) => !mine.includes(name)),
      attributes: all.filter((element) => element.getAttributeNames().some(isBad)).map(({ localName }) => localName),
      links: all.filter((element) => element.localName === "a" && !/^https?:\/\//.test(element.getAttribute("href"))).length,
    };
  }, MINE);
  assert.deepEqual(found, { pwned: undefined, violations: [], elements: [], attributes: [], links: 0 }, what);
}

test("titles, passages, headings, sections and what one types", async () => {
  server.headers = { "Content-Security-Policy": STRICT };
  server.pages["/page.html"] = `<!doctype html><html lang="en"><title>A page</title>
    <script type="module" src="/infograph-search.js"></script>
    <infograph-search sections="auto"></infograph-search>`;
  await visit("page.html", async (page) => {
    await page.evaluate(() => addEventListener("infograph-select", (event) => event.preventDefault()));
    let options = 0;
    for (const query of QUERIES) {
      await page.keyboard.press("Control+k");
      await page.locator("infograph-search #input").fill(query);
      await page.waitForSelector("infograph-search [role=option] .title");
      await page.waitForSelector("infograph-search [role=listbox]:not([aria-busy])");
      await harmless(page, query);
      options += await page.locator("infograph-search [role=option]").count();
      assert.match(await page.locator("infograph-search [role=listbox]").textContent(), /onerror|onload|script/);
      for (const option of (await page.locator("infograph-search [role=option]").all()).slice(0, 3)) await option.hover();
      await page.keyboard.press("Enter");
      await page.keyboard.press("Control+k");
      await page.locator("infograph-search #input").fill("");
      await page.getByRole("group", { name: "Recent searches" }).waitFor();
      await harmless(page, `recent: ${query}`);
      await page.keyboard.press("Escape");
    }
    assert.ok(options > 20);
    const styled = await page.locator("infograph-search [part=trigger]").evaluate((node) => getComputedStyle(node).display);
    assert.equal(styled, "flex", "the policy allows the style that the box brings");
  });
});

test("a tree whose addresses attack leads nowhere but to the web", async () => {
  server.headers = {};
  server.pages["/favicon.ico"] = " "; // which the whole browser asks for
  await visit("page.html", async (page) => {
    for (const evil of ["javascript:window.pwned=1//", "data:text/html,<script>window.pwned=1</script>", "vbscript:x", "\u0001javascript:1"]) {
      const href = await page.evaluate(async (evil) => {
        const element = document.createElement("infograph-search");
        element.setAttribute("pages", evil);
        document.body.append(element);
        element.open("payload");
        await new Promise((resolve) => setTimeout(resolve, 50));
        while (!element.shadowRoot.querySelector("[role=option] .title")) await new Promise((resolve) => setTimeout(resolve, 20));
        const hrefs = [...element.shadowRoot.querySelectorAll("a")].map((link) => link.href);
        element.remove();
        return hrefs;
      }, evil);
      assert.deepEqual(href.filter((address) => !/^https?:/.test(address)), []);
    }
    assert.equal(await page.evaluate(() => window.pwned), undefined);
  });
});
