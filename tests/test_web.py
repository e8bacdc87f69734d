"""The files for browsers of the package."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from infograph import web
from infograph.errors import REINSTALL, InfographError


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A copy of the folder, whose files may be damaged."""
    copy = shutil.copytree(web.HERE, tmp_path / "web", ignore=shutil.ignore_patterns("node_modules", "__pycache__"))
    monkeypatch.setattr(web, "HERE", copy)
    web._of_every_site.cache_clear()
    yield copy
    web._of_every_site.cache_clear()


@pytest.mark.parametrize("empty", [False, True])
@pytest.mark.parametrize(
    "name",
    [
        *("bundle.js", "walk.js", "infograph.d.ts", "infograph-search.js", "box/de.js", "explorer/explorer.html"),
        *("explorer/map.js", "explorer/views.css", "explorer/dark.css", "explorer/icon.svg"),
    ],
)
def test_a_packaged_file_that_is_damaged_is_named(package: Path, name: str, empty: bool) -> None:
    path = package / name
    path.unlink()
    if empty:
        path.touch()
    with pytest.raises(InfographError) as caught:
        web.files()
    assert caught.value.place == str(path)
    assert caught.value.hint == REINSTALL


def test_a_whole_package_has_them_all(package: Path) -> None:
    files = web.files()
    assert {"infograph/walk.js", "infograph/explorer/map.js", "explorer.html"} <= files.keys()
