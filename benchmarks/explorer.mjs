// What `explorer.py` asks of Node.js: Lighthouse over views of the explorer. Input as JSON on the standard input, a row for
// each view as JSON on the standard output.
import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { serve } from "./static_server.mjs";

const input = JSON.parse(await readFile("/dev/stdin", "utf8"));
const tools = createRequire(join(input.tools, "package.json"));
const { default: lighthouse } = await import(pathToFileURL(tools.resolve("lighthouse")));
const sent = [];
const server = await serve(input.site, "<!doctype html><title>A page</title><p>Text to paint, which Lighthouse waits for</p>", sent);
const profile = await mkdtemp(join(tmpdir(), "lighthouse-"));
// The sandbox of Chromium needs rights that a container does not have.
const chromium = spawn(
  input.chromium,
  ["--headless=new", "--no-sandbox", "--remote-debugging-port=0", `--user-data-dir=${profile}`, "about:blank"],
  { stdio: ["ignore", "ignore", "pipe"] },
);
const port = await new Promise((resolve, reject) => {
  let said = "";
  chromium.stderr.on("data", (data) => {
    said += data;
    const found = /DevTools listening on ws:\/\/[^:]+:(\d+)\//.exec(said);
    if (found) resolve(Number(found[1]));
  });
  chromium.on("exit", () => reject(new Error(`Chromium ended: ${said}`)));
});

const TIMES = {
  fcp: "first-contentful-paint",
  lcp: "largest-contentful-paint",
  speed_index: "speed-index",
  blocked: "total-blocking-time",
  shift: "cumulative-layout-shift",
};

/** Lighthouse's measure of a telephone of the middle class; of how much this machine is faster it makes it slower. */
const TELEPHONE = 400;

async function look(view, throttling) {
  const { lhr: idle } = await lighthouse(`http://127.0.0.1:${server.address().port}/`, {
    port,
    logLevel: "silent",
    onlyAudits: ["first-contentful-paint"],
  });
  const { benchmarkIndex } = idle.environment;
  const line = { throttling: { ...throttling, cpuSlowdownMultiplier: Math.max(1, benchmarkIndex / TELEPHONE) } };
  sent.length = 0;
  const { lhr } = await lighthouse(`http://127.0.0.1:${server.address().port}/explorer.html${view}`, {
    port,
    logLevel: "silent",
    onlyCategories: ["performance", "accessibility", "best-practices"],
    ...line,
  });
  if (lhr.runtimeError) throw new Error(`${view}: ${lhr.runtimeError.message}`);
  const score = (name) => Math.round(100 * lhr.categories[name].score);
  return {
    view,
    machine: Math.round(benchmarkIndex),
    performance: score("performance"),
    accessibility: score("accessibility"),
    best_practices: score("best-practices"),
    ...Object.fromEntries(Object.entries(TIMES).map(([name, audit]) => [name, lhr.audits[audit].numericValue])),
    bytes: sent.reduce((sum, { bytes }) => sum + bytes, 0),
    requests: sent.length,
    failed: Object.values(lhr.audits)
      .filter(({ score: own, scoreDisplayMode: how }) => how === "binary" && own === 0)
      .map(({ id }) => id),
  };
}

const rows = [];
for (const { name, throttling } of input.lines) {
  for (const view of input.views) {
    for (let run = 0; run < input.runs; run++) rows.push({ line: name, ...(await look(view, throttling)) });
  }
}
chromium.removeAllListeners("exit");
const ended = new Promise((resolve) => chromium.once("exit", resolve));
chromium.kill();
await ended;
server.close();
server.closeAllConnections();
await rm(profile, { recursive: true, force: true, maxRetries: 5 });
process.stdout.write(JSON.stringify(rows));
