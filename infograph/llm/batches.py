"""Batches of calls at half the price, in the two forms of endpoints: sent together, answered within a day, collected.

lines of calls ─submit▶ id ─state▶ how far it is ─results▶ digest of each call with its response
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import orjson

from infograph.errors import EndpointError
from infograph.llm.endpoint import Endpoint
from infograph.llm.wire import Call, body_of
from infograph.remote.transport import Response, Transport, as_json

MOST_CALLS = 5_000
"""Most calls of one batch; endpoints take 50,000."""
MOST_BYTES = 32 << 20
"""Most bytes of one batch; endpoints take 200 MB."""
PRICE = 0.5
"""Price of a call in a batch, as a share of that of a call by itself."""

_ENDED = frozenset({"completed", "failed", "expired", "cancelled", "ended"})


@dataclass(frozen=True, slots=True)
class BatchState:
    """How far a batch is."""

    status: str
    """As the endpoint calls it."""
    answered: int
    failed: int
    outputs: tuple[str, ...]
    """Addresses of its results; none before it has ended."""

    @property
    def ended(self) -> bool:
        """Whether nothing more will come of it."""
        return self.status in _ENDED


def batch_line(form: str, call: Call, step: str, digest: str) -> bytes:
    """Returns a call as one line of a batch.

    digest: name that its result comes back under, 64 hex digits
    """
    body = body_of(form, call, step)
    if form == "anthropic":
        return as_json({"custom_id": digest, "params": body})
    return as_json({"custom_id": digest, "method": "POST", "url": "/v1/chat/completions", "body": body})


class Batches:
    """The batches of one endpoint."""

    def __init__(self, endpoint: Endpoint, transport: Transport) -> None:
        self._endpoint = endpoint
        self._transport = transport

    def submit(self, lines: Sequence[bytes]) -> str:
        """Sends calls as one batch; returns its id. Raises EndpointError."""
        if self._endpoint.form == "anthropic":
            return self._id(self._sent(self._endpoint.batches, b'{"requests":[' + b",".join(lines) + b"]}"))
        content = b"\n".join(lines) + b"\n"
        mark = f"infograph-{hashlib.sha256(content).hexdigest()[:32]}"
        parts = [
            f'--{mark}\r\ncontent-disposition: form-data; name="purpose"\r\n\r\nbatch\r\n'.encode(),
            f'--{mark}\r\ncontent-disposition: form-data; name="file"; filename="calls.jsonl"\r\n'.encode(),
            b"content-type: application/jsonl\r\n\r\n" + content,
            f"\r\n--{mark}--\r\n".encode(),
        ]
        kind = f"multipart/form-data; boundary={mark}"
        file = self._id(self._sent(self._endpoint.files, b"".join(parts), kind))
        asked = {"input_file_id": file, "endpoint": "/v1/chat/completions", "completion_window": "24h"}
        return self._id(self._sent(self._endpoint.batches, as_json(asked)))

    def state(self, batch: str) -> BatchState:
        """Returns how far a batch is. Raises EndpointError."""
        address = f"{self._endpoint.batches}/{batch}"
        data = self._taken(address, self._transport.send("GET", address))
        counts = data.get("request_counts")
        counts = counts if isinstance(counts, dict) else {}
        number = {name: value for name, value in counts.items() if isinstance(value, int)}
        if self._endpoint.form == "anthropic":
            status = str(data.get("processing_status"))
            failed = sum(number.get(name, 0) for name in ("errored", "canceled", "expired"))
            results = (f"{address}/results",) if status in _ENDED else ()
            return BatchState(status, number.get("succeeded", 0), failed, results)
        status = str(data.get("status"))
        files = [data.get(name) for name in ("output_file_id", "error_file_id")] if status in _ENDED else []
        outputs = tuple(f"{self._endpoint.files}/{file}/content" for file in files if isinstance(file, str) and file)
        return BatchState(status, number.get("completed", 0), number.get("failed", 0), outputs)

    def results(self, state: BatchState) -> Iterator[tuple[str, Response]]:
        """Yields the digest of each call of a batch that has ended, with the response that it had; one line at a time,
        however many there are. Raises EndpointError."""
        read = _anthropic_result if self._endpoint.form == "anthropic" else _openai_result
        for address in state.outputs:
            for line in self._transport.lines(address):
                try:
                    value = orjson.loads(line)
                    yield str(value["custom_id"]), read(value)
                except (ValueError, KeyError, TypeError, AttributeError) as error:
                    raise EndpointError(address, f"a result is not to be read: {error}", _LATER) from None

    def _sent(self, address: str, content: bytes, kind: str = "application/json") -> dict[str, Any]:
        return self._taken(address, self._transport.send("POST", address, content, kind))

    def _taken(self, address: str, response: Response) -> dict[str, Any]:
        if response.status != 200 or not isinstance(response.data, dict):
            said = f"answered {response.status}: {response.message}" if response.status else response.message
            raise EndpointError(
                address, said, "Does this endpoint take batches? Without --batch it is asked call by call."
            )
        return response.data

    def _id(self, data: Mapping[str, Any]) -> str:
        found = data.get("id")
        if not isinstance(found, str) or not found or not found.replace("-", "").replace("_", "").isalnum():
            raise EndpointError(self._endpoint.batches, "gave no id of a batch", _LATER)
        return found


_LATER = "Run the same command again later."


def _openai_result(value: Mapping[str, Any]) -> Response:
    response = value.get("response") or {}
    status = response.get("status_code", 0)
    if status == 200:
        return Response(200, response["body"])
    error = value.get("error") or response.get("body", {}).get("error") or {}
    return Response(status if isinstance(status, int) else 0, message=str(error.get("message", ""))[:300])


def _anthropic_result(value: Mapping[str, Any]) -> Response:
    result = value["result"]
    if result["type"] == "succeeded":
        return Response(200, result["message"])
    error = result.get("error") or {}
    error = error.get("error") or error
    refused = error.get("type") == "invalid_request_error"
    return Response(400 if refused else 0, message=str(error.get("message", result["type"]))[:300])
