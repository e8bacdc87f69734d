/** A chunk's neighbourhood in the graph: the pages that links lead to and from, and other chunks with the same names. */

import { Bundle } from "../bundle.js";
import { KINDS, listsOf } from "../links.js";
import { PAGE } from "../ranking.js";
import { Site } from "../site.js";
import { sharing } from "../walk.js";
import { count, h } from "./dom.js";
import { headings, link } from "./places.js";

/** Other chunks that are named for each name. */
const OTHERS = 3;
/** Links that are listed. */
const MOST_LINKS = 12;
/** Milliseconds. */
const TIMEOUT = 5000;
/** What a chunk does to another page, and what another page does to its page, by the evidence of the link. */
const WAYS = {
  link: ["links to", "is linked from"],
  relation: ["lists in its front matter", "is listed in the front matter of"],
  title: ["names", "is named in"],
  identifier: ["uses what is defined in", "defines what is used in"],
};

/** Sections to show: each with its heading. */
export async function neighbourhood(source, { title, href }) {
  const site = new Site(new URL(".", document.baseURI), { fetch, timeout: TIMEOUT });
  const bundle = await Bundle.open(site, {}, "default");
  const remarks = { missing: {}, corrected: {}, notes: [] };
  const passes = (hit) => hit.page === source && hit.href === href;
  const { hits } = await bundle.find(title, { limit: 1, offset: 0, passes, exact: true }, remarks);
  if (!hits.length) return [];
  const chunk = bundle.chunks.get(hits[0]);
  const [links, names] = await Promise.all([linked(bundle, chunk, remarks), shared(bundle, chunk, remarks)]);
  return [...section("linked", "How it is linked", links), ...section("shared", "Names that other sections have, too", names)];
}

function section(id, heading, table) {
  return table ? [h("section", { "aria-labelledby": id }, h("h2", { id }, heading), table)] : [];
}

function table(heads, rows) {
  const head = heads.map((text) => h("th", { scope: "col" }, text));
  return h("table", { class: "shared" }, h("thead", {}, h("tr", {}, head)), h("tbody", {}, rows));
}

/** A table, a row for each page at the other end of a link, with the evidence; null where there is none. */
async function linked(bundle, chunk, remarks) {
  if (!bundle.manifest.links) return null;
  const [[to, from]] = await listsOf(bundle, [[chunk, 0]], remarks);
  const ends = to
    .filter(([own]) => own === chunk % PAGE)
    .map(([, page, head, kind]) => [page * PAGE + head, WAYS[KINDS[kind]][0]])
    .concat(from.map(([page, other, kind]) => [page * PAGE + other, WAYS[KINDS[kind]][1]]))
    .slice(0, MOST_LINKS);
  const hits = await bundle.hits(ends.map(([place]) => [place, 0]), remarks); // prettier-ignore
  const rows = ends
    .map(([, way], i) => [way, hits[i]])
    .filter(([, hit]) => hit)
    .map(([way, hit]) => h("tr", {}, h("th", { scope: "row" }, way), h("td", {}, chunkLink(hit))));
  return rows.length ? table(["It", "Section"], rows) : null;
}

/** A table, a row for each name; null where there is none. */
async function shared(bundle, chunk, remarks) {
  const rows = (await sharing(bundle, chunk, OTHERS, remarks)).filter(({ hits }) => hits.length);
  if (!rows.length) return null;
  return table(
    ["Name", "Also in"],
    rows.map(({ name, chunks, hits, description, models }) =>
      h(
        "tr",
        {},
        h(
          "th",
          { scope: "row" },
          h("a", { href: link({ q: name }), dir: "auto" }, name),
          description && models && h("span", { class: "note", dir: "auto" }, ` ${description} (says ${models}, a language model)`),
        ),
        h(
          "td",
          {},
          hits.map((hit) => [chunkLink(hit), h("br")]),
          chunks > hits.length + 1 && h("span", { class: "note" }, `${count(chunks - 1 - hits.length, "chunk")} more`),
        ),
      ),
    ),
  );
}

function chunkLink(hit) {
  return h("a", { href: link({ chunk: hit.href }), dir: "auto" }, [headings(hit), hit.title].filter(Boolean).join(" › "));
}
