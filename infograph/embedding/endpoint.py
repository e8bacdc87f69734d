"""Embeds by a server that speaks OpenAI's `/v1/embeddings`: Ollama, vLLM, LM Studio, hosted ones.

    model = "endpoint/nomic-embed-text"
    [embedding]
    endpoint = "http://127.0.0.1:11434/v1"

The only embedder that sends texts anywhere. Some servers cut off what is longer than their model reads, and do not say
so; hence texts are cut into windows here, by the packaged tokenizer. What comes back is checked: as many vectors as
texts, of one dimension, of finite numbers.
"""

from __future__ import annotations

import hashlib
import json
import os
import random
import re
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from infograph.embedding import windows
from infograph.embedding.backends import ENDPOINT
from infograph.errors import ModelError
from infograph.remote.addresses import EMBEDDING_KEY, check_address, check_key
from infograph.remote.redaction import Redactor
from infograph.remote.retries import RETRIED, is_tried_again, wait_before
from infograph.remote.transport import Transport
from infograph.text import wordpiece

if TYPE_CHECKING:
    from infograph.embedding.base import FloatArray, Kind, ModelOptions, ProgressCallback

_OPENAI = "api.openai.com"
_OPENAI_KEY = "OPENAI_API_KEY"
_TEXTS = 32
"""Texts of one request: more than some servers take by default is refused by them."""
_BOUND = 1e30
"""No component is as large: what a float of 32 bits cannot hold, infinity and NaN among it."""
_TOO_LONG = re.compile(
    r"too (?:long|large|many tokens)|maximum (?:context|input|length)|context length|token limit|"
    r"(?:exceed|longer than|greater than).*(?:token|context|length|input|max)",
    re.IGNORECASE,
)
"""What servers say of a text that is longer than their model reads."""
_BLANK = "."
"""What is sent in the place of a text without anything in it, which some servers refuse."""


@dataclass(frozen=True, slots=True)
class _Server:
    """The address that texts are sent to, and its key."""

    base: str
    key: str = field(default="", repr=False)

    @property
    def url(self) -> str:
        return f"{self.base}/embeddings"

    @property
    def headers(self) -> dict[str, str]:
        return {"authorization": f"Bearer {self.key}"} if self.key else {}


def identify_endpoint(model: str, options: ModelOptions) -> tuple[str, str]:
    """Returns a model's name, and a revision that follows from all that its vectors depend on here; nothing is asked.
    The server's address is in it, and not to be read from it. Raises ModelError without a name or an address,
    ConfigError for an address that no text may go to."""
    base = options.endpoint.rstrip("/")
    if not model.removeprefix(ENDPOINT):
        raise ModelError(f"model `{model}`", "names no model", f"Write `{ENDPOINT}NAME`, as the server calls it.")
    if not base:
        hint = "Set it to the server's address, as `http://127.0.0.1:11434/v1`."
        raise ModelError(f"model `{model}`", "needs `embedding.endpoint`", hint)
    check_address(base, "embedding", "endpoint", allow_http=options.allow_http)
    said = [base, model, options.dimensions, options.max_tokens, list(options.redact)]
    return model, hashlib.sha256(json.dumps(said).encode()).hexdigest()[:12]


