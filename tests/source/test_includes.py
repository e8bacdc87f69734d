from __future__ import annotations

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
    ],
)
def test_each_syntax_is_named_with_its_first_use(body: str, name: str) -> None:
    ((count, message),) = messages(f"# H\n\n{body}\ntext\n")
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
    ],
)
def test_what_includes_nothing_is_not_counted(body: str) -> None:
    assert messages(body) == []


def test_counts_are_summed_in_one_notice() -> None:
    ((count, message),) = messages("{{< a >}} {{< b >}}\n\n{% include c.md %}\n")
    assert count == 3
    assert "2 Hugo shortcodes (`{{< a >}}`), 1 Jekyll include (`{% include c.md %}`)" in message
