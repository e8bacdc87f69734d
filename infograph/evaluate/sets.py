"""What `infograph eval` measures on: the documents, and questions about them whose answers are known."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from infograph.config.settings import Settings
from infograph.errors import ConfigError, DocumentError
from infograph.evaluate import made
from infograph.evaluate.questions import Question, Span, joined, read_questions
from infograph.files.disk import read_file
from infograph.formats.names import is_questions
from infograph.model import Block, Document, is_markdown
from infograph.progress import amount
from infograph.source.blocks import parse_blocks
from infograph.source.discovery import SourceRules, discover
from infograph.source.document import read_document
from infograph.source.limits import Limits
from infograph.text.language import check_language, question_words, stop_words
from infograph.text.lines import line_starts
from infograph.topic.answered_questions import questions_asked

QUESTIONS = "questions.jsonl"
CORPUS = "corpus"
"""A folder of this name beside the questions holds the documents they speak of."""

_PLAIN_TEXT = ".txt"
"""Suffix of documents that only a question set makes documents: public corpora are often plain text."""


@dataclass(frozen=True, slots=True)
class Parsed:
    """A document and its blocks."""

    document: Document
    blocks: tuple[Block, ...]


def at_corpus(settings: Settings) -> Settings:
    """For a folder that holds a question set, the settings for its documents."""
    corpus = settings.root / CORPUS
    if (settings.root / QUESTIONS).is_file() and corpus.is_dir():
        return replace(settings, root=corpus)
    return settings


def question_files(settings: Settings, named: Sequence[str]) -> list[Path]:
    """The files named, else the one in the documents' folder or beside it; none when there is none."""
    if named:
        return [Path(name) for name in dict.fromkeys(named)]
    beside = settings.root.parent if settings.root.name == CORPUS else settings.root
    return [beside / QUESTIONS] if (beside / QUESTIONS).is_file() else []


def read_documents(settings: Settings, *, plain: bool) -> tuple[list[Parsed], list[DocumentError]]:
    """Every document that can be read, sorted by path, and why others cannot. Raises ConfigError when there is none.

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
    documents = []
    for path in sorted(paths):
        try:
            document = read_document(settings.root, path, limits)
            documents.append(Parsed(document, parse_blocks(document, limits)[0] if is_markdown(path) else ()))
        except DocumentError as error:
            errors.append(error)
    if not documents:
        raise ConfigError(str(settings.root), "holds no document", "Name the folder that holds the documents.")
    return documents, errors


def find_or_make(
    settings: Settings, files: Sequence[Path], documents: Sequence[Parsed]
) -> tuple[tuple[Question, ...], str]:
    """The questions of the files, without files those that the documents themselves make; and where they came from.

    Raises ConfigError for a file that cannot be read and when there are no questions, FormatError for what is none.
    """
    if files:
        hint = "Name a file of questions, one a line, as JSON."
        lengths = {p.document.path: len(p.document.prefix) + len(p.document.body) for p in documents}
        sets = [(file.stem, read_questions(str(file), required(file, hint), lengths)) for file in files]
        return joined(sets), ", ".join(file.name for file in files)
    code = check_language(settings.config.keywords.language)
    language = made.Language(question_words(code), stop_words(code))
    found = made.made_questions([_source(parsed, code) for parsed in documents], language)
    if not found:
        reason = "has no questions, and none can be made from it: no links, no headings that ask"
        raise ConfigError(str(settings.root), reason, f"Write {QUESTIONS}, or name a file with --questions.")
    kinds = Counter(question.id.rpartition(":")[2] for question in found)
    return found, "made from " + ", ".join(amount(count, kind) for kind, count in sorted(kinds.items()))


def required(file: Path, hint: str) -> bytes:
    """What is in a file that was named; raises ConfigError where it cannot be read."""
    data = read_file(file)
    if data is None:
        raise ConfigError(str(file), "cannot be read", hint)
    return data


def _source(parsed: Parsed, language: str) -> made.Source:
    """A document as questions are made from it: headings, fences and questions with their places in the file."""
    document = parsed.document
    offset = len(document.prefix)
    starts = [offset + start for start in line_starts(document.body)]
    titled = (block for block in parsed.blocks if block.kind == "heading" and block.text)
    headings = [(block.level, block.text, starts[block.start]) for block in titled]
    length = offset + len(document.body)
    asked = questions_asked(document.body, parsed.blocks, language) if is_questions(document.path) else None
    return made.Source(
        path=document.path,
        text=document.prefix + document.body,
        sections=made.sections(document.path, headings, length),
        fences=tuple(
            Span(document.path, starts[block.start], starts[block.end])
            for block in parsed.blocks
            if block.kind in ("fence", "code")
        ),
        asked=None if asked is None else tuple((starts[line], text) for line, text in asked),
    )
