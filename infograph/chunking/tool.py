"""The ChunkingTool's core: a parsed document in, its chunks out."""

from __future__ import annotations

from dataclasses import dataclass

from infograph.chunking.assemble import assemble
from infograph.chunking.page import Page, Strategy
from infograph.chunking.tokens import TokenCounter
from infograph.model import Block, Chunk, Document
from infograph.notice import Notice


@dataclass(frozen=True, slots=True)
class ChunkedDocument:
    """One document's chunks, and what a person should know about them."""

    chunks: tuple[Chunk, ...]
    notices: tuple[Notice, ...] = ()


def chunk_document(
    document: Document, blocks: tuple[Block, ...], strategy: Strategy, counter: TokenCounter
) -> ChunkedDocument:
    """Cut one document. Pure; an empty body has no chunks, a body of white space has one."""
    page = Page(document, blocks)
    chunks = assemble(page, strategy(page, counter), strategy.chunk_type, counter)
    return ChunkedDocument(chunks)
