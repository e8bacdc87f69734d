"""Regular expressions that match alike on every Python from 3.11 on.

Possessive groups came with 3.11, and its first releases are wrong about them (CPython issue gh-106052): where an
iteration of `(?:…)*+` fails within a repeat, an alternative or a lookaround that begins after its first character,
what was read until there is not given back. Debian 12 has such a release. A possessive quantifier on one character
or one set is right everywhere; and where such ones are inside and alternatives exclude each other, a plain group
takes no longer.
"""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import infograph
from infograph.errors import ConfigError
from infograph.source import simple

# Only the parser of `re` knows what a pattern says, and it has no public name.
_parser = importlib.import_module("re._parser")
_codes = importlib.import_module("re._constants")

_CHARACTER = {_codes.LITERAL, _codes.NOT_LITERAL, _codes.ANY, _codes.IN}
_REPEAT = {_codes.MAX_REPEAT, _codes.MIN_REPEAT, _codes.POSSESSIVE_REPEAT}
_SIGN = re.compile(r"(?<=[^+])[*+?}]\+(?!\+)|\(\?>")
"""What possessive quantifiers and atomic groups look like."""

MAKERS = {
    "infograph.source.simple._closing": simple._closing("`", 3),
    "infograph.source.simple._indented": simple._indented(2),
    "infograph.source.simple._plain_content": simple._plain_content(2),
    "infograph.source.simple._plain_items": simple._plain_items("", "-"),
}
"""Functions that write such a pattern, and the method of one that each made."""


def _modules() -> list[ModuleType]:
    """All of the package but those for a program that is not installed here, as the plugin of MkDocs."""
    modules = []
    for found in pkgutil.walk_packages(infograph.__path__, "infograph."):
        if not found.name.endswith("__main__"):
            try:
                modules.append(importlib.import_module(found.name))
            except ModuleNotFoundError as error:
                assert error.name is not None and not error.name.startswith("infograph")
            except ConfigError as error:
                assert "pip install" in error.hint  # of the extra that it needs
    return modules


def _held(value: object) -> Iterator[re.Pattern[Any]]:
    """The patterns in a value of a module."""
    if isinstance(value, re.Pattern):
        yield value
    elif isinstance(value, dict | tuple | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _held(part)


def _wrong(pattern: re.Pattern[Any]) -> bool:
    """Whether it has a possessive or atomic group that some release matches wrongly."""
    return any(not _harmless(group) for group in _groups(_parser.parse(pattern.pattern, pattern.flags)))


def _groups(value: Any) -> Iterator[list[Any]]:
    """What each possessive quantifier repeats and each atomic group holds, anywhere in what was parsed."""
    if isinstance(value, _parser.SubPattern):
        for code, argument in value:
            if code is _codes.POSSESSIVE_REPEAT and not _is_character(argument[2]):
                yield _flat(argument[2])
            elif code is _codes.ATOMIC_GROUP:
                yield _flat(argument)
            yield from _groups(argument)
    elif isinstance(value, tuple | list):
        for part in value:
            yield from _groups(part)


def _flat(items: Any) -> list[Any]:
    """The items of a sequence, with what groups without a number hold in their place: the engine knows none."""
    return [
        inside
        for code, argument in items
        for inside in (_flat(argument[-1]) if code is _codes.SUBPATTERN and argument[0] is None else [(code, argument)])
    ]


def _is_character(items: Any) -> bool:
    return [code in _CHARACTER for code, _ in _flat(items)] == [True]


def _harmless(group: list[Any]) -> bool:
    """Whether it fails only at the position that the engine noted where the iteration began.

    The engine notes one at each repeat, alternative and lookaround. Here only characters may be repeated: the first,
    and the last if there may be none of it, since that cannot fail.
    """
    last = len(group) - 1
    return all(
        code in _CHARACTER
        or code is _codes.AT
        or (code in _REPEAT and _is_character(argument[2]) and (place == 0 or (place == last and argument[0] == 0)))
        for place, (code, argument) in enumerate(group)
    )


@pytest.mark.slow
def test_no_possessive_group_is_one_that_old_releases_match_wrongly() -> None:
    patterns = [
        (f"{module.__name__}.{name}", pattern)
        for module in _modules()
        for name, value in vars(module).items()
        for pattern in _held(value)
    ]
    assert len(patterns) > 100
    patterns += [(name, match.__self__) for name, match in MAKERS.items()]
    wrong = sorted({name for name, pattern in patterns if _wrong(pattern)})
    assert not wrong, f"CPython gh-106052, which Python 3.11.2 still has: {', '.join(wrong)}"


@pytest.mark.slow
def test_functions_that_write_such_patterns_are_known() -> None:
    """What a module does not hold, the test above sees only if it stands in its table."""
    writers = {
        f"{module.__name__}.{function.name}"
        for module in _modules()
        if (module.__file__ or "").endswith(".py")  # not compiled from C
        for function in ast.walk(ast.parse(Path(module.__file__ or "").read_text("utf-8")))
        if isinstance(function, ast.FunctionDef)
        for part in ast.walk(function)
        if isinstance(part, ast.Constant) and isinstance(part.value, str) and _SIGN.search(part.value)
    }
    assert writers == set(MAKERS)


@pytest.mark.parametrize(
    "pattern",
    [
        r"(?:ab?c)*+a",
        r"(?:_[a-z]++)*+_",
        r"(?:a(?=bc)b)*+a",
        r"(?:[a-z]++|\([a-z]*+\))*+\(",
        r"x(?:\n(?:[ ]{2}[^\n]*+|[ \t]*+(?=\n|\Z)))*+(?:\n|\Z)",
        r"(?:(a)|b)?+c",
        r"((?>ab?c)|ab)a",
    ],
)
def test_what_counts_as_wrong(pattern: str) -> None:
    assert _wrong(re.compile(pattern))


@pytest.mark.parametrize(
    ("pattern", "text", "end"),
    [
        (r"[ \t]++x*+(?:y)?+", "  xy", 4),
        (r"(?:[ \t]*+\n)*+", " \n\n  x", 3),
        (r"(?:[ \t]*+\n)*+(?:[ \t]++\Z)?+", "\n  x", 1),
        (r"(?:-[ \t]*+){3,}+\n", "- - -  \n", 8),
        (r"(?:_[a-z])*+_", "_b_c_!", 5),
    ],
)
def test_what_counts_as_harmless_is_so_on_this_python(pattern: str, text: str, end: int) -> None:
    assert not _wrong(re.compile(pattern))
    match = re.match(pattern, text)
    assert match is not None and match.end() == end
