"""An endpoint on loopback that speaks both wire formats, answers by a function, and does what a script says on single
calls: for tests of whatever asks a language model."""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Fault = Callable[["Exchange"], bool]
"""What a call meets; True where the response was sent and no answer follows."""


@dataclass(slots=True)
class Exchange:
    """One request as the server sees it."""

    handler: BaseHTTPRequestHandler
    body: dict[str, Any]
    number: int
    """Number of the call, from 1."""
    schema: dict[str, Any] | None = None
    prompt: str = ""
    """All text of the user's first message."""

    def send(self, status: int, data: bytes, headers: Mapping[str, str] | None = None) -> None:
        handler = self.handler
        handler.send_response(status)
        for name, value in {"content-length": str(len(data)), **(headers or {})}.items():
            handler.send_header(name, value)
        handler.end_headers()
        handler.wfile.write(data)

    def error(self, status: int, message: str, headers: Mapping[str, str] | None = None) -> None:
        self.send(status, json.dumps({"error": {"message": message}}).encode(), headers)


def status(code: int, message: str = "not now", **headers: str) -> Fault:
    """A response with an error."""

    def fault(exchange: Exchange) -> bool:
        exchange.error(code, message, {name.replace("_", "-"): value for name, value in headers.items()})
        return True

    return fault


