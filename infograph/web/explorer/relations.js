/** Related topics: as a picture, the nearer the more alike, and as a list with the words that they share. */

import { h, svg } from "./dom.js";
import { link, topicOfIndex } from "./places.js";

/** Keywords that are named for each, and the letters of a title in the picture. */
const [SHARED, LETTERS] = [4, 22];
const [WIDTH, HEIGHT] = [720, 300];

/** @param {string} title of the topic itself */
export function related(title, edges) {
  const shown = edges.filter(({ similarity }) => similarity !== undefined);
  return h(
    "section",
    { "aria-labelledby": "related" },
    h("h2", { id: "related" }, "Related topics"),
    shown.length > 1 && h("div", { class: "frame" }, picture(title, shown)),
    h(
      "ul",
      { class: "related" },
      edges.map(({ href, title, similarity, authority = {} }) =>
        h(
          "li",
          {},
          h("a", { href: link({ topic: topicOfIndex(href) }), dir: "auto" }, title ?? href),
          similarity !== undefined &&
            h("meter", { min: 0, max: 1, value: similarity, "aria-label": `Similarity of ${title ?? href}` }),
          similarity !== undefined && h("span", { class: "number", "aria-hidden": "true" }, similarity.toFixed(2)),
          h("span", { class: "shared-words", dir: "auto" }, Object.keys(authority).slice(0, SHARED).join(", ")),
        ),
      ),
    ),
  );
}

/** The topic in the middle, the others around it. The list below says the same: the picture is out of the Tab order. */
function picture(title, edges) {
  const values = edges.map(({ similarity }) => similarity);
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const at = edges.map(({ similarity }, i) => {
    const angle = (2 * Math.PI * (i + 0.5)) / edges.length - Math.PI / 2;
    const away = 1 - 0.45 * (most > least ? (similarity - least) / (most - least) : 0.5);
    return [round(230 * away * Math.cos(angle)), round(105 * away * Math.sin(angle))];
  });
  const name = (x, y, text) => svg("text", { x, y, "text-anchor": "middle" }, short(text));
  return svg(
    "svg",
    { class: "relations", viewBox: `${-WIDTH / 2} ${-HEIGHT / 2} ${WIDTH} ${HEIGHT}`, "aria-hidden": "true" },
    at.map(([x, y], i) => svg("line", { x1: 0, y1: 0, x2: x, y2: y, "stroke-width": round(1 + 5 * edges[i].similarity) })),
    at.map(([x, y], i) =>
      svg(
        "a",
        { href: link({ topic: topicOfIndex(edges[i].href) }), tabindex: -1 },
        svg("circle", { cx: x, cy: y, r: round(6 + 8 * edges[i].similarity) }),
        name(x, y + (y < 0 ? -20 : 30), edges[i].title ?? edges[i].href),
      ),
    ),
    svg("circle", { class: "own", cx: 0, cy: 0, r: 12 }),
    svg("g", { class: "own" }, name(0, 32, title)),
  );
}

function short(text) {
  return text.length > LETTERS ? `${text.slice(0, LETTERS - 1)}…` : text;
}

function round(value) {
  return Math.round(value * 10) / 10;
}
