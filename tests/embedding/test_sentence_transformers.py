"""The extra's backend, on the published model: the same vectors as the packaged one, no code but the library's."""

from __future__ import annotations

import contextlib
import json
import pickle
import shutil
from pathlib import Path

import numpy as np
import pytest

from infograph.config.settings import EmbeddingSettings
from infograph.embedding import load
from infograph.embedding.base import Embedder
from infograph.errors import ModelError

pytestmark = pytest.mark.usefixtures("library")

PARAGRAPHS = [
    "A topic is a directory of the tree; a document is one source file; a chunk is a slice of a document.",
    "Any web server then answers retrieval with no runtime: no database, no vector server, no API key.",
    "Install the package with `pip install infograph`, then run `infograph build docs/` beside your generator.",
    "def stripe(order, factor):\n    return [chunk for offset in range(factor) for chunk in order[offset::factor]]",
    "| setting | default | meaning |\n| --- | --- | --- |\n| jobs | 0 | worker processes, one a processor |",
    "> Note: a symbolic link that leads out of the tree is skipped with a warning.\n\n1. Open a shell.\n2. Wait.",
]


@pytest.fixture(scope="module")
def ours() -> Embedder:
    return load("all-MiniLM-L6-v2", 2)


@pytest.fixture(scope="module")
def theirs(published: Path) -> Embedder:
    return load(str(published), 2)


@pytest.mark.slow
def test_both_backends_give_the_same_vectors(ours: Embedder, theirs: Embedder) -> None:
    """The texts have 15 to 1,500 tokens: one window, and up to seven."""
    texts = [
        *PARAGRAPHS,
        *("\n\n".join((PARAGRAPHS * 12)[at : at + count]) for at, count in enumerate((2, 5, 9, 20, 48))),
    ]
    cosines = (ours.embed(texts) * theirs.embed(texts)).sum(axis=1)
    assert cosines.min() >= 0.999, cosines


@pytest.mark.slow
def test_both_backends_cut_a_text_at_the_same_places(ours: Embedder, theirs: Embedder) -> None:
    text = "\n\n".join(PARAGRAPHS * 6) + " naïve café 日本語 " * 40
    tokenizer = theirs._model().tokenizer
    pieces = theirs._cut([text], "")[text]
    assert "".join(piece for piece, _ in pieces) == text
    expected = [np.frombuffer(window, np.uint16).tolist() for window in ours.tokenize(text)]
    assert [tokenizer(piece)["input_ids"] for piece, _ in pieces] == expected
    assert [count for _, count in pieces] == [len(window) for window in expected]


@pytest.fixture
def copy(published: Path, tmp_path: Path) -> Path:
    """A copy of the published model that a test may change."""
    folder = tmp_path / "model"
    folder.mkdir()
    for path in published.iterdir():
        if path.is_dir():
            shutil.copytree(path, folder / path.name)
        elif path.name == "model.safetensors":
            (folder / path.name).symlink_to(path)
        else:
            shutil.copy(path, folder)
    return folder


def edit(file: Path, **changes: object) -> None:
    file.write_text(json.dumps({**json.loads(file.read_text()), **changes}))


@pytest.mark.slow
def test_prompts_for_queries_and_documents_are_respected(copy: Path, theirs: Embedder) -> None:
    prompts = {"query": "Find passages about: ", "passage": "Passage: "}
    edit(copy / "config_sentence_transformers.json", prompts=prompts)
    prompted = load(str(copy), 2)
    for kind, prompt in (("query", "Find passages about: "), ("document", "Passage: ")):
        found, expected = prompted.embed(["stripes"], kind=kind), theirs.embed([prompt + "stripes"])
        assert found.tobytes() == expected.tobytes()


@pytest.mark.slow
def test_a_prompt_has_room_in_every_window(copy: Path) -> None:
    edit(copy / "config_sentence_transformers.json", prompts={"document": "A prompt of quite a few tokens: " * 5})
    prompted = load(str(copy), 2)
    text = "\n\n".join(PARAGRAPHS * 6)
    pieces = prompted._cut([text], prompted._prompt("document"))[text]
    assert len(pieces) > 3
    assert max(count for _, count in pieces) <= 256


CANARY = "import pathlib; pathlib.Path({!r}).write_text('executed')\nclass Model: pass\n"


