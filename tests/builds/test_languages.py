"""The stemmer that a site's own client needs is an output like every other: it follows the language, and goes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from infograph import web
from infograph.build import build
from infograph.commands.clean import clean
from infograph.config import Settings, load
from infograph.errors import OutputError
from infograph.formats.marks import is_marked
from infograph.formats.names import STEMMER, WEB_FOLDER
from infograph.pipeline import tools
from infograph.pipeline.ours import find_outputs
from infograph.web import stemmers

OF_NONE = web.files()[STEMMER].partition(b"\n")[2]
"""What stands there where no stemmer is needed."""


def settings(root: Path, language: str, **flags: Any) -> Settings:
    return load(str(root), flags={"keywords.language": language, **flags}, environment={})


@pytest.fixture
def docs(tmp_path: Path, library: dict[str, str], write_tree, quick) -> Path:
    return write_tree(tmp_path / "docs", library)


@pytest.mark.slow
def test_it_follows_the_language(docs: Path) -> None:
    stemmer = docs / STEMMER
    build(settings(docs, "zh"))
    assert stemmer.read_bytes().endswith(OF_NONE)
    for language in ("de", "et", "en"):
        assert STEMMER in build(settings(docs, language), check=True).stale
        build(settings(docs, language))
        assert stemmer.read_bytes().endswith(stemmers.module(language) or OF_NONE)
        assert is_marked(stemmer.read_bytes())
        assert build(settings(docs, language), check=True).stale == []


@pytest.mark.slow
def test_one_that_is_gone_or_another_is_made_again(docs: Path) -> None:
    build(settings(docs, "de"))
    stemmer = docs / STEMMER
    data = stemmer.read_bytes()
    for other in (None, data[: len(data) // 2]):
        stemmer.unlink()
        if other is not None:
            stemmer.write_bytes(other)
        assert STEMMER in build(settings(docs, "de"), check=True).stale
        build(settings(docs, "de"))
        assert stemmer.read_bytes() == data


def test_the_index_step_writes_the_same(docs: Path, tmp_path: Path) -> None:
    build(settings(docs, "de"))
    data = (docs / STEMMER).read_bytes()
    (docs / STEMMER).unlink()
    tools.index(settings(docs, "de"))
    assert (docs / STEMMER).read_bytes() == data


@pytest.mark.slow
def test_it_is_removed_with_the_rest(docs: Path) -> None:
    build(settings(docs, "de"))
    assert STEMMER in find_outputs(docs)
    build(settings(docs, "de", **{"search.enabled": False}))
    assert not (docs / STEMMER).exists()
    build(settings(docs, "de"))
    clean(settings(docs, "de"))
    assert not (docs / WEB_FOLDER).exists()


def test_a_file_of_that_name_that_is_not_ours_is_not_replaced(docs: Path) -> None:
    (docs / WEB_FOLDER).mkdir()
    (docs / STEMMER).write_text("export const mine = 1;\n")
    with pytest.raises(OutputError, match=f"{STEMMER}: stands there already"):
        build(settings(docs, "de"))
    assert clean(settings(docs, "de")) == 0
    assert (docs / STEMMER).read_text() == "export const mine = 1;\n"
