"""Dataclasses as values of files, of settings and of options: what each notation takes, and errors."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import NoneType
from typing import Annotated, Any

import pytest

from infograph.formats.codec import (
    JSON,
    Bounds,
    DecodeError,
    Notation,
    Pattern,
    RepeatedKeyError,
    UnknownKeyError,
    WrongTypeError,
    decode,
    described,
    dump,
)
from infograph.formats.field_docs import field_docs
from infograph.formats.json_schema import json_schema


@dataclass(frozen=True)
class Inner:
    """Inside."""

    word: str = "none"
    """A word,
    of any kind."""
    share: Annotated[float, Bounds(0, 1)] = 0.5
    """A share."""


@dataclass(frozen=True)
class Outer:
    """Outside."""

    number: int
    """A number."""
    flag: bool = False
    """A flag."""
    level: int | None = None
    """A level."""
    ratio: float = 1.0
    """A ratio."""
    name: Annotated[str, Pattern("[a-z]+")] = "a"
    """A name."""
    inner: Inner = field(default_factory=Inner)
    """An inner one."""
    words: tuple[str, ...] = ()
    """Words."""
    scores: dict[str, float] = field(default_factory=dict)
    """Scores."""
    others: dict[str, Inner] = field(default_factory=dict, metadata={"rest": frozenset({"_left"})})
    """Every other key."""


FULL: dict[str, Any] = {
    "number": 1,
    "flag": True,
    "level": 2,
    "ratio": 0.5,
    "name": "abc",
    "inner": {"word": "x", "share": 1.0},
    "words": ["x", "y"],
    "scores": {"a": 1.5},
    "other": {"word": "z"},
}


def test_what_is_read_is_dumped() -> None:
    read = decode(Outer, FULL)
    assert read.others == {"other": Inner("z")}
    assert dump(read) == FULL
    assert dump(decode(Outer, {"number": 1})) == {"number": 1}
    assert dump((read, read)) == [FULL, FULL]


@pytest.mark.parametrize(
    ("change", "path", "reason"),
    [
        ({"number": True}, ".number", "expected an integer, found true or false"),
        ({"number": 1.0}, ".number", "expected an integer, found a number"),
        ({"number": "1"}, ".number", "expected an integer, found a string"),
        ({"flag": 1}, ".flag", "expected true or false, found an integer"),
        ({"level": None}, ".level", "expected an integer, found null"),
        ({"ratio": "1"}, ".ratio", "expected a number, found a string"),
        ({"ratio": True}, ".ratio", "expected a number, found true or false"),
        ({"name": "ab1"}, ".name", "'ab1' does not match [a-z]+"),
        ({"name": "ab\n"}, ".name", "'ab\\n' does not match [a-z]+"),
        ({"name": 90 * "A"}, ".name", f"{80 * 'A'!r} does not match [a-z]+"),
        ({"inner": []}, ".inner", "expected an object, found a list"),
        ({"inner": {"share": 1.01}}, ".inner.share", "1.01 is out of range"),
        ({"inner": {"share": -0.01}}, ".inner.share", "-0.01 is out of range"),
        ({"words": "x"}, ".words", "expected a list, found a string"),
        ({"words": ["x", 1]}, ".words[1]", "expected a string, found an integer"),
        ({"scores": {"a": {}}}, ".scores.a", "expected a number, found an object"),
        ({"else": {"word": 1}}, "", ""),
    ],
)
def test_errors_name_the_value(change: dict[str, Any], path: str, reason: str) -> None:
    with pytest.raises(DecodeError) as caught:
        decode(Outer, FULL | change)
    if path:
        assert (caught.value.path, caught.value.reason) == (path, reason)
    else:
        assert caught.value.path == ".else.word"


def test_both_ends_of_bounds_are_within() -> None:
    assert [decode(Inner, {"share": share}).share for share in (0, 1)] == [0.0, 1.0]
    with pytest.raises(DecodeError, match=r"-1 is out of range"):
        Bounds(0).check(-1)
    Bounds(0).check(2**70)


def test_a_number_that_is_too_large_for_a_float_is_infinite() -> None:
    assert [decode(float, sign * 10**400) for sign in (1, -1)] == [float("inf"), float("-inf")]
    whole = decode(float, 3)
    assert (whole, type(whole)) == (3.0, float)


def test_a_required_key() -> None:
    with pytest.raises(DecodeError, match="`number` is missing"):
        decode(Outer, {"flag": True})


def test_keys_that_no_field_names_are_skipped_or_left_alone() -> None:
    assert decode(Inner, {"later": 1}) == Inner()
    assert decode(Outer, {"number": 1, "_left": 5}) == Outer(1)


def read_list(value: object) -> object:
    if not isinstance(value, list):
        raise WrongTypeError("no list")
    return value


SETTINGS = Notation(
    words=JSON.words | {tuple: "a list of strings", int: "a whole number", dict: "a table"},
    lists=(list, tuple),
    text_is_list=True,
    unset=("",),
    spelling=lambda key: key.replace("-", "_"),
    closed=True,
    readers={object: read_list},
)
OPTIONS = Notation(
    words={int: "a whole number", str: "text", NoneType: "unset", tuple: "a list, each item {}"},
    lists=(tuple,),
    unset=(None,),
)


@dataclass(frozen=True)
class Section:
    max_files: int | None = 3
    globs: tuple[str, ...] = ()
    free: object = None
    inner: Inner = field(default_factory=Inner)


def test_another_notation() -> None:
    values = {"max-files": "", "globs": "*.md", "free": [1], "inner": {"word": "x"}}
    assert decode(Section, values, SETTINGS) == Section(None, ("*.md",), [1], Inner("x"))
    assert decode(Section, {"max_files": 7, "globs": ("a", "b")}, SETTINGS) == Section(7, ("a", "b"))
    assert decode(int | None, None, OPTIONS) is None  # type: ignore[arg-type]
    assert decode(tuple[int, ...], (1, 2), OPTIONS) == (1, 2)
    for hint, value in ((int | None, ""), (tuple[int, ...], [1]), (tuple[int, ...], (1, "2")), (tuple[str, ...], "a")):
        with pytest.raises(WrongTypeError):
            decode(hint, value, OPTIONS)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("values", "kind", "path"),
    [
        ({"maxfiles": 1}, UnknownKeyError, ""),
        ({"inner": {"wrod": "x"}}, UnknownKeyError, ".inner"),
        ({"max-files": 1, "max_files": 2}, RepeatedKeyError, ""),
        ({"inner": {"word": 1}}, WrongTypeError, ".inner.word"),
        ({"globs": ["a", 1]}, WrongTypeError, ".globs[1]"),
        ({"free": 1}, WrongTypeError, ".free"),
    ],
)
def test_errors_of_another_notation(values: dict[str, Any], kind: type[DecodeError], path: str) -> None:
    with pytest.raises(kind) as caught:
        decode(Section, values, SETTINGS)
    assert caught.value.path == path


def test_errors_tell_keys_types_and_values() -> None:
    with pytest.raises(UnknownKeyError) as unknown:
        decode(Section, {"max.files": 1}, SETTINGS)
    assert unknown.value.key == "max.files"
    with pytest.raises(RepeatedKeyError) as repeated:
        decode(Section, {"max_files": 1, "globs": "", "max-files": 1}, SETTINGS)
    assert repeated.value.keys == ("max_files", "max-files")
    with pytest.raises(WrongTypeError) as wrong:
        decode(Section, {"globs": ["a", 1]}, SETTINGS)
    assert wrong.value.field == (tuple[str, ...], ["a", 1])
    with pytest.raises(WrongTypeError) as nested:
        decode(Section, {"inner": {"word": 1}}, SETTINGS)
    assert nested.value.field == (str, 1)


@pytest.mark.parametrize(
    ("hint", "notation", "words"),
    [
        (int | None, SETTINGS, "a whole number"),
        (int | None, OPTIONS, "a whole number or unset"),
        (tuple[str, ...], SETTINGS, "a list of strings"),
        (tuple[str, ...], OPTIONS, "a list, each item text"),
        (Inner, SETTINGS, "a table"),
        (float, SETTINGS, "a number"),
    ],
)
def test_types_in_words(hint: Any, notation: Notation, words: str) -> None:
    assert described(hint, notation) == words


def test_the_strings_under_fields() -> None:
    assert field_docs(Inner) == {"word": "A word, of any kind.", "share": "A share."}
    assert field_docs(Section) == {}


def test_the_schema_describes_fields_and_renames_classes() -> None:
    schema = json_schema(Outer, {Inner: "Core"})
    assert (schema["$ref"], sorted(schema["$defs"])) == ("#/$defs/Outer", ["Core", "Outer"])
    assert schema["$defs"]["Core"] == {
        "description": "Inside.",
        "type": "object",
        "properties": {
            "word": {"type": "string", "description": "A word, of any kind."},
            "share": {"type": "number", "minimum": 0, "maximum": 1, "description": "A share."},
        },
    }
    outer = schema["$defs"]["Outer"]
    assert outer["required"] == ["number"]
    assert outer["properties"]["_left"] is True
    assert outer["properties"]["inner"] == {"$ref": "#/$defs/Core", "description": "An inner one."}
    assert outer["additionalProperties"] == {"$ref": "#/$defs/Core"}
    with pytest.raises(KeyError, match="max_files"):
        json_schema(Section, {})
