/** A chunk's neighbourhood in the graph of names: which names it has, and which other chunks have them. */

import { Bundle } from "../bundle.js";
import { Site } from "../site.js";
import { sharing } from "../walk.js";
import { count, h } from "./dom.js";
import { headings, link } from "./places.js";

/** Other chunks that are named for each name. */
const OTHERS = 3;
/** Milliseconds. */
const TIMEOUT = 5000;

/** A table, a row for each name; null where there is none. */
export async function sharedNames(source, { title, href }) {
  const site = new Site(new URL(".", document.baseURI), { fetch, timeout: TIMEOUT });
  const bundle = await Bundle.open(site, {}, "default");
  const remarks = { missing: {}, corrected: {}, notes: [] };
  const passes = (hit) => hit.page === source && hit.href === href;
  const { hits } = await bundle.find(title, { limit: 1, offset: 0, passes, exact: true }, remarks);
  if (!hits.length) return null;
  const rows = (await sharing(bundle, bundle.chunks.get(hits[0]), OTHERS, remarks)).filter(({ hits }) => hits.length);
  if (!rows.length) return null;
  return h(
    "table",
    { class: "shared" },
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Name"), h("th", { scope: "col" }, "Also in"))),
    h(
      "tbody",
      {},
      rows.map(({ name, chunks, hits }) =>
        h(
          "tr",
          {},
          h("th", { scope: "row" }, h("a", { href: link({ q: name }), dir: "auto" }, name)),
          h(
            "td",
            {},
            hits.map((hit) => [h("a", { href: link({ chunk: hit.href }), dir: "auto" }, headline(hit)), h("br")]),
            chunks > hits.length + 1 && h("span", { class: "note" }, `${count(chunks - 1 - hits.length, "chunk")} more`),
          ),
        ),
      ),
    ),
  );
}

function headline(hit) {
  return [headings(hit), hit.title].filter(Boolean).join(" › ");
}
