"""Cuts one document into chunks: the core of the ChunkingTool."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from infograph.chunking.chunk_passages import passage_texts
from infograph.chunking.chunks import make_chunks, with_text
from infograph.chunking.context import ChunkContext, add_context
from infograph.chunking.interface import DocumentLayout, Strategy, StrategyTools
from infograph.chunking.routing import Router, choose_strategy
from infograph.errors import Notice
from infograph.model import Block, Chunk, Document

_NOTHING = ChunkContext()


@dataclass(frozen=True, slots=True)
class ChunkedDocument:
    """The chunks of one document, and warnings for the user."""

    chunks: tuple[Chunk, ...]
    notices: tuple[Notice, ...] = ()
    passages: tuple[tuple[str, ...], ...] = ()
    """For each chunk the embedded texts of its passages; empty where no passages were requested."""


def chunk_document(
    document: Document,
    blocks: tuple[Block, ...],
    strategy: Strategy | Router,
    tools: StrategyTools,
    context: ChunkContext = _NOTHING,
    *,
    count: bool = True,
    passage: int = 0,
) -> ChunkedDocument:
    """Cuts one document. Pure; an empty body has no chunks, a body of white space has one.

    blocks:  blocks of a Markdown document, else empty; a strategy for Markdown then sees one block of code, which
             is cut between lines
    count:   whether chunks carry their token counts; leaving out those that the strategy does not need saves a
             third of the time
    passage: most tokens of a passage; 0 for no passages
    """
    layout = DocumentLayout(document, blocks)
    choice = choose_strategy(strategy, layout)
    if not blocks and not choice.strategy.extensions:
        layout = DocumentLayout(document, (Block("code", 0, len(layout.starts) - 1),) if document.body else ())
    cutting = choice.strategy(layout, tools)
    pieces = with_text(layout, cutting.pieces)
    chunks = make_chunks(layout, pieces, choice.strategy.chunk_type, tools.counter if count else None)
    chunks = add_context(layout, pieces, chunks, context, tools.counter, choice.facts)
    texts = passage_texts(layout, pieces, passage, context, tools) if passage else ()
    return ChunkedDocument(chunks, cutting.notices, texts)


def with_row_keys(
    chunks: Sequence[Chunk],
    document: Document,
    blocks: tuple[Block, ...],
    strategy: Strategy | Router,
    tools: StrategyTools,
) -> list[Chunk]:
    """Returns the chunks of a document, as their files describe them, with the rows in them that have a key: a document
    whose rows are grouped is cut again."""
    choice = choose_strategy(strategy, DocumentLayout(document, blocks))
    if not getattr(choice.strategy, "group_by", ""):
        return list(chunks)
    again = chunk_document(document, blocks, strategy, tools, count=False).chunks
    if [chunk.text for chunk in again] != [chunk.text for chunk in chunks]:
        return list(chunks)
    return [replace(chunk, keyed=own.keyed) for chunk, own in zip(chunks, again, strict=True)]
