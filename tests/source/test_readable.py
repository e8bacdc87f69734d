"""What a reader of the rendered page sees of a generator's markup."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from infograph.model import Document
from infograph.source.blocks import parse_blocks
from infograph.source.readable import ReadableRules, readable_edits
from infograph.text.edits import edited


def seen(body: str, **shortcodes: str) -> str:
    blocks = parse_blocks(Document("page.md", "0" * 64, "", body))[0]
    return edited(body, readable_edits(body, blocks, ReadableRules(shortcodes)))


@pytest.mark.parametrize(
    ("body", "text"),
    [
        # attribute lists
        ("## Recap { #recap }\n", "## Recap\n"),
        ("## Recap {#recap .x}\n", "## Recap\n"),
        ("## Usage {/*usage*/}\n", "## Usage\n"),
        ("text\n{: .note #a key='v'}\n", "text\n"),
        ('[a](b){target="_blank"} c\n', "[a](b) c\n"),
        ("{:toc}\n\ntext\n", "\ntext\n"),
        # admonitions, tabs
        ("/// note | Technical Details\n\ntext\n\n///\n", "**Technical Details**\n\ntext\n\n"),
        ("/// tip\n\ntext\n\n///\n", "**Tip**\n\ntext\n\n"),
        ("//// tab | Python 3.10+\n\n////\n", "**Python 3.10+**\n\n"),
        ('!!! warning "Be *careful*"\n    text\n', "**Be *careful***\n    text\n"),
        ("??? question\n\n    text\n", "**Question**\n\n    text\n"),
        ('=== "Python"\n\n    !!! note\n        text\n', "**Python**\n\n    **Note**\n        text\n"),
        (":::note\ntext\n:::\n", "**Note**\ntext\n"),
        (":::tip[Try `x`]\ntext\n:::\n", "**Try `x`**\ntext\n"),
        ("::: danger STOP\ntext\n:::\n", "**STOP**\ntext\n"),
        ("::: {.callout-note}\ntext\n:::\n", "**Note**\ntext\n"),
        (":::{tip} Title\ntext\n:::\n", "**Title**\ntext\n"),
        ("> [!NOTE]\n> text\n", "> **Note**\n> text\n"),
        ("> [!TIP] Like this\n> text\n", "> **Like this**\n> text\n"),
        ('> [!div class="nextstepaction"]\n> [a](b)\n', ">\n> [a](b)\n"),
        # DocFX and Learn
        ('::: moniker range=">=1"\ntext\n::: moniker-end\n', "text\n"),
        (':::zone pivot="a"\ntext\n:::zone-end\n', "text\n"),
        (':::image type="content" source="a.png" alt-text="A window.":::\n', "A window.\n"),
        ("See <xref:System.String?text=x>.\n", "See System.String.\n"),
        ("[!INCLUDE [a](gone.md)]\n\ntext\n", "\ntext\n"),
        # elements and components
        ('<div class="termy">\n\ntext\n\n</div>\n', "\ntext\n\n"),
        ("Press <kbd>A</kbd><br/>now\n", "Press A now\n"),
        ('<a name="x"></a>\n\n## H\n', "\n## H\n"),
        ("<Intro>\n\ntext\n\n</Intro>\n", "\ntext\n\n"),
        ('<TabItem value="a" label="For apples">\n\ntext\n\n</TabItem>\n', "**For apples**\n\ntext\n\n"),
        ("<InlineToc />\n\ntext\n", "\ntext\n"),
        ("<>\n\ntext\n\n</>\n", "\ntext\n\n"),
        ('<img src="a.png" alt="A picture">\n', "A picture\n"),
        ("text <!-- secret --> more\n", "text more\n"),
        ("<script>\nx()\n</script>\n\ntext\n", "\ntext\n"),
        ("import A from 'a';\nexport const x = 1;\n\ntext\n", "\ntext\n"),
        ("<Note>Only {/* not this */} this</Note>\n", "Only this\n"),
        # shortcodes and statements
        ('{{% alert title="Old" color="x" %}}\ntext\n{{% /alert %}}\n', "**Old**\ntext\n"),
        ("{{< hint warning >}}\ntext\n{{< /hint >}}\n", "**Warning**\ntext\n"),
        ('{{< tab "Python" >}}\ntext\n{{< /tab >}}\n', "**Python**\ntext\n"),
        ('{{< figure src="a.png" caption="The map" >}}\n', "**The map**\n"),
        ('see [a]({{< relref "b.md" >}})\n', 'see [a]({{< relref "b.md" >}})\n'),
        ("{{</* figure */>}}\n", "{{</* figure */>}}\n"),
        ("{% if a %}text{% endif %}\n", "text\n"),
        ("{% note %}\n\ntext\n\n{% endnote %}\n", "**Note**\n\ntext\n\n"),
        ("{% comment %}\nno\n{% endcomment %}\ntext\n", "text\n"),
        ("Version {{ site.data.v }} of it\n", "Version of it\n"),
        # badges and icons
        ("# P [![CI](https://img.shields.io/x.svg)](https://ci)\n", "# P\n"),
        ("![Logo](logo.png)\n", "![Logo](logo.png)\n"),
        ("Click :material-cog: now\n", "Click now\n"),
    ],
)
def test_markup_is_not_seen(body: str, text: str) -> None:
    assert seen(body) == text


@pytest.mark.parametrize(
    "body",
    [
        "plain text with { braces } and a < b\n",
        "`<div>` and `{ #id }` and ``{{< x >}}``\n",
        "```md\n/// note\n<div>\n{{< x >}}\n> [!NOTE]\n```\n",
        "    <div class='x'>\n",
        "Replace <your-name> and Vec<T> here.\n",
        "<https://example.org/> <a@b.c>\n",
        "use ${{ secrets.X }} and {{ value }}\n",
        "A ::: B and /// C\n",
        "==== line\n",
        "1 < 2 && 3 > 2\n",
        ":smile: and 10:30:11\n",
        "{ 'a': 1 }\n",
    ],
)
def test_text_and_code_stay(body: str) -> None:
    assert seen(body) == body


def test_a_sites_own_shortcodes() -> None:
    body = '{{< api Cat v="2" >}} {{< x >}}no{{< /x >}} {{< y >}}\n'
    assert seen(body, api="{0} of {v}{w}", x="drop", y="keep") == "Cat of 2 {{< y >}}\n"


def test_line_ends_of_all_kinds() -> None:
    assert seen("/// note\r\n\r\ntext\r\n\r\n///\r\n") == "**Note**\r\n\r\ntext\r\n\r\n"


@pytest.mark.parametrize(
    "piece",
    [
        *(
            "<",
            "<a ",
            "<a b='",
            "<A {",
            "{",
            "{:",
            "{ #",
            "{{<",
            "{{< a ",
            "{{< a >}}",
            "{%",
            "{% a ",
            "/// ",
            "///\n",
            "!!! a ",
            ":::",
        ),
        *(
            ":::a ",
            "> [!",
            "<!--",
            "{/*",
            "![",
            "[![a](b",
            "`",
            "``` ",
            "import ",
            "import {",
            ":material-",
            "<xref:",
            '=== "',
            "\t\n",
        ),
    ],
)
def test_no_page_takes_long(piece: str, assert_linear: Callable[..., None]) -> None:
    assert_linear(lambda size: readable_edits(piece * (size // len(piece)), ()), most=20_000, least=2_500)
