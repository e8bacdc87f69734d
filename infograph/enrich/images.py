"""Images of a document: what a description is asked of, and which chunks show what is described."""

from __future__ import annotations

from dataclasses import dataclass

MOST_AROUND = 3_000
"""Most characters of a chunk that a model is shown beside an image of it."""


@dataclass(frozen=True, slots=True)
class ShownImage:
    """An image that a chunk shows."""

    link: str
    """Link as the document has it."""
    sha256: str
    """SHA-256 of the image's bytes, 64 hexadecimal digits."""


@dataclass(frozen=True, slots=True)
class DocumentImage:
    """An image of a document, as a model is asked about it: the first place where the document shows it."""

    index: int
    """Place among the images of the document that differ, from 0."""
    first: int
    """Index of the chunk that shows it."""
    path: str
    """Path of its file, relative to the repository."""
    media_type: str
    width: int
    height: int
    title: str
    """The heading of the chunk, or that of the section it belongs to."""
    section_path: tuple[str, ...]
    readable: str
    """What the document says of it: alternative text, title and caption, then the chunk that shows it."""
    readable_sha256: str
    """SHA-256 of its bytes: what is said of an image holds wherever it is shown, whatever stands around it."""
