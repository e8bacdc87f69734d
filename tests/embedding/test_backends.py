"""Model names: the known ones, the error for an unknown one, and the cost of naming one."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from infograph.config import Config
from infograph.embedding import identify, load
from infograph.embedding.onnx import OnnxEmbedder
from infograph.errors import ModelError


def test_the_default_model() -> None:
    """Its revision is part of every key of a cache: another one makes all vectors of all projects anew."""
    assert Config().model == "all-MiniLM-L6-v2-int8"
    assert identify(Config().model) == ("all-MiniLM-L6-v2-int8", "db7d102e4481")
    assert isinstance(load(Config().model), OnnxEmbedder)


def test_the_default_before_keeps_its_name_and_revision() -> None:
    assert identify("all-MiniLM-L6-v2") == ("all-MiniLM-L6-v2", "53aa51172d14")
    assert isinstance(load("all-MiniLM-L6-v2"), OnnxEmbedder)


@pytest.mark.parametrize("name", ["", "all-minilm", "a/b/c", "https://example.org/model", "static ", "no\0pe"])
def test_an_unknown_model_is_an_error_that_says_what_there_is(name: str) -> None:
    for ask in (identify, load):
        with pytest.raises(ModelError, match=r"all-MiniLM-L6-v2.*static.*path.*ORGANISATION/NAME"):
            ask(name)


@pytest.mark.parametrize("name", ["./nothing", "../nothing", "~/no/thing/here", "/no/thing/here"])
def test_a_path_that_leads_nowhere_is_an_error(name: str) -> None:
    with pytest.raises(ModelError, match="is not a folder"):
        identify(name)


def test_without_the_extra_the_error_names_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("{}")
    (tmp_path / "model.safetensors").write_bytes(b"")
    for library in ("huggingface_hub", "torch", "sentence_transformers"):
        monkeypatch.setitem(sys.modules, library, None)
    hint = r"needs the sentence-transformers library\. Install it with `pip install 'infograph\[sentence-transformers"
    with pytest.raises(ModelError, match=hint):
        identify("sentence-transformers/all-MiniLM-L6-v2")
    with pytest.raises(ModelError, match=hint):
        load(str(tmp_path)).embed(["text"])


def test_naming_a_model_imports_nothing_heavy() -> None:
    code = (
        "import sys; from infograph.embedding import identify, load; "
        "identify('all-MiniLM-L6-v2-int8'); load('all-MiniLM-L6-v2-int8'); "
        "heavy = {'numpy', 'onnxruntime', 'tokenizers', 'torch', 'sentence_transformers'}; "
        "print(sorted(heavy & sys.modules.keys()))"
    )
    output = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert output.strip() == "[]"
