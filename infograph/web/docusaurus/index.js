/**
 * A theme for Docusaurus: the search box in the place of the theme's SearchBar, and its script in every page; and where
 * the graph has the pages as Markdown, a link to it in each.
 *
 *     themes: ["@docusaurus/theme-classic", ["infograph/docusaurus", { root: "graph/", sections: "auto" }]],
 *
 * `root` is the folder of the tree below the site's `baseUrl`, or an address; `docs` the folder of documents that it is
 * built of, `pages` says that it will have them as Markdown, where it is built after the site; other options are
 * attributes of the box.
 */

import { fileURLToPath } from "node:url";
import { linkToMarkdown } from "./markdown-links.js";

const NAME = "infograph-docusaurus";
const HERE = "https://here.invalid";

/** @param {{siteConfig: {baseUrl: string}}} context @param {Record<string, unknown>} options */
export default function infograph({ siteConfig }, options = {}) {
  const { id, root = "graph/", docs = "docs", pages = false, ...attributes } = options;
  if (typeof docs !== "string") throw new Error(`${NAME}: docs: has to be a folder below the site's, such as "docs"`);
  if (typeof pages !== "boolean") throw new Error(`${NAME}: pages: has to be true or false`);
  const place = new URL(root, new URL(siteConfig.baseUrl, HERE));
  const at = (name) => new URL(name, place).href.replace(HERE, "");
  const [src, folder] = [at("infograph-search.js"), at(".")];
  return {
    name: NAME,
    getThemePath: () => fileURLToPath(new URL("theme", import.meta.url)),
    injectHtmlTags: () => ({ headTags: [{ tagName: "script", attributes: { type: "module", src } }] }),
    contentLoaded: ({ actions }) => actions.setGlobalData({ attributes: { "same-host": "", ...attributes } }),
    postBuild: async (site) => void (await linkToMarkdown(site, { docs, root: folder, pages })),
  };
}
