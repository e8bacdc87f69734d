/**
 * Communities of names: all of them, or one with its names, sentences and chunks. Each picture stands beside a list that
 * says the same: those who read by ear, or by keyboard, have the list.
 */

import { fragmentOf } from "../graph.js";
import { Site, json } from "../site.js";
import { count, h, svg } from "./dom.js";
import { link, topicOfChunk } from "./places.js";

const ALL = "_graph/c-all.json";
const LARGEST = 1 << 22;
/** Milliseconds. */
const TIMEOUT = 5000;
/** Cards of the list at once. */
const LISTED = 60;
/** Circles of the picture, how much wider than high it is, and pixels that the radius of the largest has more than 16. */
const DESK = { drawn: 60, shape: 1.8, most: 62 };
const PHONE = { drawn: 14, shape: 0.8, most: 46 };
/** Letters in a line of a circle, for each pixel of its radius; pixels of a line. */
const LETTERS = 0.27;
const LINE = 14;

/** @param {import("./explorer.js").Context} context */
export async function namesView({ client, state }) {
  const site = new Site(new URL(".", document.baseURI), { fetch, timeout: TIMEOUT });
  const id = /^[0-9a-f]{16}$/.test(state.names) ? state.names : "";
  let file = id ? await fileOf(client, id) : ALL;
  let found = await site.get(site.resolve(file), LARGEST, json, "no-cache");
  const latest = text(found?._links?.["latest-version"]?.href);
  if (/^c-all\.[0-9a-f]{10}\.json$/.test(latest)) {
    file = `_graph/${latest}`; // with --out the plain name only leads there
    found = await site.get(site.resolve(file), LARGEST, json);
  }
  const within = list(found?._links?.["infograph:community"]).filter(({ href }) => idOf(href));
  const title = id ? text(found.title) : "Names that belong together";
  const up = id && idOf(text(found._links?.up?.href));
  const more = h("button", { type: "button", class: "button more", hidden: within.length <= LISTED }, "More");
  const cards = h("ul", { class: "cards" }, within.slice(0, LISTED).map(card));
  more.addEventListener("click", () => {
    const rest = within.slice(cards.children.length).slice(0, LISTED).map(card);
    cards.append(...rest);
    more.hidden = cards.children.length >= within.length;
    rest[0]?.querySelector("a").focus();
  });
  return {
    title,
    element: h(
      "div",
      { class: "view" },
      id &&
        h(
          "nav",
          { class: "crumbs", "aria-label": "Where this is" },
          h("ol", {}, crumb("all", "All names"), up && crumb(up, "Around it")),
        ),
      h(
        "header",
        { class: "view-head" },
        h("h1", { tabindex: -1, dir: "auto" }, title),
        h(
          "p",
          { class: "meta" },
          id && h("span", {}, count(Number(found.size) || 0, "name")),
          within.length > 0 && h("span", {}, count(within.length, "group")),
          h("a", { href: file }, file.split("/").at(-1)),
        ),
      ),
      id && summary(found),
      id && names(found),
      id && stated(found),
      id && sentences(site, found),
      within.length > 1 && h("div", { class: "bubbles" }, bubbles(within, matchMedia("(max-width: 600px)").matches ? PHONE : DESK)),
      within.length > 0 && h("section", { "aria-label": "Groups" }, cards, more),
      !within.length && !id && h("p", { class: "note" }, "No names of these pages occur together often enough."),
      id && (await chunks(site, found, client)),
    ),
  };
}

/** The file of a community, whose name has a version with `--out`; the list of all may be newer than what is held. */
async function fileOf(client, id) {
  const file = async () => (await client.communities("", { limit: Infinity })).hits.find((own) => own.id === id)?.href;
  const known = await file();
  if (known) return known;
  client.refresh();
  return (await file()) ?? `_graph/c-${id}.json`;
}

const text = (value) => (typeof value === "string" ? value : "");
const list = (value) => (Array.isArray(value) ? value.filter((own) => typeof own === "object" && own !== null) : []);
const texts = (value) => (Array.isArray(value) ? value.map(text).filter(Boolean) : []);
const idOf = (href) => /^c-([0-9a-f]{16})(?:\.[0-9a-f]{10})?\.json$/.exec(text(href))?.[1] ?? "";
const crumb = (id, name) => h("li", {}, h("a", { href: link({ names: id }) }, name));

function card({ href, title, size }) {
  return h(
    "li",
    {},
    h(
      "a",
      { class: "card", href: link({ names: idOf(href) }) },
      h("strong", { dir: "auto" }, text(title)),
      h("span", { class: "card-count" }, count(Number(size) || 0, "name")),
    ),
  );
}

