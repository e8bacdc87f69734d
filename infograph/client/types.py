"""The values that clients answer with. Names are those of the files, and of `infograph.d.ts`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from infograph.formats.index_json import EnrichedItem, UnitGroup
from infograph.search.format.results import CommunityHit, Hit, TotalRelation, ValueCounts


@dataclass(frozen=True, slots=True, kw_only=True)
class Stats:
    """What an answer has cost."""

    requests: int = 0
    """Requests that were sent, those counted that the server answered by "not modified"; of a folder, files read."""
    bytes: int = 0
    """Bytes of the replies as they came, compressed where the server compresses, without heads."""
    cache_hits: int = 0
    """Files that did not have to come: they were in memory, in the folder of `cache`, or not modified."""
    milliseconds: Mapping[str, float] = field(default_factory=dict)
    """Time by stage: `manifest`, `search`, `texts` and `indexes` for reading these, `model` for embedding the
    question or waiting for a language model, `computing` for the rest. Stages that a call did not have are left out."""

    @property
    def total_milliseconds(self) -> float:
        """Time of all stages."""
        return sum(self.milliseconds.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class BundleAnswer:
    """The part that all answers from the search bundle have in common."""

    missing: Mapping[str, str] = field(default_factory=dict)
    """Files that could not be read, and why: the answer lacks what they hold."""
    corrected: Mapping[str, str] = field(default_factory=dict)
    """Words of the query that the site does not have, each with the one that was searched for instead."""
    notes: tuple[str, ...] = ()
    """Further notes for the reader, in English."""
    stats: Stats = field(default=Stats(), compare=False)
    """What the call has cost, which is no part of the answer: two that say the same are equal."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer(BundleAnswer):
    """The answer of a search."""

    hits: tuple[Hit, ...]
    """Hits, the best first."""
    total: int
    """Chunks (pages) in the ranking, which has the best some hundred for each word of the query, less the duplicates
    found so far; with a path or filters, those found so far that pass."""
    total_relation: TotalRelation = "eq"
    """`eq`: there are `total` hits; `gte`: or more, since not all were held against the filters or files are missing;
    `lte`: or fewer, since some that were not looked at may be near-duplicates."""
    facets: Mapping[str, ValueCounts] = field(default_factory=dict)
    """For each field that `facets` named its most frequent values, 20 at most, each with the number of chunks of the
    ranking that have it: of all that the search found and its filter allows, however many are listed."""
    confidence: float = 0.0
    """How sure the ranking is of its first hit, 0 to 1, comparable from query to query. With the query's vector: 1
    where one chunk is the best both by words and by meaning. Else: its score over the most that there could be."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Words(BundleAnswer):
    """Terms that complete or correct a word."""

    terms: tuple[tuple[str, int], ...]
    """Words as the pages have them, in lower case, each with the number of chunks that have it in any form; the best
    first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Communities(BundleAnswer):
    """The answer of a global search."""

    hits: tuple[CommunityHit, ...]
    """Communities of entities, the best first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A stretch of one page: one chunk, several that follow each other, or an excerpt of one."""

    text: str
    """The source as a reader of the rendered page sees it; in an excerpt, `…` stands for what is left out."""
    tokens: int
    """Number of tokens as the index counts them; for an excerpt, an estimate by its words, which is off by
    some percent: a budget has room for that."""
    excerpt: bool
    """Whether the chunk did not fit, and only the parts with most of the query's words are here."""
    hits: tuple[Hit, ...]
    """Chunks that the passage is made of. A chunk that was added as a neighbour has the score 0."""
    duplicates: tuple[Hit, ...] = ()
    """Chunks that say nearly the same, and were left out for that reason."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation:
    """Where a passage of a context stands: what `[1]` in an answer leads to."""

    number: int
    """The passage's, from 1, by which the text of the context names it."""
    page: str
    """Path of the source document."""
    title: str
    page_title: str
    section_path: tuple[str, ...]
    """Headings above the first line of its first chunk."""
    url: str
    """URL of the rendered page at the heading; empty where it is not known."""
    href: str
    """File of its first chunk, relative to the root."""
    chunks: tuple[str, ...]
    """Names of the files of its chunks, in order."""
    lines: tuple[int, int]
    """First and last line in the source document that its chunks stand on, from 1, whether or not all is shown; of a
    document of another kind, in the Markdown that it was converted to."""
    tokens: int
    """Tokens of the passage, without the lines above it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextPlan:
    """How the budget of a context was filled, and why."""

    question_class: str
    """`factoid`, `analytical`, `comparative`, `exploratory` or `multi-hop`."""
    reasons: tuple[str, ...]
    """Why it is that class and that way, in English."""
    level: str
    """`passages`: pieces of chunks; `chunks`: whole ones."""
    packing: str
    """`greedy`, `ratio` or `knapsack`: how pieces were chosen. Whole chunks are taken best first."""
    names: tuple[str, ...] = ()
    """Names of the question that were searched for, too, each by itself."""
    candidates: int
    """Most hits that the context was chosen from."""
    characters: int
    """Most characters of a piece, where it is made of pieces."""
    share: float
    """Least share of the best score that a hit had to have."""
    tokens: Mapping[str, int] = field(default_factory=dict)
    """Tokens by part of the context: of whole `chunks`, of `excerpts`, of what stands `around` the chunks, and of the
    lines that name the `sources`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Context(BundleAnswer):
    """Text that a language model should read for a question."""

    passages: tuple[Passage, ...]
    """Passages: the page with the best chunk first, and each page in its own order."""
    text: str = ""
    """The passages as a prompt takes them: each below its number, as `[1]`, and what else `sources` asks for."""
    citations: tuple[Citation, ...] = ()
    """Where each passage stands, in their order."""
    tokens: int
    """Tokens of `text`: of all passages, and of the lines that name their sources; never more than the budget, which
    keeps room for what excerpts may have more than they are estimated to have."""
    more: tuple[Hit, ...]
    """Relevant chunks that did not fit: the best first."""
    plan: ContextPlan
    """The class of the question, and how the budget was filled for it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicEntry:
    """Summary of a topic."""

    id: str
    title: str
    description: str = ""
    documents: int = 0
    """Documents in the topic and below."""
    chunks: int = 0
    """Chunks in the topic and below."""
    topics: int = 0
    """Topics below this one, at any depth."""
    href: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """A chunk, as `index.json` describes it."""

    topic: str
    """Id of the chunk's topic."""
    document: str
    """Key of the chunk's document."""
    index: int
    href: str
    title: str
    section_path: tuple[str, ...] = ()
    is_code: bool = False
    tokens: int | None = None
    sha256: str = ""
    similarity_conceptual: float | None = None
    similarity_technical: float | None = None
    keywords: tuple[tuple[str, int], ...] = ()
    """Names and scores of keywords."""
    prompt_hashes: tuple[int, ...] = ()
    """SimHashes of the questions that the chunk answers."""
    enriched: EnrichedItem | None = None
    """What a language model, named in `by`, wrote about the chunk: no word of the document."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicDocument:
    """A document of a topic."""

    source: str
    """Name of the source file."""
    count: int
    baseline_conceptual: int | None = None
    baseline_technical: int | None = None
    stripe_factor: int | None = None
    stripe_factor_technical: int | None = None
    stripe_order: tuple[int, ...] = ()
    stripe_order_technical: tuple[int, ...] | None = None
    units: tuple[UnitGroup, ...] = ()
    """Units of the document by type and level, see `infograph.client.units`; the document itself is not counted."""
    items: tuple[Item, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Related:
    """An edge to another topic."""

    href: str
    title: str = ""
    similarity: float | None = None
    authority: Mapping[str, float] = field(default_factory=dict)
    """Keywords that both topics have."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic:
    """A topic, all pages of its index together."""

    id: str
    """Path of the topic's directory; the empty string is the root."""
    title: str
    description: str = ""
    build_id: str = ""
    href: str
    topics: tuple[TopicEntry, ...]
    """Topics one level down."""
    documents: Mapping[str, TopicDocument]
    related: tuple[Related, ...] = ()
    communities: str = ""
    """Href of the communities of entities; where there is a graph, else empty."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedChunk:
    """A chunk's text and front matter, whose digest was compared."""

    href: str
    sha256: str
    """SHA-256 of the text, 64 hex digits."""
    front_matter: str
    """Front matter in YAML."""
    text: str
    """Exact slice of the source."""
    readable: str
    """The slice as a reader of the rendered page sees it: with the text of included files, and without markup for the
    site's generator."""
    enriched: EnrichedItem | None = None
    """What a language model, named in `by`, wrote about the chunk: no word of the document."""