class EndpointEmbedder:
    """Embedder of a model that a server has. How exact its vectors are, and whether a text has the same one each time,
    is the server's affair; the cache keeps the first.

    environment: where the key is looked up
    """

    cached = True
    texts_at_once = 256

    def __init__(self, model: str, options: ModelOptions, environment: Mapping[str, str] = os.environ) -> None:
        self.name, self.revision = identify_endpoint(model, options)
        self._options = options
        self._redactor = Redactor(tuple(options.redact), "embedding.redact")
        base = options.endpoint.rstrip("/")
        key = environment.get(EMBEDDING_KEY, "")
        if not key and urlsplit(base).hostname == _OPENAI:
            key = environment.get(_OPENAI_KEY, "")
        check_key(key, EMBEDDING_KEY)
        self._server = _Server(base, key)
        self._dimension = options.dimensions

    @property
    def dimension(self) -> int:
        """Length of a vector: where no setting says it, a word is embedded to see."""
        if not self._dimension:
            transport = Transport(self._server, self._options.timeout)
            try:
                self._ask(transport, [_BLANK])
            finally:
                transport.close()
        return self._dimension

    def seconds_for(self, texts: Sequence[str]) -> float | None:
        return None

    def embed(
        self, texts: Sequence[str], *, kind: Kind = "document", progress: ProgressCallback | None = None
    ) -> FloatArray:
        """Embeds texts as `Embedder.embed` states; the kind of a text makes no difference. Progress counts tokens.
        Raises ModelError where the server does not answer, refuses, or answers what no vectors are."""
        import numpy as np

        if not texts:
            return np.empty((0, self.dimension), np.float32)
        cut = {text: self._cut(self._redactor.redact(text, Counter())) for text in texts}
        lengths = {piece: tokens for pieces in cut.values() for piece, tokens in pieces}
        pieces, total, done = list(lengths), sum(lengths.values()), 0
        found: dict[str, FloatArray] = {}
        transport = Transport(self._server, self._options.timeout)
        try:
            for start in range(0, len(pieces), _TEXTS):
                some = pieces[start : start + _TEXTS]
                found.update(zip(some, self._ask(transport, some), strict=True))
                done += sum(lengths[piece] for piece in some)
                if progress:
                    progress(done, total)
        finally:
            transport.close()
        pooled = {
            text: windows.pool(np.stack([found[piece] for piece, _ in own]), [tokens for _, tokens in own])
            for text, own in cut.items()
        }
        return np.stack([pooled[text] for text in texts])

    def _cut(self, text: str) -> list[tuple[str, int]]:
        """Returns the windows of a text, each with its number of tokens."""
        limit = self._options.max_tokens
        if len(text) <= limit:  # no token is shorter than a character
            return [(text, max(1, len(text)))]
        offsets, words = zip(*_tokens(text), strict=True) if text.strip() else ((), ())
        ranges = windows.cut(windows.cut_quality(text, offsets, words), limit)
        starts = [0, *(offsets[start][0] for start, _ in ranges[1:]), len(text)]
        return [
            (text[starts[number] : starts[number + 1]], max(1, end - start))
            for number, (start, end) in enumerate(ranges)
        ]

    def _ask(self, transport: Transport, texts: Sequence[str]) -> FloatArray:
        """Returns the unit vectors of some texts, by one request, which is tried again where that may help. Raises
        ModelError."""
        body: dict[str, Any] = {
            "model": self.name.removeprefix(ENDPOINT),
            "input": [text if text.strip() else _BLANK for text in texts],
            "encoding_format": "float",
        }
        if self._options.dimensions:
            body["dimensions"] = self._options.dimensions
        attempt, waited = 0, 0.0
        while True:
            response = transport.post(body)
            if response.status == 200 and response.data is not None:
                return self._vectors(response.data, len(texts))
            attempt += 1
            if not is_tried_again(response.status, response.should_retry, attempt, self._options.retries, waited):
                raise self._failed(response.status, response.message, max(map(len, texts)))
            wait = wait_before(attempt, response.retry_after, random.random())
            waited += wait
            time.sleep(wait)

    def _vectors(self, data: Any, count: int) -> FloatArray:
        """Returns the unit vectors of an answer in the order of the texts. Raises ModelError where they are none.

        count: number of texts
        """
        import numpy as np

        rows = data.get("data") if isinstance(data, dict) else None
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
            raise self._refused("answered with something else than a list of vectors")
        if len(rows) != count:
            raise self._refused(f"answered with {len(rows)} vectors for {count} texts")
        places = [row.get("index", number) for number, row in enumerate(rows)]
        if sorted(place if type(place) is int else -1 for place in places) != list(range(count)):
            raise self._refused(f"numbers its vectors otherwise than 0 to {count - 1}")
        vectors = [row.get("embedding") for _, row in sorted(zip(places, rows, strict=True), key=lambda pair: pair[0])]
        wanted = self._dimension or (len(vectors[0]) if isinstance(vectors[0], list) else 0)
        for vector in vectors:
            if not isinstance(vector, list) or not all(type(number) in (int, float) for number in vector):
                raise self._refused("answered with a vector that holds something else than numbers, such as NaN")
            if len(vector) != wanted or not vector:
                raise self._refused(f"answered with a vector of {len(vector)} dimensions in the place of {wanted}")
        matrix = np.array(vectors, np.float64)
        if not matrix.any(axis=1).all() or not (np.abs(matrix) < _BOUND).all():
            raise self._refused("answered with a vector without a direction: all zeros, or beyond all bounds")
        self._dimension = wanted
        return windows.unit(matrix)

    def _refused(self, reason: str) -> ModelError:
        return ModelError(f"model `{self.name}`", f"{self._server.base} {reason}", "Nothing of it can be used.")

    def _failed(self, status: int, message: str, longest: int) -> ModelError:
        """The error for a request that got no answer.

        status:  HTTP status; 0 where the connection failed or the time was over
        longest: characters of the longest of its texts
        """
        if status in (400, 413, 422) and _TOO_LONG.search(message):
            most = self._options.max_tokens
            hint = (
                f"Set `embedding.max_tokens`, now {most:,}, to a half of it: the server counts other tokens. The "
                f"longest text of the request has {longest:,} characters."
            )
        elif status in (401, 403):
            hint = f"Set {EMBEDDING_KEY} in the environment."
        elif status == 404:
            hint = "See to `embedding.endpoint`, which most often ends in /v1, and to the model's name."
        elif status in RETRIED or status in (0, 200):
            hint = "Most of what is embedded so far is kept: run the same command again later."
        else:
            hint = "Most of what is embedded so far is kept: run the same command again once that is mended."
        said = (f"answered {status}: {message}" if status not in (0, 200) else message).rstrip(" .:")
        return ModelError(f"model `{self.name}`", f"{self._server.base}: {said}", hint)


def _tokens(text: str) -> Iterator[tuple[tuple[int, int], int | None]]:
    """Yields the range of characters of each token of a text, and the word that it belongs to. A word that the
    tokenizer does not know counts as more than one, see `wordpiece.unknown_tokens`."""
    tokenizer = wordpiece.load_tokenizer()
    encoding = tokenizer.encode(text.encode("utf-8", "replace").decode(), add_special_tokens=False)
    unknown = tokenizer.token_to_id(wordpiece.UNKNOWN)
    for token, (start, end), word in zip(encoding.ids, encoding.offsets, encoding.word_ids, strict=True):
        if token != unknown:
            yield (start, end), word
            continue
        yield from (((at, min(at + 2, end)), word) for at in range(start, end, 2))
