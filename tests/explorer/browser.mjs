// A server of a tree, and Chromium over it. Whatever goes wrong in a page, or leaves it, fails the test.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { after, before } from "node:test";

import { chromium } from "playwright-core";

import { Client } from "../../infograph/web/infograph.js";

const TYPES = {
  ".css": "text/css",
  ".html": "text/html",
  ".js": "text/javascript",
  ".json": "application/json",
  ".md": "text/markdown",
  ".svg": "image/svg+xml",
};
/** Path that the files lie under, where they are a site of their own: as on a host, a folder is its `index.html`. */
const MOUNT = process.env.MOUNT ?? "";

/** Milliseconds that anything may take: more than it ever does, however busy the machine. */
const PATIENCE = 120_000;

/** A file, or a page without its extension or its `index.html`, as hosts have it; null where there is none. */
async function read(file) {
  for (const name of MOUNT ? [file, `${file}.html`, join(file, "index.html")] : [file]) {
    const found = await readFile(name).catch(() => null);
    if (found) return found;
  }
  return null;
}

export const PHONE = { width: 390, height: 844 };
export const DESK = { width: 1280, height: 900 };

/** Answers that wait for the test, and not for a time. */
class Held {
  /** Paths that were asked for meanwhile. */
  asked = [];
  #looking = [];
  #isOver = new Promise((resolve) => (this.letGo = resolve));

  constructor(pattern) {
    this.pattern = pattern;
  }

  until(path) {
    this.asked.push(path);
    for (const look of this.#looking) look(path);
    return this.#isOver;
  }

  /** The first path asked for, or the first that is meant: as soon as it is asked for. */
  first(isMeant = () => true) {
    return new Promise((resolve, reject) => {
      const look = (path) => isMeant(path) && resolve(path);
      this.#looking.push(look);
      this.asked.forEach(look);
      setTimeout(() => reject(new Error(`asked for, of ${this.pattern}: ${this.asked}`)), PATIENCE).unref();
    });
  }
}

/**
 * What a host says, and no more. `refused` are names that it does not find just now, and `hold` lets what is asked for
 * wait. `pages` has pages beside those of the tree, and `headers` what it says of these.
 */
export const server = {
  refused: null,
  origin: "",
  pages: {},
  headers: {},
  held: [],
  /** From now on, no path that matches is answered until the test lets it go. */
  hold(pattern) {
    const held = new Held(pattern);
    server.held.push(held);
    return held;
  },
  async answer(request, response) {
    if (MOUNT && request.url === "/favicon.ico") return response.writeHead(204).end();
    let path = decodeURIComponent(new URL(request.url, "http://host").pathname);
    const isThere = !server.refused?.test(path) && path.startsWith(MOUNT);
    const own = server.pages[path];
    await server.held.findLast(({ pattern }) => pattern.test(path))?.until(path);
    if (MOUNT && path.endsWith("/")) path += "index.html";
    const file = join(process.env.SITE, path.slice(MOUNT.length));
    const data = isThere && (own ?? (await read(file)));
    const type = TYPES[extname(path) || (MOUNT && ".html")] ?? "application/octet-stream";
    response.writeHead(data ? 200 : 404, {
      "Content-Type": data ? type : "text/plain",
      "X-Content-Type-Options": "nosniff",
      ...(own && server.headers),
    });
    return response.end(data || "not found");
  },
};

/** A client of the tree that the server has, or of one below it. */
export const client = (folder = "") => new Client(server.origin + folder, { timeout: PATIENCE });

let host;
let browser;

before(async () => {
  host = createServer(server.answer).listen(0, "127.0.0.1");
  await new Promise((resolve) => host.once("listening", resolve));
  server.origin = `http://127.0.0.1:${host.address().port}/`;
  // The sandbox of Chromium needs rights that a container does not have. One process for all pages saves a third.
  const args = ["--no-sandbox", "--renderer-process-limit=1"];
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args, timeout: PATIENCE });
});

after(async () => {
  await browser?.close();
  host?.closeAllConnections();
  host?.close();
});

/**
 * Runs `use(page)` with the explorer open at a hash.
 * @param {{hash?: string, expected?: RegExp}} options `expected`: messages and addresses that belong to the test
 */
export function explorer(use, { hash = "", ...options } = {}) {
  const opened = async (page) => {
    await shown(page);
    await use(page);
  };
  return visit(`explorer.html${hash}`, opened, options);
}

/** Runs `use(page)` with a page of the server open. */
export async function visit(address, use, { viewport = DESK, colorScheme = "light", expected, ...options } = {}) {
  const context = await browser.newContext({ viewport, colorScheme, reducedMotion: "reduce", ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  const problems = [];
  page.on("pageerror", (error) => problems.push(`error: ${error.stack}`));
  page.on("dialog", (dialog) => (problems.push(`dialog: ${dialog.message()}`), dialog.dismiss()));
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type()) && !expected?.test(message.text())) problems.push(message.text());
  });
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(server.origin) && !expected?.test(url)) problems.push(`asks ${url}`);
  });
  await page.addInitScript((patience) => {
    // Seconds for a file, or for a text that is to be seen, are enough for a reader, and not for a busy machine.
    const later = window.setTimeout;
    window.setTimeout = (call, wait, ...values) => later(call, wait >= 1000 ? patience : wait, ...values);
    window.violations = [];
    document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) => {
      window.violations.push(`${violatedDirective}: ${blockedURI}`);
    });
  }, PATIENCE);
  try {
    await page.goto(server.origin + address);
    await use(page);
    assert.deepEqual(problems, []);
  } finally {
    await context.close();
  }
}

/** Waits for the view that the address asks for. */
export async function shown(page) {
  await page.waitForSelector("main[aria-busy=false] > :is(.view, .message)");
}

/** Waits until a topic's picture is as wide as its place: it is drawn again then, and what had the focus is gone. */
export const pictured = (page) =>
  page.waitForFunction(() => {
    const [frame, picture] = [".frame", ".picture"].map((name) => document.querySelector(name));
    return Math.abs(frame.clientWidth - picture.getBoundingClientRect().width) < 2;
  });

/** Waits until the map is drawn. */
export const mapped = (page) =>
  page.waitForFunction(() => {
    const [stage, canvas] = [".map-stage", ".map-stage canvas"].map((name) => document.querySelector(name));
    return stage?.clientWidth > 0 && Math.abs(canvas.width - stage.clientWidth * Math.min(3, devicePixelRatio)) < 1;
  });

/** Goes where a link with this hash would lead. */
export async function go(page, hash) {
  await page.evaluate((hash) => {
    if (new URL(hash, location.href).hash === location.hash) return; // no step at all
    document.getElementById("main").setAttribute("aria-busy", "true");
    location.hash = hash;
  }, hash);
  await shown(page);
}

export const texts = (page, selector) => page.locator(selector).allTextContents();
