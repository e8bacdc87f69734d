"""The bench: measures one strategy at a time under every retriever.

documents ─▶ chunks and their passages ─▶ a score of each passage by each retriever ─▶ rankings of chunks ─▶ metrics
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

from infograph import embedding
from infograph.chunking.chunker import chunk_document
from infograph.chunking.context import ChunkContext
from infograph.chunking.interface import StrategyTools
from infograph.chunking.pieces.sentences import sentence_ends
from infograph.chunking.routing import Router
from infograph.chunking.tokens import WordPieceCounter
from infograph.config.settings import Config, Settings
from infograph.embedding.vectors import Texts, Vectors
from infograph.enrich.applied import NO_IMAGES, applied
from infograph.evaluate import intrinsic, retrievers
from infograph.evaluate.corpus import Corpus, Cut, corpus_of
from infograph.evaluate.dataset import ParsedDocument
from infograph.evaluate.judged import JudgedText, SupportJudge, judged_metrics
from infograph.evaluate.metrics import DEPTH, measure
from infograph.evaluate.published_graph import GRAPHS, graph_files
from infograph.evaluate.published_search import SiteScores, SiteSearch, is_site
from infograph.evaluate.questions import Question
from infograph.evaluate.report import Chunking, System
from infograph.evaluate.synthesis import WrittenAnswer, synthesis_metrics
from infograph.execution.guarded_embedder import GuardedEmbedder, ModelStuck, load_guarded
from infograph.model import Chunk
from infograph.pipeline.keys import strategy_key
from infograph.pipeline.worker.pages import searched
from infograph.pipeline.worker.shown_images import shown_images
from infograph.progress import Reporter, amount
from infograph.source.enrichment import read_enrichment
from infograph.source.local_images import LocalImages
from infograph.source.repository import repository_of
from infograph.text.language import stemmer, stop_words

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from infograph.embedding.base import Embedder

PASSAGE = 128
"""Default of the most tokens of a passage. Chosen on the three sets of `benchmarks/strategies.py` together, with
all-MiniLM-L6-v2: nDCG@10 of the default strategy under fusion, `ALPHA` 0.7, is 0.871 with 96, 0.878 with 128, 0.868
with 200 and 0.849 with whole chunks. Only the best passage counts: a share of the second best passage's score or of the
whole chunk's made nDCG lower, or at most 0.001 higher."""
ALPHA = 0.75
"""Default weight of the dense score in fusion. Chosen in the same way: nDCG@10 is 0.860 with 0.5, 0.868 with 0.6, 0.878
from 0.7 to 0.85; the other strategies are best between 0.75 and 0.85."""

MAIN_COLUMNS, THESIS_COLUMNS = "main", "thesis"
COLUMNS = (MAIN_COLUMNS, THESIS_COLUMNS)
"""Choices of the table's columns: those of the guide, those of the specification's section 4.3."""
_COHERENT = 500
"""Most chunks that coherence is measured on, spread evenly, as each of their sentences must be embedded."""


@dataclass(frozen=True, slots=True)
class Request:
    """What to measure, as the options of `infograph eval` say."""

    questions: tuple[str, ...] = ()
    """Files of questions; empty: `questions.jsonl` of the documents' folder, else questions made from the documents."""
    strategies: tuple[str, ...] = ()
    """Names of strategies, with options as in `fixed:window=250,overlap=50`; empty: the configured one."""
    retrievers: tuple[str, ...] = ("bm25", "dense", "fusion")
    """Names of retrievers."""
    k: int = 5
    """Number of chunks that are returned for a question."""
    passages: int = PASSAGE
    """Most tokens of the passages of a chunk that a question is matched with; 0: match whole chunks."""
    alpha: float = ALPHA
    """Weight of the dense score in `fusion`."""
    neighbours: float = 0.0
    """Weight of the vectors of the passages before and after in a passage's own vector."""
    parents: bool = True
    """Return the nearest parent of a matching chunk, where it has one."""
    pages: bool = False
    """Return whole documents, each once: a question is answered by a page, not by a chunk."""
    intrinsic: bool = False
    """Also measure the chunks themselves, without questions."""
    metrics: str = MAIN_COLUMNS
    """Which columns the table has, one of `COLUMNS`."""
    answers: str | None = None
    """File of written answers, to measure whether what is retrieved supports them."""


@dataclass(frozen=True, slots=True)
class Rankings:
    """What one retriever finds, an entry for each question."""

    units: list[list[int]] = field(default_factory=list)
    """Positions of units, best first."""
    tops: list[float] = field(default_factory=list)
    """Score of the first one; NaN where nothing is found."""


