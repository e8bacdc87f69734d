"""Models and strategies of other packages: found, used by a build, and errors of one line."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from infograph import embedding
from infograph.chunking.registry import strategy
from infograph.client import Client
from infograph.errors import ConfigError, ModelError
from infograph.plugins.entry_points import EMBEDDERS, STRATEGIES, load_plugin, plugin_names

Install = Callable[..., Path]
ROOT = Path(__file__).parents[2]


@pytest.mark.slow
def test_a_build_by_a_model_and_a_strategy_of_another_package(
    example: Path, tmp_path: Path, write_tree: Callable[..., Path], snapshot: Any
) -> None:
    """In processes of their own, as a person runs it: the workers find the package, too."""
    page = "# A\n" + "".join(f"Line {n}.\n" for n in range(11))
    docs = write_tree(tmp_path / "docs", {"a.md": page, "b.md": "# B\n"})
    (tmp_path / "infograph.toml").write_text('model = "letters"\nstrategy = "lines"\n[strategies.lines]\ncount = 4\n')
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(example), str(ROOT)])}

    def infograph(*arguments: str) -> None:
        command = [sys.executable, "-m", "infograph", *arguments]
        subprocess.run(command, cwd=tmp_path, env=environment, check=True, capture_output=True)

    infograph("build", "docs", "--jobs", "2")
    assert b"letters@eb1662b2a688" in (docs / "topic-spec.md").read_bytes()
    assert b"lines-4-infograph_example-1.2" in (docs / "topic-spec.md").read_bytes()
    with Client(docs) as client:
        items = client.topic("").documents["a"].items
        texts = [client.read(item).text for item in items]
    assert [text.count("\n") for text in texts] == [4, 4, 4] and "".join(texts) == (docs / "a.md").read_text()
    before = snapshot(docs)
    infograph("build", "docs", "--force")
    assert snapshot(docs) == before


def test_names_that_no_package_declares(example: Path) -> None:
    assert plugin_names(EMBEDDERS) == ["letters"] and plugin_names(STRATEGIES) == ["lines"]
    assert load_plugin(EMBEDDERS, "lines", ()) is None
    with pytest.raises(ModelError, match="is not one of this package, no folder"):
        embedding.identify("lettres")


@pytest.mark.parametrize(
    ("group", "packaged", "ask"),
    [
        (EMBEDDERS, "static", lambda: embedding.identify("other")),
        (STRATEGIES, "fixed", lambda: strategy("other")),
    ],
)
def test_a_name_of_infograph_itself(group: str, packaged: str, ask: Any, install: Install) -> None:
    install("taken", {group: {packaged: "taken:x", "other": "taken:x"}}, "x = 1\n")
    with pytest.raises(ConfigError, match=f"an entry point of `taken 1.2` is called `{packaged}`") as caught:
        ask()
    assert "\n" not in str(caught.value)


def test_a_name_of_two_packages(install: Install) -> None:
    for name in ("one", "two"):
        install(name, {EMBEDDERS: {"same": f"{name}:x"}}, "x = 1\n")
    with pytest.raises(ConfigError, match=r"several packages declare `same`: one 1\.2, two 1\.2"):
        embedding.identify("same")


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("import nothing_of_this_name\n", "ModuleNotFoundError: No module named 'nothing_of_this_name'"),
        ("raise OSError('line\\nand line')\n", "OSError: line and line"),
        ("y = 1\n", "AttributeError: module 'broken' has no attribute 'x'"),
        ("x =\n", "SyntaxError"),
    ],
)
def test_one_that_does_not_load(code: str, said: str, install: Install) -> None:
    install("broken", {EMBEDDERS: {"gone": "broken:x"}, STRATEGIES: {"gone": "broken:x"}}, code)
    for ask in (lambda: embedding.load("gone"), lambda: strategy("gone")):
        with pytest.raises(ConfigError, match=r"`gone` of `broken 1\.2` does not load") as caught:
            ask()
        assert said in str(caught.value) and "\n" not in str(caught.value)
        assert str(caught.value).endswith("It is declared as `broken:x`.")
