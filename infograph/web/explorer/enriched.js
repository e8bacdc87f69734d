/** What a language model said of a chunk and of the images that it shows, under its name: it is no part of the page. */

import { count, h } from "./dom.js";
import { link, target } from "./places.js";

/** Names, searches and claims that are shown before one asks for the others. */
const SHOWN = 12;

/**
 * @param {object} said as `client.read` has it of a chunk, in `enriched`
 * @param {string} source path of the document, from which links of images lead
 */
export function enrichedView(said, source) {
  const parts = [
    paragraphs("Summary", [text(said.summary)]),
    paragraphs("Where it stands", [text(said.context)]),
    ...list(said.sections).map(({ chunks, summary }) =>
      paragraphs(`Of the section that begins here, ${count(Number(chunks), "chunk")}`, [text(summary)]),
    ),
    images(list(said.images), source),
    bullets("Questions that it answers", texts(said.questions), (question) =>
      h("a", { href: link({ q: question }), dir: "auto" }, question),
    ),
    bullets("Searches that mean it", texts(said.queries), (query) =>
      h("a", { href: link({ q: query }), dir: "auto" }, query),
    ),
    bullets("Names", list(said.entities), ({ name, type }) => h("span", { dir: "auto" }, `${text(name)} (${text(type)})`)),
    bullets("What it states", list(said.propositions), ({ claim }) => h("span", { dir: "auto" }, text(claim))),
  ].filter(Boolean);
  if (!parts.length) return null;
  return h(
    "section",
    { class: "enriched", "aria-labelledby": "enriched" },
    h("h2", { id: "enriched" }, "What a model says of it"),
    h("p", { class: "note" }, "Written by a language model, not by the page's authors: ", h("strong", { dir: "auto" }, text(said.by))),
    parts,
  );
}

/** Descriptions, each behind a link to its image, which is never fetched. */
function images(shown, source) {
  return paragraphs(
    "What its images show",
    shown.map(({ image, description }) => {
      const name = text(image).split("/").at(-1).slice(0, 80) || "image";
      const href = text(image) && target(image, source);
      return [h("a", { class: "image", href, dir: "auto" }, name), ": ", text(description)];
    }),
  );
}

function paragraphs(title, all) {
  const rows = all.filter((row) => row.length > 0);
  return rows.length > 0 && [h("h3", {}, title), rows.map((row) => h("p", { dir: "auto" }, row))];
}

function bullets(title, all, row) {
  if (!all.length) return null;
  const rows = all.map((one) => h("li", {}, row(one)));
  const rest = rows.slice(SHOWN);
  return [
    h("h3", {}, title),
    h("ul", {}, rows.slice(0, SHOWN)),
    rest.length > 0 && h("details", {}, h("summary", {}, `${rest.length} more`), h("ul", {}, rest)),
  ];
}

/** A published file may be anybody's: what is not of the kind that it should be is left out. */
const text = (value) => (typeof value === "string" ? value : "");
const texts = (value) => (Array.isArray(value) ? value.filter(text) : []);
const list = (value) => (Array.isArray(value) ? value.filter((one) => one && typeof one === "object") : []);
