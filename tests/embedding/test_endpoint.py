"""Models of a server: what it is asked, what is made of its answers, and what of it is refused."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from infograph.build import build
from infograph.config import load as load_settings
from infograph.config.settings import EmbeddingSettings
from infograph.embedding import endpoint, identify, load
from infograph.embedding.endpoint import EndpointEmbedder
from infograph.errors import ConfigError, ModelError
from infograph.remote.retries import wait_before

DIMENSION = 24
KEY = "s3cret-key-of-nobody"
TEXTS = ["An index is a file.", "Chunks are slices.", "def main() -> None:", "An index is a file."]


def vector(text: str) -> list[float]:
    found = [0.001] * DIMENSION
    for word in text.split():
        found[zlib.crc32(word.encode()) % DIMENSION] += 1.0
    return found


Change = Callable[[list[dict[str, Any]]], Any]


def answering(change: Change = lambda rows: rows) -> Callable[[Any], bool]:
    """A server that answers with vectors of the texts, out of order, after a change."""

    def fault(exchange: Any) -> bool:
        rows = [{"index": n, "embedding": vector(text)} for n, text in enumerate(exchange.body["input"])]
        random.Random(7).shuffle(rows)
        data = json.dumps({"object": "list", "data": change(rows)}).encode()
        exchange.send(200, data, {"content-type": "application/json"})
        return True

    return fault


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Nothing is waited for; the waits are kept."""
    waits: list[float] = []

    def wait(*given: Any) -> float:
        waits.append(wait_before(*given))
        return 0.0

    monkeypatch.setattr("infograph.embedding.endpoint.wait_before", wait)
    return waits


@pytest.fixture
def server(endpoints: Any) -> Iterator[Any]:
    with endpoints.serving(endpoints.FakeEndpoint(always=answering())) as fake:
        yield fake


def options(server: Any, **given: Any) -> EmbeddingSettings:
    return replace(EmbeddingSettings(endpoint=f"{server.url}/", retries=2, timeout=60.0), **given)


def embedder(server: Any, **given: Any) -> EndpointEmbedder:
    return EndpointEmbedder("endpoint/words:latest", options(server, **given), {"INFOGRAPH_EMBEDDING_API_KEY": KEY})


def expected(texts: Sequence[str]) -> Any:
    matrix = np.array([vector(text) for text in texts])
    return (matrix / np.linalg.norm(matrix, axis=1, keepdims=True)).astype(np.float32)


def test_vectors_come_in_the_order_of_the_texts(server: Any) -> None:
    model = embedder(server)
    done: list[tuple[int, int]] = []
    assert np.array_equal(model.embed(TEXTS, progress=lambda *now: done.append(now)), expected(TEXTS))
    assert model.dimension == DIMENSION and done[-1][0] == done[-1][1]
    assert model.embed([]).shape == (0, DIMENSION)
    (body,) = server.bodies
    assert body == {"model": "words:latest", "input": TEXTS[:3], "encoding_format": "float"}
    assert server.headers[0]["authorization"] == f"Bearer {KEY}"


def test_many_texts_go_in_several_requests(server: Any) -> None:
    texts = [f"text {number}" for number in range(70)]
    assert np.array_equal(embedder(server).embed(texts), expected(texts))
    assert [len(body["input"]) for body in server.bodies] == [32, 32, 6]


def test_a_long_text_is_sent_in_windows_and_nothing_is_cut_off(server: Any) -> None:
    text = "\n".join(f"Line {number} of a page that is long." for number in range(60))
    (found,) = embedder(server, max_tokens=64).embed([text])
    pieces = server.bodies[0]["input"]
    assert "".join(pieces) == text and len(pieces) > 5 and abs(float(np.linalg.norm(found)) - 1) < 1e-6
    thai = "".join(chr(ord("ก") + number * number % 46) for number in range(500))
    embedder(server, max_tokens=64).embed([thai])
    assert "".join(server.bodies[1]["input"]) == thai and max(map(len, server.bodies[1]["input"])) <= 128


