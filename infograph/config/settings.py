"""Every setting with its default and its meaning. Files, variables, flags, errors and the reference follow from the
fields; `reading.py` reads them."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from infograph.model import Site, UserTable

if TYPE_CHECKING:
    from infograph.search.format.fusion_model import FusionFile
    from infograph.search.format.rerank_policy import RerankFile


STORES = ("s3://", "gs://", "az://")
"""How addresses of object stores begin."""

PAGES = ("auto", "markdown", "html")
"""What `source.pages` may be."""


@dataclass(frozen=True, slots=True)
class SourceSettings:
    """Which files are documents."""

    include: tuple[str, ...] = ()
    """Globs (gitignore syntax, relative to the root); empty takes every Markdown file. Source code, tables (.csv,
    .tsv) and transcripts (.vtt, .srt) are taken by a glob that ends in their suffix: `src/**/*.py`."""
    exclude: tuple[str, ...] = ()
    """Globs of files and folders to leave out."""
    gitignore: bool = True
    """Leave out what .gitignore files leave out."""
    pages: str = "auto"
    """Which pages are documents: `markdown`; `html`, those of a rendered site (needs the extra html); `auto`, the
    Markdown where the tree holds any, else the rendered pages."""
    convert: UserTable = field(default_factory=UserTable)
    """Commands that convert files to Markdown, by suffix: `".org" = "pandoc -f org -t gfm"`. Each gets a file on its
    standard input, or its path for `{file}`, and writes Markdown."""
    convert_seconds: float = 30.0
    """Longest time by the clock for a command and one file."""
    notebook_outputs: bool = False
    """Index the text that cells of notebooks put out, too."""


@dataclass(frozen=True, slots=True)
class MarkupSettings:
    """What stands in the place of a site generator's markup, in the text that is searched and shown."""

    includes: bool = True
    """Put the text of included files in the place of includes, where the file lies in the repository."""
    include_paths: tuple[str, ...] = ()
    """Further folders in which included files are looked for, relative to the source tree: those of the page and all
    above it, up to the root of the repository, need not be named."""
    shortcodes: UserTable = field(default_factory=UserTable)
    """Shortcodes and what stands in their place: a text with `{0}` or `{name}` for a value, `keep` for the shortcode as
    it is written, `drop` for nothing, its inner text included."""


@dataclass(frozen=True, slots=True)
class LimitSettings:
    """How much of one file is read, and for how long."""

    bytes: int = 5_000_000
    """Largest source file."""
    blocks: int = 100_000
    """Most Markdown blocks in one file."""
    seconds: float = 10.0
    """Longest processor time for one file, in a worker that is killed after it, or after ten times that by the clock.
    Windows knows only the clock: there it is this time itself."""


CHUNK_FILES = ("each", "pack")
"""What `chunks.files` may be."""


@dataclass(frozen=True, slots=True)
class ChunkSettings:
    """What is added to a chunk beyond its slice, which no setting changes, and how chunks are put into files."""

    overlap: int = 0
    """Most tokens of whole sentences, from the end of the chunk before, that are embedded with a chunk."""
    prefix: str = "breadcrumb"
    """Embedded before a chunk: `breadcrumb`, its section path; `summary`, that and the sentence that says most of
    the chunk before; `none`. After `infograph enrich` also `context`, the model's context and the path; `enriched`,
    its title and summary and the path."""
    images: bool = True
    """Link a chunk's images in its metadata, and embed what is said of them outside of the chunk."""
    metadata: tuple[str, ...] = ()
    """What else to write to chunk files: `id`, `language`, `summary`, `source_version` (the git commit)."""
    entities: str | None = None
    """spaCy pipeline, a package's name or a folder, whose named entities are written to chunk files."""
    files: str = "each"
    """`each`: every chunk is a file. `pack`: up to 32 neighbouring chunks of a document are one, for hosts that limit
    files; who reads one of them fetches the whole file."""

    @property
    def packed(self) -> bool:
        """Whether several chunks of a document share a file."""
        return self.files == "pack"

    @property
    def context(self) -> dict[str, Any]:
        """What is added to a chunk, as `chunking.context` takes it."""
        return {name: value for name, value in asdict(self).items() if name != "files"}


