/** Client for a tree that `infograph build` published. Browsers (2023 and later) and Node.js from 20 on. */

export interface ClientOptions {
  /** Instead of the platform's: for tests, for other caches, for files that lie elsewhere. */
  fetch?: typeof fetch;
  /** Milliseconds that a call may take; 10,000 unless told. One file may take a quarter of it. */
  timeout?: number;
  /**
   * Stemmers by ISO 639-1 code, lower-case word to stem, which have to be Snowball's. English is built in, and a build
   * puts its own language's beside these modules, as `stemmer.js`. Nothing is loaded from the site that is read: without
   * its language's, words are matched by their beginnings, and `Answer.notes` says so.
   */
  stemmers?: Readonly<Record<string, (word: string) => string>>;
}

/** What any call takes. */
export interface CallOptions {
  /** Gives the call up. */
  signal?: AbortSignal | null;
  /** Milliseconds, instead of the client's. What one file may take is a quarter of the client's all the same. */
  timeout?: number;
}

export interface SearchOptions extends CallOptions {
  /** 10 unless told; Infinity for all. */
  limit?: number;
  /** Hits to leave out at the beginning. */
  offset?: number;
  /** A folder of the source tree, or a document. */
  path?: string;
  /**
   * Fields and what they must be: `{ language: "python", tokens: { gte: 100 }, tags: ["a", "b"] }`. All must hold, of a
   * list one value. What the site has columns for (`search.fields`) is decided before the ranking and reads some KB more;
   * other fields of hits once they are read.
   */
  filters?: Filters | null;
  /** Fields whose most frequent values are counted over all chunks that the search ranks; reads their columns. */
  facets?: readonly string[];
  /** Whether near-duplicates, as of one page in several versions, become `duplicates` of the best; true unless told. */
  collapse?: boolean;
  /** Search for the words as they are: do not take one that the site does not have for a slip of the pen. */
  exact?: boolean;
  /**
   * Steps, 0 to 2, to take from the first pages to pages that name the same entities: for questions that no page answers
   * alone. Reads some tens of KB more, of a site with `graph.entities`; other sites give an error.
   */
  graph?: number | null;
  /** Follow the links of the first eight pages, to pages that an answer takes beside these; true unless told. */
  links?: boolean;
  /**
   * Put chunks first that people or a language model say answer a question like this one, and raise those that are near
   * it; their `matched_question` says which. Reads one or two files more of a site with known questions; true unless told.
   */
  prompts?: boolean;
  /** Read the chunks of the hits too, into their `text`; false unless told. */
  texts?: boolean;
  /**
   * `leaf` for chunks, unless told; `parent` for the smallest section, of eight chunks at the most, in the place of several
   * of its chunks that were found: see `Hit.unit`; `summary-first` for the smallest section around each of the best hits,
   * three times `limit` and 30 at the least, in the order of what their summaries, or else first sentences, have of the
   * query. The last two of `search` alone, without `rerank_with`.
   */
  mode?: "leaf" | "parent" | "summary-first";
  /** 0 to 1: how much the first 32 hits should differ from each other; 0 unless told. Fetches their vectors. */
  diversity?: number;
  /**
   * Puts the best 32 chunks, of those that `path` and `filters` choose, in order by the vector of the query: embeds it
   * with the model that is named, whose vectors have length 1. Fetches the chunks' vectors, some hundred KB, and the
   * first time 250 KB beside them; the model is the caller's to load.
   */
  rerank?: ((query: string, model: string) => ArrayLike<number> | Promise<ArrayLike<number>>) | false | null;
  /**
   * Sends a prompt to a language model and gives its answer, by which the first 20 hits are put in order where the
   * ranking is not sure of itself (by the site's threshold; always where there is none). Where it fails, or takes more
   * than nine tenths of the call's time, `notes` says so.
   */
  rerank_with?: ((prompt: string) => string | Promise<string>) | null;
}

/** Of a number, a date (`2024-01-31`) or a flag also as text. */
export type FilterValue = string | number | boolean;
/** A value, one of several, or what all must hold of: a range, any value at all (or none), or not a condition. */
export type FilterCondition =
  | FilterValue
  | readonly FilterValue[]
  | {
      readonly gt?: string | number;
      readonly gte?: string | number;
      readonly lt?: string | number;
      readonly lte?: string | number;
      readonly exists?: boolean;
      readonly not?: FilterCondition;
    };
