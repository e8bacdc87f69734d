"""The structured answers of the tools of `infograph mcp`.

Docstrings and descriptions here are part of the tools' output schemas, which agents read.
"""

from __future__ import annotations

from pydantic import BaseModel, Field

from infograph.formats.index_json import EnrichedItem
from infograph.search.format.results import TotalRelation


class TextSource(BaseModel):
    """Where a text stands."""

    id: str = Field(description="For `read`")
    title: str
    section_path: list[str] = Field(description="Headings that its first line stands under")
    url: str = Field(default="", description="Of the page at the heading; empty where it is not known")
    document: str = Field(description="Path of the source document")
    tokens: int | None = None


class FoundHit(TextSource):
    """A hit."""

    score: float
    snippet: str
    by_way_of: str = Field(
        default="",
        description="The page whose link led to it, and what shows the link, or the name that it shares with a page "
        "before it; empty where words found it",
    )
    known_to_answer: str = Field(
        default="",
        description="A question like the one asked that people or a language model gave it as the answer of; such hits "
        "stand first",
    )
    nearly_the_same: list[str] = Field(default_factory=list, description="Ids of chunks that say nearly the same")


class PassageText(BaseModel):
    """A passage to answer from."""

    text: str
    excerpt: bool = Field(description="`…` stands for what is left out")
    tokens: int
    sources: list[TextSource] = Field(description="The chunks it is made of")


class SearchResult(BaseModel):
    passages: list[PassageText]
    hits: list[FoundHit]
    total: int = Field(description="Hits in all, as far as is known: see `total_relation`")
    total_relation: TotalRelation = Field(
        description="`eq`: there are `total` hits; `gte`: or more, as a path is looked through no further than needed; "
        "`lte`: or fewer, as some may be near-duplicates"
    )
    confidence: float = Field(description="How sure the ranking is of its first hit, 0 to 1")
    next_offset: int | None = Field(default=None, description="`offset` of the hits that follow")
    corrected: dict[str, str] = Field(
        description="Words of the query that the site does not have, each with the one that was searched for instead"
    )
    notes: list[str] = Field(description="What else to know of the answer: what it is without, and why")


class ModelSaid(BaseModel):
    """What a language model wrote about a chunk when the site was built. No word of it is the document's."""

    by: str = Field(description="The model")
    summary: str = ""
    questions: list[str] = Field(default_factory=list, description="What the chunk answers")
    entities: list[str] = Field(default_factory=list, description="Names in it, each with its type")


def model_said(said: EnrichedItem | None) -> ModelSaid | None:
    """Returns what a chunk's metadata has of a language model as an answer has it."""
    if said is None:
        return None
    entities = [f"{entity.name} ({entity.type})" for entity in said.entities]
    return ModelSaid(by=said.by, summary=said.summary or "", questions=list(said.questions), entities=entities)


class ReadResult(TextSource):
    text: str
    cut: bool = Field(description="The text goes on")
    previous: str | None = Field(default=None, description="Id of the chunk before")
    next: str | None = Field(default=None, description="Id of the chunk after")
    said: ModelSaid | None = Field(default=None, description="What a model wrote about it; not the document's own")


class SampledText(TextSource):
    text: str | None = Field(default=None, description="Left out where the sample is too long")
    said: ModelSaid | None = Field(default=None, description="In its place, what a model wrote about it, if any did")


class SampleResult(BaseModel):
    topic: str
    items: list[SampledText]


class ListedTopic(BaseModel):
    """A topic below."""

    id: str
    title: str
    description: str
    documents: int
    chunks: int
    topics: int = Field(description="Below it")


class ListedDocument(BaseModel):
    source: str
    title: str
    chunks: int
    id: str = Field(description="Of its first chunk")


class TopicsResult(BaseModel):
    id: str
    title: str
    description: str
    topics: list[ListedTopic] = Field(description="One level down")
    documents: list[ListedDocument]
    left_out: int = Field(description="Topics and documents that are not listed")
