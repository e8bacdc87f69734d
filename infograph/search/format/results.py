"""The hits of a search, and the remarks of its answer."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

TotalRelation = Literal["eq", "gte", "lte"]
"""How a total relates to the number of hits, by the names that other search engines use.

eq:  it is that number
gte: there are that many hits or more: not every chunk was held against the filter
lte: there are that many hits or fewer: some that were not read may be near-duplicates of others
"""


ValueCounts = tuple[tuple[str, int], ...]
"""Values of a field, each with a number of chunks, the most frequent first."""


@dataclass(frozen=True, slots=True)
class SaidRelation:
    """A relation of two entities, as a language model says that chunks state it."""

    source: str
    """Name of the entity that it is said of."""
    relation: str
    target: str
    by: str
    """Names of the models."""


@dataclass(frozen=True, slots=True)
class Via:
    """The page that led to a hit, and what shows that it leads there."""

    page: str
    """Path of the source."""
    page_title: str
    page_url: str
    index: int
    """Number of the page's best chunk in the page."""
    evidence: str
    """`link`, `relation` (a line in the front matter), `title` (the other's title in the text) or `identifier` (one
    that the other defines)."""
    back: bool
    """Whether the evidence stands in the hit: it names the page that led to it."""


@dataclass(frozen=True, slots=True)
class MatchedQuestion:
    """A question that a chunk is known to answer, and how near it is to the one that was asked."""

    text: str
    distance: int
    """Number of bits, of 64, in which the hashes of the two questions differ."""
    similarity: float
    """Cosine of the chunk and the known question, to three places; 1 where the chunk holds the question, or a language
    model wrote it of the chunk."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentUnit:
    """What is read together: ordered slices of one document."""

    id: str
    """The document, the slices and the level of a section, or the type of another: `guide/builds.md#3-9.2`,
    `#1-2,5-7.key`, `#4:120-980.table`."""
    type: str
    """`document`, `section` (neighbouring chunks below one heading), `key` (chunks of one subtopic, wherever they
    stand, where a language model named them), `proposition` (what a claim of one rests on); `parent`, `table`, `image`
    and `outline`, as an index lists them."""
    level: int
    """Number of headings that its chunks have in common; 0 for the document, and of a parent 1 for the largest."""
    section_path: tuple[str, ...]
    """Headings that its chunks have in common, outermost first."""
    slices: tuple[tuple[int, int], ...]
    """Half-open ranges of the document's chunks, in order: those that it is made of, or that its `spans` lie in."""
    hrefs: tuple[str, ...]
    """Files of these chunks, in order."""
    tokens: int
    """Tokens of all of them."""
    sha256: str
    """SHA-256 of the first 32 hex digits of each chunk's digest, one after the other."""
    key: str = ""
    """The subtopic of a unit of type `key`; the key of `rows`."""
    summary: str = ""
    """What a language model said that it is about, where that is published; of a proposition the claim: no word of the
    document."""
    spans: tuple[tuple[int, int, int], ...] = ()
    """Parts of chunks, in order, where the unit is not of whole ones: the number of a chunk, and a half-open range of
    bytes of its text as a reader sees it."""

    @property
    def size(self) -> int:
        """Number of its chunks."""
        return sum(end - first for first, end in self.slices)


@dataclass(frozen=True, slots=True)
class Hit:
    """One chunk in an answer."""

    page: str
    """Path of the source."""
    page_title: str
    page_url: str
    index: int
    """Number of the chunk in its page, from 0."""
    title: str
    section_path: tuple[str, ...]
    anchor: str
    snippet: str
    tokens: int
    href: str
    """Link to the chunk's file from the root; where that holds several, with the number of this one behind: `#3`."""
    sha256: str
    """First 32 hex digits of the SHA-256 of the chunk's text."""
    score: float
    simhash: str = "0" * 16
    """SimHash of the chunk's terms, 64 bits in hex: near-duplicates differ in few bits."""
    url: str = ""
    """URL of the rendered page at the heading; empty where it is not a web address, or the site's is unknown."""
    duplicates: tuple[Hit, ...] = ()
    """Chunks of other pages that rank below it and say nearly the same, where a search collapses them."""
    hops: int = 0
    """Number of links, or steps along the graph, that were followed to it; its score is its own, and a share of that of
    the page before it."""
    via: Via | None = None
    """The page that led to it, where a link did."""
    path: tuple[str, ...] = ()
    """Names of the entities that led to it, one for each step; where an entity of the query did, that one."""
    relation: SaidRelation | None = None
    """What a language model says that the site states of the first two names of `path`, where that led to it."""
    matched_question: MatchedQuestion | None = None
    """The question like the one asked that it is known to answer, where there is one."""
    text: str = ""
    """The chunk, or all of its unit, as a reader of the rendered page sees it, where the search was asked for texts."""
    unit: DocumentUnit | None = None
    """The section, or the document, that stands here in the place of several of its chunks that were found; this hit is
    the best of them."""
    site: str | None = None
    """Id of the site that it is from, in a federation; its page and its href begin with that."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CommunityHit:
    """A community of entities, with what stands for it."""

    id: str
    title: str
    """Names of the most central entities; or what a model called it."""
    level: int
    """0 for one that lies in no other."""
    size: int
    """Number of its entities."""
    keywords: tuple[str, ...]
    sentences: tuple[str, ...]
    """Sentences of its chunks that name most of it; or what a model said of it, as one."""
    href: str
    """File of the community, relative to the root: HAL, with `item` links to its chunks."""
    score: float
    enriched_by: str = ""
    """The model that wrote title and summary; empty where they are words of the documents."""


@dataclass(slots=True)
class Remarks:
    """Remarks of an answer beside its contents; they are collected while it is worked out."""

    missing: dict[str, str] = field(default_factory=dict)
    """Files that could not be read, and why: the answer lacks what they hold."""
    corrected: dict[str, str] = field(default_factory=dict)
    """Words of the query that the site does not have, each with the one that was searched for instead."""
    notes: list[str] = field(default_factory=list)
    """Other notes to the reader, in English."""
    confidence: float = 0.0
    """How sure the ranking is of its first chunk, 0 to 1, comparable from query to query: see `ranking/fusion.py`."""
    fused: bool = False
    """Whether that is of words and cosine together; else it is of words alone."""
    curtailed: bool = False
    """Whether a filter chose among chunks of which a term of the query has more than the index lists."""
    most: float = 0.0
    """The most that a score without the query's vector can be for the terms of the query."""
    sites: list[int] = field(default_factory=list)
    """Numbers of the sites, of a federation, that were read for it."""
