/** The first page: what this is, questions to begin with, figures, the map, the topics. */

import { json } from "../site.js";
import { h } from "./dom.js";
import { here } from "./files.js";
import { folded, link } from "./places.js";
import { card } from "./cards.js";

const FILE = "infograph/explorer/start.json";
const LARGEST = 1 << 16;

/** @param {import("./explorer.js").Context} context */
export async function startView({ client, signal, go, siteName }) {
  const site = here();
  const [{ topic }, figures] = await Promise.all([
    folded(client, "", signal),
    site.get(site.resolve(FILE), LARGEST, json, "no-cache").catch(() => ({})), // of an older build
  ]);
  const groups = groupsOf(topic);
  const frame = h("div", { class: "map-frame" }, h("p", { class: "note" }, "Reading the map …"));
  let map;
  const mapping = showMap(frame, groups, go, signal).then((shown) => (map = shown));
  return {
    title: siteName,
    topic: "",
    typed: (query) => mapping.then(() => map?.light(query)),
    element: h(
      "div",
      { class: "view start" },
      h(
        "div",
        { class: "hero" },
        h(
          "header",
          { class: "hero-text" },
          h("h1", { tabindex: -1, dir: "auto" }, siteName),
          topic.description && h("p", { class: "lead", dir: "auto" }, topic.description),
          h("div", { class: "search-slot" }),
          examples(figures.questions),
          facts(figures),
        ),
        h("section", { class: "hero-map", "aria-labelledby": "map-title" }, h("h2", { id: "map-title", class: "visually-hidden" }, "Map of the chunks"), frame),
      ),
      topic.topics.length > 0 &&
        h(
          "section",
          { "aria-labelledby": "all-topics" },
          h("h2", { id: "all-topics" }, "Topics"),
          h("ul", { class: "cards" }, topic.topics.map(card)),
        ),
      h(
        "p",
        { class: "note" },
        h("a", { href: link({ topic: topic.id }), dir: "auto" }, `All of ${topic.title}`),
        " as a sample, with its documents and keywords.",
      ),
    ),
  };
}

function examples(questions) {
  const known = Array.isArray(questions) ? questions.filter((text) => typeof text === "string") : [];
  return (
    known.length > 0 &&
    h(
      "div",
      { class: "examples" },
      h("h2", {}, "Try"),
      h(
        "ul",
        { class: "chips" },
        known.map((text) => h("li", {}, h("a", { class: "chip", href: link({ q: text }), dir: "auto" }, text))),
      ),
    )
  );
}

/** Figures, and what they mean: no server answers. */
function facts({ pages, chunks, bytes }) {
  const isKnown = [pages, chunks].every(Number.isInteger);
  const fact = (value, name) => h("div", {}, h("dt", {}, name), h("dd", {}, value));
  return [
    isKnown &&
      h(
        "dl",
        { class: "facts" },
        fact(pages.toLocaleString("en"), pages === 1 ? "page" : "pages"),
        fact(chunks.toLocaleString("en"), chunks === 1 ? "chunk" : "chunks"),
        bytes > 0 && fact(`${Math.max(1, Math.round(bytes / 1000))} KB`, "read for a question"),
      ),
    h(
      "p",
      { class: "note what" },
      "This is a search without a server: all pages, cut into chunks, as plain files. Your browser reads the few that answer a question. ",
      h("a", { href: link({ ask: "" }) }, "Ask"),
      " shows what a language model would be given.",
    ),
  ];
}

/** Topics with a colour on the map: the largest first; the pages beside them last. */
function groupsOf(topic) {
  const below = [...topic.topics].sort((a, b) => b.chunks - a.chunks);
  const own = Object.keys(topic.documents).length ? [{ id: topic.id, title: `Pages of ${topic.title}` }] : [];
  return [...below.slice(0, 8 - own.length), ...own];
}

/** The map comes last: one can read and type before it is drawn. */
async function showMap(frame, groups, go, signal) {
  try {
    await new Promise((resolve) => (globalThis.requestIdleCallback ?? setTimeout)(resolve));
    const { chunkMap } = await import("./map.js");
    const map = await chunkMap(groups, go, signal);
    frame.replaceChildren(...(map ? [map.element] : []));
    return map;
  } catch (error) {
    frame.replaceChildren(h("p", { class: "note" }, `The map cannot be read: ${error.message}`));
    return undefined;
  }
}
