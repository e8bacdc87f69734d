from __future__ import annotations

import pytest

from infograph.chunking.interface import DocumentLayout
from infograph.source.blocks import parse_blocks
from infograph.source.document import decode


@pytest.mark.parametrize(
    ("source", "titled"),
    [
        ("text", False),
        ("# Top", False),
        ("---\ntitle: T\n---\ntext", True),
        ("---\ntitle: T\n---\n## Part", True),
        ("---\ntitle: T\n---\n# Top\n\ntext", False),
    ],
)
def test_the_title_of_the_front_matter_stands_for_an_h1_that_is_not_there(source: str, titled: bool) -> None:
    document = decode("a.md", source.encode())
    assert DocumentLayout(document, parse_blocks(document)[0]).titled_by_front_matter == titled


def test_anchors_above_a_heading_belong_to_it() -> None:
    text = (
        "# A\n\ntext\n\n<!-- Old headings. -->\n\n<a id='b'></a>\n<a id='c'></a>\n\n## B\n\nmore\n\n"
        "<a name='x'></a>\n\ntext\n"
    )
    document = decode("a.md", text.encode())
    layout = DocumentLayout(document, parse_blocks(document)[0])
    heading = layout.headings[1]
    assert layout.text(heading).startswith("<!-- Old") and layout.text(heading).endswith("## B\n\n")
    kinds = [block.kind for block in layout.blocks]
    assert kinds == ["heading", "paragraph", "heading", "paragraph", "paragraph", "paragraph"], "one above text stays"
    assert "".join(layout.texts(layout.blocks)) == text


def test_a_comment_above_a_heading_is_no_anchor() -> None:
    document = decode("a.md", b"text\n\n<!-- a -->\n\n## B\n<div id='x'></div>\n")
    layout = DocumentLayout(document, parse_blocks(document)[0])
    assert layout.text(layout.headings[0]).startswith("## B")