class Bench:
    """Documents and questions, with everything that is computed once for all strategies."""

    def __init__(
        self,
        settings: Settings,
        request: Request,
        reporter: Reporter,
        documents: Sequence[ParsedDocument],
        asked: Sequence[Question],
        answers: Mapping[str, WrittenAnswer] | None = None,
        judge: SupportJudge | None = None,
    ) -> None:
        """
        answers: written ones by the id of their question; None where these are not measured
        judge:   what judges them too
        """
        self.settings = settings
        self.request = request
        self.reporter = reporter
        self.documents = documents
        self.asked = asked
        self.answers, self.judge = answers, judge
        self.counter = WordPieceCounter()
        self.loaded: Embedder | None = None
        """The embedding model; None until something has to be embedded."""
        language = settings.config.keywords.language
        self.words = retrievers.Bm25Terms(stop_words(language), stemmer(language))

    @cached_property
    def embedder(self) -> Embedder:
        """The configured embedding model, loaded at its first use: one of other packages in a process of its own."""
        self.loaded = load_guarded(self.settings.config.model, self.settings.jobs, self.settings.config.embedding)
        return self.loaded

    def close(self) -> None:
        """Ends the process of the model, if it has one."""
        if isinstance(self.loaded, GuardedEmbedder):
            self.loaded.close()

    @cached_property
    def question_vectors(self) -> NDArray[np.float32]:
        """The vectors of the questions, of shape [questions, dimension]."""
        texts = [question.text for question in self.asked]
        digest = hashlib.sha256("\n".join(texts).encode()).hexdigest()
        return Vectors(self.embedder, self.settings.cache, "questions").of_questions(digest, texts)

    def measure(self, name: str, config: Config) -> list[System]:
        """One system for each retriever, with the chunks that a build with this configuration makes.

        name: name of the strategy in the report, with its options
        """
        import numpy as np

        cuts = list(self.cut(config))
        corpus = corpus_of(cuts, parents=self.request.parents, pages=self.request.pages)
        published, costs = self.published(corpus, cuts, config)
        rankings = self.rankings(corpus, cuts, strategy_key(config), published)
        tokens = [unit.tokens for unit in corpus.units]
        chunking = Chunking(
            name=name,
            chunks=sum(len(cut.chunks) for cut in cuts),
            passages=len(corpus.texts),
            units=len(corpus.units),
            tokens=sum(tokens) / max(1, len(tokens)),
            intrinsic=self.intrinsic([cut.chunks for cut in cuts]) if self.request.intrinsic else {},
        )
        return [
            System(
                chunking,
                name,
                measure(corpus, self.asked, found.units, self.request.k),
                costs.get(name, {}),
                self.synthesis(corpus, found.units),
                self.judged(corpus, found.units),
                np.array(found.tops),
            )
            for name, found in rankings.items()
        ]

    def synthesis(self, corpus: Corpus, rankings: Sequence[Sequence[int]]) -> dict[str, NDArray[np.float64]]:
        """Whether what is retrieved supports the written answers, by metric; empty where there are none."""
        if self.answers is None:
            return {}
        k = self.request.k
        texts = [[corpus.units[position].text for position in ranking[:k]] for ranking in rankings]
        return synthesis_metrics(self.answers, self.asked, texts, k)

    def judged(self, corpus: Corpus, rankings: Sequence[Sequence[int]]) -> dict[str, NDArray[np.float64]]:
        """Whether what is retrieved supports the written answers as a model judges it; empty where none is asked."""
        if self.answers is None or self.judge is None:
            return {}
        k = self.request.k
        home = {parsed.document.path for parsed in self.documents if parsed.document.stays}
        units = [[corpus.units[position] for position in ranking[:k]] for ranking in rankings]
        texts = [[JudgedText(unit.text, unit.span.file, unit.span.file in home) for unit in found] for found in units]
        return judged_metrics(self.judge, self.answers, self.asked, texts, k)

    def cut(self, config: Config) -> Iterator[Cut]:
        """Cuts each document with the configured strategy, and adds what a language model said of its chunks."""
        router = Router(config.strategy, config.routes, config.strategies)
        tools = StrategyTools(self.counter, embedding.load("static", 1).embed if router.embeds else None)
        extras = ChunkContext(**config.chunks.context)
        images = LocalImages(self.settings.root, repository_of(self.settings.root))
        for parsed in self.documents:
            document = parsed.document
            said = read_enrichment(self.settings.root, self.settings.enrichment, document.path)
            own = tools if said is None else replace(tools, breaks=said.breaks)
            cut = chunk_document(document, parsed.blocks, router, own, extras, passage=self.request.passages)
            shown = NO_IMAGES
            if said is not None and said.says_of_images:
                shown = shown_images(document, parsed.blocks, cut.chunks, images).by_chunk
            chunks, _ = applied(cut.chunks, said, config.chunks.prefix, config.enrich.unverified, shown)
            yield Cut(len(document.prefix), chunks, cut.passages)

    def rankings(
        self, corpus: Corpus, cuts: Sequence[Cut], key: str, published: Mapping[str, SiteScores]
    ) -> dict[str, Rankings]:
        """What each retriever finds.

        Each retriever scores a unit by its best passage, and fusion combines these scores: different passages of a
        chunk may match the words and the meaning of a question.

        key:       name of the strategy in the embedding cache
        published: scores of the published search, see `published`
        """
        import numpy as np

        wanted = tuple(dict.fromkeys(self.request.retrievers))
        own = {name for name in wanted if not is_site(name)}
        sparse = retrievers.Bm25(corpus.texts, self.words) if own - {"dense"} else None
        suffix = f"-passages-{self.request.passages}" if self.request.passages else ""
        vectors = self.vectors(cuts, key + suffix) if own - {"bm25"} else None
        depth = max(self.request.k, DEPTH)
        found = {name: Rankings() for name in wanted}
        for number, question in enumerate(self.asked):
            scores: dict[str, NDArray[np.float64]] = {name: own.order[number] for name, own in published.items()}
            if sparse is not None:
                scores["bm25"] = retrievers.best_of(corpus, sparse.scores(question.text))
            if vectors is not None:
                cosines = (vectors @ self.question_vectors[number]).astype(np.float64)
                scores["dense"] = retrievers.best_of(corpus, cosines)
            if "fusion" in wanted:
                scores["fusion"] = retrievers.tm2c2(scores["dense"], scores["bm25"], self.request.alpha)
            if "rrf" in wanted:
                scores["rrf"] = retrievers.rrf(scores["dense"], scores["bm25"])
            if "linear" in wanted:
                scores["linear"] = retrievers.linear(scores["dense"], scores["bm25"], retrievers.LINEAR)
            for name in wanted:
                units = retrievers.retrieve(corpus, question, scores[name], depth)
                counted = published[name].scores[number] if name in published else scores[name]
                found[name].units.append(units)
                found[name].tops.append(float(counted[units[0]]) if units else np.nan)
        return found

    def published(
        self, corpus: Corpus, cuts: Sequence[Cut], config: Config
    ) -> tuple[dict[str, SiteScores], dict[str, dict[str, NDArray[np.float64]]]]:
        """What the search that a build publishes finds, and what each question costs, by retriever."""
        wanted = [name for name in dict.fromkeys(self.request.retrievers) if is_site(name)]
        if not wanted:
            return {}, {}
        site, asked = self.site(corpus, cuts, strategy_key(config))
        if set(wanted).intersection(GRAPHS):
            with self.reporter.phase("graph", f"of {amount(len(self.documents), 'document')}"):
                site = site.with_graph(graph_files(self.settings, config, len(self.documents)))
        k, pages = self.request.k, self.request.pages
        costs = {name: site.costs(name, self.asked, asked, k, pages=pages) for name in wanted}
        return {name: site.scores(name, self.asked, asked) for name in wanted}, costs

    def site(self, corpus: Corpus, cuts: Sequence[Cut], key: str) -> tuple[SiteSearch, NDArray[np.float32]]:
        """The search that a build publishes, and the vectors of the questions by the model that its readers take."""
        model, embedder = searched(self.embedder, self.settings.jobs, self.settings.config.search.vectors)
        texts = [[chunk.embed_text for chunk in cut.chunks] for cut in cuts]
        rows = self.embedded(embedder, texts, key)
        site = SiteSearch(self.settings, model, self.documents, cuts, rows, corpus)
        asker = embedder if model == embedder.name else embedding.load(model, self.settings.jobs)
        return site, asker.embed([question.text for question in self.asked], kind="query")

    def vectors(self, cuts: Sequence[Cut], key: str) -> NDArray[np.float32]:
        """The vectors of all matched texts, in the order of the corpus, through the embedding cache."""
        import numpy as np

        rows = self.embedded(self.embedder, [[text for own in cut.matched for text in own] for cut in cuts], key)
        return np.concatenate([retrievers.with_neighbours(matrix, self.request.neighbours) for matrix in rows])

    def embedded(self, embedder: Embedder, texts: Sequence[list[str]], key: str) -> list[NDArray[np.float32]]:
        """The vectors of each document's texts, through the embedding cache."""
        files = [Texts(parsed.document.sha256, own) for parsed, own in zip(self.documents, texts, strict=True)]
        vectors = Vectors(embedder, self.settings.cache, key)
        missing = vectors.plan(files)
        with self.reporter.phase("embed", f"{amount(missing, 'text')} of {key}") as advance:
            try:
                rows = [matrix for _, matrix in vectors.run(files, advance)]
            except ModelStuck as stuck:
                own = zip(self.documents, texts, strict=True)
                raise stuck.naming({parsed.document.path: some for parsed, some in own}) from stuck.__cause__
        if vectors.failure:
            self.reporter.say(f"warning: the embedding cache is not kept: {vectors.failure}")
        return rows

    def intrinsic(self, chunked: Sequence[Sequence[Chunk]]) -> dict[str, float]:
        """The means of the intrinsic figures over all chunks."""
        every = [chunk for chunks in chunked for chunk in chunks]
        sample = [chunk.text for chunk in every[:: -(-len(every) // _COHERENT) or 1]]
        figures = (
            intrinsic.coherence(sample, self.embedder.embed, _sentences),
            [value for chunks in chunked for value in intrinsic.self_contained(chunks, _sentences)],
            [intrinsic.density(chunk) for chunk in every],
            [value for chunks in chunked for value in intrinsic.boundary(chunks)],
        )
        named = zip(intrinsic.INTRINSIC, figures, strict=True)
        return {name: sum(values) / max(1, len(values)) for name, values in named}


def _sentences(text: str) -> list[str]:
    return [text[start:end] for start, end in pairwise([0, *sentence_ends(text)])]
