/** Colours for code: comments, strings, numbers, keywords, tags. One pass by a regular expression; never markup. */

import { h } from "./dom.js";

/** Longer blocks stay as they are. */
const LONGEST = 30_000;

const WORDS = {
  python:
    "False None True and as assert async await break case class continue def del elif else except finally for from global if import in is lambda match nonlocal not or pass raise return self try while with yield",
  script:
    "abstract any as async await boolean break case catch class const continue debugger default delete do else enum export extends false finally for from function get if implements import in instanceof interface keyof let new null number of private protected public readonly return set static string super switch this throw true try type typeof undefined var void while yield",
  rust:
    "Self as async await break const continue crate dyn else enum extern false fn for if impl in let loop match mod move mut pub ref return self static struct super trait true type unsafe use where while",
  c: "abstract auto base bool boolean break byte case catch char class const continue default defer delete do double else enum extends extern false final finally float for foreach func function go goto if implements import in int interface internal is let long map namespace new nil null nullptr object operator out override package private protected public range return sealed select short signed sizeof static string struct super switch template this throw true try type typedef typename union unsigned using val var virtual void volatile while",
  shell:
    "case do done elif else esac exit export fi for function if in local return select set source then until while sudo",
  powershell:
    "begin break catch class continue do else elseif end enum exit filter finally for foreach function if in param process return switch throw trap try until using while",
  sql:
    "add all alter and as asc between by case create delete desc distinct drop else end exists from group having in index inner insert into is join left like limit not null on or order outer primary key references right select set table then union unique update values view when where with",
  data: "true false null yes no on off",
};
const SHARP = "#[^\\n]*";
const SLASHES = "//[^\\n]*|/\\*[^]*?(?:\\*/|(?![^]))";
const QUOTED = "\"(?:[^\"\\\\\\n]|\\\\.)*\"|'(?:[^'\\\\\\n]|\\\\.)*'";
const NUMBER = "\\b(?:0[xXbBoO][\\da-fA-F_]+|\\d[\\d_]*(?:\\.\\d+)?(?:[eE][+-]?\\d+)?)\\b";
const NAME = "[A-Za-z_$][\\w$]*";
/** By family: comments, strings, keywords, and what else counts as a name. */
const FAMILIES = {
  python: { comment: SHARP, string: `[rbfuRBFU]{0,2}(?:"""[^]*?(?:"""|(?![^]))|'''[^]*?(?:'''|(?![^]))|${QUOTED})`, words: "python", tag: "@[\\w.]+" },
  script: { comment: SLASHES, string: `${QUOTED}|\`(?:[^\`\\\\]|\\\\.)*\``, words: "script", tag: "(?<![\\w.])</?[A-Za-z][\\w.-]*" },
  rust: { comment: SLASHES, string: '"(?:[^"\\\\]|\\\\.)*"', words: "rust", tag: "#!?\\[[^\\]\\n]*\\]|\\b\\w+!" },
  c: { comment: SLASHES, string: QUOTED, words: "c", tag: "^[ \\t]*#\\w+|@\\w+" },
  shell: { comment: "(?<![\\w$])#[^\\n]*", string: QUOTED, words: "shell", tag: "^[ \\t]*[$>](?= )|(?<=\\s)--?[\\w-]+|\\$\\{?\\w+\\}?" },
  console: { comment: "(?!)", string: "(?!)", words: "", tag: "^[ \\t]*(?:[$>#%]|PS[^>\\n]{0,60}>)(?= )" },
  powershell: { comment: "<#[^]*?(?:#>|(?![^]))|#[^\\n]*", string: QUOTED, words: "powershell", tag: "\\$[\\w:]+|\\b[A-Z]\\w+-[A-Z]\\w+|(?<=\\s)-[A-Za-z]\\w*" },
  sql: { comment: "--[^\\n]*|/\\*[^]*?(?:\\*/|(?![^]))", string: "'(?:[^']|'')*'", words: "sql", tag: "@\\w+" },
  data: { comment: "(?<!\\S)#[^\\n]*", string: QUOTED, words: "data", tag: "^[ \\t]*(?:- )?[\\w.\"'/-]+(?=\\s*[:=])|^\\s*\\[[^\\]\\n]+\\]" },
  json: { comment: SLASHES, string: '"(?:[^"\\\\\\n]|\\\\.)*"(?!\\s*:)', words: "data", tag: '"(?:[^"\\\\\\n]|\\\\.)*"(?=\\s*:)' },
  markup: { comment: "<!--[^]*?(?:-->|(?![^]))", string: QUOTED, words: "", tag: "</?[A-Za-z][\\w:.-]*|/?>" },
  css: { comment: "/\\*[^]*?(?:\\*/|(?![^]))", string: QUOTED, words: "", tag: "[\\w-]+(?=\\s*:)|[.#@][\\w-]+" },
  diff: { comment: "^@@[^\\n]*", string: "^\\+[^\\n]*", words: "", tag: "^-[^\\n]*" },
};
const NAMES = {
  python: "python py python3 pycon",
  script: "javascript js jsx ts tsx typescript mjs cjs node vue svelte",
  rust: "rust rs",
  c: "c cpp c++ cs csharp java kotlin kt go golang swift php scala dart objc proto groovy",
  shell: "bash sh shell zsh fish dockerfile docker make makefile",
  console: "console shellsession terminal output powershell-console",
  powershell: "powershell pwsh ps1 powershell-interactive azurepowershell",
  sql: "sql mysql postgres psql",
  data: "yaml yml toml ini properties conf hcl terraform",
  json: "json jsonc json5 jsonl",
  markup: "html xml svg xaml jinja jinja2 markdown-html",
  css: "css scss less",
  diff: "diff patch",
};
const FAMILY = new Map(Object.entries(NAMES).flatMap(([family, names]) => names.split(" ").map((name) => [name, family])));
const KINDS = ["comment", "string", "tag", "number"];
const patterns = new Map();

function patternOf(family) {
  if (!patterns.has(family)) {
    const { comment, string, tag } = FAMILIES[family];
    const parts = [comment, string, tag, NUMBER].map((part, i) => `(?<${KINDS[i]}>${part})`);
    const words = new Set((WORDS[FAMILIES[family].words] ?? "").split(" "));
    patterns.set(family, { pattern: new RegExp([...parts, `(?<name>${NAME})`].join("|"), "gm"), words });
  }
  return patterns.get(family);
}

/** Colours the blocks of an element that say their language. */
export function colour(element) {
  for (const block of element.querySelectorAll("pre[data-language] > code")) {
    const family = FAMILY.get(block.parentElement.dataset.language.toLowerCase());
    const { textContent: text } = block;
    if (family && text.length <= LONGEST) block.replaceChildren(...coloured(text, family));
  }
}

function coloured(text, family) {
  const { pattern, words } = patternOf(family);
  const isWord = family === "sql" || family === "powershell" ? (name) => words.has(name.toLowerCase()) : (name) => words.has(name);
  const nodes = [];
  let at = 0;
  for (const { 0: found, index, groups } of text.matchAll(pattern)) {
    const kind = groups.name === undefined ? KINDS.find((name) => groups[name] !== undefined) : isWord(found) && "word";
    if (!kind || !found) continue;
    nodes.push(text.slice(at, index), h("span", { class: `code-${kind}` }, found));
    at = index + found.length;
  }
  return [...nodes, text.slice(at)].filter((node) => node !== "");
}
