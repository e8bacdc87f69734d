/** The picture of an order: each chunk a point, its place in the sample across, its similarity upwards. */

import { h, svg } from "./dom.js";

const HEIGHT = 260;
const MARGIN = { top: 14, right: 14, bottom: 34, left: 40 };
/** Colours that the style sheet has; a stripe beyond takes the first again. */
const COLOURS = 6;

const FIELDS = {
  conceptual: { order: "stripe_order", factor: "stripe_factor", similarity: "similarity_conceptual" },
  technical: { order: "stripe_order_technical", factor: "stripe_factor_technical", similarity: "similarity_technical" },
};

/**
 * @typedef {object} Point
 * @property {import("../infograph.js").Item} item
 * @property {number} similarity to its document's baseline; 1 for that itself
 * @property {number} stripe from 0; -1 for a baseline, which is in none
 */

/** Whether any document of a topic has an order. */
export function hasOrder(topic, order) {
  return Object.values(topic.documents).some((document) => document[FIELDS[order].order]);
}

/**
 * @param {import("../infograph.js").Topic} topic
 * @param {import("../infograph.js").Item[]} sample every item of the topic in the order of the sample
 * @param {"conceptual" | "technical"} order
 * @returns {Point[]}
 */
export function points(topic, sample, order) {
  const fields = FIELDS[order];
  const stripes = new Map(
    Object.entries(topic.documents).map(([name, document]) => [
      name,
      stripesOf(document[fields.order] ?? [], document[fields.factor] ?? 1),
    ]),
  );
  return sample.map((item) => ({
    item,
    similarity: item[fields.similarity] ?? 1,
    stripe: stripes.get(item.document).get(item.index) ?? -1,
  }));
}

/** The stripe of each index: of n chunks stripe k has every factor-th from the k-th on, one stripe after the other. */
function stripesOf(order, factor) {
  const numbers = new Map();
  let at = 0;
  for (let stripe = 0; stripe < factor; stripe++) {
    const size = Math.ceil((order.length - stripe) / factor);
    for (const index of order.slice(at, at + size)) numbers.set(index, stripe);
    at += size;
  }
  return numbers;
}

/**
 * @param {Point[]} points
 * @param {{width: number, sampled: number, href: (point: object) => string, name: (point: object, place: number) => string,
 *   onfocus: (place: number) => void}} options `width` in pixels; the first `sampled` points are filled
 * @returns {{element: SVGElement, fill: (sampled: number) => void}}
 */
export function picture(points, { width, sampled, href, name, onfocus }) {
  const lowest = Math.min(0.9, ...points.map(({ similarity }) => similarity));
  const bottom = Math.max(-1, Math.floor(lowest * 10) / 10);
  const right = width - MARGIN.right;
  const base = HEIGHT - MARGIN.bottom;
  const step = (right - MARGIN.left) / points.length;
  const x = (place) => round(MARGIN.left + step * (place + 0.5));
  const y = (similarity) => round(MARGIN.top + ((1 - similarity) / (1 - bottom)) * (base - MARGIN.top));
  const band = svg("rect", { class: "band", x: MARGIN.left, y: MARGIN.top, height: base - MARGIN.top });
  const line = points.map(({ similarity }, place) => `${x(place)},${y(similarity)}`).join(" ");
  const radius = Math.max(2.5, Math.min(6, step * 0.42));
  const marks = points.map((point, place) =>
    svg(
      "a",
      {
        href: href(point),
        class: `point ${point.stripe < 0 ? "baseline" : `stripe-${point.stripe % COLOURS}`}`,
        tabindex: place ? -1 : 0,
        "aria-label": name(point, place),
        onfocus: () => onfocus(place),
        onpointerenter: () => onfocus(place),
      },
      svg("circle", { class: "reach", cx: x(place), cy: y(point.similarity), r: Math.max(12, radius) }),
      svg("circle", { class: "dot", cx: x(place), cy: y(point.similarity), r: radius }),
    ),
  );
  const element = svg(
    "svg",
    { class: "picture", width, height: HEIGHT, viewBox: `0 0 ${width} ${HEIGHT}`, role: "group" },
    band,
    ticks(bottom).map((value) => [
      svg("line", { class: "grid", x1: MARGIN.left, x2: right, y1: y(value), y2: y(value) }),
      svg("text", { class: "tick", x: MARGIN.left - 8, y: y(value) + 4, "text-anchor": "end" }, value.toFixed(1)),
    ]),
    svg("text", { class: "axis", x: MARGIN.left, y: HEIGHT - 8 }, "first in the sample"),
    svg("text", { class: "axis", x: MARGIN.left + 4, y: MARGIN.top - 2 }, "like the overview"),
    svg("text", { class: "axis", x: right, y: HEIGHT - 8, "text-anchor": "end" }, "last"),
    svg("polyline", { class: "path", points: line }),
    marks,
  );
  element.setAttribute("aria-label", "Chunks by their place in the sample and their similarity to the overview");
  element.addEventListener("keydown", (event) => move(event, marks));
  const fill = (number) => {
    band.setAttribute("width", round(step * number));
    marks.forEach((mark, place) => mark.classList.toggle("sampled", place < number));
  };
  fill(sampled);
  return { element, fill };
}

/** What the marks of a picture mean, in words. @param {Point[]} points */
export function legend(points) {
  const stripes = Math.max(...points.map(({ stripe }) => stripe)) + 1;
  const row = (kind, text) => h("li", {}, h("span", { class: `key ${kind}`, "aria-hidden": "true" }), text);
  const order = (number) => `stripe ${number + 1}${number ? "" : ": once from the most to the least similar"}`;
  return h(
    "ul",
    { class: "picture-legend" },
    row("baseline", "overview of a document"),
    Array.from({ length: Math.min(stripes, COLOURS) }, (_, i) => row(`stripe-${i}`, order(i))),
    stripes > COLOURS && h("li", {}, `and ${stripes - COLOURS} more in the same colours`),
    row("sampled", "filled: in the sample"),
    row("left-out", "hollow: not in it"),
  );
}

/** One point is in the order of the Tab key, the arrows lead to the others. */
function move(event, marks) {
  const at = marks.indexOf(event.target);
  const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: marks.length - 1 }[event.key];
  if (at < 0 || !marks[to]) return;
  event.preventDefault();
  marks[at].setAttribute("tabindex", -1);
  marks[to].setAttribute("tabindex", 0);
  marks[to].focus();
}

function ticks(bottom) {
  const step = 1 - bottom > 0.5 ? 0.2 : 0.1;
  const values = [];
  for (let value = 1; value >= bottom - 1e-9; value -= step) values.push(value);
  return values;
}

function round(value) {
  return Math.round(value * 100) / 100;
}
