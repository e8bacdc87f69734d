// What `search_peers.py` asks of Node.js: `node search_peers.mjs TASK`, its input as JSON on the standard input, its
// result as JSON on the standard output.
//
//   bundle   MiniSearch's code, minified, and its serialised index, as files of a site
//   browse   queries asked in Chromium over a static server, which counts what it sends
//   time     queries asked in this process, every file in memory
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { serve } from "./static_server.mjs";

const TOP = 5;
const CODE = /\.js$|\/wasm\.[^/]*\.pagefind$/;
const MINISEARCH = { fields: ["title", "path", "text"], storeFields: ["page"] };

const TASKS = { bundle, browse, time };

// ---- engines: `search`, then the pages and the texts of its first five results; both run in a page of the site ------

const ENGINES = {
  infograph: {
    async search({ query, folder, top }) {
      self.client ??= new (await import(`${folder}infograph.js`)).Client(folder);
      self.hits = (await self.client.pages(query, { limit: top })).hits;
    },
    async texts() {
      await Promise.all(self.hits.map((hit) => self.client.read(hit)));
      return self.hits.map((hit) => hit.page);
    },
  },
  pagefind: {
    async search({ query, folder, top }) {
      self.pagefind ??= await import(`${folder}pagefind.js`);
      self.hits = (await self.pagefind.search(query)).results.slice(0, top);
    },
    async texts() {
      return (await Promise.all(self.hits.map((hit) => hit.data()))).map((page) => page.url);
    },
  },
  minisearch: {
    async search({ query, folder, top, options }) {
      if (!self.mini) {
        const [{ default: MiniSearch }, index] = await Promise.all([
          import(`${folder}minisearch.js`),
          fetch(`${folder}index.json`).then((response) => response.text()),
        ]);
        self.mini = MiniSearch.loadJSON(index, options);
      }
      const best = new Map();
      for (const hit of self.mini.search(query)) {
        if (best.size < top && !best.has(hit.page)) best.set(hit.page, hit.id);
      }
      self.hits = [...best];
    },
    async texts() {
      await Promise.all(self.hits.map(async ([, id]) => (await fetch(`/infograph/${encodeURI(id)}`)).text()));
      return self.hits.map(([page]) => page);
    },
  },
};

// ---- bundle ---------------------------------------------------------------------------------------------------------

async function bundle({ tools, documents, folder, search }) {
  const { default: MiniSearch } = await import(minisearch(tools));
  const index = new MiniSearch({ ...MINISEARCH, searchOptions: search });
  index.addAll(JSON.parse(await readFile(documents, "utf8")));
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "index.json"), JSON.stringify(index));
  await createRequire(join(tools, "package.json"))("esbuild").build({
    entryPoints: [join(tools, "node_modules/minisearch/dist/es/index.js")],
    format: "esm",
    minify: true,
    outfile: join(folder, "minisearch.js"),
  });
  return {};
}

function minisearch(tools) {
  return pathToFileURL(join(tools, "node_modules/minisearch/dist/es/index.js")).href;
}

// ---- browse ---------------------------------------------------------------------------------------------------------

/**
 * Every query by every engine: each in a profile of its own, with an empty cache (cold), or one after the other in one
 * page. Rows have the pages found and the body bytes of code, index and texts.
 */
async function browse({ tools, chromium, root, engines, queries, cold, search }) {
  const sent = [];
  const server = await serve(root, "<!doctype html><title>peers</title>", sent);
  const address = `http://127.0.0.1:${server.address().port}/`;
  const launcher = createRequire(join(tools, "package.json"))("playwright-core").chromium;
  // The sandbox of Chromium needs rights that a container does not have.
  const browser = await launcher.launch({ executablePath: chromium, args: ["--no-sandbox"] });
  const rows = [];
  for (const engine of engines) {
    const { search: find, texts } = ENGINES[engine.split("-")[0]];
    const options = { ...MINISEARCH, searchOptions: search };
    let page;
    for (const query of queries) {
      if (cold || !page) {
        await page?.context().close();
        page = await (await browser.newContext()).newPage();
        await page.goto(address);
      }
      sent.length = 0;
      await page.evaluate(find, { query, folder: `/${engine}/`, top: TOP, options });
      const before = sent.length;
      const pages = await page.evaluate(texts);
      const row = { engine, query, pages, code: 0, index: 0, texts: 0, requests: sent.length };
      sent.forEach(({ path, bytes }, at) => (row[CODE.test(path) ? "code" : at < before ? "index" : "texts"] += bytes));
      rows.push(row);
    }
    await page.context().close();
  }
  await browser.close();
  server.close();
  return rows;
}

// ---- time -----------------------------------------------------------------------------------------------------------

/** Milliseconds, by the clock and of the processor, that each engine takes for each query. */
async function time({ tools, root, client, queries, search }) {
  const files = new Map();
  for (const folder of ["infograph/_search", "pagefind"]) {
    for (const entry of await readdir(join(root, folder), { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      if (entry.isFile()) files.set(path.slice(root.length), await readFile(path));
    }
  }
  const fetchFile = async (address) => new Response(files.get(new URL(String(address), "http://host/").pathname));
  const { Client } = await import(client);
  const { default: MiniSearch } = await import(minisearch(tools));
  const index = await readFile(join(root, "minisearch/index.json"), "utf8");
  const asked = {
    infograph: new Client("http://host/infograph/", { fetch: fetchFile }),
    pagefind: await pagefind(files.get("/pagefind/pagefind.js"), fetchFile),
    minisearch: MiniSearch.loadJSON(index, { ...MINISEARCH, searchOptions: search }),
  };
  const ask = {
    infograph: (query) => asked.infograph.pages(query, { limit: TOP }),
    pagefind: async (query) => {
      const { results } = await asked.pagefind.search(query);
      return Promise.all(results.slice(0, TOP).map((result) => result.data()));
    },
    minisearch: (query) => asked.minisearch.search(query),
  };
  const rows = [];
  for (const round of ["first", "again"]) {
    for (const query of queries) {
      for (const engine of Object.keys(ask)) {
        const [start, used] = [performance.now(), process.cpuUsage()];
        await ask[engine](query);
        const clock = performance.now() - start;
        const { user, system } = process.cpuUsage(used);
        rows.push({ engine, round, clock, processor: (user + system) / 1000 });
      }
    }
  }
  return rows;
}

/** Pagefind's own script, which expects a document and asks for its files by their place in a site. */
async function pagefind(script, fetchFile) {
  const element = { getAttribute: () => "en" };
  Object.assign(globalThis, {
    window: globalThis,
    location: new URL("http://host/"),
    document: { querySelector: () => element, documentElement: element, addEventListener() {} },
    fetch: fetchFile,
  });
  const folder = await mkdtemp(join(tmpdir(), "pagefind-"));
  try {
    await writeFile(join(folder, "pagefind.mjs"), script);
    const loaded = await import(pathToFileURL(join(folder, "pagefind.mjs")).href);
    await loaded.options({ basePath: "/pagefind/", baseUrl: "/", noWorker: true });
    await loaded.init();
    return loaded;
  } finally {
    await rm(folder, { recursive: true });
  }
}

let input = "";
for await (const part of process.stdin) input += part;
process.stdout.write(JSON.stringify(await TASKS[process.argv[2]](JSON.parse(input))));
