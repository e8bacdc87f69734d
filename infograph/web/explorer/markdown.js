/**
 * Markdown of anyone, as elements: headings, paragraphs, lists, quotes, code, tables, notes. HTML in it is shown as the
 * text that it is. It makes only the elements named here, sets no attribute from the source but link targets that
 * `dom.js` lets pass, and takes time in proportion to the text.
 */

import { h } from "./dom.js";
import { inline, label } from "./inline.js";

/** Lists in lists, quotes in quotes. */
const DEEPEST = 12;
const LARGEST = 300_000;
const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/;
const HEADING = /^ {0,3}(#{1,6})(?=[ \t]|$)(.*)$/;
const UNDERLINE = /^ {0,3}(=+|-+)[ \t]*$/;
const RULE = /^ {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/;
const QUOTE = /^ {0,3}> ?/;
const ITEM = /^( {0,3})([-+*]|\d{1,9}[.)])(?= |$)/;
const HTML = /^ {0,3}<(?!https?:)[A-Za-z/!?]/;
/** MkDocs: `!!! note "Title"` over indented lines. */
const ADMONITION = /^(?:!!!|\?\?\?\+?) +([\w-]+)[^"]*(?:"([^"]*)")?/;
/** MkDocs: `=== "Title"` over indented lines. */
const TAB = /^===[+!]? +"([^"]*)"/;
/** GitHub, DocFX: the first line of a quote. */
const ALERT = /^\s*\[!(\w+)\]\s*(.*)$/;
/** Python-Markdown and others: `{#id .class key=value}`, `{: .class}`, on a line of its own or at the end of one. */
const ATTRIBUTES = /(?:^|[ \t]|(?<=[\])`}]))\{:?[ \t]*[#.][^{}\n]{0,200}\}[ \t]*$/;
/** What the kinds of boxes have in common, for their colour. */
const TONES = {
  tip: "good", hint: "good", success: "good", check: "good", done: "good",
  warning: "warn", caution: "warn", attention: "warn", important: "warn", question: "warn",
  danger: "bad", error: "bad", bug: "bad", failure: "bad", fail: "bad",
}; // prettier-ignore
/** Docusaurus: `:::note Title` up to `:::`; `///` with some plugins of MkDocs. */
const CONTAINER = /^ {0,3}(:{3,}|\/{3,}) *([A-Za-z][\w-]*)?(.*)$/;
const DEFINITION = /^ {0,3}\[([^\]]+)\]: *<?([^\s<>]+)>?/;
const FRONT_MATTER = /^---\n([\s\S]*?)\n(?:---|\.\.\.)(?:\n|$)/;

/**
 * @param {string} source
 * @param {(target: string) => string} href what a link of the source leads to; empty: nowhere
 * @returns {Node[]}
 */
export function markdown(source, href) {
  const text = source
    .slice(0, LARGEST)
    .replace(/\r\n?/g, "\n")
    .replace(/^\uFEFF/, "");
  const front = FRONT_MATTER.exec(text);
  const lines = text
    .slice(front?.[0].length ?? 0)
    .split("\n")
    .map(untabbed);
  const definitions = new Map();
  for (const [, name, target] of lines.map((line) => DEFINITION.exec(line)).filter(Boolean)) {
    if (!name.startsWith("^")) definitions.set(label(name), target);
  }
  const nodes = new Blocks({ href, definitions }, 0).all(lines);
  if (front) nodes.unshift(h("details", {}, h("summary", {}, "Front matter"), pre(front[1], "raw")));
  if (source.length > LARGEST) nodes.push(h("p", { class: "note" }, "The rest of this long text is left out here."));
  return nodes;
}

/** A text as it is, in a box that can be scrolled by keyboard. */
export function pre(text, kind, language) {
  return h("pre", { class: kind, tabindex: 0, "data-language": language }, h("code", {}, text));
}

class Blocks {
  constructor(links, depth) {
    this.links = links;
    this.depth = depth;
  }

  all(lines, isTight = false) {
    if (this.depth > DEEPEST) return [pre(lines.join("\n"), "raw")];
    this.lines = lines;
    this.at = 0;
    const nodes = [];
    while (this.at < lines.length) {
      if (blank(this.#line)) this.at++;
      else nodes.push(this.#guarded(isTight));
    }
    return nodes.flat();
  }

  /** The next block; where that fails, its lines as they are: no block costs the others. */
  #guarded(isTight) {
    const start = this.at;
    try {
      return this.#block(isTight);
    } catch (error) {
      console.warn("A block is shown as text:", error);
      this.at = Math.max(this.at, start + 1);
      return pre(this.lines.slice(start, this.at).join("\n"), "raw");
    }
  }

  get #line() {
    return this.lines[this.at];
  }

  #within(lines, isTight) {
    return new Blocks(this.links, this.depth + 1).all(lines, isTight);
  }

  #inline(text) {
    return inline(text, this.links);
  }

  #block(isTight) {
    const line = this.#line;
    if (line.startsWith("    ")) return this.#indented();
    const fence = fenceOf(line);
    if (fence) return this.#fence(...fence);
    if (HEADING.test(line)) return this.#heading();
    if (RULE.test(line)) return this.#one(h("hr"));
    if (QUOTE.test(line)) return this.#quote();
    if (ADMONITION.test(line)) return this.#admonition();
    if (TAB.test(line)) return this.#tab();
    if (/^ {0,3}\{/.test(line) && ATTRIBUTES.test(line) && !line.replace(ATTRIBUTES, "").trim()) return this.#one([]);
    if (CONTAINER.exec(line)?.[2]) return this.#container();
    if (CONTAINER.test(line) && /^[:/\s]*$/.test(line)) return this.#one([]);
    if (ITEM.test(line)) return this.#list();
    if (HTML.test(line)) return this.#html();
    if (DEFINITION.test(line) && !line.trimStart().startsWith("[^")) return this.#one([]);
    if (line.includes("|") && isDelimiterRow(this.lines[this.at + 1], cells(line).length)) return this.#table();
    return this.#paragraph(isTight);
  }

  #one(node) {
    this.at++;
    return node;
  }

  /** Lines from here on for which `goes` holds. */
  #while(goes) {
    const start = this.at;
    while (this.at < this.lines.length && goes(this.#line)) this.at++;
    return this.lines.slice(start, this.at);
  }

  /** Lines that are indented, blank ones among them, without their indent. */
  #inset(width) {
    const lines = this.#while((line) => blank(line) || indent(line) >= width).map((line) => line.slice(width));
    while (lines.length && blank(lines.at(-1))) lines.pop();
    return lines;
  }

  #indented() {
    return pre(this.#inset(4).join("\n"));
  }

  #fence(mark, info) {
    const width = indent(this.#line);
    this.at++;
    const isEnd = (line) => {
      const own = line.trim();
      return indent(line) < 4 && own.length >= mark.length && own === mark[0].repeat(own.length);
    };
    const lines = this.#while((line) => !isEnd(line));
    this.at++;
    const text = lines.map((line) => line.slice(Math.min(width, indent(line)))).join("\n");
    return pre(text, undefined, /^[\w+#.-]{1,20}/.exec(info)?.[0]);
  }

  #heading() {
    const [, { length }, rest] = HEADING.exec(this.#line);
    let text = rest.trim();
    let end = text.length;
    while (text[end - 1] === "#") end--;
    if (end === 0 || text[end - 1] === " ") text = text.slice(0, end).trim();
    return this.#one(this.#titled(length, text));
  }

  /** One level deeper than in the source: the page has a title above. */
  #titled(level, text) {
    return h(`h${Math.min(6, level + 1)}`, { dir: "auto" }, this.#inline(bare(text)));
  }

  #quote() {
    const lines = this.#while((line) => QUOTE.test(line) || (!blank(line) && !this.#begins(line)));
    const within = lines.map((line) => line.replace(QUOTE, ""));
    const [, kind, title] = ALERT.exec(within[0]) ?? [];
    return kind ? this.#aside(kind.toLowerCase(), title, within.slice(1)) : h("blockquote", {}, this.#within(within));
  }

  #admonition() {
    const [, kind, title] = ADMONITION.exec(this.#line);
    this.at++;
    return this.#aside(kind, title, this.#inset(4));
  }

  #tab() {
    const [, title] = TAB.exec(this.#line);
    this.at++;
    return this.#aside("tab", title, this.#inset(4));
  }

  #container() {
    const [, mark, kind, rest] = CONTAINER.exec(this.#line);
    this.at++;
    let open = 1;
    const lines = this.#while((line) => {
      const found = CONTAINER.exec(line);
      if (found?.[1][0] === mark[0]) open += found[2] ? 1 : -1;
      return open > 0;
    });
    this.at++;
    return this.#aside(kind, rest.trim().replace(/^[|[] *|\]$/g, ""), lines);
  }

  #aside(kind, title, lines) {
    const heading = title || kind[0].toUpperCase() + kind.slice(1);
    const tone = kind === "tab" ? "tab" : TONES[kind];
    const box = { class: tone ? `aside ${tone}` : "aside" };
    return h("div", box, h("p", { class: "aside-title", dir: "auto" }, this.#inline(heading)), this.#within(lines));
  }

  #list() {
    const [, , first] = ITEM.exec(this.#line);
    const isOrdered = first.length > 1;
    const items = [];
    let isLoose = false;
    for (let found; (found = !RULE.test(this.#line ?? "") && ITEM.exec(this.#line ?? "")); ) {
      if (found[2].at(-1) !== first.at(-1)) break;
      const [lines, endsBlank] = this.#item(found);
      items.push(lines);
      const goesOn = ITEM.exec(this.#line ?? "")?.[2].at(-1) === first.at(-1);
      isLoose ||=
        (endsBlank && goesOn) || lines.some((line, i) => blank(line) && i > 0 && indent(lines[i + 1] ?? " ") === 0);
    }
    const start = isOrdered && Number(first.slice(0, -1)) !== 1 ? { start: Number(first.slice(0, -1)) } : {};
    return h(
      isOrdered ? "ol" : "ul",
      start,
      items.map((lines) => this.#listItem(lines, !isLoose)),
    );
  }

  /** The lines of an item without their indent, and whether a blank one follows. */
  #item([marker]) {
    const line = this.#line;
    const spaces = indent(line.slice(marker.length));
    const width = marker.length + (spaces > 4 || spaces === line.length - marker.length ? 1 : spaces);
    const lines = [line.slice(width)];
    this.at++;
    for (; this.at < this.lines.length; this.at++) {
      if (blank(this.#line)) {
        let next = this.at + 1;
        while (next < this.lines.length && blank(this.lines[next])) next++;
        if (next === this.lines.length || indent(this.lines[next]) < width) break;
        lines.push("");
        this.at = next - 1;
      } else if (indent(this.#line) >= width) lines.push(this.#line.slice(width));
      else if (!blank(lines.at(-1)) && !this.#begins(this.#line) && !ITEM.test(this.#line))
        lines.push(this.#line.trimStart());
      else break;
    }
    const end = this.at;
    while (this.at < this.lines.length && blank(this.#line)) this.at++;
    return [lines, this.at > end];
  }

  #listItem(lines, isTight) {
    const task = /^\[([ xX])\] /.exec(lines[0]);
    if (!task) return h("li", {}, this.#within(lines, isTight));
    const box = h("span", { class: "task", role: "img", "aria-label": task[1] === " " ? "To do" : "Done" });
    box.textContent = task[1] === " " ? "☐ " : "☑ ";
    return h("li", { class: "has-task" }, box, this.#within([lines[0].slice(4), ...lines.slice(1)], isTight));
  }

  /** As text: up to a blank line, a comment up to its end. */
  #html() {
    const isComment = this.#line.trimStart().startsWith("<!--");
    let ended = false;
    const lines = this.#while((line) => {
      if (isComment ? ended : blank(line)) return false;
      ended = line.includes("-->");
      return true;
    });
    return pre(lines.join("\n"), "raw");
  }

  #table() {
    const head = cells(this.#line);
    const aligned = cells(this.lines[this.at + 1]).map((cell) => {
      if (!cell.endsWith(":")) return undefined;
      return cell.startsWith(":") ? "center" : "end";
    });
    this.at += 2;
    const rows = this.#while((line) => !blank(line) && !this.#begins(line)).map(cells);
    const cell = (name, text, i) => h(name, { class: aligned[i], dir: "auto" }, this.#inline(text ?? ""));
    return h(
      "div",
      { class: "table", tabindex: 0, role: "group", "aria-label": "Table" },
      h(
        "table",
        {},
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            head.map((text, i) => cell("th", text, i)),
          ),
        ),
        h(
          "tbody",
          {},
          rows.map((row) =>
            h(
              "tr",
              {},
              head.map((_, i) => cell("td", row[i], i)),
            ),
          ),
        ),
      ),
    );
  }

  #paragraph(isTight) {
    const lines = [this.#one(this.#line)];
    while (this.at < this.lines.length && !blank(this.#line)) {
      const underline = UNDERLINE.exec(this.#line);
      if (underline) return this.#one(this.#titled(underline[1][0] === "=" ? 1 : 2, lines.join("\n").trim()));
      if (this.#begins(this.#line)) break;
      lines.push(this.#one(this.#line));
    }
    const shown = this.#inline(
      lines
        .map((line) => bare(line.trimStart()))
        .join("\n")
        .trimEnd(),
    );
    return isTight ? shown : h("p", { dir: "auto" }, shown);
  }

  /** Whether a line begins a block even right after a paragraph. */
  #begins(line) {
    const item = ITEM.exec(line);
    const startsList =
      item && line.trim() !== item[2] && (item[2].length === 1 || item[2] === "1." || item[2] === "1)");
    return Boolean(
      startsList || fenceOf(line) || HEADING.test(line) || RULE.test(line) || QUOTE.test(line) || CONTAINER.test(line),
    );
  }
}

/** A line without the attributes at its end, which may be of a length that takes no time to look through. */
function bare(line) {
  return line.endsWith("}") || line.trimEnd().endsWith("}") ? line.replace(ATTRIBUTES, "").trimEnd() : line;
}

function blank(line) {
  return line.trim() === "";
}

function indent(line) {
  let width = 0;
  while (line[width] === " ") width++;
  return width;
}

/** A line whose indent is of spaces. */
function untabbed(line) {
  let width = 0;
  let at = 0;
  for (; line[at] === " " || line[at] === "\t"; at++) width += line[at] === "\t" ? 4 - (width % 4) : 1;
  return line.slice(0, at).includes("\t") ? " ".repeat(width) + line.slice(at) : line;
}

/** Mark and info string of an opening fence. */
function fenceOf(line) {
  const found = FENCE.exec(line);
  return found && !(found[1][0] === "`" && found[2].includes("`")) ? [found[1], found[2].trim()] : null;
}

/** Cells of a table's row; `\|` is no border. */
function cells(line) {
  const row = line.trim();
  const found = [""];
  for (let at = 0; at < row.length; at++) {
    if (row[at] === "\\" && row[at + 1] === "|") found[found.length - 1] += row[++at];
    else if (row[at] === "|") found.push("");
    else found[found.length - 1] += row[at];
  }
  if (row.startsWith("|")) found.shift();
  if (found.length > 1 && blank(found.at(-1))) found.pop();
  return found.map((cell) => cell.trim());
}

function isDelimiterRow(line, columns) {
  if (line === undefined || !line.includes("-")) return false;
  const row = cells(line);
  return row.length === columns && row.every((cell) => /^:?-+:?$/.test(cell));
}
