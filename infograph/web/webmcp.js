/**
 * Tools of a site for agents in the browser, by WebMCP: `search_docs` and `read_docs`. The search box loads this where a
 * browser has such an interface; a page without the box calls it itself:
 *
 *     import { Client } from "./infograph.js";
 *     import { offerTools } from "./infograph/webmcp.js";
 *     await offerTools(async () => new Client("https://example.org/docs/"), "https://example.org/docs/");
 *
 * The draft is https://webmachinelearning.github.io/webmcp/. Tools only read what is published, and nothing is read
 * before one is called.
 */

/** Hits of a search, unless it says how many; at most. */
const [FEW, MOST] = [6, 20];
/** Characters of a text at once: as many as the tool `read` of `infograph mcp` gives. */
const LONGEST = 40_000;

/** The interface of the document; of the navigator in browsers of the first half of 2026. */
const contextOf = () => globalThis.document?.modelContext ?? globalThis.navigator?.modelContext;

/**
 * Registers the tools. Resolves to whether they are: there is an interface, and nobody has taken them away meanwhile.
 * @param {() => Promise<import("./infograph.js").Client>} open called with the first call of a tool
 * @param {string} root address of the tree
 * @param {{signal?: AbortSignal}} options takes the tools away again
 */
export async function offerTools(open, root, { signal } = {}) {
  const context = contextOf();
  if (!context?.registerTool) return false;
  const { host, pathname } = new URL(root);
  for (const tool of tools(open, host + pathname)) {
    if (signal?.aborted) return false;
    await context.registerTool(tool, signal ? { signal } : {});
    // Drafts before signals: by name.
    if (context.unregisterTool) signal?.addEventListener("abort", () => context.unregisterTool(tool.name));
  }
  return true;
}

function tools(open, site) {
  const annotations = { readOnlyHint: true };
  return [
    {
      name: "search_docs",
      title: "Search the documentation",
      description: `Find the sections of the documentation at ${site} that answer a question, the best first, each with an id for read_docs.`,
      inputSchema: schema({
        query: { type: "string", description: "A question, or words to search for" },
        limit: { type: "integer", minimum: 1, maximum: MOST, description: `Sections to list, ${FEW} unless told` },
      }, ["query"]), // prettier-ignore
      annotations,
      execute: answering(open, search),
    },
    {
      name: "read_docs",
      title: "Read the documentation",
      description: `Read a section of the documentation at ${site} as Markdown, by the id that search_docs gives.`,
      inputSchema: schema({
        id: { type: "string", description: "Id of the section" },
        offset: { type: "integer", minimum: 0, description: "Characters to leave out, where a text was cut" },
      }, ["id"]), // prettier-ignore
      annotations,
      execute: answering(open, read),
    },
  ];
}

const schema = (properties, required) => ({ type: "object", properties, required, additionalProperties: false });

/** What a tool answers, as MCP has it: a text; one that says what went wrong where something did. */
const answering = (open, answer) => async (input) => {
  try {
    return { content: [{ type: "text", text: await answer(await open(), input ?? {}) }] };
  } catch (error) {
    return { content: [{ type: "text", text: `Error: ${error.message}` }], isError: true };
  }
};

async function search(client, { query, limit = FEW }) {
  const { hits, notes, corrected, missing } = await client.search(query, { limit: Math.min(limit, MOST) });
  const found = hits.map(({ page_title, section_path, title, url, href, snippet, tokens }) => {
    const trail = [...new Set([page_title, ...section_path, title].filter(Boolean))].join(" › ");
    return [trail, url, snippet, `id: ${href} (${tokens} tokens)`].filter(Boolean).join("\n");
  });
  const said = Object.entries(corrected).map(([word, other]) => `Searched for "${other}" instead of "${word}".`);
  if (Object.keys(missing).length) said.push("Parts of the index cannot be read: the answer may be incomplete.");
  return [...(found.length ? found : ["Nothing found."]), ...said, ...notes].join("\n\n");
}

async function read(client, { id, offset = 0 }) {
  const { readable } = await client.read(id);
  const start = whole(readable, offset > 0 ? Math.trunc(offset) : 0);
  const end = whole(readable, Math.min(readable.length, start + LONGEST));
  const text = readable.slice(start, end);
  return end < readable.length ? `${text}\n\n[Cut: go on with offset ${end} of ${readable.length}]` : text;
}

/** A place in a text that parts no character of two units: the one before, where it would. */
const whole = (text, at) => (/[\udc00-\udfff]/.test(text[at] ?? "") && /[\ud800-\udbff]/.test(text[at - 1] ?? "") ? at - 1 : at);
