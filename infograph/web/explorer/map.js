/** The map of the chunks: each a point, coloured by its topic; what a query means lights up. */

import { InfographError, json } from "../site.js";
import { count, h, later } from "./dom.js";
import { here } from "./files.js";
import { hitOf, meant } from "./lights.js";

const FILE = "infograph/explorer/map.json";
const LARGEST = 1 << 24;
const LEVELS = 4096;
const MARGIN = 14;
/** Pixels from the pointer to the point that it means. */
const REACH = 18;
/** Milliseconds that the pointer rests on a point before its title is read. */
const REST = 60;
/** Colours that the style sheet has; topics beyond share one. */
export const COLOURS = 8;
/** Pages that are named on the map, least chunks of one, and width of a name's letter. */
const [NAMED, LEAST, LETTER] = [16, 4, 6.2];

/**
 * @typedef {{id: string, title: string}} Group  a topic; of two that hold a page the deeper counts
 *
 * @param {Group[]} groups those with a colour, in the order of the colours
 * @param {(state: object) => void} go
 * @param {AbortSignal} signal
 */
export async function chunkMap(groups, go, signal) {
  const site = here();
  const data = await site.get(site.resolve(FILE), LARGEST, (bytes) => checked(json(bytes)), "no-cache");
  const points = new Points(data, groups);
  if (!points.size) return null;
  const view = new MapView(points, groups, go, signal);
  return { element: view.element, light: (query) => view.light(query) };
}

function checked(data) {
  const { pages, places } = data ?? {};
  const isSound =
    Array.isArray(pages) &&
    typeof places === "string" &&
    pages.every(
      (row) => Array.isArray(row) && typeof row[0] === "string" && row.slice(1, 3).every((n) => Number.isInteger(n) && n >= 0),
    ) &&
    4 * pages.reduce((sum, [, size]) => sum + size, 0) === places.length;
  if (!isSound) throw new InfographError("broken", `${FILE}: not as a build writes it`);
  return data;
}

/** Places of all chunks, page after page. */
class Points {
  constructor({ pages, places }, groups) {
    const bytes = atob(places);
    this.size = bytes.length / 3;
    this.x = new Float32Array(this.size);
    this.y = new Float32Array(this.size);
    this.page = new Uint32Array(this.size);
    this.colour = new Uint8Array(this.size);
    this.pages = pages;
    this.starts = new Map(); // by slot
    this.counts = new Array(COLOURS + 1).fill(0);
    let at = 0;
    pages.forEach(([path, size, slot], number) => {
      this.starts.set(slot, [at, size]);
      const colour = colourOf(path, groups);
      this.counts[colour] += size;
      for (const end = at + size; at < end; at++) {
        const [a, b, c] = [0, 1, 2].map((i) => bytes.charCodeAt(3 * at + i));
        this.x[at] = ((a << 4) | (b >> 4)) / (LEVELS - 1);
        this.y[at] = (((b & 15) << 8) | c) / (LEVELS - 1);
        this.page[at] = number;
        this.colour[at] = colour;
      }
    });
  }

  numberOf([slot, index]) {
    const [start, size] = this.starts.get(slot) ?? [0, 0];
    return index < size ? start + index : -1;
  }

  /** Path of the page of a point, its slot, and the point's index in it. */
  placeOf(number) {
    const [path, , slot] = this.pages[this.page[number]];
    return { path, slot, index: number - this.starts.get(slot)[0] };
  }
}

/** The number of the deepest topic that holds a path; `COLOURS` for none. */
function colourOf(path, groups) {
  let [best, depth] = [COLOURS, -1];
  groups.slice(0, COLOURS).forEach(({ id }, i) => {
    if ((id === "" || path.startsWith(`${id}/`)) && id.length > depth) [best, depth] = [i, id.length];
  });
  return best;
}

class MapView {
  #active = -1;
  #lit = null;
  #only = -1;
  #asked = 0;

