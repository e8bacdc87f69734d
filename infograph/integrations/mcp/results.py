"""The structured answers of the tools of `infograph mcp`.

Docstrings and descriptions here are part of the tools' output schemas, which agents read. What has its default is left
out of an answer.
"""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, Field

from infograph.formats.enriched_facts import image_fact
from infograph.formats.index_json import EnrichedItem
from infograph.search.format.results import TotalRelation

_NEAR: Any = Field(default_factory=list, description="Ids of chunks that say nearly the same")
_NOTES: Any = Field(default_factory=list, description="What else to know of the answer: what it is without, and why")
_CORRECTED: Any = Field(
    default_factory=dict,
    description="Words of the query that the site does not have, each with the one that was searched for instead",
)


class ToolResult(BaseModel):
    site: str = Field(default="", description="The site that answers, where the server has several")


class TextSource(BaseModel):
    """Where a text stands."""

    id: str = Field(description="For `read`")
    title: str
    section_path: list[str] = Field(description="Headings that its first line stands under")
    url: str = Field(default="", description="Of the page at the heading; left out where it is not known")
    document: str = Field(description="Path of the source document")
    tokens: int | None = None


class FoundSource(TextSource):
    by_way_of: str = Field(
        default="",
        description="The page whose link led to it, and what shows the link, or the name that it shares with a page "
        "before it; left out where words found it",
    )
    known_to_answer: str = Field(
        default="",
        description="A question like the one asked that people or a language model gave it as the answer of; such hits "
        "stand first",
    )


class FoundSection(BaseModel):
    """The section, or document, that a hit stands for."""

    headings: list[str] = Field(default_factory=list, description="All of it stands under; none for the document")
    chunks: list[str] = Field(description="Their ids, in order, for `read`")
    tokens: int = Field(description="Of all of them")
    summary: str = Field(default="", description="A language model's; not the document's own")


class FoundHit(FoundSource):
    """A hit."""

    score: float
    snippet: str = Field(description="The part of its text that says most of the query")
    nearly_the_same: list[str] = _NEAR
    section: FoundSection | None = Field(default=None, description="With `mode`: what the hit is the best chunk of")


class PassageText(FoundSource):
    """A passage to answer from, where its first chunk stands."""

    number: int = Field(description="For citing it, as [1]")
    lines: tuple[int, int] = Field(description="First and last line in the source document")
    text: str
    tokens: int
    excerpt: bool = Field(default=False, description="`…` stands for what is left out")
    continues: list[str] = Field(default_factory=list, description="Ids of the chunks after its first one")
    nearly_the_same: list[str] = _NEAR


class FurtherChunk(BaseModel):
    """A chunk that answers, too, and did not fit."""

    id: str = Field(description="For `read`")
    title: str
    tokens: int


class SearchResult(ToolResult):
    hits: list[FoundHit]
    total: int = Field(description="Hits in all, as far as is known: see `total_relation`")
    total_relation: TotalRelation = Field(
        default="eq",
        description="`eq`: there are `total` hits; `gte`: or more, as a path is looked through no further than needed; "
        "`lte`: or fewer, as some may be near-duplicates",
    )
    confidence: float = Field(description="How sure the ranking is of its first hit, 0 to 1")
    next_offset: int | None = Field(default=None, description="`offset` of the hits that follow")
    corrected: dict[str, str] = _CORRECTED
    notes: list[str] = _NOTES


class RetrieveResult(ToolResult):
    passages: list[PassageText]
    tokens: int = Field(description="Of the whole answer as text: passages, where they stand, what else is named")
    more: list[FurtherChunk] = Field(default_factory=list, description="Further chunks, the best first")
    corrected: dict[str, str] = _CORRECTED
    notes: list[str] = _NOTES


class ModelSaid(BaseModel):
    """What a language model wrote about a chunk when the site was built. No word of it is the document's."""

    by: str = Field(description="The model")
    summary: str = ""
    questions: list[str] = Field(default_factory=list, description="What the chunk answers")
    entities: list[str] = Field(default_factory=list, description="Names in it, each with its type")
    sections: list[str] = Field(default_factory=list, description="What the sections that it begins are about")
    images: list[str] = Field(
        default_factory=list, description="What the images that it shows show, each with its link"
    )


def model_said(said: EnrichedItem | None) -> ModelSaid | None:
    """Returns what a chunk's metadata has of a language model as an answer has it."""
    if said is None:
        return None
    entities = [f"{entity.name} ({entity.type})" for entity in said.entities]
    sections = [section.summary for section in said.sections]
    return ModelSaid(
        by=said.by,
        summary=said.summary or "",
        questions=list(said.questions),
        entities=entities,
        sections=sections,
        images=[image_fact(shown.description, shown.image) for shown in said.images],
    )


class ReadResult(ToolResult, TextSource):
    text: str = Field(description="Markdown")
    next_cursor: str = Field(default="", description="`cursor` that gives what follows; left out at the end")
    previous: str | None = Field(default=None, description="Id of the chunk before")
    next: str | None = Field(default=None, description="Id of the chunk after")
    said: ModelSaid | None = Field(default=None, description="What a model wrote about it; not the document's own")


class SampledText(TextSource):
    text: str | None = Field(default=None, description="Left out where the sample is too long")
    said: ModelSaid | None = Field(default=None, description="In its place, what a model wrote about it, if any did")


class SampleResult(ToolResult):
    topic: str
    items: list[SampledText]


class ListedTopic(BaseModel):
    """A topic below."""

    id: str
    title: str
    description: str = ""
    documents: int
    chunks: int
    topics: int = Field(default=0, description="Below it")


class ListedDocument(BaseModel):
    source: str = Field(description="For `read`, which then gives the whole page")
    title: str
    chunks: int
    id: str = Field(description="Of its first chunk")


class TopicsResult(ToolResult):
    id: str
    title: str
    description: str = ""
    topics: list[ListedTopic] = Field(default_factory=list, description="One level down")
    documents: list[ListedDocument] = Field(default_factory=list)
    left_out: int = Field(default=0, description="Topics and documents that are not listed")


class MatchedChunk(FoundSource):
    distance: int = Field(description="Bits, of 64, in which the hashes of the two questions differ")


class MatchResult(ToolResult):
    hits: list[MatchedChunk] = Field(description="None where no known question is like this one")
