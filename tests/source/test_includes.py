"""What is said of text that a generator puts on a page: files that are not there, and text that templates make."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from infograph.errors import GENERATED, REMARKS
from infograph.model import Document
from infograph.source.include_syntax import Include, find_includes
from infograph.source.includes import UNRESOLVED, unresolved_includes


def messages(body: str, patterns: tuple[str, ...] = ()) -> list[tuple[str, int, str]]:
    found = unresolved_includes(Document("page.md", "0" * 64, "", body), [], patterns)
    return [(notice.kind, notice.count, notice.message) for notice in found]


@pytest.mark.parametrize(
    "body, name",
    [
        ('{{< swaggerui src="a.json" >}}\n', "Hugo shortcode"),
        ("{{% kfp-v2-keywords %}}\n", "Hugo shortcode"),
        ('{{<\napi-table\n  file="x.yaml"\n>}}\n', "Hugo shortcode"),
        ("{% include note.html text='x' %}\n", "Jekyll include"),
        ("{% include a.html\n  x='y' %}\n", "Jekyll include"),
        ("{% for x in site.data.teams %}{{ x.name }}{% endfor %}\n", "use of site data"),
        ("{% assign x = site.posts %}\n", "use of site data"),
        ("Version {{ site.data.version }}\n", "use of site data"),
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"], ids=["feed", "both", "return"])
def test_what_a_template_makes_is_said(body: str, name: str, end: str) -> None:
    ((kind, count, message),) = messages(f"# H\n\n{body}\ntext\n".replace("\r", "").replace("\n", end))
    assert kind == GENERATED in REMARKS
    assert count == 1 and f"1 {name} (`" in message


@pytest.mark.parametrize(
    "body",
    [
        "text\n",
        "{{ value }}\n",
        "{{</* api */>}}\n",
        "{{< /api >}}\n",
        # nothing of these is lost
        '[a]({{< relref "b.md" >}}) [c]({{% ref "d" %}})\n',
        '{{% alert title="x" %}}\ntext\n{{% /alert %}}\n',
        "{{< own-box >}}\ntext\n{{< /own-box >}}\n",
        '{{< button href="/a" >}}Start{{< /button >}}\n',
        '{{< figure src="a.png" >}}{{< youtube x >}}{{< badge new >}}{{< icon x >}}\n',
        '{{< card title="Fast" link="/a" >}}\n',
        "{{< blocks/section >}}\n",
        "{{< note >}}\n",
        "import Tabs from '@theme/Tabs';\nimport { A } from './a';\n\n<Tabs />\n",
        "{% if a %}\n{% for x in list %}\n",
        "{% includes %}\n",
        "`{{< tab`\n\n`>}}`\n",
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"], ids=["feed", "both", "return"])
def test_what_loses_nothing_is_not_said(body: str, end: str) -> None:
    assert messages(body.replace("\n", end)) == []


def test_counts_are_summed_in_one_notice() -> None:
    ((_, count, message),) = messages("{{< a >}} {{< b >}}\n\n{% include c.html %}\n")
    assert count == 3
    assert "2 Hugo shortcodes (`{{< a >}}`), 1 Jekyll include (`{% include c.html %}`)" in message


def test_shortcodes_of_the_configuration_are_not_said() -> None:
    assert messages("{{< api Cat >}}\n", ("api",)) == []


def test_includes_that_were_not_resolved() -> None:
    body = "{* gone.py *}\n\n" + '--8<-- "also/gone.md"\n'
    lost = [(include, "no such file in the repository") for include in find_includes(body)]
    (notice,) = unresolved_includes(Document("page.md", "0" * 64, "", body), lost)
    assert (notice.kind, notice.count) == (UNRESOLVED, 2) and UNRESOLVED not in REMARKS
    assert notice.message.startswith("2 includes not resolved") and "(no such file in the repository)" in notice.message


def test_the_example_is_cut_at_80_characters() -> None:
    body = "{!" + "x" * 100 + "!}\n"
    (notice,) = unresolved_includes(Document("page.md", "", "", body), [(Include(0, 104, "x"), "why")])
    assert notice.message.endswith(f"`{{!{'x' * 78}` (why)")


def test_a_shortcode_over_lines_does_not_take_the_next_one_in() -> None:
    ((_, count, message),) = messages("`{{< open`\n{{< a\n  b >}} {{< c >}}\n")
    assert count == 2 and "(`{{< a b >}}`)" in message


@pytest.mark.parametrize(
    "piece", ["{{<", "{{< a\n", "{{<a" + 199 * "%", "{% include a\n", "{% include a" + 199 * "%", "\t\n"]
)
def test_no_page_takes_long(piece: str, assert_linear: Callable[..., None]) -> None:
    for first in ("", "{{< a\n", "{% include "):
        assert_linear(lambda size, first=first: messages(first + piece * (size // len(piece))), most=200_000)