  constructor(points, groups, go, signal) {
    this.points = points;
    this.go = go;
    this.canvas = h("canvas", { "aria-hidden": "true" });
    this.ring = h("span", { class: "map-ring", hidden: true });
    this.tip = h("p", { class: "map-tip", role: "status", hidden: true });
    this.stage = h(
      "div",
      {
        class: "map-stage",
        role: "application",
        tabindex: 0,
        "aria-label": `Map of ${count(points.size, "chunk")}. Arrow keys lead to the next one in a direction, Enter opens it.`,
      },
      this.canvas,
      this.ring,
      this.tip,
    );
    this.status = h("p", { class: "map-status note", role: "status" });
    this.element = h("div", { class: "map" }, this.stage, this.#legend(groups), this.status);
    this.told = later(REST, () => this.#tell());
    this.#listen();
    const repaint = () => this.draw();
    addEventListener("theme", repaint);
    signal.addEventListener("abort", () => removeEventListener("theme", repaint));
    new ResizeObserver(repaint).observe(this.stage);
    this.#say();
  }

  #legend(groups) {
    const { counts } = this.points;
    const rows = groups.slice(0, COLOURS).map(({ title }, i) => [i, title]);
    const shown = [...rows, [COLOURS, "Other"]].filter(([i]) => counts[i]);
    return h(
      "div",
      { class: "legend", role: "group", "aria-label": "Topics on the map" },
      shown.map(([i, title]) =>
        h(
          "button",
          { type: "button", class: "chip", "aria-pressed": "false", onclick: (event) => this.#choose(i, event.currentTarget) },
          h("span", { class: `swatch topic-${i}`, "aria-hidden": "true" }),
          h("span", { dir: "auto" }, title),
          h("span", { class: "chip-count" }, counts[i].toLocaleString("en")),
        ),
      ),
    );
  }

  #choose(group, button) {
    this.#only = this.#only === group ? -1 : group;
    for (const other of button.parentElement.children) other.setAttribute("aria-pressed", String(other === button && this.#only >= 0));
    this.draw();
  }

  /** Lights up what a query means; everything for an empty one. */
  async light(query) {
    const asked = ++this.#asked;
    const found = query ? await meant(query).catch(() => null) : null; // the search box says what cannot be read
    if (asked !== this.#asked) return;
    this.#lit = found && found.map((place) => this.points.numberOf(place)).filter((number) => number >= 0);
    this.#say(query);
    this.draw();
  }

  #say(query) {
    this.status.textContent = this.#lit
      ? `${count(this.#lit.length, "chunk")} for “${query}”, on ${count(new Set(this.#lit.map((i) => this.points.page[i])).size, "page")}`
      : "Each point is a chunk of the text; those that say similar things lie near each other. Type, and what you mean lights up.";
  }

  #place(number) {
    return [
      MARGIN + this.points.x[number] * (this.width - 2 * MARGIN),
      MARGIN + (1 - this.points.y[number]) * (this.height - 2 * MARGIN),
    ];
  }

  draw() {
    const { canvas, points } = this;
    [this.width, this.height] = [this.stage.clientWidth, this.stage.clientHeight];
    if (!this.width || !this.height) return;
    const scale = Math.min(3, devicePixelRatio || 1);
    [canvas.width, canvas.height] = [this.width * scale, this.height * scale];
    const context = canvas.getContext("2d");
    context.scale(scale, scale);
    const style = getComputedStyle(this.stage);
    const colours = Array.from({ length: COLOURS + 1 }, (_, i) => style.getPropertyValue(`--topic-${i}`));
    const radius = Math.max(1.1, Math.min(4, Math.sqrt((this.width * this.height) / points.size) / 6));
    const isDimmed = this.#lit || this.#only >= 0;
    context.globalAlpha = isDimmed ? 0.16 : 0.85;
    this.#dots(context, colours, radius, (i) => this.#only !== points.colour[i]);
    context.globalAlpha = this.#lit ? 0.3 : 1;
    if (this.#only >= 0) this.#dots(context, colours, radius, (i) => this.#only === points.colour[i]);
    if (!isDimmed) this.#names(context, style);
    context.globalAlpha = 1;
    this.#lights(context, colours, radius, style);
    this.#mark();
  }

  /** Points of each colour as one path: that is quick for 24,000 of them. */
  #dots(context, colours, radius, isDrawn) {
    const { points } = this;
    colours.forEach((colour, group) => {
      if (!points.counts[group]) return;
      context.fillStyle = colour;
      context.beginPath();
      for (let i = 0; i < points.size; i++) {
        if (points.colour[i] !== group || !isDrawn(i)) continue;
        const [x, y] = this.#place(i);
        if (radius < 2) context.rect(x - radius, y - radius, 2 * radius, 2 * radius);
        else {
          context.moveTo(x + radius, y);
          context.arc(x, y, radius, 0, 7);
        }
      }
      context.fill();
    });
  }

  #lights(context, colours, radius, style) {
    const lit = this.#lit ?? [];
    // The best last, on top.
    for (let rank = lit.length - 1; rank >= 0; rank--) {
      const [x, y] = this.#place(lit[rank]);
      const size = radius * (rank < 10 ? 1.9 : 1.2) + (rank < 10 ? 1.5 : 0);
      context.fillStyle = colours[this.points.colour[lit[rank]]];
      if (rank < 10) {
        context.globalAlpha = 0.22;
        context.beginPath();
        context.arc(x, y, size * 2.6, 0, 7);
        context.fill();
      }
      context.globalAlpha = 1;
      context.beginPath();
      context.arc(x, y, size, 0, 7);
      context.fill();
      if (rank < 10) {
        context.strokeStyle = style.getPropertyValue("--surface");
        context.lineWidth = 1.5;
        context.stroke();
      }
    }
  }

  /** Names of pages whose chunks lie together, the largest first, where there is room. */
  #names(context, style) {
    const boxes = [];
    context.font = `600 11px ${style.getPropertyValue("--sans")}`;
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.lineJoin = "round";
    const most = Math.min(NAMED, Math.floor((this.width * this.height) / 22_000));
    for (const { name, middle } of this.#regions()) {
      const [x, y] = this.#place(middle);
      const half = (name.length * LETTER) / 2 + 6;
      const box = [x - half, y - 9, x + half, y + 9];
      if (box[0] < 0 || box[2] > this.width) continue;
      if (boxes.some(([a, b, c, d]) => box[0] < c && box[2] > a && box[1] < d && box[3] > b)) continue;
      boxes.push(box);
      context.globalAlpha = 0.85;
      context.strokeStyle = style.getPropertyValue("--surface");
      context.lineWidth = 4;
      context.strokeText(name, x, y);
      context.globalAlpha = 1;
      context.fillStyle = style.getPropertyValue("--text");
      context.fillText(name, x, y);
      if (boxes.length === most) break;
    }
  }

