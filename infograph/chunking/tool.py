"""The ChunkingTool's core: a parsed document in, its chunks out."""

from __future__ import annotations

from dataclasses import dataclass

from infograph.chunking.assemble import assemble
from infograph.chunking.extras import Extras, add_extras
from infograph.chunking.page import Page, Strategy, Tools
from infograph.chunking.routing import KINDS, Choice, Router
from infograph.model import Block, Chunk, Document
from infograph.notice import Notice

_NOTHING = Extras()


@dataclass(frozen=True, slots=True)
class ChunkedDocument:
    """One document's chunks, and what a person should know about them."""

    chunks: tuple[Chunk, ...]
    notices: tuple[Notice, ...] = ()


def chunk_document(
    document: Document, blocks: tuple[Block, ...], strategy: Strategy | Router, tools: Tools,
    extras: Extras = _NOTHING, *, count: bool = True,
) -> ChunkedDocument:  # fmt: skip
    """Cut one document. Pure; an empty body has no chunks, a body of white space has one.

    blocks: of Markdown; a document of another kind has none, and a strategy of another kind takes it for one block
    of code, which comes apart between lines
    count: chunks know their tokens. Not to count them, where the strategy does not, takes a third less time
    """
    page = Page(document, blocks)
    choice = strategy.choose(page) if isinstance(strategy, Router) else Choice(strategy)
    if not blocks and choice.strategy.chunk_type not in KINDS.values():
        page = Page(document, (Block("code", 0, len(page.starts) - 1),) if document.body else ())
    cutting = choice.strategy(page, tools)
    chunks = assemble(page, cutting.pieces, choice.strategy.chunk_type, tools.counter if count else None)
    known = {"strategy": choice.name, "reason": choice.reason} if choice.reason else {}
    return ChunkedDocument(add_extras(page, cutting.pieces, chunks, extras, tools.counter, known), cutting.notices)
