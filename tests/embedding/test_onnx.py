"""The packaged model gives the same bits however the work is divided."""

from __future__ import annotations

import hashlib
import json
import platform
import shutil
import threading
from pathlib import Path

import numpy as np
import pytest

from infograph.embedding.model_manifest import MINILM_INT8
from infograph.embedding.onnx import OnnxEmbedder, batches
from infograph.errors import ModelError
from infograph.files import packaged

WORDS = "chunks of a document are ordered by their similarity to its first one so that any few of them are a sample"
TEXTS = [" ".join(WORDS.split()[at % 7 :][:length]) for at, length in enumerate([1, 2, 3, 5, 8, 8, 8, 8, 13, 13, 21])]


@pytest.fixture(scope="module")
def embedder() -> OnnxEmbedder:
    return OnnxEmbedder(1)


@pytest.mark.slow
@pytest.mark.parametrize("threads", [1, 2])
def test_batch_size_does_not_change_the_bits(embedder: OnnxEmbedder, threads: int) -> None:
    expected = embedder.embed(TEXTS).tobytes()
    loaded = OnnxEmbedder(threads)
    for tokens in (1, 16, 31, 64, 10_000):
        loaded._batch_tokens = tokens
        assert loaded.embed(TEXTS).tobytes() == expected, tokens


@pytest.mark.slow
@pytest.mark.parametrize("length", [3, 17, 64, 129, 256])
def test_what_shares_a_batch_does_not_change_the_bits(length: int) -> None:
    """Every batch size from 1 to 6, rotated, at windows of one length, with 1 and 2 threads."""
    random = np.random.default_rng(length)
    pieces = random.integers(1000, 30000, (6, length)).astype(np.uint16)
    one, two = OnnxEmbedder(1), OnnxEmbedder(2)
    _, session = one._load()
    alone = [session.run(None, one.inputs([piece.tobytes()]))[0][0].tobytes() for piece in pieces]
    for embedder in (one, two):
        _, session = embedder._load()
        for size in range(1, 7):
            rows = [(at + size) % 6 for at in range(size)]
            found = session.run(None, embedder.inputs([pieces[row].tobytes() for row in rows]))[0]
            assert [row.tobytes() for row in found] == [alone[row] for row in rows]


def test_windows_of_a_text_fit_and_hold_every_token(embedder: OnnxEmbedder) -> None:
    tokenizer, _ = embedder._load()
    text = "\n".join(f"{WORDS} {number}." for number in range(60))
    pieces = [np.frombuffer(piece, np.uint16) for piece in embedder.tokenize(text)]
    assert all(len(piece) <= 256 for piece in pieces)
    assert all((piece[0], piece[-1]) == (101, 102) for piece in pieces)
    joined = np.concatenate([piece[1:-1] for piece in pieces])
    assert joined.tolist() == tokenizer.encode(text, add_special_tokens=False).ids


def test_batches_hold_one_length_each_and_every_window_once() -> None:
    lengths = [5, 9, 5, 5, 256, 9, 5, 5]
    found = list(batches(lengths, 20))
    assert sorted(at for batch in found for at in batch) == list(range(len(lengths)))
    assert [[lengths[at] for at in batch] for batch in found] == [[256], [9, 9], [5, 5, 5, 5], [5]]


def test_a_repeated_text_is_run_once(embedder: OnnxEmbedder) -> None:
    seen: list[tuple[int, int]] = []
    embedder.embed([WORDS] * 5, progress=lambda done, total: seen.append((done, total)))
    assert seen == [(0, 1000), (1000, 1000)]


def test_bits_hold_from_several_threads_at_once(embedder: OnnxEmbedder) -> None:
    expected = embedder.embed(TEXTS).tobytes()
    found: list[bytes] = []
    workers = [threading.Thread(target=lambda: found.append(embedder.embed(TEXTS).tobytes())) for _ in range(3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert found == [expected] * 3


def test_whole_numbers_are_near_to_what_float32_gives(embedder: OnnxEmbedder) -> None:
    whole = OnnxEmbedder(1, model=MINILM_INT8)
    cosines = (embedder.embed(TEXTS).astype(np.float64) * whole.embed(TEXTS)).sum(axis=1)
    assert cosines.min() > 0.97 and cosines.mean() > 0.99, "texts of one to three words lie furthest away"
    assert (whole.name, whole.dimension) == (MINILM_INT8, embedder.dimension)
    assert whole.revision != embedder.revision, "their vectors are not to be taken for each other's"


@pytest.mark.skipif(platform.machine() not in ("x86_64", "AMD64"), reason="other processors may round otherwise")
def test_bits_of_whole_numbers_hold_on_other_processors_and_releases_of_onnxruntime() -> None:
    """Noted on a processor with AVX-512; an emulated one without, and onnxruntime 1.20, give the same.

    A last bit that differs moves an activation to the next whole number now and then, and similarities by up to .004.
    """
    vectors = OnnxEmbedder(1, model=MINILM_INT8).embed(TEXTS)
    assert hashlib.sha256(vectors.tobytes()).hexdigest()[:16] == "f44b05918da9179d"


@pytest.fixture
def damaged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the packaged model that a test may damage."""
    folder = tmp_path / "all-MiniLM-L6-v2"
    shutil.copytree(packaged.model_directory("all-MiniLM-L6-v2"), folder)
    monkeypatch.setattr(packaged, "_MODELS", tmp_path)
    return folder


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json"])
def test_a_damaged_file_is_an_error_not_a_wrong_vector(damaged: Path, name: str) -> None:
    data = bytearray((damaged / name).read_bytes())
    data[len(data) // 2] ^= 1
    (damaged / name).write_bytes(data)
    with pytest.raises(ModelError, match=f"{name}: is not the file that was shipped.*pip install"):
        OnnxEmbedder(1).embed(["text"])


@pytest.mark.parametrize("name", ["model.int8.onnx", "model.onnx", "tokenizer.json"])
def test_whole_numbers_are_read_from_no_damaged_file(damaged: Path, name: str) -> None:
    data = bytearray((damaged / name).read_bytes())
    data[len(data) // 2] ^= 1
    (damaged / name).write_bytes(data)
    with pytest.raises(ModelError, match=f"{name}: is not the file that was shipped"):
        OnnxEmbedder(1, model=MINILM_INT8).embed(["text"])


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json"])
def test_a_missing_file_is_an_error_that_names_it(damaged: Path, name: str) -> None:
    (damaged / name).unlink()
    with pytest.raises(ModelError, match=f"{name}: cannot be read: No such file"):
        OnnxEmbedder(1).embed(["text"])


def test_a_model_that_does_not_load_is_an_error(damaged: Path) -> None:
    manifest = json.loads((damaged / "model.json").read_text())
    (damaged / "model.onnx").write_bytes(b"")
    manifest["files"]["model.onnx"] = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    (damaged / "model.json").write_text(json.dumps(manifest))
    with pytest.raises(ModelError, match=r"onnxruntime .* does not load it"):
        OnnxEmbedder(1).embed(["text"])


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"name": "all-MiniLM-L6-v2"}'])
def test_a_broken_manifest_is_an_error(damaged: Path, text: str) -> None:
    (damaged / "model.json").write_text(text)
    with pytest.raises(ModelError, match="manifest cannot be read"):
        OnnxEmbedder(1)
