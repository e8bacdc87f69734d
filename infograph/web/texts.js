/** The texts of hits, read with them in one call: `texts` of a search. */

/**
 * The answer of a search, each of its hits with its text; an empty one where it cannot be read, which `missing` names.
 * @param {import("./infograph.js").Client} client
 */
export async function withTexts(client, opened, query, { limit, offset, onePerPage }, options) {
  const { texts, ...others } = options;
  const begun = performance.now();
  const how = { ...others, limit, offset };
  const answer = await (onePerPage ? client.pages(query, how) : client.search(query, how));
  const call = { signal: options.signal, timeout: Math.max(1, options.timeout - (performance.now() - begun)) };
  await Promise.all(
    answer.hits.map(async (hit) => {
      hit.text = await client.read(hit, call).then(
        ({ readable }) => readable,
        (error) => {
          if (call.signal?.aborted) throw error;
          answer.missing[hit.href] = error.message;
          return "";
        },
      );
    }),
  );
  return answer;
}
