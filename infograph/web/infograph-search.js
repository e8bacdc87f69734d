/**
 * `<infograph-search>`: a button that opens the search of a published tree. No dependency, no build step.
 *
 *     <script type="module" src="infograph-search.js"></script>
 *     <infograph-search></infograph-search>
 *
 * For pages that have a `<div id="search">` instead: `infograph-search.js?into=%23search` as the script's address, or
 * `attach("#search")`. It searches the tree that it lies in. What a tree says is only ever set as text, and only
 * addresses of the web become links; no style and no script stands in the markup, so a strict policy lets it work.
 */

const HERE = new URL(".", import.meta.url);
const MANIFEST = "_search/manifest.json";
/** What a search loads, beside the entry: asked for at once, since each waits for who imports it otherwise. */
const MODULES = "options highlight";
/** What its whole answer needs: asked for when these are there, as a host may answer six requests at a time. */
const MORE = "lookups words dictionary order links question";

/** Milliseconds without a key before a search. */
const PAUSE = 120;
/** Milliseconds after which an answer to the bare words is shown, while the whole answer is on its way. */
const SOON = 300;
/** Milliseconds that a call may take: on a slow line one file may take a quarter of it. */
const PATIENCE = 40_000;
/** Hits that are asked for at first, and with each press of "more". */
const AT_ONCE = 12;
/** Hits of the first answer on a slow line: their files are as many as a browser asks for at a time. */
const FIRST = 6;
const MOST_RECENT = 5;
/** Words of a query, close words of each, that are offered where there is no answer. */
const [WORDS, CLOSE] = [4, 3];
const SVG = "http://www.w3.org/2000/svg";
const RTL = /^(?:ar|fa|he|ur)\b/;

/** Languages of the texts: those of all but English lie in `infograph/box/`, a module for each. */
const LANGUAGES = "en de fr es it pt nl pl ja zh ar";

/** The texts, in English. `{n}` is a number, `{q}` a query, `{x}` is searched for instead of `{y}`. */
const ENGLISH = {
  search: "Search",
  placeholder: "Search the documentation",
  close: "Close",
  choose: "Choose",
  open: "Open",
  recent: "Recent searches",
  forget: "Forget them",
  results: "Results",
  count: "Results: {n}",
  none: "Nothing found for “{q}”",
  other: "Try other words, or fewer.",
  near: "Close to it:",
  instead: "Searched for {x} instead of {y}.",
  exactly: "Search for what was typed",
  section: "Search in",
  everything: "Everything",
  widen: "Search everything",
  more: "More results",
  similar: "Nearly the same: {n}",
  known: "Answers: {q}",
  via: "By way of {q}",
  loading: "Searching …",
  failed: "The search cannot be read just now.",
  offline: "There is no connection to the internet.",
  slow: "The server takes too long.",
  old: "The search index is newer than this page.",
  retry: "Try again",
  reload: "Load the page again",
  partial: "The answer may be incomplete.",
  start: "Type what you look for.",
  common: "Add a word that says more.",
};

/** Custom properties that a site sets, with what holds where it does not; those of the dark theme after the slash. */
const LOOKS = {
  accent: "#0b63ce/#7cb7ff",
  background: "#fff/#1b1d22",
  text: "#1f2328/#e4e6ea",
  muted: "#59616b/#a3abb6",
  border: "#d5d9de/#3b4048",
  selected: "#e8f0fc/#29364a",
  mark: "#fff1a8/#5c4d00",
  "mark-text": "#1f2328/#fff6cf",
  error: "#b3261e/#ff9e94",
};
const looks = (theme) =>
  Object.entries(LOOKS)
    .map(([name, values]) => `--${name}: var(--infograph-${name}, ${values.split("/")[theme]});`)
    .join("");

