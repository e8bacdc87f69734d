// A static server as hosts of documentation are, which writes down what it sends.
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { gzipSync } from "node:zlib";

const TYPES = {
  ".css": "text/css",
  ".html": "text/html",
  ".js": "text/javascript",
  ".json": "application/json",
  ".md": "text/markdown",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
};
/** What hosts compress. A `.z`, a `.pf_index` and a `.pagefind` are compressed already. */
const COMPRESSED = new Set([".css", ".html", ".js", ".json", ".md", ".svg"]);

/**
 * Serves what lies under a folder, and a page at `/`.
 * @param {string} root
 * @param {string} page HTML
 * @param {{path: string, bytes: number}[]} sent gets the path and body bytes of each answer
 * @returns {Promise<import("node:http").Server>}
 */
export async function serve(root, page, sent) {
  const files = new Map();
  const load = async (path) => {
    const data = path === "/" ? Buffer.from(page) : await readFile(join(root, path));
    return path === "/" || COMPRESSED.has(extname(path)) ? gzipSync(data, { level: 6 }) : data;
  };
  const server = createServer(async (request, response) => {
    const path = decodeURIComponent(new URL(request.url, "http://host").pathname);
    if (!files.has(path)) files.set(path, await load(path).catch(() => null));
    const data = files.get(path);
    if (!data) return response.writeHead(404).end();
    const suffix = path === "/" ? ".html" : extname(path);
    const headers = { "Content-Type": TYPES[suffix] ?? "application/octet-stream" };
    if (COMPRESSED.has(suffix)) headers["Content-Encoding"] = "gzip";
    if (path !== "/favicon.ico") sent.push({ path, bytes: data.length });
    // Without the age a browser would ask for each module twice.
    response.writeHead(200, { ...headers, "Cache-Control": "max-age=600", "Content-Length": data.length }).end(data);
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  return server;
}