class Pickled:
    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[object, tuple[str, str]]:
        return open, (str(self.path), "w")


@pytest.mark.slow
def test_no_code_of_a_model_is_executed(copy: Path, tmp_path: Path) -> None:
    """The configuration names code in every possible place at once; the library's own check matters, since ours
    lets `auto_map` pass."""
    canary = tmp_path / "canary"
    (copy / "custom_code.py").write_text(CANARY.format(str(canary)))
    automap = {
        "AutoModel": "custom_code.Model",
        "AutoConfig": "custom_code.Model",
        "AutoTokenizer": "custom_code.Model",
    }
    for name in ("config.json", "tokenizer_config.json"):
        edit(copy / name, auto_map=automap, trust_remote_code=True)
    edit(
        copy / "sentence_bert_config.json",
        model_args={"trust_remote_code": True},
        config_args={"trust_remote_code": True},
        tokenizer_args={"trust_remote_code": True},
    )
    (copy / "pytorch_model.bin").write_bytes(pickle.dumps(Pickled(canary)))
    with contextlib.suppress(ModelError):  # refused is as good as loaded without it
        load(str(copy), 2).embed(["text"])
    assert not canary.exists()

    modules = json.loads((copy / "modules.json").read_text())
    modules[0]["type"] = "custom_code.Model"
    (copy / "modules.json").write_text(json.dumps(modules))
    with pytest.raises(ModelError, match="code of its own"):
        load(str(copy), 2).embed(["text"])
    assert not canary.exists()


def test_a_pickle_instead_of_safetensors_is_not_opened(copy: Path, tmp_path: Path) -> None:
    canary = tmp_path / "canary"
    (copy / "model.safetensors").unlink()
    (copy / "pytorch_model.bin").write_bytes(pickle.dumps(Pickled(canary)))
    with pytest.raises(ModelError, match="only as a pickle"):
        load(str(copy), 2)
    assert not canary.exists()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("weights", "message"),
    [
        (b"", "sentence-transformers does not load it"),
        (b"\x08\0\0\0\0\0\0\0{}      ", "its weights are incomplete"),  # well-formed, without a tensor
    ],
)
def test_broken_weights_are_an_error_not_random_vectors(copy: Path, weights: bytes, message: str) -> None:
    (copy / "model.safetensors").unlink()
    (copy / "model.safetensors").write_bytes(weights)
    with pytest.raises(ModelError, match=message):
        load(str(copy), 2).embed(["text"])


@pytest.mark.slow
def test_batches_give_the_same_vectors_but_for_the_last_digits(published: Path) -> None:
    alone, together = load(str(published), 2), load(str(published), 2, EmbeddingSettings(batch=4))
    texts = [*PARAGRAPHS, "\n\n".join(PARAGRAPHS * 6), PARAGRAPHS[0]]
    done: list[tuple[int, int]] = []
    found = together.embed(texts, progress=lambda *now: done.append(now))
    np.testing.assert_allclose(found, alone.embed(texts), atol=1e-5)
    assert (done[-1][0], len(done)) == (
        done[-1][1],
        -(-len(dict.fromkeys(p for own in together._cut(texts, "").values() for p, _ in own)) // 4),
    )
    assert np.array_equal(found[0], found[-1])


@pytest.mark.slow
def test_a_batch_takes_pieces_of_like_length(published: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = load(str(published), 2, EmbeddingSettings(batch=2))
    lengths: list[list[int]] = []
    encode = model._encode

    def counted(texts: list[str], kind: str, prompt: str) -> np.ndarray:
        lengths.append(model._sizes(texts))
        return encode(texts, kind, prompt)

    monkeypatch.setattr(model, "_encode", counted)
    model.embed(["a", "a b c d e f g h", "a b", "a b c d e f g"])
    assert lengths == sorted(lengths, reverse=True) and [len(own) for own in lengths] == [2, 2]


@pytest.mark.slow
def test_vectors_of_batches_are_cached_apart(published: Path, tmp_path: Path) -> None:
    from infograph.embedding.vectors import Vectors

    for batch in (1, 4):
        vectors = Vectors(load(str(published), 2, EmbeddingSettings(batch=batch)), tmp_path, "whole")
        vectors.of_questions("0" * 64, ["Why?"])
        assert vectors.counts.embedded == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["whole", "whole-batch-4"]
