/** The page of a query: pages with their sections, and what these say about it; of versions the newest. */

import { count, h } from "./dom.js";
import { marked } from "./marks.js";
import { remarks } from "./remarks.js";
import { link } from "./places.js";
import { newestFirst, versionOf } from "./versions.js";

const AT_ONCE = 10;

/** @param {import("./explorer.js").Context} context */
export async function resultsView({ client, state, signal, retry, go }) {
  const { q: query, in: path = "", exact } = state;
  const options = { limit: AT_ONCE, path, exact: Boolean(exact), signal };
  const [answer, { topics }] = await Promise.all([
    client.search(query, options),
    client.topic("", { signal }).catch(() => ({ topics: [] })),
  ]);
  const searched = [query, ...Object.values(answer.corrected)].join(" ");
  const list = h("ol", { class: "results" });
  const groups = new Groups(list, { query, searched, client, signal });
  const more = h("button", { type: "button", class: "button more" }, "More");
  let shown = 0;
  const add = async ({ hits }) => {
    const first = await groups.add(hits);
    shown += hits.length;
    more.hidden = hits.length < AT_ONCE;
    return first;
  };
  more.addEventListener("click", async () => {
    more.disabled = true;
    try {
      const next = await client.search(query, { ...options, offset: shown });
      (await add(next))?.querySelector("a").focus();
    } catch (error) {
      if (!signal.aborted) more.before(h("p", { class: "note", role: "alert" }, error.message));
    } finally {
      more.disabled = false;
    }
  });
  await add(answer);
  const names = [...new Set(["", ...topics.map(({ id }) => id), path])];
  const titles = new Map(topics.map(({ id, title }) => [id, title]));
  const scope = h(
    "select",
    { id: "scope", onchange: ({ target }) => go({ q: query, in: target.value, exact }) },
    names.map((id) => h("option", { value: id, selected: id === path }, id ? (titles.get(id) ?? id) : "Everything")),
  );
  return {
    title: query,
    element: h(
      "div",
      { class: "view" },
      h(
        "header",
        { class: "view-head results-head" },
        h("h1", { tabindex: -1 }, answer.hits.length ? "Results for " : "Nothing for ", h("q", { dir: "auto" }, query)),
        names.length > 2 && h("label", { class: "field", for: "scope" }, "In", scope),
        answer.hits.length > 0 &&
          h(
            "p",
            { class: "meta" },
            h("span", { class: "total" }, totalOf(answer)),
            h("a", { href: link({ ask: query }) }, "What a model would be given"),
          ),
      ),
      instead(answer.corrected, { q: query, in: path }),
      remarks(answer, retry),
      answer.hits.length ? list : await nothing(query, path, client, signal),
      more,
    ),
  };
}

/** How many sections there are, as far as that is known. */
function totalOf({ total, total_relation }) {
  const shown = count(total, "section");
  return { gte: `${shown} or more`, lte: `up to ${shown}` }[total_relation] ?? shown;
}

/** Results by page, in the order of the best section of each; pages that are versions of one are one. */
class Groups {
  #groups = new Map();

  constructor(list, context) {
    this.list = list;
    this.context = context;
  }

  /** Adds hits, those of a page that is shown already to it; returns the first that is new. */
  async add(hits) {
    const shown = await Promise.all(hits.map((hit) => this.#made(hit)));
    let first;
    for (const { hit, version, others, element } of shown) {
      const group = this.#groupOf(hit, version);
      for (const other of others) group.add(other);
      if (version.version === group.version.version) group.sections.append(element);
      else group.add(hit);
      first ??= element.isConnected ? element : undefined;
    }
    return first;
  }

  /** A hit's newest version, as an element, and the others. */
  async #made(found) {
    const own = versionOf(found.page);
    const same = found.duplicates.filter(({ page }) => own.numbers && versionOf(page).key === own.key);
    const [hit, ...others] = [found, ...same].sort((a, b) => newestFirst(versionOf(a.page), versionOf(b.page)));
    const duplicates = found.duplicates.filter((other) => !same.includes(other));
    const shown = { ...hit, duplicates, via: found.via };
    return { hit, version: versionOf(hit.page), others, element: await section(shown, this.context) };
  }

  #groupOf(hit, version) {
    const known = this.#groups.get(version.key);
    if (known) return known;
    const sections = h("ol", { class: "sections" });
    const others = h("ul", { class: "duplicates" });
    const summary = h("summary", {});
    const folded = h("details", { class: "versions", hidden: true }, summary, others);
    const add = (other) => {
      folded.hidden = false;
      others.append(versionLink(other, this.context.query));
      summary.textContent = `In ${count(others.children.length, "other version")}`;
    };
    const group = { sections, version, add };
    this.#groups.set(version.key, group);
    this.list.append(h("li", { class: "page-group" }, pageHead(hit, version), sections, folded));
    return group;
  }
}

