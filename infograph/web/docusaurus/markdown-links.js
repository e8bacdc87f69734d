/**
 * Links from rendered pages to what a build has written of their documents as Markdown, for agents that ask: what
 * infograph/integrations/markdown_links.py does for MkDocs and Sphinx.
 */

import { access, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

const TYPE = 'rel="alternate" type="text/markdown"';
const LINKED = /<link\b[^>]*type="?text\/markdown\b/i;
const END = /<\/head\s*>/i;
const SITE = "@site/";
/** Folder of a graph that holds the Markdown of pages; how the name of one ends whose document is no `.md` file, or ends so itself. */
const [PAGES, OTHER] = ["_pages", ".page.md"];

/**
 * Adds `<link rel="alternate" type="text/markdown">` to the head of each page whose document the graph has as Markdown,
 * and that has no such link yet.
 * @param {{outDir: string, baseUrl: string, plugins: {name: string, content?: any}[]}} site what Docusaurus has built
 * @param {{docs: string, root: string, pages: boolean}} graph `docs` is the folder of the source tree below the site's,
 *   `root` the address of the graph with a slash at its end; `pages` says that Markdown will be there that is not yet
 * @returns {Promise<number>} the number of pages that were changed
 */
export async function linkToMarkdown({ outDir, baseUrl, plugins }, { docs, root, pages }) {
  const folder = below(root, baseUrl);
  let changed = 0;
  for (const { source, permalink } of documents(plugins)) {
    const document = below(source, docs === "." ? SITE : `${SITE}${docs.replace(/^\.\/|\/+$/g, "")}/`);
    const page = below(`${permalink}/`, baseUrl);
    if (document === null || page === null) continue;
    const plain = document.endsWith(".md") && !document.endsWith(OTHER);
    const target = `${PAGES}/${document}${plain ? "" : OTHER}`;
    const there = folder !== null && (await exists(join(outDir, decodeURIComponent(folder), target)));
    if ((there || pages) && (await linked(await rendered(outDir, page), root + encoded(target)))) changed += 1;
  }
  return changed;
}

/** Source and address of each document that plugins of Docusaurus have made a page of. */
function documents(plugins) {
  return plugins.flatMap(({ name, content }) => {
    if (name === "docusaurus-plugin-content-docs") return content.loadedVersions.flatMap((version) => version.docs);
    if (name === "docusaurus-plugin-content-blog") return content.blogPosts.map(({ metadata }) => metadata);
    return [];
  });
}

/** What of a path or an address lies below another one; null where it lies elsewhere. */
function below(path, folder) {
  return path.startsWith(folder) ? path.slice(folder.length) : null;
}

/** The file of a page, by its path with a slash at its end: Docusaurus has two ways, by `trailingSlash`. */
async function rendered(outDir, page) {
  const path = decodeURIComponent(page).replace(/\/+$/, "");
  for (const file of [join(outDir, path, "index.html"), join(outDir, `${path}.html`)]) {
    if (await exists(file)) return file;
  }
  return null;
}

/** Whether a page has now a link at the end of its head that it did not have. */
async function linked(file, href) {
  const page = file && (await readFile(file, "utf8"));
  const end = page ? page.search(END) : -1;
  if (end < 0 || LINKED.test(page.slice(0, end))) return false;
  await writeFile(file, `${page.slice(0, end)}<link ${TYPE} href="${href}">${page.slice(end)}`);
  return true;
}

/** A path as a URL's: all but unreserved characters by their bytes, as the build writes it. */
function encoded(path) {
  const rest = /[!'()*]/g;
  const percent = (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
  return path.split("/").map((part) => encodeURIComponent(part).replace(rest, percent)).join("/"); // prettier-ignore
}

function exists(file) {
  return access(file).then(
    () => true,
    () => false,
  );
}
