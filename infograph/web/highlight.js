/** Where a text has the words of a query: for a page that shows results. */

import { check } from "./options.js";
import { COMPOUND, HUMP, UNSPACED, cut } from "./terms.js";

const PIECE = /[\p{L}\p{M}\p{N}]+/gu;

/**
 * Spans of a text, in its order and apart from each other, that give a term of the query.
 * @param {string} query
 * @param {string} text
 * @param {() => Promise<import("./bundle.js").Bundle>} opened
 * @returns {Promise<[start: number, end: number][]>}
 */
export async function spans(query, text, opened) {
  check({ query, text });
  const { language } = await opened();
  const wanted = new Set([...cut(query, language)].flatMap(({ whole, parts }) => [whole, ...parts]));
  wanted.delete("");
  const isWanted = (word) => [...cut(word, language)].some(({ whole }) => wanted.has(whole));
  const found = [];
  const add = (start, end) => {
    const last = found.at(-1);
    if (last && start <= last[1]) last[1] = Math.max(end, last[1]);
    else found.push([start, end]);
  };
  const spaced = (start, end) => {
    for (const { 0: compound, index } of text.slice(start, end).matchAll(COMPOUND)) {
      const at = start + index;
      if (isWanted(compound)) {
        add(at, at + compound.length);
        continue;
      }
      for (const { 0: word, index: inside } of compound.matchAll(PIECE)) {
        let from = at + inside;
        for (const piece of word.split(HUMP)) {
          if (isWanted(piece)) add(from, from + piece.length);
          from += piece.length;
        }
      }
    }
  };
  let start = 0;
  for (const { 0: run, index } of wanted.size ? text.matchAll(UNSPACED) : []) {
    spaced(start, index);
    start = index + run.length;
    const characters = [...run];
    let at = index;
    characters.forEach((character, i) => {
      const pair = character + (characters[i + 1] ?? "");
      for (const term of new Set([character, pair])) if (wanted.has(term)) add(at, at + term.length);
      at += character.length;
    });
  }
  if (wanted.size) spaced(start, text.length);
  return found;
}
