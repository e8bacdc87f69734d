from __future__ import annotations

import time

import pytest

from infograph.model import Document
from infograph.source.blocks import parse_blocks
from infograph.source.includes import unresolved_includes


def messages(body: str) -> list[tuple[int, str]]:
    document = Document("page.md", "0" * 64, "", body)
    return [(notice.count, notice.message) for notice in unresolved_includes(document, parse_blocks(document)[0])]


@pytest.mark.parametrize(
    "body, name",
    [
        ('--8<-- "a.md"\n', "MkDocs snippet"),
        ("{* ../../a.py hl[4,6] *}\n", "Markdown include"),
        ("{!docs/a.md!}\n", "Markdown include"),
        ("```rust\n{{#rustdoc_include ../a.rs:here}}\n```\n", "mdBook include"),
        ("{{#include a.md}}\n", "mdBook include"),
        ('{{< figure src="a.png" >}}\n', "Hugo shortcode"),
        ("{{% alert %}}\n", "Hugo shortcode"),
        ("{% include note.html text='x' %}\n", "Jekyll include"),
        ("[!INCLUDE [title](a.md)]\n", "DocFX include"),
        ("[!code-csharp[name](a.cs)]\n", "DocFX include"),
        ("```{include} a.md\n```\n", "MyST include"),
        ("```{literalinclude} a.py\n```\n", "MyST include"),
        ("import Tabs from '@theme/Tabs';\n", "MDX import"),
        ("export * from './a.mdx'\n", "MDX import"),
        ('import {\n  A,\n  B\n} from "./a.mdx"\n', "MDX import"),
        ("import a from './a.json' with { type: 'json' } // data\n", "MDX import"),
        ('--8<-- "a.md:section"\n', "MkDocs snippet"),
        ('--8<-- "it\'s.md"\n', "MkDocs snippet"),
        ("-8<-\na.md\n-8<-\n", "MkDocs snippet"),
        ("```\n--8<--\na.md\n--8<--\n```\n", "MkDocs snippet"),
        ('{{< readfile\n  file="x.md"\n>}}\n', "Hugo shortcode"),
        ("{{%\nversion %}}\n", "Hugo shortcode"),
        ('{{% include "a.md" %}}\n', "Hugo shortcode"),
        ('{% include-markdown "../README.md" %}\n', "MkDocs include"),
        ('{%\n  include-markdown "a.md"\n  start="<!--x-->"\n%}\n', "MkDocs include"),
        ('{% include "a.md" %}\n', "MkDocs include"),
        ('{%- include-markdown "a.md" -%}\n', "MkDocs include"),
        ("{% include a.html\n  x='y' %}\n", "Jekyll include"),
        ("{%- include_relative a.md -%}\n", "Jekyll include"),
        ("{% include_cached a.md %}\n", "Jekyll include"),
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"], ids=["feed", "both", "return"])
def test_each_syntax_is_named_with_its_first_use(body: str, name: str, end: str) -> None:
    ((count, message),) = messages(f"# H\n\n{body}\ntext\n".replace("\r", "").replace("\n", end))
    assert count == 1 and f"1 {name} (`" in message


@pytest.mark.parametrize(
    "body",
    [
        "text\n",
        "{{ value }}\n",
        "{{</* figure */>}}\n",
        "{{< /tab >}}\n",
        "> [!NOTE]\n> text\n",
        "{% if a %}\n",
        "```js\nimport a from 'b'\n```\n",
        "    import a from 'b'\n",
        "importing from 'x'\n",
        "Do import x from 'y'.\n",
        "{*}\n",
        'import tariffs from "China" rose\n',
        "import {\n  A\n} from\nnowhere\n",
        "```js\nimport {\n  A\n} from 'b'\n```\n",
        ';--8<-- "a.md"\n',
        ";--8<--\na.md\n;--8<--\n",
        "--8<--\n; a.md\n\n--8<--\n",
        "--8<--\na.md\n",
        "---8<---\nwhat is cut out\n---8<---\n",
        "{{<\n/tab >}}\n",
        "`{{< tab`\n\n`>}}`\n",
        "`{{< tab`\n`{{</* tab */>}}`\n",
        "`{{<`\n`>}}`\n",
        "{% includes %}\n",
        "`{% include a`\n\n`%}`\n",
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"], ids=["feed", "both", "return"])
def test_what_includes_nothing_is_not_counted(body: str, end: str) -> None:
    assert messages(body.replace("\n", end)) == []


def test_counts_are_summed_in_one_notice() -> None:
    ((count, message),) = messages("{{< a >}} {{< b >}}\n\n{% include c.md %}\n")
    assert count == 3
    assert "2 Hugo shortcodes (`{{< a >}}`), 1 Jekyll include (`{% include c.md %}`)" in message


def test_a_block_of_snippets_names_a_file_a_line() -> None:
    ((count, message),) = messages("--8<--\r\na.md\r\n\r\n; b.md\r\n  c.md:2:5\r\n--8<--\r\n\r\n--8<-- 'd.md'\r\n")
    assert count == 3 and "3 MkDocs snippets (`--8<-- a.md ; b.md c.md:2:5 --8<--`)" in message


def test_what_stands_between_two_blocks_of_snippets_is_text() -> None:
    ((count, _),) = messages("--8<--\na.md\n--8<--\ntext\n--8<--\nb.md\n--8<--\n")
    assert count == 2


def test_a_shortcode_over_lines_does_not_take_the_next_one_in() -> None:
    ((count, message),) = messages("`{{< open`\n{{< a\n  b >}} {{< c >}}\n")
    assert count == 2 and "(`{{< a b >}}`)" in message


@pytest.mark.parametrize(
    "piece",
    [
        "-",
        "-8<-",
        '-8<- "',
        "-8<-\na b\n" + 600 * "x" + "\n",
        "{{<",
        "{{< a\n",
        "{{<a" + 199 * "%",
        "{% include a\n",
        "{% include a" + 199 * "%",
        "import {\n",
        "import a from 'a' from ",
        "\nimport a from 'a'" + 300 * " ",
        "[!include[",
        "{*" + " \t" * 40_000,
        "{!" + " \t" * 40_000,
        "\t\n",
    ],
)
def test_no_page_takes_long(piece: str) -> None:
    began = time.perf_counter()
    for first in ("", "-8<-\n", "-8<- ", "{{< a\n", "{% include ", "import ", "import {"):
        body = first + piece * (100_000 // len(piece))
        unresolved_includes(Document("page.md", "0" * 64, "", body), ())
    assert time.perf_counter() - began < 5


def test_an_import_right_below_a_fence_is_counted() -> None:
    ((count, message),) = messages("```\nimport A from './a.mdx'\n```\nimport B from './b.mdx'\n")
    assert count == 1 and "`import B from" in message


@pytest.mark.parametrize(
    ("body", "made"),
    [
        ("import A from './a.mdx'\n```\nb\n```\n", 1),
        ("```\n```\nimport A from './a.mdx'\n```\nb\n```\n", 1),
        ("```js\nimport A from './a.mdx'\n```\n\n```\nb\n```\n", 0),
        ("```\nb\n```\n\n```js\nimport A from './a.mdx'\n```\n\nimport B from './b.mdx'\n", 1),
    ],
)
def test_an_import_beside_fences_is_counted(body: str, made: int) -> None:
    assert sum(count for count, _ in messages(body)) == made


def test_the_example_is_cut_at_80_characters() -> None:
    ((_, message),) = messages("{!" + "x" * 100 + "!}\n")
    assert message.endswith(f"(`{{!{'x' * 78}`)")


def test_an_import_in_a_fence_below_another_import_is_shown_not_made() -> None:
    ((count, _),) = messages("\n\n\n\nimport A from './a.mdx'\n\n```\nimport B from './b.mdx'\n```\n")
    assert count == 1
