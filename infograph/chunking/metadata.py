"""What can be known of a chunk without a language model: identity, language, named entities.

The heavy libraries are extras, imported when they are first asked for something.
"""

from __future__ import annotations

import re
import uuid
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from infograph.chunking.code.grammars import BY_EXTENSION
from infograph.chunking.page import Page, Piece
from infograph.chunking.pieces.prose import Prose, plain
from infograph.errors import ConfigError, missing_extra
from infograph.model import Block, Chunk

if TYPE_CHECKING:
    from spacy.language import Language

NAMES = ("id", "language", "summary", "source_version")
"""What a configuration can ask for."""

_NAMESPACE = uuid.uuid5(uuid.NAMESPACE_URL, "infograph:chunk")

_INFO = re.compile(r"[{.\s]*([\w+#-]+)")
"""The first word of a fence's info string, also in the forms of Pandoc and knitr: `{.python}`, `{r}`."""
_SAMPLE = 4_000
"""Characters of prose by which a language is told: more change nothing."""
_SURE = 0.7
"""Least probability of a language to be named. Of 32,000 single sentences of English documentation, 6% were taken for
another language without it, and nine in ten of those below 10 characters; with it 0.1% were, and 17% have none."""
_NO_LANGUAGE = "zxx"
"""ISO 639-2: no linguistic content."""


def chunk_id(chunk: Chunk) -> str:
    """A UUID (version 5) of the document's path, the chunk's number and type, and its text: cut again, the same."""
    return str(uuid.uuid5(_NAMESPACE, "\n".join((chunk.document, str(chunk.index), chunk.chunk_type, chunk.sha256))))


class Languages:
    """The language of each chunk of a page: of code what its fence or its file says, of prose what the words of the
    whole page say, since those of a chunk may be too few to tell. Where those of the page are too few, none."""

    def __init__(self, page: Page, prose: Prose) -> None:
        suffix = "." + page.document.path.rpartition(".")[2].lower()
        grammar = BY_EXTENSION.get(suffix)
        self._source = grammar.language if grammar else None
        self._fences = [(page.starts[b.start], page.starts[b.end], b.text) for b in _fences(page.blocks)]
        sample, length = [], 0
        for start, end in prose.sentences:
            sample.append(plain(page.body[start:end]))
            length += end - start
            if length > _SAMPLE:
                break
        self._sample = " ".join(sample)

    def of(self, chunk: Chunk, piece: Piece) -> str | None:
        """ISO 639 code, or a programming language's name in lower case; None where nothing says it."""
        if self._source:
            return self._source
        if chunk.is_code:
            named: Counter[str] = Counter()
            for first, last, info in self._fences:
                shared = min(last, piece.end) - max(first, piece.start)
                if shared > 0 and (match := _INFO.match(info)):
                    named[match[1].lower()] += shared
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
    return str(language) if probability >= _SURE and language != _NO_LANGUAGE else None


@lru_cache(maxsize=1)
def _identifier() -> Any:
    try:
        from py3langid import langid  # here: it reads a model, and only who asks for languages needs it
    except ImportError as error:
        raise missing_extra("language", "chunks.metadata", "`language` needs py3langid", error) from None
    # The module's own functions say a likelihood, which grows with the text; this one says a probability.
    return langid.LanguageIdentifier.from_model_file(langid.MODEL_FILE, norm_probs=True)


def entities(texts: Sequence[str], pipeline: str) -> list[tuple[str, ...]]:
    """The named entities of each text as they first occur, by a spaCy pipeline: an installed package or a folder."""
    found = []
    for document in _pipeline(pipeline).pipe(texts):
        names = (" ".join(entity.text.split()) for entity in document.ents)
        found.append(tuple(dict.fromkeys(filter(None, names))))
    return found


@lru_cache(maxsize=1)
def _pipeline(name: str) -> Language:
    try:
        import spacy  # here: it takes a second, and only who asks for entities needs it
    except ImportError as error:
        raise missing_extra("ner", "chunks.entities", "needs spaCy", error) from None
    try:
        return spacy.load(name)
    except (OSError, ValueError) as error:
        reason = f"spaCy cannot load `{name}`: {' '.join(str(error).split())}"
        hint = "Name an installed pipeline, as `python -m spacy download en_core_web_sm` installs one, or its folder."
        raise ConfigError("chunks.entities", reason, hint) from None
