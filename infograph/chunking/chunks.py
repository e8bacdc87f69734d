"""Makes chunks from the pieces of a document: the one place that computes slices, offsets, titles and hashes."""

from __future__ import annotations

import hashlib
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence

from infograph.chunking.interface import ChunkPiece, DocumentLayout
from infograph.chunking.tables.keyed_rows import moved
from infograph.chunking.tokens import TokenCounter
from infograph.model import CODE, Block, Chunk, Document, Facts
from infograph.text.edits import TextEdit, edited, within


def make_chunks(
    layout: DocumentLayout, pieces: Sequence[ChunkPiece], chunk_type: str, counter: TokenCounter | None
) -> tuple[Chunk, ...]:
    """Returns the chunks of a document. Raises ValueError where the pieces do not tile its body: the strategy is wrong.

    counter: counts the pieces that the strategy has not counted, and those with edits; None leaves them uncounted
    """
    document, body, starts = layout.document, layout.body, layout.starts
    ends = [piece.end for piece in pieces]
    if [piece.start for piece in pieces] != [0, *ends[:-1]][: len(pieces)] or (ends or [0])[-1] != len(body):
        raise ValueError(f"{document.path}: the pieces do not tile the document")
    texts = [body[piece.start : piece.end] for piece in pieces]
    edits = [_edits(document, piece) for piece in pieces]
    shown = [edited(text, own) for text, own in zip(texts, edits, strict=True)]
    counts = [None if own else piece.tokens for piece, own in zip(pieces, edits, strict=True)]
    if counter is not None:
        uncounted = [index for index, count in enumerate(counts) if count is None]
        for index, count in zip(uncounted, counter.count([shown[index] for index in uncounted]), strict=True):
            counts[index] = count
    sections = _Sections(layout)
    fences = _Fences(layout)
    source = document.path.lower().endswith(CODE)
    first_line = document.first_line
    offset = len(document.prefix.encode())
    chunks = []
    for index, (piece, text) in enumerate(zip(pieces, texts, strict=True)):
        data = text.encode()
        path, own = sections.of(piece)
        if piece.path is not None:
            path, own = piece.path, None
        begin = bisect_right(starts, piece.start) - 1
        end = bisect_left(starts, piece.end)
        title = own or (path[-1] if path else layout.title)
        chunks.append(
            Chunk(
                document=document.path,
                index=index,
                count=len(pieces),
                title=title,
                section_path=path,
                text=text,
                embed_text=breadcrumb(layout, path) + _after_it(piece, shown[index]),
                lines=(first_line + begin, first_line + end - 1),
                bytes=(offset, offset + len(data)),
                counted=counts[index],
                is_code=source or 2 * fences.overlap(begin, end) > end - begin,
                chunk_type=chunk_type,
                sha256=hashlib.sha256(data).hexdigest(),
                continues=piece.continues,
                parents=piece.parents,
                facts=piece.facts and _rounded(piece.facts),
                edits=edits[index],
                keyed=piece.keyed,
            )
        )
        offset += len(data)
    return tuple(chunks)


def _edits(document: Document, piece: ChunkPiece) -> tuple[TextEdit, ...]:
    """Returns the edits of a piece; none where another text is embedded instead of the slice."""
    return within(document.edits, piece.start, piece.end) if document.edits and piece.embed is None else ()


def with_text(layout: DocumentLayout, pieces: list[ChunkPiece]) -> list[ChunkPiece]:
    """Returns the pieces; one of which a reader sees nothing, since it is all markup, goes with its neighbour.

    The first chunk is what the others are compared with, so it must say something.
    """
    document = layout.document
    if len(pieces) < 2 or not document.edits or any(piece.parents or piece.embed is not None for piece in pieces):
        return pieces
    kept: list[ChunkPiece] = []
    held: ChunkPiece | None = None
    for piece in pieces:
        if held is not None:
            keyed = held.keyed + moved(piece.keyed, piece.start - held.start)
            piece = piece._replace(
                start=held.start, continues=held.continues, before=held.before, tokens=None, keyed=keyed
            )
        text = layout.body[piece.start : piece.end]
        held = None if edited(text, _edits(document, piece)).strip() else piece
        if held is None:
            kept.append(piece)
    if held is not None and kept:
        keyed = kept[-1].keyed + moved(held.keyed, held.start - kept[-1].start)
        kept[-1] = kept[-1]._replace(end=held.end, after=held.after, tokens=None, keyed=keyed)
    return kept or pieces


