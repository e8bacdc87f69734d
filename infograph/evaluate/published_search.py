"""The search that a build publishes as a retriever of `infograph eval`; its files are made and read in memory.

site          the words alone
rerank        as `site`, with the best 32 chunks reordered by the question's own vector
links         as `site`, with the links of the first pages followed: a client's answer without the model
rerank+links  both: a client's answer with the model
graph:1, …    see published_graph.py
"""

from __future__ import annotations

import gzip
import json
import time
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from infograph.config.settings import Settings
from infograph.evaluate.corpus import Corpus, Cut
from infograph.evaluate.dataset import ParsedDocument
from infograph.evaluate.metrics import COLD, MILLISECONDS, REQUESTS, WARM
from infograph.evaluate.published_graph import GRAPHS, graph_walk
from infograph.evaluate.questions import Question
from infograph.formats.search_fields import parse_fields
from infograph.pipeline.worker.pages import Indexer, language_of, search_options, with_vectors
from infograph.search.format.bundle_manifest import BundleManifest
from infograph.search.format.layout import MANIFEST
from infograph.search.format.search_space import load_space
from infograph.search.reading.reader import Reader
from infograph.search.writing.bundle import bundle
from infograph.search.writing.slots import assign_slots
from infograph.text.language import stemmer

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_RERANK, _LINKS = "rerank", "links"
PUBLISHED = ("site", _RERANK, _LINKS, f"{_RERANK}+{_LINKS}", *GRAPHS)
"""Names of the retrievers."""


@dataclass(frozen=True, slots=True)
class SiteScores:
    """What a search finds, of shape [questions, units]; minus infinity for what is not found."""

    order: NDArray[np.float64]
    """0 for the best unit, -1 for the next ..."""
    scores: NDArray[np.float64]
    """The scores of their best chunks."""


