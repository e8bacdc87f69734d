// What `site_boxes.py` asks of Node.js: a search's bytes in Chromium, before and after a question, and where results lead.
// Input as JSON on the standard input, a row for each query as JSON on the standard output.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";

import { serve } from "./static_server.mjs";

const HEAD = `<!doctype html><html lang="en"><meta charset="utf-8"><title>A page</title><link rel="icon" href="data:,">`;
const TOOLS = {
  infograph: {
    page: (at) => `<script type="module" src="${at}infograph-search.js"></script><infograph-search></infograph-search>`,
    async ask(page, query) {
      await page.locator("infograph-search button").first().click();
      await page.locator("infograph-search input").fill(query);
      await page.locator("infograph-search [role=option] .title").first().waitFor();
      await page.waitForFunction(() => !document.querySelector("infograph-search").shadowRoot.querySelector("[aria-busy]"));
    },
    links: () => [],
  },
  pagefind: {
    page: () => `<link rel="stylesheet" href="/pagefind/pagefind-ui.css"><script src="/pagefind/pagefind-ui.js"></script>
      <div id="search"></div><script>new PagefindUI({ element: "#search", showSubResults: true });</script>`,
    async ask(page, query) {
      await page.locator("#search input").fill(query);
      await page.locator("#search .pagefind-ui__result-link").first().waitFor();
      await page.waitForLoadState("networkidle");
    },
    links: (page, query) =>
      page.evaluate(async (query) => {
        const pagefind = await import("/pagefind/pagefind.js");
        const { results } = await pagefind.search(query);
        const found = await Promise.all(results.slice(0, 20).map((result) => result.data()));
        return found.flatMap((data) => data.sub_results.map((part) => part.url));
      }, query),
  },
};

const input = JSON.parse(await readFile("/dev/stdin", "utf8"));
const tool = TOOLS[input.tool];
const sent = [];
const server = await serve(input.site, HEAD + tool.page(input.at), sent);
const { chromium } = createRequire(join(input.modules, "package.json"))("playwright-core");
// The sandbox of Chromium needs rights that a container does not have.
const browser = await chromium.launch({ executablePath: input.chromium, args: ["--no-sandbox"] });
const weight = () => sent.splice(0).reduce((sum, row) => sum + (row.path === "/" ? 0 : row.bytes), 0);

const rows = [];
for (const query of input.queries) {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`http://127.0.0.1:${server.address().port}/`, { waitUntil: "networkidle" });
  const before = weight();
  await tool.ask(page, query);
  const after = weight();
  if (input.shot && !rows.length) await page.screenshot({ path: input.shot });
  rows.push({ query, before, after, links: await tool.links(page, query) });
  sent.length = 0;
  await context.close();
}
await browser.close();
server.close();
server.closeAllConnections();
process.stdout.write(JSON.stringify(rows));
