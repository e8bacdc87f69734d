"""Answers what language models are asked from recordings, in both wire formats: what nobody has answered yet becomes a
readable file, for a person or a capable model to answer, and is refused with 503 until then.

    python scripts/record_llm.py FOLDER --model NAME [--port 8765]     the endpoint, on this machine only
    python scripts/record_llm.py FOLDER --list                         requests without an answer
    python scripts/record_llm.py FOLDER --check                        whether every answer is JSON of the right fields

    infograph enrich DOCS --provider openai-compatible --base-url http://127.0.0.1:8765/v1 --model NAME

A request is `FOLDER/requests/{hash}.md`: what was said to the model, and the JSON Schema of the answer. Images that
were sent with it lie in `FOLDER/images/`. Its answer is
`FOLDER/answers/{hash}.json`, the JSON alone. The hash is over the messages, the schema and the model's name, so one
answer serves the same request in both formats.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import json
import re
import sys
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

REQUESTS, ANSWERS, IMAGES = "requests", "answers", "images"


def conversation(body: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Returns role and text of each message, the system's first, of a body in either format."""
    turns = [("system", body["system"])] if isinstance(body.get("system"), str) else []
    for message in body["messages"]:
        content = message["content"]
        text = content if isinstance(content, str) else "".join(map(_text_of, content))
        turns.append((message["role"], text))
    return turns


def _text_of(part: Mapping[str, Any]) -> str:
    """Returns a part of a message as text; of an image the name of the file that holds it."""
    image = image_of(part)
    return part["text"] if image is None else f"![](../{IMAGES}/{image[0]})\n\n"


def image_of(part: Mapping[str, Any]) -> tuple[str, bytes] | None:
    """Returns the file name and the bytes of an image that a part of a message holds, in either format."""
    if part["type"] == "image":
        kind, data = part["source"]["media_type"], part["source"]["data"]
    elif part["type"] == "image_url":
        kind, _, data = part["image_url"]["url"].removeprefix("data:").partition(";base64,")
    else:
        return None
    content = base64.b64decode(data, validate=True)
    return f"{hashlib.sha256(content).hexdigest()[:24]}.{kind.rpartition('/')[2]}", content


def images_of(body: Mapping[str, Any]) -> list[tuple[str, bytes]]:
    """Returns the images of a request, each with its file name."""
    parts = (
        part for message in body["messages"] if isinstance(message["content"], list) for part in message["content"]
    )
    return [image for image in map(image_of, parts) if image is not None]


def schema_of(body: Mapping[str, Any]) -> Any:
    """Returns the JSON Schema that an answer is to have, None where none is asked for."""
    if body.get("tools"):
        return body["tools"][0]["input_schema"]
    return body.get("response_format", {}).get("json_schema", {}).get("schema")


def digest(body: Mapping[str, Any]) -> str:
    """Returns the name of a request, 24 hex digits."""
    value = [body.get("model"), conversation(body), schema_of(body)]
    return hashlib.sha256(json.dumps(value, sort_keys=True, ensure_ascii=False).encode()).hexdigest()[:24]


def as_file(body: Mapping[str, Any]) -> str:
    """Returns a request as a person reads it."""
    parts = [f"# Request to {body.get('model')}\n"]
    parts += [f"## {role}\n\n{text}\n" for role, text in conversation(body)]
    parts.append(f"## schema of the answer\n\n{json.dumps(schema_of(body), ensure_ascii=False)}\n")
    return "\n".join(parts)


def response(path: str, body: Mapping[str, Any], text: str) -> dict[str, Any]:
    """Returns an answer in the format in which it was asked for; tokens are counted as a quarter of the bytes."""
    used = sum(len(said.encode()) for _, said in conversation(body)) // 4, len(text.encode()) // 4
    if path.endswith("/messages"):
        tool = body.get("tool_choice", {}).get("name")
        part: dict[str, Any] = {"type": "text", "text": text}
        if tool:
            part = {"type": "tool_use", "id": "recorded", "name": tool, "input": json.loads(text)}
        usage = {"input_tokens": used[0], "output_tokens": used[1]}
        return {"content": [part], "stop_reason": "end_turn", "usage": usage}
    message = {"role": "assistant", "content": text}
    usage = {"prompt_tokens": used[0], "completion_tokens": used[1]}
    return {"choices": [{"message": message, "finish_reason": "stop"}], "usage": usage}


