"""The ChunkingTool's core: a parsed document in, its chunks out."""

from __future__ import annotations

from dataclasses import dataclass

from infograph.chunking.assemble import assemble
from infograph.chunking.extras import Extras, add_extras
from infograph.chunking.page import Page, Strategy, Tools
from infograph.chunking.passages import passage_texts
from infograph.chunking.routing import KINDS, Router, chosen
from infograph.errors import Notice
from infograph.model import Block, Chunk, Document

_NOTHING = Extras()


@dataclass(frozen=True, slots=True)
class ChunkedDocument:
    """One document's chunks, and what a person should know about them."""

    chunks: tuple[Chunk, ...]
    notices: tuple[Notice, ...] = ()
    passages: tuple[tuple[str, ...], ...] = ()
    """For each chunk the texts of its passages, as they are embedded; none where they are not asked for."""


def chunk_document(
    document: Document,
    blocks: tuple[Block, ...],
    strategy: Strategy | Router,
    tools: Tools,
    extras: Extras = _NOTHING,
    *,
    count: bool = True,
    passage: int = 0,
) -> ChunkedDocument:
    """Cut one document. Pure; an empty body has no chunks, a body of white space has one.

    blocks: of Markdown; a document of another kind has none, and a strategy of another kind takes it for one block
    of code, which comes apart between lines
    count: chunks know their tokens. Not to count them, where the strategy does not, takes a third less time
    passage: most tokens of a passage; 0 to have none
    """
    page = Page(document, blocks)
    choice = chosen(strategy, page)
    if not blocks and choice.strategy.chunk_type not in KINDS.values():
        page = Page(document, (Block("code", 0, len(page.starts) - 1),) if document.body else ())
    cutting = choice.strategy(page, tools)
    chunks = assemble(page, cutting.pieces, choice.strategy.chunk_type, tools.counter if count else None)
    chunks = add_extras(page, cutting.pieces, chunks, extras, tools.counter, choice.facts)
    texts = passage_texts(page, cutting.pieces, passage, extras, tools) if passage else ()
    return ChunkedDocument(chunks, cutting.notices, texts)
