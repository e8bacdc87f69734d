/** The page of a topic: what is below it, its sample as a picture, its chunks, its keywords, its neighbours. */

import { card } from "./cards.js";
import { count, h, later } from "./dom.js";
import { hasOrder, legend, picture, points } from "./picture.js";
import { folded, link, replace } from "./places.js";
import { related } from "./relations.js";

/** Chunks and keywords that are listed at once. */
const LISTED = 20;
const KEYWORDS = 24;
const DOCUMENTS = 60;
const ORDERS = { conceptual: "Overview", technical: "Reference" };

/** @param {import("./explorer.js").Context} context */
export async function topicView({ client, state, signal, forward }) {
  const asked = state.topic ?? "";
  const { topic } = await folded(client, asked, signal);
  const { id } = topic;
  if (id !== asked) return forward({ ...state, topic: id });
  const orders = Object.keys(ORDERS).filter((order) => hasOrder(topic, order));
  const order = orders.includes(state.order) ? state.order : "conceptual";
  const items = await client.sample(id, Infinity, order, { signal });
  const documents = Object.values(topic.documents);
  return {
    title: topic.title,
    topic: id,
    element: h(
      "div",
      { class: "view" },
      h(
        "header",
        { class: "view-head" },
        h("h1", { tabindex: -1, dir: "auto" }, topic.title),
        topic.description && h("p", { class: "lead", dir: "auto" }, topic.description),
        documents.length > 0 &&
          h(
            "p",
            { class: "meta" },
            h("span", {}, count(documents.length, "document")),
            h("span", {}, count(items.length, "chunk")),
            h("span", {}, `${tokens(items)} tokens`),
            h("a", { href: topic.href }, "index.json"),
          ),
      ),
      topic.topics.length > 0 && h("ul", { class: "cards" }, topic.topics.map(card)),
      documents.length > 1 && documentsOf(topic),
      items.length > 0 && sampleOf(topic, points(topic, items, order), { ...state, topic: id }, order, orders),
      topic.related.length > 0 && related(topic.title, topic.related),
    ),
  };
}

/** Every document, by its first chunk's title. */
function documentsOf(topic) {
  const rows = Object.values(topic.documents).map((document) => {
    const [first] = document.items;
    return h(
      "li",
      {},
      h("a", { href: first && link({ chunk: first.href }), dir: "auto" }, first?.title ?? document.source),
      h("span", { class: "number" }, [count(document.count, "chunk"), ...unitsOf(document)].join(" · ")),
    );
  });
  const list = h("ul", { class: "documents" }, rows.slice(0, DOCUMENTS));
  const rest = rows.slice(DOCUMENTS);
  const more = h(
    "button",
    {
      type: "button",
      class: "button",
      onclick: () => {
        list.append(...rest);
        more.remove();
        rest[0].querySelector("a")?.focus();
      },
    },
    `${rest.length} more`,
  );
  return h(
    "section",
    { "aria-labelledby": "documents" },
    h("h2", { id: "documents" }, "Documents"),
    list,
    rest.length > 0 && more,
  );
}

/** How many units of each type a document has, be they of whatever level. */
function unitsOf({ units = [] }) {
  const counts = new Map();
  for (const { type, count: own } of units) counts.set(type, (counts.get(type) ?? 0) + own);
  return [...counts].map(([type, own]) => count(own, type));
}