function pageHead(hit, { version }) {
  return h(
    "header",
    { class: "page-head" },
    h("h2", { dir: "auto" }, h("a", { href: link({ page: hit.page }) }, hit.page_title || hit.page)),
    h(
      "p",
      { class: "meta" },
      version && h("span", { class: "version" }, version),
      h("span", {}, hit.page),
      hit.page_url && hit.url && h("a", { href: hit.url }, "Open the page"),
    ),
  );
}

function versionLink(hit, query) {
  return h(
    "li",
    {},
    h("a", { href: link({ chunk: hit.href, q: query }), dir: "auto" }, hit.title),
    " ",
    h("span", { class: "version" }, versionOf(hit.page).version),
    " ",
    hit.page,
  );
}

/** Which words were searched for instead of which, and the way to search for those. */
function instead(corrected, state) {
  const words = Object.entries(corrected);
  const pairs = words.map(([word, near], i) => [
    i > 0 && ", ",
    h("strong", { dir: "auto" }, near),
    " instead of ",
    h("q", { dir: "auto" }, word),
  ]);
  const exactly = h("a", { href: link({ ...state, exact: 1 }) }, "Search for exactly what was typed");
  return words.length > 0 && h("p", { class: "note", role: "status" }, "Searched for ", pairs, ". ", exactly);
}

/** What shows that a page leads to a hit: something of the page, or of the hit. */
const EVIDENCE = {
  link: ["which links to it", "to which it links"],
  relation: ["whose front matter names it", "which its front matter names"],
  title: ["which names it", "which it names"],
  identifier: ["which uses what it defines", "which defines what it uses"],
};

/** A section of a page, with the passage that says most of the query. */
async function section(hit, { query, searched, client, signal }) {
  const { duplicates, via, matched_question: matched } = hit;
  const [title, snippet] = await Promise.all(
    [hit.title, hit.snippet].map((text) => client.highlight(searched, text, { signal })),
  );
  const text = h("p", { class: "snippet", dir: "auto" }, marked(hit.snippet, snippet));
  quote(hit, searched, client, signal, text);
  const above = hit.section_path.slice(0, -1).filter((name) => name !== hit.page_title);
  return h(
    "li",
    { class: "result" },
    above.length > 0 && h("p", { class: "where", dir: "auto" }, above.join(" › ")),
    h("h3", { dir: "auto" }, h("a", { href: link({ chunk: hit.href, q: query }) }, marked(hit.title, title))),
    text,
    h("p", { class: "meta" }, h("span", {}, count(hit.tokens, "token"))),
    matched && h("p", { class: "meta", dir: "auto" }, "Known to answer ", h("q", {}, matched.text)),
    via && h("p", { class: "meta", dir: "auto" }, `By way of ${via.page_title}, ${EVIDENCE[via.evidence][+via.back]}`),
    duplicates.length > 0 &&
      h(
        "details",
        {},
        h("summary", {}, `Nearly the same on ${count(duplicates.length, "other page")}`),
        h(
          "ul",
          { class: "duplicates" },
          duplicates.map((other) =>
            h(
              "li",
              {},
              h("a", { href: link({ chunk: other.href, q: query }), dir: "auto" }, other.page_title),
              " ",
              other.page,
            ),
          ),
        ),
      ),
  );
}

/** Puts the passage that answers the query best in place of the snippet, which is the beginning. */
async function quote(hit, query, client, signal, element) {
  try {
    const { readable } = await client.read(hit, { signal });
    const found = await client.passage(query, readable, { signal });
    element.replaceChildren(...marked(found, await client.highlight(query, found, { signal })));
  } catch (error) {
    // The snippet stays; the chunk's own page says why its text cannot be read.
    if (!error.code && !signal.aborted) throw error;
  }
}

async function nothing(query, path, client, signal) {
  // What has no term, as a very common word has none, is not searched for.
  const isSearched = async (text) => (await client.highlight(text, text, { signal })).length > 0;
  if (!(await isSearched(query))) {
    return h("section", { class: "message" }, h("p", {}, "Add a word that says what you look for.")); // why, a note says
  }
  const all = (query.match(/[\p{L}\p{N}_]{2,}/gu) ?? []).slice(0, 8).map((word) => word.toLowerCase());
  const searched = await Promise.all(all.map(isSearched));
  const words = all.filter((word, i) => searched[i]);
  const lists = await Promise.all(
    words.map(async (word) => {
      const answers = await Promise.all([
        client.correct(word, { limit: 3, signal }),
        client.complete(word, { limit: 3, signal }),
      ]);
      return answers.flatMap(({ terms }) => terms);
    }),
  );
  const close = [...new Map(lists.flat()).keys()].filter((term) => !words.includes(term));
  return h(
    "section",
    { class: "message" },
    h("p", {}, path ? "No section of this part has these words." : "No section of this site has these words."),
    close.length > 0 &&
      h(
        "p",
        {},
        "Close to them are ",
        close.map((term) => [h("a", { class: "chip", href: link({ q: term }) }, term), " "]),
      ),
    path && h("p", {}, h("a", { href: link({ q: query }) }, "Search everything")),
  );
}
