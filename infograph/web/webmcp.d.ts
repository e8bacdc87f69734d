/** Tools of a site for agents in the browser, by WebMCP: `search_docs` and `read_docs`. */

import type { Client } from "./infograph.js";

/**
 * Registers the tools. Resolves to whether they are: there is an interface, and nobody has taken them away meanwhile.
 * @param open called with the first call of a tool
 * @param root address of the tree
 * @param options signal: takes the tools away again
 */
export function offerTools(open: () => Promise<Client>, root: string, options?: { signal?: AbortSignal }): Promise<boolean>;