/** What a model says that pages state of two of the names, told from what pages say by the model's name. */
function stated(found) {
  const every = texts(found.entities);
  const sound = (row) => Array.isArray(row) && row.length === 3 && every[row[0]] && every[row[1]] && text(row[2]);
  const rows = Array.isArray(found.stated) ? found.stated.filter(sound) : [];
  if (!rows.length || !text(found.stated_by)) return null;
  return h(
    "section",
    { class: "enriched", "aria-labelledby": "stated" },
    h("h2", { id: "stated" }, "What a model says that they have to do with each other"),
    h(
      "ul",
      {},
      rows.map(([source, target, relation]) => h("li", { dir: "auto" }, `${every[source]} ${relation} ${every[target]}`)),
    ),
    h("p", { class: "note", dir: "auto" }, `Written by a language model, not by the pages’ authors: ${text(found.stated_by)}`),
  );
}

function names(found) {
  const every = texts(found.entities);
  const ties = Array.isArray(found.relations) ? found.relations.filter((tie) => sound(tie, every.length)) : [];
  return h(
    "section",
    { "aria-labelledby": "names-of" },
    h("h2", { id: "names-of" }, "Names"),
    every.length > 2 && ties.length > 0 && h("div", { class: "bubbles" }, wheel(every, ties)),
    h(
      "ul",
      { class: "chips" },
      every.map((name) => h("li", {}, h("a", { class: "chip", href: link({ q: name }), dir: "auto" }, name))),
    ),
    ties.length > 0 &&
      h(
        "details",
        {},
        h("summary", {}, `Which of them occur together (${ties.length})`),
        h(
          "ul",
          {},
          ties.map(([a, b, weight]) => h("li", { dir: "auto" }, `${every[a]} – ${every[b]} (${(weight / 16).toFixed(1)})`)),
        ),
      ),
  );
}

const sound = (tie, size) =>
  Array.isArray(tie) && tie.length === 3 && tie.every((n) => Number.isInteger(n) && n >= 0) && tie[0] < size && tie[1] < size;

/** What a model wrote is told from what pages say, by its name. */
function summary(found) {
  if (!text(found.summary) || !text(found.enriched_by)) return null;
  return h(
    "section",
    { class: "enriched", "aria-labelledby": "summary" },
    h("h2", { id: "summary" }, "What a model says of them"),
    h("p", { dir: "auto" }, text(found.summary)),
    texts(found.key_entities).length > 0 && h("p", { class: "note", dir: "auto" }, texts(found.key_entities).join(", ")),
    h("p", { class: "note", dir: "auto" }, `Written by a language model, not by the pages’ authors: ${text(found.enriched_by)}`),
  );
}

function sentences(site, found) {
  const rows = list(found.sentences).filter(({ text: said, href }) => text(said) && chunkOf(site, href));
  if (!rows.length) return null;
  return h(
    "section",
    { "aria-labelledby": "said" },
    h("h2", { id: "said" }, "What the pages say"),
    rows.map(({ text: said, href }) =>
      h("p", { dir: "auto" }, said, " ", h("a", { href: link({ chunk: chunkOf(site, href) }) }, "Where it stands")),
    ),
  );
}

/** The path of a chunk from the root; empty for a link that leads elsewhere. */
function chunkOf(site, href) {
  try {
    return site.resolve(text(href), `${site.base}_graph/`).slice(site.base.length) + fragmentOf(text(href));
  } catch {
    return "";
  }
}

async function chunks(site, found, client) {
  const hrefs = list(found._links?.item).map(({ href }) => chunkOf(site, href)).filter(Boolean);
  if (!hrefs.length) return null;
  const rows = await Promise.all(hrefs.map(async (href) => [href, await titleOf(client, href)]));
  return h(
    "section",
    { "aria-labelledby": "chunks-of" },
    h("h2", { id: "chunks-of" }, "Sections with most of these names"),
    h(
      "ul",
      { class: "related" },
      rows.map(([href, title]) => h("li", {}, h("a", { href: link({ chunk: href }), dir: "auto" }, title))),
    ),
  );
}

/** The chunk's folder and title, of its own file: the index of a large topic is a hundred times as long. */
async function titleOf(client, href) {
  try {
    const [, title] = /^title: (.*)$/m.exec((await client.read(href)).front_matter);
    const folder = topicOfChunk(href).split("/").at(-1);
    return [folder, title.startsWith('"') ? JSON.parse(title) : title].filter(Boolean).join(" › ");
  } catch {
    return href; // it leads there all the same
  }
}