const STYLE = `
:host { display: inline-block; max-width: 100%; font-family: var(--infograph-font, inherit) }
:host([hidden]) { display: none }
:host * { box-sizing: border-box }
button, input, select { font: inherit; color: inherit; margin: 0 }
button { cursor: pointer }
svg { width: 1.1em; height: 1.1em; flex: none; fill: none; stroke: currentColor; stroke-width: 2; stroke-linecap: round }
.trigger {
  display: flex; align-items: center; gap: .6em; width: var(--infograph-trigger-width, 14em); max-width: 100%;
  padding: .4em .7em; font-size: var(--infograph-trigger-size, 14px); line-height: 1.5; text-align: start;
  color: var(--infograph-trigger-text, inherit); border-radius: var(--infograph-radius, 8px);
  background: var(--infograph-trigger-background, color-mix(in srgb, currentColor 8%, transparent));
  border: 1px solid var(--infograph-trigger-border, color-mix(in srgb, currentColor 35%, transparent));
}
.label { flex: 1; overflow: hidden; text-overflow: ellipsis; white-space: nowrap }
kbd::before { content: attr(data-key) }
kbd { font: inherit; font-size: .85em; padding: 0 .4em; border: 1px solid color-mix(in srgb, currentColor 30%, transparent); border-radius: 4px }
:host([variant=icon]) .trigger { width: auto; padding: .5em; border-color: transparent; background: none }
:host([variant=icon]) :is(.label, .trigger kbd) { display: none }
@media (max-width: 45em) { .trigger { width: auto } .label, .trigger kbd { display: none } }
:focus-visible { outline: 2px solid var(--accent, currentColor); outline-offset: 2px }
dialog {
  ${looks(0)}
  position: fixed; inset: 8vh 0 auto; width: min(var(--infograph-width, 704px), 100% - 32px); max-height: 80vh;
  margin: 0 auto; padding: 0; flex-direction: column; overflow: hidden; font-size: 16px; line-height: 1.5;
  text-align: start; white-space: normal; color: var(--text); background: var(--background); color-scheme: light;
  border: 1px solid var(--border); border-radius: var(--infograph-radius, 8px); box-shadow: 0 16px 48px #0006;
}
dialog[open] { display: flex }
dialog.dark { ${looks(1)} color-scheme: dark }
dialog::backdrop { background: var(--infograph-backdrop, #0008) }
.head { display: flex; flex-wrap: wrap; align-items: center; gap: 10px; padding: 10px 16px; border-bottom: 1px solid var(--border) }
.head > svg { color: var(--muted) }
input { flex: 1; min-width: 8em; padding: 5px 0; font-size: 18px; border: 0; background: none; outline: 0 !important }
.head:has(input:focus-visible) { box-shadow: inset 0 -2px var(--accent) }
input::placeholder { color: var(--muted); opacity: 1 }
select, .plain { padding: 3px 10px; font-size: 14px; border: 1px solid var(--border); border-radius: 6px; background: var(--background) }
select { max-width: 12em }
.body { flex: 1; overflow: auto; overscroll-behavior: contain; padding: 8px }
.note { margin: 5px 8px; font-size: 14px; color: var(--muted); overflow-wrap: anywhere }
.note strong, .note q { color: var(--text) }
.note button { margin: 3px; color: var(--text) }
.error { color: var(--error) }
[role=group] { margin-bottom: 8px }
.page { padding: 6px 10px 2px; font-size: 14px; font-weight: 600; color: var(--muted); overflow-wrap: anywhere }
[role=option] { display: block; padding: 7px 10px; border-radius: 6px; border-inline-start: 3px solid transparent; color: inherit; text-decoration: none; cursor: pointer; overflow-wrap: anywhere; scroll-margin: 32px }
[role=option]:hover { background: color-mix(in srgb, var(--selected) 60%, transparent) }
[role=option][aria-selected=true] { background: var(--selected); border-color: var(--accent) }
[role=option] > span { display: block }
.title { font-weight: 600; color: var(--accent) }
.where, .similar { font-size: 13px; color: var(--muted) }
.snippet { font-size: 14px; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 3; overflow: hidden }
.foot { display: flex; flex-wrap: wrap; gap: 2px 16px; padding: 6px 16px; font-size: 12px; color: var(--muted); border-top: 1px solid var(--border) }
mark { color: var(--mark-text); background: var(--mark); border-radius: 2px }
@media (max-width: 45em) { dialog { inset: 0; width: 100%; max-width: none; height: 100%; max-height: none; border: 0; border-radius: 0 } .foot { display: none } }
@media (forced-colors: active) { [aria-selected=true] { outline: 2px solid } }
.sr { position: absolute; overflow: hidden; clip-path: inset(50%) }
`;

function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value);
  }
  element.append(...children.flat(Infinity).filter((child) => child || child === 0));
  return element;
}
const h = (name, attributes, ...children) => filled(document.createElement(name), attributes, children);
const glass = () =>
  filled(document.createElementNS(SVG, "svg"), { viewBox: "0 0 24 24", "aria-hidden": true }, [
    filled(document.createElementNS(SVG, "path"), { d: "M10.5 4a6.5 6.5 0 1 0 0 13a6.5 6.5 0 1 0 0-13M15.5 15.5 21 21" }, []),
  ]);