@pytest.mark.parametrize("text", ["", " \n", "\x00", "\ud800", "🏳️‍🌈" * 300, "x" * 5000, " " * 600])
def test_odd_texts(text: str, server: Any) -> None:
    assert np.isfinite(embedder(server, max_tokens=64).embed([text])).all()
    assert all(piece.strip() for body in server.bodies for piece in body["input"])


def test_secrets_are_replaced_before_they_are_sent(server: Any) -> None:
    embedder(server).embed(["The key is AKIAABCDEFGHIJKLMNOP, use it."])
    assert server.bodies[0]["input"] == ["The key is [redacted:aws-key], use it."]
    assert "AKIA" not in server.record()


def test_dimensions_are_asked_for_and_hold(server: Any) -> None:
    with pytest.raises(ModelError, match="a vector of 24 dimensions in the place of 8"):
        embedder(server, dimensions=8).embed(TEXTS)
    assert server.bodies[0]["dimensions"] == 8
    calls = server.calls
    assert embedder(server, dimensions=8).dimension == 8 and server.calls == calls
    assert embedder(server).dimension == DIMENSION and server.calls == calls + 1


def test_what_tells_models_apart_is_in_the_revision(server: Any) -> None:
    name, revision = identify("endpoint/words", options(server))
    assert name == "endpoint/words" and len(revision) == 12 and server.calls == 0
    others = [
        identify("endpoint/words", options(server, endpoint="http://localhost:1/v1")),
        identify("endpoint/words", options(server, dimensions=8)),
        identify("endpoint/words", options(server, max_tokens=64)),
        identify("endpoint/words", options(server, redact=())),
    ]
    assert len({revision, *(other for _, other in others)}) == 5
    same = [options(server, endpoint=server.url), options(server, timeout=1.0, retries=0, batch=7)]
    assert {identify("endpoint/words", own) for own in same} == {(name, revision)}
    model = load("endpoint/words", None, options(server))
    assert (model.name, model.revision) == (name, revision)


def test_without_an_address_or_a_name() -> None:
    with pytest.raises(ModelError, match=r"model `endpoint/x`: needs `embedding\.endpoint`"):
        identify("endpoint/x", EmbeddingSettings())
    with pytest.raises(ModelError, match="names no model"):
        identify("endpoint/", EmbeddingSettings(endpoint="http://127.0.0.1/v1"))
    with pytest.raises(ConfigError, match=r"embedding\.endpoint: .*unencrypted"):
        identify("endpoint/x", EmbeddingSettings(endpoint="http://example.org/v1"))


def test_the_key_of_the_first_provider_goes_nowhere_else(server: Any) -> None:
    environment = {"OPENAI_API_KEY": KEY}
    EndpointEmbedder("endpoint/x", options(server), environment).embed(["a"])
    assert KEY not in server.record()
    hosted = EndpointEmbedder("endpoint/x", EmbeddingSettings(endpoint="https://api.openai.com/v1"), environment)
    assert hosted._server.headers == {"authorization": f"Bearer {KEY}"} and KEY not in repr(hosted._server)


def test_a_busy_server_is_waited_for(endpoints: Any, server: Any, at_once: list[float]) -> None:
    server.faults = {
        1: endpoints.status(429, "slow down", retry_after="7"),
        2: endpoints.status(503, retry_after="3"),
    }
    server.always = lambda exchange: server.faults.get(exchange.number, answering())(exchange)
    assert np.array_equal(embedder(server).embed(TEXTS), expected(TEXTS))
    assert at_once == [7.0, 3.0]


def dropped(rows: list[dict[str, Any]]) -> Any:
    return rows[1:]


def doubled(rows: list[dict[str, Any]]) -> Any:
    return [rows[0], *rows[:-1]]


def with_vector(value: Any) -> Change:
    return lambda rows: [rows[0] | {"embedding": value}, *rows[1:]]


