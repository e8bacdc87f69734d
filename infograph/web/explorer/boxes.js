/** The text of a chunk with the marks of boxes that `markdown.js` draws, which its readable text leaves out. */

/** The beginning of an admonition, a tab, an alert, or the end of one. */
const BOX = /^\s*(?:\/{3,}|:{3,}|!!!|\?\?\?|={3}|\[!\w+\])/;

/**
 * @param {import("../infograph.js").PublishedChunk} chunk
 * @returns {string} the slice with all edits but those that take such a mark away
 */
export function withBoxes({ text, readable, front_matter: front }) {
  const line = /^edits: (.*)$/m.exec(front)?.[1];
  if (line === undefined) return readable; // and it is the slice itself
  const bytes = new TextEncoder().encode(text);
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const slice = (from, to) => decoder.decode(bytes.subarray(from, to));
  let shown = "";
  let at = 0;
  // The client has checked them already.
  for (const [start, end, instead] of JSON.parse(line)) {
    const was = slice(start, end);
    shown += slice(at, start) + (BOX.test(was) ? was : instead);
    at = end;
  }
  return shown + slice(at);
}
