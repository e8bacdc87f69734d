"""The tool `read`: the text of a chunk, of its section or of its page, as much at once as the agent has room for.

id ─▶ the pieces of the part (chunks, in their order) ─▶ those from the cursor on that fit ─▶ text, next cursor
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple
from urllib.parse import unquote, urljoin

from infograph.client import ClientError, Item, PublishedChunk, Topic, answers
from infograph.client.graph import plain_path
from infograph.formats.chunk_href import href_beside
from infograph.formats.names import CHUNKS
from infograph.integrations.mcp.arguments import ReadToolArguments
from infograph.integrations.mcp.results import ReadResult, TextSource, model_said
from infograph.integrations.mcp.site import WAYS_OUT, OpenSite

LONGEST_TEXT = 40_000
"""Most characters of one chunk in an answer, about 10,000 tokens."""

_NO_SUCH_ID = (
    "Use an id exactly as the other tools give it, or the path of a document. After a publish there are others: search "
    "anew"
)
_WAYS_OUT = {**WAYS_OUT, **dict.fromkeys(("outside", "missing", "broken", "unknown"), _NO_SUCH_ID)}
_CURSOR = re.compile(r"(\d{1,6})-(\d{1,9})-([0-9a-f]{8})")


class ReadPlace(NamedTuple):
    """A place in a part: the number of a piece, and characters of it that were given."""

    piece: int
    offset: int


@dataclass(frozen=True, slots=True)
class _Piece:
    """A chunk of a part."""

    href: str
    sha256: str
    tokens: int


@dataclass(frozen=True, slots=True)
class _PartOfSite:
    """What is to be read, in pieces, and where it stands."""

    source: TextSource
    pieces: tuple[_Piece, ...]
    previous: str | None
    next: str | None
    chunk: PublishedChunk | None = None
    """The only piece, where that is read already."""


async def read(site: OpenSite, asked: ReadToolArguments) -> ReadResult:
    """Give the Markdown of a chunk, of its section or of its whole page, and the ids of the chunks before and after it.
    A long text comes in parts: `next_cursor` gives the next one."""
    with site.telling(_WAYS_OUT):
        part = await _part(site, asked)
        source = part.source
        source.url = await site.url_of(source)
    check = _check(part, asked.part)
    start = _read_cursor(asked.cursor, check, len(part.pieces))
    end = fitting([piece.tokens for piece in part.pieces], start.piece, asked.max_tokens)
    with site.telling(_WAYS_OUT):
        chunks = [part.chunk] if part.chunk else await _chunks(site, part.pieces[start.piece : end])
    text, after = taken([chunk.readable for chunk in chunks], start, part.pieces[start.piece].tokens, asked.max_tokens)
    ended = after.piece == len(part.pieces)
    return ReadResult(
        **source.model_dump(),
        text=text,
        next_cursor="" if ended else f"{after.piece}-{after.offset}-{check}",
        previous=part.previous,
        next=part.next,
        said=model_said(part.chunk.enriched) if part.chunk else None,
    )


def fitting(tokens: Sequence[int], first: int, room: int) -> int:
    """Returns the end of the pieces from `first` on that have at most `room` tokens together; it is one at least."""
    end = first
    while end < len(tokens) and (end == first or tokens[end] <= room):
        room -= tokens[end]
        end += 1
    return end


def taken(texts: Sequence[str], start: ReadPlace, tokens: int, room: int) -> tuple[str, ReadPlace]:
    """Returns the text to give, and where it ends. A single piece that does not fit is cut, at the end of a line where
    there is one in its second half.

    texts:  those of the pieces from `start` on, the first one whole
    tokens: of the first piece
    room:   tokens to give

    Raises ClientError where `start` is behind the end of the first text.
    """
    whole = texts[0]
    if start.offset > len(whole):
        raise _no_cursor()
    most = min(LONGEST_TEXT, len(whole) * room // tokens if tokens > room else LONGEST_TEXT)
    end = start.offset + max(1, most)
    if len(texts) == 1 and end < len(whole):
        line = whole.rfind("\n", start.offset + most // 2, end)
        end = line + 1 if line >= 0 else end
        return whole[start.offset : end], ReadPlace(start.piece, end)
    return whole[start.offset :] + "".join(texts[1:]), ReadPlace(start.piece + len(texts), 0)


def section_of(paths: Sequence[Sequence[str]], number: int) -> range:
    """Returns the numbers of the chunks of a page that stand under the headings of one of them.

    paths:  section path of each chunk, in the order of the page
    number: the chunk
    """
    own = tuple(paths[number])

    def under(place: int) -> bool:
        return tuple(paths[place][: len(own)]) == own

    first, end = number, number + 1
    while first and under(first - 1):
        first -= 1
    while end < len(paths) and under(end):
        end += 1
    return range(first, end)


async def document_at(site: OpenSite, path: str) -> tuple[Topic, Sequence[Item]]:
    """Returns the topic of a document and its chunks, in their order; none where the topic has no such document. Raises
    ClientError `unknown` where there is no such topic."""
    folder, _, name = plain_path(path).rpartition("/")
    topic = await site.client.topic(folder)
    return topic, next((own.items for own in topic.documents.values() if own.source == name), ())


async def _part(site: OpenSite, asked: ReadToolArguments) -> _PartOfSite:
    """Returns the part that is asked for. Raises ClientError where there is none."""
    if CHUNKS not in unquote(asked.id).split("/")[:-1]:
        topic, items = await document_at(site, asked.id)
        if not items:
            raise ClientError("unknown", asked.id[:200], "there is no such document")
        return _of_items(topic, items, range(len(items)), items[0].title)
    chunk = await site.client.read(asked.id)
    if asked.part == "chunk":
        return _of_chunk(chunk)
    own = plain_path(unquote(chunk.href))  # however the agent wrote it
    topic = await site.client.topic("/".join(own.split("/")[:-2]))
    for document in topic.documents.values():
        for number, item in enumerate(document.items):
            if plain_path(unquote(item.href)) == own:
                whole = asked.part == "page"
                chosen = section_of([other.section_path for other in document.items], number)
                title = document.items[0].title if whole else (item.section_path or (item.title,))[-1]
                return _of_items(topic, document.items, range(len(document.items)) if whole else chosen, title)
    raise ClientError("unknown", asked.id[:200], "is in no document of its topic's index")


def _of_chunk(chunk: PublishedChunk) -> _PartOfSite:
    """Returns a chunk as a part of one piece. Raises FormatError where its front matter does not parse."""
    said = answers.front_matter(chunk)
    beside = {way: href_beside(chunk.href, said[way]) for way in ("previous", "next") if way in said}
    source = TextSource(
        id=chunk.href,
        title=said["title"],
        section_path=list(said["section_path"]),
        document=urljoin(unquote(chunk.href), f"../{said['source']}"),
        tokens=said["tokens"],
    )
    piece = _Piece(chunk.href, chunk.sha256, said["tokens"])
    return _PartOfSite(source, (piece,), beside.get("previous"), beside.get("next"), chunk)


def _of_items(topic: Topic, items: Sequence[Item], chosen: range, title: str) -> _PartOfSite:
    """Returns neighbouring chunks of a document as a part."""
    own = items[chosen.start : chosen.stop]
    pieces = tuple(_Piece(item.href, item.sha256, item.tokens or 0) for item in own)
    name = topic.documents[own[0].document].source
    source = TextSource(
        id=own[0].href,
        title=title,
        section_path=list(own[0].section_path),
        document=f"{topic.id}/{name}" if topic.id else name,
        tokens=sum(piece.tokens for piece in pieces),
    )
    before = items[chosen.start - 1].href if chosen.start else None
    after = items[chosen.stop].href if chosen.stop < len(items) else None
    return _PartOfSite(source, pieces, before, after)


async def _chunks(site: OpenSite, pieces: Sequence[_Piece]) -> list[PublishedChunk]:
    return await site.client.run(lambda tree: tree.read_all([(piece.href, "") for piece in pieces]))


def _check(part: _PartOfSite, kind: str) -> str:
    """Returns what a cursor of this part has, and one of another or of another publication has not."""
    said = "\n".join([kind, *(f"{piece.href} {piece.sha256}" for piece in part.pieces)])
    return hashlib.sha256(said.encode()).hexdigest()[:8]


def _read_cursor(cursor: str, check: str, count: int) -> ReadPlace:
    """Returns the place that a cursor stands for. Raises ClientError for one that is not of this part."""
    if not cursor:
        return ReadPlace(0, 0)
    found = _CURSOR.fullmatch(cursor)
    if not found or found[3] != check or int(found[1]) >= count:
        raise _no_cursor()
    return ReadPlace(int(found[1]), int(found[2]))


def _no_cursor() -> ClientError:
    hint = "Leave it out to read from the beginning; the site may have been published anew"
    return ClientError("unknown", "cursor", "is not one that this read has given", hint)