/** A circle for each community, the largest in the middle. Its list stands below: the picture is out of the Tab order. */
function bubbles(every, { drawn, shape, most: span }) {
  const rows = every.slice(0, drawn);
  const most = Math.max(...rows.map(({ size }) => Number(size) || 1));
  const circles = [];
  for (const { href, title, size } of rows) {
    const radius = 16 + span * Math.sqrt((Number(size) || 1) / most) * Math.min(1, 5 / Math.sqrt(rows.length));
    const [x, y] = freePlace(circles, radius, shape);
    circles.push({ x, y, radius, href, title: text(title) });
  }
  const left = Math.min(...circles.map(({ x, radius }) => x - radius)) - 2;
  const top = Math.min(...circles.map(({ y, radius }) => y - radius)) - 2;
  const width = Math.max(...circles.map(({ x, radius }) => x + radius)) + 2 - left;
  const height = Math.max(...circles.map(({ y, radius }) => y + radius)) + 2 - top;
  return svg(
    "svg",
    { class: "names-picture", viewBox: [left, top, width, height].map(Math.round).join(" "), "aria-hidden": "true" },
    circles.map(({ x, y, radius, href, title }) =>
      svg(
        "a",
        { href: link({ names: idOf(href) }), tabindex: -1 },
        svg("circle", { cx: x.toFixed(1), cy: y.toFixed(1), r: radius.toFixed(1) }, svg("title", {}, title)),
        lines(title, radius).map((line, i, { length }) =>
          svg(
            "text",
            { x: x.toFixed(1), y: (y + 4 + LINE * (i - (length - 1) / 2)).toFixed(1), "text-anchor": "middle" },
            line,
          ),
        ),
      ),
    ),
  );
}

/** The first place on a spiral that no circle covers. */
function freePlace(circles, radius, shape) {
  for (let turn = 0; turn < 400; turn += 0.05) {
    const [x, y] = [6 * turn * Math.cos(turn) * shape, 6 * turn * Math.sin(turn)];
    if (circles.every((own) => Math.hypot(own.x - x, own.y - y) >= own.radius + radius + 3)) return [x, y];
  }
  return [0, 0];
}

/** The first name of a title in the lines that a circle has room for. */
function lines(title, radius) {
  const letters = radius * LETTERS;
  const found = [];
  for (const word of title.split(" · ")[0].split(/(?<=-)|\s+/)) {
    const joined = [found.at(-1), word].filter(Boolean).join(/-$/.test(found.at(-1) ?? "") ? "" : " ");
    if (found.length && joined.length <= letters) found[found.length - 1] = joined;
    else found.push(word);
  }
  const most = Math.max(1, Math.floor(radius / LINE) - 1);
  const shown = found.slice(0, most).map((line) => short(line, letters));
  return found.length > most ? [...shown.slice(0, -1), short(`${found[most - 1]}…`, letters)] : shown;
}

function short(name, letters) {
  return name.length <= letters ? name : letters < 4 ? "" : `${name.slice(0, Math.floor(letters) - 1)}…`;
}

/** Names around a circle, with lines between those that occur together. */
function wheel(every, ties) {
  const place = every.map((_, i) => (2 * Math.PI * i) / every.length - Math.PI / 2);
  const at = (i, radius) => [230 * (radius / 120) * Math.cos(place[i]), radius * Math.sin(place[i])];
  const most = Math.max(...ties.map(([, , weight]) => weight));
  return svg(
    "svg",
    { class: "names-picture wheel", viewBox: "-380 -160 760 320", "aria-hidden": "true" },
    ties.map(([a, b, weight]) => {
      const [[x1, y1], [x2, y2]] = [at(a, 120), at(b, 120)].map((own) => own.map((n) => n.toFixed(1)));
      return svg("line", { x1, y1, x2, y2, "stroke-width": (1 + (3 * weight) / most).toFixed(1) });
    }),
    every.map((name, i) => {
      const [x, y] = at(i, 120);
      const anchor = Math.abs(x) < 20 ? "middle" : x > 0 ? "start" : "end";
      const [tx, ty] = [x + Math.sign(Math.round(x)) * 8, y + (Math.abs(x) < 20 ? Math.sign(y) * 16 : 0) + 4];
      return [
        svg("circle", { cx: x.toFixed(1), cy: y.toFixed(1), r: 5 }),
        svg("text", { x: tx.toFixed(1), y: ty.toFixed(1), "text-anchor": anchor }, short(name, 26)),
      ];
    }),
  );
}
