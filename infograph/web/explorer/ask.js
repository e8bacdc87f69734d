/** What a language model would be given for a question: live, within a budget of tokens, and what it cost to find. */

import { Client } from "../infograph.js";
import { count, h, later } from "./dom.js";
import { metered } from "./files.js";
import { marked } from "./marks.js";
import { link, replace } from "./places.js";
import { remarks } from "./remarks.js";

const [LEAST, MOST, STEP, USUAL] = [250, 8000, 250, 2000];
/** Milliseconds without a key, or a move of the slider. */
const PAUSE = 200;
/** Characters of a passage in which words are marked. */
const MARKED = 40_000;

/** @param {import("./explorer.js").Context} context */
export async function askView({ state, signal, retry, siteName }) {
  const budget = clamped(Number(state.budget) || USUAL);
  const question = h("input", {
    id: "question", type: "search", value: state.ask, autocomplete: "off", maxlength: 1000,
    placeholder: "Ask a question, as you would ask a model", enterkeyhint: "search",
  }); // prettier-ignore
  const slider = h("input", { id: "budget", type: "range", min: LEAST, max: MOST, step: STEP, value: budget });
  const output = h("output", { for: "budget" });
  const status = h("p", { class: "ask-status", role: "status" });
  const copy = h("button", { type: "button", class: "button", hidden: true }, "Copy all");
  const answer = h("div", { class: "passages" });
  let call = new AbortController();
  let context;
  signal.addEventListener("abort", () => call.abort());

  const update = async () => {
    call.abort();
    call = new AbortController();
    const own = call.signal;
    const query = question.value.trim();
    const tokens = Number(slider.value);
    replace({ ask: query, budget: tokens === USUAL ? "" : tokens });
    if (!query) return show(null);
    try {
      const found = await asked(query, tokens, own);
      const nodes = await shown(found, query, own);
      if (!own.aborted) show(found, nodes);
    } catch (error) {
      if (!own.aborted) show(null, [h("p", { class: "message error", role: "alert" }, error.message)]);
    }
    return undefined;
  };
  const show = (found, nodes = []) => {
    context = found?.context;
    copy.hidden = !context?.passages.length;
    status.textContent = found ? said(found) : "";
    answer.replaceChildren(...nodes, ...(context ? remarks(context, retry).flat().filter(Boolean) : []));
  };
  const say = () => {
    output.textContent = `${Number(slider.value).toLocaleString("en")} tokens`;
    slider.setAttribute("aria-valuetext", output.textContent);
  };
  const soon = later(PAUSE, update);
  question.addEventListener("input", soon);
  slider.addEventListener("input", () => {
    say();
    soon();
  });
  copy.addEventListener("click", async () => {
    const told = await navigator.clipboard.writeText(prompt(context)).then(
      () => "Copied",
      () => "Not allowed here",
    );
    copy.textContent = told;
    setTimeout(() => (copy.textContent = "Copy all"), 1500);
  });
  say();
  if (state.ask) await update();
  return {
    title: state.ask ? `Ask: ${state.ask}` : "Ask",
    element: h(
      "div",
      { class: "view ask" },
      h(
        "header",
        { class: "view-head" },
        h("h1", { tabindex: -1 }, "Ask"),
        h(
          "p",
          { class: "lead" },
          "What a language model should read for a question, chosen in your browser: the best chunks with what stands beside them, within a number of tokens.",
        ),
      ),
      h(
        "form",
        { class: "ask-form", onsubmit: (event) => (event.preventDefault(), update()) },
        h("label", { for: "question" }, "Question"),
        question,
        h("label", { for: "budget" }, "At most"),
        h("div", { class: "ask-budget" }, slider, output),
      ),
      h("div", { class: "ask-bar" }, status, copy),
      answer,
      h("p", { class: "note" }, `Programs get the same with client.retrieve(question), agents from infograph's MCP server; a model answers from ${siteName} without having seen it.`),
    ),
  };
}

function clamped(tokens) {
  return Math.min(MOST, Math.max(LEAST, Math.round(tokens / STEP) * STEP));
}

/** By a client that knows nothing yet, so that all that the answer needs is counted. */
async function asked(query, tokens, signal) {
  const { read, sizes } = metered();
  const begun = performance.now();
  const client = new Client(new URL(".", document.baseURI), { fetch: read });
  const context = await client.retrieve(query, { max_tokens: tokens, signal });
  return { context, tokens, sizes, client, milliseconds: performance.now() - begun };
}

function said({ context, tokens, sizes, milliseconds }) {
  if (!context.passages.length) return "Nothing of this site answers that.";
  const pages = new Set(context.passages.flatMap(({ hits }) => hits.map(({ page }) => page))).size;
  const bytes = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  return (
    `${context.tokens.toLocaleString("en")} of ${tokens.toLocaleString("en")} tokens from ${count(pages, "page")}. ` +
    `Answered from ${Math.max(1, Math.round(bytes / 1000))} KB in ${count(sizes.size, "file")}, no server, ` +
    `in ${Math.round(milliseconds).toLocaleString("en")} ms.`
  );
}

function shown({ context, client }, query, signal) {
  const searched = [query, ...Object.values(context.corrected)].join(" ");
  return Promise.all(
    context.passages.map(async (passage) => {
      const [first] = passage.hits;
      const spans = passage.text.length > MARKED ? [] : await client.highlight(searched, passage.text, { signal });
      return h(
        "section",
        { class: "passage" },
        h(
          "h2",
          { dir: "auto" },
          h("a", { href: link({ chunk: first.href, q: query }) }, heading(first)),
        ),
        h(
          "p",
          { class: "meta" },
          h("span", {}, first.page),
          h("span", {}, count(passage.tokens, "token")),
          passage.hits.length > 1 && h("span", {}, `${passage.hits.length} chunks in a row`),
          passage.excerpt && h("span", {}, "excerpt"),
          passage.duplicates.length > 0 && h("span", {}, `nearly the same on ${count(passage.duplicates.length, "other page")}`),
        ),
        h("pre", { tabindex: 0, dir: "auto" }, marked(passage.text.trim(), shifted(spans, passage.text))),
      );
    }),
  );
}

/** Spans of a text as they lie in it without the white space around it. */
function shifted(spans, text) {
  const start = text.length - text.trimStart().length;
  return spans.map(([from, to]) => [from - start, to - start]).filter(([from]) => from >= 0);
}

function heading({ page_title, section_path, title }) {
  return [page_title, ...section_path, title].filter((name, i, all) => name && name !== all[i - 1]).join(" › ");
}

/** All passages as text, each below its source. */
function prompt({ passages }) {
  return passages.map(({ hits: [first], text }) => `# ${heading(first)}\n<${first.url}>\n\n${text.trim()}\n`).join("\n");
}
