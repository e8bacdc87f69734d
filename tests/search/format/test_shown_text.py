"""What a reader sees of a chunk's Markdown, line by line."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from infograph.search.format.shown_text import shown_lines

JSX = ["<Tab label={a}>", "ok", "</Tab>"]


@pytest.mark.parametrize(
    ("markdown", "lines"),
    [
        ("# Heading\n\nText  of\tit.\n", ["Text of it."]),
        ("- one\n> *two*\n\n```py\n# why\n**a**\n```\n", ["one", "two", "# why", "**a**"]),
        ("| A | B |\n|---|---|\n| `x` | [y](z) |\n", ["A · B", "", "x · y"]),
        (":::note\nSee <b>this</b> &amp; <!-- not\nthis --> that \\* `\\*`.\n", ["See this & that * \\*."]),
        ("See [the guide](a.md), [b](c)d, <b>that</b>. Or <br>this.\n", ["See the guide, bd, that. Or this."]),
        ("Or <b>so</b>:\n```jsx\n<Tab label={a}>\n  ok\n</Tab>\n```\nand <i>on</i>.\n", ["Or so:", *JSX, "and on."]),
        ("<b>a</b>\n\n  ~~~html\n  <p>one\n```\n<!-- two -->\n", ["a", "<p>one", "<!-- two -->"]),
        ("<!-- not\n```\nthis\n```\n--> <b>that</b>\n", ["that"]),
        ("Press ![start](go.png), or ![](x.png) wait. 点![图](t.png)。\n", ["Press start, or wait. 点图。"]),
        ("[![Go](g.png)](t.md) ![a][b]! \\![c](d) `![e](f)` vec![1] Stop!\n", ["Go ab! !c ![e] vec!1 Stop!"]),
        ("", []),
    ],
)
def test_lines_have_neither_headings_nor_markup(markdown: str, lines: list[str]) -> None:
    assert list(shown_lines(markdown)) == lines


def runs_of_ticks(size: int) -> str:
    """Runs none of which closes another."""
    return "".join("`" * length + "x" for length in range(1, int((2 * size) ** 0.5)))


@pytest.mark.parametrize(
    "text",
    [
        runs_of_ticks,
        lambda size: "*a" * size,
        lambda size: "](" * size,
        lambda size: "```\n~~~\n" * size,
        lambda size: "```\n" + " " * size,
    ],
)
def test_marks_that_are_never_closed_take_linear_time(
    text: Callable[[int], str], assert_linear: Callable[..., None]
) -> None:
    assert_linear(lambda size: list(shown_lines(text(size))))