/** A text with values, or elements, in the places of its `{n}`. */
const fill = (text, values) => text.split(/\{(\w)\}/).map((part, i) => (i % 2 ? values[part] : part));

/** A text as nodes, its spans marked. */
function marked(text, spans) {
  let at = 0;
  const nodes = spans.map(([start, end]) => {
    const pair = [text.slice(at, start), h("mark", { part: "mark" }, text.slice(start, end))];
    at = end;
    return pair;
  });
  return [nodes, text.slice(at)];
}

/** Titles between a hit's page and its own. */
const path = ({ page_title, section_path, title }) =>
  section_path.filter((name, i, all) => name !== page_title && !(i === all.length - 1 && name === title)).join(" › ");

/** Texts by language, as far as they are loaded; in English where a language cannot be. */
const spoken = { en: ENGLISH };

/** Boxes of the page that offer tools to agents: the first does, the others once it is gone. */
const offering = new Set();

const clients = new Map();

/** The client of a tree, with its manifest read; fetched once for all elements of a page. */
function clientOf(root) {
  const known = clients.get(root) ?? opened(root);
  clients.set(root, known);
  known.catch(() => clients.get(root) === known && clients.delete(root));
  return known;
}

const load = (names) => {
  for (const name of names.split(" ")) import(new URL(`infograph/${name}.js`, HERE)).catch(() => {});
};

async function opened(root) {
  // The manifest and the modules at once. What fails here fails again below, where it is said.
  const address = new URL(MANIFEST, root).href;
  let early = fetch(address, { cache: "no-cache", redirect: "manual" });
  early.catch(() => {});
  const entry = import(new URL("infograph/infograph.js", HERE));
  load(MODULES);
  const { Client } = await entry;
  load(MORE);
  const first = (url, options) => {
    const response = url === address && options.cache === "no-cache" && early;
    if (response) early = null;
    return response || fetch(url, options);
  };
  const client = new Client(root, { fetch: first, timeout: PATIENCE });
  await client.highlight("a", "a");
  return client;
}

/**
 * A search in which the last word may not be finished: the most frequent term that begins with it counts, too. Where
 * that is another, no word is taken for a slip of the pen yet.
 */
async function instant(client, query, options) {
  const { signal } = options;
  const word = /[\p{L}\p{N}_]{2,}$/u.exec(query)?.[0].toLowerCase();
  let exact;
  // What has no term is a stop word, and those are finished.
  if (word && (await client.highlight(word, word, { signal })).length) {
    const [best] = (await client.complete(word, { limit: 1, signal })).terms;
    exact = best && best[0] !== word;
    if (exact) query += ` ${best[0]}`;
  }
  const answer = await client.search(query, { ...options, exact: Boolean(exact) });
  return { ...answer, query: [query, ...Object.values(answer.corrected)].join(" ") };
}

/** Whether the page is dark: its text is light. */
function isDark() {
  const { color } = getComputedStyle(document.body);
  if (!color.startsWith("rgb")) return matchMedia("(prefers-color-scheme: dark)").matches;
  const [red, green, blue] = color.match(/[\d.]+/g);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 128;
}

/** Queries that led somewhere, the last first: remembered where the browser allows it. */
function recall(name) {
  try {
    return JSON.parse(localStorage.getItem(name)).filter((query) => typeof query === "string").slice(0, MOST_RECENT);
  } catch {
    return []; // nothing yet, something else, or no storage
  }
}

function remember(name, queries) {
  try {
    localStorage.setItem(name, JSON.stringify(queries));
  } catch {
    // Full, or forbidden: nothing is remembered.
  }
}

/**
 * Attributes: `root`, address of the tree; `path`, the folder to search in; `sections`, `auto` or `folder=Name, …`;
 * `variant="icon"`; `keys`, of `k /`; `lang`, `strings` (JSON), `placeholder`; `theme`, `light` or `dark`; `recent="off"`;
 * `same-host`, for results whose address names another host than shows the page; `pages`, the address that relative ones
 * begin at; `tools="off"`, for no tools of agents in the browser (WebMCP). Events: `infograph-open`, `infograph-close`, and `infograph-select`, which can be prevented.
 */
export class InfographSearch extends HTMLElement {
  static observedAttributes = ["lang", "strings", "placeholder"];