@dataclass(frozen=True, slots=True)
class KeywordSettings:
    """How keywords are found."""

    language: str = "en"
    """Of stop words and stemming: an ISO 639-1 code."""
    per_topic: int = 500
    """Most rows of a topic's authority table."""
    per_chunk: int = 12
    """Most keywords of a chunk."""


@dataclass(frozen=True, slots=True)
class EmbeddingSettings:
    """How texts are embedded."""

    batch: int = 1
    """Most texts that a sentence-transformers model runs at once: faster, above all on a GPU, but the last digits of a
    vector then depend on the other texts of its batch. 1: a build from nothing gives the same bytes."""
    endpoint: str = ""
    """Address of a server with OpenAI's interface for models `endpoint/NAME`, as `http://127.0.0.1:11434/v1`. The texts
    go there. Its key is no setting: set the environment variable INFOGRAPH_EMBEDDING_API_KEY."""
    dimensions: int = 0
    """Length of vectors that is asked of the endpoint; 0: the model's own."""
    max_tokens: int = 512
    """Most tokens of a text that is sent there; longer ones are embedded in windows. No more than the model reads: some
    servers cut the rest off and do not say so."""
    batch_seconds: float = 600.0
    """Seconds that a sentence-transformers model, or one of another package, may take for a batch of texts, or until it
    says how far it is; to load it is part of the first. After that it counts as hanging, and the build ends. 0: no
    limit."""
    timeout: float = 60.0
    """Seconds that an answer of the endpoint may take."""
    retries: int = 4
    """How often a request to the endpoint is sent again after the first try."""
    allow_http: bool = False
    """Allow `http://` to private addresses; this machine's own may always be asked so."""
    redact: tuple[str, ...] = ("default",)
    """What is replaced before a text is sent to the endpoint, as for `llm.redact`."""


@dataclass(frozen=True, slots=True)
class PromptSettings:
    """How questions are matched to chunks."""

    # Measured with all-MiniLM-L6-v2 over 100 questions and 168 sections of technical pages, 3 chunks a question: at
    # 0.5, 82% of the questions reach a section that answers them, at 0.3 85%. Over larger sections the cosines are
    # smaller: of 93 questions to three long documents 0.5 lets 16% through to the right one, 0.3 49%.
    threshold: float = 0.3
    """Least cosine between a question of qa-pairs.md and a chunk that answers it."""
    per_question: int = 3
    """Most chunks a question is given to, those of qa-pairs.md itself counted apart."""


@dataclass(frozen=True, slots=True)
class StripeSettings:
    """How the chunks of a document are ordered for samples."""

    factor: int | None = None
    """Stride of the similarity order; unset, it follows from the number of chunks."""


@dataclass(frozen=True, slots=True)
class IndexSettings:
    """What indexes link to."""

    base_url: str = ""
    """Absolute path or URL the tree is published under; empty writes relative links."""
    source_url: str = ""
    """Where source documents are published, with `{path}` in the place of the path: links to them when the index is not
    written beside them."""
    pages: bool = False
    """Write each page as a reader sees it, in Markdown, to `_pages/`; `source` and `llms.txt` then lead there. For
    trees built with `out`: elsewhere the documents themselves lie there."""
    llms_full: bool = False
    """Write `llms-full.txt`, all pages as one text for agents that take that; its first line says how large it is."""
    technical_baseline: str = "title"
    """`title`: chunk 1 when its title matches Quick Reference or similar, which few trees have. `first-code`, for trees
    with much code: that, else the first code chunk after chunk 0."""
    related: int = 5
    """Most related topics of a topic."""


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """What is written for search."""

    enabled: bool = True
    """Write the search bundle, `_search/`; `infograph.js`, which reads it; and `explorer.html`, a page to search and
    look at the tree with."""
    max_files: int = 2000
    """Most files of the bundle, for hosts that limit them: fewer are larger, so that a search reads more bytes."""
    fields: tuple[str, ...] = ("chunk_type", "is_code", "language", "tags", "units")
    """Fields that a search can be narrowed by: `chunk_type`, `is_code`, `language` (of code), `units` (what a chunk is
    part of: `table`, …), `tokens`, `index`, `count`, `keywords`, `created_at`, `authority`; any other is of a chunk's
    metadata or a key of the front matter, a text unless it says `name:number`, `name:date` or `name:flag`."""
    vectors: str = "packaged"
    """Where `model` is not packaged: `packaged`, search compares chunks by the packaged static one, which every client
    has; `own`, by that model, for clients that can embed a question with it."""
    fusion: str = "sum"
    """How a client that has the model puts the words' score and its own together: `sum`; `rrf`, reciprocal ranks;
    `tm2c2:0.4`, scaled scores with that share of the model's; or a file that `infograph fit fusion` wrote."""
    enriched: tuple[str, ...] = ()
    """What a language model said of a chunk, see `infograph enrich`, whose words find it: of `title`, `summary`,
    `keywords`, `entities`, `questions`, `queries`, `context`, `key`, `propositions`, `sections`."""
    rerank: str | None = None
    """File that `infograph fit rerank` wrote: from which confidence on a ranking stays as it is, and whether the look
    at the vectors pays; unset, the release's own measurements of the model decide on the latter."""


