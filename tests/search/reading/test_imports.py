"""What a reader loads: it answers from files, so it must not pay for what writes them."""

from __future__ import annotations

import subprocess
import sys

import pytest

LOADED = "import sys, {}; print(*sorted(sys.modules))"


def loaded(module: str) -> set[str]:
    """All modules that a fresh process has after it imported one."""
    done = subprocess.run([sys.executable, "-c", LOADED.format(module)], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


@pytest.mark.parametrize(
    "module",
    [
        "reader",
        "asking",
        "bundle_shards",
        "fetching",
        "highlight",
        "listing",
        "passage",
        "query",
        "questions",
        "rankings",
        "slips",
        "words",
    ],
)
def test_a_reader_loads_neither_the_writer_nor_numpy(module: str) -> None:
    modules = loaded(f"infograph.search.reading.{module}")
    own = {name for name in modules if name.startswith("infograph.")}
    others = {name.partition(".")[0] for name in modules} - {*sys.stdlib_module_names, "infograph"}
    assert f"infograph.search.reading.{module}" in own
    assert not [name for name in own if name.startswith("infograph.search.writing")]
    assert len(own) <= 38, sorted(own)  # the reader's own number: what needs more must be worth it
    assert not others & {"numpy", "msgspec", "yaml", "tokenizers", "snowballstemmer", "markdown_it"}


def test_a_ranking_loads_only_formats() -> None:
    modules = loaded("infograph.search.ranking.diversity, infograph.search.ranking.scoring")
    modules |= loaded("infograph.search.ranking.reranking")
    assert not [name for name in modules if name.startswith(("infograph.search.writing", "infograph.search.reading"))]