  #parts;
  #options = [];
  #active = -1;
  #call = new AbortController();
  #timer;
  #shown = AT_ONCE;
  #exact = false;
  #entered = false;
  #listening;
  #own = {};
  /** Tells each result once that it is seen. */
  #seen = new IntersectionObserver((entries, seen) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      seen.unobserve(target);
      target.quote();
    }
  });

  constructor() {
    super();
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLE);
    this.attachShadow({ mode: "open" }).adoptedStyleSheets = [sheet];
    const prefetch = () => this.prefetch();
    const trigger = h(
      "button",
      {
        type: "button", class: "trigger", part: "trigger", "aria-haspopup": "dialog",
        click: () => this.open(), focus: prefetch, pointerenter: prefetch,
        keydown: (event) => this.#begun(event),
      },
      glass(),
      h("span", { class: "label", part: "label" }),
      h("kbd", { part: "key", "aria-hidden": true }),
    ); // prettier-ignore
    const input = h("input", {
      part: "input", role: "combobox", id: "input", type: "text", autofocus: "", autocomplete: "off", spellcheck: "false",
      autocapitalize: "off", enterkeyhint: "search", "aria-expanded": false, "aria-controls": "list",
      "aria-autocomplete": "list", dir: "auto", input: () => this.#typed(), keydown: (event) => this.#pressed(event),
    }); // prettier-ignore
    const section = h("select", { part: "section", hidden: "", change: () => this.#again() });
    const close = h("button", { type: "button", class: "plain", part: "close", click: () => this.close() }, "✕");
    const notes = h("div", { class: "notes" });
    const list = h("div", { role: "listbox", id: "list", part: "list", hidden: "", click: (event) => this.#clicked(event) });
    const status = h("p", { class: "sr", role: "status" });
    const body = h("div", { class: "body", part: "body" }, notes, list);
    const foot = h("div", { class: "foot", part: "foot", "aria-hidden": true }); // the pattern says what keys do
    const dialog = h(
      "dialog",
      {
        part: "dialog", close: () => this.#closed(),
        click: ({ target }) => target === dialog && this.close(),
        pointerdown: (event) => list.contains(event.target) && event.preventDefault(), // the box keeps the focus
      },
      h("div", { class: "head", part: "head" }, glass(), input, section, close),
      body,
      foot,
      status,
    ); // prettier-ignore
    this.#parts = { trigger, input, section, close, notes, list, status, body, foot, dialog };
    this.shadowRoot.append(trigger, dialog);
  }

  connectedCallback() {
    this.#write();
    const listening = (this.#listening = new AbortController());
    document.addEventListener("keydown", (event) => this.#hotkey(event), { signal: listening.signal });
    if (this.getAttribute("tools") === "off" || !(document.modelContext ?? navigator.modelContext)) return;
    if (offering.add(this).size === 1) this.#offer();
  }

  /** Offers the search to agents in the browser, where it has an interface for them: the first box of a page does. */
  async #offer() {
    const { signal } = this.#listening;
    const root = this.root;
    try {
      const { offerTools } = await import(new URL("infograph/webmcp.js", HERE));
      if (!signal.aborted) await offerTools(() => clientOf(root), root, { signal });
    } catch (error) {
      console.warn("<infograph-search> offers no tools:", error);
    }
  }

  disconnectedCallback() {
    this.#listening.abort();
    this.#call.abort();
    this.close();
    const [first] = offering;
    offering.delete(this);
    const [next] = offering;
    if (first !== next) next?.#offer();
  }

  attributeChangedCallback() {
    if (this.isConnected) this.#write();
  }

  /** Address of the tree that is searched. */
  get root() {
    return new URL(this.getAttribute("root") || HERE, document.baseURI).href;
  }

  /** Texts in place of the language's own, by key. */
  get strings() {
    return this.#own;
  }

  set strings(own) {
    this.#own = { ...own };
    this.#write();
  }

  /** Loads the client and the first files of the tree, so that they are there when somebody types. */
  prefetch() {
    clientOf(this.root).catch(() => {}); // the search says why
  }

  /** Opens the dialog, with a query or with what was there. */
  open(query) {
    const { dialog, input } = this.#parts;
    this.prefetch();
    if (!dialog.open) {
      const theme = this.getAttribute("theme");
      dialog.classList.toggle("dark", theme ? theme === "dark" : isDark());
      this.#sections();
      dialog.showModal();
      this.#tell("open");
    }
    if (query !== undefined) input.value = query;
    input.focus();
    input.select();
    this.#again();
  }

  close() {
    this.#parts.dialog.close();
  }

  #closed() {
    // It may be open again before this is told.
    if (this.#parts.dialog.open) return;
    clearTimeout(this.#timer);
    this.#call.abort();
    this.#parts.status.textContent = "";
    this.#tell("close");
  }

  /** Whether nobody prevents what the page is told of. */
  #tell(name, detail) {
    return this.dispatchEvent(new CustomEvent(`infograph-${name}`, { detail, bubbles: true, cancelable: true }));
  }

  // ---- texts ----

  #language() {
    const said = (this.lang || this.parentNode?.closest?.("[lang]")?.lang || document.documentElement.lang).toLowerCase();
    return said.split(/[-_]/)[0];
  }

  #text(key, values = {}) {
    return fill(this.#texts[key], values).join("");
  }

  #texts = {};

  #write() {
    const said = this.#language();
    const isKnown = LANGUAGES.split(" ").includes(said);
    const language = isKnown ? said : "en";
    if (!spoken[language]) this.#learn(language);
    let given = {};
    try {
      given = JSON.parse(this.getAttribute("strings") || "{}");
    } catch (error) {
      console.error(`<infograph-search>: the attribute strings is no JSON: ${error.message}`);
    }
    this.#texts = { ...ENGLISH, ...spoken[language], ...given, ...this.#own };
    const { trigger, input, section, close, list, foot, dialog } = this.#parts;
    const keys = Object.entries({ "↑ ↓": "choose", "↵": "open", Esc: "close" });
    foot.replaceChildren(
      ...keys.map(([key, text]) => h("span", {}, h("kbd", { "data-key": key }), " ", this.#texts[text])),
    );
    const hint = this.getAttribute("placeholder") ?? this.#texts.placeholder;
    const [label, key] = [...trigger.children].slice(1);
    const mac = /Mac|iP/.test(navigator.platform);
    label.textContent = spoken[language] ? this.#texts.search : "";
    // Not its text: it would be no part of the name of the button, which has to be what one sees.
    key.dataset.key = this.#keys("k") ? (mac ? "⌘K" : "Ctrl K") : this.#keys("/") ? "/" : "";
    key.hidden = !key.dataset.key;
    trigger.setAttribute("aria-label", this.#texts.search);
    input.placeholder = hint;
    input.setAttribute("aria-label", hint);
    dialog.setAttribute("aria-label", this.#texts.search);
    section.setAttribute("aria-label", this.#texts.section);
    list.setAttribute("aria-label", this.#texts.results);
    close.setAttribute("aria-label", this.#texts.close);
    dialog.lang = language;
    // The languages of these texts have a direction of their own, whatever the page has.
    dialog.dir = this.dir || (isKnown ? (RTL.test(language) ? "rtl" : "ltr") : getComputedStyle(this).direction);
  }

  async #learn(language) {
    try {
      spoken[language] = (await import(new URL(`infograph/box/${language}.js`, HERE))).default;
    } catch (error) {
      console.error("<infograph-search>", error);
      spoken[language] = ENGLISH;
    }
    if (this.isConnected) this.#write();
  }

  // ---- keys ----

  #keys(name) {
    return (this.getAttribute("keys") ?? "k /").split(/\s+/).includes(name);
  }

  #hotkey(event) {
    const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
    const [target] = event.composedPath();
    const isTyping = target.isContentEditable || target.matches?.("input, textarea, select, [role=textbox]");
    const slash = key === "/" && !isTyping && !ctrlKey && !metaKey && !altKey && this.#keys("/");
    const letter = key.toLowerCase() === "k" && (ctrlKey || metaKey) && !altKey && !shiftKey && this.#keys("k");
    if (!(slash || letter) || event.defaultPrevented || !(this.checkVisibility?.() ?? true)) return;
    event.preventDefault();
    if (letter && this.#parts.dialog.open) this.close();
    else this.open();
  }

  /** What one types on the button is the beginning of the query. */
  #begun(event) {
    const { key, ctrlKey, metaKey, altKey } = event;
    if (key.length !== 1 || key === " " || key === "/" || ctrlKey || metaKey || altKey) return;
    event.preventDefault();
    this.open(key);
    const { input } = this.#parts;
    input.setSelectionRange(1, 1);
  }

  #pressed(event) {
    if (event.isComposing) return;
    const last = this.#options.length - 1;
    const moves = {
      ArrowDown: () => this.#activate(this.#active < last ? this.#active + 1 : 0),
      ArrowUp: () => this.#activate(this.#active > 0 ? this.#active - 1 : last),
      Enter: () => this.#enter(event),
      Escape: () => this.close(),
    };
    if (!moves[event.key] || event.altKey) return;
    event.preventDefault();
    moves[event.key]();
  }

  #activate(number) {
    const { input } = this.#parts;
    this.#options.forEach((option, i) => option.setAttribute("aria-selected", i === number));
    this.#active = this.#options[number] ? number : -1;
    if (this.#active < 0) return input.removeAttribute("aria-activedescendant");
    input.setAttribute("aria-activedescendant", this.#options[number].id);
    return this.#options[number].scrollIntoView({ block: "nearest" });
  }

  #enter({ ctrlKey, metaKey, shiftKey }) {
    // Results that are still those of another query are not opened: the first one of this is, when it is there.
    this.#entered = this.#parts.list.hasAttribute("aria-busy") && this.#active < 0;
    if (this.#entered) return;
    const option = this.#options[Math.max(0, this.#active)];
    option?.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, composed: true, ctrlKey, metaKey, shiftKey }));
  }

  #clicked(event) {
    const option = event.target.closest("[role=option]");
    option?.choose?.(event);
  }

  // ---- sections ----

  /** Folders to choose from: pairs of a path and a name. */
  async #sections() {
    const { section } = this.#parts;
    const said = this.getAttribute("sections");
    if (!said || section.options.length) return;
    let folders = said.split(",").map((pair) => pair.split("=").map((part) => part.trim()));
    if (said === "auto") {
      try {
        const { topics } = await (await clientOf(this.root)).topic("");
        folders = topics.map(({ id, title }) => [id, title]);
      } catch {
        return; // the search says what cannot be read
      }
    }
    const rows = [["", this.#texts.everything], ...folders];
    section.replaceChildren(...rows.map(([value, name = value]) => h("option", { value }, name)));
    section.value = this.getAttribute("path") ?? "";
    if (section.selectedIndex < 0) section.selectedIndex = 0;
    section.hidden = section.options.length < 2;
  }

  get #path() {
    const { section } = this.#parts;
    return section.hidden ? (this.getAttribute("path") ?? "") : section.value;
  }

  // ---- answers ----

  #typed() {
    this.#exact = this.#entered = false;
    this.#shown = AT_ONCE;
    clearTimeout(this.#timer);
    this.#call.abort(); // what was asked before is no answer to this
    this.#busy(true);
    this.#timer = setTimeout(() => this.#update(), PAUSE);
  }

  #busy(isBusy) {
    this.#parts.list.ariaBusy = isBusy || null;
  }

  #again() {
    this.#shown = AT_ONCE;
    return this.#update();
  }

  async #update() {
    clearTimeout(this.#timer);
    this.#call.abort();
    const { signal } = (this.#call = new AbortController());
    const query = this.#parts.input.value.trim();
    if (!query) return this.#begin();
    if (!this.#options.length) this.#present([h("p", { class: "note" }, this.#texts.loading)]);
    this.#busy(true);
    try {
      const client = await clientOf(this.root);
      const options = { limit: this.#shown, path: this.#path, signal };
      let isAnswered = false;
      const show = async (answer) => {
        // That of the words may be ready after the whole answer.
        const begun = isAnswered;
        const parts = await this.#answer(client, query, answer, begun, signal);
        if (!signal.aborted && begun === isAnswered) this.#present(...parts);
      };
      const whole = this.#exact ? client.search(query, { ...options, exact: true }) : instant(client, query, options);
      if (!this.#exact) {
        // On a slow line, the best of what the words alone find comes first.
        const soon = new Promise((resolve) => setTimeout(resolve, SOON));
        Promise.all([client.search(query, { ...options, limit: FIRST, exact: true, links: false, prompts: false }), soon])
          .then(([words]) => !isAnswered && !signal.aborted && words.hits.length && show(words))
          .catch(() => {}); // the whole answer fails for the same reason, and says so
      }
      const answer = await whole;
      isAnswered = true;
      await show(answer);
    } catch (error) {
      if (!signal.aborted) this.#fail(error);
    }
    if (!signal.aborted) this.#busy(false);
    if (this.#entered && !signal.aborted) this.#enter({});
    return undefined;
  }

  /** Puts notes, groups and what is said aloud in place of what is there. */
  #present(notes, groups = [], said = "") {
    const { list, input, status, body } = this.#parts;
    const chosen = this.#options[this.#active]?.id;
    this.#parts.notes.replaceChildren(...notes.filter(Boolean));
    list.replaceChildren(...groups);
    this.#options = [...list.querySelectorAll("[role=option]")];
    this.#seen.disconnect();
    this.#options.forEach((option, i) => {
      option.id = `option-${i}`;
      if (option.quote) this.#seen.observe(option);
    });
    list.hidden = !this.#options.length;
    input.setAttribute("aria-expanded", !list.hidden);
    if (chosen === undefined) body.scrollTop = 0;
    this.#activate(chosen === undefined ? -1 : this.#options.findIndex(({ id }) => id === chosen));
    status.textContent = said;
  }

  /** What there is before anything is typed. */
  #begin() {
    this.#active = -1;
    this.#busy(false);
    const recent = this.getAttribute("recent") === "off" ? [] : recall(this.#memory);
    if (!recent.length) return this.#present([h("p", { class: "note" }, this.#texts.start)]);
    const forget = () => {
      remember(this.#memory, []);
      this.#begin();
      this.#parts.input.focus();
    };
    const rows = recent.map((query) => this.#option({ dir: "auto" }, () => this.#ask(query), query));
    const group = h(
      "div",
      { role: "group", "aria-label": this.#texts.recent },
      h("div", { class: "page", "aria-hidden": true }, this.#texts.recent),
      rows,
    );
    return this.#present([h("p", { class: "note" }, this.#button("forget", forget))], [group]);
  }

  get #memory() {
    return `infograph-search ${this.root}`;
  }

  #ask(query, exact = false) {
    const { input } = this.#parts;
    input.value = query;
    this.#exact = exact;
    this.#active = -1;
    input.focus();
    return this.#again();
  }

  #button(key, act) {
    return h("button", { type: "button", class: "plain", click: act }, this.#texts[key]);
  }

  #option(attributes, choose, ...children) {
    const name = attributes.href ? "a" : "div";
    const option = h(name, { role: "option", part: "option", tabindex: -1, ...attributes }, children);
    return Object.assign(option, { choose });
  }

  /** Notes, groups and the words for an answer; those of a whole one are quoted. */
  async #answer(client, query, answer, isWhole, signal) {
    const { hits, corrected, missing, total, query: searched = query } = answer;
    const path = this.#path;
    const swaps = Object.entries(corrected).map(([word, near]) =>
      h("p", { class: "note" }, fill(this.#texts.instead, { x: h("strong", { dir: "auto" }, near), y: h("q", { dir: "auto" }, word) })),
    );
    if (swaps.length) swaps.push(h("p", { class: "note" }, this.#button("exactly", () => this.#ask(query, true))));
    if (Object.keys(missing).length) swaps.push(this.#trouble("partial"));
    if (!hits.length) {
      const none = this.#text("none", { q: query });
      return [[...swaps, ...(await this.#nothing(client, query, path, none, signal))], [], none];
    }
    const pages = new Map();
    for (const hit of hits) pages.set(hit.page, [...(pages.get(hit.page) ?? []), hit]);
    const mark = async (text) => marked(text, await client.highlight(searched, text, { signal }));
    const quote = async (hit, place) => {
      try {
        const { readable } = await client.read(hit, { signal });
        const passage = await mark(await client.passage(searched, readable, { signal }));
        place.replaceChildren();
        filled(place, {}, passage);
      } catch (error) {
        if (!signal.aborted) console.error("<infograph-search>", error); // the beginning stays
      }
    };
    const words = await client.highlight(searched, searched, { signal });
    /** Whether a text, marked, has less than every word: another part of the chunk may say more. */
    const isPoor = (nodes) => {
      const marks = nodes.flat(2).filter(({ nodeName }) => nodeName);
      return new Set(marks.map(({ textContent }) => textContent.toLowerCase())).size < words.length;
    };
    const how = { query, mark, quote: (hit, place, nodes) => isWhole && isPoor(nodes) && (() => quote(hit, place)) };
    const groups = await Promise.all([...pages.values()].map((rows, i) => this.#group(rows, i, how)));
    if (total > hits.length && hits.length === this.#shown) {
      const more = () => ((this.#shown += AT_ONCE), this.#update());
      groups.push(this.#option({ class: "note" }, more, this.#texts.more));
    }
    return [swaps, groups, this.#text("count", { n: total.toLocaleString(this.#language() || "en") })];
  }

  async #group(hits, number, { query, mark, quote }) {
    const rows = hits.map(async (hit) => {
      const [title, beginning] = await Promise.all([mark(hit.title || hit.page_title), mark(hit.snippet)]);
      const snippet = h("span", { class: "snippet", part: "snippet", dir: "auto" }, beginning);
      const href = this.#address(hit, query);
      const others = hit.duplicates.length;
      const option = this.#option(
        { href },
        (event) => this.#select(event, hit, href, query),
        h("span", { class: "title", part: "title", dir: "auto" }, title),
        path(hit) && h("span", { class: "where", part: "where", dir: "auto" }, path(hit)),
        snippet,
        hit.matched_question && this.#quiet("known", { q: h("bdi", {}, hit.matched_question.text) }),
        hit.via && this.#quiet("via", { q: h("bdi", {}, hit.via.page_title || hit.via.page) }),
        others > 0 && this.#quiet("similar", { n: others }),
      );
      return Object.assign(option, { quote: quote(hit, snippet, beginning) });
    });
    const id = `page-${number}`;
    const name = h("div", { class: "page", part: "page", id, dir: "auto" }, hits[0].page_title || hits[0].page);
    return h("div", { role: "group", "aria-labelledby": id }, name, await Promise.all(rows));
  }

  #quiet(key, values) {
    return h("span", { class: "similar", part: key }, fill(this.#texts[key], values));
  }

  /** Where a hit is read: its rendered page at the heading, or the chunk in the explorer where no page is known. */
  #address({ page_url, anchor, url, href }, query) {
    const pages = this.getAttribute("pages");
    let address = new URL(`explorer.html#${new URLSearchParams({ chunk: href, q: query })}`, this.root);
    try {
      if (page_url && pages !== null) {
        address = new URL(page_url, new URL(pages, document.baseURI));
        if (anchor) address.hash = anchor;
      } else if (page_url && url) address = new URL(url);
    } catch {
      // No address: the explorer has the chunk.
    }
    if (this.hasAttribute("same-host")) {
      address = new URL(address.pathname + address.search + address.hash, location.origin);
    }
    return /^https?:$/.test(address.protocol) ? address.href : null;
  }

  #select(event, hit, url, query) {
    if (this.getAttribute("recent") !== "off") {
      remember(this.#memory, [...new Set([query, ...recall(this.#memory)])]);
    }
    if (!this.#tell("select", { hit, url, query })) event.preventDefault();
    if (!(event.ctrlKey || event.metaKey || event.shiftKey)) this.close();
  }

  /** Why there is nothing, and what could be tried. */
  async #nothing(client, query, path, none, signal) {
    const isSearched = async (text) => (await client.highlight(text, text, { signal })).length > 0;
    if (!(await isSearched(query))) return [h("p", { class: "note" }, this.#texts.common)];
    const words = (query.toLowerCase().match(/[\p{L}\p{N}_]{2,}/gu) ?? []).slice(0, WORDS);
    const limit = CLOSE;
    const lists = await Promise.all(
      words.flatMap((word) => [client.correct(word, { limit, signal }), client.complete(word, { limit, signal })]),
    );
    const close = new Set(lists.flatMap(({ terms }) => terms.map(([term]) => term)).filter((term) => !words.includes(term)));
    const buttons = [...close].map((term) =>
      h("button", { type: "button", class: "plain", dir: "auto", click: () => this.#ask(term) }, term),
    );
    const everywhere = () => {
      this.#parts.section.value = "";
      this.#again();
    };
    return [
      h("p", { class: "note" }, h("strong", {}, none), " ", this.#texts.other),
      buttons.length > 0 && h("p", { class: "note" }, this.#texts.near, " ", buttons),
      path && !this.#parts.section.hidden && h("p", { class: "note" }, this.#button("widen", everywhere)),
    ];
  }

  #trouble(key) {
    const retry = async () => {
      (await clientOf(this.root).catch(() => null))?.refresh();
      this.#parts.input.focus();
      this.#update();
    };
    return h("p", { class: "note error", role: "alert" }, this.#texts[key], " ", this.#button("retry", retry));
  }

  #fail(error) {
    console.error("<infograph-search>", error);
    const isOld = error.code === "version";
    const why = isOld ? "old" : !navigator.onLine ? "offline" : error.code === "timeout" ? "slow" : "failed";
    const trouble = this.#trouble(why);
    // A module that could not be loaded is not asked for twice by every browser: the page has to be.
    if (isOld || !error.code) trouble.append(" ", this.#button("reload", () => location.reload()));
    this.#present([trouble]);
  }
}

/**
 * Puts a search into an element of the page.
 * @param {string | Element} target a selector, or the element
 * @param {Record<string, string>} attributes of `<infograph-search>`
 */
export function attach(target, attributes = {}) {
  const place = typeof target === "string" ? document.querySelector(target) : target;
  if (!place) throw new Error(`infograph-search.js: the page has no ${target}`);
  const element = h("infograph-search", attributes);
  place.append(element);
  return element;
}

if (!customElements.get("infograph-search")) customElements.define("infograph-search", InfographSearch);
const into = new URL(import.meta.url).searchParams.get("into");
if (into) attach(into);
