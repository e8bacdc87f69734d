/** The part of a chunk that answers a query best, to show it. infograph/search/reading/passage.py finds the same. */

import { spans } from "./highlight.js";
import { check } from "./options.js";
import { cut } from "./terms.js";

/** Most characters of a passage. */
const PASSAGE = 200;
/** Most characters of a chunk that are looked at. */
const SOURCE = 10_000;

/** What Python takes for a space, within a class: JavaScript's has U+FEFF too, and lacks U+001C to 1F and U+0085. */
const SPACE = String.raw`\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000`;
const TAG = String.raw`<(?:!--.*?(?:-->|$)|(?:(?<![\p{L}\p{N}_]<)|\/)[A-Za-z][^<>]{0,2000}>)`;
const TARGET = String.raw`\((?<=\]\()(?:[^()${SPACE}]|\([^()${SPACE}]*\))*(?:[${SPACE}]+"[^"\n]*")?\)`;
const ANGLED = String.raw`\((?<=\]\()<[^<>\n]{0,2000}>(?:[${SPACE}]+"[^"\n]*")?\)`;
/** In a listing a reader sees tags, as all else of it. */
const LISTING = "(?<![^\\n])[ \\t]*(?<mark>`{3}|~{3})[^\\n]*(?:\\n(?![ \\t]*\\k<mark>)[^\\n]*)*(?:\\n[^\\n]*)?";
const UNSEEN = new RegExp(`${LISTING}|${ANGLED}|${TAG}|${TARGET}`, "gsu");
const LINE = /\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]/;
const SPACES = new RegExp(`[${SPACE}]+`, "u");
const ESCAPED =
  /(?<!`)(?<ticks>`+)(?!`)(?<code>(?:[^`]|(?!\k<ticks>(?!`))`+(?!`))+)\k<ticks>(?!`)|\\(?<sign>[!-/:-@[-`{-~])|(?<entity>&(?:amp|lt|gt|quot|#39|nbsp);)/gu;
const SIGNS = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'", "&nbsp;": " " };
const STARS = String.raw`(?<![*\p{L}\p{N}_])\*(?=[^${SPACE}*])([^*]{1,200})(?<=[^${SPACE}])\*(?![*\p{L}\p{N}_])`;
const LINES = String.raw`(?<![_\p{L}\p{N}])_(?=[^${SPACE}_])([^_]{1,200})(?<=[^${SPACE}])_(?![_\p{L}\p{N}])`;
const EMPHASIS = new RegExp(`${STARS}|${LINES}`, "gu");
/** The sign before the text of an image, with its brackets where it has none; `vec![1]` is code. */
const IMAGE = /(?<![A-Za-z0-9_])!(?=\[)(?:\[\] ?)?/g;
/** Stands for what is no mark while marks are taken out. */
const HELD = "\ue000";
/** Places where a sentence begins, or a line that does not go on with one. */
const SENTENCE = /(?<=[.!?:][ \n])|(?<=[。！？])|(?<=\n)(?![a-z])/gu;

/**
 * The part of a chunk's Markdown that has most of the different words of a query, as a reader sees it and on one line,
 * with `…` where something is left out; the beginning where no other part has more of them.
 * @param {string} query
 * @param {string} text
 * @param {() => Promise<import("./bundle.js").Bundle>} opened
 * @returns {Promise<string>}
 */
export async function passage(query, text, opened) {
  check({ query, text });
  const shown = [...shownLines(points(text, SOURCE))].filter(Boolean).join("\n");
  const { language } = await opened();
  // Characters as Python counts them.
  const place = [0];
  const characters = [...shown];
  for (const character of characters) place.push(place.at(-1) + character.length);
  const at = new Map(place.map((unit, i) => [unit, i]));
  const found = (await spans(query, shown, opened)).map(([from, to]) => {
    const terms = [...cut(shown.slice(from, to), language)].map(({ whole }) => whole);
    return { first: at.get(from), last: at.get(to), terms };
  });
  const best = bestOf(found);
  const begins = [...shown.matchAll(SENTENCE)].map(({ index }) => at.get(index));
  const start = best ? startOf(characters, [0, ...begins], best) : 0;
  let end = start + PASSAGE;
  if (end < characters.length) {
    let last = end;
    while (last > start + PASSAGE / 2 && !" \n".includes(characters[last])) last--;
    if (last > start + PASSAGE / 2) end = last;
  }
  const part = words(characters.slice(start, end).join(""));
  return `${start ? "… " : ""}${part}${end < characters.length ? " …" : ""}`;
}

/** Where the words of the best stretch begin and end; undefined for the beginning, if none has more different ones. */
function bestOf(found) {
  const stretch = (first, end) => {
    const own = [];
    for (let i = first; i < found.length && found[i].last <= end; i++) own.push(found[i]);
    return [own, new Set(own.flatMap(({ terms }) => terms)).size];
  };
  let [best, different, count] = [undefined, stretch(0, PASSAGE)[1], found.length];
  found.forEach(({ first }, i) => {
    const [own, size] = stretch(i, first + PASSAGE);
    if (size < different || (size === different && own.length <= count)) return;
    [best, different, count] = [{ first, last: own.at(-1)?.last }, size, own.length];
  });
  return best;
}

/** Where a passage begins: at a sentence or line where there is room for it, else at a word. */
function startOf(characters, begins, { first, last }) {
  const least = Math.max(0, last - PASSAGE);
  const wanted = Math.max(least, Math.min(first, characters.length - PASSAGE));
  const after = begins.find((begin) => begin >= wanted) ?? begins.at(-1);
  const place = wanted < first ? after : begins.findLast((begin) => begin <= first);
  if (least <= place && place <= first) return place;
  const spare = Math.max(0, PASSAGE - (last - first));
  const space = characters.indexOf(" ", Math.max(0, first - Math.floor(spare / 3)));
  return space >= 0 && space < first ? space + 1 : first;
}

/** The lines of Markdown that are neither heading nor markup, as a reader sees them. */
function* shownLines(markdown) {
  let fence = "";
  for (const line of markdown.replace(UNSEEN, gap).split(LINE).map(words)) {
    const mark = line.slice(0, 3);
    if (mark === "```" || mark === "~~~") fence = mark === fence ? "" : fence || mark;
    else if (line && mark !== ":::" && (fence || !line.startsWith("#"))) {
      yield fence ? line : unmarked(withoutSigns(line));
    }
  }
}

/** What stands in the place of a link's target, a tag or a comment, a space for what may part words; a listing stays. */
function gap(unseen, mark, at, text) {
  if (mark) return unseen;
  return unseen[0] === "(" || /[.,;:!?)]/.test(text[at + unseen.length] ?? "") ? "" : " ";
}

function unmarked(line) {
  const held = [];
  const hold = (...match) => {
    const { code, sign, entity } = match.at(-1);
    held.push(code ?? sign ?? SIGNS[entity]);
    return HELD;
  };
  const bare = line
    .replaceAll(HELD, "")
    .replace(ESCAPED, hold)
    .replace(IMAGE, "")
    .replace(/\*\*|[`[\]]/g, "")
    .replace(EMPHASIS, (_, stars, lines) => stars ?? lines);
  return bare.replaceAll(HELD, () => held.shift());
}

function withoutSigns(line) {
  const text = line.replace(/^(?:> ?)*(?:[-*+] +)?/, "");
  if (!text.startsWith("|")) return text;
  if (/^[|:\- ]+$/.test(text)) return "";
  const cells = text.split(/(?<!\\)\|/).map(words);
  return cells.filter(Boolean).join(" · ").replaceAll("\\|", "|");
}

const words = (text) => text.split(SPACES).filter(Boolean).join(" ");

/** The first characters of a text, none of which is half of one. */
const points = (text, most) => (text.length > most ? [...text.slice(0, 2 * most)].slice(0, most).join("") : text);
