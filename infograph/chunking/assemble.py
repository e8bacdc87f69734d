"""Pieces of a page as chunks: the one place where slices, offsets, titles and hashes are made."""

from __future__ import annotations

import hashlib
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence

from infograph.chunking.page import Page, Piece, line_starts
from infograph.chunking.tokens import TokenCounter
from infograph.model import CODE, Block, Chunk, Facts


def assemble(page: Page, pieces: Sequence[Piece], chunk_type: str, counter: TokenCounter) -> tuple[Chunk, ...]:
    """The chunks of a page. `pieces` must tile its body; a ValueError says that a strategy is wrong."""
    document = page.document
    ends = [piece.end for piece in pieces]
    if [piece.start for piece in pieces] != [0, *ends[:-1]][: len(pieces)] or (ends or [0])[-1] != len(page.body):
        raise ValueError(f"{document.path}: the pieces do not tile the document")
    texts = [page.body[piece.start : piece.end] for piece in pieces]
    uncounted = [text for piece, text in zip(pieces, texts, strict=True) if piece.tokens is None]
    counts = iter(counter.count(uncounted))
    sections = _Sections(page)
    fences = _fenced_lines(page)
    source = document.path.lower().endswith(CODE)
    first_line = 1  # a prefix that does not end with a line end is at most a byte order mark
    if document.prefix.endswith(("\n", "\r")):
        first_line = len(line_starts(document.prefix))
    offset = len(document.prefix.encode())
    chunks = []
    for index, (piece, text) in enumerate(zip(pieces, texts, strict=True)):
        data = text.encode()
        path, own = sections.of(piece)
        if piece.path is not None:
            path, own = piece.path, None
        begin = bisect_right(page.starts, piece.start) - 1
        end = bisect_left(page.starts, piece.end)
        title = own or (path[-1] if path else page.title)
        chunks.append(
            Chunk(
                document=document.path,
                index=index,
                count=len(pieces),
                title=title,
                section_path=path,
                text=text,
                embed_text=_embed_text(page.title, path, piece, text),
                lines=(first_line + begin, first_line + end - 1),
                bytes=(offset, offset + len(data)),
                tokens=next(counts) if piece.tokens is None else piece.tokens,
                is_code=source or 2 * _overlap(fences, begin, end) > end - begin,
                chunk_type=chunk_type,
                sha256=hashlib.sha256(data).hexdigest(),
                continues=piece.continues,
                parents=piece.parents,
                facts=piece.facts and _rounded(piece.facts),
            )
        )
        offset += len(data)
    return tuple(chunks)


class _Sections:
    """The headings above each piece. Pieces are asked for in order."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.headings = page.headings
        self.offsets = [page.starts[heading.start] for heading in page.headings]
        self.next = 0
        self.open: list[Block] = []
        self.path: tuple[str, ...] = ()

    def of(self, piece: Piece) -> tuple[tuple[str, ...], str | None]:
        """The section path at the piece's start, and the first heading inside the piece, if it has one."""
        begun = self.next
        while self.next < len(self.headings) and self.offsets[self.next] <= piece.start:
            heading = self.headings[self.next]
            self.open = [above for above in self.open if above.level < heading.level]
            self.open.append(heading)
            self.next += 1
        if self.next > begun:
            self.path = tuple([heading.text for heading in self.open if heading.text])
        if piece.start == 0 and self.page.titled_by_front_matter:
            return self.path, self.page.title
        at = self.next - (self.next > 0 and self.offsets[self.next - 1] == piece.start)
        while at < len(self.headings) and self.offsets[at] < piece.end:
            if self.headings[at].text:
                return self.path, self.headings[at].text
            at += 1
        return self.path, None


def _embed_text(title: str, path: tuple[str, ...], piece: Piece, text: str) -> str:
    crumbs = path if title in path else (title, *path)
    after = piece.after if not piece.after or text.endswith(("\n", "\r")) else f"\n{piece.after}"
    return f"{' > '.join(crumbs)}\n\n{piece.before}{text if piece.embed is None else piece.embed}{after}"


def _rounded(facts: Facts) -> Facts:
    """Sorted, and numbers as a chunk file holds them: so that machines agree."""
    return tuple(sorted((name, round(value, 6) if isinstance(value, float) else value) for name, value in facts))


def _fenced_lines(page: Page) -> list[tuple[int, int]]:
    """Ranges of lines inside fenced code, fence lines included, blank lines after the fence not."""
    ranges = []
    for fence in _fences(page.blocks):
        end = fence.end
        while end > fence.start + 1 and not page.body[page.starts[end - 1] : page.starts[end]].strip():
            end -= 1
        ranges.append((fence.start, end))
    return ranges


def _fences(blocks: Iterable[Block]) -> Iterator[Block]:
    for block in blocks:
        if block.kind == "fence":
            yield block
        elif block.children:
            yield from _fences(block.children)


def _overlap(ranges: list[tuple[int, int]], begin: int, end: int) -> int:
    """How many lines of `begin` to `end` lie in the ranges, which are sorted and do not overlap."""
    at = bisect_right(ranges, begin, key=lambda range_: range_[1])
    lines = 0
    for start, stop in ranges[at:]:
        if start >= end:
            break
        lines += min(stop, end) - max(start, begin)
    return lines
