/** The page of a chunk: its text, where it stands, what it is about, what comes before and after. */

import { count, h } from "./dom.js";
import { markdown, pre } from "./markdown.js";
import { markWithin } from "./marks.js";
import { withBoxes } from "./boxes.js";
import { findPage, folded, isMarkdown, link, sourceOf, target, topicOfChunk, trail } from "./places.js";

const LARGEST_PLAIN = 300_000;

/** @param {import("./explorer.js").Context} context */
export async function chunkView({ client, state, signal }) {
  const id = topicOfChunk(state.chunk);
  const topic = await client.topic(id, { signal }).catch((error) => {
    if (error.code !== "unknown") throw error;
  });
  // A link that was kept may be of an earlier publication.
  const meant = ({ href }) => numbered(href) === numbered(state.chunk);
  const items = Object.values(topic?.documents ?? {}).find((document) => document.items.some(meant))?.items;
  const item = items?.find(meant);
  const chunk = await client.read(item ?? state.chunk, { signal });
  const source = item ? sourceOf(topic, item) : "";
  const article = h("article", { class: "prose", dir: "auto" }, body(withBoxes(chunk), source));
  const title = item?.title ?? state.chunk;
  const [first] = article.children;
  // The title stands above already.
  if (/^H[2-6]$/.test(first?.tagName) && first.textContent.trim() === title.trim()) first.remove();
  if (article.querySelector("pre[data-language]")) (await import("./code.js")).colour(article);
  if (state.q) await markWithin(article, state.q, client);
  const said = chunk.enriched && (await import("./enriched.js")).enrichedView(chunk.enriched, source);
  const page = h("a", { class: "button", hidden: true }, "Open the page");
  if (item)
    pageOf(client, source, item, signal).then(
      (url) => url && show(page, url),
      () => {},
    );
  const around = h("div", {});
  const chain = (await folded(client, "", signal).catch(() => ({ trail: [] }))).trail.map((above) => above.id);
  if (item && topic.communities) showAround(around, source, item, signal).catch(() => {}); // the chunk is there without it
  return {
    title,
    topic: id,
    element: h(
      "div",
      { class: "view chunk-view" },
      crumbs(topic, { id, chain }, items, item, state),
      h(
        "header",
        { class: "view-head" },
        h("h1", { tabindex: -1, dir: "auto" }, title),
        item && about(item, items),
        h(
          "p",
          { class: "actions" },
          page,
          h("a", { class: "button", href: chunk.href }, "Plain file"),
          h(
            "button",
            { type: "button", class: "button", onclick: (event) => copy(event.target, chunk.readable) },
            "Copy text",
          ),
        ),
      ),
      h(
        "div",
        { class: "chunk-columns" },
        h("div", {}, article, items && neighbours(items, item, state)),
        h("div", { class: "beside" }, item?.keywords?.length > 0 && keywords(id, item), around, said),
      ),
    ),
  };
}

/**
 * The document and the number of a chunk, by the end of a link to it: without the version of its file, which is another
 * one after each change, and whether or not it shares a file with others.
 */
function numbered(href) {
  const [, document, own, shared] = /^(.*?)(?:\.[0-9a-f]{10})?-(\d+)(?:\.md|\.pack\.txt#(\d+))$/.exec(href) ?? [];
  return document === undefined ? href : `${document}-${shared ?? own}`;
}

/** Fills in what the graph has around a chunk. */
async function showAround(element, source, item, signal) {
  const { neighbourhood } = await import("./shared.js");
  const sections = await neighbourhood(source, item);
  if (!signal.aborted) element.append(...sections);
}

/** Leads on to the chunk that a link between sources means. */
export async function pageView({ client, state, signal, forward }) {
  const found = await findPage(client, state.page, state.at ?? "", signal);
  if (found) return forward(found);
  const error = new Error(`This graph has no page “${state.page}”.`);
  error.code = "unknown";
  throw error;
}

function body(text, source) {
  if (source && !isMarkdown(source)) return pre(text.slice(0, LARGEST_PLAIN));
  return markdown(text, (href) => target(href, source));
}

function show(element, url) {
  element.href = url;
  element.hidden = false;
}

/** The rendered page at the chunk's heading, which only the search bundle knows. */
async function pageOf(client, page, { title, href }, signal) {
  const { hits } = await client.search(title, { path: page, filters: { href }, limit: 1, signal });
  return hits[0]?.page_url && hits[0].url;
}

/** @param {{id: string, chain: string[]}} place the topic, and those that stand as one with the root */
function crumbs(topic, { id, chain }, items, item, state) {
  const ids = trail(id).filter((above) => above === "" || above === id || !chain.includes(above));
  const names = ids.map((above, i) =>
    i === ids.length - 1 && topic ? topic.title : above.split("/").at(-1) || "Start",
  );
  const links = ids.map((above, i) => h("a", { href: above ? link({ topic: above }) : "#", dir: "auto" }, names[i]));
  if (item) links.push(h("a", { href: link({ topic: id, document: item.document }), dir: "auto" }, items[0].title));
  return h(
    "nav",
    { class: "crumbs", "aria-label": "Where this is" },
    state.q && h("a", { class: "back", href: link({ q: state.q }) }, "← Results"),
    h(
      "ol",
      {},
      links.map((one) => h("li", {}, one)),
    ),
  );
}

function about(item, items) {
  const path = (item.section_path ?? []).slice(0, -1);
  const number = (value) => value.toFixed(2);
  return h(
    "div",
    {},
    path.length > 0 && h("p", { class: "where", dir: "auto" }, path.join(" › ")),
    h(
      "p",
      { class: "meta" },
      h("span", {}, `Chunk ${item.index + 1} of ${items.length}`),
      item.tokens !== undefined && h("span", {}, count(item.tokens, "token")),
      item.similarity_conceptual !== undefined &&
        h("span", {}, `similarity to the overview ${number(item.similarity_conceptual)}`),
      item.similarity_technical !== undefined && h("span", {}, `to the reference ${number(item.similarity_technical)}`),
      item.is_code && h("span", {}, "code"),
    ),
  );
}

function keywords(topic, item) {
  return h(
    "section",
    { "aria-labelledby": "keywords" },
    h("h2", { id: "keywords" }, "Keywords"),
    h(
      "ul",
      { class: "chips" },
      item.keywords.map(({ name }) =>
        h("li", {}, h("a", { class: "chip", href: link({ topic, keyword: name }), dir: "auto" }, name)),
      ),
    ),
  );
}

function neighbours(items, item, { q }) {
  const at = items.indexOf(item);
  const to = (other, rel, text) =>
    other &&
    h(
      "a",
      { class: `neighbour ${rel}`, rel, href: link({ chunk: other.href, q }) },
      h("span", {}, text),
      h("strong", { dir: "auto" }, other.title),
    );
  return h(
    "nav",
    { class: "neighbours", "aria-label": "Before and after" },
    to(items[at - 1], "prev", "Before"),
    to(items[at + 1], "next", "After"),
  );
}

async function copy(button, text) {
  const told = await navigator.clipboard.writeText(text).then(
    () => "Copied",
    () => "Not allowed here",
  );
  const before = button.textContent;
  button.textContent = told;
  setTimeout(() => (button.textContent = before), 1500);
}
