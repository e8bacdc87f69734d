"""What the clients answer with. Names are those of the files, and of `infograph.d.ts`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from infograph.search.format.results import Hit, TotalRelation


@dataclass(frozen=True, slots=True, kw_only=True)
class BundleAnswer:
    """What every answer from the search bundle says beside its contents."""

    missing: Mapping[str, str] = field(default_factory=dict)
    """Files that could not be had, and why: the answer is without what they hold."""
    corrected: Mapping[str, str] = field(default_factory=dict)
    """Words of the query that the site does not have, each with the one that was searched for instead."""
    notes: tuple[str, ...] = ()
    """What else the reader should know, in English."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer(BundleAnswer):
    """A search's."""

    hits: tuple[Hit, ...]
    """The best first."""
    total: int
    """Chunks (pages) in the ranking, which has the best some hundred for each word of the query, less the duplicates
    found so far; with a path or filters, those found so far that pass."""
    total_relation: TotalRelation = "eq"
    """`eq`: there are `total` hits; `gte`: or more, since not all were held against the filters or files are missing;
    `lte`: or fewer, since some that were not looked at may be near-duplicates."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Words(BundleAnswer):
    """What completes or corrects a word."""

    terms: tuple[tuple[str, int], ...]
    """Words as the pages have them, in lower case, each with the number of chunks that have it in any form; the best
    first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A stretch of one page: one chunk, several that follow each other, or an excerpt of one."""

    text: str
    """The source, exactly; in an excerpt, `…` stands for what is left out."""
    tokens: int
    """As the index counts them; of an excerpt, in proportion to its length."""
    excerpt: bool
    """The chunk did not fit; what has most of the query's words was taken from it."""
    hits: tuple[Hit, ...]
    """The chunks it is made of. A chunk that was joined for its neighbours' sake has the score 0."""
    duplicates: tuple[Hit, ...] = ()
    """Chunks that say nearly the same, and were left out for it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Context(BundleAnswer):
    """What a language model should read for a question."""

    passages: tuple[Passage, ...]
    """The page with the best chunk first, and each page in its own order."""
    tokens: int
    """Of all passages; never more than was asked for."""
    more: tuple[Hit, ...]
    """Chunks that would have been of use, but did not fit: the best first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicEntry:
    """A topic, in short."""

    id: str
    title: str
    description: str = ""
    documents: int = 0
    """In it and below."""
    chunks: int = 0
    """In it and below."""
    topics: int = 0
    """Below it."""
    href: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One chunk, as `index.json` describes it."""

    topic: str
    """Id of its topic."""
    document: str
    """Key of its document."""
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
    """Names and scores."""
    prompt_hashes: tuple[int, ...] = ()
    """SimHashes of the questions that it answers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Match(Item):
    """A chunk that answers a question like the one that was asked."""

    distance: int
    """Bits between the two questions' hashes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicDocument:
    """One document of a topic."""

    source: str
    """File name."""
    count: int
    baseline_conceptual: int | None = None
    baseline_technical: int | None = None
    stripe_factor: int | None = None
    stripe_factor_technical: int | None = None
    stripe_order: tuple[int, ...] = ()
    stripe_order_technical: tuple[int, ...] | None = None
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
    """One topic, all pages of its index together."""

    id: str
    """Path of its directory; the empty string is the root."""
    title: str
    description: str = ""
    build_id: str = ""
    href: str
    topics: tuple[TopicEntry, ...]
    """One level down."""
    documents: Mapping[str, TopicDocument]
    related: tuple[Related, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedChunk:
    """The text of a chunk, whose digest was compared."""

    href: str
    sha256: str
    """Of the text, 64 hex digits."""
    front_matter: str
    """YAML."""
    text: str
    """The exact slice of the source."""
