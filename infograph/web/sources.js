/**
 * Names the sources of a context: the same as infograph's client in Python does (infograph/client/sources.py, which says
 * how and why).
 */

import { lineTokens } from "./tokens.js";

const [STEP, ON_TO] = [" › ", " … "];
const UNSEEN = /[\x00-\x20\x7f-\xa0\u1680\u2000-\u200b\u200e\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff]+/g;

/** The trail of a chunk: page title, headings above its first line, its own title; none twice in a row. */
export function trail({ page_title, section_path, title }) {
  const steps = [page_title, ...section_path].filter(Boolean);
  const once = steps.filter((step, at) => step !== steps[at - 1]);
  const begins = once.join(STEP);
  if (!title || once.at(-1) === title) return begins;
  return [begins, title].filter(Boolean).join(section_path.some(Boolean) ? ON_TO : STEP);
}

/** The lines above a passage. */
export function head(number, hit, sources) {
  let first = `[${number}]`;
  if (sources !== "numbers") first = `${first} ${onOneLine(trail(hit))}`.replace(/ +$/, "");
  return sources === "urls" ? `${first}\n${onOneLine(hit.url || hit.page)}` : first;
}

/** Tokens of the lines above a passage, whatever its number. */
export const headTokens = (hit, sources) => lineTokens(head(1, hit, sources));

/** Passages as one text, each below its head. */
export function promptText(passages, sources) {
  const shown = passages.map(({ text, hits }, at) => {
    const own = text.replace(/^[\r\n]+/, "").replace(/[ \t\r\n]+$/, "");
    return `${head(at + 1, hits[0], sources)}\n\n${own}`;
  });
  return shown.join("\n\n");
}

/** Where each passage stands; `linesOf` gives the first and last line of a chunk. */
export function citations(passages, linesOf) {
  return passages.map(({ hits, tokens }, at) => {
    const { page, title, page_title, section_path, url, href } = hits[0];
    return {
      number: at + 1,
      page,
      title,
      page_title,
      section_path,
      url,
      href,
      chunks: hits.map((hit) => hit.href.split("/").pop()),
      lines: [linesOf(hits[0])[0], linesOf(hits.at(-1))[1]],
      tokens,
    };
  });
}

const onOneLine = (text) => text.replace(UNSEEN, " ").replace(/^ +| +$/g, "");
