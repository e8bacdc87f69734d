/** Markdown within a paragraph, as nodes: code, emphasis, links, breaks. Everything else is text as it stands. */

import { h, isOfTheWeb } from "./dom.js";

/** Longer paragraphs are shown as text: what is sent to be slow takes no time. */
const LONGEST = 20_000;
const LONGEST_LABEL = 1000;
/** Emphasis within emphasis. */
const DEEPEST = 8;
const ESCAPABLE = /[!-/:-@[-`{-~]/;
const ENTITIES = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: "\u00a0",
  mdash: "—",
  ndash: "–",
  hellip: "…",
};
const ENTITY = /&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|(\w{2,8}));/y;
const AUTOLINK = /<(https?:\/\/[^\s<>]*)>/y;
const ADDRESS = /https?:\/\/[^\s<>"`*|\\]*[^\s<>"`*|\\.,:;!?'_)\]]/y;
/** After `[text]`: where it leads, and a title. */
const TARGET =
  /\(\s{0,9}(?:<([^<>\n]*)>|((?:[^\s()\\]|\\[^\s]|\([^\s()]*\))*))(?:\s{1,9}(?:"[^"]*"|'[^']*'|\([^()]*\)))?\s{0,9}\)/y;
const REFERENCE = /\[([^[\]]*)\]/y;

/**
 * @typedef {{href: (target: string) => string, definitions: Map<string, string>}} Links
 * `href` says what an address in the source leads to (empty: nowhere), `definitions` are those of `[label]: address`.
 *
 * @param {string} text
 * @param {Links} links
 * @returns {(Node | string)[]}
 */
export function inline(text, links) {
  return text.length > LONGEST ? [text] : new Parser(text, links).nodes();
}

/** The key of a label: case and spaces do not count. */
export function label(text) {
  return text.trim().replace(/\s+/g, " ").toLowerCase();
}

/** A part is a text, a node with its depth, a run of `*`, `_` or `~`, or an open bracket. */
class Parser {
  #parts = [];
  #brackets = [];
  /** Lengths of runs of backticks that nothing closes from here on. */
  #unclosed = new Set();

  constructor(text, links) {
    this.text = text;
    this.links = links;
    this.at = 0;
  }

  nodes() {
    const { text } = this;
    const special = /[\\`<![\]*_~&\n]|https?:\/\//g;
    while (this.at < text.length) {
      special.lastIndex = this.at;
      const next = special.exec(text);
      this.#add(text.slice(this.at, next?.index));
      if (!next) break;
      this.at = next.index;
      this.#special(text[this.at]);
    }
    return emphasized(this.#parts).map(plain);
  }

  #add(part) {
    if (part !== "") this.#parts.push(part);
  }

  #take(length, part = this.text.slice(this.at, this.at + length)) {
    this.at += length;
    this.#add(part);
  }

  #match(pattern, at = this.at) {
    pattern.lastIndex = at;
    return pattern.exec(this.text);
  }

  #special(character) {
    switch (character) {
      case "\\":
        return this.#escape();
      case "`":
        return this.#code();
      case "&":
        return this.#entity();
      case "\n":
        return this.#lineEnd();
      case "[":
        return this.#open(1);
      case "!":
        return this.text[this.at + 1] === "[" ? this.#open(2) : this.#take(1);
      case "]":
        return this.#close();
      case "*":
      case "_":
      case "~":
        return this.#delimiters(character);
      default:
        return this.#address(character);
    }
  }

  #escape() {
    const next = this.text[this.at + 1] ?? "";
    if (next === "\n") this.#take(2, node(h("br")));
    else if (ESCAPABLE.test(next)) this.#take(2, next);
    else this.#take(1);
  }

  #code() {
    const { length } = this.#match(/`+/y)[0];
    const start = this.at + length;
    const runs = /`+/g;
    runs.lastIndex = start;
    let end;
    while (!this.#unclosed.has(length) && (end = runs.exec(this.text)) && end[0].length !== length);
    if (!end) {
      this.#unclosed.add(length);
      return this.#take(length);
    }
    const code = this.text.slice(start, end.index).replaceAll("\n", " ");
    const padded = /^ .* $/.test(code) && code.trim();
    return this.#take(length + code.length + length, node(h("code", {}, padded ? code.slice(1, -1) : code)));
  }

  #entity() {
    const found = this.#match(ENTITY);
    if (!found) return this.#take(1);
    const [whole, decimal, hex, name] = found;
    const point = decimal ? Number(decimal) : parseInt(hex, 16);
    const character = name ? ENTITIES[name] : point > 0 && point < 0x11_0000 && String.fromCodePoint(point);
    return this.#take(whole.length, typeof character === "string" ? character : whole);
  }

  #lineEnd() {
    const before = this.#parts.at(-1);
    const isBreak = typeof before === "string" && before.endsWith("  ");
    this.#take(1, isBreak ? node(h("br")) : "\n");
  }

  #address(character) {
    const found = this.#match(character === "<" ? AUTOLINK : ADDRESS);
    const isInWord = character !== "<" && /[\p{L}\p{N}]/u.test(this.text[this.at - 1] ?? "");
    if (!found || isInWord || this.#brackets.length) return this.#take(1);
    return this.#take(found[0].length, node(this.#link(found[1] ?? found[0], [found[1] ?? found[0]])));
  }

  #open(length) {
    this.#brackets.push({ part: this.#parts.length, start: this.at + length, isImage: length === 2 });
    this.#take(length);
  }

  #close() {
    const bracket = this.#brackets.pop();
    if (!bracket) return this.#take(1);
    const [target, end] = this.#target(this.text.slice(bracket.start, this.at));
    if (target === undefined) return this.#take(1);
    const inside = this.#parts.splice(bracket.part).slice(1);
    const shown = emphasized(inside).map(plain);
    if (bracket.isImage) this.#add(node(this.#image(target, shown)));
    else {
      this.#add(node(this.#link(target, shown)));
      // No link in a link; an image in one is its text.
      this.#brackets = this.#brackets.filter(({ isImage }) => isImage);
    }
    this.at = end;
    return undefined;
  }

  /** Where a bracket that closes here leads, and where that ends. */
  #target(text) {
    const found = this.#match(TARGET, this.at + 1);
    if (found) return [(found[1] ?? found[2]).replace(/\\([!-/:-@[-`{-~])/g, "$1"), this.at + 1 + found[0].length];
    const reference = this.#match(REFERENCE, this.at + 1);
    const target = this.links.definitions.get(label((reference?.[1] || text).slice(0, LONGEST_LABEL)));
    return [target, this.at + 1 + (reference?.[0].length ?? 0)];
  }

  #link(target, shown) {
    const href = this.links.href(target);
    if (!isOfTheWeb(href)) return h("span", {}, shown);
    return h("a", href.startsWith("#") ? { href } : { href, target: "_blank", rel: "noopener noreferrer" }, shown);
  }

  /** Never fetched, only linked. */
  #image(target, shown) {
    const text = h("span", {}, shown).textContent || target.split("/").at(-1).slice(0, 80);
    const isInLink = this.#brackets.some(({ isImage }) => !isImage);
    const element = isInLink ? h("span", {}, text) : this.#link(target, [text]);
    element.classList.add("image");
    return element;
  }

  #delimiters(mark) {
    const [run] = this.#match(mark === "*" ? /\*+/y : mark === "_" ? /_+/y : /~+/y);
    const [before, after] = [this.text[this.at - 1] ?? " ", this.text[this.at + run.length] ?? " "];
    const isWord = (character) => /[^\s\p{P}\p{S}]/u.test(character);
    const leads = !/\s/.test(after) && (isWord(after) || !isWord(before));
    const trails = !/\s/.test(before) && (isWord(before) || !isWord(after));
    const [opens, closes] = [
      leads && (mark !== "_" || !trails || !isWord(before)),
      trails && (mark !== "_" || !leads || !isWord(after)),
    ];
    const isMark = mark !== "~" || run.length === 2;
    this.#take(run.length, isMark ? { mark, count: run.length, whole: run.length, opens, closes } : run);
  }
}