def half(exchange: Exchange) -> bool:
    """A body that is cut in half."""
    data = json.dumps({"choices": [{"message": {"content": "x" * 2000}}]}).encode()
    exchange.handler.send_response(200)
    exchange.handler.send_header("content-length", str(len(data)))
    exchange.handler.end_headers()
    exchange.handler.wfile.write(data[: len(data) // 2])
    exchange.handler.close_connection = True
    return True


def silence(seconds: float) -> Fault:
    """No answer for a while, then a closed connection."""

    def fault(exchange: Exchange) -> bool:
        time.sleep(seconds)
        exchange.handler.close_connection = True
        return True

    return fault


def flood(exchange: Exchange) -> bool:
    """A response without an end."""
    exchange.handler.send_response(200)
    exchange.handler.end_headers()
    block = b" " * (1 << 16)
    try:
        for _ in range(1 << 14):
            exchange.handler.wfile.write(block)
    except OSError:
        exchange.handler.close_connection = True
    exchange.handler.close_connection = True
    return True


def saying(text: str, *, cut: bool = False) -> Fault:
    """An answer with just this text."""

    def fault(exchange: Exchange) -> bool:
        respond(exchange, text, cut=cut)
        return True

    return fault


def respond(exchange: Exchange, text: str, *, cut: bool = False, cached: int = 0) -> None:
    """Sends an answer in the form that was asked in."""
    value = message_of(exchange.handler.path, exchange.body, text, cut=cut, cached=cached)
    exchange.send(200, json.dumps(value).encode(), {"content-type": "application/json"})


def message_of(path: str, body: Mapping[str, Any], text: str, *, cut: bool = False, cached: int = 0) -> dict[str, Any]:
    """An answer in the form that a path is asked in."""
    used = len(json.dumps(body)) // 4, len(text) // 4 + 1
    if "/messages" in path:
        tool = body.get("tool_choice")
        content: list[dict[str, Any]] = [{"type": "text", "text": text}]
        if tool:
            with suppress(ValueError):
                content = [{"type": "tool_use", "id": "t", "name": tool["name"], "input": json.loads(text)}]
        usage = {"input_tokens": used[0] - cached, "output_tokens": used[1], "cache_read_input_tokens": cached}
        return {"content": content, "stop_reason": "max_tokens" if cut else "end_turn", "usage": usage}
    usage = {
        "prompt_tokens": used[0],
        "completion_tokens": used[1],
        "prompt_tokens_details": {"cached_tokens": cached},
    }
    choice = {"message": {"role": "assistant", "content": text}, "finish_reason": "length" if cut else "stop"}
    return {"choices": [choice], "usage": usage}


def plain_fields(text: str, number: int = 0) -> dict[str, Any]:
    """Valid fields about a text: made of its own words."""
    words = re.findall(r"[a-zA-Z]{4,}", text.lower()) or ["nothing"]
    distinct = list(dict.fromkeys(words))
    names = list(dict.fromkeys(re.findall(r"(?<!\w)[a-zA-Z]{4,}(?!\w)", text.lower())))[:2] or ["nothing"]
    first, begins = distinct[0], " ".join(re.sub(r"\ASection: .*\n", "", text).split()[:6])
    return {
        "title": f"About {first}",
        "summary": f"Says something of {' and '.join(distinct[:6])}.",
        "keywords": distinct[:5],
        "entities": [{"name": name, "type": "TECH", "description": f"The {name}."} for name in names],
        "relations": [{"source": names[0], "relation": "stands before", "target": names[-1]}][: len(names) - 1],
        "questions": [f"What is {first}?", f"How does {distinct[-1]} work?"],
        "key": f"the {first} part {number}" if number else f"the {first} part",
        "related_keys": [],
        "context": f"Stands in a document about {first}.",
        "queries": [f"{first} help", f"use {first}"],
        "propositions": [{"claim": f"The text says {begins}.", "source": begins}],
    }


def honest(exchange: Exchange) -> str:
    """An answer that fits the schema which was asked for."""
    properties = _schema(exchange.body).get("properties", {})
    if "chunks" in properties:
        wanted = properties["chunks"]["items"]["properties"]
        marks = re.findall(r"^[0-9a-f]{16} chunk (\d+)\n((?:.*\n)*?)[0-9a-f]{16}$", exchange.prompt, re.M)
        asked = [int(n) for n in re.search(r"for the chunks ([\d, ]+) in this", exchange.prompt)[1].split(",")]  # type: ignore[index]
        texts = {int(number): text for number, text in marks}
        entries = [{"chunk": n, **_only(plain_fields(texts.get(n, ""), n + 1), wanted)} for n in asked]
        return json.dumps({"chunks": entries})
    if "sections" in properties:
        wanted = properties["sections"]["items"]["properties"]
        asked = [int(n) for n in re.search(r"for the sections ([\d, ]+) in this", exchange.prompt)[1].split(",")]  # type: ignore[index]
        entries = [{"section": n, **_only(plain_fields(f"section number{n}"), wanted)} for n in asked]
        return json.dumps({"sections": entries})
    if "alt" in properties:
        return json.dumps({"alt": "A plan of the pumps.", "description": "Two pumps feed one tank. Arrows go right."})
    text = exchange.prompt.rpartition("The chunk:\n")[2]
    return json.dumps(_only(plain_fields("\n".join(text.splitlines()[1:-2])), properties))


def _only(fields: Mapping[str, Any], wanted: Mapping[str, Any]) -> dict[str, Any]:
    return {name: fields[name] for name in wanted if name in fields}


def _schema(body: Mapping[str, Any]) -> dict[str, Any]:
    if "tools" in body:
        return dict(body["tools"][0]["input_schema"])
    given = body.get("response_format", {}).get("json_schema", {})
    if given:
        return dict(given["schema"])
    text = json.dumps(body["messages"])
    names = re.findall(r"- `(\w+)` \(", text)
    inner = {"properties": {name: {} for name in names}}
    listed = re.search(r"one field, `(\w+)`", text)
    return {"properties": {listed[1]: {"items": inner}}} if listed else inner


@dataclass
class FakeEndpoint:
    """The server: what it does, and what it saw."""

    answer: Callable[[Exchange], str] = honest
    faults: dict[int, Fault] = field(default_factory=dict)
    """What single calls meet, by their number from 1."""
    always: Fault | None = None
    """What every call meets."""
    seconds: float = 0.0
    """How long an answer takes."""
    bodies: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    moments: list[float] = field(default_factory=list)
    most_open: int = 0
    url: str = ""
    batches: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    """Calls of each batch that was submitted, by its id."""
    batch_ends: bool = True
    """Whether batches have ended when they are asked after."""
    batch_fault: Callable[[int, dict[str, Any]], dict[str, Any] | None] = lambda number, body: None
    """Gives the result of a call in a batch, by its number from 1, where that is no answer."""
    _files: dict[str, bytes] = field(default_factory=dict)
    _open: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def calls(self) -> int:
        return len(self.bodies)

    def record(self) -> str:
        """Everything that was ever received, as text."""
        return json.dumps([self.bodies, self.headers], ensure_ascii=False)

    def handle_batch(self, handler: BaseHTTPRequestHandler, method: str, data: bytes) -> bytes | None:
        """The response to a request about batches or their files; None for any other."""
        path = handler.path.partition("?")[0].removeprefix("/v1")
        name = path.rstrip("/").split("/")[-1]
        if method == "POST" and path == "/files":
            lines = data.split(b"\r\n\r\n")[2].partition(b"\r\n--")[0]
            self._files[file := f"file-{len(self._files)}"] = lines
            return json.dumps({"id": file}).encode()
        if path.startswith("/files/") and name == "content":
            return self._files[path.split("/")[2]]
        if method == "POST" and name == "batches":
            value = json.loads(data)
            calls = value.get("requests")
            if calls is None:
                calls = [json.loads(line) for line in self._files[value["input_file_id"]].splitlines()]
            assert len({call["custom_id"] for call in calls}) == len(calls)
            self.batches[batch := f"batch_{len(self.batches)}"] = calls
            return json.dumps({"id": batch}).encode()
        if "/messages/batches/" in path and name == "results":
            return self._results(path.split("/")[-2], "/messages")
        if name in self.batches:
            count = len(self.batches[name])
            done = {"succeeded": count, "completed": count} if self.batch_ends else {"processing": count}
            state = {"request_counts": done, "processing_status": "ended" if self.batch_ends else "in_progress"}
            state["status"] = "completed" if self.batch_ends else "in_progress"
            if self.batch_ends and "/messages" not in path:
                self._files[f"out-{name}"] = self._results(name, path)
                state["output_file_id"] = f"out-{name}"
            return json.dumps(state).encode()
        return None

    def _results(self, batch: str, path: str) -> bytes:
        lines = []
        for number, call in reversed(list(enumerate(self.batches[batch], 1))):  # in any order
            body = call.get("params") or call["body"]
            result = self.batch_fault(number, body)
            if result is None:
                exchange = Exchange(None, body, number, prompt=prompt_of(body))  # type: ignore[arg-type]
                message = message_of(path, body, self.answer(exchange))
                ours = {"result": {"type": "succeeded", "message": message}}
                result = ours if "/messages" in path else {"response": {"status_code": 200, "body": message}}
            lines.append(json.dumps({"custom_id": call["custom_id"], **result}).encode())
        return b"\n".join(lines)

    def handle(self, handler: BaseHTTPRequestHandler) -> None:
        data = handler.rfile.read(int(handler.headers.get("content-length", 0)))
        if (found := self.handle_batch(handler, handler.command, data)) is not None:
            Exchange(handler, {}, 0).send(200, found, {"content-type": "application/json"})
            return
        body = json.loads(data)
        with self._lock:
            self.bodies.append(body)
            self.headers.append(dict(handler.headers.items()))
            self.moments.append(time.monotonic())
            self._open += 1
            self.most_open = max(self.most_open, self._open)
            number = len(self.bodies)
        try:
            time.sleep(self.seconds)
            exchange = Exchange(handler, body, number, prompt=prompt_of(body))
            fault = self.faults.get(number) or self.always
            if fault is None or not fault(exchange):
                respond(exchange, self.answer(exchange))
        finally:
            with self._lock:
                self._open -= 1


def prompt_of(body: Mapping[str, Any]) -> str:
    """The text of the user's first message; empty where no language model is asked."""
    content = next((message["content"] for message in body.get("messages", ()) if message["role"] == "user"), "")
    return content if isinstance(content, str) else "".join(part.get("text", "") for part in content)


@contextmanager
def serving(fake: FakeEndpoint) -> Iterator[FakeEndpoint]:
    """Runs the server in threads; `fake.url` is its address."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            try:
                fake.handle(self)
            except (BrokenPipeError, ConnectionResetError):
                self.close_connection = True

        do_GET = do_POST

        def log_message(self, format: str, *args: Any) -> None:
            pass

    class Server(ThreadingHTTPServer):
        daemon_threads = True
        request_queue_size = 128

        def handle_error(self, request: Any, client_address: Any) -> None:
            pass

    server = Server(("127.0.0.1", 0), Handler)
    fake.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield fake
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