PROVIDERS = ("openai", "anthropic", "openai-compatible")
"""The two wire formats, and the first one at an address of one's own."""

STRUCTURED = ("auto", "json_schema", "json_object", "tool", "none")
"""How an endpoint is asked for JSON."""


@dataclass(frozen=True, slots=True)
class LlmSettings:
    """The language model that `infograph enrich` asks. No build asks one. Its key is no setting: set the environment
    variable INFOGRAPH_LLM_API_KEY."""

    provider: str = "openai"
    """Wire format: `openai`, `anthropic`, or `openai-compatible`, any server that speaks the first one."""
    base_url: str = ""
    """Address of the endpoint, as `http://127.0.0.1:11434/v1`; unset: the provider's own."""
    model: str = ""
    """Name of the model; there is no default."""
    fallback_model: str = ""
    """Model that is asked where the first one reached its output limit, or failed three times."""
    temperature: float = 0.2
    """How freely the model chooses its words."""
    max_output_tokens: int = 1000
    """Most tokens of an answer about one chunk."""
    document_output_tokens: int = 8000
    """Most tokens of an answer about all chunks of a document; with more chunks it is asked in parts."""
    context_tokens: int = 32_768
    """Tokens that the endpoint can read; a longer document is sent as an excerpt."""
    timeout: float = 120.0
    """Seconds that an answer may take."""
    concurrency: int = 4
    """Calls in flight."""
    requests_per_minute: int = 0
    """Most calls in a minute; 0: no limit."""
    tokens_per_minute: int = 0
    """Most tokens in a minute; 0: no limit."""
    retries: int = 4
    """How often a call is tried again after the first try."""
    structured: str = "auto"
    """How JSON is asked for: `json_schema`, `json_object`, `tool`, `none`; `auto`: the best that the endpoint takes."""
    allow_http: bool = False
    """Allow `http://` to private addresses; this machine's own may always be asked so."""
    prices: UserTable = field(default_factory=UserTable)
    """Prices of a million tokens: `{input = 1.0, output = 5.0, cached_input = 0.1}`."""
    max_cost: float = 0.0
    """Most that a run may cost, by these prices; 0: no limit."""
    max_calls: int = 0
    """Most calls of a run; 0: no limit."""
    exclude: tuple[str, ...] = ()
    """Globs of documents that are never sent."""
    redact: tuple[str, ...] = ("default",)
    """What is replaced before anything is sent: `default`, names of rules, or `/regular expressions/`."""


@dataclass(frozen=True, slots=True)
class EnrichSettings:
    """What a language model is asked, and where its records lie."""

    tasks: tuple[str, ...] = ("metadata",)
    """What is asked of each chunk: `metadata`, `context`, `queries`, `propositions`, `entities`. By itself:
    `summaries`, of documents and their sections; `captions`, of the images that documents show; `communities`, of
    names; `breakpoints`, of documents."""
    unit: str = "chunk"
    """A call about each `chunk`, which is shown the keys of those before it; or one about each `document`."""
    dir: str | None = None
    """Folder of the records, which mirrors the tree; unset: `_enrichment` beside each document."""
    rolling: bool = True
    """Show the model the keys that it gave to the chunks before."""
    granularity: str = "specific"
    """Keys are `specific` subtopics, or `broad` ones."""
    unverified: str = "drop"
    """Keywords and entities that the text does not name: `drop` publishes none of them, `keep` all."""
    fail_on_redaction: bool = False
    """Send nothing of a document in which something would be redacted."""


