"""What a reader of a page sees of MyST's directives, roles and targets."""

from __future__ import annotations

import pytest

from infograph.model import Document
from infograph.source.blocks import parse_blocks
from infograph.source.readable import readable_edits
from infograph.text.edits import edited


def seen(body: str) -> str:
    blocks = parse_blocks(Document("page.md", "0" * 64, "", body))[0]
    return edited(body, readable_edits(body, blocks))


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("```{note}\nMind *this*.\n```\nafter\n", "**Note**\nMind *this*.\nafter\n"),
        ("```{admonition} Careful\n:class: tip\n:name: x\n\nMind.\n```\n", "**Careful**\n\nMind.\n"),
        (":::{warning}\nHot.\n:::\n", "**Warning**\nHot.\n"),
        (
            "````{tab-set}\n```{tab-item} Linux\n:sync: a\nRun it.\n```\n````\n",
            "**Linux**\nRun it.\n",
        ),
        (
            "````{tip}\nAs in\n```py\n# {note} {: .x}\n```\nso.\n````\n",
            "**Tip**\nAs in\n```py\n# {note} {: .x}\n```\nso.\n",
        ),
        ("```{toctree}\n:maxdepth: 2\n\na\nb\n```\n\nText.\n", "\nText.\n"),
        ("```{code-block} python\n:linenos:\nx = 1\n```\n", "```{code-block} python\n:linenos:\nx = 1\n```\n"),
        ("```python\nd = {note}\n```\n", "```python\nd = {note}\n```\n"),
        ("See {ref}`the title <target>`, {doc}`setup`.\n", "See the title, setup.\n"),
        ("Call {func}`~pkg.run` or {py:class}`pkg.A`.\n", "Call `pkg.run` or `pkg.A`.\n"),
        ("A {term}`cache` of `{x}` and {x} stays.\n", "A cache of `{x}` and {x} stays.\n"),
        ("(my-target)=\n## Heading\n", "## Heading\n"),
        ("f(x)= y\n(a, b)=\n", "f(x)= y\n(a, b)=\n"),
        ("```{note}\nnever closed\n", "**Note**\nnever closed\n"),
    ],
)
def test_what_is_seen(body: str, text: str) -> None:
    assert seen(body) == text


def test_without_any_nothing_is_edited() -> None:
    assert seen("# A\n\n```sh\nls\n```\n") == "# A\n\n```sh\nls\n```\n"
