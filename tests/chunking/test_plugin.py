"""Strategies of other packages: held to the contract, and to what they return."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from infograph.chunking.chunker import chunk_document
from infograph.chunking.interface import StrategyTools
from infograph.chunking.registry import strategy
from infograph.chunking.routing import Router
from infograph.errors import ConfigError, DocumentError, InfographError
from infograph.plugins.entry_points import STRATEGIES
from infograph.source.blocks import parse_blocks
from infograph.source.document import decode

Install = Callable[..., Path]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.text(st.sampled_from("a#`-|> \n\t.é"), max_size=200))
def test_the_contract_of_strategies(text: str, example: Path, cut: Any) -> None:
    cut(text, strategy("lines", {"count": 2}))
    cut(text, strategy("lines"), "src/text.py")


def test_a_strategy_has_options_routes_and_a_key(example: Path) -> None:
    cut = strategy("lines", {"count": 3})
    assert (cut.key, cut.chunk_type, cut.embeds) == ("lines-3-infograph_example-1.2", "lines", False)
    assert pickle.loads(pickle.dumps(cut)) == cut  # noqa: S301  # as it goes to a worker
    with pytest.raises(ConfigError, match=r"strategies\.lines: `count` must be a whole number"):
        strategy("lines", {"count": "x"})
    with pytest.raises(ConfigError, match="there is no option `size`"):
        strategy("lines", {"size": 1})
    router = Router("auto", [("notes/**", "lines")], [("lines", (("count", 9),))])
    assert router._made["lines"].key.startswith("lines-9-")
    with pytest.raises(ConfigError, match=r"there is no `line`\. Did you mean `lines`"):
        Router("line")


STRATEGY = """
from dataclasses import dataclass
from typing import ClassVar
from infograph.chunking.interface import ChunkPiece, Cutting
@dataclass(frozen=True)
class S:
    embeds: ClassVar[bool] = False
    extensions: ClassVar[tuple] = ()
    chunk_type = "s"
    key = {key!r}
    def __call__(self, layout, tools):
        end = len(layout.body)
        return {returned}
"""


@pytest.mark.parametrize(
    ("returned", "reason"),
    [
        ("Cutting([ChunkPiece(0, end - 1)])", "returned pieces up to character 10 of 11"),
        ("Cutting([])", "returned pieces up to character 0 of 11"),
        ("Cutting([ChunkPiece(0, 4), ChunkPiece(5, end)])", "returned a piece 1 from 5 to 11, where one from 4 on"),
        ("Cutting([ChunkPiece(0, 0), ChunkPiece(0, end)])", "returned a piece 0 from 0 to 0"),
        ("[ChunkPiece(0, end)]", "returned something else than a `Cutting`"),
        ("Cutting([(0, end)])", "returned something else than a `Cutting`"),
        ("end / 0", "failed .ZeroDivisionError"),
    ],
)
def test_a_strategy_that_loses_text(returned: str, reason: str, install: Install, tools: StrategyTools) -> None:
    install("odd", {STRATEGIES: {"odd": "odd:S"}}, STRATEGY.format(key="odd-1", returned=returned))
    document = decode("a.md", b"# A\n\nText.\n")
    with pytest.raises(DocumentError, match=rf"a\.md: the strategy `odd` of odd 1\.2 {reason}") as caught:
        chunk_document(document, parse_blocks(document)[0], strategy("odd"), tools)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        (STRATEGY.format(key="other", returned="None"), "has the key 'other': it must begin with `odd`"),
        (STRATEGY.format(key="odd/1", returned="None"), "has the key 'odd/1'"),
        (STRATEGY.replace("@dataclass(frozen=True)", "").format(key="odd", returned="None"), "is no dataclass"),
        (STRATEGY.replace("__call__", "cut").format(key="odd", returned="None"), "is no dataclass that can be called"),
        (
            STRATEGY.format(key="odd", returned="None") + "    size: 'Never' = 1\n",
            "has options whose types cannot",
        ),
        (
            STRATEGY.format(key="odd", returned="None") + "    def __post_init__(self): raise OSError('a\\n b')\n",
            "cannot be made .OSError: a b.",
        ),
        (STRATEGY.replace("chunk_type", "kind").format(key="odd", returned="None"), "has no `chunk_type`"),
    ],
)
def test_a_strategy_that_is_none(code: str, reason: str, install: Install) -> None:
    install("odd", {STRATEGIES: {"odd": "odd:S"}}, code)
    with pytest.raises(InfographError, match=rf"strategy `odd` of odd 1\.2: {reason}"):
        strategy("odd")
