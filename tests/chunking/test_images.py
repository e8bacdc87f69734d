"""Images of a page: found in each of their forms, with what is said of them; nowhere else."""

from __future__ import annotations

import pytest

from infograph.chunking.images import Image, find_images
from infograph.chunking.page import Page
from infograph.source.blocks import parse_blocks
from infograph.source.document import decode


def images(text: str, path: str = "page.mdx") -> list[Image]:
    document = decode(path, text.encode())
    return find_images(Page(document, parse_blocks(document)[0]))


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
    assert (image.link, image.said) == (link, said)
    assert text[image.start] in "!<"


@pytest.mark.parametrize(
    "text",
    [
        "[link](x.png)",
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
    around = [[text[start:end].strip() for start, end in image.around] for image in images(text)]
    assert around == [
        ["This one sits.", "It hunts at night."],
        ["It sleeps by day.", "Here ![in a line](a.png) it flies.", "Then it is gone."],
        [],
    ]


@pytest.mark.parametrize("part", ["![", "![a](", "<img ", '<img "', "`![", "<!-- ![", "![a][", "<figure><img>", "![[["])
def test_time_is_linear_enough(part: str) -> None:
    """A hundred thousand beginnings of images without an end: a quadratic search would not come back."""
    images(part * 30_000)
    images((part + "\n") * 30_000)
