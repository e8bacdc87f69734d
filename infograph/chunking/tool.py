"""The ChunkingTool's core: a parsed document in, its chunks out."""

from __future__ import annotations

from dataclasses import dataclass

from infograph.chunking.assemble import assemble
from infograph.chunking.page import Page, Strategy, Tools
from infograph.model import Block, Chunk, Document
from infograph.notice import Notice


@dataclass(frozen=True, slots=True)
class ChunkedDocument:
    """One document's chunks, and what a person should know about them."""

    chunks: tuple[Chunk, ...]
    notices: tuple[Notice, ...] = ()


def chunk_document(document: Document, blocks: tuple[Block, ...], strategy: Strategy, tools: Tools) -> ChunkedDocument:
    """Cut one document. Pure; an empty body has no chunks, a body of white space has one."""
    page = Page(document, blocks)
    cutting = strategy(page, tools)
    return ChunkedDocument(assemble(page, cutting.pieces, strategy.chunk_type, tools.counter), cutting.notices)
