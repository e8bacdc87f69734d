"""`infograph eval`: strategies under retrievers, on questions with known answers. Reads; writes the embedding cache.

documents ─▶ chunks by each strategy ─▶ rankings by each retriever ─▶ metrics ─▶ Report
questions ──────────────────────────────┘
"""

from __future__ import annotations

import hashlib
import json
import os
import tomllib
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from infograph import embedding
from infograph.chunking.extras import Extras
from infograph.chunking.page import Tools, line_starts
from infograph.chunking.routing import Router
from infograph.chunking.sentences import sentence_ends
from infograph.chunking.tokens import WordPieceCounter
from infograph.chunking.tool import chunk_document
from infograph.config import Settings
from infograph.errors import ConfigError, DocumentError, OutputError
from infograph.evaluate import gate, intrinsic, made, retrievers
from infograph.evaluate.metrics import DEPTH, measure
from infograph.evaluate.page import check_plots, page
from infograph.evaluate.passages import Corpus, corpus_of
from infograph.evaluate.questions import Question, Span, joined, read_questions
from infograph.evaluate.report import Chunking, Report, System, as_dict, table
from infograph.files import read_file
from infograph.model import Block, Chunk, Document, is_markdown
from infograph.reporter import Reporter, Silent, amount
from infograph.settings import Config, Table
from infograph.source.blocks import parse_blocks
from infograph.source.discovery import SourceRules, discover
from infograph.source.document import read_document
from infograph.source.limits import Limits
from infograph.topic.language import check_language, question_words, stemmer, stop_words
from infograph.topic.prompts import questions as find_questions
from infograph.vectors import Texts, Vectors
from infograph.worker import strategy_key

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from infograph.embedding.base import Embedder

QUESTIONS = "questions.jsonl"
CORPUS = "corpus"
"""A folder of this name beside the questions holds the documents they speak of."""

_PLAIN_TEXT = ".txt"
"""Suffix of documents that only a question set makes documents: public corpora are often plain text."""
_COHERENT = 500
"""Chunks that coherence is measured on, spread evenly: each of their sentences is embedded."""


@dataclass(frozen=True, slots=True)
class Request:
    """What to measure."""

    questions: tuple[str, ...] = ()
    """Files of questions; none: `questions.jsonl` of the documents' folder, else questions made from the documents."""
    strategies: tuple[str, ...] = ()
    """Names, with options as in `fixed:window=250,overlap=50`; none: the configured one."""
    retrievers: tuple[str, ...] = ("bm25", "dense", "fusion")
    k: int = 5
    """Passages that are returned for a question."""
    alpha: float = 0.7
    """Weight of the dense score in `fusion`."""
    neighbours: float = 0.0
    """Weight of the vectors of the chunk before and the chunk after in a chunk's own."""
    parents: bool = True
    """Return a matching chunk's nearest parent, where it has one."""
    intrinsic: bool = False
    """Measure the chunks themselves as well."""


@dataclass(frozen=True, slots=True)
class Files:
    """What to write and what to compare with."""

    html: str | None = None
    """A page with plots, to write."""
    gate: str | None = None
    """A baseline to keep to."""
    save_gate: str | None = None
    """A baseline to write."""


def run(
    settings: Settings, request: Request, files: Files, reporter: Reporter, *, as_json: bool = False
) -> tuple[str, bool]:
    """What the command prints, and whether the gate is passed."""
    # Read before hours of work, and before it may be written over.
    baseline = _bytes(Path(files.gate), "Name a file that --save-gate wrote.") if files.gate else None
    for name in filter(None, (files.html, files.save_gate)):
        _check_writable(Path(name))
    if files.html:
        check_plots()
    report = evaluate(settings, request, reporter)
    drops = gate.check(str(files.gate), baseline, report) if baseline is not None else []
    if files.html:
        _write(Path(files.html), page(report))
    if files.save_gate:
        _write(Path(files.save_gate), gate.render(report))
    if as_json:
        return json.dumps(
            as_dict(report) | {"drops": [str(drop) for drop in drops]}, indent=2, ensure_ascii=False
        ), not drops
    lines = [table(report)]
    lines += [f"wrote {name}" for name in (files.html, files.save_gate) if name]
    if baseline is not None:
        lines += [f"dropped: {drop}" for drop in drops] or [f"no metric is below {files.gate} beyond chance"]
    return "\n".join(lines), not drops


