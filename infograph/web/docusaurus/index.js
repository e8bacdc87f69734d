/**
 * A theme for Docusaurus: the search box in the place of the theme's SearchBar, and its script in every page.
 *
 *     themes: ["@docusaurus/theme-classic", ["infograph/docusaurus", { root: "graph/", sections: "auto" }]],
 *
 * `root` is the folder of the tree below the site's `baseUrl`, or an address; other options are attributes of the box.
 */

import { fileURLToPath } from "node:url";

const NAME = "infograph-docusaurus";

/** @param {{siteConfig: {baseUrl: string}}} context @param {Record<string, unknown>} options */
export default function infograph({ siteConfig }, { id, root = "graph/", ...attributes } = {}) {
  const src = new URL("infograph-search.js", new URL(root, new URL(siteConfig.baseUrl, "https://here.invalid/")));
  const address = src.href.replace("https://here.invalid", "");
  return {
    name: NAME,
    getThemePath: () => fileURLToPath(new URL("theme", import.meta.url)),
    injectHtmlTags: () => ({ headTags: [{ tagName: "script", attributes: { type: "module", src: address } }] }),
    contentLoaded: ({ actions }) => actions.setGlobalData({ attributes: { "same-host": "", ...attributes } }),
  };
}
