// How it looks, for those who see it and those who do not: axe-core over every view, and a picture of each.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { test } from "node:test";

import { DESK, PHONE, explorer, go } from "./browser.mjs";

const AXE = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const VIEWS = {
  start: "#",
  root: "#topic=",
  ask: "#ask=how do I clear the embedding cache&budget=1000",
  "no-question": "#ask=",
  topic: "#topic=guide",
  document: "#topic=reference&document=cli&width=6",
  results: "#q=how do I clear the embedding cache",
  nothing: "#q=chuhk&exact=1",
  chunk: "#chunk=reference/_chunks/cli-1.md&q=watch",
  error: "#topic=nowhere",
};
const MODES = {
  light: { viewport: DESK, colorScheme: "light" },
  dark: { viewport: DESK, colorScheme: "dark" },
  phone: { viewport: PHONE, colorScheme: "light", hasTouch: true, deviceScaleFactor: 2 },
};

for (const [mode, options] of Object.entries(MODES)) {
  test(mode, () =>
    explorer(async (page) => {
      await page.evaluate(AXE);
      const look = async (name) => {
        const { violations } = await page.evaluate(() => axe.run());
        const found = violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${name}: ${id}: ${html}`));
        assert.deepEqual(found, []);
        await page.screenshot({ path: join(process.env.SHOTS, `${name}-${mode}.png`) });
      };
      for (const [name, hash] of Object.entries(VIEWS)) {
        await go(page, hash);
        await page.waitForLoadState("networkidle");
        await look(name);
      }
      await go(page, "#");
      await page.locator("#search").fill("update only what changed");
      await page.waitForSelector("[role=option]");
      await page.keyboard.press("ArrowDown");
      await look("typing");
    }, options),
  );
}
