/** Words of a query, marked in texts and elements. */

import { h } from "./dom.js";

/** A text as nodes, its spans marked. */
export function marked(text, spans) {
  const nodes = [];
  let at = 0;
  for (const [start, end] of spans) {
    nodes.push(text.slice(at, start), h("mark", {}, text.slice(start, end)));
    at = end;
  }
  return [...nodes, text.slice(at)].filter((node) => node !== "");
}

/** Marks the words of a query in all text of an element. */
export async function markWithin(element, query, client) {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const texts = [];
  while (walker.nextNode()) texts.push(walker.currentNode);
  // A line end after each, which no word reaches over.
  const spans = await client.highlight(query, texts.map(({ data }) => `${data}\n`).join(""));
  let [start, next] = [0, 0];
  for (const text of texts) {
    const end = start + text.data.length;
    const own = [];
    for (; next < spans.length && spans[next][0] < end; next++) {
      own.push([spans[next][0] - start, Math.min(spans[next][1], end) - start]);
    }
    if (own.length) text.replaceWith(...marked(text.data, own));
    start = end + 1;
  }
}
