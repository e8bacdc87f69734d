"""Images of a document: each form is found, with its descriptions, and nothing else."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from infograph.chunking.images import Image, find_images
from infograph.chunking.interface import DocumentLayout
from infograph.source.blocks import parse_blocks
from infograph.source.document import decode

AssertLinear = Callable[..., None]


def images(text: str, path: str = "page.mdx") -> list[Image]:
    document = decode(path, text.encode())
    return list(find_images(DocumentLayout(document, parse_blocks(document)[0])))


@pytest.mark.parametrize(
    ("text", "link", "said"),
    [
        ("![An owl](owl.png)", "owl.png", ("An owl",)),
        ('![An owl](owl.png "It sits")', "owl.png", ("An owl", "It sits")),
        ("![An owl]( <my owl.png> 'It sits' )", "my owl.png", ("An owl", "It sits")),
        ("![](owl_(1).png)", "owl_(1).png", ()),
        ("![a [nested] name](x.png)", "x.png", ("a [nested] name",)),
        ("![`code` and **bold** &amp; more](x.png)", "x.png", ("code and bold & more",)),
        ("[![An owl](owl.png)](https://example.org)", "owl.png", ("An owl",)),
        ("![An owl][bird]\n\n[Bird]: owl.png 'It sits'\n", "owl.png", ("An owl", "It sits")),
        ("![Bird][]\n\n[bird]: <owl.png>\n", "owl.png", ("Bird",)),
        ("![Bird]\n\n[bird]: owl.png (It sits)\n[bird]: second.png\n", "owl.png", ("Bird", "It sits")),
        ('<img src="owl.png" alt="An owl" />', "owl.png", ("An owl",)),
        ("<p align='center'>\n<img\n alt='An owl'\n width=40 src='owl.png'>\n</p>", "owl.png", ("An owl",)),
        ("<img src={require('./owl.png').default} alt={`An owl`} />", "./owl.png", ("An owl",)),
        ("<Image src={owl} alt={'An owl'} title=\"It sits\" />", "", ("An owl", "It sits")),
        ("![An owl](owl.png)\n*It sits.*\n", "owl.png", ("An owl", "It sits.")),
        ("![An owl](owl.png)\r\n\r\n_It sits._\r\n", "owl.png", ("An owl", "It sits.")),
        (
            '<figure>\n<img src="owl.png" alt="An owl">\n<figcaption>It <b>sits</b>.</figcaption>\n</figure>',
            "owl.png",
            ("An owl", "It sits ."),
        ),
        ("![dot](data:image/gif;base64,R0lGOD)", "", ("dot",)),
    ],
)
def test_forms(text: str, link: str, said: tuple[str, ...]) -> None:
    (image,) = images(text)
    assert (image.link, image.descriptions) == (link, said)
    assert text[image.start] in "!<"


FIGURE = "\nAn owl\nat night.\n\nMore of it.\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f"```{{figure}} owl.png\n:alt: A bird\n:name: owl\n{FIGURE}```\n", ("A bird", "An owl at night.")),
        (f":::{{figure}} owl.png\n{FIGURE}:::\n", ("An owl at night.",)),
        ("~~~{image} owl.png\n:alt: A bird\n~~~\n", ("A bird",)),
        ("```{image} owl.png\n```\n", ()),
    ],
)
def test_directives(text: str, said: tuple[str, ...]) -> None:
    before = "![First](first.png)\n\nA sentence before it.\n\n"
    first, image = images(f"{before}{text}\n![Last]\n", "page.md")
    assert (image.link, image.descriptions, first.link) == ("owl.png", said, "first.png")
    assert image.place[0] == len(before) and image.nearby


@pytest.mark.parametrize(
    "text",
    [
        "````md\n```{figure} owl.png\n```\n````\n",
        "```{figure}\n```\n",
        "```python\nx = '{figure} owl.png'\n```\n",
        "[link](x.png)",
        "![badge](https://img.shields.io/x.svg) [![Build](https://github.com/x/actions/badge.svg)](x)",
        "![Coverage][shield]\n\n[shield]: https://codecov.io/gh/x/graph.svg\n",
        '<img src="https://img.shields.io/x.svg" alt="License">',
        "`![An owl](owl.png)`",
        "``![An ` owl](owl.png)``",
        "```md\n![An owl](owl.png)\n```",
        "- item\n\n  ~~~\n  ![An owl](owl.png)\n  ~~~\n",
        "    ![An owl](owl.png)\n",
        "<!-- ![An owl](owl.png) -->",
        "<!-- <img src='a.png'> ",
        "![no such label]",
        "![]",
        "<imgx src='a.png'>",
    ],
)
def test_no_images(text: str) -> None:
    assert images(text) == []


def test_a_component_s_source_has_elements_and_no_images() -> None:
    text = "export const A = () => <img src='a.png' />;\n"
    assert images(text) and not images(text, "a.tsx")


def test_a_tick_that_is_never_closed_hides_nothing_below_its_paragraph() -> None:
    assert [image.link for image in images("A ` tick.\n\n![one](1.png)\n\nAnother ` tick.\n")] == ["1.png"]


def test_the_sentences_around() -> None:
    text = (
        "# Owls\n\nOwls are birds. This one sits.\n\n![An owl](owl.png)\n\nIt hunts at night. It sleeps by day.\n\n"
        "Here ![in a line](a.png) it flies. Then it is gone.\n\n## Next\n\n![Alone](b.png)\n\n## Last\n\nText.\n"
    )
    around = [[text[start:end].strip() for start, end in image.nearby] for image in images(text)]
    assert around == [
        ["This one sits.", "It hunts at night."],
        ["It sleeps by day.", "Here ![in a line](a.png) it flies.", "Then it is gone."],
        [],
    ]


FEW = ("![a](", '<img "', "<!-- ![")
MORE = ("![", "<img ", "`![", "![a][", "<figure><img>", "![[[")


@pytest.mark.parametrize("part", [*FEW, *(pytest.param(part, marks=pytest.mark.slow) for part in MORE)])
def test_time_is_linear_in_the_text(part: str, assert_linear: AssertLinear) -> None:
    """The text has thousands of unfinished images."""
    assert_linear(lambda size: images(part * size), most=400_000)
    assert_linear(lambda size: images((part + "\n") * size), most=400_000)


def around(text: str) -> list[list[str]]:
    return [[text[start:end].strip() for start, end in image.nearby] for image in images(text)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("One.\n\n![a](a.png)\n\nTwo.\n", ["One.", "Two."]),
        ("See ![a](a.png)\n", ["See ![a](a.png)"]),
        ("One.\n\n![a](a.png)\n\n```\nx\n```\n\nTwo.\n", ["One."]),  # not over code
        ("One.\n\n```\nx\n```\n\n![a](a.png)\n\nTwo.\n", ["Two."]),
        ("One.\n\n# B\n\n![a](a.png)\n\nTwo.\n", ["Two."]),  # not over headings
        ("One.\n\n![a](a.png)\n\n![b](b.png)\n\nTwo.\n", ["One."]),  # what follows is another paragraph's
        ("::: tip\n\n![a](a.png)\n\n!!! note\n", []),
        ("One.\n---\n\n![a](a.png)\n", []),
    ],
)
def test_the_nearest_sentences_that_say_something(text: str, found: list[str]) -> None:
    assert around(text)[0] == found


def test_what_begins_within_an_image_is_no_sentence_after_it() -> None:
    text = "See this. ![One owl. Another owl](a.png)\n\nIt sits.\n"
    found = around(text)[0]
    assert (found[0], found[-1]) == ("See this.", "It sits.")


@pytest.mark.parametrize(("words", "said"), [(199, True), (200, False)])
def test_a_line_of_data_is_no_sentence(words: int, said: bool) -> None:
    line = "data " * words + "."
    assert around(f"{line}\n\n![a](a.png)\n") == [[line] if said else []]


def test_a_caption_belongs_to_the_image_in_its_figure() -> None:
    figure = "<figure><img src='{0}.png'><figcaption>Of {0}</figcaption></figure>"
    text = f"<img src='z.png'>{figure.format('a')}<img src='b.png'>{figure.format('c')}\n"
    assert [(image.link, image.descriptions) for image in images(text)] == [
        ("z.png", ()),
        ("a.png", ("Of a",)),
        ("b.png", ()),
        ("c.png", ("Of c",)),
    ]


def test_the_caption_of_a_figure_comes_before_the_line_below() -> None:
    figure = "<figure><img src='a.png'><figcaption>{}</figcaption></figure>\n"
    (image,) = images(figure.format("Of it") + "*A line.*\n")
    assert image.descriptions == ("Of it",)
    (image,) = images("<figure><img src='a.png'>\n*A line.*\n</figure>\n")
    assert image.descriptions == ("A line.",)


def test_an_image_says_each_thing_once_and_nothing_that_is_empty() -> None:
    (image,) = images('![Owl](o.png "Owl")\n*Owl*\n')
    assert image.descriptions == ("Owl",)
    (image,) = images("<figure><img src='o.png' alt=' '><figcaption> </figcaption></figure>")
    assert image.descriptions == ()


@pytest.mark.parametrize(
    ("attributes", "link", "said"),
    [
        ("src=o.png alt=Owl", "o.png", ("Owl",)),
        ("src='o.png' title='It sits'", "o.png", ("It sits",)),
        ("alt={`Owl`} src={'o.png'}", "o.png", ("Owl",)),
        ("src={owl}", "", ()),
        ("data-src='x.png'", "x.png", ()),
    ],
)
def test_attributes_in_any_quotes(attributes: str, link: str, said: tuple[str, ...]) -> None:
    (image,) = images(f"<img {attributes}>")
    assert (image.link, image.descriptions) == (link, said)


def test_code_is_hidden_and_offsets_stay() -> None:
    code = "```\n![no](no.png)\n```\n"
    item = "- x\n\n" + "".join(f"  {line}\n" for line in f"{code}![b](b.png)".splitlines())
    text = f"![z](z.png)\n\n{code}![a](a.png)\n\n{item}\n![c](c.png)\n"
    assert [(image.link, text[image.start :][:4]) for image in images(text)] == [
        ("z.png", "![z]"),
        ("a.png", "![a]"),
        ("b.png", "![b]"),
        ("c.png", "![c]"),
    ]
