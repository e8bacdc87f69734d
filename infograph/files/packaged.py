"""Paths of the data files that ship inside the package."""

from __future__ import annotations

from pathlib import Path

_MODELS = Path(__file__).parents[1] / "embedding" / "models"


def model_directory(name: str) -> Path:
    """Path of the folder of a packaged model: weights, tokenizer, NOTICE. Not checked to exist."""
    return _MODELS / name


def tokenizer_file() -> Path:
    """Path of the WordPiece tokenizer that counts tokens and feeds the packaged models."""
    return _MODELS / "all-MiniLM-L6-v2" / "tokenizer.json"