ENRICHED_FIELDS = (
    "title",
    "summary",
    "keywords",
    "entities",
    "questions",
    "queries",
    "context",
    "key",
    "propositions",
    "sections",
    "images",
)
"""What a model says of a chunk, of the sections that it begins and of the images that it shows, that search can take
in."""

ENTITIES = ("off", "terms", "records")
"""What the graph may be made from."""


@dataclass(frozen=True, slots=True)
class GraphSettings:
    """The graph of entities, `_graph/`."""

    entities: str = "off"
    """What entities are made from: `terms`, the names and terms of the text; `records`, the names that a language model
    found and what it said of two of them, of chunks without a record the terms; `off` writes no graph. It needs
    `search.enabled`."""


@dataclass(frozen=True, slots=True)
class WatchSettings:
    """When `infograph watch` builds again."""

    debounce: float = 0.05
    """Seconds of quiet before a rebuild."""
    rescan: float = 30.0
    """Seconds between full rescans: the system's change events can be lost."""
    early: bool = True
    """Where the model would take over a minute for a tree that is not built yet, publish it by `static` first, and
    again when the vectors are there."""


@dataclass(frozen=True, slots=True)
class ServeSettings:
    """Where `infograph serve` answers."""

    host: str = "127.0.0.1"
    """Address to serve on; `0.0.0.0` lets other machines read, too."""
    port: int = 8000
    """Port to serve on; 0 takes any free one."""
    allow_hosts: tuple[str, ...] = ()
    """Names besides `localhost` and the address to serve on by which the server may be called. Others are refused, or
    any site could read what is served here by giving its own name this machine's address."""
    cors: bool = False
    """Let pages of every origin read what is served."""


@dataclass(frozen=True, slots=True)
class Config:
    """Everything a run depends on, apart from the files themselves."""

    docs: str = "."
    """Root of the source tree, when the command names none."""
    out: str | None = None
    """Where to write: a folder, or an object store, `s3://BUCKET/PREFIX` (gs://, az://; needs the extra store); unset
    writes beside the sources."""
    strategy: str = "semantic-250-750"
    """Chunking strategy of Markdown; `auto` chooses one for each document by its structure."""
    routes: UserTable = field(default_factory=UserTable)
    """Globs of documents with a strategy of their own; the last that matches holds."""
    strategies: UserTable = field(default_factory=UserTable)
    """Options of strategies, a table for each."""
    model: str = "all-MiniLM-L6-v2-int8"
    """Embedding model: a packaged name, sentence-transformers/NAME, a path, or endpoint/NAME."""
    jobs: int = 0
    """Worker processes and model threads; 0 takes one a processor."""
    ray: str | None = None
    """Address of a Ray cluster whose machines do the work: HOST:PORT, ray://HOST:PORT or auto; unset: this machine."""
    strict: bool = False
    """Warnings make the exit status 1."""
    silence: tuple[str, ...] = ()
    """Kinds of warnings that are not shown and do not count for `strict`: `unresolved-include`, …"""
    cache: str | None = None
    """Folder of the embedding cache; unset: beside the nearest infograph.toml, pyproject.toml or .git at or above the
    sources, else beside these; with `out` in the project's folder."""
    source: SourceSettings = field(default_factory=SourceSettings)
    markup: MarkupSettings = field(default_factory=MarkupSettings)
    limits: LimitSettings = field(default_factory=LimitSettings)
    chunks: ChunkSettings = field(default_factory=ChunkSettings)
    keywords: KeywordSettings = field(default_factory=KeywordSettings)
    embedding: EmbeddingSettings = field(default_factory=EmbeddingSettings)
    prompts: PromptSettings = field(default_factory=PromptSettings)
    stripe: StripeSettings = field(default_factory=StripeSettings)
    index: IndexSettings = field(default_factory=IndexSettings)
    search: SearchSettings = field(default_factory=SearchSettings)
    graph: GraphSettings = field(default_factory=GraphSettings)
    llm: LlmSettings = field(default_factory=LlmSettings)
    enrich: EnrichSettings = field(default_factory=EnrichSettings)
    site: Site = field(default_factory=Site)
    watch: WatchSettings = field(default_factory=WatchSettings)
    serve: ServeSettings = field(default_factory=ServeSettings)


