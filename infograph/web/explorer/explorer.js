/** The explorer: finds the tree that it lies in, and shows what the address says of it. */

import { Client } from "../infograph.js";
import { h, later } from "./dom.js";
import { failure } from "./remarks.js";
import { link, parse, replace, route } from "./places.js";
import { searchBox } from "./search-box.js";
import { topicTree } from "./tree.js";

/**
 * What a view gets. It gives `{title, element, topic}`, or nothing when it has led on.
 * @typedef {object} Context
 * @property {Client} client
 * @property {Record<string, string>} state
 * @property {AbortSignal} signal aborted when something else is to be shown
 * @property {() => void} retry
 * @property {(state: object) => void} go to another state, as a link does
 * @property {(state: object) => void} forward the same in place of this one
 */

/** Milliseconds after which one is told that something is being read. */
const SOON = 250;

const client = new Client(new URL(".", document.baseURI));
const part = (id) => document.getElementById(id);
const [main, search, siteName, topics] = ["main", "search", "site-name", "topics"].map(part);
const tree = topicTree(part("tree"), client);
let call = new AbortController();
let isFirst = true;

/** Not at the top: what is not looked at is not loaded. */
async function viewOf(state) {
  if (state.chunk) return (await import("./chunk.js")).chunkView;
  if (state.page) return (await import("./chunk.js")).pageView;
  if (state.names) return (await import("./names.js")).namesView;
  return state.q?.trim() ? (await import("./results.js")).resultsView : (await import("./topic.js")).topicView;
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
    const shown = await view({ client, state, signal, retry, go, forward });
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

function present({ title, element, topic = "" }, { q = "" }, scroll) {
  main.replaceChildren(element);
  tree.select(topic).catch(() => {}); // the view says what cannot be read
  search.value = q;
  const site = siteName.textContent;
  document.title = title === site ? site : `${title} · ${site}`;
  setMenu(false);
  // Those who read by ear hear where they are, but not before they did anything.
  if (!isFirst) main.querySelector("h1")?.focus({ preventScroll: true });
  isFirst = false;
  scrollTo(0, scroll);
}

function retry() {
  client.refresh();
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
part("search-form").addEventListener("submit", (event) => event.preventDefault());
searchBox({ input: search, list: part("suggestions"), status: part("search-status") }, client, {
  open: ({ href }, q) => (location.hash = link({ chunk: href, q })),
  showAll: (q) => (location.hash = link({ q })),
});
client.topic("").then(
  ({ title, communities }) => {
    part("names").hidden = !communities;
    siteName.textContent = title;
    document.title = document.title.replace("Explorer", () => title);
  },
  () => {}, // the view says why
);
main.replaceChildren(h("p", { class: "loading" }, "Reading the index …"));
route(show);
