// Never run: tsc holds it against infograph.d.ts. What is marked as an error has to be one.
import {
  Client,
  InfographError,
  type Answer,
  type Context,
  type PublishedChunk,
  type Hit,
  type Item,
  type Topic,
} from "../../infograph/web/infograph.js";
import { MeasuredClient } from "../../infograph/web/stats.js";
import { parentOf, textOf, unitsOf } from "../../infograph/web/units.js";
import { offerTools } from "../../infograph/web/webmcp.js";

export async function uses(signal: AbortSignal): Promise<void> {
  const client = new Client(new URL("https://example.org/docs/"), { timeout: 5000, stemmers: { de: (word) => word } });
  const answer: Answer = await client.search("cache", { limit: 5, offset: 10, path: "guide", signal });
  const first: Hit | undefined = answer.hits[0];
  const reasons: string[] = Object.values(answer.missing);
  await client.search("cache", { collapse: false, diversity: 0.5, links: false });
  const [led, how]: [string | undefined, boolean | undefined] = [first?.via?.page_title, first?.via?.evidence === "title"];
  await client.search("cache", { rerank: async (query, model) => new Float32Array([query.length, model.length]) });
  const marked: [start: number, end: number][] = await client.highlight("cache", "the cache", { signal });
  const shown: string = await client.passage("cache", "the cache", { signal });
  const versions: string[] = (first?.duplicates ?? []).map(({ url }) => url);
  await client.pages("cache", { filters: { section_path: "Guide", index: [0, 1] } });
  const [term, chunks]: [string, number] = (await client.complete("ca", { limit: 3 })).terms[0] ?? ["", 0];
  await client.correct("cahce", { timeout: 100 });
  const context: Context = await client.retrieve("cache", { max_tokens: 500, path: "guide", signal });
  const read: string[] = context.passages.map(({ text, hits, excerpt }) => (excerpt ? hits[0]?.href ?? "" : text));

  await client.search("cache", { rerank: null, rerank_with: null, graph: null, filters: null, texts: true, mode: "parent" });
  await client.retrieve("cache", { question_class: null, packing: "ratio", level: null, sources: "urls", rerank: false });
  const offered: boolean = await offerTools(async () => client, "https://example.org/docs/", { signal });

  const topic: Topic = await client.topic((await client.topics())[0]?.id ?? "");
  const items: Item[] = await client.sample(topic.id, 8, "technical", { signal });
  const [document] = Object.values(topic.documents);
  const units = await unitsOf("a.md", document?.items ?? [], document?.units);
  const around: string = parentOf(units, 0)?.id ?? textOf(units[0]!, ["a"]);
  const distances: number[] = (await client.match("How?", { topic: "guide", distance: 8 })).map(
    ({ matched_question }) => matched_question?.distance ?? 0,
  );
  const texts: PublishedChunk[] = await Promise.all([first ?? "a.md", ...items].map((what) => client.read(what)));
  client.refresh();
  const { stats, hits } = await new MeasuredClient("https://example.org/").search("cache", { limit: 5 });
  const cost: [number, string | undefined] = [stats.bytes, hits[0]?.href];

  try {
    // @ts-expect-error a query is a text
    await client.search(7);
    await client.search("cache", { filters: { tags: ["a"], tokens: { gte: 9 }, not: { product: { exists: true } } } });
    // @ts-expect-error no field has such a value
    await client.search("cache", { filters: { colour: null } });
    // @ts-expect-error a slip of the pen
    await client.search("cache", { limt: 3 });
    // @ts-expect-error there are two orders
    await client.sample("", 3, "random");
    // @ts-expect-error an address is needed
    new Client();
  } catch (error) {
    if (error instanceof InfographError && error.code === "timeout") return;
    // @ts-expect-error no such code
    if (error instanceof InfographError && error.code === "late") return;
  }
  console.log(
    reasons,
    offered,
    read,
    versions,
    cost,
    term + chunks,
    [led, how],
    around,
    distances,
    marked,
    shown,
    texts.map(({ text }) => text),
  );
}