/** Conditions by field, all of which must hold; `not`, `any` and `all` combine other filters. */
export type Filters =
  | { readonly [field: string]: FilterCondition | Filters | readonly Filters[] | undefined }
  | {
      readonly not?: Filters;
      readonly any?: readonly Filters[];
      readonly all?: readonly Filters[];
    };

/** A community of entities, with what stands for it. */
export interface CommunityHit {
  id: string;
  /** Its most central entities; or what a model called it. */
  title: string;
  /** 0 for one that lies in no other. */
  level: number;
  /** Number of its entities. */
  size: number;
  keywords: string[];
  /** Sentences of its chunks that name most of it; or what a model said of it, as one. */
  sentences: string[];
  /** Its file, relative to the root: HAL, with `item` links to its chunks. */
  href: string;
  score: number;
  /** The model that wrote title and summary; empty where they are words of the documents. */
  enriched_by: string;
}

/** What every answer from the search bundle says beside its contents. */
export interface BundleAnswer {
  /** Files that could not be had, and why: the answer is without what they hold. */
  missing: Record<string, string>;
  /** Words of the query that the site does not have, each with the one that was searched for instead. */
  corrected: Record<string, string>;
  /** What else the reader should know, in English. */
  notes: string[];
}

export interface Answer extends BundleAnswer {
  /** The best first. */
  hits: Hit[];
  /**
   * Chunks (pages) in the ranking, which has the best some hundred for each word of the query, less the duplicates found
   * so far; with a path or filters, those found so far that pass.
   */
  total: number;
  /**
   * `eq`: there are `total` hits; `gte`: or more, since not all were held against the filters or
   * files are missing; `lte`: or fewer, since some that were not looked at may be near-duplicates.
   */
  total_relation: "eq" | "gte" | "lte";
  /**
   * For each field that `facets` named its most frequent values, 20 at most, each with the number of chunks of the ranking
   * that have it: of all that the search found and its filter allows, however many are listed.
   */
  facets: Record<string, [value: string, chunks: number][]>;
  /**
   * How sure the ranking is of its first hit, 0 to 1, comparable from query to query: with `rerank`, 1 where one chunk is
   * the best both by words and by meaning; else the share that its score is of the most it could be.
   */
  confidence: number;
}

/** One chunk. Names are those of the index. */
export interface Hit {
  /** Of a federation: id of the site that it is from, with which its page and its href begin. */
  site?: string;
  /** Path of the source. */
  page: string;
  page_title: string;
  page_url: string;
  /** Of the chunk in its page. */
  index: number;
  title: string;
  section_path: string[];
  anchor: string;
  snippet: string;
  tokens: number;
  /** Of the chunk's file, for `Client.read`; where it holds several, with the number of this one behind it: `#3`. */
  href: string;
  /** Of the chunk's text, the first 32 hex digits. */
  sha256: string;
  score: number;
  /** Of the chunk's terms, 16 hex digits: near-duplicates differ in few of its bits. */
  simhash: string;
  /**
   * Of the rendered page at the heading, or where no page is known (`page_url` is empty) of the chunk; empty where it is
   * no address of the web.
   */
  url: string;
  /** Chunks of other pages that rank below this one and say nearly the same. */
  duplicates: Hit[];
  /** Links, or steps along the graph of entities, that were followed to it. */
  hops: number;
  /** The page that led to it, where a link did. */
  via?: Via;
  /** Names of the entities that led to it, where they did. */
  path?: string[];
  /** The question like the one asked that it is known to answer, where there is one. */
  matched_question?: MatchedQuestion;
  /** The chunk, or all of its unit, as a reader of the rendered page sees it, where the search was asked for texts. */
  text?: string;
  /** The section, or the document, that stands here in the place of several of its chunks that were found. */
  unit?: DocumentUnit;
}

