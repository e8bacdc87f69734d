"""Metadata of chunks that needs no language model: identity, language, named entities.

The heavy libraries are optional dependencies, imported at their first use.
"""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from infograph.chunking.code.grammars import BY_EXTENSION
from infograph.chunking.code.listings import language_of
from infograph.chunking.interface import ChunkPiece, DocumentLayout
from infograph.chunking.pieces.prose import Prose, plain
from infograph.errors import ConfigError, missing_extra
from infograph.model import Block, Chunk

if TYPE_CHECKING:
    from spacy.language import Language

NAMES = ("id", "language", "summary", "source_version")
"""Metadata names that a configuration may request."""

_NAMESPACE = uuid.uuid5(uuid.NAMESPACE_URL, "infograph:chunk")

_SAMPLE_CHARACTERS = 4_000
"""Characters of prose used to identify a language; more change nothing."""
_LEAST_PROBABILITY = 0.7
"""Least probability of an identified language.

Of 32,000 single sentences of English documentation, 6% were taken for another language without this limit, and nine
in ten of those below 10 characters; with it 0.1% were, and 17% have no language.
"""
_NO_LANGUAGE = "zxx"
"""ISO 639-2 code for text without linguistic content."""


def chunk_id(chunk: Chunk) -> str:
    """Returns a UUID (version 5) of the document's path and the chunk's number, type and text; stable between
    builds."""
    return str(uuid.uuid5(_NAMESPACE, "\n".join((chunk.document, str(chunk.index), chunk.chunk_type, chunk.sha256))))


class Languages:
    """The language of each chunk of a document.

    For code it is the language of the fence or of the file. For prose it is identified from the words of the whole
    document, since a chunk may have too few; None where the document has too few as well.
    """

    def __init__(self, layout: DocumentLayout, prose: Prose) -> None:
        suffix = "." + layout.document.path.rpartition(".")[2].lower()
        grammar = BY_EXTENSION.get(suffix)
        self._source = grammar.language if grammar else None
        self._fences = [(layout.starts[b.start], layout.starts[b.end], language_of(b)) for b in _fences(layout.blocks)]
        sample, length = [], 0
        for start, end in prose.sentences:
            sample.append(plain(layout.body[start:end]))
            length += end - start
            if length > _SAMPLE_CHARACTERS:
                break
        self._sample = " ".join(sample)

    def of(self, chunk: Chunk, piece: ChunkPiece) -> str | None:
        """Returns an ISO 639 code or a programming language's name in lower case; None where it is unknown."""
        if self._source:
            return self._source
        if chunk.is_code:
            named: Counter[str] = Counter()
            for first, last, language in self._fences:
                shared = min(last, piece.end) - max(first, piece.start)
                if shared > 0 and language:
                    named[language] += shared
            return max(named, key=lambda name: named[name], default=None)
        return _natural_language(self._sample) if self._sample else None


def _fences(blocks: Iterable[Block]) -> Iterator[Block]:
    for block in blocks:
        if block.kind == "fence":
            yield block
        else:
            yield from _fences(block.children)


@lru_cache(maxsize=64)
def _natural_language(text: str) -> str | None:
    language, probability = _identifier().classify(text)
    return str(language) if probability >= _LEAST_PROBABILITY and language != _NO_LANGUAGE else None


@lru_cache(maxsize=1)
def _identifier() -> Any:
    try:
        from py3langid import langid  # imported here: it reads a model that only this metadata needs
    except ImportError as error:
        raise missing_extra("language", "chunks.metadata", "`language` needs py3langid", error) from None
    # The module's own functions return a likelihood, which grows with the text; this one returns a probability.
    return langid.LanguageIdentifier.from_model_file(langid.MODEL_FILE, norm_probs=True)


def entities(texts: Sequence[str], pipeline: str) -> list[tuple[str, ...]]:
    """Returns the named entities of each text in order of first occurrence.

    pipeline: spaCy pipeline, an installed package or a folder
    """
    found = []
    for document in _pipeline(pipeline).pipe(texts):
        names = (" ".join(entity.text.split()) for entity in document.ents)
        found.append(tuple(dict.fromkeys(filter(None, names))))
    return found


@lru_cache(maxsize=1)
def _pipeline(name: str) -> Language:
    try:
        import spacy  # imported here: it takes a second and only this metadata needs it
    except ImportError as error:
        raise missing_extra("ner", "chunks.entities", "needs spaCy", error) from None
    try:
        return spacy.load(name)
    except (OSError, ValueError) as error:
        reason = f"spaCy cannot load `{name}`: {' '.join(str(error).split())}"
        hint = "Name an installed pipeline, as `python -m spacy download en_core_web_sm` installs one, or its folder."
        raise ConfigError("chunks.entities", reason, hint) from None
