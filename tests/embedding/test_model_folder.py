"""A model folder is checked before any library reads it."""

from __future__ import annotations

import json
import os
import sys
import types
from pathlib import Path
from typing import Any

import pytest

from infograph.embedding.model_folder import find
from infograph.errors import ModelError


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The files of a model that is never loaded here."""
    path = tmp_path / "my-model"
    (path / "1_Pooling").mkdir(parents=True)
    (path / "config.json").write_text("{}")
    (path / "model.safetensors").write_bytes(b"weights")
    write_modules(path, "sentence_transformers.models.Transformer")
    (path / "1_Pooling" / "config.json").write_text('{"pooling_mode_mean_tokens": true}')
    return path


def write_modules(path: Path, first: str, place: str = "1_Pooling") -> None:
    modules = [
        {"idx": 0, "name": "0", "path": "", "type": first},
        {"idx": 1, "name": "1", "path": place, "type": "sentence_transformers.models.Pooling"},
    ]
    (path / "modules.json").write_text(json.dumps(modules))


def test_a_folder_is_named_by_its_own_name_alone(folder: Path) -> None:
    found = find(str(folder), local=True)
    assert (found.name, found.path) == ("my-model", folder)
    assert len(found.revision) == 12


def test_the_revision_follows_what_decides_the_vectors(folder: Path) -> None:
    first = find(str(folder), local=True).revision
    (folder / "README.md").write_text("words")
    assert find(str(folder), local=True).revision == first
    (folder / "1_Pooling" / "config.json").write_text('{"pooling_mode_mean_tokens": false}')
    second = find(str(folder), local=True).revision
    (folder / "model.safetensors").write_bytes(b"WEIGHTS")
    os.utime(folder / "model.safetensors", ns=(1, 1))
    assert len({first, second, find(str(folder), local=True).revision}) == 3


def test_a_copy_has_the_same_revision(folder: Path, tmp_path: Path) -> None:
    first = find(str(folder), local=True).revision
    assert find(str(folder.rename(tmp_path / "moved")), local=True).revision == first


@pytest.mark.parametrize("reference", ["custom_code.Model", "os.system", "", "sentence_transformersX.Model"])
def test_code_of_its_own_is_refused(folder: Path, reference: str) -> None:
    write_modules(folder, reference)
    with pytest.raises(ModelError, match="asks for code of its own"):
        find(str(folder), local=True)


def test_code_behind_a_router_is_refused(folder: Path) -> None:
    (folder / "router_config.json").write_text(json.dumps({"types": {"query": "custom_code.Model"}}))
    with pytest.raises(ModelError, match="asks for code of its own"):
        find(str(folder), local=True)


@pytest.mark.parametrize("name", ["pytorch_model.bin", "model.pt", "weights.pkl"])
def test_weights_in_a_pickle_are_refused(folder: Path, name: str) -> None:
    (folder / "1_Pooling" / name).write_bytes(b"")
    with pytest.raises(ModelError, match=rf"only as a pickle \(1_Pooling.{name}\).*safe_serialization"):
        find(str(folder), local=True)
    (folder / "1_Pooling" / "model.safetensors").write_bytes(b"")
    find(str(folder), local=True)


@pytest.mark.parametrize("place", ["..", "../elsewhere", "/etc"])
def test_a_module_outside_the_folder_is_refused(folder: Path, place: str) -> None:
    write_modules(folder, "sentence_transformers.models.Transformer", place)
    with pytest.raises(ModelError, match="outside its own folder"):
        find(str(folder), local=True)


def test_a_folder_without_a_model_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="holds no sentence-transformers model"):
        find(str(tmp_path), local=True)


@pytest.mark.parametrize("text", ["", "{", "{}", "7", "[1]", "[" * 100_000, '[{"path": 1}]'])
def test_broken_configuration_is_an_error(folder: Path, text: str) -> None:
    (folder / "modules.json").write_text(text)
    with pytest.raises(ModelError):
        find(str(folder), local=True)


class Hub(types.ModuleType):
    """A substitute for huggingface_hub: a cache on this machine, and a network that may be down."""

    class LocalEntryNotFoundError(Exception):
        pass

    def __init__(self, cached: Path | None, remote: Path | None) -> None:
        super().__init__("huggingface_hub")
        self.cached, self.remote = cached, remote
        self.errors = types.SimpleNamespace(LocalEntryNotFoundError=self.LocalEntryNotFoundError)
        self.asked: list[tuple[str, dict[str, Any]]] = []

    def snapshot_download(self, name: str, **options: Any) -> str:
        self.asked.append((name, options))
        found = self.cached if options.get("local_files_only") else self.remote
        if found is None:
            raise self.LocalEntryNotFoundError("no such thing\nmore")
        return str(found)


def snapshot(folder: Path) -> Path:
    return folder.rename(folder.with_name("0123456789abcdef0123456789abcdef01234567"))


@pytest.mark.parametrize(
    ("asked", "name"),
    [
        ("sentence-transformers/all-MiniLM-L6-v2", "sentence-transformers/all-MiniLM-L6-v2"),
        ("sentence-transformers/BAAI/bge-small-en-v1.5", "BAAI/bge-small-en-v1.5"),
        ("BAAI/bge-small-en-v1.5", "BAAI/bge-small-en-v1.5"),
    ],
)
def test_a_hub_model_is_its_commit(folder: Path, monkeypatch: pytest.MonkeyPatch, asked: str, name: str) -> None:
    hub = Hub(snapshot(folder), None)
    monkeypatch.setitem(sys.modules, "huggingface_hub", hub)
    found = find(asked, local=False)
    assert (found.name, found.revision) == (name, "0123456789ab")
    assert [options["local_files_only"] for _, options in hub.asked] == [True]


def test_a_hub_model_is_fetched_once_without_code_or_pickles(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hub = Hub(None, snapshot(folder))
    monkeypatch.setitem(sys.modules, "huggingface_hub", hub)
    assert find("BAAI/bge-small-en-v1.5", local=False).path == hub.remote
    _, options = hub.asked[-1]
    assert not any(pattern.endswith((".py", ".bin", "*")) for pattern in options["allow_patterns"])


def test_a_hub_out_of_reach_is_an_error_with_a_way_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "huggingface_hub", Hub(None, None))
    with pytest.raises(ModelError, match=r"LocalEntryNotFoundError: no such thing\)\. Check the name"):
        find("BAAI/nothing", local=False)
