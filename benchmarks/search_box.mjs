// What `search_box.py` asks of Node.js: the search box in Chromium over a slow line. Input as JSON on the standard input,
// a row for each query as JSON on the standard output.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";

import { serve } from "./static_server.mjs";

const PAGE = `<!doctype html><html lang="en"><meta charset="utf-8"><title>A page</title><link rel="icon" href="data:,">
  <script type="module" src="/infograph-search.js"></script><infograph-search></infograph-search>`;
/** Milliseconds from one key to the next of somebody who types 60 words a minute. */
const KEY = 200;

const input = JSON.parse(await readFile("/dev/stdin", "utf8"));
const sent = [];
const server = await serve(input.site, PAGE, sent);

const { chromium } = createRequire(join(input.modules, "package.json"))("playwright-core");
// The sandbox of Chromium needs rights that a container does not have.
const browser = await chromium.launch({ executablePath: input.chromium, args: ["--no-sandbox"] });

/** Opens the box in a new profile and asks: at once, as one who pastes, or key by key. */
async function ask(query, isTyped) {
  const context = await browser.newContext();
  const page = await context.newPage();
  const line = await context.newCDPSession(page);
  await line.send("Network.enable");
  const { latency, throughput } = input;
  await line.send("Network.emulateNetworkConditions", {
    offline: false, latency, downloadThroughput: throughput, uploadThroughput: throughput,
  }); // prettier-ignore
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
  await page.waitForFunction(() => customElements.get("infograph-search"));
  await page.evaluate(() => {
    const root = document.querySelector("infograph-search").shadowRoot;
    const field = root.querySelector("input");
    window.times = { keys: [] };
    const look = () => {
      const now = performance.now();
      if (root.querySelector(".title")) window.times.first ??= now;
      if (!root.querySelector("[aria-busy]")) window.times.quoted = now;
    };
    new MutationObserver(look).observe(root, { subtree: true, childList: true });
    root.querySelector("button").addEventListener("click", () => (window.times.opened = performance.now()), true);
    // From the key to the next frame, which shows it.
    field.addEventListener("keydown", ({ timeStamp }) => {
      requestAnimationFrame(() => window.times.keys.push(performance.now() - timeStamp));
    });
    field.addEventListener("input", () => {
      window.times.asked = performance.now();
      window.times.first = undefined;
    });
  });
  const before = sent.length;
  await page.locator("infograph-search button").first().click();
  const field = page.locator("infograph-search input");
  if (isTyped) await field.pressSequentially(query, { delay: KEY });
  else await field.fill(query);
  await page.waitForFunction(() => window.times.first && !document.querySelector("infograph-search").shadowRoot.querySelector("[aria-busy]"));
  const whole = await page.evaluate(() => performance.now());
  const after = sent.length;
  await page.waitForLoadState("networkidle");
  const times = await page.evaluate(() => window.times);
  const parts = [sent.slice(0, before), sent.slice(before, after), sent.slice(after)];
  const [page_bytes, bytes, passages] = parts.map((part) => part.reduce((sum, row) => sum + row.bytes, 0));
  const requests = after - before;
  sent.length = 0;
  await context.close();
  return {
    query, typed: isTyped, page_bytes, bytes, requests, passages, quoted: Math.max(0, times.quoted - times.asked) || 0,
    from_opening: times.first - times.opened, from_last_key: times.first - times.asked, whole: whole - times.asked,
    slowest_key: Math.max(0, ...times.keys),
  }; // prettier-ignore
}

const rows = [];
for (const isTyped of [false, true]) for (const query of input.queries) rows.push(await ask(query, isTyped));
await browser.close();
server.close();
server.closeAllConnections();
process.stdout.write(JSON.stringify(rows));
