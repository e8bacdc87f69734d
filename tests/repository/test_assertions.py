"""Every test can fail: it asserts something, or what it uses does. A test that only runs code says nothing but that no
exception was raised, which is to be said with an assertion of what came instead."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
ASSERTING = {"raises", "warns", "fail"}
"""What of pytest fails a test by itself."""
BY_THE_CALLED = {
    "fuzz/test_corpus.py: test_what_must_hold_for_any_input_holds_for_the_seeds": "the targets of fuzz/ assert",
}
"""Tests whose assertions stand in another folder."""

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def definitions(tree: ast.AST) -> Iterator[Definition]:
    for node in ast.walk(tree):
        if isinstance(node, Definition):
            yield node


def asserts(node: Definition) -> bool:
    """Whether an assertion stands in a function, a class or what is defined in it."""
    for part in ast.walk(node):
        if isinstance(part, ast.Assert):
            return True
        if isinstance(part, ast.Call):
            name = part.func.attr if isinstance(part.func, ast.Attribute) else getattr(part.func, "id", "")
            if name in ASSERTING or name.startswith("assert_"):
                return True
    return False


def used(node: Definition) -> set[str]:
    """Names that a definition mentions: functions it calls or hands on, fixtures it takes."""
    names = {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
    names |= {part.attr for part in ast.walk(node) if isinstance(part, ast.Attribute)}
    return names | {part.arg for part in ast.walk(node) if isinstance(part, ast.arg)}


@functools.cache
def known(path: Path) -> list[tuple[str, bool, set[str]]]:
    """Functions and classes of a file: the name, whether it asserts, and if it does not, what it uses."""
    tree = ast.parse(path.read_text("utf-8")) if path.is_file() else ast.Module([], [])
    own = [(node, asserts(node)) for node in definitions(tree)]
    return [(node.name, asserting, set() if asserting else used(node)) for node, asserting in own]


def helpers(paths: list[Path]) -> set[str]:
    """Names of functions and classes beside the tests that assert, or use such a one."""
    own = [one for path in paths for one in known(path) if not one[0].startswith(("test", "Test"))]
    found = {name for name, asserting, _ in own if asserting}
    while more := {name for name, _, names in own if name not in found and names & found}:
        found |= more
    return found


@functools.cache
def silent(tests: Path) -> list[str]:
    """The tests of a folder that assert nothing."""
    found = []
    for path in sorted(tests.rglob("test_*.py")):
        if "node_modules" in path.parts:
            continue
        shared = [folder / "conftest.py" for folder in path.parents if folder.is_relative_to(tests)]
        asserting = helpers([path, *shared])
        for name, itself, names in known(path):
            if name.startswith("test") and not itself and not names & asserting:
                found.append(f"{path.relative_to(tests).as_posix()}: {name}")
    return found


@pytest.mark.slow
def test_every_test_asserts() -> None:
    assert [name for name in silent(TESTS) if name not in BY_THE_CALLED] == []
    assert BY_THE_CALLED.keys() <= set(silent(TESTS)), "it asserts by now"


def test_what_asserts_nothing_is_found(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text("def shared(x):\n    assert x\n")
    (tmp_path / "test_x.py").write_text(
        """
import functools, pytest

def helper(x): return functools.partial(inner, x)
def inner(x): assert x
def idle(x): return x

def test_direct(): assert True
def test_raises():
    with pytest.raises(ValueError): int("x")
def test_through_a_helper(): helper(1)()
def test_through_a_fixture(shared): shared(1)
def test_silent(): idle(1)
class TestMore:
    def test_silent_too(self): idle(self)
    async def test_awaits(self): assert self
"""
    )
    assert silent(tmp_path) == ["test_x.py: test_silent", "test_x.py: test_silent_too"]
