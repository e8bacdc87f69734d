"""The tokenizer of the package: what is said where its file cannot be read."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from infograph.errors import ModelError
from infograph.files.packaged import tokenizer_file
from infograph.text import wordpiece


@pytest.fixture(params=["missing", "cut off", "another's"])
def damaged(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The path of the tokenizer's file, with which something is wrong."""
    path = tmp_path / "tokenizer.json"
    if request.param != "missing":
        path.write_bytes(tokenizer_file().read_bytes()[:1000] if request.param == "cut off" else b"{}")
    monkeypatch.setattr(wordpiece, "tokenizer_file", lambda: path)
    for kept in (wordpiece.load_tokenizer, wordpiece.load_vocabulary):
        kept.cache_clear()
    yield path
    for kept in (wordpiece.load_tokenizer, wordpiece.load_vocabulary):
        kept.cache_clear()


def test_a_tokenizer_that_cannot_be_read_is_named(damaged: Path) -> None:
    with pytest.raises(ModelError) as caught:
        wordpiece.load_tokenizer()
    assert (caught.value.place, caught.value.hint) == (str(damaged), wordpiece.REINSTALL)
    assert caught.value.reason.startswith("the packaged tokenizer cannot be read")


def test_so_is_one_whose_vocabulary_cannot_be_read(damaged: Path) -> None:
    with pytest.raises(ModelError) as caught:
        wordpiece.word_pieces()
    assert (caught.value.place, caught.value.hint) == (str(damaged), wordpiece.REINSTALL)


def test_the_packaged_one_is_read() -> None:
    assert wordpiece.load_tokenizer().get_vocab_size() > 30_000
    assert wordpiece.word_pieces()["kettle"] == wordpiece.load_vocabulary()["kettle"]