class _Sections:
    """The section path of each piece, from the headings above it. Pieces must be passed in order."""

    def __init__(self, layout: DocumentLayout) -> None:
        self.layout = layout
        self.headings = layout.headings
        self.offsets = [layout.starts[heading.start] for heading in layout.headings]
        self.next = 0
        self.open: list[Block] = []
        self.path: tuple[str, ...] = ()

    def of(self, piece: ChunkPiece) -> tuple[tuple[str, ...], str | None]:
        """Returns the section path at the piece's start, and the first heading inside the piece or None."""
        headings, offsets, begun, at = self.headings, self.offsets, self.next, self.next
        while at < len(offsets) and offsets[at] <= piece.start:
            heading = headings[at]
            self.open = [above for above in self.open if above.level < heading.level]
            self.open.append(heading)
            at += 1
        if at > begun:
            self.next = at
            self.path = tuple([heading.text for heading in self.open if heading.text])
        if piece.start == 0 and self.layout.titled_by_front_matter:
            return self.path, self.layout.title
        if at > 0 and offsets[at - 1] == piece.start:
            at -= 1
        while at < len(offsets) and offsets[at] < piece.end:
            if headings[at].text:
                return self.path, headings[at].text
            at += 1
        return self.path, None


def breadcrumb(layout: DocumentLayout, path: tuple[str, ...]) -> str:
    """Returns the text embedded before a slice: the document's title and the section path.

    It is empty where no heading stands above the slice and front matter gives no title. A file's name is rarely
    written to be read, and a first heading further down need not be a title: before every chunk of plain text,
    either costs three points of recall (chroma set of `benchmarks/strategies.py`, dense).
    """
    if not path and layout.document.title is None:
        return ""
    title = layout.title
    return f"{' > '.join(path if title in path else (title, *path))}\n\n"


def _after_it(piece: ChunkPiece, text: str) -> str:
    """Returns the text embedded after the breadcrumb."""
    after = piece.after if not piece.after or text.endswith(("\n", "\r")) else f"\n{piece.after}"
    return f"{piece.before}{text if piece.embed is None else piece.embed}{after}"


def _rounded(facts: Facts) -> Facts:
    """Returns the facts sorted, with numbers rounded as in a chunk file, so that all machines agree."""
    return tuple(sorted([(name, round(value, 6) if isinstance(value, float) else value) for name, value in facts]))


class _Fences:
    """The lines of fenced code, fence markers included, blank lines after the fence excluded."""

    def __init__(self, layout: DocumentLayout) -> None:
        self.begins: list[int] = []
        self.ends: list[int] = []
        self._body, self._starts = layout.body, layout.starts
        self._add(layout.blocks)

    def _add(self, blocks: Iterable[Block]) -> None:
        body, starts = self._body, self._starts
        for kind, begin, end, _, _, children in blocks:
            if kind == "fence":
                while end > begin + 1 and body[starts[end - 1] : starts[end]].isspace():
                    end -= 1
                self.begins.append(begin)
                self.ends.append(end)
            elif children:
                self._add(children)

    def overlap(self, begin: int, end: int) -> int:
        """Returns how many lines from `begin` to `end` are fenced code."""
        lines = 0
        for at in range(bisect_right(self.ends, begin), bisect_left(self.begins, end)):
            lines += min(self.ends[at], end) - max(self.begins[at], begin)
        return lines