/** What is read together: ordered slices of one document. `infograph/units.js` tells those of a document. */
export interface DocumentUnit {
  /**
   * The document, the slices and the level of a section, or the type of another: `guide/builds.md#3-9.2`, `#1-2,5-7.key`,
   * `#4:120-980.table`; of rows the last slice.
   */
  id: string;
  /**
   * A section is a run of chunks below one heading, a key has those of one subtopic, wherever they stand, a proposition the
   * words that a claim of a language model rests on; an index lists parents, tables, their rows of one key, images and
   * outlines.
   */
  type: "document" | "section" | "key" | "proposition" | UnitGroup["type"];
  /** Headings that its chunks have in common; 0 for the document, and of a parent 1 for the largest. */
  level: number;
  section_path: string[];
  /** Half-open ranges of the document's chunks, in order: those that it is made of, or that its `spans` lie in. */
  slices: [number, number][];
  /** Files of these chunks, in order. */
  hrefs: string[];
  tokens: number;
  /** Of the first 32 hex digits of each chunk's digest, one after the other. */
  sha256: string;
  /** The subtopic of a unit of type `key`, as a language model named it; the key of rows. */
  key: string;
  /** What a language model said that it is about, where that is published; of a proposition the claim. */
  summary: string;
  /** Where it is not of whole chunks: numbers of chunks, each with a half-open range of bytes of what a reader sees. */
  spans: [number, number, number][];
}

/** Units of a document that are of one type and level, as `index.json` has them. */
export interface UnitGroup {
  type: "section" | "key" | "proposition" | "parent" | "table" | "rows" | "image" | "outline" | (string & {});
  level: number;
  /** Units. */
  count: number;
  /** Of each unit `[first chunk, after the last]` or `[chunk, start, end]`; absent where they follow from the items. */
  slices?: number[][][];
  /** The key of each unit of rows, in the order of the slices. */
  names?: string[];
}

/** A question that a chunk is known to answer, and how near it is to the one that was asked. */
export interface MatchedQuestion {
  text: string;
  /** Bits, of 64, in which the hashes of the two questions differ. */
  distance: number;
  /** Cosine of the chunk and the known question; 1 where a language model wrote the question of the chunk. */
  similarity: number;
}

export interface Via {
  /** Of the source. */
  page: string;
  page_title: string;
  page_url: string;
  /** Of the page's best chunk, in the page. */
  index: number;
  /** `relation`: a line in the front matter; `title`: the other's; `identifier`: one that the other defines. */
  evidence: "link" | "relation" | "title" | "identifier";
  /** Whether the evidence stands in the hit: it names the page that led to it. */
  back: boolean;
}

/** A stretch of one page: one chunk, several that follow each other, or an excerpt of one. */
export interface Passage {
  /** The source as a reader of the rendered page sees it; in an excerpt, `…` stands for what is left out. */
  text: string;
  /** As the index counts them; for an excerpt, an estimate by its words, off by some percent, for which a budget has room. */
  tokens: number;
  /** Whether the chunk did not fit, and only the parts with most of the query's words are here. */
  excerpt: boolean;
  /** Chunks that the passage is made of. One that was added as a neighbour has the score 0. */
  hits: Hit[];
  /** Chunks that say nearly the same, and were left out for that reason. */
  duplicates: Hit[];
}

/** Text that a language model should read for a question. */
export interface Context extends BundleAnswer {
  /** The page with the best chunk first, and each page in its own order. */
  passages: Passage[];
  /** The passages as a prompt takes them: each below its number, as `[1]`, and what else `sources` asks for. */
  text: string;
  /** Where each passage stands, in their order. */
  citations: Citation[];
  /** Of `text`: of all passages, and of the lines that name their sources; never more than the budget. */
  tokens: number;
  /** Relevant chunks that did not fit: the best first. */
  more: Hit[];
  plan: ContextPlan;
}

export type QuestionClass = "factoid" | "analytical" | "comparative" | "exploratory" | "multi-hop";

/** Where a passage of a context stands: what `[1]` in an answer leads to. */
export interface Citation {
  /** The passage's, from 1. */
  number: number;
  /** Path of the source document. */
  page: string;
  title: string;
  page_title: string;
  /** Headings above the first line of its first chunk. */
  section_path: string[];
  /** Of the rendered page at the heading; empty where it is not known. */
  url: string;
  /** File of its first chunk, relative to the root. */
  href: string;
  /** Names of the files of its chunks, in order. */
  chunks: string[];
  /** First and last line in the source document that its chunks stand on, from 1, whether or not all is shown. */
  lines: [number, number];
  /** Of the passage. */
  tokens: number;
}

