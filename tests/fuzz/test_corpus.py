"""Every seed, and every input that once failed, through the target that it is of: without a fuzzer, on any machine."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest
from javascript import NODE, needs_node

FUZZ = Path(__file__).parents[2] / "fuzz"
CORPUS = sorted(path for path in (FUZZ / "corpus").rglob("*") if path.is_file())


def _module(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"fuzz_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


TARGETS = {path.stem: _module(path) for path in sorted((FUZZ / "targets").glob("*.py"))}


@pytest.mark.parametrize("seed", CORPUS, ids=lambda path: path.relative_to(FUZZ / "corpus").as_posix())
def test_what_must_hold_for_any_input_holds_for_the_seeds(seed: Path) -> None:
    TARGETS[seed.parent.name].check(seed.read_bytes())


def test_every_target_has_seeds_and_they_are_small() -> None:
    assert {seed.parent.name for seed in CORPUS} == TARGETS.keys()
    assert sum(seed.stat().st_size for seed in CORPUS) < 100_000


def test_every_strategy_and_every_kind_of_file_has_a_seed() -> None:
    chunkers = TARGETS["chunkers"]
    begun = {seed.read_bytes()[0] // 2 for seed in CORPUS if seed.parent.name == "chunkers"}
    assert begun == set(range(len(chunkers.CASES) // 2))


def test_the_seeds_are_a_bundle_of_this_format() -> None:
    run = subprocess.run(
        [sys.executable, str(FUZZ / "update_bundle.py"), "--check"], capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr


def test_the_bundle_of_the_seeds_has_an_answer() -> None:
    target = TARGETS["search_bundle"]
    files = target.packed(target.whole())
    reader = target.Reader(files.__getitem__, target.stemmer)
    assert reader.search(target.QUERY, diversity=0.5)
    assert reader.complete("ca")
    assert not reader.missing


@pytest.mark.slow
@needs_node
def test_the_reader_in_javascript_holds_for_the_seeds(tmp_path: Path) -> None:
    assert NODE is not None
    run = subprocess.run(
        [
            NODE,
            str(FUZZ / "javascript" / "engine.mjs"),
            str(FUZZ / "javascript" / "search_bundle.mjs"),
            "--seconds",
            "0",
            "--modules",
            str(FUZZ.parent / "infograph" / "web") + "/",
            "--artifacts",
            str(tmp_path),
            str(FUZZ / "corpus" / "search_bundle"),
        ],
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    seeds = sum(seed.parent.name == "search_bundle" for seed in CORPUS)
    assert json.loads(run.stdout)["executions"] == seeds
