"""The arguments of the tools of `infograph mcp`.

Descriptions here are part of the tools' input schemas, which agents read.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import orjson
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints


def _parsed(value: object) -> object:
    """Returns the object that a text is the JSON of: some agents write nested arguments so."""
    try:
        return orjson.loads(value) if isinstance(value, str) else value
    except orjson.JSONDecodeError:
        return value


_Asked = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
_Topic = Annotated[str, Field(description="Id of a topic, as `topics` gives it; empty for the whole site's root")]


class ToolArguments(BaseModel):
    """The base of all: an argument that a tool does not have is an error."""

    model_config = ConfigDict(extra="forbid")


class _Narrowed(ToolArguments):
    query: _Asked = Field(description="A question in the user's words, or keywords")
    path: str = Field(
        default="", description="Only this topic (a folder, such as `guide`) or document; empty for all of the site"
    )
    filters: Annotated[dict[str, Any] | None, BeforeValidator(_parsed)] = Field(
        default=None,
        description='What fields the sections must have, such as {"language": "python", "tags": ["a", "b"], '
        '"tokens": {"gte": 100}, "product": {"exists": true}, "not": {"tags": "old"}}: all must hold, of a list one '
        "value. The error for an unknown field names those of the site",
    )
    exact: bool = Field(
        default=False,
        description="Search for the words as they are; else one that the site does not have may be a slip",
    )
    graph: int | None = Field(
        default=None,
        ge=0,
        le=2,
        description="Steps, 1 or 2, from the first pages to others that share a name with them, for a question that no "
        "page answers alone; only of a site with a graph of names",
    )


class SearchToolArguments(_Narrowed):
    limit: int = Field(default=10, ge=1, le=50, description="Hits to list")
    offset: int = Field(default=0, ge=0, le=10_000, description="Hits to leave out: where the list before ended")
    mode: Literal["leaf", "parent", "summary-first"] = Field(
        default="leaf",
        description="`parent`: the whole section in the place of several hits in it; `summary-first`: the sections "
        "around hits, by their summaries",
    )


class RetrieveToolArguments(_Narrowed):
    max_tokens: int = Field(
        default=2000,
        ge=1,
        le=20_000,
        description="Tokens of the whole answer as text: the passages, where they stand, and what else is named. The "
        "names of fields in structured content come on top",
    )
    question_class: Literal["factoid", "analytical", "comparative", "exploratory", "multi-hop"] | None = Field(
        default=None, description="What kind of question it is; by its words unless told"
    )
    level: Literal["passages", "chunks"] | None = Field(
        default=None, description="Pieces of sections, or whole ones with what stands beside them; by the class"
    )
    packing: Literal["greedy", "ratio", "knapsack"] | None = Field(
        default=None, description="How pieces are chosen: the best first, by value for each token, the best sum"
    )
    split: bool = Field(default=False, description="Search for each name of a comparative or multi-hop question, too")


class ReadToolArguments(ToolArguments):
    id: _Asked = Field(
        description="Id of a chunk, as the other tools give it; or the path of a document, for its whole page"
    )
    part: Literal["chunk", "section", "page"] = Field(
        default="chunk", description="The chunk itself, all of its section, or its whole page"
    )
    max_tokens: int = Field(default=4000, ge=1, le=20_000, description="Tokens to give at once")
    cursor: str = Field(default="", description="`next_cursor` of the same read: goes on where that ended")


class TopicsToolArguments(ToolArguments):
    path: _Topic = ""


class SampleToolArguments(ToolArguments):
    topic: _Topic
    n: int = Field(default=5, ge=1, le=50, description="Chunks")


class MatchToolArguments(ToolArguments):
    question: _Asked = Field(description="A question in the user's words")
    topic: str = Field(default="", description="Only chunks of this topic and of those below; empty for all")
    limit: int = Field(default=5, ge=1, le=50, description="Chunks to list")
