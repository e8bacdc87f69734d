"""What a document says of itself."""

from __future__ import annotations

import pytest

from infograph.model import Document
from infograph.source.blocks import parse_blocks
from infograph.source.limits import SourceLimits
from infograph.source.overview import in_words, overview


def said(body: str, path: str = "ch15-02-deref.md") -> tuple[str, str]:
    document = Document(path=path, sha256="", prefix="", body=body)
    return overview(document, parse_blocks(document, SourceLimits())[0])


@pytest.mark.parametrize(
    ("body", "title"),
    [
        ("# Deref\n\nText.\n", "Deref"),
        ("## Treating Values\n\nText.\n", "Treating Values"),
        ('<!-- Old headings. -->\n\n<a id="old"></a>\n\n## Treating Values\n\nText.\n', "Treating Values"),
        ("Text first.\n\n## Later\n", "Ch15 02 deref"),
        ("## Later\n\nText.\n\n# First\n", "First"),
        ("## First\n\nText.\n\n## Second\n", "First"),
        ("```py\nx\n```\n\n## Later\n", "Ch15 02 deref"),
        ("- a\n\n## Later\n", "Ch15 02 deref"),
    ],
)
def test_title(body: str, title: str) -> None:
    assert said(body)[0] == title


@pytest.mark.parametrize(
    ("paragraph", "words"),
    [
        (
            'An intuitive **<dfn title="x">Dependency Injection</dfn>** system.',
            "An intuitive Dependency Injection system.",
        ),
        ("Press <kbd>Ctrl</kbd>+<kbd>C</kbd>, H<sub>2</sub>O.", "Press Ctrl+C, H2O."),
        ("One<br>two.", "One two."),
        ("**One *two* three**", "One two three"),
        ("![One](two.png)\n\nThree.", "Three."),
        ("[One](two.md) | [three](four.md)\n\n- five\n\nSix.", "Six."),
        ("import One from 'two'\n\nThree [four](five.md).\n\nSix.", "Three four."),
    ],
)
def test_description(paragraph: str, words: str) -> None:
    assert said(f"# T\n\n{paragraph}\n")[1] == words


@pytest.mark.parametrize(("name", "title"), [("a_b - c", "A b c"), ("--", "--"), ("éa", "Éa")])
def test_a_name_in_words(name: str, title: str) -> None:
    assert in_words(name) == title


@pytest.mark.parametrize("length", [300, 301])
def test_a_description_may_have_300_characters(length: int) -> None:
    body = ("four " * 100)[: length - 1] + "x"
    description = said(body)[1]
    assert len(description) <= 300
    assert (description == body) is (length == 300)
