/**
 * Where things are. What is shown stands in the address, after `#`, so that every state can be linked and the back
 * button works; and links between sources, topics and chunks lead to such states.
 */

const MARKDOWN = /\.(?:md|mdx|markdown|mdown|mkdn|mkd)$/i;

/**
 * - `q`: a query, `in` the folder it is limited to, `exact` where no word of it is to be corrected
 * - `topic`: its id, with `document`, `order`, `width` and `keyword` as they are chosen there
 * - `names`: the id of a community of names, or `all`
 * - `ask`: a question of which is shown what a model would be given, within `budget` tokens
 * - `chunk`: its href, with `q` where it was searched for
 * - `page`, `at`: path of a source and anchor in it, as links between sources say it
 */
const KEYS = [
  "q", "in", "exact", "names", "topic", "document", "order", "width", "keyword", "ask", "budget", "chunk", "page", "at",
]; // prettier-ignore
/** Keys that choose a view even where they are empty: the root's topic, no question yet. */
const VIEWS = ["topic", "ask"];

/** @returns {Record<string, string>} without a prototype, so that no key is there unless the address has it */
export function parse(hash) {
  const said = new URLSearchParams(hash.replace(/^#/, ""));
  const state = Object.create(null);
  for (const key of KEYS) if (said.has(key)) state[key] = said.get(key);
  return state;
}

/** The link of a state; keys without a value are left out. */
export function link(state) {
  const isSaid = (key) => state[key] !== undefined && (state[key] !== "" || VIEWS.includes(key));
  const rows = KEYS.filter(isSaid).map((key) => [key, state[key]]);
  return `#${new URLSearchParams(rows)}`.replaceAll("%2F", "/");
}

/** Puts another state into the address without a new entry in the history. */
export function replace(state) {
  history.replaceState(history.state, "", link(state));
}

/**
 * Calls `show(state, scroll)` now and at every change; `scroll` is how far the page was scrolled when it was left by
 * the back button, else 0.
 */
export function route(show) {
  const positions = new Map();
  let current;
  history.scrollRestoration = "manual";
  const arrive = () => {
    positions.set(current, scrollY); // what is shown is still the old
    const known = history.state?.visit;
    const visit = known ?? crypto.getRandomValues(new Uint32Array(1))[0];
    if (known === undefined) history.replaceState({ visit }, "");
    current = visit;
    show(parse(location.hash), positions.get(visit) ?? 0);
  };
  addEventListener("popstate", arrive);
  arrive();
}

/** A topic is a folder; its chunks lie in `_chunks/` of it. */
export function topicOfChunk(href) {
  const at = href.lastIndexOf("_chunks/");
  return at > 0 ? decoded(href.slice(0, at - 1)) : "";
}

/** The topic whose index lies here. */
export function topicOfIndex(href) {
  return decoded(href.slice(0, Math.max(0, href.lastIndexOf("/"))));
}

/** A folder's path, not percent-encoded, without the `./` that stands before a name with a colon. */
function decoded(path) {
  const bare = path.replace(/^\.\//, "");
  try {
    return decodeURIComponent(bare);
  } catch {
    return bare;
  }
}

export function folderOf(path) {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

/** Titles above a hit's own: its page and the headings. */
export function headings({ page_title, section_path, title }) {
  const titles = [page_title, ...section_path.slice(0, -1)].filter((name, i, all) => name !== all[i - 1]);
  return titles.length === 1 && titles[0] === title ? "" : titles.join(" › ");
}

/** The topics above one and itself, from the root on: ids. */
export function trail(id) {
  const names = id ? id.split("/") : [];
  return ["", ...names.map((_, i) => names.slice(0, i + 1).join("/"))];
}

/**
 * A topic, or where it holds nothing but one other the first below it that holds more: a chain of single folders says
 * nothing. `trail` has the topics on the way, itself the last.
 */
export async function folded(client, id, signal) {
  const trail = [await client.topic(id, { signal })];
  for (let topic = trail[0]; !Object.keys(topic.documents).length && topic.topics.length === 1; ) {
    topic = await client.topic(topic.topics[0].id, { signal });
    trail.push(topic);
  }
  return { topic: trail.at(-1), trail };
}

/** Path of an item's source. */
export function sourceOf(topic, item) {
  const { source } = topic.documents[item.document];
  const name = decoded(source.slice(source.lastIndexOf("/") + 1));
  return topic.id ? `${topic.id}/${name}` : name;
}

export function isMarkdown(path) {
  return MARKDOWN.test(path);
}

/**
 * What a link in a source leads to: pages of the tree to their chunks, files of the tree to themselves, addresses of
 * the web to the web; empty for anything else, and for what is no address (`https://[`).
 * @param {string} source path of the source that the link stands in
 */
export function target(href, source) {
  try {
    return meant(href, source);
  } catch {
    return "";
  }
}

/** Throws where the address cannot be parsed. */
function meant(href, source) {
  if (/^(?:https?:)?\/\//i.test(href)) return new URL(href, document.baseURI).href;
  if (/^[A-Za-z][A-Za-z\d+.-]*:/.test(href) || /[\\\p{Cc}]/u.test(href)) return "";
  const [path, at = ""] = href.split("#", 2);
  if (!path) return link({ page: source, at });
  if (path.startsWith("/")) return new URL(path, document.baseURI).href;
  // Against an address that has nothing but the path, so that `..` cannot lead out of the tree.
  const url = new URL(path, `https://tree.invalid/${source.split("/").map(encodeURIComponent).join("/")}`);
  const inTree = url.pathname.slice(1);
  const name = inTree.slice(inTree.lastIndexOf("/") + 1);
  if (!name.includes(".") || isMarkdown(name)) return link({ page: decoded(inTree), at });
  return new URL(`./${inTree}`, document.baseURI).href;
}

/** The document and chunk that a path and an anchor of a source mean. */
export async function findPage(client, path, at, signal) {
  const bare = path.replace(/\/$/, "");
  const candidates = [
    [folderOf(bare), bare.slice(bare.lastIndexOf("/") + 1)],
    [bare, ""],
  ];
  for (const [id, name] of candidates) {
    const topic = await client.topic(id, { signal }).catch((error) => {
      if (error.code !== "unknown") throw error;
    });
    const stems = name ? [name] : ["index", "README", "_index"];
    const found = Object.values(topic?.documents ?? {}).find(({ source }) => {
      const file = decoded(source.slice(source.lastIndexOf("/") + 1));
      return stems.includes(file) || stems.includes(file.replace(MARKDOWN, ""));
    });
    if (found) {
      const isAt = ({ section_path: path = [], title }) => [title, ...path.slice(-1)].some((text) => slug(text) === at);
      return { chunk: (found.items.find(isAt) ?? found.items[0]).href };
    }
    if (topic && !name) return { topic: id };
  }
  return undefined;
}

/** How most generators make an anchor of a heading. */
function slug(heading) {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replace(/\s+/g, "-");
}