/** How the budget of a context was filled, and why. */
export interface ContextPlan {
  question_class: QuestionClass;
  /** Why it is that class and that way, in English. */
  reasons: string[];
  /** Pieces of chunks, or whole ones. */
  level: "passages" | "chunks";
  packing: "greedy" | "ratio" | "knapsack";
  /** Names of the question that were searched for, too, each by itself. */
  names: string[];
  /** Most hits that the context was chosen from. */
  candidates: number;
  /** Most characters of a piece, where it is made of pieces. */
  characters: number;
  /** Least share of the best score that a hit had to have. */
  share: number;
  /** By part of the context: of whole chunks, of excerpts, of what stands around the chunks, of what names sources. */
  tokens: { chunks: number; excerpts: number; around: number; sources: number };
}

export interface RetrieveOptions
  extends CallOptions, Pick<SearchOptions, "path" | "filters" | "exact" | "graph" | "prompts" | "rerank"> {
  /** Most tokens of the text, 1 at the least; 2,000 unless told. */
  max_tokens?: number;
  /** By the question's words unless told. */
  question_class?: QuestionClass | null;
  /** Pieces of chunks, or whole ones with what stands beside them; by the class unless told. */
  level?: "passages" | "chunks" | null;
  /** How pieces are chosen: the best first, by value for each token, or the greatest sum of values; `greedy`. */
  packing?: "greedy" | "ratio" | "knapsack" | null;
  /** What stands above each passage: its number, alone (unless told), with its headings, or with these and its address. */
  sources?: "numbers" | "titles" | "urls";
  /** Searches for each name of a comparative or multi-hop question, too; `false`. */
  split?: boolean;
}

export interface Words extends BundleAnswer {
  /** Words as the pages have them, in lower case, each with the number of chunks that have it in any form; best first. */
  terms: [term: string, chunks: number][];
}

export interface TopicEntry {
  id: string;
  title: string;
  description?: string;
  /** Documents and chunks, those of topics below included. */
  documents: number;
  chunks: number;
  /** Topics below it. */
  topics?: number;
  href: string;
}

export interface Topic {
  id: string;
  title: string;
  description?: string;
  build_id: string;
  href: string;
  /** One level down. */
  topics: TopicEntry[];
  documents: Record<string, TopicDocument>;
  related: { href: string; title?: string; similarity?: number; authority?: Record<string, number> }[];
  /** Href of the communities of entities; where there is a graph. */
  communities?: string;
}

export interface TopicDocument {
  source: string;
  count: number;
  baseline_conceptual?: number;
  baseline_technical?: number;
  stripe_factor?: number;
  stripe_factor_technical?: number;
  stripe_order?: number[];
  stripe_order_technical?: number[];
  /** But for the document itself. */
  units?: UnitGroup[];
  items: Item[];
}

/** One chunk, as `index.json` describes it. */
export interface Item {
  /** Id of the topic, key of the document. */
  topic: string;
  document: string;
  index: number;
  href: string;
  title: string;
  section_path?: string[];
  is_code?: boolean;
  tokens?: number;
  sha256?: string;
  similarity_conceptual?: number;
  similarity_technical?: number;
  keywords?: { name: string; score: number }[];
  prompt_hashes_hex?: string[];
  /** What a language model wrote about the chunk: no word of the document. */
  enriched?: Enriched;
}

/** What a language model wrote about a chunk when the site was built, and which one. */
export interface Enriched {
  /** The model. */
  by: string;
  title?: string;
  summary?: string;
  /** Where the chunk stands in its document. */
  context?: string;
  /** Its subtopic, and those of earlier chunks that it refers to. */
  key?: string;
  related_keys?: string[];
  keywords?: string[];
  entities?: { name: string; type: string }[];
  /** What the chunk answers. */
  questions?: string[];
  /** What users may type who need it. */
  queries?: string[];
  /** What it states, claim by claim, and the bytes of its readable text that say so. */
  propositions?: { claim: string; start: number; end: number }[];
  /** The sections that begin with this chunk, larger ones first: the number of their chunks, and what they are about. */
  sections?: { chunks: number; summary: string }[];
  /** The images that it shows, by their link, and what they show. */
  images?: { image: string; description: string }[];
}

