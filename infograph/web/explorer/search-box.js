/** The search box: results while one types, chosen by arrow keys or pointer (the combobox pattern of WAI-ARIA). */

import { count, h, later } from "./dom.js";
import { marked } from "./marks.js";
import { headings } from "./places.js";

const SHOWN = 7;
/** Milliseconds without a key. */
const PAUSE = 120;

/**
 * @param {{input: HTMLInputElement, list: HTMLElement, status: HTMLElement}} elements
 * @param {import("../infograph.js").Client} client
 * @param {{open: (hit: object, query: string) => void, showAll: (query: string) => void, typed: (query: string) => void}}
 *     actions
 */
export function searchBox({ input, list, status }, client, { open, showAll, typed }) {
  let options = [];
  let active = -1;
  let call = new AbortController();
  const suggest = later(PAUSE, update);

  function close() {
    suggest.cancel();
    call.abort();
    show([]);
    status.textContent = "";
  }

  function show(rows, nodes = []) {
    options = rows;
    list.replaceChildren(...nodes);
    list.hidden = !nodes.length;
    input.setAttribute("aria-expanded", String(nodes.length > 0));
    activate(-1);
  }

  function activate(number) {
    list.querySelectorAll("[role=option]").forEach((option, i) => {
      option.setAttribute("aria-selected", String(i === number));
      if (i === number) option.scrollIntoView({ block: "nearest" });
    });
    active = number;
    if (number < 0) input.removeAttribute("aria-activedescendant");
    else input.setAttribute("aria-activedescendant", `option-${number}`);
  }

  function choose(number) {
    const query = input.value.trim();
    const choice = options[number];
    if (!query) return;
    close();
    if (choice) open(choice, query);
    else showAll(query);
  }

  async function update() {
    const query = input.value.trim();
    call.abort();
    if (!query) {
      typed("");
      return close();
    }
    call = new AbortController();
    const { signal } = call;
    try {
      const answer = await instant(client, query, { limit: SHOWN, signal });
      const nodes = await Promise.all(answer.hits.map((hit, i) => option(hit, i, answer.query)));
      if (signal.aborted) return undefined;
      present(answer, query, nodes);
      typed(answer.query);
    } catch (error) {
      if (signal.aborted) return undefined;
      show([], [h("li", { class: "empty", role: "presentation" }, `The search cannot be read: ${error.message}`)]);
    }
    return undefined;
  }

  function present({ hits, missing }, query, nodes) {
    const text = hits.length ? `All results for “${query}”` : `Nothing for “${query}” yet`;
    const isShort = Object.keys(missing).length > 0;
    const all = h(
      "li",
      { role: "option", id: `option-${hits.length}`, class: "all", "data-option": hits.length },
      text,
    );
    if (isShort) all.append(h("span", { class: "hint" }, "Parts of the index could not be read"));
    show(hits, [...nodes, all]);
    status.textContent = hits.length ? `${count(hits.length, "result")}, and more with Enter` : text;
  }

  async function option(hit, number, query) {
    const [title, snippet] = await Promise.all([marks(hit.title, query), marks(hit.snippet, query)]);
    return h(
      "li",
      { role: "option", id: `option-${number}`, "aria-selected": "false", "data-option": number },
      h("span", { class: "option-title", dir: "auto" }, title),
      h("span", { class: "option-where", dir: "auto" }, headings(hit)),
      h("span", { class: "option-snippet", dir: "auto" }, snippet),
    );
  }

  async function marks(text, query) {
    return marked(text, await client.highlight(query, text));
  }

  const keys = {
    ArrowDown: () => (list.hidden ? update() : activate(active >= options.length ? -1 : active + 1)),
    ArrowUp: () => !list.hidden && activate(active < 0 ? options.length : active - 1),
    Enter: () => choose(active),
    Escape: () => {
      if (list.hidden) {
        input.value = "";
        typed("");
      }
      close();
    },
  };

  input.addEventListener("input", () => suggest());
  input.addEventListener("focus", () => input.value.trim() && suggest());
  input.addEventListener("blur", close);
  input.addEventListener("keydown", (event) => {
    const act = !event.isComposing && !event.altKey && keys[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
  // The box keeps the focus while one clicks.
  list.addEventListener("pointerdown", (event) => event.preventDefault());
  list.addEventListener("click", (event) => {
    const chosen = event.target.closest("[data-option]");
    if (chosen) choose(Number(chosen.dataset.option));
  });
  document.addEventListener("keydown", (event) => {
    const isTyping = event.target.closest?.("input, textarea, select, [contenteditable]");
    const isSlash = event.key === "/" && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey;
    if (!isSlash && !(event.key === "k" && (event.ctrlKey || event.metaKey))) return;
    event.preventDefault();
    input.focus();
    input.select();
  });
}

/**
 * A search in which the last word may not be finished: the most frequent term that begins with it counts, too. Where
 * there is one, no word is taken for a slip of the pen.
 */
async function instant(client, query, options) {
  const word = /[\p{L}\p{N}_]{2,}$/u.exec(query)?.[0].toLowerCase();
  const { signal } = options;
  let exact = false;
  // What has no term is a stop word, and those are finished.
  if (word && (await client.highlight(word, word, { signal })).length) {
    const [best] = (await client.complete(word, { limit: 1, signal })).terms;
    if (best && best[0] !== word) query += ` ${best[0]}`;
    exact = Boolean(best);
  }
  const answer = await client.search(query, { ...options, exact });
  return { ...answer, query: [query, ...Object.values(answer.corrected)].join(" ") };
}
