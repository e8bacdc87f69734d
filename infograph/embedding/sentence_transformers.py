"""Embeds with any model of the sentence-transformers library: the extra `infograph[sentence-transformers]`."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

from infograph.embedding import windows
from infograph.embedding.model_folder import ModelFolder
from infograph.errors import ModelError, missing_model_extra

if TYPE_CHECKING:
    from infograph.embedding.base import FloatArray, Kind, ProgressCallback

PROMPTS: Mapping[Kind, tuple[str, ...]] = {"query": ("query",), "document": ("document", "passage", "corpus")}
"""Names under which models store their prompts for each kind of text.

As the library looks them up, with one exception: since the library fills in an empty `document` itself, it no
longer finds a `passage`; here the first that is not empty is taken.
"""


_TEXTS_CUT = 1024
"""Texts whose tokens are counted at once."""


TokenOffsets = Sequence[tuple[int, int]]
WordNumbers = Sequence[int | None]


class SentenceTransformersEmbedder:
    """Embedder of a model that the library loads, on the device the library chooses.

    Texts are run one by one unless `batch` says otherwise: in a batch, the other texts change the last bits of a
    vector. Batches are made of pieces of like length, the longest first, so that little is padded.

    threads: processor cores for torch, for the whole process; None leaves it unchanged
    """

    batch = 1
    """Most pieces of text that are run at once."""
    foreign = True

    def __init__(self, folder: ModelFolder, threads: int | None = None) -> None:
        self._folder = folder
        self._threads = threads
        self._loaded: Any = None
        self._dimension: int | None = None

    @property
    def name(self) -> str:
        return self._folder.name

    @property
    def revision(self) -> str:
        return self._folder.revision

    @property
    def dimension(self) -> int:
        if self._dimension is None:  # the library's own attribute changes its name between versions
            self._dimension = self._encode([""], "document", "").shape[1]
        return self._dimension

    @property
    def cached(self) -> bool:
        return True

    def seconds_for(self, texts: Sequence[str]) -> float | None:
        return None

    def embed(
        self, texts: Sequence[str], *, kind: Kind = "document", progress: ProgressCallback | None = None
    ) -> FloatArray:
        """Embeds texts as `Embedder.embed` states. Progress counts tokens. Raises ModelError when the model does
        not load."""
        import numpy as np

        if not texts:
            return np.empty((0, self.dimension), np.float32)
        prompt = self._prompt(kind)
        cut = self._cut(texts, prompt)
        lengths = {piece: tokens for pieces in cut.values() for piece, tokens in pieces}
        # Equal lengths in the order of the texts, so that a batch of 1 takes them as they come.
        pieces = sorted(lengths, key=lambda piece: -lengths[piece]) if self.batch > 1 else list(lengths)
        total, done = sum(lengths.values()), 0
        found: dict[str, FloatArray] = {}
        for start in range(0, len(pieces), self.batch):
            some = pieces[start : start + self.batch]
            vectors = windows.unit(self._encode(some, kind, prompt).astype(np.float64))
            found.update(zip(some, vectors, strict=True))
            done += sum(lengths[piece] for piece in some)
            if progress:
                progress(done, total)
        pooled = {
            text: windows.pool(np.stack([found[piece] for piece, _ in own]), [tokens for _, tokens in own])
            for text, own in cut.items()
        }
        return np.stack([pooled[text] for text in texts])

    def _prompt(self, kind: Kind) -> str:
        prompts = self._model().prompts
        return next((str(prompts[name]) for name in PROMPTS[kind] if prompts.get(name)), "")

    def _encode(self, texts: Sequence[str], kind: Kind, prompt: str) -> Any:
        model = self._model()
        encode = model.encode_query if kind == "query" else model.encode_document
        return encode(list(texts), prompt=prompt, batch_size=len(texts), convert_to_numpy=True, show_progress_bar=False)

    def _sizes(self, texts: Sequence[str]) -> list[int]:
        """Returns how much there is to read of each text: tokens, special tokens included; characters where the model
        is a table of token vectors, which reads any length."""
        tokenizer = self._model().tokenizer
        if not hasattr(tokenizer, "is_fast"):
            return [max(1, len(text)) for text in texts]
        sizes: list[int] = []
        for start in range(0, len(texts), _TEXTS_CUT):  # many at once: the tokenizer takes all cores for them
            some = texts[start : start + _TEXTS_CUT]
            tokens = tokenizer(some, truncation=False, verbose=False, return_attention_mask=False)["input_ids"]
            sizes += map(len, tokens)
        return sizes

    def _cut(self, texts: Sequence[str], prompt: str) -> dict[str, list[tuple[str, int]]]:
        """Returns the windows of each text, each with its size."""
        distinct = list(dict.fromkeys(texts))
        sizes = self._sizes([prompt + text for text in distinct])
        cut = {text: [(text, size)] for text, size in zip(distinct, sizes, strict=True)}
        limit = self._model().max_seq_length
        if not hasattr(self._model().tokenizer, "is_fast") or limit is None:  # a table of token vectors
            return cut
        long = {text: size for text, size in zip(distinct, sizes, strict=True) if size > limit}
        found = self._windows(long, prompt, limit)
        # Their sizes at once: one by one the tokenizer takes as long as the model on a GPU.
        counted = iter(self._sizes([prompt + piece for pieces in found.values() for piece in pieces]))
        for text, pieces in found.items():
            own = [(piece, next(counted)) for piece in pieces]
            cut[text] = own if max(size for _, size in own) <= limit else self._narrower(text, prompt, limit, own)
        return cut

    def _windows(self, sizes: Mapping[str, int], prompt: str, limit: int) -> dict[str, list[str]]:
        """Returns the windows of texts that are too long, as the tokens of the whole text say. Raises ModelError where
        the tokenizer does not say where they stand.

        sizes: of each text with its prompt
        """
        tokenizer = self._model().tokenizer
        if sizes and not tokenizer.is_fast:
            raise ModelError(
                f"model `{self.name}`",
                f"a text has {max(sizes.values())} tokens, the model reads {limit}, and its tokenizer does not tell "
                "where tokens stand in a text, so that it cannot be cut into windows",
                "Take a model that has a tokenizer.json.",
            )
        return {
            text: _pieces(*plain, limit - (sizes[text] - len(plain[1]))) for text, plain in self._plain(list(sizes))
        }

    def _plain(self, texts: Sequence[str]) -> Iterator[tuple[str, tuple[str, TokenOffsets, WordNumbers]]]:
        """Yields each text with its tokens: itself, the characters that each token stands for, and its word."""
        for start in range(0, len(texts), _TEXTS_CUT):
            some = texts[start : start + _TEXTS_CUT]
            found = self._model().tokenizer(
                some, add_special_tokens=False, return_offsets_mapping=True, truncation=False, verbose=False
            )
            for row, text in enumerate(some):
                yield text, (text, found["offset_mapping"][row], found.word_ids(row))

    def _narrower(self, text: str, prompt: str, limit: int, own: list[tuple[str, int]]) -> list[tuple[str, int]]:
        """Returns windows that fit, where the tokenizer finds more tokens in a piece on its own.

        own: those that do not all fit
        """
        ((_, plain),) = self._plain([text])
        room = limit - (self._sizes([prompt + text])[0] - len(plain[1]))
        while room > 1 and (most := max(size for _, size in own)) > limit:
            room = max(1, room - (most - limit))
            pieces = _pieces(*plain, room)
            own = list(zip(pieces, self._sizes([prompt + piece for piece in pieces]), strict=True))
        return own

    def _model(self) -> Any:
        if self._loaded is None:
            self._loaded = self._load()
        return self._loaded

    def _load(self) -> Any:
        try:
            torch, library = import_module("torch"), import_module("sentence_transformers")  # seconds, and gigabytes
            logging = import_module("transformers.utils.logging")
        except ImportError as error:
            raise missing_model_extra(self.name) from error
        if self._threads:
            torch.set_num_threads(self._threads)
        logging.disable_progress_bar()  # infograph shows its own progress
        logging.set_verbosity_error()
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(0)
            before = torch.get_rng_state()
            model = self._make(library)
            if not torch.equal(before, torch.get_rng_state()):
                # The library initialises missing weights at random and goes on. Where another seed gives other
                # vectors, the missing weights matter.
                torch.manual_seed(1)
                if not torch.equal(_probe(model), _probe(self._make(library))):
                    raise ModelError(f"model `{self.name}`", "its weights are incomplete", "Fetch or save it again.")
        return model

    def _make(self, library: Any) -> Any:
        try:
            return library.SentenceTransformer(
                str(self._folder.path),
                trust_remote_code=False,
                local_files_only=True,
                model_kwargs={"use_safetensors": True},
            )
        except Exception as error:  # the library raises OSError, ValueError, RuntimeError, KeyError, …
            raise ModelError(
                f"model `{self.name}`", f"sentence-transformers does not load it ({type(error).__name__}: {error})"
            ) from error


def _probe(model: Any) -> Any:
    return model.encode(["probe"], convert_to_tensor=True, show_progress_bar=False)


def _pieces(text: str, offsets: TokenOffsets, words: WordNumbers, room: int) -> list[str]:
    """Returns a text cut into windows of at most `room` tokens, or of one.

    offsets, words: the characters that each token of the text stands for, and its word
    """
    ranges = windows.cut(windows.cut_quality(text, offsets, words), max(1, room))
    starts = [0, *(offsets[start][0] for start, _ in ranges[1:]), len(text)]
    return [text[start:end] for start, end in itertools.pairwise(starts)]