export interface PublishedChunk {
  href: string;
  /** Of the text, 64 hex digits. */
  sha256: string;
  /** YAML. */
  front_matter: string;
  /** The exact slice of the source. */
  text: string;
  /**
   * The slice as a reader of the rendered page sees it: with the text of included files, and without markup for the
   * site's generator.
   */
  readable: string;
  /** What a language model wrote about the chunk: no word of the document. */
  enriched?: Enriched;
}

export interface MatchOptions extends CallOptions {
  /** Id of the topic to look in, with all below it; the whole tree unless told. */
  topic?: string;
  limit?: number;
  /** Most bits between two questions, of 64; what the site says, 12, unless told. */
  distance?: number | null;
}

/**
 * Reads one published tree. Everything it fetches lies under the folder of `url`; redirects are refused, digests are
 * checked, and a file that is wrong is fetched a second time before it counts as broken. Every method may fail with an
 * InfographError; a search in which only some files fail answers with the rest.
 */
export class Client {
  /**
   * @param url of the folder that holds `index.json` and `_search/`, or of that file; in a browser it may be relative. One
   * that ends in `federation.json` is that of several sites, which are asked, too.
   */
  constructor(url: string | URL, options?: ClientOptions);

  /** The best chunks. */
  search(query: string, options?: SearchOptions): Promise<Answer>;

  /** The best chunk of each of the best pages. */
  pages(query: string, options?: SearchOptions): Promise<Answer>;

  /** What a language model should read for a question: the best chunks with their neighbours, within so many tokens. */
  retrieve(query: string, options?: RetrieveOptions): Promise<Context>;

  /**
   * The communities of entities that a question is about, the best first; all of them for an empty one, the largest of
   * each level first. 10 unless told. Fails for a site without a graph.
   */
  communities(
    query?: string,
    options?: CallOptions & { limit?: number },
  ): Promise<BundleAnswer & { hits: CommunityHit[] }>;

  /** Terms of the site that begin with `prefix`; 10 unless told. */
  complete(prefix: string, options?: CallOptions & { limit?: number }): Promise<Words>;

  /** Words of the site that `word` may be a slip of, the likeliest first: those one letter away; 5 unless told. */
  correct(word: string, options?: CallOptions & { limit?: number }): Promise<Words>;

  /** Every topic below one, the root's unless told, each followed by those below it. */
  topics(id?: string, options?: CallOptions): Promise<TopicEntry[]>;

  /** One topic: its documents and their chunks. `""` is the root. */
  topic(id: string, options?: CallOptions): Promise<Topic>;

  /** `n` chunks that represent a topic: its documents in turn, of each the baseline and then its stripe order. */
  sample(id: string, n: number, order?: "conceptual" | "technical", options?: CallOptions): Promise<Item[]>;

  /** Chunks that are known to answer a question like this one, the nearest first. Reads two files at the most. */
  match(question: string, options?: MatchOptions): Promise<Hit[]>;

  /** The text of a hit or an item, checked against its digest; of an href, against the one in the file. */
  read(what: string | { href: string; sha256?: string }, options?: CallOptions): Promise<PublishedChunk>;

  /** Where a text has terms of a query, from the first to the last: for marking them. */
  highlight(query: string, text: string, options?: CallOptions): Promise<[start: number, end: number][]>;

  /**
   * The part of a chunk's `readable` text that has most of the words of a query, as a reader sees it, in some 200
   * characters on one line; its beginning, where no other part has more of them.
   */
  passage(query: string, text: string, options?: CallOptions): Promise<string>;

  /** Forgets what has been read, so that the next call sees what is published now. */
  refresh(): void;
}

export class InfographError extends Error {
  readonly name: "InfographError";
  /**
   * - `outside`: an address that is not under the one given, or a redirect
   * - `missing`: the server has no such file, or does not answer
   * - `broken`: the file is not what it should be: another build's, truncated, no JSON
   * - `large`: more bytes than such a file may have
   * - `version`: the index is of a format that this release does not know
   * - `timeout`: not done within the time given
   * - `unknown`: no such topic, field, order or option; an option that is out of range or of another type
   */
  readonly code: "outside" | "missing" | "broken" | "large" | "version" | "timeout" | "unknown";
}
