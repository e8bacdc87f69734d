"""Nothing that lies in a tree, in the working directory or in a model's folder is ever run."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

MeasuredBuild = Callable[..., Any]

CANARY = "import os, sys; open({!r}, 'a').write(__name__ + '\\n')\n"
MODULES = (
    *("sitecustomize", "usercustomize", "conftest", "numpy", "yaml", "orjson", "markdown_it", "tokenizers", "click"),
    *("onnxruntime", "infograph", "setup", "json", "re"),
)
"""What a process that looks for modules in the tree would import."""


class Running:
    def __init__(self, canary: Path) -> None:
        self.canary = canary

    def __reduce__(self) -> tuple[object, tuple[str, str]]:
        return open, (str(self.canary), "w")


@pytest.fixture
def canary(tmp_path: Path) -> Path:
    """A file that is there once something was run."""
    return tmp_path / "canary"


@pytest.mark.slow
def test_modules_in_the_tree_are_not_imported(
    tmp_path: Path, canary: Path, write_tree: Any, measured_build: MeasuredBuild
) -> None:
    modules = {f"{name}.py": CANARY.format(str(canary)) for name in MODULES}
    docs = write_tree(tmp_path / "docs", {"good.md": "# Good\n", **modules, "sub/page.md": "# Page\n"})
    built = measured_build(docs, cwd=docs, source__include=["*.md"])
    assert built.errors == [] and built.documents == 2
    built = measured_build(docs, cwd=docs, source__include=["*.md", "*.py"])
    assert built.errors == [] and built.documents == 2 + len(MODULES), "as documents they are text"
    print(f"{len(MODULES)} modules, {canary.exists():d} executions")
    assert not canary.exists()


@pytest.fixture
def model(tmp_path: Path, canary: Path) -> Path:
    """A folder that asks in every way to be run."""
    folder = tmp_path / "model"
    folder.mkdir()
    for name in (*MODULES, "custom_code", "modeling"):
        (folder / f"{name}.py").write_text(CANARY.format(str(canary)))
    auto = {"AutoModel": "custom_code.Model", "AutoConfig": "custom_code.Model", "AutoTokenizer": "custom_code.Model"}
    (folder / "config.json").write_text(json.dumps({"auto_map": auto, "trust_remote_code": True, "model_type": "bert"}))
    (folder / "tokenizer_config.json").write_text(
        json.dumps({"auto_map": auto, "tokenizer_class": "custom_code.Model"})
    )
    modules = [{"idx": 0, "name": "0", "path": "", "type": "sentence_transformers.models.Transformer"}]
    (folder / "modules.json").write_text(json.dumps(modules))
    for name in ("pytorch_model.bin", "training_args.pt", "optimizer.pkl", "vectors.npy", "table.npy"):
        (folder / name).write_bytes(pickle.dumps(Running(canary)))
    return folder


@pytest.mark.parametrize(
    "what",
    ["only pickles", "a module of its own", "a router", pytest.param("weights that are none", marks=pytest.mark.slow)],
)
def test_a_model_folder_runs_nothing(
    tmp_path: Path, canary: Path, model: Path, write_tree: Any, measured_build: MeasuredBuild, what: str
) -> None:
    docs = write_tree(tmp_path / "docs", {"good.md": "# Good\n\nText.\n"})
    if what != "only pickles":
        (model / "model.safetensors").write_bytes(pickle.dumps(Running(canary)))
    if what == "a module of its own":
        modules = [{"idx": 0, "name": "0", "path": "", "type": "custom_code.Model"}]
        (model / "modules.json").write_text(json.dumps(modules))
    if what == "a router":
        (model / "router_config.json").write_text(json.dumps({"types": {"query": "custom_code.Model"}}))
    built = measured_build(docs, cwd=model, model=str(model), environment={"HF_HUB_OFFLINE": "1"})
    assert built.raised.startswith(str(model)) or "sentence-transformers" in built.raised, built
    assert not canary.exists()
    assert not (docs / "index.json").exists(), "nothing is published"


@pytest.mark.parametrize("name", ["chunk-0.bin", "metadata.json"])
def test_a_pickle_in_place_of_an_entry_is_a_miss(
    tmp_path: Path, canary: Path, write_tree: Any, quick: Any, snapshot: Any, name: str
) -> None:
    """So is one in place of what the last build remembered. Other damage has tests of its own."""
    from infograph.build import build
    from infograph.config import load

    docs = write_tree(tmp_path / "docs", {"good.md": "# Good\n\nText.\n"})
    (tmp_path / "infograph.toml").touch()
    build(load(str(docs), environment={}))
    before = snapshot(docs)
    entries = list((tmp_path / ".embedding-cache").rglob(name))
    assert entries
    remembered = [path for path in (docs / ".infograph").rglob("*") if path.is_file() and path.name != "lock"]
    assert remembered
    for entry in entries + remembered:
        entry.write_bytes(pickle.dumps(Running(canary)))
    summary = build(load(str(docs), environment={}))
    assert not summary.errors and summary.embedded == 1
    assert not canary.exists()
    assert snapshot(docs) == before