def evaluate(settings: Settings, request: Request, reporter: Reporter | None = None) -> Report:
    """Measures every strategy under every retriever.

    Raises ConfigError for what the request asks wrongly, FormatError for a question that is no question.
    """
    _check(request)
    retrievers.check_installed()
    settings = _at_corpus(settings)
    reporter = reporter or Silent()
    chosen = {name: _configured(settings.config, name) for name in request.strategies or (settings.config.strategy,)}
    for config in chosen.values():
        strategy_key(config)  # what is wrong with a strategy is said before hours of work
    files = _question_files(settings, request)
    pages, errors = _read(settings, plain=bool(files))
    for error in errors:
        reporter.say(f"warning: left out: {error}")
    asked, source = _questions(settings, files, pages)
    bench = _Bench(settings, request, reporter, pages, asked)
    systems = [system for name, config in chosen.items() for system in bench.measure(name, config)]
    embedder = bench.loaded
    return Report(
        documents=len(pages),
        questions=source,
        ids=tuple(question.id for question in asked),
        k=request.k,
        model=f"{embedder.name}@{embedder.revision}" if embedder is not None else None,
        systems=tuple(systems),
        left_out=tuple(str(error) for error in errors),
    )


@dataclass(frozen=True, slots=True)
class _Page:
    document: Document
    blocks: tuple[Block, ...]


class _Bench:
    """The documents and questions, and what is worked out once for all strategies."""

    def __init__(
        self, settings: Settings, request: Request, reporter: Reporter,
        pages: Sequence[_Page], asked: Sequence[Question],
    ) -> None:  # fmt: skip
        self.settings = settings
        self.request = request
        self.reporter = reporter
        self.pages = pages
        self.asked = asked
        self.counter = WordPieceCounter()
        self.loaded: Embedder | None = None
        language = settings.config.keywords.language
        self.words = retrievers.Words(stop_words(language), stemmer(language))

    @cached_property
    def embedder(self) -> Embedder:
        self.loaded = embedding.load(self.settings.config.model, self.settings.jobs)
        return self.loaded

    @cached_property
    def question_vectors(self) -> NDArray[np.float32]:
        texts = [question.text for question in self.asked]
        digest = hashlib.sha256("\n".join(texts).encode()).hexdigest()
        return Vectors(self.embedder, self.settings.cache, "questions").of_questions(digest, texts)

    def measure(self, name: str, config: Config) -> list[System]:
        """One strategy under every retriever. The chunks are those of a build with this configuration."""
        router = Router(config.strategy, config.routes, config.strategies)
        tools = Tools(self.counter, embedding.load("static", 1).embed if router.embeds else None)
        extras = Extras(**asdict(config.chunks))
        chunked = [chunk_document(page.document, page.blocks, router, tools, extras).chunks for page in self.pages]
        offsets = [len(page.document.prefix) for page in self.pages]
        corpus = corpus_of(zip(offsets, chunked, strict=True), parents=self.request.parents)
        rankings = self.rankings(corpus, chunked, strategy_key(config))
        tokens = [passage.tokens for passage in corpus.passages]
        chunking = Chunking(
            name=name,
            chunks=len(corpus.texts),
            passages=len(corpus.passages),
            tokens=sum(tokens) / max(1, len(tokens)),
            intrinsic=self.intrinsic(chunked) if self.request.intrinsic else {},
        )
        return [
            System(chunking, retriever, measure(corpus, self.asked, rankings[retriever], self.request.k))
            for retriever in rankings
        ]

    def rankings(self, corpus: Corpus, chunked: Sequence[Sequence[Chunk]], key: str) -> dict[str, list[list[int]]]:
        """By retriever and question the positions of passages, best first."""
        import numpy as np

        wanted = tuple(dict.fromkeys(self.request.retrievers))
        sparse = retrievers.Bm25(corpus.texts, self.words) if set(wanted) != {"dense"} else None
        vectors = self.vectors(chunked, key) if set(wanted) != {"bm25"} else None
        found: dict[str, list[list[int]]] = {name: [] for name in wanted}
        for number, question in enumerate(self.asked):
            scores: dict[str, NDArray[np.float64]] = {}
            if sparse is not None:
                scores["bm25"] = sparse.scores(question.text)
            if vectors is not None:
                scores["dense"] = (vectors @ self.question_vectors[number]).astype(np.float64)
            if "fusion" in wanted:
                scores["fusion"] = retrievers.tm2c2(scores["dense"], scores["bm25"], self.request.alpha)
            if "rrf" in wanted:
                scores["rrf"] = retrievers.rrf(scores["dense"], scores["bm25"])
            for name in wanted:
                depth = max(self.request.k, DEPTH)
                found[name].append(retrievers.retrieve(corpus, question, scores[name], depth))
        return found

    def vectors(self, chunked: Sequence[Sequence[Chunk]], key: str) -> NDArray[np.float32]:
        """Of every chunk's text with its context, in the order of the corpus; remembered in the embedding cache."""
        import numpy as np

        files = [
            Texts(page.document.sha256, [chunk.embed_text for chunk in chunks])
            for page, chunks in zip(self.pages, chunked, strict=True)
        ]
        vectors = Vectors(self.embedder, self.settings.cache, key)
        missing = vectors.plan(files)
        with self.reporter.phase("embed", f"{amount(missing, 'text')} of {key}") as advance:
            rows = [matrix for _, matrix in vectors.run(files, advance)]
        if vectors.failure:
            self.reporter.say(f"warning: the embedding cache is not kept: {vectors.failure}")
        return np.concatenate([retrievers.with_neighbours(matrix, self.request.neighbours) for matrix in rows])

    def intrinsic(self, chunked: Sequence[Sequence[Chunk]]) -> dict[str, float]:
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