/** Controls, picture and list: one state, which also stands in the address. */
function sampleOf(topic, all, state, order, orders) {
  const documents = Object.entries(topic.documents).map(([name, { items }]) => [name, items[0]?.title ?? name]);
  const slider = h("input", { id: "width", type: "range", min: 1 });
  const output = h("output", { for: "width" });
  const readout = h("p", { class: "readout", "aria-hidden": "true" });
  const frame = h("div", { class: "frame" });
  const list = h("ol", { class: "chunks" });
  const chips = h("div", { class: "chips", role: "group", "aria-label": "Keywords" });
  const filter = h("input", { id: "keyword", type: "search", placeholder: "Find a keyword", autocomplete: "off" });
  const status = h("p", { class: "visually-hidden", role: "status" });
  let chosen;
  let drawn;

  const select = h(
    "select",
    { id: "document", onchange: ({ target }) => change({ document: target.value, width: "" }) },
    h("option", { value: "" }, `All ${documents.length} documents`),
    documents.map(([name, title]) => h("option", { value: name, selected: name === state.document }, title)),
  );

  function change(part) {
    Object.assign(state, part);
    replace(state);
    update();
  }

  function update() {
    const inDocument = all.filter(({ item }) => !state.document || item.document === state.document);
    const has = ({ item }) => !state.keyword || (item.keywords ?? []).some(({ name }) => name === state.keyword);
    chosen = inDocument.filter(has);
    const most = Math.max(1, chosen.length);
    slider.max = most;
    slider.value = Math.min(Number(state.width) || Math.max(1, Math.round(most / 3)), most);
    keywords(inDocument);
    draw();
    fill();
  }

  function draw() {
    const width = Math.max(280, Math.floor(frame.clientWidth));
    readout.textContent = "Each point is a chunk: the further right, the later in the sample; the higher, the more like its document's overview.";
    drawn = chosen.length
      ? picture(chosen, {
          width,
          sampled: Number(slider.value),
          href: ({ item }) => link({ chunk: item.href }),
          name: (point, place) => described(point, place),
          onfocus: (place) => (readout.textContent = described(chosen[place], place)),
        })
      : undefined;
    frame.replaceChildren(drawn?.element ?? h("p", { class: "note" }, "No chunk here has this keyword."));
  }

  function fill(listed = LISTED) {
    const number = Math.min(Number(slider.value), chosen.length);
    const sample = chosen.slice(0, number);
    const text = `${number} of ${count(chosen.length, "chunk")}`;
    output.textContent = `${text} · ${tokens(sample.map(({ item }) => item))} tokens`;
    slider.setAttribute("aria-valuetext", text);
    drawn?.fill(number);
    const rest = sample.length - listed;
    list.replaceChildren(...sample.slice(0, listed).map((point) => row(point, state.document)));
    if (rest > 0) {
      const more = h("button", { type: "button", class: "button", onclick: () => fill(Infinity) }, `${rest} more`);
      list.append(h("li", { class: "rest" }, more));
    }
  }

  function keywords(inDocument) {
    const wanted = filter.value.trim().toLowerCase();
    const counts = keywordsOf(inDocument.map(({ item }) => item));
    const fitting = counts.filter(([name]) => name.toLowerCase().includes(wanted) && name !== state.keyword);
    const own = counts.filter(([name]) => name === state.keyword);
    const shown = [...(state.keyword ? [own[0] ?? [state.keyword, 0]] : []), ...fitting.slice(0, KEYWORDS)];
    chips.replaceChildren(
      ...shown.map(([name, number]) =>
        h(
          "button",
          {
            type: "button",
            class: "chip",
            "aria-pressed": String(name === state.keyword),
            onclick: () => toggle(name),
          },
          h("span", { dir: "auto" }, name),
          h("span", { class: "chip-count" }, number),
        ),
      ),
    );
    if (!shown.length) chips.append(h("p", { class: "note" }, "No such keyword."));
  }

  function toggle(name) {
    change({ keyword: state.keyword === name ? "" : name, width: "" });
    status.textContent = `${count(chosen.length, "chunk")}`;
    chips.querySelector(state.keyword ? "[aria-pressed=true]" : ".chip")?.focus();
  }

  const address = later(150, () => replace(state));
  slider.addEventListener("input", () => {
    state.width = slider.value;
    fill();
    address();
  });
  filter.addEventListener("input", () =>
    keywords(all.filter(({ item }) => !state.document || item.document === state.document)),
  );
  let width = 0;
  new ResizeObserver(([{ contentRect }]) => {
    if (Math.floor(contentRect.width) === width) return;
    width = Math.floor(contentRect.width);
    draw();
    drawn?.fill(Number(slider.value));
  }).observe(frame);
  update();

  const chunks = (title) => h("section", { "aria-labelledby": "chunks" }, h("h2", { id: "chunks" }, title), list);
  if (all.length === 1) return chunks("Chunk");
  return [
    h(
      "section",
      { class: "sample", "aria-labelledby": "sample" },
      h("h2", { id: "sample" }, "Sample"),
      h(
        "p",
        { class: "note" },
        "A sample is a few chunks that stand for the whole: first each document's overview, then chunk after chunk in an order that goes again and again from what is most like the overview to what is least. However many you take, no part is left out.",
      ),
      h(
        "div",
        { class: "controls" },
        documents.length > 1 && h("label", { class: "field", for: "document" }, "Of", select),
        orders.length > 1 &&
          h(
            "div",
            { class: "field" },
            "By",
            h(
              "div",
              { class: "segments" },
              orders.map((name) =>
                h(
                  "a",
                  { href: link({ ...state, order: name, width: "" }), "aria-current": name === order && "true" },
                  ORDERS[name],
                ),
              ),
            ),
          ),
        h("div", { class: "field width" }, h("label", { for: "width" }, "Width"), slider, output),
      ),
      frame,
      readout,
      legend(all),
    ),
    h(
      "section",
      { class: "filter", "aria-labelledby": "keywords" },
      h("h2", { id: "keywords" }, "Keywords"),
      h("label", { class: "visually-hidden", for: "keyword" }, "Find a keyword"),
      filter,
      chips,
      status,
    ),
    chunks("Chunks of the sample"),
  ];
}

function described({ item, similarity, stripe }, place) {
  const where = stripe < 0 ? "overview of its document" : `stripe ${stripe + 1}, similarity ${similarity.toFixed(2)}`;
  return `${place + 1}. ${item.title}: ${where}`;
}

function row({ item, similarity, stripe }, document) {
  const path = (item.section_path ?? []).slice(0, -1);
  return h(
    "li",
    { class: "chunk-row" },
    h("a", { href: link({ chunk: item.href }), dir: "auto" }, item.title),
    path.length > 0 && h("span", { class: "where", dir: "auto" }, path.join(" › ")),
    h(
      "span",
      { class: "meta" },
      !document && h("span", {}, item.document),
      item.tokens !== undefined && h("span", {}, count(item.tokens, "token")),
      h("span", {}, stripe < 0 ? "overview" : `similarity ${similarity.toFixed(2)}`),
      item.is_code && h("span", {}, "code"),
    ),
  );
}

function tokens(items) {
  return items.reduce((sum, item) => sum + (item.tokens ?? 0), 0).toLocaleString("en");
}

/** Keywords of items: how many have each, the most frequent first. */
function keywordsOf(items) {
  const counts = new Map();
  for (const { keywords = [] } of items) {
    for (const { name } of keywords) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
}
