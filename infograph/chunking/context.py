"""Context and metadata of chunks, as the `[chunks]` settings request them.

Context (section path, summary, overlap, image descriptions) changes only the embedded text. The slice stays as it
is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from infograph.chunking.chunks import breadcrumb
from infograph.chunking.images import Image, find_images
from infograph.chunking.interface import ChunkPiece, DocumentLayout
from infograph.chunking.metadata import NAMES, Languages, chunk_id, entities
from infograph.chunking.pieces.prose import Prose, plain
from infograph.chunking.tokens import TokenCounter
from infograph.errors import ConfigError
from infograph.model import Chunk, Fact, described

PREFIXES = ("breadcrumb", "summary", "none", "context", "enriched")
"""What is embedded before a chunk. The last two put what a language model said, see `enrich.applied`, before the
section path."""


@dataclass(frozen=True, slots=True)
class ChunkContext:
    """The context and metadata to add, by default only the section path. Raises ConfigError for an unknown value."""

    overlap: int = 0
    """Most tokens of whole sentences from the end of the previous chunk that are embedded with a chunk."""
    prefix: str = "breadcrumb"
    """Text embedded before a chunk, one of `PREFIXES`."""
    images: bool = False
    """Whether to link a chunk's images and to embed descriptions of them that stand outside of the chunk."""
    metadata: tuple[str, ...] = ()
    """Names of the metadata to add, from `NAMES`."""
    entities: str | None = None
    """spaCy pipeline that finds named entities; None for no entities."""
    source_version: str | None = None
    """Value of the metadata of this name."""

    def __post_init__(self) -> None:
        for name in self.metadata:
            if name not in NAMES:
                raise ConfigError("chunks.metadata", f"there is no `{name}`", f"Valid: {', '.join(NAMES)}")
        if self.prefix not in PREFIXES:
            raise ConfigError("chunks.prefix", f"there is no `{self.prefix}`", f"Valid: {', '.join(PREFIXES)}")

    @property
    def key(self) -> str:
        """The options that change the embedded texts of all documents, in a form fit for a directory's name."""
        overlap = f"-overlap-{self.overlap}" if self.overlap else ""
        return overlap + (f"-prefix-{self.prefix}" if self.prefix != "breadcrumb" else "")


def add_context(
    layout: DocumentLayout,
    pieces: Sequence[ChunkPiece],
    chunks: tuple[Chunk, ...],
    context: ChunkContext,
    counter: TokenCounter,
    known: Mapping[str, Fact],
) -> tuple[Chunk, ...]:
    """Returns the chunks with the requested context and metadata.

    known: metadata of all chunks of the document
    """
    images = find_images(layout) if context.images else ()
    if not (images or known or context != ChunkContext(images=context.images)):
        return chunks
    prose = Prose(layout)
    languages = Languages(layout, prose) if "language" in context.metadata else None
    named: list[tuple[str, ...]] = []
    if context.entities:
        sentences = (prose.within(piece.start, piece.end) for piece in pieces)
        named = entities([" ".join(plain(layout.body[s:e]) for s, e in spans) for spans in sentences], context.entities)
    result = []
    for number, (piece, chunk) in enumerate(zip(pieces, chunks, strict=True)):
        own = [image for image in images if piece.start <= image.start < piece.end]
        previous = pieces[number - 1] if number else None
        facts = dict(known)
        if "id" in context.metadata:
            facts["chunk_id"] = chunk_id(chunk)
        if languages and (language := languages.of(chunk, piece)):
            facts["language"] = language
        if "summary" in context.metadata and (summary := prose.summary(piece.start, piece.end)):
            facts["summary"] = summary
        if "source_version" in context.metadata and context.source_version:
            facts["source_version"] = context.source_version
        if named and named[number]:
            facts["entities"] = named[number]
        if links := tuple(dict.fromkeys(image.link for image in own if image.link)):
            facts["images"] = links
        embed_text = _with_context(prose, chunk, piece, previous, context, counter)
        embed_text += _image_descriptions(layout, own, piece, chunk)
        facts |= dict(chunk.facts)  # the strategy's own metadata takes precedence
        result.append(described(chunk, embed_text, tuple(sorted(facts.items()))))
    return tuple(result)


def _with_context(
    prose: Prose,
    chunk: Chunk,
    piece: ChunkPiece,
    previous: ChunkPiece | None,
    context: ChunkContext,
    counter: TokenCounter,
) -> str:
    """Returns the embedded text with the requested prefix, and with the overlap before it."""
    lead = breadcrumb(prose.layout, chunk.section_path)
    rest = chunk.embed_text.removeprefix(lead)
    if context.prefix == "none":
        lead = ""
    elif context.prefix == "summary" and previous and (summary := prose.summary(previous.start, previous.end)):
        lead = f"{lead[:-1]}{summary}\n\n"
    if previous is None or not context.overlap or piece.before:  # `before`: the strategy repeats text of its own
        return lead + rest
    return lead + _overlap(prose, previous, context.overlap, counter) + rest


def _overlap(prose: Prose, previous: ChunkPiece, most: int, counter: TokenCounter) -> str:
    """Returns the last sentences of a chunk on one line, as many as fit; empty where the chunk does not end with
    prose."""
    kept: list[str] = []
    for start, end in prose.before(previous.start, previous.end):
        sentence = " ".join(prose.layout.body[start:end].split())
        most -= counter.count([sentence])[0]
        if most < 0:
            break
        kept.append(sentence)
    return "".join((*(f"{sentence} " for sentence in kept[:0:-1]), f"{kept[0]}\n")) if kept else ""


def _image_descriptions(layout: DocumentLayout, images: Sequence[Image], piece: ChunkPiece, chunk: Chunk) -> str:
    """Returns one line with the images' descriptions that the chunk's text lacks; empty where there are none."""
    said = [part for image in images for part in image.descriptions if part not in chunk.readable]
    outside = [span for image in images for span in image.nearby if span[1] <= piece.start or span[0] >= piece.end]
    parts = dict.fromkeys((*said, *(plain(layout.body[start:end]) for start, end in outside)))
    line = "" if chunk.embed_text.endswith(("\n", "\r")) else "\n"
    return f"{line}{' '.join(parts)}\n" if parts else ""
