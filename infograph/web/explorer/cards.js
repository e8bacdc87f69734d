/** A topic as a card that leads to it. */

import { count, h } from "./dom.js";
import { link } from "./places.js";

/** @param {import("../infograph.js").TopicEntry} entry */
export function card({ id, title, description, documents, chunks }) {
  return h(
    "li",
    {},
    h(
      "a",
      { class: "card", href: link({ topic: id }) },
      h("strong", { dir: "auto" }, title),
      description && h("span", { class: "card-text", dir: "auto" }, description),
      h("span", { class: "card-count" }, `${count(documents, "document")} · ${count(chunks, "chunk")}`),
    ),
  );
}