function node(element, depth = 0) {
  return { element, depth };
}

function plain(part) {
  if (typeof part === "string") return part;
  return part.element ?? part.mark.repeat(part.count);
}

/** Runs of delimiters matched from the inside out, as CommonMark says ("An algorithm for parsing nested emphasis"). */
function emphasized(parts) {
  const bottoms = new Map(); // below it, no opener for such a closer
  for (let at = 0; at < parts.length; at++) {
    const closer = parts[at];
    if (!closer.closes) continue;
    const matches = ({ mark, opens, closes, whole }) =>
      mark === closer.mark &&
      opens &&
      !((closes || closer.opens) && (whole + closer.whole) % 3 === 0 && (whole % 3 || closer.whole % 3));
    const kind = `${closer.mark}${closer.opens}${closer.whole % 3}`;
    const bottom = bottoms.get(kind) ?? 0;
    let from = at - 1;
    while (from >= bottom && !matches(parts[from])) from--;
    if (from < bottom) {
      bottoms.set(kind, at);
      continue;
    }
    const opener = parts[from];
    const inside = parts.slice(from + 1, at);
    const depth = 1 + inside.reduce((most, part) => Math.max(most, part.depth ?? 0), 0);
    if (depth > DEEPEST) continue;
    const size = Math.min(2, opener.count, closer.count);
    const name = closer.mark === "~" ? "s" : size === 2 ? "strong" : "em";
    opener.count -= size;
    closer.count -= size;
    const kept = [opener.count && opener, node(h(name, {}, inside.map(plain)), depth), closer.count && closer];
    parts.splice(from, at - from + 1, ...kept.filter(Boolean));
    at = from + (opener.count ? 1 : 0);
  }
  return parts;
}
