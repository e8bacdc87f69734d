"""Includes of each generator: which file they name, and what of it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from infograph.source.include_slices import WHOLE, Selection
from infograph.source.include_syntax import find_includes


def named(text: str) -> list[tuple[str, str, Selection]]:
    return [(text[found.start : found.end], found.target, found.selection) for found in find_includes(text)]


@pytest.mark.parametrize(
    ("include", "target", "selection"),
    [
        ('--8<-- "a.md"', "a.md", WHOLE),
        ("--8<-- 'it.md:2:5'", "it.md", Selection(lines=((2, 5),))),
        ('--8<-- "a.md::5"', "a.md", Selection(lines=((1, 5),))),
        ('--8<-- "a.md:1:3,7:8"', "a.md", Selection(lines=((1, 3), (7, 8)))),
        ('--8<-- "a.md:part"', "a.md", Selection(section="part")),
        ("{* ../../docs_src/a.py hl[4,6] *}", "../../docs_src/a.py", WHOLE),
        ("{* ../a.py ln[1:3,8] hl[2] *}", "../a.py", Selection(lines=((1, 3), (8, 8)))),
        ("{!docs/a.md!}", "docs/a.md", WHOLE),
        ("{! ../a.md !}", "../a.md", WHOLE),
        ("{!> ../a.py!}", "../a.py", WHOLE),
        ("{{#include a.md}}", "a.md", Selection(anchors=True)),
        ("{{#include a.rs:2:4}}", "a.rs", Selection(lines=((2, 4),))),
        ("{{#include a.rs:2:}}", "a.rs", Selection(lines=((2, None),))),
        ("{{#include a.rs::4}}", "a.rs", Selection(lines=((1, 4),))),
        ("{{#include a.rs:2}}", "a.rs", Selection(lines=((2, 2),))),
        ("{{#rustdoc_include ../a.rs:here}}", "../a.rs", Selection(anchor="here")),
        ("[!INCLUDE [title](../a.md)]", "../a.md", WHOLE),
        ("[!code-csharp[name](a.cs#L3-L5)]", "a.cs", Selection(lines=((3, 5),))),
        ("[!code-csharp[name](~/a.cs?name=part)]", "~/a.cs", Selection(region="part")),
        ("[!code-js[](a.js?range=1-2,4)]", "a.js", Selection(lines=((1, 2), (4, 4)))),
        ('[!code[](a.ps1#region1 "title")]', "a.ps1", Selection(region="region1")),
        (':::code language="csharp" source="~/a.cs" id="part":::', "~/a.cs", Selection(region="part")),
        ('::: code source="a.cs" range="2-3" :::', "a.cs", Selection(lines=((2, 3),))),
        ("```{literalinclude} a.py\n:lines: 1-3\n:language: python\n```", "a.py", Selection(lines=((1, 3),))),
        (
            ":::{include} ../README.md\n:start-after: <!-- begin -->\n:::",
            "../README.md",
            Selection(after="<!-- begin -->"),
        ),
        ("```{include} a.md\n```", "a.md", WHOLE),
        ('{% include-markdown "../README.md" start="<!--x-->" %}', "../README.md", Selection(after="<!--x-->")),
        ('{%\n  include-markdown "a.md"\n%}', "a.md", WHOLE),
        ("{% include_relative a.md %}", "a.md", WHOLE),
        ('{{% readfile file="x.md" %}}', "x.md", WHOLE),
        ('{{< include "x.md" >}}', "x.md", WHOLE),
    ],
)
def test_each_syntax(include: str, target: str, selection: Selection) -> None:
    assert named(f"# H\n\n{include}\n\ntext\n") == [(include, target, selection)]


@pytest.mark.parametrize(
    "text",
    [
        ';--8<-- "a.md"',
        "{*}",
        "{* a *",
        "\\{{#include a.md}}",
        "[!NOTE]",
        "{% include note.html %}",
        "{% includes %}",
        "{{< readfile >}}",
        "import A from './a.js'\n\n<A />",
        "```{code} a.py\n```",
    ],
)
def test_what_names_no_file_to_read(text: str) -> None:
    assert named(f"{text}\n") == []


def test_a_block_of_snippets_names_a_file_a_line() -> None:
    text = "--8<--\na.md\n\n; b.md\n  c.md:2:5\n--8<--\n"
    assert [(target, part) for _, target, part in named(text)] == [
        ("a.md", WHOLE),
        ("c.md", Selection(lines=((2, 5),))),
    ]
    (first, *_), (last, *_) = named(text)
    assert first == "--8<--\na.md" and last.endswith("c.md:2:5\n--8<--")


def test_imports_stand_where_they_are_used() -> None:
    text = (
        "import Code from '!!raw-loader!./a.py';\nimport Part from './_part.mdx';\nimport Tabs from '@theme/Tabs';\n\n"
        '<CodeBlock language="python">{Code}</CodeBlock>\n\n<Part name="x" />\n'
    )
    assert [row[:2] for row in named(text)] == [
        ('<CodeBlock language="python">{Code}</CodeBlock>', "./a.py"),
        ('<Part name="x" />', "./_part.mdx"),
    ]


def test_a_name_that_is_imported_again_is_the_first() -> None:
    imports = "import A from './a.md'\nimport A from './b.md'\nimport B from '!!raw-loader!./b.py'"
    text = f"<A />\n\n{imports}\n\n<A /> {{ B }} {{A}}\n"
    assert [row[:2] for row in named(text)] == [("{ B }", "./b.py"), ("<A />", "./a.md")]


@pytest.mark.parametrize(
    "piece",
    [
        *(
            "-",
            "-8<-",
            '-8<- "',
            "-8<-\na b\n",
            "{*",
            "{* a ",
            "{!",
            "{! a",
            "{{#include ",
            "[!include[",
            "[!code[](",
            ":::code ",
        ),
        *(
            "```{include} a\n",
            "```{include} a\n:a:\n",
            "{% include ",
            "{% include a\n",
            "{{< include ",
            "import A from './a.md'\n",
            "import A from './a.md'\n<A />\n",
            "import A from '!!raw-loader!./a.py'\n{A}\n",
        ),
    ],
)
def test_no_page_takes_long(piece: str, assert_linear: Callable[..., None]) -> None:
    assert_linear(lambda size: list(find_includes(piece * (size // len(piece)))), most=200_000)
