"""Every method of the client says what it takes and raises, by an example that runs."""

from __future__ import annotations

import doctest
import inspect

import pytest

from infograph.client import AsyncClient, Client

PLAIN = {"close", "refresh"}
"""Methods that take nothing and raise nothing of the client's."""
METHODS = sorted(name for name, _ in inspect.getmembers(Client, inspect.isfunction) if name[0] != "_")


@pytest.mark.parametrize("name", sorted({*METHODS} - {"close"}))
def test_the_example_of_a_method_runs(folder: Client, name: str) -> None:
    text = inspect.getdoc(getattr(Client, name)) or ""
    example = doctest.DocTestParser().get_doctest(text, {"client": folder}, name, None, 0)
    assert example.examples
    said: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL)
    assert runner.run(example, out=said.append).failed == 0, "".join(said)


@pytest.mark.parametrize("name", sorted({*METHODS} - PLAIN))
def test_a_method_says_what_it_takes_and_raises(name: str) -> None:
    method = getattr(Client, name)
    text, code = inspect.getdoc(method) or "", method.__code__
    assert "\n\nRaises ClientError: " in text
    for argument in code.co_varnames[1 : code.co_argcount + code.co_kwonlyargcount]:
        assert f"\n{argument}: " in text, f"{name} says nothing of {argument}"


@pytest.mark.parametrize("name", METHODS)
def test_a_method_that_is_awaited_says_what_it_gives(name: str) -> None:
    text = inspect.getdoc(getattr(AsyncClient, name)) or ""
    assert not text.startswith("See ") and (name in PLAIN or f"See `Client.{name}`." in text)