  /** Pages of some chunks by how close these lie, each with its name and the chunk in its middle. */
  #regions() {
    if (this.regions) return this.regions;
    const found = new Map();
    for (const [path, size, slot] of this.points.pages) {
      if (size < LEAST) continue;
      const [start] = this.points.starts.get(slot);
      const all = Array.from({ length: size }, (_, i) => start + i);
      const middleOf = (axis) => [...all].map((i) => this.points[axis][i]).sort((a, b) => a - b)[size >> 1];
      const [x, y] = [middleOf("x"), middleOf("y")];
      const off = (i) => Math.hypot(this.points.x[i] - x, this.points.y[i] - y);
      const spread = all.reduce((sum, i) => sum + off(i), 0) / size;
      const name = nameOf(path);
      const weight = Math.sqrt(size) / (0.05 + spread);
      if (name && !(found.get(name)?.weight >= weight)) {
        found.set(name, { name, weight, middle: all.reduce((a, b) => (off(b) < off(a) ? b : a)) });
      }
    }
    this.regions = [...found.values()].sort((a, b) => b.weight - a.weight).slice(0, 8 * NAMED);
    return this.regions;
  }

  #listen() {
    const { stage } = this;
    const at = ({ clientX, clientY }) => {
      const box = stage.getBoundingClientRect();
      return [clientX - box.left, clientY - box.top];
    };
    stage.addEventListener("pointermove", (event) => this.#activate(this.#nearest(at(event), REACH)));
    stage.addEventListener("pointerleave", () => this.#activate(-1));
    stage.addEventListener("click", (event) => {
      this.#activate(this.#nearest(at(event), REACH));
      this.#open();
    });
    stage.addEventListener("blur", () => this.#activate(-1));
    stage.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === "Enter" && this.#active >= 0) this.#open();
      else if (event.key === "Escape") this.#activate(-1);
      else if (step) this.#activate(this.#active < 0 ? this.#first() : this.#beside(...step));
      else return;
      event.preventDefault();
    });
  }

  /** Where the keyboard begins: at the best of what is lit, else in the middle. */
  #first() {
    return this.#lit?.[0] ?? this.#nearest([this.width / 2, this.height / 2], Infinity);
  }

  #candidates() {
    return this.#lit?.length ? this.#lit : Array.from({ length: this.points.size }, (_, i) => i);
  }

  #nearest([x, y], reach) {
    let [best, least] = [-1, reach * reach];
    for (let i = 0; i < this.points.size; i++) {
      const [px, py] = this.#place(i);
      const distance = (px - x) ** 2 + (py - y) ** 2;
      if (distance < least) [best, least] = [i, distance];
    }
    return best;
  }

  /** The next point in a direction: near, and not far to the side. */
  #beside(dx, dy) {
    const [x, y] = this.#place(this.#active);
    let [best, least] = [this.#active, Infinity];
    for (const i of this.#candidates()) {
      const [px, py] = this.#place(i);
      const [ahead, aside] = [(px - x) * dx + (py - y) * dy, Math.abs((px - x) * dy) + Math.abs((py - y) * dx)];
      if (ahead > 0.5 && aside <= ahead && ahead + 2 * aside < least) [best, least] = [i, ahead + 2 * aside];
    }
    return best;
  }

  #activate(number) {
    if (number === this.#active) return;
    this.#active = number;
    this.hit = undefined;
    this.stage.classList.toggle("at-point", number >= 0);
    this.#mark();
    if (number >= 0) this.told();
    else this.told.cancel();
  }

  #mark() {
    const isShown = this.#active >= 0;
    this.ring.hidden = this.tip.hidden = !isShown;
    if (!isShown) return;
    const [x, y] = this.#place(this.#active);
    this.ring.style.left = this.tip.style.left = `${x}px`;
    this.ring.style.top = this.tip.style.top = `${y}px`;
    this.tip.classList.toggle("to-left", x > this.width / 2);
    this.tip.classList.toggle("above", y > this.height / 2);
    if (!this.hit) this.tip.replaceChildren(h("span", { class: "map-path" }, this.points.placeOf(this.#active).path));
  }

  /** Reads what the active chunk is called. */
  async #tell() {
    const number = this.#active;
    const hit = await this.#hit(number).catch(() => undefined); // its path is shown already
    if (!hit || number !== this.#active) return;
    this.tip.replaceChildren(
      h("strong", { dir: "auto" }, hit.title),
      hit.page_title !== hit.title && h("span", { dir: "auto" }, hit.page_title),
      h("span", { class: "map-path" }, hit.page),
    );
  }

  async #hit(number) {
    const { slot, index } = this.points.placeOf(number);
    const hit = await hitOf(slot, index);
    if (number === this.#active) this.hit = hit;
    return hit;
  }

  async #open() {
    const number = this.#active;
    if (number < 0) return;
    const hit = this.hit ?? (await this.#hit(number).catch(() => undefined));
    this.go(hit ? { chunk: hit.href } : { page: this.points.placeOf(number).path });
  }
}

/** A page's name as its file says it: words, without digits in front. */
function nameOf(path) {
  const names = path.split("/");
  const stem = names.pop().replace(/\.[^.]*$/, "");
  const own = /^_?(?:index|readme)$/i.test(stem) ? (names.pop() ?? "") : stem;
  const words = own.replace(/^\d+[-_]/, "").replace(/[-_]+/g, " ").trim();
  return words.length > 26 ? `${words.slice(0, 25)}…` : words;
}