RANGES: Mapping[str, tuple[float, float]] = {
    "jobs": (0, 1024),
    "limits.bytes": (1, 10**12),
    "limits.blocks": (1, 10**9),
    "limits.seconds": (0.001, 86_400),
    "source.convert_seconds": (0.001, 86_400),
    "chunks.overlap": (0, 10**6),
    "keywords.per_topic": (1, 10**9),
    "keywords.per_chunk": (1, 10**9),
    "embedding.batch": (1, 10**6),
    "embedding.dimensions": (0, 10**5),
    "embedding.max_tokens": (16, 10**6),
    "embedding.batch_seconds": (0, 86_400),
    "embedding.timeout": (0.1, 86_400),
    "embedding.retries": (0, 100),
    "prompts.threshold": (-1, 1),
    "prompts.per_question": (1, 10**9),
    "stripe.factor": (1, 10**9),
    "index.related": (0, 10**9),
    "search.max_files": (16, 10**6),  # each kind of shard needs some
    "llm.temperature": (0, 2),
    "llm.max_output_tokens": (16, 10**6),
    "llm.document_output_tokens": (16, 10**6),
    "llm.context_tokens": (512, 10**8),
    "llm.timeout": (0.1, 86_400),
    "llm.concurrency": (1, 256),
    "llm.requests_per_minute": (0, 10**6),
    "llm.tokens_per_minute": (0, 10**9),
    "llm.retries": (0, 100),
    "llm.max_cost": (0, 10**9),
    "llm.max_calls": (0, 10**9),
    "watch.debounce": (0, 86_400),
    "watch.rescan": (0.001, 86_400),
    "serve.port": (0, 65_535),
}
"""Least and greatest value of each numeric setting. Systems take neither infinite times nor arbitrarily large numbers:
the greatest values are above anything that makes sense."""


@dataclass(frozen=True, slots=True)
class Settings:
    """A configuration with the paths that it names, resolved."""

    config: Config
    root: Path
    """The source tree."""
    out: Path
    """The output tree; equals `root` when building in place."""
    cache: Path
    """The embedding cache."""
    memory: Path
    """What this machine remembers of its last build: beside the sources, or with `out` in the project's folder,
    since an output tree is published as it is and often wiped by the generator that shares it."""
    file: Path | None
    """The file the settings came from."""
    enrichment: Path | None = None
    """Folder of the records of language models, which mirrors the source tree; None where they lie beside the
    documents."""
    source_version: str | None = None
    """Git commit of the source tree; None unless the metadata of chunks includes it."""
    created: Mapping[str, int] = field(default_factory=dict)
    """Day of the last commit of each document; empty unless `search.fields` has `created_at`."""
    fusion: FusionFile | None = None
    """What `search.fusion` names; None for the sum."""
    rerank: RerankFile | None = None
    """What `search.rerank` names."""
    origins: Mapping[str, str] = field(default_factory=dict, compare=False)
    """File, flag or variable that gave a setting, by the setting's dotted name; used in errors."""

    @property
    def store(self) -> str | None:
        """Address of the object store that the output tree is published to; None where it goes to a folder. Then `out`
        is a copy of it on this machine."""
        return self.config.out if is_store(self.config.out) else None

    @property
    def in_place(self) -> bool:
        """Whether outputs are written beside the sources."""
        return self.out == self.root

    @property
    def packed(self) -> bool:
        """Whether several chunks of a document share a file."""
        return self.config.chunks.packed

    @property
    def jobs(self) -> int:
        """Number of worker processes, at least one."""
        return self.config.jobs or available_processors()


def is_store(out: str | None) -> bool:
    """Whether a value of `out` names an object store and no folder."""
    return out is not None and out.startswith(STORES)


def available_processors() -> int:
    """Number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
