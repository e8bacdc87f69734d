"""The packaged model all-MiniLM-L6-v2 on onnxruntime, without torch and without a network, in two arithmetics.

The weights are stored as int8 with float32 scales. `all-MiniLM-L6-v2` restores them when the session is made and
computes in float32. `all-MiniLM-L6-v2-int8`, the default, multiplies the whole numbers themselves, by activations of 7
bits: about twice as fast where the processor has an instruction for that (VNNI; the dot products of ARM), and the same
whole numbers where it has none, since no sum saturates. Nothing is quantised when it is loaded. What the graph of
either is, `scripts/build_onnx_model.py` says.

Texts are cut into windows (`windows.py`), equal windows are run once, and a batch holds windows of exactly one
length: there is no padding, so nothing that a padded position could change.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from infograph.embedding import windows
from infograph.embedding.model_manifest import MINILM, MINILM_INT8, read_manifest, verified
from infograph.errors import ModelError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from onnxruntime import InferenceSession
    from tokenizers import Tokenizer

    from infograph.embedding.base import FloatArray, Kind, ProgressCallback

_WEIGHTS = "model.onnx"
_GRAPHS = {MINILM: _WEIGHTS, MINILM_INT8: "model.int8.onnx"}
"""The file that each model's session is made from; that of whole numbers reads its matrices out of `_WEIGHTS`."""

BATCH_TOKENS = 1024
"""Tokens in a batch: enough for the matrix products of short windows, few enough for 40 MB of activations."""

_FEW_TEXTS = 100
"""Texts up to which no time is told: they take less than a minute on any machine."""
_SAMPLED, _TRIED = 64, 12
"""Sizes of the samples that tell how long all texts take: texts that are cut into tokens, windows that are run."""
_TEXT_WORK, _CUT_WORK = 1000, 20
"""Progress of `embed` for each distinct text: the whole, and that of cutting the text into windows, before the model
runs. The time left would otherwise stand still for seconds."""
_CUT_STEP = 64
"""Texts cut between two reports of progress."""


