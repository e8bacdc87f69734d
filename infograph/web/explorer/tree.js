/** The tree of topics (the navigation treeview pattern of WAI-ARIA): a level is read when it is opened. */

import { h } from "./dom.js";
import { link, trail } from "./places.js";

/**
 * @param {HTMLElement} root `role=tree`
 * @param {import("../infograph.js").Client} client
 * @returns {{select: (id: string) => Promise<void>, clear: () => void}}
 */
export function topicTree(root, client) {
  const items = new Map(); // by id

  async function fill(list, id) {
    const { topics } = await client.topic(id);
    list.replaceChildren(...topics.map(item));
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
    const known = items.get(id);
    if (!known?.group) return;
    if (isOpen && !known.filled) {
      known.filled = true;
      await fill(known.group, id).catch((error) => {
        known.filled = false;
        known.group.replaceChildren(h("li", { role: "none", class: "note" }, error.message));
      });
    }
    known.group.hidden = !isOpen;
    known.entry.setAttribute("aria-expanded", String(isOpen));
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
      ArrowLeft: () => (isOpen === "true" ? expand(id, false) : focus(items.get(trail(id).at(-2))?.entry)),
      " ": () => event.target.click(),
    };
    if (!keys[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    keys[event.key]();
  });

  async function select(id) {
    if (!items.size) await fill(root, "");
    for (const above of trail(id).slice(1, -1)) await expand(above, true);
    for (const [own, { entry }] of items) {
      if (own === id) entry.setAttribute("aria-current", "page");
      else entry.removeAttribute("aria-current");
      entry.setAttribute("tabindex", own === id ? 0 : -1);
    }
    if (!items.get(id)) shown()[0]?.setAttribute("tabindex", 0);
    else await expand(id, true);
  }

  return { select, clear: () => items.clear() };
}
