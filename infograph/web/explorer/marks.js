/** Words of a query, marked in texts and elements. */

import { h } from "./dom.js";

/** Characters of a passage. */
const PASSAGE = 240;

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

/** The part of a text with the most spans, marked, between whole words; empty for a text without any. */
export function passage(text, spans) {
  if (!spans.length) return [];
  let [best, most] = [0, 0];
  spans.forEach(([start], first) => {
    let next = first;
    while (next < spans.length && spans[next][1] <= start + PASSAGE) next++;
    if (next - first > most) [best, most] = [first, next - first];
  });
  const room = PASSAGE - ((spans[best + most - 1] ?? spans[best])[1] - spans[best][0]);
  let start = Math.max(0, spans[best][0] - Math.max(20, Math.floor(room / 3)));
  while (start > 0 && start < spans[best][0] && /\S/.test(text[start - 1])) start++;
  let end = Math.min(text.length, start + PASSAGE);
  while (end < text.length && end > start + PASSAGE / 2 && /\S/.test(text[end])) end--;
  const inside = spans
    .filter(([from, to]) => from >= start && to <= end)
    .map(([from, to]) => [from - start, to - start]);
  return [start > 0 && "… ", ...marked(text.slice(start, end).trimEnd(), inside), end < text.length && " …"].filter(
    Boolean,
  );
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