def _check(request: Request) -> None:
    unknown = [name for name in request.retrievers if name not in retrievers.RETRIEVERS]
    if unknown:
        known = ", ".join(f"`{name}`" for name in retrievers.RETRIEVERS)
        raise ConfigError("--retriever", f"there is no `{unknown[0]}`", f"Valid: {known}")
    if request.k < 1:
        raise ConfigError("-k", f"must be 1 or more, not {request.k}")
    for name, value in (("alpha", request.alpha), ("neighbours", request.neighbours)):
        if not 0 <= value <= 1:
            raise ConfigError(f"--{name}", f"must lie between 0 and 1, not {value}")


def _at_corpus(settings: Settings) -> Settings:
    """For a folder that holds a question set, the settings for its documents."""
    corpus = settings.root / CORPUS
    if (settings.root / QUESTIONS).is_file() and corpus.is_dir():
        return replace(settings, root=corpus)
    return settings


def _configured(config: Config, text: str) -> Config:
    """The configuration with another strategy: `NAME` or `NAME:option=value,…`, values as in TOML."""
    name, _, rest = text.partition(":")
    try:
        given: dict[str, Any] = tomllib.loads(f"options = {{ {rest} }}")["options"]
    except tomllib.TOMLDecodeError as error:
        hint = "Write options as in TOML: `fixed:window=250,overlap=50`."
        raise ConfigError(f"--strategy {text}", f"its options cannot be read: {error}", hint) from None
    if not given:
        return replace(config, strategy=name)
    values = {option: tuple(value) if isinstance(value, list) else value for option, value in given.items()}
    known = dict(config.strategies)
    known[name] = Table((dict(known.get(name, ())) | values).items())
    return replace(config, strategy=name, strategies=Table(known.items()))


