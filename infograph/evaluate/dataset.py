"""The data of an evaluation: documents, and questions about them whose answers are known."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from infograph.config.inputs import conversion_options
from infograph.config.settings import Settings
from infograph.errors import ConfigError, DocumentError
from infograph.evaluate.made_questions import QuestionLanguage, QuestionSource, made_questions, sections
from infograph.evaluate.questions import Question, Span, joined, read_questions
from infograph.files.disk import read_file
from infograph.formats.names import is_questions
from infograph.model import Block, Document, is_markdown
from infograph.pipeline.plan import find_documents
from infograph.progress import amount
from infograph.source.blocks import parse_blocks
from infograph.source.conversion.reading import Conversions
from infograph.source.document import read_document
from infograph.source.included import Includer
from infograph.source.limits import SourceLimits
from infograph.source.readable import ReadableRules, as_seen
from infograph.source.repository import repository_of
from infograph.text.language import check_language, question_words, stop_words
from infograph.text.lines import line_starts
from infograph.topic.answered_questions import questions_asked

QUESTIONS = "questions.jsonl"
"""Name of the question set in a folder of documents."""
CORPUS = "corpus"
"""Name of a folder beside the question set that holds its documents."""

_PLAIN_TEXT = ".txt"
"""Suffix of files that are documents only where there is a question set: public corpora are often plain text."""


@dataclass(frozen=True, slots=True)
class ParsedDocument:
    """A document with its blocks."""

    document: Document
    """The document as it was read."""
    blocks: tuple[Block, ...]
    """Blocks of a Markdown document; empty for other documents."""


def at_corpus(settings: Settings) -> Settings:
    """The settings with the corpus as root, if the root holds a question set and a corpus; else as they are."""
    corpus = settings.root / CORPUS
    if (settings.root / QUESTIONS).is_file() and corpus.is_dir():
        return replace(settings, root=corpus)
    return settings


def question_files(settings: Settings, named: Sequence[str]) -> list[Path]:
    """The named files of questions; else the one in the documents' folder or beside the corpus, if there is one."""
    if named:
        return [Path(name) for name in dict.fromkeys(named)]
    beside = settings.root.parent if settings.root.name == CORPUS else settings.root
    return [beside / QUESTIONS] if (beside / QUESTIONS).is_file() else []


def read_documents(settings: Settings, *, plain: bool) -> tuple[list[ParsedDocument], list[DocumentError]]:
    """All documents that can be read, sorted by path, and the errors of the others.

    plain: read plain text files as documents too

    Raises ConfigError when there is no document.
    """
    found = find_documents(settings)
    paths = set(found.documents)
    if plain:
        texts = (path for path in settings.root.rglob(f"*{_PLAIN_TEXT}") if path.is_file() and not path.is_symlink())
        paths.update(path.relative_to(settings.root).as_posix() for path in texts)
    limits = SourceLimits(bytes=settings.config.limits.bytes, blocks=settings.config.limits.blocks)
    conversions = Conversions(conversion_options(settings.config), settings.cache)
    markup = settings.config.markup
    seen = ReadableRules(dict(markup.shortcodes))
    includer = Includer(settings.root, repository_of(settings.root), markup.include_paths, seen)
    errors = list(found.errors)
    documents = []
    for path in sorted(paths):
        try:
            document = read_document(settings.root, path, limits, conversions)
            blocks: tuple[Block, ...] = ()
            if is_markdown(path):  # as a build reads it
                blocks = parse_blocks(document, limits)[0]
                document = includer.included(document)[0] if markup.includes else document
                document = as_seen(document, blocks, seen)
            documents.append(ParsedDocument(document, blocks))
        except DocumentError as error:
            errors.append(error)
    if not documents:
        raise ConfigError(str(settings.root), "holds no document", "Name the folder that holds the documents.")
    return documents, errors


def find_or_make(
    settings: Settings, files: Sequence[Path], documents: Sequence[ParsedDocument]
) -> tuple[tuple[Question, ...], str]:
    """The questions of the files, or without files those made from the documents; and a text that says which.

    Raises ConfigError for a file that cannot be read and when there are no questions, FormatError for a broken file.
    """
    if files:
        hint = "Name a file of questions, one a line, as JSON."
        lengths = {p.document.path: len(p.document.prefix) + len(p.document.body) for p in documents}
        texts = {p.document.path: p.document.prefix + p.document.body for p in documents}
        sets = [(file.stem, read_questions(str(file), required(file, hint), lengths, texts)) for file in files]
        return joined(sets), ", ".join(file.name for file in files)
    code = check_language(settings.config.keywords.language)
    language = QuestionLanguage(question_words(code), stop_words(code))
    found = made_questions([_source(parsed, code) for parsed in documents], language)
    if not found:
        reason = "has no questions, and none can be made from it: no links, no headings that ask"
        raise ConfigError(str(settings.root), reason, f"Write {QUESTIONS}, or name a file with --questions.")
    kinds = Counter(question.id.rpartition(":")[2] for question in found)
    return found, "made from " + ", ".join(amount(count, kind) for kind, count in sorted(kinds.items()))


def required(file: Path, hint: str) -> bytes:
    """The content of a file named in an option. Raises ConfigError where it cannot be read."""
    data = read_file(file)
    if data is None:
        raise ConfigError(str(file), "cannot be read", hint)
    return data


def _source(parsed: ParsedDocument, language: str) -> QuestionSource:
    """A document as the source of questions: headings, code and questions with their places in the file."""
    document = parsed.document
    offset = len(document.prefix)
    starts = [offset + start for start in line_starts(document.body)]
    titled = (block for block in parsed.blocks if block.kind == "heading" and block.text)
    headings = [(block.level, block.text, starts[block.start]) for block in titled]
    length = offset + len(document.body)
    asked = questions_asked(document.body, parsed.blocks, language) if is_questions(document.path) else None
    return QuestionSource(
        path=document.path,
        text=document.prefix + document.body,
        sections=sections(document.path, headings, length),
        fences=tuple(
            Span(document.path, starts[block.start], starts[block.end])
            for block in parsed.blocks
            if block.kind in ("fence", "code")
        ),
        asked=None if asked is None else tuple((starts[line], text) for line, text in asked),
    )
