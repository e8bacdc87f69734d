"""The faults made by hand, which scripts/mutation.py tries, are still faults of the code as it is."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def mutation() -> ModuleType:
    spec = importlib.util.spec_from_file_location("mutation_script", ROOT / "scripts" / "mutation.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


def test_each_known_fault_can_be_made(mutation: ModuleType) -> None:
    assert len({mutant.name for mutant in mutation.known_mutants()}) >= 10


@pytest.mark.parametrize("old", ["nothing of this file", "import"])
def test_a_fault_whose_text_is_not_there_once_is_an_error(
    mutation: ModuleType, old: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "known.toml"
    file.write_text(f'[[mutant]]\nname = "gone"\nold = "{old}"\nnew = ""\ntests = ["tests"]\n')
    monkeypatch.setattr(mutation, "KNOWN", file)
    with pytest.raises(ValueError, match="gone: its text stands"):
        mutation.known_mutants()


def test_what_changes_nothing_is_no_mutant(
    mutation: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("cosmic_ray")
    file = tmp_path / "infograph" / "made.py"
    file.parent.mkdir()
    file.write_text(
        "from dataclasses import dataclass\n"
        "from functools import cache, cached_property, lru_cache\n"
        "@cache\n"
        "def one(a: int | None) -> str | None:\n"
        "    raise ValueError(1 + 1)\n"
        "@lru_cache(maxsize=1 << 12)\n"
        "def two() -> int:\n"
        "    return len([])\n"
        "@dataclass(frozen=True)\n"
        "class Three:\n"
        "    @lru_cache\n"
        "    def four(self): ...\n"
        "    @cached_property\n"
        "    def five(self): return 5\n"
    )
    monkeypatch.setattr(mutation, "ROOT", tmp_path)
    found = {(mutant.line, mutant.operator) for mutant in mutation.mutants("infograph/made.py")}
    assert found == {(9, "RemoveDecorator"), (13, "RemoveDecorator"), (14, "NumberReplacer")}


def test_a_mutant_is_another_program(mutation: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("cosmic_ray")
    (tmp_path / "made.py").write_text("A = 3.4e38\nB = 3.4\ndef c(a, *, b=2): ...\n")
    monkeypatch.setattr(mutation, "ROOT", tmp_path)
    found = mutation.mutants("made.py")
    assert {mutant.line for mutant in found} == {1, 2, 3}
    assert {(own.line, own.operator) for own in found if mutation.is_program(own)} == {
        (2, "NumberReplacer"),
        (3, "NumberReplacer"),
    }


def test_what_is_mutated_is_there_with_its_tests(mutation: ModuleType) -> None:
    for path in mutation.PATHS:
        files = sorted((ROOT / path).rglob("*.py")) or [ROOT / path]
        for file in files:
            steps = mutation.suite(file.relative_to(ROOT).as_posix())
            assert steps, file
            assert all((ROOT / test).exists() for step in steps for test in step), file