class OnnxEmbedder:
    """Embedder of all-MiniLM-L6-v2: 384 dimensions, windows of 256 tokens, mean over the tokens.

    threads:      processor cores for one product; None lets onnxruntime use all. The vectors' bits do not depend on it
    batch_tokens: tokens in a batch. The vectors' bits do not depend on it
    model:        `MINILM` or `MINILM_INT8`
    """

    def __init__(self, threads: int | None = None, batch_tokens: int = BATCH_TOKENS, model: str = MINILM) -> None:
        self._manifest = read_manifest(model)
        self._threads = threads
        self._batch_tokens = batch_tokens
        self._loaded: tuple[Tokenizer, InferenceSession] | None = None

    @property
    def name(self) -> str:
        return self._manifest.name

    @property
    def revision(self) -> str:
        return self._manifest.revision

    @property
    def dimension(self) -> int:
        return self._manifest.dimension

    @property
    def cached(self) -> bool:
        return True

    def seconds_for(self, texts: Sequence[str]) -> float | None:
        """Returns the time that some of the texts take on this machine, now, for as many tokens as all will have: what
        one machine does in a minute takes another a quarter of an hour. Raises ModelError when the model does not load.
        """
        if len(texts) < _FEW_TEXTS:
            return None
        sample = texts[:: max(1, len(texts) // _SAMPLED)]
        windows_of = {window for text in sample for window in self.tokenize(text)}
        tokens = sum(len(window) // 2 for window in windows_of)
        whole = tokens * sum(map(len, texts)) / max(1, sum(map(len, sample)))
        tried = sorted(windows_of)[:: max(1, len(windows_of) // _TRIED)]
        self._run(tried[:1], 1, None)  # the first run sets the session up
        start = time.perf_counter()
        self._run(tried, len(tried), None)
        return (time.perf_counter() - start) * whole / sum(len(window) // 2 for window in tried)

    def embed(
        self, texts: Sequence[str], *, kind: Kind = "document", progress: ProgressCallback | None = None
    ) -> FloatArray:
        """Embeds texts as `Embedder.embed` states. Progress counts thousandths of texts. Raises ModelError when the
        model does not load."""
        import numpy as np

        if not texts:
            return np.empty((0, self.dimension), np.float32)
        places: dict[str, int] = {}  # the row of each distinct text
        rows = [places.setdefault(text, len(places)) for text in texts]
        cut: list[list[bytes]] = []
        at: dict[bytes, int] = {}  # the row of each distinct window
        for number, text in enumerate(places):
            if progress and number % _CUT_STEP == 0:
                progress(_CUT_WORK * number, _TEXT_WORK * len(places))
            cut.append(self.tokenize(text))
            for piece in cut[-1]:
                at.setdefault(piece, len(at))
        found = self._run(list(at), len(places), progress)
        vectors = [windows.pool(found[[at[p] for p in pieces]], [len(p) for p in pieces]) for pieces in cut]
        return np.stack([vectors[row] for row in rows])

    def tokenize(self, text: str) -> list[bytes]:
        """Returns the windows of a text: the token ids of each, special tokens included, as 16-bit integers."""
        import numpy as np

        tokenizer, _ = self._load()
        encoding = tokenizer.encode(text, add_special_tokens=False)
        ids = np.array([_CLS, *encoding.ids, _SEP], np.uint16)
        room = self._manifest.max_tokens - 2
        if len(ids) - 2 <= room:
            return [ids.tobytes()]
        quality = windows.cut_quality(text, encoding.offsets, encoding.word_ids)
        return [
            np.concatenate([ids[:1], ids[1 + start : 1 + end], ids[-1:]]).tobytes()
            for start, end in windows.cut(quality, room)
        ]

    def inputs(self, batch: Sequence[bytes]) -> dict[str, NDArray[np.int64]]:
        """Returns the session's inputs for windows of one length."""
        import numpy as np

        ids = np.frombuffer(b"".join(batch), np.uint16).astype(np.int64).reshape(len(batch), -1)
        return {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}

    def _run(self, distinct: Sequence[bytes], texts: int, progress: ProgressCallback | None) -> FloatArray:
        """Returns the unit vectors of windows, computed a batch at a time.

        texts: number of texts that the windows are of
        """
        import numpy as np

        _, session = self._load()
        lengths = [len(window) // 2 for window in distinct]
        done, total = 0, sum(lengths)
        vectors = np.empty((len(distinct), self.dimension), np.float32)
        for rows in batches(lengths, self._batch_tokens):
            hidden = session.run(None, self.inputs([distinct[row] for row in rows]))[0]
            vectors[rows] = windows.unit(hidden.mean(axis=1, dtype=np.float64))
            done += sum(lengths[row] for row in rows)
            if progress:
                share = (_TEXT_WORK - _CUT_WORK) * texts * done // total
                progress(_CUT_WORK * texts + share, _TEXT_WORK * texts)
        return vectors

    def _load(self) -> tuple[Tokenizer, InferenceSession]:
        """Loads the weights at the first text: a build whose vectors are all cached does not load them."""
        if self._loaded is None:
            self._loaded = self._tokenizer(), self._session()
        return self._loaded

    def _tokenizer(self) -> Tokenizer:
        from tokenizers import Tokenizer

        tokenizer = Tokenizer.from_file(str(verified(self._manifest, "tokenizer.json")))
        tokenizer.no_truncation()
        tokenizer.no_padding()
        return tokenizer

    def _session(self) -> InferenceSession:
        import onnxruntime  # imported here: it takes 0.2 s

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = self._threads or 0
        options.inter_op_num_threads = 1
        options.enable_mem_pattern = False  # it would plan memory for every shape and keep each plan
        options.use_deterministic_compute = True
        options.log_severity_level = 3  # errors are raised; warnings are about processors
        if self.name == MINILM_INT8:  # what is not fused rounds in one way, see `Int8Graph` in the script
            options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
            verified(self._manifest, _WEIGHTS)
        model = verified(self._manifest, _GRAPHS[self.name])
        try:
            return onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
        except Exception as error:  # onnxruntime's exceptions share no base class
            reason = f"onnxruntime {onnxruntime.__version__} does not load it: {error}"
            raise ModelError(self.name, reason, "Another version of onnxruntime may.") from error


_CLS, _SEP = 101, 102
"""First and last token of every window."""


def batches(lengths: Sequence[int], tokens: int) -> Iterator[list[int]]:
    """Yields the positions of windows in batches of one length each, longest first, with about `tokens` tokens each."""
    order = sorted(range(len(lengths)), key=lambda at: -lengths[at])
    batch: list[int] = []
    for at in order:
        if batch and (lengths[at] != lengths[batch[0]] or (len(batch) + 1) * lengths[at] > tokens):
            yield batch
            batch = []
        batch.append(at)
    if batch:
        yield batch
