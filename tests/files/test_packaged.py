"""Data files that ship inside the package are where they are looked for."""

from __future__ import annotations

from infograph.files.packaged import model_directory, tokenizer_file


def test_models_and_tokenizer_are_there() -> None:
    assert (model_directory("all-MiniLM-L6-v2") / "NOTICE").is_file()
    assert (model_directory("static-256") / "table.npy").is_file()
    assert tokenizer_file().is_file()