class Recorder(BaseHTTPRequestHandler):
    """Answers one connection."""

    protocol_version = "HTTP/1.1"
    folder: Path
    model: str

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers.get("content-length", 0))))
        if body.get("model") != self.model:
            self._send(404, {"error": {"message": f"recordings are of {self.model}, not {body.get('model')}"}})
            return
        name = digest(body)
        answer = self.folder / ANSWERS / f"{name}.json"
        if answer.is_file():
            self._send(200, response(self.path, body, answer.read_text("utf-8").strip()))
            return
        request = self.folder / REQUESTS / f"{name}.md"
        if not request.exists():
            for file, content in images_of(body):
                (self.folder / IMAGES).mkdir(exist_ok=True)
                (self.folder / IMAGES / file).write_bytes(content)
            request.write_text(as_file(body), "utf-8")
        said = {"error": {"message": f"nobody has answered {REQUESTS}/{name}.md yet"}}
        self._send(503, said, x_should_retry="false")  # which also says that the endpoint itself is well

    def _send(self, status: int, value: Mapping[str, Any], **headers: str) -> None:
        data = json.dumps(value, ensure_ascii=False).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        for header, text in headers.items():
            self.send_header(header.replace("_", "-"), text)
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: Any) -> None:
        """Logs nothing: the folder says it all."""


def pending(folder: Path) -> list[Path]:
    """Returns the requests without an answer."""
    requests = sorted((folder / REQUESTS).glob("*.md"))
    return [path for path in requests if not (folder / ANSWERS / f"{path.stem}.json").is_file()]


def wrong(folder: Path) -> list[str]:
    """Returns what is wrong with answers: no JSON, or fields that the schema does not have or lacks."""
    found = []
    for answer in sorted((folder / ANSWERS).glob("*.json")):
        request = (folder / REQUESTS / f"{answer.stem}.md").read_text("utf-8")
        schema = json.loads(request.rpartition("## schema of the answer\n\n")[2])
        try:
            value = json.loads(answer.read_text("utf-8"))
        except ValueError as error:
            found.append(f"{answer.name}: no JSON: {error}")
            continue
        entries, properties = [value], schema["properties"]
        if "chunks" in properties:
            entries, wanted = value.get("chunks", []), properties["chunks"]
            if len(entries) != wanted["minItems"]:
                found.append(f"{answer.name}: {len(entries)} entries, not {wanted['minItems']}")
            properties = wanted["items"]["properties"]
        for number, entry in enumerate(entries):
            if set(entry) != set(properties):
                found.append(f"{answer.name}: entry {number}: {sorted(set(entry) ^ set(properties))}")
            codes = re.findall(r"\b[0-9a-f]{16}\b", json.dumps(entry))
            if codes:
                found.append(f"{answer.name}: entry {number} repeats a code that only delimits: {codes[0]}")
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--model", default="")
    parser.add_argument("--port", type=int, default=8765)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    for name in (REQUESTS, ANSWERS):
        (options.folder / name).mkdir(parents=True, exist_ok=True)
    if options.list:
        print("\n".join(map(str, pending(options.folder))))
        return
    if options.check:
        faults = wrong(options.folder)
        print("\n".join(faults) or "all answers fit")
        sys.exit(1 if faults else 0)
    if not options.model:
        parser.error("--model names whose answers these are")
    Recorder.folder, Recorder.model = options.folder, options.model
    server = ThreadingHTTPServer(("127.0.0.1", options.port), Recorder)
    print(f"http://127.0.0.1:{server.server_address[1]}/v1", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
