"""The static table: exact arithmetic, one vector for one text, and vectors that mean something."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer

from infograph.embedding import static
from infograph.embedding.static import StaticEmbedder, unit
from infograph.files.packaged import model_directory, tokenizer_file

TEXTS = [
    "Install the package with pip",
    "# Configure the cache\n\nThe cache keeps one file for each request.\n\n```toml\ncache = true\n```\n",
    "JsonSerializerContext naïve Ångström 東京 ümlaut",
    "a",
    "",
    "🦀🦀",
    "word " * 5000,
]

PAIRS = [
    ("How do I install the program?", "Setting up the software on your computer"),
    ("Delete a user account", "Removing a person's login permanently"),
    ("Run the tests in parallel", "Executing unit tests on several processor cores at once"),
    ("The server returns an error when the disk is full", "HTTP failures caused by running out of storage space"),
    ("Who may cancel the contract?", "Either party can terminate the agreement with thirty days' notice"),
    ("Upload a picture", "Sending image files to the site"),
    ("What does it cost?", "Pricing and monthly payment plans"),
    ("Encrypt passwords before storing them", "Hashing credentials for security in the database"),
    ("Loop over the items of a list", "Iterating through the elements of an array"),
    ("Translate the documentation into French", "Localising pages to other languages"),
    ("The battery drains quickly", "Why does my phone's charge not last?"),
    ("Schedule a daily backup", "Copying data automatically every night"),
]
"""Pairs of sentences with the same meaning and few words in common."""


@pytest.fixture(scope="module")
def embedder() -> StaticEmbedder:
    return StaticEmbedder()


@pytest.fixture(scope="module")
def table() -> np.ndarray:
    return np.load(model_directory("static-256") / "table.npy", allow_pickle=False)


@pytest.fixture(scope="module")
def tokenizer() -> Tokenizer:
    tokenizer = Tokenizer.from_file(str(tokenizer_file()))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


def test_shape_type_and_length(embedder: StaticEmbedder) -> None:
    vectors = embedder.embed(TEXTS)
    assert vectors.shape == (len(TEXTS), 256) == (len(TEXTS), embedder.dimension)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors.astype(np.float64), axis=1), 1, atol=1e-6)


def test_no_texts_give_an_empty_array_of_the_right_width(embedder: StaticEmbedder) -> None:
    assert embedder.embed([]).shape == (0, 256)


def test_sums_are_the_sums_of_the_rows_of_every_token(
    embedder: StaticEmbedder, table: np.ndarray, tokenizer: Tokenizer
) -> None:
    for text, total in zip(TEXTS, embedder.sums(TEXTS), strict=True):
        expected = [0] * 256
        for token in tokenizer.encode(text, add_special_tokens=False).ids:
            expected = [a + int(b) for a, b in zip(expected, table[token], strict=True)]
        assert total.tolist() == expected


def test_what_is_remembered_of_words_changes_no_sum(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sums stay the same when the cache of words grows, when it is cleared, and beside words too long to be cached."""
    words = [f"{first}{second}fold" for first in "abcdefghij" for second in "klmnopqrst"]
    texts = [*(" ".join(words[at : at + 30]) for at in range(0, 100, 10)), "cache " + "ab1" * 40, "cache"]
    alone = [StaticEmbedder().sums([text])[0].tolist() for text in texts]
    assert StaticEmbedder().sums(texts).tolist() == alone
    monkeypatch.setattr(static, "MOST_WORDS", 40)
    embedder = StaticEmbedder()
    assert embedder.sums(texts * 2).tolist() == alone * 2


def test_a_long_text_is_read_to_its_end(embedder: StaticEmbedder) -> None:
    long = "cache " * 3000
    assert not np.array_equal(*embedder.embed([long, long + "delete the user account " * 500]))