REFUSED = [
    (answering(dropped), r"answered with 2 vectors for 3 texts"),
    (answering(lambda rows: []), r"answered with 0 vectors for 3 texts"),
    (answering(doubled), r"numbers its vectors otherwise than 0 to 2"),
    (answering(lambda rows: [row | {"index": True} for row in rows]), r"numbers its vectors otherwise"),
    (answering(lambda rows: {"a": 1}), r"something else than a list of vectors"),
    (answering(with_vector([1.0] * 23)), r"a vector of 2\d dimensions in the place of 2\d"),
    (answering(with_vector([])), r"dimensions in the place of"),
    (answering(with_vector([None] * DIMENSION)), r"something else than numbers, such as NaN"),
    (answering(with_vector("AAAA")), r"something else than numbers"),
    (answering(with_vector(["1"] * DIMENSION)), r"something else than numbers"),
    (answering(with_vector([0.0] * DIMENSION)), r"a vector without a direction: all zeros"),
    (answering(with_vector([1e300] * DIMENSION)), r"beyond all bounds"),
    (answering(with_vector([float("nan")] * DIMENSION)), r"answered with NaN, which is no JSON"),
]


@pytest.mark.parametrize(("fault", "reason"), REFUSED)
def test_answers_that_are_no_vectors(fault: Any, reason: str, server: Any) -> None:
    server.always = fault
    with pytest.raises(ModelError, match=rf"^model `endpoint/words:latest`: {server.url}:? .*{reason}") as caught:
        embedder(server).embed(TEXTS)
    assert "\n" not in str(caught.value) and KEY not in str(caught.value)


def test_servers_that_fail(endpoints: Any, server: Any) -> None:
    cases = [
        (
            endpoints.status(401, f"bad key {KEY}"),
            r"401: bad key \[key\]\. Set INFOGRAPH_EMBEDDING_API_KEY",
            1,
        ),
        (endpoints.status(404, "no model words"), r"answered 404: no model words\. See to `embedding\.endpoint`", 1),
        (endpoints.status(400, "no such field"), r"answered 400: no such field\. .* once that is mended", 1),
        (
            endpoints.status(500, "out of memory"),
            r"answered 500: out of memory\. Most of what is embedded so far is kept",
            3,
        ),
        (endpoints.half, r"run the same command again later", 3),
        (endpoints.silence(0.8), r"Timeout", 3),
        (lambda exchange: exchange.send(200, b"<html>") or True, r"answered with something else than JSON", 3),
    ]
    for fault, reason, calls in cases:
        server.always, before = fault, server.calls
        with pytest.raises(ModelError, match=reason) as caught:
            embedder(server, timeout=0.4 if "Timeout" in reason else 60.0).embed(TEXTS)
        assert server.calls - before == calls
        assert KEY not in str(caught.value) and "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("status", "message"),
    [
        (400, "This model's maximum context length is 512 tokens, however you requested 1301 tokens"),
        (400, "the input length exceeds the context length"),
        (413, "Input validation error: `inputs` must have less than 512 tokens. Given: 1301; too large"),
        (422, "input is too long"),
    ],
)
def test_a_server_that_counts_more_tokens_leads_to_the_setting(
    endpoints: Any, server: Any, status: int, message: str
) -> None:
    server.always = endpoints.status(status, message)
    with pytest.raises(ModelError) as caught:
        embedder(server, max_tokens=2000).embed(["短" * 1300, "short"])
    told = str(caught.value)
    assert f"answered {status}: " in told
    assert "Set `embedding.max_tokens`, now 2,000, to a half of it: the server counts other tokens." in told
    assert "has 1,300 characters" in told


def test_a_server_that_is_not_there() -> None:
    gone = EmbeddingSettings(endpoint="http://127.0.0.1:9/v1", retries=0, timeout=1.0)
    with pytest.raises(ModelError, match=r"http://127\.0\.0\.1:9/v1: .*run the same command again later"):
        EndpointEmbedder("endpoint/x", gone, {}).embed(TEXTS)