def _question_files(settings: Settings, request: Request) -> list[Path]:
    """The files named, else the one in the documents' folder or beside it; none when there is none."""
    if request.questions:
        return [Path(name) for name in dict.fromkeys(request.questions)]
    beside = settings.root.parent if settings.root.name == CORPUS else settings.root
    return [beside / QUESTIONS] if (beside / QUESTIONS).is_file() else []


def _read(settings: Settings, *, plain: bool) -> tuple[list[_Page], list[DocumentError]]:
    """Every document that can be read, sorted by path, and why others cannot.

    plain: plain text counts as a document
    """
    source = settings.config.source
    rules = SourceRules(include=source.include, exclude=source.exclude, gitignore=source.gitignore)
    found = discover(settings.root, rules, None if settings.in_place else settings.out)
    paths = set(found.documents)
    if plain:
        texts = (path for path in settings.root.rglob(f"*{_PLAIN_TEXT}") if path.is_file() and not path.is_symlink())
        paths.update(path.relative_to(settings.root).as_posix() for path in texts)
    limits = Limits(bytes=settings.config.limits.bytes, blocks=settings.config.limits.blocks)
    errors = list(found.errors)
    pages = []
    for path in sorted(paths):
        try:
            document = read_document(settings.root, path, limits)
            pages.append(_Page(document, parse_blocks(document, limits)[0] if is_markdown(path) else ()))
        except DocumentError as error:
            errors.append(error)
    if not pages:
        raise ConfigError(str(settings.root), "holds no document", "Name the folder that holds the documents.")
    return pages, errors


def _questions(settings: Settings, files: Sequence[Path], pages: Sequence[_Page]) -> tuple[tuple[Question, ...], str]:
    """The questions, and where they came from."""
    sources = [_source(page) for page in pages]
    if files:
        hint = "Name a file of questions, one a line, as JSON."
        lengths = made.lengths(sources)
        sets = [(file.stem, read_questions(str(file), _bytes(file, hint), lengths)) for file in files]
        return joined(sets), ", ".join(file.name for file in files)
    code = check_language(settings.config.keywords.language)
    language = made.Language(lambda text: find_questions(text, code), question_words(code), stop_words(code))
    found = made.made_questions(sources, language)
    if not found:
        reason = "has no questions, and none can be made from it: no links, no headings that ask"
        raise ConfigError(str(settings.root), reason, f"Write {QUESTIONS}, or name a file with --questions.")
    kinds = Counter(question.id.rpartition(":")[2] for question in found)
    return found, "made from " + ", ".join(amount(count, kind) for kind, count in sorted(kinds.items()))


def _bytes(file: Path, hint: str) -> bytes:
    data = read_file(file)
    if data is None:
        raise ConfigError(str(file), "cannot be read", hint)
    return data


def _check_writable(file: Path) -> None:
    """Raises OutputError where a file cannot be written, as far as can be told without writing it."""
    if file.is_dir():
        reason = "is a folder"
    elif not file.parent.is_dir():
        reason = f"there is no folder {file.parent}"
    elif not os.access(file if file.exists() else file.parent, os.W_OK):
        reason = "permission denied"
    else:
        return
    raise OutputError(str(file), f"cannot be written: {reason}")


def _write(file: Path, data: bytes) -> None:
    try:
        file.write_bytes(data)
    except OSError as error:
        raise OutputError(str(file), f"cannot be written: {error.strerror}") from error


def _source(page: _Page) -> made.Source:
    """A document as questions are made from it: headings and fences with their places in the file."""
    document = page.document
    offset = len(document.prefix)
    starts = [offset + start for start in line_starts(document.body)]
    titled = (block for block in page.blocks if block.kind == "heading" and block.text)
    headings = [(block.level, block.text, starts[block.start]) for block in titled]
    length = offset + len(document.body)
    return made.Source(
        path=document.path,
        text=document.prefix + document.body,
        sections=made.sections(document.path, headings, length),
        fences=tuple(
            Span(document.path, starts[block.start], starts[block.end])
            for block in page.blocks
            if block.kind in ("fence", "code")
        ),
    )
