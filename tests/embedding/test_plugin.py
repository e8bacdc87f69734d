"""Embedders of other packages: held to the contract, and to what they return."""

from __future__ import annotations

import importlib.util
import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from infograph import embedding
from infograph.errors import ModelError
from infograph.plugins.entry_points import EMBEDDERS

Install = Callable[..., Path]
CONTRACT = Path(__file__).parent / "test_contract.py"


def _contract() -> list[Any]:
    spec = importlib.util.spec_from_file_location("embedder_contract", CONTRACT)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return [
        own for name, own in vars(module).items() if name.startswith("test_") and own is not module.test_meaning_shows
    ]


@pytest.mark.parametrize("test", _contract(), ids=lambda test: test.__name__)
def test_the_contract_of_embedders(test: Any, example: Path) -> None:
    given: dict[str, Any] = {"model": "letters", "embedder": embedding.load("letters", 1), "kind": "query"}
    test(**{name: given[name] for name in inspect.signature(test).parameters})


EMBEDDER = """
import numpy as np
class E:
    name, revision, dimension, cached = "e", {revision!r}, {dimension}, True
    def __init__(self, threads): {made}
    def seconds_for(self, texts): return None
    def embed(self, texts, *, kind="document", progress=None):
        one = np.zeros((len(texts), 4), np.float32)
        one[:, 0] = 1
        return {returned}
"""


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"returned": "one * np.nan"}, "whose length is not 1, or not even a number"),
        ({"returned": "one * 2"}, "whose length is not 1"),
        ({"returned": "one[1:]"}, r"returned an array of \(1, 4\) in the place of \(2, 4\)"),
        ({"returned": "one[:, :3]"}, r"\(2, 3\) in the place of \(2, 4\)"),
        ({"returned": "one.astype(np.float64)"}, "something else than an array of float32"),
        ({"returned": "one.tolist()"}, "something else than an array of float32"),
        ({"returned": "1 / 0"}, "failed .ZeroDivisionError: division by zero."),
        ({"dimension": "property(lambda self: 1 / 0)"}, "has no dimension .ZeroDivisionError: division by zero."),
        ({"made": "raise OSError('no file')"}, "cannot be made .OSError: no file."),
        ({"revision": ""}, "its revision is ''"),
        ({"revision": "a/b"}, "its revision is 'a/b'"),
    ],
)
def test_an_embedder_that_is_none(changed: dict[str, str], reason: str, install: Install) -> None:
    parts = {"revision": "0123456789ab", "made": "pass", "returned": "one", "dimension": "4"} | changed
    install("odd", {EMBEDDERS: {"odd": "odd:E"}}, EMBEDDER.format(**parts))
    with pytest.raises(ModelError, match=rf"model `odd` of odd 1\.2: .*{reason}") as caught:
        embedding.load("odd").embed(["a", "b"])
    assert "\n" not in str(caught.value)
