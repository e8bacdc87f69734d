"""Embeds with any model of the sentence-transformers library: the extra `infograph[sentence-transformers]`."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
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


class SentenceTransformersEmbedder:
    """Embedder of a model that the library loads, on the device the library chooses.

    Texts are run one by one unless `batch` says otherwise: in a batch, the other texts change the last bits of a
    vector. Batches are made of pieces of like length, the longest first, so that little is padded.

    threads: processor cores for torch, for the whole process; None leaves it unchanged
    """

    batch = 1
    """Most pieces of text that are run at once."""

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
        cut = {text: self._cut(text, prompt) for text in texts}
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

    def _cut(self, text: str, prompt: str) -> list[tuple[str, int]]:
        """Returns the windows of a text, each with its number of tokens, prompt and special tokens included."""
        model = self._model()
        tokenizer = model.tokenizer
        limit = model.max_seq_length
        if not hasattr(tokenizer, "is_fast") or limit is None:  # a table of token vectors reads any length
            return [(text, max(1, len(text)))]
        length = self._tokens(prompt + text)
        if length <= limit:
            return [(text, length)]
        if not tokenizer.is_fast:
            raise ModelError(
                f"model `{self.name}`",
                f"a text has {length} tokens, the model reads {limit}, and its tokenizer does not tell where "
                "tokens stand in a text, so that it cannot be cut into windows",
                "Take a model that has a tokenizer.json.",
            )
        plain = tokenizer(text, add_special_tokens=False, return_offsets_mapping=True, truncation=False, verbose=False)
        offsets = plain["offset_mapping"]
        quality = windows.cut_quality(text, offsets, plain.word_ids())
        room = max(1, limit - (length - len(offsets)))
        while True:
            ranges = windows.cut(quality, room)
            starts = [0, *(offsets[start][0] for start, _ in ranges[1:]), len(text)]
            pieces = [text[start:end] for start, end in itertools.pairwise(starts)]
            lengths = [self._tokens(prompt + piece) for piece in pieces]
            if room == 1 or max(lengths) <= limit:
                return list(zip(pieces, lengths, strict=True))
            room = max(1, room - (max(lengths) - limit))  # some tokenizers find more tokens in a piece on its own

    def _tokens(self, text: str) -> int:
        return len(self._model().tokenizer(text, truncation=False, verbose=False)["input_ids"])

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
