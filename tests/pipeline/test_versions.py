"""What is built without an optional package is built again when the package is there."""

from __future__ import annotations

import importlib.metadata
import os
from pathlib import Path

import pytest

from infograph.config import Settings, load
from infograph.pipeline.keys import build_key
from infograph.pipeline.versions import ALWAYS, installed


def configured(tmp_path: Path, text: str) -> Settings:
    (tmp_path / "infograph.toml").write_text(text)
    return load(str(tmp_path), environment={})


def without(package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """As if a package were not installed."""
    real, listed = importlib.metadata.version, os.listdir
    start = package.replace("-", "_").lower() + "-"

    def version(name: str) -> str:
        if name == package:
            raise importlib.metadata.PackageNotFoundError(name)
        return real(name)

    def names(folder: str = ".") -> list[str]:
        return [name for name in listed(folder) if not name.replace("-", "_", 1).lower().startswith(start[:-1] + "_")]

    monkeypatch.setattr(importlib.metadata, "version", version)
    monkeypatch.setattr(os, "listdir", names)


def test_another_version_of_what_reads_documents_changes_the_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = configured(tmp_path, "")
    found, key = installed(settings.config), build_key(settings, "m")
    assert found["markdown-it-py"] == importlib.metadata.version("markdown-it-py")
    assert found["PyYAML"] == importlib.metadata.version("PyYAML")
    (tmp_path / "newer" / "markdown_it_py-99.1.dist-info").mkdir(parents=True)
    monkeypatch.syspath_prepend(tmp_path / "newer")
    assert installed(settings.config) == found | {"markdown-it-py": "99.1"}
    assert build_key(settings, "m") != key


@pytest.mark.parametrize(
    "text, package",
    [
        ('[source]\ninclude = ["**/*.md", "src/**/*.py"]\n', "tree_sitter_rust"),
        ('strategy = "code"\n', "tree-sitter"),
        ('[routes]\n"api/*.md" = "code"\n', "tree_sitter_python"),
        ('strategy = "auto"\n', "tree_sitter_go"),
        ('[routes]\n"api/*.md" = "auto"\n', "tree_sitter_java"),
        ('[chunks]\nmetadata = ["language"]\n', "py3langid"),
        ('[chunks]\nentities = "pytest"\n', "pytest"),
        ('[keywords]\nlanguage = "de"\n', "PyStemmer"),
    ],
)
def test_a_package_that_comes_or_goes_changes_the_key(
    text: str, package: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = configured(tmp_path, text)
    found, key = installed(settings.config), build_key(settings, "m")
    if found[package] is None:
        pytest.skip(f"{package} is not installed")
    without(package, monkeypatch)
    assert installed(settings.config) == found | {package: None}
    assert build_key(settings, "m") != key


def test_a_pipeline_in_a_folder_is_known_by_what_it_says_of_itself(tmp_path: Path) -> None:
    folder = tmp_path / "pipeline"
    settings = configured(tmp_path, f'[chunks]\nentities = "{folder.as_posix()}"\n')
    versions = [installed(settings.config)[str(folder)]]
    folder.mkdir()
    for text in ('{"version": "1"}', '{"version": "2"}'):
        (folder / "meta.json").write_text(text)
        versions.append(installed(settings.config)[str(folder)])
    assert versions[0] is None and len(set(versions)) == 3


@pytest.mark.parametrize(
    "text",
    [
        "",
        'strategy = "structural"\n',
        '[source]\ninclude = ["guide/", "data/*.csv"]\n',
        '[keywords]\nlanguage = "zh"\n',
        '[keywords]\nlanguage = "de"\n',
        '[keywords]\nlanguage = "de"\n[search]\nenabled = false\n',
    ],
)
def test_what_is_not_asked_for_changes_nothing(text: str, tmp_path: Path) -> None:
    assert installed(configured(tmp_path, text).config).keys() == set(ALWAYS)
