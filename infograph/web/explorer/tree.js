/** The tree of topics (the navigation treeview pattern of WAI-ARIA): a level is read when it is opened. */

import { h } from "./dom.js";
import { folded, link, trail } from "./places.js";

/**
 * @param {HTMLElement} root `role=tree`
 * @param {import("../infograph.js").Client} client
 * @returns {{select: (id: string) => Promise<void>, clear: () => void}}
 */
export function topicTree(root, client) {
  const items = new Map(); // by id
  /** By the id of a topic that stands as one with another: that other's. */
  const folds = new Map();
  const known = (id) => items.get(folds.get(id) ?? id);

  /** A level; a topic that holds nothing but one other stands as one with it, under both names. */
  async function fill(list, id) {
    const { topic, trail: passed } = await folded(client, id);
    list.replaceChildren(...topic.topics.map(item));
    const above = items.get(id);
    for (const { id: own, title } of passed.slice(1)) {
      folds.set(own, id);
      above?.entry.querySelector(".tree-title").append(` / ${title}`);
    }
    if (above && topic.id !== id) above.entry.setAttribute("href", link({ topic: topic.id }));
  }

  function item({ id, title, chunks, topics }) {
    const group = topics && h("ul", { role: "group", hidden: true });
    const entry = h(
      "a",
      { role: "treeitem", href: link({ topic: id }), tabindex: -1, "aria-expanded": topics ? "false" : undefined },
      h("span", { class: "twist", "aria-hidden": "true" }),
      h("span", { class: "tree-title", dir: "auto" }, title),
      h("span", { class: "tree-count", "aria-label": `${chunks} chunks` }, chunks),
    );
    items.set(id, { entry, group, filled: false });
    entry.addEventListener("click", (event) => {
      if (!event.target.closest(".twist") || !group) return;
      event.preventDefault();
      expand(id, group.hidden);
    });
    entry.dataset.topic = id;
    return h("li", { role: "none" }, entry, group);
  }

  async function expand(id, isOpen) {
    const own = known(id);
    if (!own?.group) return;
    if (isOpen && !own.filled) {
      own.filled = true;
      await fill(own.group, folds.get(id) ?? id).catch((error) => {
        own.filled = false;
        own.group.replaceChildren(h("li", { role: "none", class: "note" }, error.message));
      });
    }
    const isLeaf = !own.group.children.length; // a chain of folders that ends in documents
    own.group.hidden = !isOpen || isLeaf;
    if (isLeaf) own.entry.removeAttribute("aria-expanded");
    else own.entry.setAttribute("aria-expanded", String(isOpen));
  }

  const shown = () => [...root.querySelectorAll("[role=treeitem]")].filter((entry) => !entry.closest("[hidden]"));

  function focus(entry) {
    if (!entry) return;
    root.querySelectorAll("[tabindex='0']").forEach((other) => other.setAttribute("tabindex", -1));
    entry.setAttribute("tabindex", 0);
    entry.focus();
  }

  root.addEventListener("keydown", (event) => {
    const all = shown();
    const at = all.indexOf(event.target);
    if (at < 0) return;
    const id = event.target.dataset.topic;
    const isOpen = event.target.getAttribute("aria-expanded");
    const keys = {
      ArrowDown: () => focus(all[at + 1]),
      ArrowUp: () => focus(all[at - 1]),
      Home: () => focus(all[0]),
      End: () => focus(all.at(-1)),
      ArrowRight: () => (isOpen === "true" ? focus(all[at + 1]) : expand(id, true)),
      ArrowLeft: () => (isOpen === "true" ? expand(id, false) : focus(known(trail(id).at(-2))?.entry)),
      " ": () => event.target.click(),
    };
    if (!keys[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    keys[event.key]();
  });

  async function select(id) {
    if (!items.size) await fill(root, "");
    for (const above of trail(id).slice(1, -1)) await expand(above, true);
    const shownAs = folds.get(id) ?? id;
    for (const [own, { entry }] of items) {
      if (own === shownAs) entry.setAttribute("aria-current", "page");
      else entry.removeAttribute("aria-current");
      entry.setAttribute("tabindex", own === shownAs ? 0 : -1);
    }
    if (!items.has(shownAs)) shown()[0]?.setAttribute("tabindex", 0);
    else await expand(id, true);
  }

  const clear = () => [items, folds].forEach((map) => map.clear());
  return { select, clear };
}
