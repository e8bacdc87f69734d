"""Which images of the repository each chunk of a document shows."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import TYPE_CHECKING

from infograph.chunking.images import find_images
from infograph.chunking.interface import DocumentLayout
from infograph.enrich.images import MOST_AROUND, DocumentImage, ShownImage
from infograph.source.local_images import ImageLostError, is_remote

if TYPE_CHECKING:
    from infograph.files.stamps import Stamp
    from infograph.model import Block, Chunk, Document
    from infograph.source.local_images import LocalImages


@dataclass(slots=True)
class ShownImages:
    """The images that one document shows."""

    by_chunk: dict[int, list[ShownImage]] = field(default_factory=dict)
    """The images of each chunk that shows any, by its index: each once, in order."""
    distinct: list[DocumentImage] = field(default_factory=list)
    """Each image once, by its bytes, in the order in which they are first shown."""
    lost: list[str] = field(default_factory=list)
    """Why images of the repository are not described, each once."""
    files: dict[str, Stamp] = field(default_factory=dict)
    """Stamps of the files that were looked for, by path relative to the repository."""


def shown_images(
    document: Document, blocks: tuple[Block, ...], chunks: Sequence[Chunk], images: LocalImages
) -> ShownImages:
    """Returns the images of a document that are files of its repository.

    chunks: all of the document's, which tile it
    """
    found = ShownImages()
    if document.origin is not None or not chunks:
        return found
    ends = list(accumulate(len(chunk.text) for chunk in chunks))
    seen: set[str] = set()
    for image in find_images(DocumentLayout(document, blocks)):
        if is_remote(image.link):
            continue
        try:
            local = images.find(document.path, image.link, found.files)
        except ImageLostError as error:
            if str(error) not in found.lost:
                found.lost.append(str(error))
            continue
        chunk = chunks[min(bisect_right(ends, image.start), len(chunks) - 1)]
        shown, own = ShownImage(image.link, local.sha256), found.by_chunk.setdefault(chunk.index, [])
        if all(other.sha256 != local.sha256 for other in own):
            own.append(shown)
        if local.sha256 not in seen:
            seen.add(local.sha256)
            found.distinct.append(
                DocumentImage(
                    index=len(found.distinct),
                    first=chunk.index,
                    path=local.path,
                    media_type=local.kind.media_type,
                    width=local.kind.width,
                    height=local.kind.height,
                    title=chunk.title,
                    section_path=chunk.section_path,
                    readable="\n".join((*image.descriptions, chunk.readable[:MOST_AROUND])),
                    readable_sha256=local.sha256,
                )
            )
    return found
