"""Embeds texts through the embedding cache: each distinct text is embedded only once."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from infograph.embedding import cache_entry
from infograph.embedding.base import CostlyEmbedder, batch_of
from infograph.errors import OutputError
from infograph.files.disk import read_file, write_checked
from infograph.progress import Advance

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from infograph.embedding.base import Embedder

TEXTS_AT_ONCE = 4096
"""Texts embedded before their cache entries are written: the most that an interrupted build loses."""


@dataclass(slots=True)
class Texts:
    """The texts of one file, in order, and the place of their vectors in the cache."""

    file_hash: str
    """SHA-256 of the file."""
    texts: Sequence[str]
    earlier_hash: str | None = None
    """SHA-256 of the file at the last build, whose entry still serves the texts that did not change."""
    size: int | None = None
    """Size of the file in bytes."""
    keys: list[str] = field(default_factory=list)
    """SHA-256 of each text."""


@dataclass(slots=True)
class Counts:
    """Numbers of texts by the origin of their vectors."""

    embedded: int = 0
    cached: int = 0
    shared: int = 0
    """Texts whose vector was computed for the same text elsewhere in the tree."""


class Vectors:
    """Embeds texts and caches each vector under the hash of its text.

    folder:   the cache folder
    strategy: cache key of the strategy that cut the texts; vectors of batches are kept apart
    remember: whether to write missing entries to the cache
    """

    def __init__(self, embedder: Embedder, folder: Path, strategy: str, *, remember: bool = True) -> None:
        self.embedder = embedder
        self.counts = Counts()
        self._folder = folder if embedder.cached else None
        batch = batch_of(embedder)
        self._strategy = f"{strategy}-batch-{batch}" if batch > 1 else strategy
        self._writes = remember
        self.failure: OutputError | None = None
        """The first error from writing to the cache; nothing is written after it."""
        self._known: dict[str, NDArray[np.float32]] = {}

    def plan(self, files: Sequence[Texts]) -> int:
        """Looks up every text; returns the number of distinct texts left to embed."""
        missing: set[str] = set()
        for file in files:
            file.keys = [hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest() for text in file.texts]
            wanted = [key for key in file.keys if key not in self._known]
            if wanted and self._folder is not None:
                for file_hash in filter(None, (file.file_hash, file.earlier_hash)):
                    self._known.update(self._entry(self._folder, file_hash))
                    if all(key in self._known for key in wanted):
                        break
            found = sum(key in self._known for key in file.keys)
            self.counts.cached += found
            fresh = {key for key in file.keys if key not in self._known}
            self.counts.shared += len(file.keys) - found - len(fresh - missing)
            missing |= fresh
        self.counts.embedded += len(missing)
        return len(missing)

    def missing(self, files: Sequence[Texts]) -> list[str]:
        """Returns the distinct texts left to embed, for files that `plan` has seen."""
        found = {k: t for file in files for k, t in zip(file.keys, file.texts, strict=True) if k not in self._known}
        return list(found.values())

    def incomplete(self, files: Sequence[Texts]) -> list[bool]:
        """Returns for each file that `plan` has seen whether some of its texts is left to embed."""
        return [any(key not in self._known for key in file.keys) for file in files]

    def run(
        self, files: Sequence[Texts], advance: Advance, kind: Literal["document", "query"] = "document"
    ) -> Iterator[tuple[int, NDArray[np.float32]]]:
        """Yields the position of each file and its vectors [texts, dimension], for files that `plan` has seen."""
        import numpy as np

        weight: dict[str, int] = {}
        for file in files:
            weight |= {k: len(t) + 1 for k, t in zip(file.keys, file.texts, strict=True) if k not in self._known}
        total = max(1, sum(weight.values()))
        done = 0
        batch: dict[str, str] = {}
        at_once = self.embedder.texts_at_once if isinstance(self.embedder, CostlyEmbedder) else TEXTS_AT_ONCE
        first = 0
        for position, file in enumerate(files):
            batch |= {k: t for k, t in zip(file.keys, file.texts, strict=True) if k not in self._known}
            if len(batch) < at_once and position + 1 < len(files):
                continue
            if batch:
                share = sum(weight[key] for key in batch)

                def progress(now: int, full: int, before: int = done, share: int = share) -> None:
                    advance((before + share * now / max(1, full)) / total)

                found = self.embedder.embed(list(batch.values()), kind=kind, progress=progress)
                self._known.update(zip(batch, found, strict=True))
                done += share
                batch = {}
            for ready in range(first, position + 1):
                vectors = (
                    np.stack([self._known[key] for key in files[ready].keys])
                    if files[ready].keys
                    else np.zeros((0, self.embedder.dimension), np.float32)
                )
                self._remember(files[ready], vectors)
                yield ready, vectors
            first = position + 1

    def of_questions(self, file_hash: str, questions: Sequence[str]) -> NDArray[np.float32]:
        """Returns the vectors of the questions in a file, [questions, dimension]."""
        file = Texts(file_hash, questions)
        self.plan([file])
        return next(matrix for _, matrix in self.run([file], lambda share: None, "query"))

    def _entry_folder(self, folder: Path, file_hash: str) -> Path:
        return folder / cache_entry.entry_path(self._strategy, self.embedder.name, file_hash)

    def _entry(self, folder: Path, file_hash: str) -> dict[str, NDArray[np.float32]]:
        entry = self._entry_folder(folder, file_hash)
        return cache_entry.decode(lambda name: read_file(entry / name), self._identity(), file_hash)

    def _remember(self, file: Texts, vectors: NDArray[np.float32]) -> None:
        if self._folder is None or not self._writes or not file.keys:
            return
        if self._entry(self._folder, file.file_hash).keys() >= set(file.keys):
            return
        entry = cache_entry.encode(self._identity(), file.file_hash, file.keys, vectors, size=file.size)
        # Relative to the folder above the cache: if the cache itself is a link, nothing is written through it.
        root = self._folder.parent
        folder = self._entry_folder(self._folder, file.file_hash).relative_to(root).as_posix()
        # The metadata is written last: it vouches for the other files.
        for name in sorted(entry, key=lambda name: name == cache_entry.METADATA):
            try:
                write_checked(root, f"{folder}/{name}", entry[name])
            except OutputError as error:  # a cache that cannot be written costs time, not the build
                self.failure, self._writes = error, False
                return

    def _identity(self) -> cache_entry.Identity:
        return cache_entry.Identity(self.embedder.name, self.embedder.revision, self.embedder.dimension, self._strategy)