PAGES = {
    "a.md": "# A\n\nFirst text.\n",
    "b.md": "# B\n\nSecond text.\n",
    "qa-pairs.md": "Q: What is first?\nA: See [A](a.md).\n",
}


def test_a_build(
    server: Any, quick: Any, tmp_path: Path, write_tree: Any, snapshot: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INFOGRAPH_EMBEDDING_API_KEY", KEY)
    docs = write_tree(tmp_path / "docs", PAGES)
    (tmp_path / "infograph.toml").write_text(f'model = "endpoint/words"\n[embedding]\nendpoint = "{server.url}"\n')
    summary = build(load_settings(str(docs)))
    assert summary.embedded == 3 and not summary.errors
    files = snapshot(docs)
    assert b"endpoint/words@" in files["topic-spec.md"]
    everything = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert KEY.encode() not in everything
    assert server.url.encode() not in b"".join(files.values()), "the address is not published"
    calls = server.calls
    assert build(load_settings(str(docs))).embedded == 0 and server.calls == calls
    (docs / "a.md").write_text("# A\n\nAnother text.\n")
    assert build(load_settings(str(docs))).embedded == 1
    other = write_tree(tmp_path / "other", PAGES | {"a.md": "# A\n\nAnother text.\n"})
    build(load_settings(str(other)))
    assert snapshot(other) == snapshot(docs)


def test_a_build_that_ends_early_keeps_what_it_paid_for(
    endpoints: Any, server: Any, quick: Any, tmp_path: Path, write_tree: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(EndpointEmbedder, "texts_at_once", 2)
    monkeypatch.setattr(endpoint, "_TEXTS", 2)
    docs = write_tree(tmp_path / "docs", {f"{n}.md": f"# Page {n}\n\nText {n}.\n" for n in range(9)})
    (tmp_path / "infograph.toml").write_text(f'model = "endpoint/words"\n[embedding]\nendpoint = "{server.url}"\n')
    failing = endpoints.status(400, "no such field")
    server.always = lambda exchange: (failing if exchange.number == 3 else answering())(exchange)
    with pytest.raises(ModelError, match="Most of what is embedded so far is kept"):
        build(load_settings(str(docs)))
    summary = build(load_settings(str(docs)))
    assert summary.embedded + summary.cached == 9 and summary.cached >= 2


@pytest.mark.parametrize(("fault", "reason"), [REFUSED[0], REFUSED[5], REFUSED[12]])
def test_a_build_that_gets_no_vectors_publishes_nothing(
    fault: Any, reason: str, server: Any, quick: Any, tmp_path: Path, write_tree: Any, snapshot: Any
) -> None:
    docs = write_tree(tmp_path / "docs", PAGES)
    (tmp_path / "infograph.toml").write_text(
        f'model = "endpoint/words"\n[embedding]\nendpoint = "{server.url}"\nretries = 0\ndimensions = {DIMENSION}\n'
    )
    server.always = fault
    with pytest.raises(ModelError, match="endpoint/words"):
        build(load_settings(str(docs)))
    assert sorted(snapshot(docs)) == sorted(PAGES)


def test_a_build_on_the_command_line_asks_the_server_alone(server: Any, tmp_path: Path) -> None:
    """Where workers are copies of the process that builds, which loads for them what they need."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/page.md").write_text("# Page\n\nA kettle is warm.\n")
    settings = f'[embedding]\nendpoint = "{server.url}/"\n'
    (tmp_path / "infograph.toml").write_text(f'model = "endpoint/words"\n{settings}')
    command = [sys.executable, "-m", "infograph", "build", str(tmp_path / "docs"), "--out", str(tmp_path / "site")]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "endpoint/words" in (tmp_path / "site/topic-spec.md").read_text("utf-8")