@settings(deadline=None, max_examples=30)
@given(st.data())
def test_bits_do_not_depend_on_order_company_or_batch(embedder: StaticEmbedder, data: st.DataObject) -> None:
    alone = {text: embedder.embed([text])[0].tobytes() for text in TEXTS}
    texts = data.draw(st.lists(st.sampled_from(TEXTS), max_size=12))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(static, "BATCH_TEXTS", data.draw(st.integers(1, 5)))
        assert [row.tobytes() for row in embedder.embed(texts)] == [alone[text] for text in texts]


@pytest.mark.slow
def test_bits_do_not_depend_on_threads_or_process(embedder: StaticEmbedder) -> None:
    program = (
        "import sys, json; from infograph.embedding.static import StaticEmbedder;"
        "sys.stdout.write(StaticEmbedder().embed(json.load(sys.stdin)).tobytes().hex())"
    )
    for threads in ("true", "false"):
        done = subprocess.run(
            [sys.executable, "-c", program],
            input=json.dumps(TEXTS),
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "TOKENIZERS_PARALLELISM": threads, "PYTHONPATH": os.pathsep.join(sys.path)},
        )
        assert bytes.fromhex(done.stdout) == embedder.embed(TEXTS).tobytes()


def test_questions_and_documents_are_treated_alike(embedder: StaticEmbedder) -> None:
    assert np.array_equal(embedder.embed(TEXTS, kind="query"), embedder.embed(TEXTS, kind="document"))


def test_identical_texts_are_computed_once(embedder: StaticEmbedder, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    sums = embedder.sums
    monkeypatch.setattr(StaticEmbedder, "sums", lambda self, texts: asked.extend(texts) or sums(texts))
    embedder.embed(["one", "two", "one", "one"])
    assert asked == ["one", "two"]


def test_a_text_without_a_known_token_gets_the_even_vector(embedder: StaticEmbedder) -> None:
    for vector in embedder.embed(["", " \n", "🦀"]):
        assert vector.tolist() == [1 / 16] * 256


def test_progress_ends_with_everything_done(embedder: StaticEmbedder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(static, "BATCH_TEXTS", 2)
    seen: list[tuple[int, int]] = []
    embedder.embed(TEXTS + TEXTS, progress=lambda done, total: seen.append((done, total)))
    total = sum(map(len, TEXTS))
    assert seen == sorted(seen)
    assert seen[-1] == (total, total)


@given(st.lists(st.lists(st.integers(-(1 << 40), 1 << 40), min_size=4, max_size=4), min_size=1, max_size=4))
def test_unit_is_exact_up_to_rounding_at_any_size(rows: list[list[int]]) -> None:
    for row, vector in zip(rows, unit(np.array(rows, np.int64)), strict=True):
        row = row if any(row) else [1] * 4
        exact = np.array([float(x) for x in row]) / float(sum(x * x for x in row)) ** 0.5
        np.testing.assert_allclose(vector, exact, atol=1e-7)


def test_the_table_is_the_one_the_manifest_names(embedder: StaticEmbedder, table: np.ndarray) -> None:
    folder = model_directory("static-256")
    manifest = json.loads((folder / "model.json").read_text("utf-8"))
    digest = hashlib.sha256((folder / "table.npy").read_bytes()).hexdigest()
    assert manifest["files"] == {"table.npy": digest}
    assert embedder.revision == manifest["revision"] == digest[:12]
    assert embedder.name == manifest["name"] == "static-256"
    assert table.dtype == np.int8
    assert (folder / "NOTICE").is_file()


def test_tokens_without_meaning_have_empty_rows(table: np.ndarray, tokenizer: Tokenizer) -> None:
    for name in ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "[unused7]"):
        assert not table[tokenizer.token_to_id(name)].any()


def test_paraphrases_find_each_other(embedder: StaticEmbedder) -> None:
    """A lower bound of the quality: each sentence's nearest among twelve is its own paraphrase, with few exceptions."""
    left, right = (embedder.embed(list(side)) for side in zip(*PAIRS, strict=True))
    similar = left @ right.T
    found = (similar.argmax(axis=1) == np.arange(len(PAIRS))).mean()
    others = similar[~np.eye(len(PAIRS), dtype=bool)]
    assert found >= 0.75
    assert np.diag(similar).mean() > others.mean() + 0.2
