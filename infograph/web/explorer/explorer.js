/** The explorer: finds the tree that it lies in, and shows what the address says of it. */

import { Client } from "../infograph.js";
import { h, later } from "./dom.js";
import { forget, kept } from "./files.js";
import { failure } from "./remarks.js";
import { link, parse, replace, route } from "./places.js";
import { searchBox } from "./search-box.js";
import { topicTree } from "./tree.js";

/**
 * What a view gets. It gives `{title, element, topic, typed}`, or nothing when it has led on; `typed` is called with what
 * is typed in the search box.
 * @typedef {object} Context
 * @property {Client} client
 * @property {Record<string, string>} state
 * @property {AbortSignal} signal aborted when something else is to be shown
 * @property {() => void} retry
 * @property {(state: object) => void} go to another state, as a link does
 * @property {(state: object) => void} forward the same in place of this one
 * @property {string} siteName
 */

/** Milliseconds after which one is told that something is being read. */
const SOON = 250;

const client = new Client(new URL(".", document.baseURI), { fetch: kept });
const part = (id) => document.getElementById(id);
const [main, form, search, topics] = ["main", "search-form", "search", "topics"].map(part);
const siteName = part("site-name").textContent;
const tree = topicTree(part("tree"), client);
let call = new AbortController();
let isFirst = true;
/** Called with what is typed. */
let typed = () => {};

/** Not at the top: what is not looked at is not loaded. */
async function viewOf(state) {
  if (state.chunk) return (await import("./chunk.js")).chunkView;
  if (state.page) return (await import("./chunk.js")).pageView;
  if (state.names) return (await import("./names.js")).namesView;
  if (state.q?.trim()) return (await import("./results.js")).resultsView;
  if (state.ask !== undefined) return (await import("./ask.js")).askView;
  return state.topic === undefined ? (await import("./start.js")).startView : (await import("./topic.js")).topicView;
}

async function show(state, scroll = 0) {
  call.abort();
  call = new AbortController();
  const { signal } = call;
  const waiting = later(SOON, () => main.classList.add("waiting"));
  waiting();
  main.setAttribute("aria-busy", "true");
  const forward = (next) => {
    replace(next);
    return show(parse(location.hash));
  };
  const go = (next) => (location.hash = link(next));
  try {
    const view = await viewOf(state);
    const shown = await view({ client, state, signal, retry, go, forward, siteName });
    if (!shown || signal.aborted) return;
    present(shown, state, scroll);
  } catch (error) {
    if (!signal.aborted) present({ title: "Error", element: failure(error, retry) }, state, 0);
  } finally {
    waiting.cancel();
    if (call.signal === signal) {
      main.classList.remove("waiting");
      main.setAttribute("aria-busy", "false");
    }
  }
}

function present({ title, element, topic = "", typed: told = () => {} }, { q = "" }, scroll) {
  const isTyping = document.activeElement === search;
  // The first page has the box in its middle, the others on top.
  (element.querySelector(".search-slot") ?? part("search-place")).append(form);
  main.replaceChildren(element);
  if (isTyping) search.focus();
  typed = told;
  tree.select(topic).catch(() => {}); // the view says what cannot be read
  search.value = q;
  document.title = title === siteName ? title : `${title} · ${siteName}`;
  setMenu(false);
  // Those who read by ear hear where they are, but not before they did anything.
  if (!isFirst) main.querySelector("h1")?.focus({ preventScroll: true });
  isFirst = false;
  scrollTo(0, scroll);
}

function retry() {
  client.refresh();
  forget();
  tree.clear();
  show(parse(location.hash));
}

function setMenu(isOpen) {
  topics.setAttribute("aria-expanded", String(isOpen));
  part("side").classList.toggle("open", isOpen);
}

topics.addEventListener("click", () => setMenu(topics.getAttribute("aria-expanded") !== "true"));
part("skip").addEventListener("click", (event) => {
  event.preventDefault(); // the address says what is shown, not where in it
  main.focus();
});
form.addEventListener("submit", (event) => event.preventDefault());
searchBox({ input: search, list: part("suggestions"), status: part("search-status") }, client, {
  open: ({ href }, q) => (location.hash = link({ chunk: href, q })),
  showAll: (q) => (location.hash = link({ q })),
  typed: (query) => typed(query),
});
client.topic("").then(
  ({ communities }) => (part("names").hidden = !communities),
  () => {}, // the view says why
);
if (location.hash.length > 1) main.replaceChildren(h("p", { class: "loading" }, "Reading the index …"));
route(show);