class CountingFiles:
    """Files of a bundle that count what is read of them, in the bytes that travel: JSON as a web server packs it."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self._files = files
        self.bytes = 0
        self.requests = 0

    def __call__(self, name: str) -> bytes:
        data = self._files[name]
        self.bytes += len(gzip.compress(data, 6)) if name.endswith(".json") else len(data)
        self.requests += 1
        return data


def _follows(retriever: str) -> bool:
    """Whether a retriever follows links."""
    return _LINKS in retriever or retriever in GRAPHS


def is_site(retriever: str) -> bool:
    """Whether a retriever is one of this module."""
    return retriever in PUBLISHED


class SiteSearch:
    """The search bundle of a tree, which scores units by its rankings."""

    def __init__(
        self,
        settings: Settings,
        model: str,
        documents: Sequence[ParsedDocument],
        cuts: Sequence[Cut],
        vectors: Sequence[NDArray[np.float32]],
        corpus: Corpus,
    ) -> None:
        """Makes the bundle.

        model:   name of the model of the vectors, which search must have a map for
        vectors: vectors of each document's chunks
        """
        from infograph.source.overview import overview

        config = settings.config
        indexer = Indexer(
            config.keywords.language, config.site, config.search.enriched, parse_fields(config.search.fields)
        )
        pages = []
        for parsed, cut, matrix in zip(documents, cuts, vectors, strict=True):
            title = overview(parsed.document, parsed.blocks)[0]
            page = indexer.index(parsed.document, parsed.blocks, cut.chunks, title)
            pages.append(with_vectors(indexer.at(page, parsed.document), model, matrix))
        made = bundle(pages, language_of(config.keywords.language), load_space(), search_options(settings, model))
        self._files = made.files
        self._corpus = corpus
        slots = assign_slots([page.path for page in pages if page.size])
        self._units: dict[tuple[int, int], int] = {}
        """The unit that is returned for a chunk, by the slot of its page and its index."""
        texts = iter(corpus.unit_of)
        for parsed, cut in zip(documents, cuts, strict=True):
            for index, own in enumerate(cut.matched):
                (unit,) = {next(texts) for _ in own}
                self._units[slots[parsed.document.path], index] = unit

    def scores(self, retriever: str, questions: Sequence[Question], vectors: NDArray[np.float32]) -> SiteScores:
        """Asks questions.

        vectors: vectors of the questions, by the model of the chunks
        """
        import numpy as np

        reader = self._opened(self._files.__getitem__, retriever)
        order = np.full((len(questions), len(self._corpus.units)), -np.inf)
        scores = order.copy()
        reranks, links = _RERANK in retriever, _follows(retriever)
        for row, own, question, vector in zip(order, scores, questions, vectors, strict=True):
            ranking = reader.rank(question.text, vector.tolist() if reranks else None, links=links)
            for place, (chunk, score) in enumerate(ranking):
                unit = self._units[chunk]
                row[unit] = max(row[unit], -place)
                own[unit] = max(own[unit], score)
        return SiteScores(order, scores)

    def costs(
        self, retriever: str, questions: Sequence[Question], vectors: NDArray[np.float32], k: int, *, pages: bool
    ) -> dict[str, NDArray[np.float64]]:
        """What `k` results of each question cost, by name of `COSTS` and `MILLISECONDS`.

        vectors: vectors of the questions, by the model of the chunks
        pages:   whether the results are pages, each with its best chunk
        """
        import numpy as np

        kept = CountingFiles(self._files)
        warm = self._opened(kept, retriever)
        rows = []
        for question, vector in zip(questions, vectors, strict=True):
            own = vector.tolist() if _RERANK in retriever else None
            links = _follows(retriever)
            fetch = CountingFiles(self._files)
            cold = self._opened(fetch, retriever)
            (cold.pages if pages else cold.search)(question.text, k, vector=own, links=links)
            before, begin = kept.bytes, time.perf_counter()
            (warm.pages if pages else warm.search)(question.text, k, vector=own, links=links)
            taken = time.perf_counter() - begin
            rows.append((fetch.requests, fetch.bytes / 1000, (kept.bytes - before) / 1000, taken * 1000))
        columns = np.array(rows, np.float64).reshape(-1, 4).T
        return dict(zip((REQUESTS, COLD, WARM, MILLISECONDS), columns, strict=True))

    def _opened(self, fetch: Callable[[str], bytes], retriever: str) -> Reader:
        """A reader that has read nothing yet but the manifests."""
        return Reader(fetch, stemmer, graph_walk(fetch, retriever))

    def with_graph(self, files: Mapping[str, bytes]) -> SiteSearch:
        """This search with the files of a graph, see `graph_files`."""
        other = copy(self)
        other._files = {**self._files, **files}
        return other

    def saying(self, **vectors: float) -> SiteSearch:
        """This search with other numbers in the field `vectors` of its manifest."""
        other, manifest = copy(self), json.loads(self._files[MANIFEST])
        manifest["vectors"] |= vectors
        vars(other).pop("reader", None)
        other._files = {**self._files, MANIFEST: json.dumps(manifest).encode()}
        return other

    def parts(self, question: str, vector: Sequence[float]) -> list[tuple[int, float, float]]:
        """The units that a fusion puts in order, best first by words, each with its score by words and its cosine.

        vector: vector of the question, by the model of the chunks
        """
        found = self.reader.parts(question, vector)
        return [(self._units[chunk], words, cosine) for chunk, words, cosine in found]

    def ranked(self, question: str) -> list[tuple[int, float]]:
        """The units in the order of a search by words, each with its best score."""
        found: dict[int, float] = {}
        for chunk, score in self.reader.rank(question):
            found.setdefault(self._units[chunk], score)
        return list(found.items())

    def plain(self, question: str) -> tuple[list[int], float]:
        """The units in the order of a search without the question's vector, and the confidence of that."""
        ranking = self.reader.rank(question)
        return [self._units[chunk] for chunk, _ in ranking], self.reader.confidence

    @property
    def manifest(self) -> BundleManifest:
        """The manifest of the bundle."""
        return self.reader.manifest

    @cached_property
    def reader(self) -> Reader:
        """What answers from the files, and keeps what it read."""
        return Reader(self._files.__getitem__, stemmer)
